//===- AssemblyForm.h - wgmma as inline assembly ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of others have wgmma.mma_async in inline assembly. A program whose
// kernel has an attribute for it is compiled in that form; what it means is
// what it means with intrinsics.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_ASSEMBLYFORM_H
#define NVPTX_MMA_WGMMA_RANDOM_ASSEMBLYFORM_H

#include "llvm/IR/Module.h"

namespace wgmmarandom {

inline constexpr char InAssembly[] = "wgmma-in-assembly";

/// Makes inline assembly of the wgmma.mma_async of \p M, in one of the forms
/// that they are written in, if a function has the attribute InAssembly.
void writeAsAssembly(llvm::Module &M);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_ASSEMBLYFORM_H
