//===- NVPTXKeepWGMMALoops.cpp - Loops that ptxas must not unroll ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas, as of 13.0, takes what is computed from the registers of an
// accumulator before and after a wgmma for the same (see
// NVPTXSeparateWGMMAResults). In a loop
//
//   for (int I = 0; I != 4; ++I) { acc = wgmma(acc, ...); wait; acc *= scale; }
//
// there is only one such place, until ptxas unrolls it: then only the last
// multiplication is executed. The same happens to registers that have been an
// accumulator before the loop, or become one after it, if each round computes
// them anew from what the last one left in them, or, in a loop without wgmma,
// has them change places.
//
// Neither does it see that a loop retires wgmma from before the loop once it
// has unrolled that: in the first round the wait has something to wait for, in
// the others nothing. It then serializes all wgmma of the function (C7514), and
// adds a wait after the loop (C7517). Where an accumulator of the loop starts
// from another value than such a wgmma, it takes that for written while the
// wgmma of the unrolled loop are in flight (C7515).
//
// This pass asks for `.pragma "nounroll"` on loops with wgmma that compute from
// a result, or multiply by it, on loops whose rounds change registers of an
// accumulator, and on loops that are entered with wgmma in flight if they wait,
// or have accumulators that start from something else. ptxas does not always do
// as it is asked: those that are entered with wgmma in flight are then slow,
// the others wrong. So NVPTXHideLoopTests sees to it that it cannot unroll
// them, but for those that only wait, as every pipelined loop does. Runs after
// all passes that unroll in LLVM.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXKeptLoops.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-keep-wgmma-loops"

STATISTIC(NumKept, "Number of loops for wgmma that are not to be unrolled");

static bool isMultiplication(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && nvvm::getWGMMAVariant(Call->getIntrinsicID());
}

/// Whether \p I passes elements of an accumulator on as they are.
static bool passesOn(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return isMultiplication(I) ||
         (Call &&
          Call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand) ||
         isa<PHINode, ExtractValueInst, InsertValueInst, ExtractElementInst,
             InsertElementInst, ShuffleVectorInst, FreezeInst>(I);
}

/// The instructions that compute from a result of wgmma, or multiply by it.
static SmallVector<const Instruction *, 0> getReaders(const Function &F) {
  SmallVector<const Instruction *, 0> Readers, Worklist;
  SmallPtrSet<const Instruction *, 32> Seen;
  for (const Instruction &I : instructions(F))
    if (isMultiplication(I) && Seen.insert(&I).second)
      Worklist.push_back(&I);
  while (!Worklist.empty())
    for (const Use &U : Worklist.pop_back_val()->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      // A result that is a fragment of A, or metadata, is copied there.
      if (isMultiplication(*I) && U.getOperandNo() != 0)
        Readers.push_back(I);
      else if (Seen.insert(I).second)
        (passesOn(*I) ? Worklist : Readers).push_back(I);
    }
  return Readers;
}

/// Asks ptxas not to unroll \p L.
static bool askToKeep(Loop &L) {
  // Whatever its value, which addStringMetadataToLoop has be 0.
  if (findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
    return false;
  LLVM_DEBUG(dbgs() << "Keep from being unrolled: " << L);
  addStringMetadataToLoop(&L, "llvm.loop.unroll.disable");
  ++NumKept;
  return true;
}

/// The same of a loop that would be wrong if it were unrolled.
static bool keep(Loop &L) {
  if (findOptionMDForLoop(&L, NVPTX::KeptLoop))
    return false;
  askToKeep(L);
  addStringMetadataToLoop(&L, NVPTX::KeptLoop.data());
  return true;
}

//===----------------------------------------------------------------------===//
// Loops that are entered with wgmma in flight
//===----------------------------------------------------------------------===//

static bool isCommit(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() ==
                     Intrinsic::nvvm_wgmma_commit_group_sync_aligned;
}

static bool hasWait(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, NVPTX::isWGMMAWait);
  });
}

namespace {
/// What comes before something, from there backwards.
enum class Before {
  Wgmma,
  /// A wait for all, and a commit before it.
  Retired,
  /// No wgmma; a wait for all, which retires what is committed before it.
  Waited,
  Nothing
};
} // namespace

/// What comes in \p BB, at whose end \p State is known of what comes then.
static Before findBefore(const BasicBlock &BB, Before State) {
  for (const Instruction &I : reverse(BB)) {
    if (isMultiplication(I))
      return Before::Wgmma;
    if (NVPTX::isWGMMAWaitForAll(I))
      State = Before::Waited;
    else if (State == Before::Waited && isCommit(I))
      return Before::Retired;
  }
  return State;
}

