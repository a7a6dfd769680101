//===- NVPTXHideWGMMAMoves.cpp - Registers that ptxas leaves alone --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas, as of 13.0, does not see, where it removes moves and looks for equal
// values, that a wgmma changes its accumulator, nor that it reads its fragment
// of A until it is waited for. After
//
//   %d0 = MOV 1; %d1 = MOV 1; %a0 = COPY %x; WGMMA {%d0, %d1}, {%a0, ...}
//
// it takes a register that held the same before, %d0 and %d1, or %a0 and %x,
// for the other one later. It reads what was overwritten, writes %x anew while
// the wgmma reads it, executes one of two wgmma that start from equal values,
// or finds registers in flight to be accessed, and serializes all wgmma of the
// function. Nothing of that is told but the last.
//
// So what looks like a move, from, to or between registers of a wgmma, must not
// be one. It inverts some bits where a zero is set, of which ptxas does not
// know that it is zero: the upmost bit of the clock. Each move has other bits,
// so that no two of the values are equal, either:
//
//   %d0 = MOV 1            =>      %zero = WGMMA_HIDDEN_ZERO
//   %d1 = MOV 1                    %d0 = WGMMA_HIDDEN_MOVE %zero, 1, 1
//   %a0 = COPY %x                  %d1 = WGMMA_HIDDEN_MOVE %zero, 2, 1
//                                  %a0 = WGMMA_HIDDEN_MOVE %zero, 3, %x
//
// A sum with a multiple of the zero would not do: ptxas computes one sum from
// another one, also if a wgmma has changed what is added to since.
//
// A WGMMA_UNLIKE_OTHERS becomes such a move of zero.
//
// And where a fragment of A has halves of values of 64 bits that something
// needs later, ptxas takes the lower half for the upper one, however they are
// told apart: of
//
//   mov.b64 {%r1, %r2}, %rd1;
//   wgmma.mma_async... {...}, {%r1, %r2, %r3, %r4}, ...;
//   st.global.b64 [%rd3], %rd1;
//
// A is {%r1, %r1, ...} in the machine code. So where one is in a fragment, both
// get to registers of wgmma by hidden moves, and so does a fragment that comes
// from another function, by a parameter or a result, where it may be halves. An
// accumulator alone has the right ones. So it is with metadata: where the half
// of a sum is moved there behind a wait, 12.4 and 13.0 have the register hold
// it ahead of that (C7513).
//
// What is computed from nothing but constants gets there by hidden moves, too:
// LLVM leaves that to be done by inline assembly, which ptxas reads, and in
// loops, which it unrolls. As it knows the result, it puts it into a fragment
// of A right before the last wgmma that reads it, behind others.
//
// What is loaded twice is equal as well, and ptxas loads it once: of two
// accumulators that start from the same addresses, it takes one for the other
// when a wgmma has changed it. So both get there by hidden moves. LLVM leaves
// such loads where it does not optimize much, or does not know that nothing is
// stored in between.
//
// So is what is computed twice of the same registers, or of what is computed
// twice, if two elements of accumulators start from it. LLVM computes it once,
// unless it has learnt late that the registers are the same.
//
// One kind of move stays: a WGMMA_COPY of a computed value to an accumulator,
// of which nothing needs another register once a wgmma has changed that. It
// gives the value another name, as it is meant to; ptxas may well have one
// register for both, and does, unless the accumulator is in flight where the
// value is computed. That is 64 instructions fewer in each round of an
// attention kernel's loop.
//
// A test for equality tells ptxas as much as a move: where %a1 is 1 by a
// branch, it takes the constant for %a1 in a fragment of A, and loads it into
// another register than that which the wgmma reads. So the result of a hidden
// move is tested in the place of a register of wgmma.
//
// Nor is the result of a hidden move compared with zero for equality, but for
// order: from lop3.b32 and that comparison ptxas makes one instruction, and
// ends with a segmentation fault. A register may be zero, too, as one that a
// loop counts with is in its first round: the difference is compared.
//
// The clock is read once in a block, and in a loop once for each round. Once
// ahead of the loop would not do: if ptxas unrolls it, what is moved in one
// round must not be equal to what is moved in the next. But a clock that is
// read before the loop's test has ptxas unroll a loop whose number of rounds it
// knows, in spite of `.pragma "nounroll"`. So it is read ahead of the loop and
// at the end of each round.
//
// It runs after all passes that know moves as such.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXHiddenZero.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXReachingValues.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include <map>
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-hide-wgmma-moves"

