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
// local array, or is a pointer into that, in functions that use wgmma. It runs
// right before LoopFullUnroll, on inner loops first; SROA follows, and finds
// constant indices.
//
// Left alone is a loop
// - that says itself that it is not to be unrolled, except that at -O1 Clang
//   says so of every loop. One that is to be unrolled in part is unrolled as a
//   whole: else each of its copies would index a variable of its own in memory;
// - of whose exits none has a known count, or more than what it indexes has
//   elements: a loop over K that alternates between two buffers;
// - whose index would not become constant: it depends on a value of the
//   program's input, too. One looked up in a constant table becomes constant;
// - that would be larger than even `#pragma unroll` allows.
//
// In all loops of these functions, also in those that say themselves how they
// are to be unrolled, an element that is assigned under a condition,
//
//   %new = insertelement %old, %x, %i
//   %acc = select %c, %new, %old
//
// becomes one that is always assigned, and the condition chooses of two
// elements: unrolling would count the first as one instruction for each element
// of the accumulator, and find most loops too large.
//
//===----------------------------------------------------------------------===//

#include "NVPTXUnrollAccumulatorLoops.h"
#include "NVPTXUnrolling.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <numeric>
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-unroll-accumulator-loops"

STATISTIC(NumLoops, "Number of loops over an accumulator to be unrolled");

/// The elements of the largest accumulator, in halves.
static constexpr uint64_t MaxElements = 256;

namespace {
class AccumulatorLoop {
public:
  AccumulatorLoop(Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}

  bool shouldUnroll(bool IgnoreDisable) const;

private:
  /// The elements of the vector that \p I accesses, or of the local variable
  /// that it points into, at a place that unrolling makes constant; 0 for any
  /// other instruction.
  uint64_t getIndexedElements(const Instruction &I) const;
  /// The local variable that \p Pointer points into; null for anything else.
  const AllocaInst *getLocalVariable(const Value *Pointer) const;
  unsigned getCount() const;
  bool becomesConstant(const Value *Index) const;
  bool isCounter(const SCEV *S) const;

  Loop &L;
  ScalarEvolution &SE;
};
} // namespace

/// The numbers that a variable of type \p Ty is declared to be made of.
static uint64_t getNumElements(Type *Ty) {
  if (const auto *Vector = dyn_cast<FixedVectorType>(Ty))
    return Vector->getNumElements();
  if (const auto *Array = dyn_cast<ArrayType>(Ty))
    return Array->getNumElements() * getNumElements(Array->getElementType());
  if (!Ty->isStructTy())
    return 1;
  return std::accumulate(Ty->subtype_begin(), Ty->subtype_end(), uint64_t(0),
                         [](uint64_t Sum, Type *Element) {
                           return Sum + getNumElements(Element);
                         });
}

/// The elements of \p Variable, as large as those that are accessed at \p
/// Pointer: registers may be read by halves.
static uint64_t getNumAccessed(const Instruction &Pointer,
                               const AllocaInst &Variable) {
  const DataLayout &DL = Pointer.getDataLayout();
  uint64_t Elements = getNumElements(Variable.getAllocatedType());
  std::optional<TypeSize> Size = Variable.getAllocationSize(DL);
  for (const User *U : Pointer.users())
    if (Size && getLoadStorePointerOperand(U) == &Pointer) {
      TypeSize Accessed = DL.getTypeStoreSize(getLoadStoreType(U));
      if (!Accessed.isZero())
        Elements = std::max(Elements,
                            Size->getFixedValue() / Accessed.getFixedValue());
    }
  return Elements;
}

/// Whether \p Load reads from a table whose content is known.
static bool readsConstantTable(const LoadInst &Load) {
  const auto *Table =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Load.getPointerOperand()));
  return Load.isSimple() && Table && Table->isConstant() &&
         Table->hasDefinitiveInitializer();
}

const AllocaInst *
AccumulatorLoop::getLocalVariable(const Value *Pointer) const {
  const auto *Base = dyn_cast<SCEVUnknown>(
      SE.getPointerBase(SE.getSCEV(const_cast<Value *>(Pointer))));
  const auto *Variable =
      Base ? dyn_cast<AllocaInst>(getUnderlyingObject(Base->getValue()))
           : nullptr;
  return Variable && Variable->isStaticAlloca() ? Variable : nullptr;
}

uint64_t AccumulatorLoop::getIndexedElements(const Instruction &I) const {
  if (isa<ExtractElementInst, InsertElementInst>(I)) {
    const Value *Index = I.getOperand(I.getNumOperands() - 1);
    const auto *Ty = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
    return Ty && becomesConstant(Index) ? Ty->getNumElements() : 0;
  }
  if (!I.getType()->isPointerTy() || !isa<GetElementPtrInst, PHINode>(I))
    return 0;
  const AllocaInst *Variable = getLocalVariable(&I);
  return Variable && becomesConstant(&I) ? getNumAccessed(I, *Variable) : 0;
}

