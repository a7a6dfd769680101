//===- NVPTXMergeHalves.cpp - Two halves of a register become one ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An f16 accumulator of wgmma.mma_async has two halves in each 32-bit register.
// Programs keep it as an array of halves, though, and give the registers to the
// instruction by reinterpreting the array. SROA makes single halves of that,
// and InstCombine fetches each from the accumulator as soon as it is defined.
// So loops carry single halves round, take the registers apart in front of the
// wait, where nothing may touch them, and put them together again:
//
//   loop:
//     %lo = phi half [0, ...], [%lo2, ...]
//     %hi = phi half [0, ...], [%hi2, ...]
//     %r = %hi << 16 | %lo
//     %r2 = wgmma(%r)
//     %lo2 = trunc %r2
//     %hi2 = trunc (%r2 >> 16)
//     wait
//
// which becomes
//
//   loop:
//     %r = phi i32 [0, ...], [%r2, ...]
//     %r2 = wgmma(%r)
//     wait
//
// This pass merges the pairs of halves back into registers, in functions that
// use wgmma. It works on lanes: 16 bits of a value, from some multiple of 16
// on. Looking through all that only moves bits (shifts, masks, extensions, bit
// casts, elements of vectors and of structs) leads from a lane to one of a
// value that computes them. A 32-bit value that is put together, the root, is a
// pair of lanes (NVPTXHalfPairs.h). The pairs that a root leads to form a
// graph, which may have cycles. Where it leads to a Register, the root is
// replaced by the merged value (NVPTXHalfBuilder.h). A Pack comes to where it
// is needed, for instance to an edge into a loop.
//
// What is computed of both halves alike, as by d[i] *= scale, is computed of
// the register, for which PTX has the same instructions
// (NVPTXHalfOperations.h).
//
// What is stored by pairs of registers, as by uint2, SROA makes integers of 64
// bits of, which a loop then carries round: they are put together of two
// registers of an accumulator in flight. A phi of such is split into two, and
// put together where it is used.
//
// Halves that were computed otherwise, as those of A often are, are put
// together by extensions, a shift and an `or`, an instruction each. The root is
// replaced by a Pack, too, which is one instruction at most. So are halves of
// two registers of results, of which prmt.b32 takes them
// (NVPTXTakeResultHalves).
//
// The halves of merged phis that are left, those that an epilogue reads, are
// then extracted where they are used, that is, after the wait, and so are the
// halves of the registers that a wgmma or inline assembly defines.
//
// Invariants:
// - A merged value has in each lane what the lane had, or is less undefined. A
//   half that may be poison is frozen when it is packed, for it must not spread
//   to the other half; poison in a register was in both of its lanes before.
// - No instruction with side effects is added, moved or removed, but for the
//   fence_operands of pairs that are taken apart.
//
// Known weaknesses: memory is not looked at, so that halves that stay in a
// local array are not merged. Integers of more than 64 bits are taken for
// registers. What a half goes through besides ends the search.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXHalfAsm.h"
#include "NVPTXHalfBuilder.h"
#include "NVPTXHalfOperations.h"
#include "NVPTXHalfPairs.h"
#include "NVPTXLanes.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>
#include <optional>

using namespace llvm;
using namespace llvm::lanes;
using namespace PatternMatch;

#define DEBUG_TYPE "nvptx-merge-halves"

STATISTIC(NumRoots, "Number of packed registers replaced");
STATISTIC(NumPhis, "Number of phis of registers made from phis of halves");
STATISTIC(NumOperations, "Number of operations of registers made from halves'");
STATISTIC(NumSplit, "Number of pairs of registers taken apart");
STATISTIC(NumExtractions, "Number of halves extracted where they are used");

namespace {
class HalfMerger {
public:
  HalfMerger(Function &F, const DominatorTree &DT, const LoopInfo &LI)
      : F(F), DT(DT), LI(LI), Finder(F.getContext()), Graph(F, DT, Finder),
        Builder(F.getContext()) {}

  bool run();

private:
  /// A value that is put together of registers' halves, with a pair for each
  /// of its registers.
  struct Root {
    Instruction *I;
    SmallVector<Pair *, 1> Registers;
  };