STATISTIC(NumHidden, "Number of moves of registers of wgmma hidden");

/// A register and a distance from what it has, in bytes.
using Address = std::pair<Register, int64_t>;

/// Where \p MI loads from, if ptxas may load it only once with others: as far
/// as sums with constants tell.
static std::optional<Address> getLoadedFrom(const MachineInstr &MI,
                                            const MachineRegisterInfo &MRI) {
  unsigned Size = MI.getNumExplicitOperands();
  if (!MI.mayLoad() || MI.mayStore() || MI.isCall() || MI.isInlineAsm() ||
      MI.hasOrderedMemoryRef() || Size < 2 ||
      !MI.getOperand(Size - 2).isReg() || !MI.getOperand(Size - 2).isUse() ||
      !MI.getOperand(Size - 1).isImm())
    return std::nullopt;
  Register Base = MI.getOperand(Size - 2).getReg();
  int64_t Bytes = MI.getOperand(Size - 1).getImm();
  // In a loop two sums may be computed from each other.
  constexpr unsigned MaxSums = 8;
  for (unsigned I = 0; I != MaxSums && Base.isVirtual(); ++I) {
    const MachineInstr *Def = MRI.getUniqueVRegDef(Base);
    if (!Def || Def->getOpcode() != NVPTX::ADD64ri ||
        !Def->getOperand(2).isImm())
      break;
    Base = Def->getOperand(1).getReg();
    Bytes += Def->getOperand(2).getImm();
  }
  return Address(Base, Bytes);
}

/// The words that \p MI loads into each of its results, in turn.
static SmallVector<SmallVector<Address, 2>, 4>
getLoadedWords(const MachineInstr &MI, const MachineRegisterInfo &MRI) {
  SmallVector<SmallVector<Address, 2>, 4> Words;
  auto From = getLoadedFrom(MI, MRI);
  if (!From)
    return Words;
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  constexpr int64_t BytesOfWord = 4;
  auto [Base, Bytes] = *From;
  for (const MachineOperand &Def : MI.defs()) {
    int64_t Size = TRI.getRegSizeInBits(Def.getReg(), MRI) / 8;
    SmallVector<Address, 2> &OfResult = Words.emplace_back();
    for (int64_t Byte = Bytes; Byte < Bytes + Size; Byte += BytesOfWord)
      OfResult.push_back({Base, Byte});
    Bytes += Size;
  }
  return Words;
}

/// The registers that \p GetRegisters has for any wgmma.
template <typename Function>
static DenseSet<Register> collectRegisters(const MachineFunction &MF,
                                           Function GetRegisters) {
  DenseSet<Register> Registers;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        Registers.insert_range(GetRegisters(MI, MF.getRegInfo()));
  return Registers;
}

