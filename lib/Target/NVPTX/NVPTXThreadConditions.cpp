//===- NVPTXThreadConditions.cpp - Which threads come to a block ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXThreadConditions.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned MaxThreads = 1024, WarpSize = 32;
/// How many operations deep conditions are looked at.
static constexpr unsigned MaxDepth = 12;

/// Whether the threads of a warp may differ in more than threadIdx.x, since a
/// block has more dimensions.
static bool hasMoreDimensions(const Function &F) {
  auto IsMore = [](unsigned Size) { return Size != 1; };
  SmallVector<unsigned, 3> Required = NVPTX::getBlockSizes(F, "nvvm.reqntid");
  if (Required.size() > 1 && any_of(drop_begin(Required), IsMore))
    return true;
  return any_of(instructions(F), [](const Instruction &I) {
    return match(&I, m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_tid_y>()) ||
           match(&I, m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_tid_z>());
  });
}

static unsigned getNumThreads(const Function &F) {
  if (hasMoreDimensions(F))
    return 0;
  unsigned Num = MaxThreads;
  for (StringRef Attribute : {"nvvm.reqntid", "nvvm.maxntid"})
    if (SmallVector<unsigned, 3> Sizes = NVPTX::getBlockSizes(F, Attribute);
        !Sizes.empty())
      Num = std::min(Num, product_of(Sizes));
  return Num;
}

ThreadConditions::ThreadConditions(const Function &F, const DominatorTree &DT)
    : F(F), DT(DT), NumThreads(getNumThreads(F)) {}

const ThreadConditions::Values &ThreadConditions::evaluate(const Value *V,
                                                           unsigned Depth) {
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  Values Computed = computeValues(V, Depth);
  return Known[V] = std::move(Computed);
}

/// Whether \p I tells whether elect.sync has elected this thread.
static bool isElected(const Instruction &I) {
  const auto *Extract = dyn_cast<ExtractValueInst>(&I);
  return Extract && Extract->getIndices().front() == 1 &&
         match(Extract->getAggregateOperand(),
               m_Intrinsic<Intrinsic::nvvm_elect_sync>());
}

ThreadConditions::Values ThreadConditions::computeValues(const Value *V,
                                                         unsigned Depth) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return Values(NumThreads, const_cast<ConstantInt *>(C));
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth || !I->getType()->isIntegerTy())
    return {};
  if (const auto *Call = dyn_cast<IntrinsicInst>(I)) {
    auto MakeForThreads = [&](unsigned Modulus) {
      Values Result;
      for (unsigned Thread = 0; Thread != NumThreads; ++Thread)
        Result.push_back(ConstantInt::get(I->getType(), Thread % Modulus));
      return Result;
    };
    switch (Call->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return MakeForThreads(MaxThreads);
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return MakeForThreads(WarpSize);
    case Intrinsic::nvvm_shfl_sync_idx_i32:
      return readOtherLane(*I, Depth);
    default:
      break;
    }
  }
  if (isElected(*I))
    return getElected(I->getContext());
  return foldOperation(*I, Depth);
}

/// One thread of each warp is elected. PTX does not say which: the first one
/// stands for it.
ThreadConditions::Values ThreadConditions::getElected(LLVMContext &Context) {
  Values Result;
  for (unsigned Thread = 0; Thread != NumThreads; ++Thread)
    Result.push_back(ConstantInt::getBool(Context, Thread % WarpSize == 0));
  return Result;
}

/// What an operation without side effects makes of operands that are known.
ThreadConditions::Values ThreadConditions::foldOperation(const Instruction &I,
                                                         unsigned Depth) {
  if (isa<PHINode>(I) || I.mayReadOrWriteMemory() || I.getNumOperands() == 0)
    return {};
  SmallVector<Values, 3> Operands;
  for (const Value *Operand : I.operand_values()) {
    if (isa<Function>(Operand))
      return {};
    Operands.push_back(evaluate(Operand, Depth + 1));
    if (Operands.back().empty())
      return {};
  }
  Values Result;
  for (unsigned Thread = 0; Thread != NumThreads; ++Thread) {
    SmallVector<Constant *, 3> OfThread;
    for (const Values &Operand : Operands)
      OfThread.push_back(Operand[Thread]);
    Result.push_back(
        is_contained(OfThread, nullptr)
            ? nullptr
            : ConstantFoldInstOperands(const_cast<Instruction *>(&I), OfThread,
                                       F.getDataLayout()));
  }
  return Result;
}

/// What __shfl_sync of a whole warp returns, as it is used to tell that the
/// number of a warp is the same for all of its threads.
ThreadConditions::Values
ThreadConditions::readOtherLane(const Instruction &Shuffle, unsigned Depth) {
  uint64_t Lane;
  if (!match(&Shuffle, m_Intrinsic<Intrinsic::nvvm_shfl_sync_idx_i32>(
                           m_Value(), m_Value(), m_ConstantInt(Lane),
                           m_SpecificInt(WarpSize - 1))))
    return {};
  Values Source = evaluate(Shuffle.getOperand(1), Depth + 1);
  if (Source.empty())
    return {};
  Values Result;
  for (unsigned Thread = 0; Thread != NumThreads; ++Thread) {
    unsigned Other = Thread / WarpSize * WarpSize + Lane % WarpSize;
    Result.push_back(Other < NumThreads ? Source[Other] : nullptr);
  }
  return Result;
}

/// Excludes the threads for which \p Condition is known not to be \p Is.
void ThreadConditions::excludeUnless(const Value *Condition, bool Is,
                                     BitVector &Threads) {
  const Value *A, *B;
  if (match(Condition, m_Not(m_Value(A))))
    return excludeUnless(A, !Is, Threads);
  if (Is ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
         : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    excludeUnless(A, Is, Threads);
    return excludeUnless(B, Is, Threads);
  }
  for (auto [Thread, Value] : enumerate(evaluate(Condition)))
    if (const auto *Known = dyn_cast_or_null<ConstantInt>(Value);
        Known && Known->isOne() != Is)
      Threads.reset(Thread);
}

/// Excludes the threads that do not go from \p From to \p To.
void ThreadConditions::excludeByBranch(const BasicBlock &From,
                                       const BasicBlock &To,
                                       BitVector &Threads) {
  const Instruction *Terminator = From.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(Terminator))
    return excludeUnless(Branch->getCondition(), Branch->getSuccessor(0) == &To,
                         Threads);
  const auto *Switch = dyn_cast<SwitchInst>(Terminator);
  if (!Switch)
    return;
  for (auto [Thread, Value] : enumerate(evaluate(Switch->getCondition())))
    if (const auto *Known = dyn_cast_or_null<ConstantInt>(Value);
        Known && Switch->findCaseValue(Known)->getCaseSuccessor() != &To)
      Threads.reset(Thread);
}

BitVector ThreadConditions::getThreadsAt(const BasicBlock &BB) {
  BitVector Threads(NumThreads, true);
  if (NumThreads == 0)
    return Threads;
  // A way that leads to all that is below leads to a block's child in the tree.
  const DomTreeNode *Child = DT.getNode(&BB);
  for (; Child && Child->getIDom(); Child = Child->getIDom()) {
    const BasicBlock *From = Child->getIDom()->getBlock(),
                     *To = Child->getBlock();
    if (succ_size(From) > 1 && is_contained(successors(From), To) &&
        DT.dominates(BasicBlockEdge(From, To), &BB))
      excludeByBranch(*From, *To, Threads);
  }
  return Threads;
}
