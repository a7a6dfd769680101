//===- NVPTXWGMMARotation.h - Registers that change places ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a loop leaves a wgmma in flight for its next round, its registers may
// not be copied then. In
//
//   for (...) { next = wgmma(...); commit; wait 1; use(last); last = next; }
//
// they would be, and so in a loop that loads the next fragment of A while a
// wgmma still reads this one. Unrolled by two, each has registers of its own.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROTATION_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROTATION_H

namespace llvm {
class Loop;

namespace NVPTX {

/// After how many rounds of \p L values that change places, or get new ones, in
/// flight may be where they were; 1 if none are.
unsigned getWGMMARotation(const Loop &L);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROTATION_H