namespace {
class NVPTXHideWGMMAMoves : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHideWGMMAMoves() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Hide WGMMA Moves"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Hides the moves of one function.
class MoveHider {
public:
  MoveHider(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MF(MF), MLI(MLI), MRI(MF.getRegInfo()),
        TII(*MF.getSubtarget().getInstrInfo()),
        Registers(collectWGMMARegisters(MF)),
        Fragments(collectRegisters(MF, getFragmentOfA)),
        LateInputs(collectRegisters(MF, getLateInputs)) {
    if (!Registers.empty())
      countLoads();
  }

  bool run();

private:
  bool isOfWGMMA(const MachineOperand &MO) const {
    return MO.isReg() && Registers.contains(MO.getReg());
  }
  /// Whether \p Def is a register of wgmma that a hidden move can set instead.
  bool isForWGMMA(const MachineOperand &Def) const {
    return isOfWGMMA(Def) && !Def.isTied();
  }
  void countLoads();
  void collectComputedTwice();
  bool isLoadedTwice(const MachineInstr &MI) const;
  bool isHalfInLateInput(const MachineInstr &MI) const;
  bool isPassedFragment(const MachineInstr &MI) const;
  bool isConstantOfWGMMA(const MachineInstr &MI) const;
  bool testsForEquality(const MachineInstr &MI) const;
  bool mustHide(MachineInstr &MI) const;
  bool isComputed(Register Reg) const;
  void collectRenamed();
  void keepRenamedApart();
  void keepFromInFlight();
  void findRenamed();
  Register getZeroOfRound(const MachineLoop &L);
  Register getZero(MachineInstr &Before);
  void move(Register Result, MachineBasicBlock &MBB,
            MachineBasicBlock::iterator Where, const DebugLoc &DL,
            Register Zero, const MachineOperand &Source);
  void hideResults(MachineInstr &MI, Register Zero);
  void hideTested(MachineInstr &MI, Register Zero);
  void hide(MachineInstr &MI, Register Zero);
  void compareForOrder(Register Moved);
  void compareForOrder(MachineInstr &MI);

  MachineFunction &MF;
  const MachineLoopInfo &MLI;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  /// Those of accumulators, fragments of A and sparsity metadata.
  DenseSet<Register> Registers;
  /// Those of fragments of A alone, and of these and of metadata.
  DenseSet<Register> Fragments, LateInputs;
  /// How often each word is loaded.
  DenseMap<Address, unsigned> NumLoads;
  /// What computes registers of accumulators, and is not the only one.
  SmallPtrSet<const MachineInstr *, 4> ComputedTwice;
  /// The computed values that are only given other names, and these.
  DenseMap<Register, SmallVector<Register, 2>> Renamed;
  /// The zeros that are read at the end of each round.
  DenseMap<const MachineLoop *, Register> ZerosOfRounds;
  /// The bits that the next move inverts where the zero is set.
  int64_t Mask = 1;
};
} // namespace

char NVPTXHideWGMMAMoves::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXHideWGMMAMoves, DEBUG_TYPE, "NVPTX Hide WGMMA Moves",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXHideWGMMAMoves, DEBUG_TYPE, "NVPTX Hide WGMMA Moves",
                    false, false)

/// Whether \p MI moves a value of 32 bits that is no address.
static bool isMove(const MachineInstr &MI, const MachineRegisterInfo &MRI) {
  if (!MI.isFullCopy() && !MI.isMoveImmediate() &&
      MI.getOpcode() != NVPTX::WGMMA_COPY)
    return false;
  auto Is32Bits = [&](const MachineOperand &MO) {
    if (MO.isReg())
      return MO.getReg().isVirtual() &&
             MRI.getRegClass(MO.getReg()) == &NVPTX::B32RegClass;
    return MO.isImm() || MO.isFPImm();
  };
  return Is32Bits(MI.getOperand(0)) && Is32Bits(MI.getOperand(1));
}

void MoveHider::countLoads() {
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      for (ArrayRef<Address> OfResult : getLoadedWords(MI, MRI))
        for (const Address &Word : OfResult)
          ++NumLoads[Word];
}

/// Whether \p MI loads something into a register of an accumulator that is
/// loaded elsewhere, too.
bool MoveHider::isLoadedTwice(const MachineInstr &MI) const {
  for (auto [Def, Words] : zip(MI.defs(), getLoadedWords(MI, MRI)))
    if (isForWGMMA(Def) && isAccumulated(Def.getReg(), MRI) &&
        any_of(Words,
               [&](const Address &Word) { return NumLoads.lookup(Word) > 1; }))
      return true;
  return false;
}

/// Whether \p MI may compute the same of the same. Inline assembly does what it
/// will with what it gets.
static bool isComputation(const MachineInstr &MI) {
  if (MI.isInlineAsm())
    return !hasUnknownWGMMASteps(MI);
  return !isWGMMA(MI) && !MI.isCall() && !MI.isImplicitDef() && !MI.mayLoad() &&
         !MI.hasUnmodeledSideEffects() && !MI.all_uses().empty();
}

namespace {
/// Numbers values as ptxas may: what computes the same of the same has the same
/// number. The name of a register does not tell: it may have another value by
/// then. What is computed ahead of an instruction has to be numbered before it.
class EqualValues {
public:
  explicit EqualValues(MachineFunction &MF) : Values(MF) {}

  void add(const MachineInstr &MI);

