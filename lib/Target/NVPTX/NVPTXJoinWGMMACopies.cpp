//===- NVPTXJoinWGMMACopies.cpp - No copies of wgmma in flight ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An accumulator in flight cannot be copied: its value is not there yet. Yet in
// IR it moves while it is in flight, through phis, from one wgmma to the next
// and through wgmma.fence_operand, and each move is a COPY by now. Most of them
// the register coalescer could remove, but it does not know which of them it
// must: given a choice, it may remove one that stands after the wait, where a
// copy does no harm, and keep the one in flight that contradicts it.
//
// This pass comes first and joins the two registers of each copy of an
// accumulator in flight, wherever their live ranges let it. All that the
// coalescer decides later, it decides about the other copies.
//
// The registers of an accumulator, and those of a fragment of A, stand in a row
// (see NVPTXWGMMATuples.h), so that two such lists are joined as a whole or not
// at all; the coalescer, which cannot do that, leaves them alone. So a second
// pass, after NVPTXHoldWGMMARegisters, does the same with the copies that are
// not in flight: those have to heed that live ranges last to the wait.
//
// Two registers that get the same constant, or copies of the same value, hold
// the same from there on, as where paths with and without a wgmma part by more
// than one branch: each phi on the way has its own zero.
//
// Where both registers are needed at a time, say for the accumulators of this
// round and the last one of a loop, the copy stays. NVPTXProtectWGMMA has the
// code wait for it then.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include <numeric>

using namespace llvm;

#define DEBUG_TYPE "nvptx-join-wgmma-copies"

STATISTIC(NumJoined, "Number of registers of wgmma joined");
STATISTIC(NumLeft, "Number of copies of accumulators in flight left");

namespace {
class JoinWGMMACopies : public MachineFunctionPass {
public:
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addPreserved<LiveIntervalsWrapperPass>();
    AU.addRequired<SlotIndexesWrapperPass>();
    AU.addPreserved<SlotIndexesWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

protected:
  JoinWGMMACopies(char &ID, bool OnlyInFlight)
      : MachineFunctionPass(ID), OnlyInFlight(OnlyInFlight) {}

private:
  void collectCopies(const WGMMAInFlight &InFlight);
  void joinCopiesInFlight();
  void joinOtherCopies();
  bool isOfAccumulatorInFlight(const MachineInstr &Copy) const;
  bool joinCopy(MachineInstr &Copy);
  bool joinTuples(WGMMATuples::Place Dst, WGMMATuples::Place Src);
  bool isMuchLonger(Register A, Register B) const;
  bool isCopyBetween(SlotIndex Def, Register A, Register B) const;
  bool writesWhatIsThere(SlotIndex Def, Register A, Register B) const;
  bool forEachMeeting(Register A, Register B,
                      function_ref<bool(SlotIndex)> Visit) const;
  bool canJoin(Register Dst, Register Src) const;
  void collectDebugValues(MachineFunction &MF);
  void dropDeadDebugValues(Register Reg);
  bool joinIntervals(Register Gone, Register Kept,
                     ArrayRef<MachineInstr *> Copies);
  void join(Register Gone, Register Kept);

  bool OnlyInFlight;
  LiveIntervals *LIS = nullptr;
  MachineRegisterInfo *MRI = nullptr;
  /// What is in flight at each copy where anything is, by its place in States.
  DenseMap<const MachineInstr *, unsigned> StateAt;
  SmallVector<BitVector> States;
  /// The numbers of the wgmma that each register is accumulated in.
  DenseMap<Register, SmallVector<unsigned, 2>> Accumulating;
  SmallVector<MachineInstr *, 0> Worklist;
  /// Those of Worklist that copy a register. May hold some that are erased.
  DenseMap<Register, SmallVector<MachineInstr *, 2>> CopiesOf;
  /// What tells a debugger of a register that was not joined yet.
  DenseMap<Register, SmallVector<MachineInstr *, 2>> DebugValues;
  /// All copies, in flight or not.
  SmallVector<MachineInstr *, 0> Copies;
  DenseSet<const MachineInstr *> Erased;
  WGMMATuples Tuples;
  SmallSetVector<Register, 16> Joined;
};

/// Joins the copies of accumulators in flight.
class NVPTXJoinWGMMACopies : public JoinWGMMACopies {
public:
  static char ID;