/// What comes in blocks, by whether a wait for all comes behind them: many
/// loops ask for the same ones.
using KnownBefore = DenseMap<std::pair<const BasicBlock *, unsigned>, Before>;

/// Whether wgmma from before the loop may be in flight when it begins.
static bool isEnteredInFlight(const Loop &L, KnownBefore &Known) {
  SmallPtrSet<const BasicBlock *, 16> Seen[2];
  SmallVector<std::pair<const BasicBlock *, Before>, 16> Worklist;
  auto AddPredecessors = [&](const BasicBlock *BB, Before State) {
    for (const BasicBlock *Predecessor : predecessors(BB))
      if (!L.contains(Predecessor) &&
          Seen[State == Before::Waited].insert(Predecessor).second)
        Worklist.emplace_back(Predecessor, State);
  };
  AddPredecessors(L.getHeader(), Before::Nothing);
  while (!Worklist.empty()) {
    auto [BB, State] = Worklist.pop_back_val();
    auto [It, IsNew] = Known.try_emplace({BB, State == Before::Waited}, State);
    if (IsNew)
      It->second = findBefore(*BB, State);
    State = It->second;
    if (State == Before::Wgmma)
      return true;
    if (State != Before::Retired)
      AddPredecessors(BB, State);
  }
  return false;
}

/// Whether \p U is what its user, which passes elements on, takes over as its
/// value, or as a part of it.
static bool isPassedOn(const Use &U) {
  const User *I = U.getUser();
  const bool IsOfTwo =
      isa<InsertElementInst, InsertValueInst, ShuffleVectorInst>(I);
  return isa<PHINode>(I) || U.getOperandNo() < (IsOfTwo ? 2 : 1);
}

/// What \p I takes over so.
static SmallVector<const Value *, 4> getPassedOn(const Instruction &I) {
  SmallVector<const Value *, 4> Values;
  for (const Use &U : make_filter_range(I.operands(), isPassedOn))
    Values.push_back(U);
  return Values;
}

/// Whether \p V has a value that nothing has passed on.
static bool isStart(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I ? !passesOn(*I) : !isa<UndefValue>(V);
}

/// What passes on the value of a start, but by wgmma: found once for all loops,
/// since accumulators may go on from each one to the next.
static SmallPtrSet<const Value *, 32> findStarted(const Function &F) {
  SmallPtrSet<const Value *, 32> Started;
  SmallVector<const Instruction *, 0> Worklist;
  auto Add = [&](const Instruction &I) {
    if (Started.insert(&I).second)
      Worklist.push_back(&I);
  };
  auto IsAnotherName = [](const Instruction &I) {
    return passesOn(I) && !isMultiplication(I);
  };
  for (const Instruction &I : instructions(F))
    if (IsAnotherName(I) && any_of(getPassedOn(I), isStart))
      Add(I);
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    for (const Use &U : I->uses())
      if (const auto *Name = cast<Instruction>(U.getUser());
          IsAnotherName(*Name) && isPassedOn(U))
        Add(*Name);
  }
  return Started;
}

/// Whether an accumulator that \p L multiplies in starts from anything but the
/// result of a wgmma from before the loop.
static bool startsAccumulator(const Loop &L,
                              const SmallPtrSetImpl<const Value *> &Started) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return isMultiplication(I) &&
             (isStart(I.getOperand(0)) || Started.contains(I.getOperand(0)));
    });
  });
}

//===----------------------------------------------------------------------===//
// Loops whose rounds change registers of an accumulator
//===----------------------------------------------------------------------===//

/// Whether \p I leaves whole registers as they are.
static bool passesRegistersOn(const Instruction &I) {
  constexpr unsigned RegisterBits = 32;
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I) &&
      I.getOperand(0)->getType()->getScalarSizeInBits() < RegisterBits)
    return false;
  return passesOn(I) || isa<BitCastInst>(I);
}

/// What becomes a part of \p I in the same registers. Inline assembly may stand
/// for fence_operand.
static SmallVector<const Value *, 4> getSameRegisters(const Instruction &I) {
  if (isMultiplication(I))
    return {};
  if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
    return SmallVector<const Value *, 4>(Call->args());
  if (passesOn(I) || isa<BitCastInst>(I))
    return getPassedOn(I);
  return {};
}