  /// Shows \p Visit all that compute the same value, for each value.
  void visit(function_ref<void(ArrayRef<const MachineInstr *>)> Visit) const {
    for (const auto &[_, Alike] : Groups)
      for_each(Alike, Visit);
  }

private:
  unsigned getNumber(const MachineOperand &Use, const MachineInstr &MI);

  /// Instructions with the same opcode that read the same values, apart if
  /// anything else of them differs.
  using Group = SmallVector<SmallVector<const MachineInstr *, 1>, 1>;

  ReachingValues Values;
  std::map<std::pair<unsigned, SmallVector<unsigned, 3>>, Group> Groups;
  DenseMap<std::pair<Register, ReachingValues::Value>, unsigned> Leaves;
  DenseMap<const MachineInstr *, unsigned> NumberOf;
  unsigned NumNumbers = 0;
};
} // namespace

unsigned EqualValues::getNumber(const MachineOperand &Use,
                                const MachineInstr &MI) {
  const ReachingValues::Value V = Values.getBefore(Use.getReg(), MI);
  if (auto It = NumberOf.find(V.second); It != NumberOf.end())
    return It->second;
  auto [It, IsNew] = Leaves.try_emplace({Use.getReg(), V}, NumNumbers);
  NumNumbers += IsNew;
  return It->second;
}

/// Whether \p A and \p B have the same operands, but for virtual registers.
static bool haveSameConstants(const MachineInstr &A, const MachineInstr &B) {
  return all_of(zip_equal(A.explicit_uses(), B.explicit_uses()),
                [](const auto &Operands) {
                  const auto &[OfA, OfB] = Operands;
                  return (OfA.isReg() && OfB.isReg() &&
                          OfA.getReg().isVirtual() &&
                          OfB.getReg().isVirtual()) ||
                         OfA.isIdenticalTo(OfB);
                });
}

void EqualValues::add(const MachineInstr &MI) {
  SmallVector<unsigned, 3> Read;
  for (const MachineOperand &Use : MI.all_uses())
    if (Use.getReg().isVirtual())
      Read.push_back(getNumber(Use, MI));
  Group &Alike = Groups[{MI.getOpcode(), std::move(Read)}];
  auto *Same = find_if(Alike, [&](const auto &Others) {
    return haveSameConstants(*Others.front(), MI);
  });
  if (Same == Alike.end())
    Same = &Alike.emplace_back();
  NumberOf[&MI] = Same->empty() ? NumNumbers++ : NumberOf.lookup(Same->front());
  Same->push_back(&MI);
}

/// Finds what computes a register of an accumulator, where the same is computed
/// for another register, of the same or of what is computed of the same.
void MoveHider::collectComputedTwice() {
  auto IsStart = [&](const MachineInstr &MI) {
    const MachineOperand &Def = MI.getOperand(0);
    return isForWGMMA(Def) && isAccumulated(Def.getReg(), MRI);
  };
  auto IsComputed = [&](const MachineInstr &MI) {
    return MI.getNumExplicitDefs() == 1 && !MI.isInlineAsm() &&
           !isMove(MI, MRI) && isComputation(MI);
  };
  const bool AnyStarts = any_of(MF, [&](const MachineBasicBlock &MBB) {
    return any_of(MBB, [&](const MachineInstr &MI) {
      return IsComputed(MI) && IsStart(MI);
    });
  });
  if (!AnyStarts)
    return;
  EqualValues Equal(MF);
  ReversePostOrderTraversal<MachineFunction *> Blocks(&MF);
  for (const MachineBasicBlock *MBB : Blocks)
    for (const MachineInstr &MI : make_filter_range(*MBB, IsComputed))
      Equal.add(MI);
  Equal.visit([&](ArrayRef<const MachineInstr *> Same) {
    if (!all_equal(map_range(Same, [](const MachineInstr *MI) {
          return MI->getOperand(0).getReg();
        })))
      for (const MachineInstr *MI : Same)
        if (IsStart(*MI))
          ComputedTwice.insert(MI);
  });
}

/// Whether \p MI takes halves of 64 bits of which one is in a fragment of A, or
/// metadata.
bool MoveHider::isHalfInLateInput(const MachineInstr &MI) const {
  return takesHalves(MI) && writesAny(MI, LateInputs);
}