  NVPTXJoinWGMMACopies() : JoinWGMMACopies(ID, /*OnlyInFlight=*/true) {}

  StringRef getPassName() const override { return "NVPTX Join WGMMA Copies"; }
};

/// Joins what wgmma needs in a row, in flight or not.
class NVPTXJoinOtherWGMMACopies : public JoinWGMMACopies {
public:
  static char ID;

  NVPTXJoinOtherWGMMACopies() : JoinWGMMACopies(ID, /*OnlyInFlight=*/false) {}

  StringRef getPassName() const override {
    return "NVPTX Join Other WGMMA Copies";
  }
};
} // namespace

char NVPTXJoinWGMMACopies::ID = 0;
char NVPTXJoinOtherWGMMACopies::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXJoinWGMMACopies, DEBUG_TYPE,
                      "NVPTX Join WGMMA Copies", false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(SlotIndexesWrapperPass)
INITIALIZE_PASS_END(NVPTXJoinWGMMACopies, DEBUG_TYPE, "NVPTX Join WGMMA Copies",
                    false, false)

INITIALIZE_PASS_BEGIN(NVPTXJoinOtherWGMMACopies,
                      "nvptx-join-other-wgmma-copies",
                      "NVPTX Join Other WGMMA Copies", false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(SlotIndexesWrapperPass)
INITIALIZE_PASS_END(NVPTXJoinOtherWGMMACopies, "nvptx-join-other-wgmma-copies",
                    "NVPTX Join Other WGMMA Copies", false, false)

static bool isPlainCopy(const MachineInstr &MI) {
  return MI.isFullCopy() && MI.getOperand(0).getReg().isVirtual() &&
         MI.getOperand(1).getReg().isVirtual() && !MI.getOperand(1).isUndef();
}

void JoinWGMMACopies::collectCopies(const WGMMAInFlight &InFlight) {
  BitVector Last;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (!isPlainCopy(MI))
      return;
    Copies.push_back(&MI);
    if (State.none())
      return;
    BitVector Here = State.all();
    if (States.empty() || Here != Last) {
      States.push_back(Here);
      Last = std::move(Here);
    }
    StateAt[&MI] = States.size() - 1;
    Worklist.push_back(&MI);
    CopiesOf[MI.getOperand(1).getReg()].push_back(&MI);
  });
}

bool JoinWGMMACopies::isOfAccumulatorInFlight(const MachineInstr &Copy) const {
  auto Accumulated = Accumulating.find(Copy.getOperand(1).getReg());
  auto State = StateAt.find(&Copy);
  return Accumulated != Accumulating.end() && State != StateAt.end() &&
         any_of(Accumulated->second, [&](unsigned Number) {
           return States[State->second].test(Number);
         });
}

/// Whether the live range of \p A has more than twice the segments of that of
/// \p B, so that \p B is the one to rename.
bool JoinWGMMACopies::isMuchLonger(Register A, Register B) const {
  return LIS->getInterval(A).size() > 2 * LIS->getInterval(B).size();
}

/// Whether what stands at \p Def copies one of these registers to the other.
bool JoinWGMMACopies::isCopyBetween(SlotIndex Def, Register A,
                                    Register B) const {
  if (Def.isBlock())
    return false;
  const MachineInstr *MI = LIS->getInstructionFromIndex(Def);
  if (!MI || !MI->isFullCopy() || MI->getOperand(1).isUndef())
    return false;
  Register To = MI->getOperand(0).getReg(), From = MI->getOperand(1).getReg();
  return (To == A && From == B) || (To == B && From == A);
}

