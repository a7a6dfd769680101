//===- Reducer.h - Programs as small as can be ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_REDUCER_H
#define NVPTX_MMA_WGMMA_RANDOM_REDUCER_H

#include "Options.h"

namespace wgmmarandom {

/// Runs llvm-reduce on the input, with this tool as the test: what is left must
/// be valid, and have findings of the kind that the options ask for.
int reduce(const Options &O);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_REDUCER_H
