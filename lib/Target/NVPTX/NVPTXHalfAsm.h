//===- NVPTXHalfAsm.h - Inline assembly of halves ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// CUDA's own headers compute with halves, and convert to them, in inline
/// assembly. This reads the little that is in it.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHALFASM_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHALFASM_H

namespace llvm {
class Function;
class InlineAsm;

/// Inline assembly that computes of registers with two halves each what \p Asm
/// computes of single ones, as mul.f16x2 does of mul.f16. Null if \p Asm is not
/// one such instruction (PTX ISA, "Half Precision Floating-Point
/// Instructions").
InlineAsm *getPackedHalfAsm(const InlineAsm &Asm);

/// Whether the first two arguments of \p Packed, which that has made, may
/// change places.
bool isCommutativeHalfAsm(const InlineAsm &Packed);

/// Makes fma.rn.f16x2 of sums of products that this has made, where none is
/// said to be rounded: ptxas, which does that of single halves, does not of
/// these. Returns whether there were any.
bool fuseHalfAsm(Function &F);

/// Replaces inline assembly that makes halves of constants, such as
/// __float2half(0.f), by what it makes. Returns whether there was any.
bool foldHalfAsm(Function &F);

/// Replaces inline assembly that takes halves from results of wgmma, such as
/// __high2float(h), or rounds results to halves, such as __float2half(f), by
/// what LLVM knows. Returns whether there was any.
bool expandHalfAsm(Function &F);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHALFASM_H