  void findRoots();
  void findPhiRoots();
  bool replaceRoot(Root &R);
  void mergePhis();
  void extractAtUses();
  void extractAtUse(Use &U, Lane L);
  bool isExtractedTooEarly(const Instruction &Half, const Value *Register,
                           const Use &U) const;
  void numberCalls();
  void removeDeadCode();

  Function &F;
  const DominatorTree &DT;
  const LoopInfo &LI;
  LaneFinder Finder;
  PairGraph Graph;
  PairBuilder Builder;
  SmallVector<Root, 32> Roots;
  /// Pairs of phis that no root of a register leads to.
  SmallVector<Pair *, 32> PhiRoots;
  /// The phis and operations that lanes of such were merged into.
  DenseMap<std::pair<Value *, unsigned>, std::pair<Instruction *, unsigned>>
      MergedLanes;
  /// How many calls of wgmma or inline assembly precede an instruction in its
  /// block.
  DenseMap<const Instruction *, unsigned> CallsBefore;
  bool Changed = false;
};
} // namespace

/// Whether \p I may be what puts a register together, or several.
static bool mayPack(const Instruction &I) {
  const Type *Ty = I.getType();
  if (const auto *Cast = dyn_cast<BitCastInst>(&I))
    return Cast->getSrcTy()->isVectorTy() &&
           Cast->getSrcTy()->getScalarSizeInBits() == LaneBits &&
           getBits(Ty->getScalarType()) == 2 * LaneBits;
  if (getBits(Ty) != 2 * LaneBits)
    return false;
  if (const auto *II = dyn_cast<IntrinsicInst>(&I))
    return II->getIntrinsicID() == Intrinsic::fshl ||
           II->getIntrinsicID() == Intrinsic::fshr;
  // Of a chain of insertions, the last.
  if (isa<InsertElementInst>(I))
    return any_of(I.uses(), [](const Use &U) {
      return !isa<InsertElementInst>(U.getUser()) || U.getOperandNo() != 0;
    });
  return I.getOpcode() == Instruction::Or || isa<ShuffleVectorInst>(I);
}

void HalfMerger::findRoots() {
  for (Instruction &I : instructions(F)) {
    if (!mayPack(I) || !DT.isReachableFromEntry(I.getParent()))
      continue;
    Root R = {&I, {}};
    for (unsigned Bit = 0, E = getBits(I.getType()); Bit != E;
         Bit += 2 * LaneBits)
      R.Registers.push_back(
          Graph.get(Finder.find(&I, Bit), Finder.find(&I, Bit + LaneBits)));
    Roots.push_back(std::move(R));
  }
}

/// A register whose halves leave a block on the same edge and are not put
/// together again, but read by an epilogue, say, is better extracted there.
void HalfMerger::findPhiRoots() {
  using Origin = std::pair<std::pair<Value *, unsigned>, BasicBlock *>;
  for (BasicBlock &Block : F) {
    if (!DT.isReachableFromEntry(&Block))
      continue;
    MapVector<Origin, PHINode *> Halves;
    for (PHINode &Phi : Block.phis())
      if (getBits(Phi.getType()) == LaneBits)
        for (auto [Incoming, Pred] : zip(Phi.incoming_values(), Phi.blocks()))
          Halves.insert({{Finder.find(Incoming, 0).getKey(), Pred}, &Phi});
    for (auto &[From, Phi] : Halves) {
      auto [Half, Pred] = From;
      std::optional<Lane> Partner = Graph.getPartner({Half.first, Half.second});
      if (!Partner)
        continue;
      auto Other = Halves.find({Partner->getKey(), Pred});
      if (Other != Halves.end())
        PhiRoots.push_back(Graph.get({Phi, 0}, {Other->second, 0}));
    }
  }
}

/// Whether \p L is at bit \p Offset of a register, where masks leave it.
static bool isInPlace(Lane L, unsigned Offset) {
  return getBits(L.V->getType()) >= 2 * LaneBits &&
         L.Offset % (2 * LaneBits) == Offset;
}

/// Whether \p I puts \p P together by arithmetic, where a pack is shorter. Of
/// halves that need not be shifted it is not.
static bool isPackedByArithmetic(const Instruction &I, const Pair &P) {
  return I.getOpcode() == Instruction::Or && I.getType()->isIntegerTy() &&
         !P.Lo.isConstant() && !P.Hi.isConstant() &&
         !(isInPlace(P.Lo, 0) && isInPlace(P.Hi, LaneBits));
}