/// Whether \p MI gets a fragment of A from another function, as a parameter or
/// a result: these are loaded from symbols.
bool MoveHider::isPassedFragment(const MachineInstr &MI) const {
  return MI.mayLoad() && !MI.isInlineAsm() && writesAny(MI, Fragments) &&
         any_of(MI.uses(),
                [](const MachineOperand &MO) { return MO.isSymbol(); });
}

/// Whether nothing but constants go into what \p Computation computes, by way
/// of registers, which a loop may change.
static bool isComputedFromConstants(const MachineInstr &Computation,
                                    const MachineRegisterInfo &MRI) {
  if (!isComputation(Computation))
    return false;
  SmallPtrSet<const MachineInstr *, 8> Seen = {&Computation};
  SmallVector<const MachineInstr *, 8> Worklist = {&Computation};
  SmallDenseSet<Register, 8> SeenRegisters;
  while (!Worklist.empty()) {
    for (const MachineOperand &Use : Worklist.pop_back_val()->all_uses()) {
      if (!Use.getReg().isVirtual())
        return false;
      if (!SeenRegisters.insert(Use.getReg()).second)
        continue;
      // An accumulator has a def for each step: most end it at once.
      for (const MachineInstr &Def : MRI.def_instructions(Use.getReg())) {
        if (Def.isMoveImmediate() || !Seen.insert(&Def).second)
          continue;
        if (!isComputation(Def))
          return false;
        Worklist.push_back(&Def);
      }
    }
  }
  return true;
}

/// Whether \p MI computes a register of wgmma of which ptxas may know the
/// value.
bool MoveHider::isConstantOfWGMMA(const MachineInstr &MI) const {
  return any_of(
             MI.all_defs(),
             [this](const MachineOperand &Def) { return isForWGMMA(Def); }) &&
         !isMove(MI, MRI) && !MI.isTerminator() &&
         MI.getOpcode() != NVPTX::WGMMA_UNLIKE_OTHERS &&
         isComputedFromConstants(MI, MRI);
}

/// Whether \p MI compares for equality.
static bool isEquality(const MachineInstr &MI) {
  if (MI.getOpcode() != NVPTX::SETP_i32ri &&
      MI.getOpcode() != NVPTX::SETP_i32rr)
    return false;
  int64_t Mode = MI.getOperand(3).getImm();
  return Mode == NVPTX::PTXCmpMode::EQ || Mode == NVPTX::PTXCmpMode::NE;
}

/// Whether \p MI tests if a register of wgmma equals something.
bool MoveHider::testsForEquality(const MachineInstr &MI) const {
  return isEquality(MI) && any_of(MI.uses(), [&](const MachineOperand &MO) {
           return isOfWGMMA(MO);
         });
}

bool MoveHider::mustHide(MachineInstr &MI) const {
  if (MI.getOpcode() == NVPTX::WGMMA_UNLIKE_OTHERS || isHalfInLateInput(MI) ||
      isPassedFragment(MI) || isConstantOfWGMMA(MI) || isLoadedTwice(MI) ||
      ComputedTwice.contains(&MI) || testsForEquality(MI))
    return true;
  if (!isMove(MI, MRI))
    return false;
  const MachineOperand &Source = MI.getOperand(1);
  bool IsRenamed = Source.isReg() && Renamed.contains(Source.getReg());
  return !IsRenamed && (isOfWGMMA(MI.getOperand(0)) || isOfWGMMA(Source));
}

/// Whether all that \p Reg is ever set to is computed or loaded.
bool MoveHider::isComputed(Register Reg) const {
  return none_of(MRI.def_instructions(Reg), [&](const MachineInstr &Def) {
    return isMove(Def, MRI) || Def.isImplicitDef();
  });
}

/// Finds the computed values that become nothing but the start of accumulators.
void MoveHider::collectRenamed() {
  SmallVector<Register, 0> Others;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (!isMove(MI, MRI) || !MI.getOperand(1).isReg())
        continue;
      Register Name = MI.getOperand(0).getReg();
      Register Source = MI.getOperand(1).getReg();
      if (MI.getOpcode() == NVPTX::WGMMA_COPY && isAccumulated(Name, MRI) &&
          isComputed(Source) && !Registers.contains(Source))
        Renamed[Source].push_back(Name);
      else
        Others.push_back(Source);
    }
  for (Register Source : Others)
    Renamed.erase(Source);
}