/// Whether what stands at \p Def writes the constant to one of these registers
/// that the other one holds, or a copy of the value that it is a copy of.
bool JoinWGMMACopies::writesWhatIsThere(SlotIndex Def, Register A,
                                        Register B) const {
  const MachineInstr *MI = OnlyInFlight && !Def.isBlock()
                               ? LIS->getInstructionFromIndex(Def)
                               : nullptr;
  if (!MI || (!isPlainCopy(*MI) && !isConstant(*MI)))
    return false;
  Register To = MI->getOperand(0).getReg();
  if (To != A && To != B)
    return false;
  const VNInfo *Held = LIS->getInterval(To == A ? B : A).Query(Def).valueIn();
  const MachineInstr *Holder = Held && !Held->isPHIDef()
                                   ? LIS->getInstructionFromIndex(Held->def)
                                   : nullptr;
  if (!Holder || !Holder->isIdenticalTo(*MI, MachineInstr::IgnoreDefs))
    return false;
  if (isConstant(*MI))
    return true;
  const LiveInterval &Source = LIS->getInterval(MI->getOperand(1).getReg());
  return Source.Query(Def).valueIn() == Source.Query(Held->def).valueIn();
}

/// Shows \p Visit each place from which on both registers are live, until it
/// returns false. Returns whether it never did.
bool JoinWGMMACopies::forEachMeeting(
    Register A, Register B, function_ref<bool(SlotIndex)> Visit) const {
  const LiveInterval &First = LIS->getInterval(A), &Other = LIS->getInterval(B);
  auto I = First.begin(), J = Other.begin();
  while (I != First.end() && J != Other.end()) {
    // One may be long and the other short.
    if (I->end <= J->start)
      I = First.find(J->start);
    else if (J->end <= I->start)
      J = Other.find(I->start);
    else if (!Visit(std::max(I->start, J->start)))
      return false;
    else if (I->end < J->end)
      ++I;
    else
      ++J;
  }
  return true;
}

/// Whether \p Dst and \p Src are never needed at a time for different values.
/// They may both be live from where one gets the value of the other on.
bool JoinWGMMACopies::canJoin(Register Dst, Register Src) const {
  return MRI->getRegClass(Dst) == MRI->getRegClass(Src) &&
         forEachMeeting(Dst, Src, [&](SlotIndex Def) {
           return isCopyBetween(Def, Dst, Src) ||
                  writesWhatIsThere(Def, Dst, Src);
         });
}

void JoinWGMMACopies::collectDebugValues(MachineFunction &MF) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (MI.isDebugValue())
        for (const MachineOperand &Op : MI.debug_operands())
          if (Op.isReg() && Op.getReg().isVirtual())
            DebugValues[Op.getReg()].push_back(&MI);
}

/// Drops what tells a debugger of \p Reg where \p Reg is not live any more: its
/// register may hold something else there now.
void JoinWGMMACopies::dropDeadDebugValues(Register Reg) {
  const LiveInterval &Interval = LIS->getInterval(Reg);
  const SlotIndexes &Indexes = *LIS->getSlotIndexes();
  for (MachineInstr *User : DebugValues.lookup(Reg))
    if (User->hasDebugOperandForReg(Reg) &&
        !Interval.liveAt(Indexes.getIndexBefore(*User).getDeadSlot()))
      User->setDebugValueUndef();
  // Where it is live now, it stays live.
  DebugValues.erase(Reg);
}