bool HalfMerger::replaceRoot(Root &R) {
  Instruction &I = *R.I;
  auto IsMerged = [&](const Pair *P) {
    return (P->LeadsToRegister || isPackedByArithmetic(I, *P) ||
            isOfResults(*P)) &&
           P->Lo.V != &I && P->Hi.V != &I;
  };
  if (none_of(R.Registers, IsMerged))
    return false;
  LLVM_DEBUG(dbgs() << "Merging the halves of " << I << '\n');
  Type *Ty = I.getType();
  IRBuilder<> B(&I);
  Value *New;
  if (R.Registers.size() == 1) {
    New = B.CreateBitCast(Builder.build(*R.Registers[0], &I), Ty);
  } else {
    // What is not merged is taken from a copy of the bit cast.
    New = PoisonValue::get(Ty);
    if (!all_of(R.Registers, IsMerged))
      New = B.Insert(I.clone());
    for (auto [Index, P] : enumerate(R.Registers))
      if (IsMerged(P))
        New = B.CreateInsertElement(
            New, B.CreateBitCast(Builder.build(*P, &I), Ty->getScalarType()),
            Index);
  }
  I.replaceAllUsesWith(New);
  ++NumRoots;
  return true;
}

void HalfMerger::mergePhis() {
  for (Pair *P : PhiRoots)
    if (P->LeadsToRegister && !P->LeadsToPack) {
      Builder.build(*P, P->Anchor);
      Changed = true;
    }
  Builder.finish();
  NumPhis += Builder.getPhis().size();
  NumOperations += Builder.getOperations().size();
  for (Pair *P :
       concat<Pair *const>(Builder.getPhis(), Builder.getOperations()))
    for (auto [L, Index] : {std::pair(P->Lo, 0u), std::pair(P->Hi, 1u)}) {
      auto *I = dyn_cast<Instruction>(L.V);
      if (I && I->getOpcode() == P->Anchor->getOpcode() &&
          I->getParent() == P->Anchor->getParent())
        MergedLanes.try_emplace(L.getKey(), P->Merged, Index);
    }
}

void HalfMerger::numberCalls() {
  for (BasicBlock &Block : F) {
    unsigned Calls = 0;
    for (Instruction &I : Block) {
      CallsBefore[&I] = Calls;
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls += NVPTX::isWGMMAOrAsm(*Call);
    }
  }
}

/// Whether \p Half, a lane of \p Register, is extracted before a call that may
/// wait for the register, and used at \p U, after it.
bool HalfMerger::isExtractedTooEarly(const Instruction &Half,
                                     const Value *Register,
                                     const Use &U) const {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  const Instruction *At =
      Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
  const BasicBlock *Block = At->getParent();
  if (Block != Half.getParent()) {
    // Not into a loop, to be executed again and again.
    const Loop *L = LI.getLoopFor(Block);
    return !L || L->contains(&Half);
  }
  for (const Value *V = &Half; V != Register;) {
    auto *I = cast<Instruction>(V);
    if (I->getParent() != Block ||
        CallsBefore.lookup(I) != CallsBefore.lookup(At))
      return true;
    // Nothing that only the pass sees through.
    if (!isa<ExtractElementInst, BitCastInst, TruncInst>(I))
      return true;
    V = I->getOperand(0);
  }
  return false;
}

void HalfMerger::extractAtUses() {
  numberCalls();
  // The halves, that is, values of 16 bits, and where each comes from.
  MapVector<Instruction *, Lane> Halves;
  for (Instruction &I : instructions(F))
    if (getBits(I.getType()) == LaneBits &&
        DT.isReachableFromEntry(I.getParent()))
      Halves[&I] = Finder.find(&I, 0);

  // Nothing is inserted as long as it is asked what comes first in a block.
  SmallVector<std::pair<Use *, Lane>, 0> Extractions;
  for (auto &[Half, L] : Halves) {
    auto Merged = MergedLanes.find(L.getKey());
    bool IsMerged = Merged != MergedLanes.end();
    if (!IsMerged && !isWGMMALane(L))
      continue;
    for (Use &U : Half->uses()) {
      // A copy of the half; its uses will be seen, too.
      auto *User = cast<Instruction>(U.getUser());
      if (auto It = Halves.find(User); It != Halves.end() && It->second == L)
        continue;
      if (IsMerged && DT.dominates(Merged->second.first, U))
        Extractions.emplace_back(
            &U, Lane{Merged->second.first, Merged->second.second * LaneBits});
      else if (!IsMerged && isExtractedTooEarly(*Half, L.V, U))
        Extractions.emplace_back(&U, L);
    }
  }
  for (auto [U, L] : Extractions)
    extractAtUse(*U, L);
}

