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
//   loop:                                      loop:
//     %lo = phi half [0, ...], [%lo2, ...]       %r = phi i32 [0, ...], [%r2,
//     ...] %hi = phi half [0, ...], [%hi2, ...] %r = %hi << 16 | %lo => %r2 =
//     wgmma(%r)                            %r2 = wgmma(%r) %lo2 = trunc %r2
//     %hi2 = trunc (%r2 >> 16)
//     wait                                       wait
//
// This pass merges the pairs of halves back into registers, in functions that
// use wgmma. It works on lanes: 16 bits of a value, from some multiple of 16
// on. Looking through all that only moves bits (shifts, masks, extensions, bit
// casts, elements of vectors and of structs) leads from a lane to one of a
// value that computes them. A 32-bit value that is put together, the root, is a
// pair of lanes, and for a pair one of these holds:
//
//   Constant  both are
//   Register  they are the two halves of a register that exists
//   Phi       they are phis of one block (or one is, and the other is the same
//             on all ways into it): a phi of merged pairs
//   Select    they are selected by the same condition: a select of merged pairs
//   Freeze    they are frozen in the same block: the merged pair is frozen
//   Pack      anything else: the two halves have to be packed
//
// The pairs that a root leads to form a graph, which may have cycles. Where it
// leads to a Register, the root is replaced by the merged value. A Pack comes
// to where it is needed, for instance to an edge into a loop.
//
// The halves of merged phis that are left, those that an epilogue reads, are
// then extracted where they are used, that is, after the wait, and so are the
// halves of the registers that a wgmma or inline assembly defines.
//
// Invariants:
// - A merged value has in each lane what the lane had, or is less undefined. A
//   half that may be poison is frozen when it is packed, for it must not spread
//   to the other half; poison in a register was in both of its lanes before.
// - No instruction with side effects is added, moved or removed.
//
// Known weaknesses: memory is not looked at, so that halves that stay in a
// local array are not merged. Integers of 64 bits and more are taken for
// registers, and a phi of four halves in one is left alone. What a half goes
// through besides, arithmetic in particular, ends the search.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXLanes.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Local.h"
#include <deque>
#include <optional>

using namespace llvm;
using namespace llvm::lanes;

#define DEBUG_TYPE "nvptx-merge-halves"

STATISTIC(NumRoots, "Number of packed registers replaced");
STATISTIC(NumPhis, "Number of phis of registers made from phis of halves");
STATISTIC(NumExtractions, "Number of halves extracted where they are used");

/// Whether a phi or a select of this type has to be taken apart into registers:
/// vectors of halves, but for those of two, become single halves when their
/// type is legalized.
static bool isSplitByLegalization(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector && Vector->getScalarSizeInBits() == LaneBits &&
         Vector->getNumElements() != 2;
}