/// Adds the live range of \p Gone to that of \p Kept. The value that each of
/// \p Copies defines becomes the one that the other register holds: computed
/// anew, the live range of a register that many are joined to would take a time
/// that grows with the square of their number. Returns whether one of these
/// copies is unused, so that the live range may end where it stands.
bool JoinWGMMACopies::joinIntervals(Register Gone, Register Kept,
                                    ArrayRef<MachineInstr *> Copies) {
  LiveInterval &From = LIS->getInterval(Gone), &To = LIS->getInterval(Kept);
  SmallVector<VNInfo *, 16> Values(To.vnis());
  append_range(Values, From.vnis());
  SmallVector<int, 16> Numbers(Values.size());
  std::iota(Numbers.begin(), Numbers.end(), 0);
  unsigned FirstOfFrom = To.getNumValNums();
  auto GetNumber = [&](const LiveInterval *LI, const VNInfo *Value) {
    return LI == &To ? Value->id : FirstOfFrom + Value->id;
  };

  bool HasDeadCopy = false;
  for (const MachineInstr *Copy : Copies) {
    SlotIndex Def = LIS->getInstructionIndex(*Copy).getRegSlot();
    LiveInterval *LI = Copy->getOperand(0).getReg() == Kept ? &To : &From;
    HasDeadCopy |= LI->Query(Def).isDeadDef();
    unsigned Number = GetNumber(LI, LI->getVNInfoAt(Def));
    // What is copied may be a copy itself.
    const VNInfo *Source;
    do {
      LI = LI == &To ? &From : &To;
      Source = LI->Query(Def).valueIn();
      Def = Source->def;
    } while (isCopyBetween(Def, Gone, Kept) ||
             writesWhatIsThere(Def, Gone, Kept));
    Numbers[Number] = GetNumber(LI, Source);
    Values[Number] = nullptr;
  }
  // join() wants the values that are left in a row.
  SmallVector<int, 16> NewNumbers;
  SmallVector<VNInfo *, 16> Left;
  for (VNInfo *Value : Values) {
    NewNumbers.push_back(Left.size());
    if (Value)
      Left.push_back(Value);
  }
  for (int &Number : Numbers)
    Number = NewNumbers[Number];
  To.join(From, Numbers.data(), Numbers.data() + FirstOfFrom, Left);
  LIS->removeInterval(Gone);
  return HasDeadCopy;
}

/// Makes one register of \p Gone and \p Kept.
void JoinWGMMACopies::join(Register Gone, Register Kept) {
  LLVM_DEBUG(dbgs() << "Joining " << printReg(Gone) << " to " << printReg(Kept)
                    << '\n');
  dropDeadDebugValues(Gone);
  dropDeadDebugValues(Kept);
  MRI->clearKillFlags(Gone);
  if (Joined.insert(Kept))
    MRI->clearKillFlags(Kept);

  SmallVector<MachineInstr *, 4> Identities;
  for (MachineInstr &MI : MRI->reg_nodbg_instructions(Gone))
    if (isCopyBetween(LIS->getInstructionIndex(MI).getRegSlot(), Gone, Kept))
      Identities.push_back(&MI);
  forEachMeeting(Gone, Kept, [&](SlotIndex Def) {
    if (writesWhatIsThere(Def, Gone, Kept))
      Identities.push_back(LIS->getInstructionFromIndex(Def));
    return true;
  });
  bool HasDeadCopy = joinIntervals(Gone, Kept, Identities);
  MRI->replaceRegWith(Gone, Kept);
  for (MachineInstr *MI : Identities) {
    // Copied from another register, which may be needed no longer then.
    Register Other = isPlainCopy(*MI) ? MI->getOperand(1).getReg() : Register();
    Erased.insert(MI);
    LIS->RemoveMachineInstrFromMaps(*MI);
    MI->eraseFromParent();
    if (Other && Other != Kept && LIS->shrinkToUses(&LIS->getInterval(Other)))
      Joined.insert(Other);
  }
  if (HasDeadCopy)
    LIS->shrinkToUses(&LIS->getInterval(Kept));

  if (auto Merged = Accumulating.find(Gone); Merged != Accumulating.end()) {
    SmallVector<unsigned, 2> Numbers = std::move(Merged->second);
    Accumulating.erase(Merged);
    append_range(Accumulating[Kept], Numbers);
  }
  // What was in one of them alone before is now known to be in flight.
  SmallVector<MachineInstr *, 2> Users = CopiesOf.lookup(Gone);
  CopiesOf.erase(Gone);
  SmallVector<MachineInstr *, 2> &All = CopiesOf[Kept];
  append_range(All, Users);
  erase_if(All, [&](MachineInstr *MI) { return Erased.contains(MI); });
  append_range(Worklist, All);
  ++NumJoined;
}