void HalfMerger::extractAtUse(Use &U, Lane L) {
  auto *Phi = dyn_cast<PHINode>(U.getUser());
  BasicBlock *Pred = Phi ? Phi->getIncomingBlock(U) : nullptr;
  IRBuilder<> B(Phi ? Pred->getTerminator() : cast<Instruction>(U.getUser()));
  Value *Register = L.V;
  unsigned Index = L.Offset / LaneBits;
  if (std::optional<unsigned> Bits = getElementBits(Register->getType())) {
    Register = B.CreateExtractElement(Register, L.Offset / *Bits);
    Index = L.Offset % *Bits / LaneBits;
  }
  Value *Half = extractHalf(Register, Index, U->getType(), B);
  // Several edges from one block have the same value.
  if (Phi)
    Phi->setIncomingValueForBlock(Pred, Half);
  else
    U.set(Half);
  ++NumExtractions;
  Changed = true;
}

/// Whether \p I is to be kept though nothing needs its result. LLVM does not
/// know that inline assembly returns.
static bool hasEffect(Instruction &I) {
  return !wouldInstructionBeTriviallyDead(&I) && !HalfOperation::get(I);
}

/// What nothing with an effect needs, cycles of phis included.
void HalfMerger::removeDeadCode() {
  SmallPtrSet<Instruction *, 32> Live;
  SmallVector<Instruction *, 32> Worklist;
  for (Instruction &I : instructions(F))
    if (hasEffect(I) && Live.insert(&I).second)
      Worklist.push_back(&I);
  while (!Worklist.empty())
    for (Value *Op : Worklist.pop_back_val()->operands())
      if (auto *I = dyn_cast<Instruction>(Op); I && Live.insert(I).second)
        Worklist.push_back(I);
  SmallVector<Instruction *, 32> Dead;
  for (Instruction &I : instructions(F))
    if (!Live.contains(&I))
      Dead.push_back(&I);
  for (Instruction *I : Dead) {
    salvageDebugInfo(*I);
    I->dropAllReferences();
  }
  for (Instruction *I : Dead)
    I->eraseFromParent();
}

namespace {
/// Takes apart what is made of two registers of an accumulator, and the phis
/// that it goes into.
class PairSplitter {
public:
  explicit PairSplitter(Function &F)
      : F(F), Int32(Type::getInt32Ty(F.getContext())) {}

  bool run();

private:
  /// The lower and the upper register of a value of 64 bits.
  using Registers = std::array<Value *, 2>;

  void collect();
  Registers split(Value *V, IRBuilder<> &B) const;
  void addIncoming(PHINode &Phi, const Registers &Parts) const;
  void replaceUse(Use &U, const Registers &Parts) const;

  Function &F;
  Type *Int32;
  SetVector<Instruction *> Pairs;
  DenseMap<const PHINode *, Registers> PhisOf;
};
} // namespace

/// Matches what is put together of the registers \p Lo and \p Hi.
static bool matchPair(Value *V, Value *&Lo, Value *&Hi) {
  return match(V, m_c_Or(m_ZExt(m_Value(Lo)),
                         m_Shl(m_ZExt(m_Value(Hi)), m_SpecificInt(32)))) &&
         Lo->getType()->isIntegerTy(32) && Hi->getType()->isIntegerTy(32);
}

/// Matches an element, or the only one, of registers that are taken by pairs.
static bool matchPairOfVector(Value *V, Value *&Vector, uint64_t &Index) {
  Index = 0;
  if (!match(V, m_BitCast(m_Value(Vector))) &&
      !match(V, m_ExtractElt(m_BitCast(m_Value(Vector)), m_ConstantInt(Index))))
    return false;
  const auto *Ty = dyn_cast<FixedVectorType>(Vector->getType());
  return Ty && Ty->getElementType()->isIntegerTy(32) &&
         2 * Index + 1 < Ty->getNumElements();
}