/// Removes those that something needs, under whatever name, when a wgmma has
/// changed the accumulator that starts from them.
void MoveHider::keepRenamedApart() {
  DenseMap<Register, SmallVector<Register, 2>> Sources;
  for (const auto &[Source, Names] : Renamed)
    for (Register Name : Names)
      Sources[Name].push_back(Source);
  SmallVector<BitVector, 0> AtStart = findLiveRegisters(MF);
  for (const MachineBasicBlock &MBB : MF) {
    BitVector Live = findLiveAtEnd(MBB, AtStart);
    for (const MachineInstr &MI : reverse(MBB)) {
      if (isWGMMA(MI))
        for (const MachineOperand &Def : MI.defs())
          for (Register Source : Sources.lookup(Def.getReg())) {
            auto IsNeeded = [&](Register Name) {
              return Name != Def.getReg() && Live[Name.virtRegIndex()];
            };
            if (IsNeeded(Source) || any_of(Renamed.lookup(Source), IsNeeded))
              Renamed.erase(Source);
          }
      stepBackward(MI, Live);
    }
  }
}

/// Removes those that are computed while an accumulator that starts from them
/// is in flight: with one register for both, it would be written then.
void MoveHider::keepFromInFlight() {
  WGMMAInFlight InFlight(MF);
  WGMMARegisters OfWGMMA(InFlight, MRI);
  InFlight.forEach([&](const MachineInstr &MI, const WGMMAState &State) {
    if (State.none())
      return;
    for (const MachineOperand &Def : MI.all_defs())
      if (any_of(Renamed.lookup(Def.getReg()), [&](Register Name) {
            return !OfWGMMA.accumulatingIn(Name, State).empty();
          }))
        Renamed.erase(Def.getReg());
  });
}

void MoveHider::findRenamed() {
  collectRenamed();
  if (!Renamed.empty())
    keepRenamedApart();
  if (!Renamed.empty())
    keepFromInFlight();
}

/// A zero that is another one in each round of \p L, and read after its test.
Register MoveHider::getZeroOfRound(const MachineLoop &L) {
  auto [It, IsNew] = ZerosOfRounds.try_emplace(&L);
  if (!IsNew)
    return It->second;
  Register Zero = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  It->second = Zero;
  for (MachineBasicBlock *MBB : L.getHeader()->predecessors()) {
    MachineBasicBlock::iterator End = MBB->getFirstTerminator();
    const MachineLoop *Other = MLI.getLoopFor(MBB);
    if (Other && Other != &L && Other->contains(&L))
      BuildMI(*MBB, End, DebugLoc(), TII.get(TargetOpcode::COPY), Zero)
          .addReg(getZeroOfRound(*Other));
    else
      BuildMI(*MBB, End, DebugLoc(), TII.get(NVPTX::WGMMA_HIDDEN_ZERO), Zero);
  }
  return Zero;
}

/// The zero for what is moved in the block from \p Before on.
Register MoveHider::getZero(MachineInstr &Before) {
  MachineBasicBlock &MBB = *Before.getParent();
  if (const MachineLoop *L = MLI.getLoopFor(&MBB))
    return getZeroOfRound(*L);
  return readZero(MBB, Before, Before.getDebugLoc());
}

/// Moves \p Source to \p Result, hidden by \p Zero.
void MoveHider::move(Register Result, MachineBasicBlock &MBB,
                     MachineBasicBlock::iterator Where, const DebugLoc &DL,
                     Register Zero, const MachineOperand &Source) {
  unsigned Opcode =
      Source.isReg() ? NVPTX::WGMMA_HIDDEN_MOVEr : NVPTX::WGMMA_HIDDEN_MOVEi;
  BuildMI(MBB, Where, DL, TII.get(Opcode), Result)
      .addReg(Zero)
      .addImm(Mask++)
      .add(Source);
  compareForOrder(Result);
  ++NumHidden;
}