/// How often the loop goes round at most, by the exit that leaves first; 0 if
/// that is not known of any. As in LoopUnroll: what else leaves the loop, such
/// as a bound that the program's input gives, may stay.
unsigned AccumulatorLoop::getCount() const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  unsigned Count = 0;
  for (BasicBlock *Block : Exiting)
    if (unsigned OfExit = SE.getSmallConstantTripCount(&L, Block))
      Count = Count ? std::min(Count, OfExit) : OfExit;
  return Count;
}

/// Whether \p S counts, from a constant or a local variable's address on, by
/// constants.
bool AccumulatorLoop::isCounter(const SCEV *S) const {
  const auto *AddRec = dyn_cast<SCEVAddRecExpr>(S);
  if (!AddRec)
    return false;
  const SCEV *Start = AddRec->getStart();
  if (Start->getType()->isPointerTy()) {
    const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Start));
    if (!Base || !getLocalVariable(Base->getValue()))
      return false;
    Start = SE.removePointerBase(Start);
  }
  return (isa<SCEVConstant>(Start) || isCounter(Start)) &&
         all_of(drop_begin(AddRec->operands()), IsaPred<SCEVConstant>);
}

/// Whether the index, or the address, depends on this loop, and on nothing but
/// constants, tables of them, local variables' addresses and counters of loops.
bool AccumulatorLoop::becomesConstant(const Value *Index) const {
  bool DependsOnLoop = false;
  SmallVector<const Value *, 8> Worklist = {Index};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (isa<Constant, AllocaInst>(V) || !Seen.insert(V).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      if (!SE.isSCEVable(Phi->getType()))
        return false;
      const SCEV *Counter = SE.getSCEV(const_cast<PHINode *>(Phi));
      if (!isCounter(Counter))
        return false;
      DependsOnLoop |= cast<SCEVAddRecExpr>(Counter)->getLoop() == &L;
      continue;
    }
    const auto *Load = dyn_cast<LoadInst>(V);
    if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(
            V) &&
        !(Load && readsConstantTable(*Load)))
      return false;
    append_range(Worklist, cast<Instruction>(V)->operand_values());
  }
  return DependsOnLoop;
}

bool AccumulatorLoop::shouldUnroll(bool IgnoreDisable) const {
  if (NVPTX::isUnrollingDisabled(L, IgnoreDisable))
    return false;
  unsigned Count = getCount();
  if (Count < 2 || Count > MaxElements)
    return false;
  uint64_t Elements = 0;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      Elements = std::max(Elements, getIndexedElements(I));
  return Count <= Elements && NVPTX::mayBeUnrolledBy(L, Count) &&
         NVPTX::usesWGMMA(*L.getHeader()->getParent());
}

/// The element that \p Select sets under its condition in a vector that it
/// leaves as it is otherwise, or null.
static InsertElementInst *getSelectedElement(SelectInst &Select,
                                             ScalarEvolution &SE) {
  const auto *Ty = dyn_cast<FixedVectorType>(Select.getType());
  if (!Ty || Select.getCondition()->getType()->isVectorTy())
    return nullptr;
  for (auto [New, Old] :
       {std::pair(Select.getTrueValue(), Select.getFalseValue()),
        std::pair(Select.getFalseValue(), Select.getTrueValue())}) {
    auto *Insert = dyn_cast<InsertElementInst>(New);
    // One beside the vector would be poison whatever the condition is.
    if (Insert && Insert->hasOneUse() && Insert->getOperand(0) == Old &&
        SE.getUnsignedRangeMax(SE.getSCEV(Insert->getOperand(2)))
            .ult(Ty->getNumElements()))
      return Insert;
  }
  return nullptr;
}

/// Has the conditions in \p L choose elements instead of accumulators.
static bool selectElements(Loop &L, ScalarEvolution &SE) {
  SmallVector<std::pair<SelectInst *, InsertElementInst *>, 4> Found;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Select = dyn_cast<SelectInst>(&I))
        if (InsertElementInst *Insert = getSelectedElement(*Select, SE))
          Found.emplace_back(Select, Insert);
  if (Found.empty() || !NVPTX::usesWGMMA(*L.getHeader()->getParent()))
    return false;
  for (auto [Select, Insert] : Found) {
    IRBuilder<> Builder(Select);
    Value *Vector = Insert->getOperand(0), *Index = Insert->getOperand(2);
    Value *New = Insert->getOperand(1);
    Value *Old = Builder.CreateExtractElement(Vector, Index);
    if (Select->getTrueValue() != Insert)
      std::swap(New, Old);
    Value *Element = Builder.CreateSelect(Select->getCondition(), New, Old);
    Select->replaceAllUsesWith(
        Builder.CreateInsertElement(Vector, Element, Index));
    Select->eraseFromParent();
    Insert->eraseFromParent();
  }
  return true;
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
  bool Changed =
      NVPTX::usesWGMMA(*L.getHeader()->getParent()) && selectElements(L, AR.SE);
  if (AccumulatorLoop(L, AR.SE).shouldUnroll(IgnoreDisable)) {
    LLVM_DEBUG(dbgs() << "Unroll the loop over an accumulator: " << L);
    requestUnrolling(L);
    ++NumLoops;
  }
  return Changed ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}