/// Matches what takes the upper register of a pair.
static bool takesUpper(const Use &U) {
  return U.getOperandNo() == 0 &&
         match(U.getUser(), m_LShr(m_Value(), m_SpecificInt(32)));
}

static bool takesLower(const User *U) {
  return isa<TruncInst>(U) && U->getType()->isIntegerTy(32);
}

/// Whether \p I is a pair of registers of accumulators. One that is put
/// together here is none unless it goes on, or is taken apart.
static bool isOfAccumulators(Instruction &I) {
  Value *Lo, *Hi, *Vector;
  uint64_t Index;
  if (!matchPair(&I, Lo, Hi))
    return matchPairOfVector(&I, Vector, Index) &&
           NVPTX::isWGMMARegister(Vector);
  return any_of(I.uses(),
                [](const Use &U) {
                  return isa<PHINode>(U.getUser()) || takesUpper(U) ||
                         takesLower(U.getUser());
                }) &&
         (NVPTX::isPartOfAccumulator(Lo) || NVPTX::isPartOfAccumulator(Hi));
}

void PairSplitter::collect() {
  for (Instruction &I : instructions(F))
    if (I.getType()->isIntegerTy(64) && isOfAccumulators(I))
      Pairs.insert(&I);
  for (unsigned Index = 0; Index != Pairs.size(); ++Index)
    for (User *U : Pairs[Index]->users())
      if (auto *Phi = dyn_cast<PHINode>(U))
        Pairs.insert(Phi);
}

/// An element of \p Vector, right where that is defined: the one that is taken
/// there already, or another copy would go on.
static Value *getElement(Value *Vector, uint64_t Index, IRBuilder<> &B) {
  auto *Def = dyn_cast<Instruction>(Vector);
  if (!Def)
    return B.CreateExtractElement(Vector, Index);
  if (std::optional<BasicBlock::iterator> After =
          Def->getInsertionPointAfterDef())
    B.SetInsertPoint(*After);
  for (User *U : Def->users())
    if (auto *Element = cast<Instruction>(U);
        match(U, m_ExtractElt(m_Specific(Vector), m_SpecificInt(Index))) &&
        Element->getParent() == Def->getParent()) {
      // What needs it may come ahead of it.
      if (Element->getIterator() != B.GetInsertPoint())
        Element->moveBefore(B.GetInsertPoint());
      return Element;
    }
  return B.CreateExtractElement(Vector, Index);
}

PairSplitter::Registers PairSplitter::split(Value *V, IRBuilder<> &B) const {
  if (auto *Phi = dyn_cast<PHINode>(V))
    if (auto It = PhisOf.find(Phi); It != PhisOf.end())
      return It->second;
  Value *Lo, *Hi, *Vector;
  uint64_t Index;
  if (matchPair(V, Lo, Hi))
    return {Lo, Hi};
  if (matchPairOfVector(V, Vector, Index))
    return {getElement(Vector, 2 * Index, B),
            getElement(Vector, 2 * Index + 1, B)};
  return {B.CreateTrunc(V, Int32), B.CreateTrunc(B.CreateLShr(V, 32), Int32)};
}

/// Has what uses a pair use its \p Parts, which are put together there unless
/// one alone is needed.
void PairSplitter::replaceUse(Use &U, const Registers &Parts) const {
  auto *User = cast<Instruction>(U.getUser());
  if (takesLower(User)) {
    User->replaceAllUsesWith(Parts[0]);
    return;
  }
  if (takesUpper(U)) {
    for (llvm::User *Part : make_early_inc_range(User->users()))
      if (takesLower(Part))
        Part->replaceAllUsesWith(Parts[1]);
    if (all_of(User->users(), [&](const llvm::User *Part) {
          return takesLower(Part) && Part->use_empty();
        }))
      return;
  }
  // All of an accumulator is to be read at one place, behind the wait.
  Instruction *At = User;
  for (Instruction &I :
       make_range(User->getReverseIterator(), User->getParent()->rend())) {
    const bool IsWait = NVPTX::isWGMMAWait(I);
    if (IsWait)
      At = I.getNextNode();
    if (IsWait || is_contained(Parts, &I))
      break;
  }
  IRBuilder<> B(At);
  auto Keep = [&](Value *Part) {
    return B.CreateIntrinsic(Intrinsic::nvvm_wgmma_fence_operand, {Int32},
                             {Part});
  };
  Value *Lo = Keep(Parts[0]), *Hi = Keep(Parts[1]);
  B.SetInsertPoint(User);
  Hi = B.CreateShl(B.CreateZExt(Hi, B.getInt64Ty()), 32);
  U.set(B.CreateOr(B.CreateZExt(Lo, B.getInt64Ty()), Hi));
}