/// Joins the tuples of \p Dst and \p Src, if they are of one kind and all of
/// their registers can be joined.
bool JoinWGMMACopies::joinTuples(WGMMATuples::Place Dst,
                                 WGMMATuples::Place Src) {
  SmallVector<Register, 128> From(Tuples[Dst.Tuple]), To(Tuples[Src.Tuple]);
  if (Dst.Tuple == Src.Tuple || Dst.Index != Src.Index ||
      From.size() != To.size() ||
      Tuples.getKind(Dst.Tuple) != Tuples.getKind(Src.Tuple) ||
      !all_of(zip_equal(From, To), [&](auto Pair) {
        return canJoin(std::get<0>(Pair), std::get<1>(Pair));
      }))
    return false;
  if (isMuchLonger(From[0], To[0])) {
    std::swap(From, To);
    std::swap(Dst, Src);
  }
  Tuples.forget(Dst.Tuple);
  for (auto [F, T] : zip_equal(From, To))
    join(F, T);
  return true;
}

bool JoinWGMMACopies::joinCopy(MachineInstr &Copy) {
  Register Dst = Copy.getOperand(0).getReg();
  Register Src = Copy.getOperand(1).getReg();
  std::optional<WGMMATuples::Place> DstPlace = Tuples.find(Dst);
  std::optional<WGMMATuples::Place> SrcPlace = Tuples.find(Src);
  if (DstPlace && SrcPlace)
    return joinTuples(*DstPlace, *SrcPlace);
  if (!canJoin(Dst, Src))
    return false;
  if (isMuchLonger(Dst, Src))
    std::swap(Dst, Src);
  Tuples.rename(Dst, Src);
  join(Dst, Src);
  return true;
}

void JoinWGMMACopies::joinCopiesInFlight() {
  // In the order of the code: where two copies contradict each other, the one
  // inside a loop stays, and what comes before the loop need not be waited for.
  for (size_t I = 0; I != Worklist.size(); ++I) {
    MachineInstr *Copy = Worklist[I];
    if (Erased.contains(Copy) || !isOfAccumulatorInFlight(*Copy) ||
        joinCopy(*Copy))
      continue;
    LLVM_DEBUG(dbgs() << "Left: " << *Copy);
    ++NumLeft;
  }
}

void JoinWGMMACopies::joinOtherCopies() {
  // Joining makes tuples of what was none before.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineInstr *Copy : Copies)
      if (!Erased.contains(Copy) &&
          (Tuples.find(Copy->getOperand(0).getReg()) ||
           Tuples.find(Copy->getOperand(1).getReg())))
        Changed |= joinCopy(*Copy);
  }
}

bool JoinWGMMACopies::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  LIS = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  MRI = &MF.getRegInfo();
  StateAt.clear();
  States.clear();
  Accumulating.clear();
  Worklist.clear();
  CopiesOf.clear();
  DebugValues.clear();
  Copies.clear();
  Erased.clear();
  Joined.clear();
  Tuples = collectWGMMATuples(MF);

  for (auto [Number, MI] : enumerate(InFlight.wgmmas()))
    for (const MachineOperand &Def : MI->defs())
      Accumulating[Def.getReg()].push_back(Number);
  collectCopies(InFlight);
  collectDebugValues(MF);
  if (OnlyInFlight)
    joinCopiesInFlight();
  else
    joinOtherCopies();

  // What has nothing to do with each other goes apart again.
  for (Register Reg : Joined)
    if (LIS->hasInterval(Reg)) {
      SmallVector<LiveInterval *, 8> Parts;
      LIS->splitSeparateComponents(LIS->getInterval(Reg), Parts);
    }
  return !Joined.empty();
}

MachineFunctionPass *llvm::createNVPTXJoinWGMMACopiesPass() {
  return new NVPTXJoinWGMMACopies();
}

MachineFunctionPass *llvm::createNVPTXJoinOtherWGMMACopiesPass() {
  return new NVPTXJoinOtherWGMMACopies();
}
