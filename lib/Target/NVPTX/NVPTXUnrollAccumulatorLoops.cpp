//===- NVPTXUnrollAccumulatorLoops.cpp - Loops over an accumulator --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accumulators of wgmma.mma_async are vectors or arrays of up to 128
// elements, and no register can be indexed by a variable. A loop such as
//
//   for (int i = 0; i < N / 2; ++i)
//     out[i * 128 + threadIdx.x] = accumulator[i];
//
// keeps them in local memory, unless it is unrolled, for which it is far too
// large by the usual measure.
//
// This pass asks for full unrolling, as `#pragma unroll` does, of the loops
// whose induction variable is, or is part of, an index into a vector or into a
// local array, in functions that use wgmma. It runs right before
// LoopFullUnroll, on inner loops first; SROA follows, and finds constant
// indices.
//
// Left alone is a loop
// - that says itself how it is to be unrolled, except that at -O1 Clang says of
//   every loop that it is not to be;
// - whose count is unknown, or more than what it indexes has elements: a loop
//   over K that alternates between two buffers;
// - whose index would not become constant: it depends on a value of the
//   program's input, too;
// - that would be larger than even `#pragma unroll` allows.
//
//===----------------------------------------------------------------------===//

#include "NVPTXUnrollAccumulatorLoops.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-unroll-accumulator-loops"

STATISTIC(NumLoops, "Number of loops over an accumulator to be unrolled");

/// What `#pragma unroll` allows, in instructions; see LoopUnrollPass.
static constexpr uint64_t MaxUnrolledSize = 16 * 1024;
/// The elements of the largest accumulator, in halves.
static constexpr uint64_t MaxElements = 256;

namespace {
class AccumulatorLoop {
public:
  AccumulatorLoop(Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}

  bool shouldUnroll(bool IgnoreDisable) const;

private:
  /// The elements of the vector or the array that \p I accesses by an index
  /// that unrolling makes constant; 0 for any other instruction.
  uint64_t getIndexedElements(const Instruction &I) const;
  bool becomesConstant(ArrayRef<const Value *> Indices) const;

  Loop &L;
  ScalarEvolution &SE;
};
} // namespace

/// The elements that an array has in all dimensions.
static uint64_t getNumElements(const Type *Ty) {
  uint64_t Elements = 1;
  while (const auto *Array = dyn_cast<ArrayType>(Ty)) {
    Elements *= Array->getNumElements();
    Ty = Array->getElementType();
  }
  if (const auto *Vector = dyn_cast<FixedVectorType>(Ty))
    Elements *= Vector->getNumElements();
  return Elements;
}

uint64_t AccumulatorLoop::getIndexedElements(const Instruction &I) const {
  if (isa<ExtractElementInst, InsertElementInst>(I)) {
    const Value *Index = I.getOperand(I.getNumOperands() - 1);
    const auto *Ty = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
    return Ty && becomesConstant(Index) ? Ty->getNumElements() : 0;
  }
  const auto *GEP = dyn_cast<GetElementPtrInst>(&I);
  if (!GEP)
    return 0;
  const auto *Array =
      dyn_cast<AllocaInst>(getUnderlyingObject(GEP->getPointerOperand()));
  if (!Array || !Array->isStaticAlloca())
    return 0;
  SmallVector<const Value *, 4> Indices(GEP->indices());
  if (!becomesConstant(Indices))
    return 0;
  return getNumElements(Array->getAllocatedType());
}

/// Whether the indices depend on this loop, and on nothing but constants and
/// counters of loops.
bool AccumulatorLoop::becomesConstant(ArrayRef<const Value *> Indices) const {
  bool DependsOnLoop = false;
  SmallVector<const Value *, 8> Worklist(Indices);
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (isa<Constant>(V) || !Seen.insert(V).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      if (!SE.isSCEVable(Phi->getType()))
        return false;
      const auto *Counter =
          dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(Phi)));
      if (!Counter || !all_of(Counter->operands(), [](const SCEV *Op) {
            return isa<SCEVConstant>(Op);
          }))
        return false;
      DependsOnLoop |= Counter->getLoop() == &L;
      continue;
    }
    if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst>(V))
      return false;
    append_range(Worklist, cast<Instruction>(V)->operand_values());
  }
  return DependsOnLoop;
}

bool AccumulatorLoop::shouldUnroll(bool IgnoreDisable) const {
  bool IsDisabled =
      IgnoreDisable && getBooleanLoopAttribute(&L, "llvm.loop.unroll.disable");
  if (!IsDisabled && hasUnrollTransformation(&L) != TM_Unspecified)
    return false;
  unsigned Count = SE.getSmallConstantTripCount(&L);
  if (Count < 2 || Count > MaxElements)
    return false;
  uint64_t Size = 0, Elements = 0;
  for (const BasicBlock *Block : L.blocks()) {
    Size += Block->size();
    for (const Instruction &I : *Block)
      Elements = std::max(Elements, getIndexedElements(I));
  }
  return Count <= Elements && Size * Count <= MaxUnrolledSize &&
         NVPTX::usesWGMMA(*L.getHeader()->getParent());
}

static void requestUnrolling(Loop &L) {
  LLVMContext &Context = L.getHeader()->getContext();
  MDNode *Enable =
      MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.enable"));
  L.setLoopID(makePostTransformationMetadata(Context, L.getLoopID(),
                                             {"llvm.loop.unroll."}, {Enable}));
}

PreservedAnalyses
NVPTXUnrollAccumulatorLoopsPass::run(Loop &L, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &AR,
                                     LPMUpdater &) {
  if (AccumulatorLoop(L, AR.SE).shouldUnroll(IgnoreDisable)) {
    LLVM_DEBUG(dbgs() << "Unroll the loop over an accumulator: " << L);
    requestUnrolling(L);
    ++NumLoops;
  }
  return PreservedAnalyses::all();
}