/// Whether \p L is half of a register that a wgmma may write.
static bool isWGMMALane(Lane L) {
  return getBits(L.V->getType()) >= 2 * LaneBits && NVPTX::isWGMMARegister(L.V);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {
enum class PairKind { Constant, Register, Phi, Select, Freeze, Pack };

/// Two lanes that a 32-bit value is made of.
struct Pair {
  Lane Lo, Hi;
  PairKind Kind = PairKind::Pack;
  /// Where the merged value comes to stand: the phi whose block has it, or the
  /// later one of two selects or freezes.
  Instruction *Anchor = nullptr;
  /// The pairs that a phi, select or freeze is made of, in the order of the
  /// anchor's operands; and the pairs that are made of this one.
  SmallVector<Pair *, 4> Operands, Users;
  /// Whether this leads to a Register, and whether to a Pack.
  bool LeadsToRegister = false, LeadsToPack = false;
  /// The phi, select or freeze, once it is made.
  Instruction *Merged = nullptr;
};

/// The pairs that the roots of a function lead to.
class PairGraph {
public:
  PairGraph(Function &F, const DominatorTree &DT, const LaneFinder &Finder)
      : DT(DT), Finder(Finder), MaxPairs(1000 + F.getInstructionCount()) {}

  /// The pair of these lanes, and with it all that it leads to.
  Pair *get(Lane Lo, Lane Hi);
  /// The upper half that belongs to this lower half, as far as it is known.
  std::optional<Lane> getPartner(Lane Lo) const;
  /// To be called once, when all pairs are known.
  void propagate();

private:
  void classify(Pair &P);
  bool isRegister(const Pair &P) const;
  bool isPhi(Pair &P) const;
  bool isSelect(Pair &P) const;
  bool isFreeze(Pair &P);
  bool isAvailableIn(Lane L, const BasicBlock *Block) const;
  void addOperands(Pair &P);
  void addOperand(Pair &P, Lane Lo, Lane Hi);
  Pair *lookup(Lane Lo, Lane Hi);

  using Key =
      std::pair<std::pair<Value *, unsigned>, std::pair<Value *, unsigned>>;
  const DominatorTree &DT;
  const LaneFinder &Finder;
  const size_t MaxPairs;
  std::deque<Pair> Pairs;
  DenseMap<Key, Pair *> Known;
  /// From the lower to the upper half of pairs that can be merged.
  DenseMap<std::pair<Value *, unsigned>, Lane> Partners;
  SmallVector<Pair *, 32> Worklist;
  /// A freeze may become part of one merged freeze only, lest its users see
  /// different values.
  SmallPtrSet<Value *, 8> Frozen;
};
} // namespace

Pair *PairGraph::get(Lane Lo, Lane Hi) {
  Pair *Result = lookup(Lo, Hi);
  while (!Worklist.empty())
    addOperands(*Worklist.pop_back_val());
  return Result;
}

Pair *PairGraph::lookup(Lane Lo, Lane Hi) {
  Pair *&P = Known[{Lo.getKey(), Hi.getKey()}];
  if (P)
    return P;
  P = &Pairs.emplace_back();
  P->Lo = Lo;
  P->Hi = Hi;
  // The same halves may be paired in different ways; this keeps it linear.
  if (Pairs.size() > MaxPairs)
    return P;
  classify(*P);
  Worklist.push_back(P);
  return P;
}

void PairGraph::classify(Pair &P) {
  if (P.Lo.isConstant() && P.Hi.isConstant())
    P.Kind = PairKind::Constant;
  else if (isRegister(P))
    P.Kind = PairKind::Register;
  else if (isPhi(P))
    P.Kind = PairKind::Phi;
  else if (isSelect(P))
    P.Kind = PairKind::Select;
  else if (isFreeze(P))
    P.Kind = PairKind::Freeze;
  if (P.Anchor && !P.Lo.isConstant() && !P.Hi.isConstant())
    Partners.try_emplace(P.Lo.getKey(), P.Hi);
}

std::optional<Lane> PairGraph::getPartner(Lane Lo) const {
  if (auto It = Partners.find(Lo.getKey()); It != Partners.end())
    return It->second;
  if (isWGMMALane(Lo) && Lo.Offset % (2 * LaneBits) == 0)
    return Lane{Lo.V, Lo.Offset + LaneBits};
  return std::nullopt;
}

/// An undefined half may be whatever is in the register.
bool PairGraph::isRegister(const Pair &P) const {
  if (P.Lo.isConstant() ? !P.Lo.isUndef() : P.Lo.Offset % (2 * LaneBits) != 0)
    return false;
  if (P.Hi.isConstant() ? !P.Hi.isUndef()
                        : P.Hi.Offset % (2 * LaneBits) != LaneBits)
    return false;
  if (!P.Lo.isConstant() && !P.Hi.isConstant() &&
      (P.Lo.V != P.Hi.V || P.Lo.Offset + LaneBits != P.Hi.Offset))
    return false;
  const Value *V = P.Lo.isConstant() ? P.Hi.V : P.Lo.V;
  if (isa<PHINode, SelectInst, FreezeInst>(V) &&
      isSplitByLegalization(V->getType()))
    return false;
  unsigned Bits = getBits(V->getType());
  return Bits != 0 && Bits % (2 * LaneBits) == 0;
}

/// Whether \p L is the same on all ways into \p Block.
bool PairGraph::isAvailableIn(Lane L, const BasicBlock *Block) const {
  auto *I = dyn_cast<Instruction>(L.V);
  return !I || DT.dominates(I, Block);
}

bool PairGraph::isPhi(Pair &P) const {
  auto *Lo = dyn_cast<PHINode>(P.Lo.V), *Hi = dyn_cast<PHINode>(P.Hi.V);
  if (Lo && ((Hi && Hi->getParent() == Lo->getParent()) ||
             isAvailableIn(P.Hi, Lo->getParent())))
    P.Anchor = Lo;
  else if (Hi && isAvailableIn(P.Lo, Hi->getParent()))
    P.Anchor = Hi;
  return P.Anchor && DT.isReachableFromEntry(P.Anchor->getParent());
}

bool PairGraph::isSelect(Pair &P) const {
  auto *Lo = dyn_cast<SelectInst>(P.Lo.V), *Hi = dyn_cast<SelectInst>(P.Hi.V);
  if (!Lo || !Hi || Lo->getCondition() != Hi->getCondition() ||
      !Lo->getCondition()->getType()->isIntegerTy())
    return false;
  P.Anchor = DT.dominates(Lo, Hi) ? Hi : Lo;
  return true;
}

bool PairGraph::isFreeze(Pair &P) {
  auto *Lo = dyn_cast<FreezeInst>(P.Lo.V), *Hi = dyn_cast<FreezeInst>(P.Hi.V);
  if (!Lo || !Hi || Lo == Hi || Lo->getParent() != Hi->getParent() ||
      getBits(Lo->getType()) != LaneBits || getBits(Hi->getType()) != LaneBits)
    return false;
  FreezeInst *First = Lo->comesBefore(Hi) ? Lo : Hi;
  FreezeInst *Last = First == Lo ? Hi : Lo;
  // The merged freeze stands at the last and replaces both.
  for (const Use &U : First->uses())
    if (!DT.dominates(Last, U))
      return false;
  if (Frozen.contains(Lo) || Frozen.contains(Hi))
    return false;
  Frozen.insert({Lo, Hi});
  P.Anchor = Last;
  return true;
}

void PairGraph::addOperand(Pair &P, Lane Lo, Lane Hi) {
  Pair *Operand = lookup(Lo, Hi);
  P.Operands.push_back(Operand);
  Operand->Users.push_back(&P);
}

void PairGraph::addOperands(Pair &P) {
  switch (P.Kind) {
  case PairKind::Phi: {
    const BasicBlock *Block = P.Anchor->getParent();
    for (BasicBlock *Pred : cast<PHINode>(P.Anchor)->blocks()) {
      auto Incoming = [&](Lane L) {
        auto *Phi = dyn_cast<PHINode>(L.V);
        if (!Phi || Phi->getParent() != Block)
          return L;
        return Finder.find(Phi->getIncomingValueForBlock(Pred), L.Offset);
      };
      addOperand(P, Incoming(P.Lo), Incoming(P.Hi));
    }
    break;
  }
  case PairKind::Select: {
    auto *Lo = cast<SelectInst>(P.Lo.V), *Hi = cast<SelectInst>(P.Hi.V);
    addOperand(P, Finder.find(Lo->getTrueValue(), P.Lo.Offset),
               Finder.find(Hi->getTrueValue(), P.Hi.Offset));
    addOperand(P, Finder.find(Lo->getFalseValue(), P.Lo.Offset),
               Finder.find(Hi->getFalseValue(), P.Hi.Offset));
    break;
  }
  case PairKind::Freeze:
    addOperand(P, Finder.find(cast<FreezeInst>(P.Lo.V)->getOperand(0), 0),
               Finder.find(cast<FreezeInst>(P.Hi.V)->getOperand(0), 0));
    break;
  default:
    break;
  }
}

void PairGraph::propagate() {
  auto Spread = [&](PairKind Kind, bool Pair::*Flag) {
    SmallVector<Pair *, 32> ToSpread;
    auto Set = [&](Pair &P) {
      if (!(P.*Flag))
        ToSpread.push_back(&P);
      P.*Flag = true;
    };
    for (Pair &P : Pairs)
      if (P.Kind == Kind)
        Set(P);
    while (!ToSpread.empty())
      for (Pair *User : ToSpread.pop_back_val()->Users)
        Set(*User);
  };
  Spread(PairKind::Register, &Pair::LeadsToRegister);
  Spread(PairKind::Pack, &Pair::LeadsToPack);
}

//===----------------------------------------------------------------------===//
// Building merged values
//===----------------------------------------------------------------------===//

namespace {
/// Makes the values that pairs are merged into.
class PairBuilder {
public:
  explicit PairBuilder(LLVMContext &Context)
      : Int16(Type::getInt16Ty(Context)), Int32(Type::getInt32Ty(Context)) {}

  /// The merged value of \p P, an i32, to be used by what is inserted at
  /// \p Point.
  Value *build(Pair &P, Instruction *Point);
  /// To be called when all merged values are built: gives the phis their
  /// operands, and replaces the freezes.
  void finish();

  /// The phis made, with the pairs.
  ArrayRef<Pair *> getPhis() const { return Phis; }

private:
  Value *buildConstant(const Pair &P) const;
  Value *buildRegister(const Pair &P, IRBuilder<> &Builder) const;
  Value *buildPack(const Pair &P, IRBuilder<> &Builder) const;
  Value *buildLane(Lane L, IRBuilder<> &Builder) const;
  void addIncoming(Pair &P);

  Type *Int16, *Int32;
  SmallVector<Pair *, 32> Phis, Freezes;
};
} // namespace

/// The half \p Index of \p Register, as a value of \p Ty.
static Value *extractHalf(Value *Register, unsigned Index, Type *Ty,
                          IRBuilder<> &Builder) {
  unsigned Halves = getBits(Register->getType()) / LaneBits;
  return Builder.CreateExtractElement(
      Builder.CreateBitCast(Register, FixedVectorType::get(Ty, Halves)), Index);
}

Value *PairBuilder::build(Pair &P, Instruction *Point) {
  IRBuilder<> Builder(Point);
  // Halves that nothing has packed yet stay as they are.
  if (P.Kind != PairKind::Constant && !P.LeadsToRegister)
    return buildPack(P, Builder);
  switch (P.Kind) {
  case PairKind::Constant:
    return buildConstant(P);
  case PairKind::Register:
    return buildRegister(P, Builder);
  case PairKind::Phi:
    if (!P.Merged) {
      P.Merged = PHINode::Create(Int32, P.Operands.size(), "halves",
                                 P.Anchor->getIterator());
      P.Merged->setDebugLoc(P.Anchor->getDebugLoc());
      Phis.push_back(&P);
      ++NumPhis;
    }
    return P.Merged;
  case PairKind::Select:
    if (!P.Merged) {
      Value *True = build(*P.Operands[0], P.Anchor);
      Value *False = build(*P.Operands[1], P.Anchor);
      P.Merged = SelectInst::Create(P.Anchor->getOperand(0), True, False,
                                    "halves", P.Anchor->getIterator());
      P.Merged->setDebugLoc(P.Anchor->getDebugLoc());
    }
    return P.Merged;
  case PairKind::Freeze:
    if (!P.Merged) {
      Value *Operand = build(*P.Operands[0], P.Anchor);
      P.Merged = new FreezeInst(Operand, "halves", P.Anchor->getIterator());
      P.Merged->setDebugLoc(P.Anchor->getDebugLoc());
      Freezes.push_back(&P);
    }
    return P.Merged;
  case PairKind::Pack:
    break;
  }
  llvm_unreachable("a pack does not lead to a register");
}

Value *PairBuilder::buildConstant(const Pair &P) const {
  if (isa<PoisonValue>(P.Lo.V) && isa<PoisonValue>(P.Hi.V))
    return PoisonValue::get(Int32);
  if (P.Lo.isUndef() && P.Hi.isUndef())
    return UndefValue::get(Int32);
  auto GetBits = [](Lane L) {
    auto *C = dyn_cast<ConstantInt>(L.V);
    return C ? C->getZExtValue() : 0;
  };
  return ConstantInt::get(Int32, GetBits(P.Hi) << LaneBits | GetBits(P.Lo));
}

Value *PairBuilder::buildRegister(const Pair &P, IRBuilder<> &Builder) const {
  Lane L = P.Lo.isConstant() ? P.Hi : P.Lo;
  unsigned Index = L.Offset / (2 * LaneBits);
  Type *Ty = L.V->getType();
  unsigned Registers = getBits(Ty) / (2 * LaneBits);
  if (Registers == 1)
    return Builder.CreateBitCast(L.V, Int32);
  // Elements are extracted before they are reinterpreted: no pass takes the
  // accumulator apart for the sake of a bit cast then.
  if (getElementBits(Ty) == 2 * LaneBits)
    return Builder.CreateBitCast(Builder.CreateExtractElement(L.V, Index),
                                 Int32);
  return Builder.CreateExtractElement(
      Builder.CreateBitCast(L.V, FixedVectorType::get(Int32, Registers)),
      Index);
}

Value *PairBuilder::buildLane(Lane L, IRBuilder<> &Builder) const {
  if (L.isUndef())
    return ConstantInt::get(Int16, 0);
  if (L.isConstant())
    return L.V;
  Value *V = L.V;
  unsigned Offset = L.Offset;
  if (std::optional<unsigned> Bits = getElementBits(V->getType())) {
    V = Builder.CreateExtractElement(V, Offset / *Bits);
    Offset %= *Bits;
  }
  V = Builder.CreateBitCast(V, Builder.getIntNTy(getBits(V->getType())));
  if (Offset != 0)
    V = Builder.CreateLShr(V, Offset);
  V = Builder.CreateTrunc(V, Int16);
  return isGuaranteedNotToBeUndefOrPoison(V) ? V : Builder.CreateFreeze(V);
}

Value *PairBuilder::buildPack(const Pair &P, IRBuilder<> &Builder) const {
  Value *Halves = PoisonValue::get(FixedVectorType::get(Int16, 2));
  Halves = Builder.CreateInsertElement(Halves, buildLane(P.Lo, Builder),
                                       uint64_t(0));
  Halves = Builder.CreateInsertElement(Halves, buildLane(P.Hi, Builder),
                                       uint64_t(1));
  return Builder.CreateBitCast(Halves, Int32);
}

void PairBuilder::addIncoming(Pair &P) {
  auto *Merged = cast<PHINode>(P.Merged);
  for (auto [Operand, Pred] :
       zip_equal(P.Operands, cast<PHINode>(P.Anchor)->blocks())) {
    // Several edges from one block have the same value.
    int Known = Merged->getBasicBlockIndex(Pred);
    Merged->addIncoming(Known >= 0 ? Merged->getIncomingValue(Known)
                                   : build(*Operand, Pred->getTerminator()),
                        Pred);
  }
}

void PairBuilder::finish() {
  // Phis lead to more phis.
  for (size_t I = 0; I != Phis.size(); ++I)
    addIncoming(*Phis[I]);
  for (Pair *P : Freezes) {
    IRBuilder<> Builder(P->Anchor);
    for (auto [L, Index] : {std::pair(P->Lo, 0u), std::pair(P->Hi, 1u)})
      L.V->replaceAllUsesWith(
          extractHalf(P->Merged, Index, L.V->getType(), Builder));
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

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
  void extractAtUse(Use &U, Lane L, Type *Ty);
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
  /// The phis that lanes of phis were merged into.
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

bool HalfMerger::replaceRoot(Root &R) {
  Instruction &I = *R.I;
  auto IsMerged = [&](const Pair *P) {
    return P->LeadsToRegister && P->Lo.V != &I && P->Hi.V != &I;
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
  for (Pair *P : Builder.getPhis())
    for (auto [L, Index] : {std::pair(P->Lo, 0u), std::pair(P->Hi, 1u)}) {
      auto *Phi = dyn_cast<PHINode>(L.V);
      if (Phi && Phi->getParent() == P->Anchor->getParent())
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

  for (auto &[Half, L] : Halves) {
    auto Merged = MergedLanes.find(L.getKey());
    bool IsMerged = Merged != MergedLanes.end();
    if (!IsMerged && !isWGMMALane(L))
      continue;
    SmallVector<Use *, 4> Uses(make_pointer_range(Half->uses()));
    for (Use *U : Uses) {
      if (U->get() != Half)
        continue;
      // A copy of the half; its uses will be seen, too.
      auto *User = cast<Instruction>(U->getUser());
      if (auto It = Halves.find(User); It != Halves.end() && It->second == L)
        continue;
      if (IsMerged)
        extractAtUse(*U,
                     {Merged->second.first, Merged->second.second * LaneBits},
                     Half->getType());
      else if (isExtractedTooEarly(*Half, L.V, *U))
        extractAtUse(*U, L, Half->getType());
    }
  }
}

void HalfMerger::extractAtUse(Use &U, Lane L, Type *Ty) {
  auto *Phi = dyn_cast<PHINode>(U.getUser());
  BasicBlock *Pred = Phi ? Phi->getIncomingBlock(U) : nullptr;
  IRBuilder<> B(Phi ? Pred->getTerminator() : cast<Instruction>(U.getUser()));
  Value *Register = L.V;
  unsigned Index = L.Offset / LaneBits;
  if (std::optional<unsigned> Bits = getElementBits(Register->getType())) {
    Register = B.CreateExtractElement(Register, L.Offset / *Bits);
    Index = L.Offset % *Bits / LaneBits;
  }
  Value *Half = extractHalf(Register, Index, Ty, B);
  // Several edges from one block have the same value.
  if (Phi)
    Phi->setIncomingValueForBlock(Pred, Half);
  else
    U.set(Half);
  ++NumExtractions;
  Changed = true;
}

/// What nothing with an effect needs, cycles of phis included.
void HalfMerger::removeDeadCode() {
  SmallPtrSet<Instruction *, 32> Live;
  SmallVector<Instruction *, 32> Worklist;
  for (Instruction &I : instructions(F))
    if (!wouldInstructionBeTriviallyDead(&I) && Live.insert(&I).second)
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

bool HalfMerger::run() {
  findRoots();
  findPhiRoots();
  Graph.propagate();
  for (Root &R : Roots)
    Changed |= replaceRoot(R);
  mergePhis();
  extractAtUses();
  if (Changed)
    removeDeadCode();
  return Changed;
}

static bool mergeHalves(Function &F, const DominatorTree &DT,
                        const LoopInfo &LI) {
  return NVPTX::usesWGMMA(F) && HalfMerger(F, DT, LI).run();
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