void PairSplitter::addIncoming(PHINode &Phi, const Registers &Parts) const {
  // The same block may come more than once, always with the same value.
  SmallDenseMap<BasicBlock *, Registers> IncomingFrom;
  for (auto [V, Block] : zip_equal(Phi.incoming_values(), Phi.blocks())) {
    auto [It, IsNew] = IncomingFrom.try_emplace(Block);
    IRBuilder<> B(Block->getTerminator());
    if (IsNew)
      It->second = split(V, B);
    for (auto [Part, Incoming] : zip_equal(Parts, It->second))
      cast<PHINode>(Part)->addIncoming(Incoming, Block);
  }
}

bool PairSplitter::run() {
  collect();
  for (Instruction *I : Pairs)
    if (const auto *Phi = dyn_cast<PHINode>(I))
      for (Value *&Part : PhisOf[Phi])
        Part = PHINode::Create(Int32, Phi->getNumIncomingValues(), "register",
                               I->getIterator());
  for (Instruction *I : Pairs)
    if (auto *Phi = dyn_cast<PHINode>(I))
      addIncoming(*Phi, PhisOf[Phi]);
  SmallVector<WeakTrackingVH, 8> Dead;
  for (Instruction *I : Pairs) {
    IRBuilder<> B(I);
    // It may be of what other pairs were made of until now.
    const Registers Parts = split(I, B);
    SmallVector<Use *, 8> Uses(make_pointer_range(I->uses()));
    for (Use *U : Uses) {
      auto *User = cast<Instruction>(U->getUser());
      if (isa<PHINode>(User)) {
        // It is split as well, and goes.
        U->set(PoisonValue::get(I->getType()));
        continue;
      }
      replaceUse(*U, Parts);
      for (llvm::User *Next : User->users())
        Dead.push_back(Next);
      Dead.push_back(User);
    }
    Dead.push_back(I);
    ++NumSplit;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return !Pairs.empty();
}

bool HalfMerger::run() {
  findRoots();
  findPhiRoots();
  Graph.propagate();
  for (Root &R : Roots)
    Changed |= replaceRoot(R);
  mergePhis();
  extractAtUses();
  if (Changed) {
    removeDeadCode();
    fuseHalfAsm(F);
  }
  return Changed;
}

static bool mergeHalves(Function &F, const DominatorTree &DT,
                        const LoopInfo &LI) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  bool Changed = expandHalfAsm(F);
  Changed |= PairSplitter(F).run();
  Changed |= HalfMerger(F, DT, LI).run();
  return Changed;
}

namespace {
class NVPTXMergeHalvesLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXMergeHalvesLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Merge Halves"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<DominatorTreeWrapperPass>();
    AU.addRequired<LoopInfoWrapperPass>();
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override {
    return mergeHalves(F, getAnalysis<DominatorTreeWrapperPass>().getDomTree(),
                       getAnalysis<LoopInfoWrapperPass>().getLoopInfo());
  }
};
} // namespace

char NVPTXMergeHalvesLegacyPass::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXMergeHalvesLegacyPass, DEBUG_TYPE,
                      "NVPTX Merge Halves", false, false)
INITIALIZE_PASS_DEPENDENCY(DominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(LoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXMergeHalvesLegacyPass, DEBUG_TYPE,
                    "NVPTX Merge Halves", false, false)

FunctionPass *llvm::createNVPTXMergeHalvesPass() {
  return new NVPTXMergeHalvesLegacyPass();
}

PreservedAnalyses NVPTXMergeHalvesPass::run(Function &F,
                                            FunctionAnalysisManager &AM) {
  if (!mergeHalves(F, AM.getResult<DominatorTreeAnalysis>(F),
                   AM.getResult<LoopAnalysis>(F)))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