/// The phis whose values become elements of an accumulator, or have been some,
/// or share registers with what does: of a sum that is one, the last round's.
static SmallPtrSet<const PHINode *, 16> getPhisOfElements(const Function &F) {
  SmallPtrSet<const PHINode *, 16> Phis;
  SmallPtrSet<const Instruction *, 32> Seen;
  SmallVector<const Instruction *, 0> Worklist;
  auto Add = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || isMultiplication(*I) || !Seen.insert(I).second)
      return;
    if (const auto *Phi = dyn_cast<PHINode>(I))
      Phis.insert(Phi);
    Worklist.push_back(I);
  };
  auto AddUsers = [&](const Instruction &I) {
    for (const User *U : I.users())
      if (is_contained(getSameRegisters(*cast<Instruction>(U)), &I))
        Add(U);
  };
  for (const Instruction &I : instructions(F))
    if (isMultiplication(I)) {
      Add(I.getOperand(0));
      AddUsers(I);
    }
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    AddUsers(*I);
    for (const Value *V : getSameRegisters(*I))
      Add(V);
  }
  return Phis;
}

/// Whether \p I passes elements on apart from each other.
static bool takesApart(const Instruction &I) {
  return isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             ExtractValueInst, InsertValueInst>(I);
}

/// Whether a round of \p L, which \p Phi is a value of, computes its next one;
/// or, unless they \p MayMove, has elements change places.
static bool isChangedInRounds(const PHINode &Phi, const Loop &L, bool MayMove) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 0> Worklist;
  bool IsTakenApart = false;
  for (auto [Value, Block] : zip_equal(Phi.incoming_values(), Phi.blocks()))
    if (L.contains(Block))
      Worklist.push_back(Value);
  while (!Worklist.empty()) {
    const auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || isMultiplication(*I) || !Seen.insert(I).second)
      continue;
    if (I == &Phi)
      continue;
    bool IsOtherOfRound = isa<PHINode>(I) && I->getParent() == L.getHeader();
    if (!passesRegistersOn(*I) || (IsOtherOfRound && !MayMove))
      return true;
    IsTakenApart |= takesApart(*I);
    append_range(Worklist, getPassedOn(*I));
  }
  return IsTakenApart && !MayMove && Seen.contains(&Phi);
}

static bool keepLoops(Function &F, const LoopInfo &LI) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  SmallPtrSet<Loop *, 8> WithWGMMA;
  for (const Instruction &I : instructions(F))
    if (isMultiplication(I))
      for (Loop *L = LI.getLoopFor(I.getParent()); L; L = L->getParentLoop())
        WithWGMMA.insert(L);
  bool Changed = false;
  for (const Instruction *I : getReaders(F))
    for (Loop *L = LI.getLoopFor(I->getParent()); L; L = L->getParentLoop())
      if (WithWGMMA.contains(L))
        Changed |= keep(*L);
  // Where there are wgmma in the loop, what reads the elements is a reader.
  for (const PHINode *Phi : getPhisOfElements(F))
    if (Loop *L = LI.getLoopFor(Phi->getParent());
        L && L->getHeader() == Phi->getParent() &&
        isChangedInRounds(*Phi, *L, /*MayMove=*/WithWGMMA.contains(L)))
      Changed |= keep(*L);
  const SmallPtrSet<const Value *, 32> Started = findStarted(F);
  KnownBefore Known;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!isEnteredInFlight(*L, Known))
      continue;
    if (startsAccumulator(*L, Started))
      Changed |= keep(*L);
    else if (hasWait(*L))
      Changed |= askToKeep(*L);
  }
  return Changed;
}

namespace {
class NVPTXKeepWGMMALoopsLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXKeepWGMMALoopsLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Keep WGMMA Loops"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<LoopInfoWrapperPass>();
    AU.setPreservesAll();
  }

  bool runOnFunction(Function &F) override {
    return keepLoops(F, getAnalysis<LoopInfoWrapperPass>().getLoopInfo());
  }
};
} // namespace

char NVPTXKeepWGMMALoopsLegacyPass::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXKeepWGMMALoopsLegacyPass, DEBUG_TYPE,
                      "NVPTX Keep WGMMA Loops", false, false)
INITIALIZE_PASS_DEPENDENCY(LoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXKeepWGMMALoopsLegacyPass, DEBUG_TYPE,
                    "NVPTX Keep WGMMA Loops", false, false)

FunctionPass *llvm::createNVPTXKeepWGMMALoopsPass() {
  return new NVPTXKeepWGMMALoopsLegacyPass();
}

PreservedAnalyses NVPTXKeepWGMMALoopsPass::run(Function &F,
                                               FunctionAnalysisManager &AM) {
  keepLoops(F, AM.getResult<LoopAnalysis>(F));
  // Metadata is all that changes.
  return PreservedAnalyses::all();
}
