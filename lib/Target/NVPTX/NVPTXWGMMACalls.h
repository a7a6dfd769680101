//===- NVPTXWGMMACalls.h - The calls that are wgmma's -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Tells, in IR, which functions multiply with wgmma.mma_async, and which
/// values are registers of it: by intrinsic, or by the inline assembly that
/// kernels use where a compiler has no intrinsic.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMACALLS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMACALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Use;
class Value;

namespace NVPTX {

/// Whether this is an intrinsic of the wgmma family, or inline assembly. The
/// latter may be anything: an empty one is how kernels pin an accumulator.
bool isWGMMAOrAsm(const CallBase &Call);

/// Whether \p F has a wgmma.mma_async, as an intrinsic or in inline assembly.
bool usesWGMMA(const Function &F);

/// What NVPTXMarkWGMMACallers gives the functions that have one, or call one
/// that does.
inline constexpr StringLiteral ReachesWGMMA = "nvptx-reaches-wgmma";
bool reachesWGMMA(const Function &F);

/// Whether \p I is such a wgmma.mma_async.
bool isWGMMA(const Instruction &I);

/// Whether \p I has the value of an operand, or elements of it: these stay in
/// the registers in which they are.
bool passesOn(const Instruction &I);

/// Whether \p I is a wgmma.wait_group, as an intrinsic or in inline assembly.
bool isWGMMAWait(const Instruction &I);

/// Whether \p I is one that waits for all, as an intrinsic.
bool isWGMMAWaitForAll(const Instruction &I);

/// Whether \p I is one of wgmma's instructions, which all threads of a
/// warpgroup execute together, as an intrinsic or in inline assembly.
bool isWGMMAStep(const Instruction &I);

/// Whether ptxas makes wgmma slow unless \p Call is inlined: the function that
/// is called multiplies, or it may be given an accumulator of its caller, which
/// is kept in local memory then.
bool shouldInlineForWGMMA(const CallBase &Call);

/// Whether \p V comes, but for the extraction of an element, straight out of an
/// intrinsic of the wgmma family or out of inline assembly.
bool isWGMMARegister(const Value *V);

/// As isWGMMARegister, but not of inline assembly that computes anything else:
/// it multiplies, is a step, or is empty.
bool isAccumulatorRegister(const Value *V);

/// Whether \p V is such a register, or computed from one in a few steps: a half
/// of it, say, or what a loop leaves of it.
bool isPartOfAccumulator(const Value *V);

/// Whether \p Is tells it of any use that has \p V as it is, or elements of it.
bool anyUserAsItIs(const Value &V, function_ref<bool(const Use &)> Is);

/// Whether a wgmma has \p U in registers for as long as it is in flight: as
/// accumulator, fragment of A or metadata. Descriptors and scales are read at
/// once.
bool isWGMMARegisterOperand(const Use &U);

/// Whether \p V becomes such an operand.
bool becomesWGMMARegister(const Value &V);

/// A wgmma of whose result \p V is an element on some way at least, or null.
const Instruction *getProduct(const Value *V);

/// The sizes of a block that \p F has as this attribute: "nvvm.reqntid", or
/// "nvvm.maxntid". They stand in no header that all versions of LLVM have.
SmallVector<unsigned, 3> getBlockSizes(const Function &F, StringRef Attribute);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMACALLS_H
