//===- BuiltinName.h - Names of builtins and intrinsics ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A builtin __nvvm_... and an intrinsic llvm.nvvm... are called like their
// instruction, but for types that PTX repeats and for the shape of wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TOOLS_LAYOUT_BUILTINNAME_H
#define NVPTX_MMA_TOOLS_LAYOUT_BUILTINNAME_H

#include <string>

namespace layout {

/// The name that findInstruction() knows the instruction of a builtin or of an
/// intrinsic by. Any other name is returned as it is.
///
/// An intrinsic of wgmma has N in the type of its accumulator, as in
/// llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32; without that N stays open.
std::string instructionName(const std::string &Name);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_BUILTINNAME_H
