//===- NVPTXTieWGMMAResults.cpp - Results behind their wait ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs with wgmma in inline assembly read a result behind a wait, and
// mostly have nothing that ties it to that:
//
//   int Sum[64] = {};
//   for (I = 0; I < N; ++I) { Sum = wgmma(Sum, ...); commit; wait 1; ... }
//   wait 0;
//   Out = float(Sum) * Scale;
//
// Where the wait stands, Sum is a phi: zero if there was no round. InstCombine
// computes what folds with that in the blocks that the phi has its values from:
// float(Sum) in each round, while the wgmma is in flight. That breaks the
// protocol, which the program does not, and has each round wait for all.
//
// So before InstCombine comes to what is behind a wait for all, such phis go on
// as llvm.nvvm.wgmma.fence_operand there.
//
// So do results that go round in a loop which waits on a condition, and reads
// them there:
//
//   for (I = 0; I < N; ++I) {
//     Part = wgmma(Part, ..., C != 0); commit;
//     if (++C == 4) { wait 0; Sum += Part; C = 0; }
//   }
//
// What reads them may be speculated ahead of the condition, and keeps them in
// registers of their own besides, which are copied in flight. Other results
// stay where they are: nothing moves what reads them.
//
//===----------------------------------------------------------------------===//

#include "NVPTXTieWGMMAResults.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/InstCombine/InstCombiner.h"

using namespace llvm;

/// A result has come through a few phis and vectors by then.
static constexpr unsigned MaxValues = 32;
/// How many blocks ahead of the wait paths may have met.
static constexpr unsigned MaxBlocks = 16;

/// Whether fence_operand takes values of type \p Ty.
static bool isFenceOperandType(const Type &Ty) {
  const Type *Element = Ty.getScalarType();
  return Element->isFloatTy() || Element->isIntegerTy(32);
}

/// Whether \p Phi has a result of wgmma, or a part of one, on some path.
static bool hasResult(PHINode &Phi) {
  SmallSetVector<Instruction *, 16> Values;
  Values.insert(&Phi);
  for (unsigned N = 0; N != Values.size() && N != MaxValues; ++N) {
    Instruction *I = Values[N];
    if (NVPTX::isWGMMA(*I))
      return true;
    auto Add = [&Values](Value *V) {
      if (auto *Source = dyn_cast<Instruction>(V))
        Values.insert(Source);
    };
    if (isa<PHINode>(I))
      for_each(I->operand_values(), Add);
    else if (isa<ExtractElementInst, BitCastInst>(I))
      Add(I->getOperand(0));
    // All elements come from one, mostly.
    else if (isa<InsertElementInst>(I))
      Add(I->getOperand(1));
  }
  return false;
}

/// Whether InstCombine may compute of what \p Phi has its value from.
static bool mayFold(PHINode &Phi) {
  return isFenceOperandType(*Phi.getType()) &&
         any_of(Phi.incoming_values(), IsaPred<Constant>) && hasResult(Phi);
}

/// Whether InstCombine may compute what \p U is for: no wgmma, and no
/// fence_operand, which ties it already.
static bool isUntied(const Use &U) {
  const auto *Call = dyn_cast<IntrinsicInst>(U.getUser());
  return !Call ||
         (Call->getIntrinsicID() != Intrinsic::nvvm_wgmma_fence_operand &&
          !NVPTX::isWGMMA(*Call));
}

/// Has what needs \p Result behind \p Wait need it through fence_operand.
/// Returns whether anything does.
static bool tie(Instruction &Result, InstCombiner &IC, IntrinsicInst &Wait) {
  const DominatorTree &DT = IC.getDominatorTree();
  auto IsBehind = [&](const Use &U) {
    return isUntied(U) && DT.dominates(&Wait, U);
  };
  if (none_of(Result.uses(), IsBehind))
    return false;
  IC.Builder.SetInsertPoint(Wait.getNextNode());
  Value *Tied = IC.Builder.CreateIntrinsic(Intrinsic::nvvm_wgmma_fence_operand,
                                           {Result.getType()}, {&Result});
  Result.replaceUsesWithIf(Tied, IsBehind);
  return true;
}

static bool tiePhis(BasicBlock &BB, InstCombiner &IC, IntrinsicInst &Wait) {
  bool Changed = false;
  for (PHINode &Phi : BB.phis())
    if (mayFold(Phi))
      Changed |= tie(Phi, IC, Wait);
  return Changed;
}

/// Whether \p I is an element of the result of a wgmma, which something else
/// than what is behind a wait may need.
static bool isElementOfResult(const Instruction &I) {
  const auto *Product = isa<ExtractElementInst>(I)
                            ? dyn_cast<Instruction>(I.getOperand(0))
                            : nullptr;
  return Product && NVPTX::isWGMMA(*Product) &&
         isFenceOperandType(*I.getType());
}

/// Whether a round of \p L may go on from \p From without \p BB.
static bool isAvoidable(const BasicBlock &BB, const BasicBlock &From,
                        const Loop &L) {
  SmallSetVector<const BasicBlock *, 16> Reached;
  Reached.insert_range(successors(&From));
  for (unsigned N = 0; N != Reached.size(); ++N) {
    if (Reached[N] == &BB)
      continue;
    if (Reached[N] == L.getHeader() || !L.contains(Reached[N]))
      return true;
    Reached.insert_range(successors(Reached[N]));
  }
  return false;
}

static bool tieElements(BasicBlock &BB, InstCombiner &IC, IntrinsicInst &Wait) {
  bool Changed = false;
  for (Instruction &I : BB)
    if (isElementOfResult(I) && !I.hasOneUse())
      Changed |= tie(I, IC, Wait);
  return Changed;
}

bool NVPTX::tieWGMMAResults(InstCombiner &IC, IntrinsicInst &Wait) {
  if (!isWGMMAWaitForAll(Wait))
    return false;
  bool Changed = false;
  const LoopInfo Loops(IC.getDominatorTree());
  const Loop *Around = Loops.getLoopFor(Wait.getParent());
  const DomTreeNode *Node = IC.getDominatorTree().getNode(Wait.getParent());
  for (unsigned I = 0; Node && I != MaxBlocks; ++I, Node = Node->getIDom()) {
    BasicBlock &BB = *Node->getBlock();
    Changed |= tiePhis(BB, IC, Wait);
    if (I && Around && Loops.getLoopFor(&BB) == Around &&
        isAvoidable(*Wait.getParent(), BB, *Around))
      Changed |= tieElements(BB, IC, Wait);
  }
  return Changed;
}