/// Compares \p Moved, where for equality with what may be zero, for order. Of a
/// register of wgmma, the result of another hidden move is compared.
void MoveHider::compareForOrder(Register Moved) {
  if (Registers.contains(Moved))
    return;
  for (MachineInstr &MI : make_early_inc_range(MRI.use_instructions(Moved)))
    if (isEquality(MI) &&
        (MI.getOperand(2).isReg() || MI.getOperand(2).getImm() == 0))
      compareForOrder(MI);
}

/// Has \p MI, a comparison with a register or zero for equality, compare for
/// order with 0 or 1.
void MoveHider::compareForOrder(MachineInstr &MI) {
  if (MI.getOperand(2).isReg()) {
    Register Compared = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(NVPTX::SUB32rr),
            Compared)
        .add(MI.getOperand(1))
        .add(MI.getOperand(2));
    MI.getOperand(1).setReg(Compared);
    MI.getOperand(1).setIsKill();
    MI.getOperand(2).ChangeToImmediate(0);
    MI.setDesc(TII.get(NVPTX::SETP_i32ri));
  }
  bool IsEqual = MI.getOperand(3).getImm() == NVPTX::PTXCmpMode::EQ;
  MI.getOperand(2).setImm(IsEqual);
  MI.getOperand(3).setImm(IsEqual ? NVPTX::PTXCmpMode::LTU
                                  : NVPTX::PTXCmpMode::GTU);
}

/// Has what \p MI computes go to registers of wgmma by hidden moves.
void MoveHider::hideResults(MachineInstr &MI, Register Zero) {
  MachineBasicBlock &MBB = *MI.getParent();
  auto Where = std::next(MI.getIterator());
  for (MachineOperand &Def : MI.all_defs()) {
    if (!isForWGMMA(Def))
      continue;
    Register OfWGMMA = Def.getReg();
    Register Computed = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    Def.setReg(Computed);
    Def.setIsDead(false);
    move(OfWGMMA, MBB, Where, MI.getDebugLoc(), Zero,
         MachineOperand::CreateReg(Computed, /*isDef=*/false, /*isImp=*/false,
                                   /*isKill=*/true));
  }
}

/// Has \p MI test results of hidden moves.
void MoveHider::hideTested(MachineInstr &MI, Register Zero) {
  for (MachineOperand &Tested : MI.uses()) {
    if (!isOfWGMMA(Tested))
      continue;
    MachineOperand Source = Tested;
    Register Moved = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    Tested.setReg(Moved);
    Tested.setIsKill();
    move(Moved, *MI.getParent(), MI, MI.getDebugLoc(), Zero, Source);
  }
}

void MoveHider::hide(MachineInstr &MI, Register Zero) {
  LLVM_DEBUG(dbgs() << "Hiding: " << MI);
  if (testsForEquality(MI)) {
    hideTested(MI, Zero);
    return;
  }
  MachineBasicBlock &MBB = *MI.getParent();
  bool IsUnlikeOthers = MI.getOpcode() == NVPTX::WGMMA_UNLIKE_OTHERS;
  if (!IsUnlikeOthers && !isMove(MI, MRI)) {
    hideResults(MI, Zero);
    return;
  }
  MachineOperand Source =
      IsUnlikeOthers ? MachineOperand::CreateImm(0) : MI.getOperand(1);
  if (Source.isFPImm())
    Source = MachineOperand::CreateImm(
        Source.getFPImm()->getValueAPF().bitcastToAPInt().getSExtValue());
  move(MI.getOperand(0).getReg(), MBB, MI, MI.getDebugLoc(), Zero, Source);
  MI.eraseFromParent();
}

bool MoveHider::run() {
  if (Registers.empty())
    return false;
  findRenamed();
  collectComputedTwice();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    Register Zero;
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (!mustHide(MI))
        continue;
      if (!Zero)
        Zero = getZero(MI);
      hide(MI, Zero);
      Changed = true;
    }
  }
  return Changed;
}

bool NVPTXHideWGMMAMoves::runOnMachineFunction(MachineFunction &MF) {
  return MoveHider(MF, getAnalysis<MachineLoopInfoWrapperPass>().getLI()).run();
}

MachineFunctionPass *llvm::createNVPTXHideWGMMAMovesPass() {
  return new NVPTXHideWGMMAMoves();
}
