//===- NVPTXRejoinWGMMATuples.cpp - All registers of an accumulator, or none =//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas serializes the wgmma of a function (C7511) in which two lists of
// registers have some in common and others not:
//
//   wgmma ... {%r0, %r1, %r2, %r3}
//   wgmma.wait_group 0
//   %r4 = mov ...                    this element starts anew
//   wgmma ... {%r0, %r1, %r4, %r3}
//
// NVPTXJoinWGMMACopies joins such lists as a whole. But a register whose value
// is replaced has a live range in two pieces that nothing connects, and these
// get a register each again, as all passes that keep live ranges want it.
//
// This pass gives them one register, where no other value needs it meanwhile.
// A value that is there too early, while the wgmma before still needs the
// register, is copied to it ahead of its own wgmma.
//
// Where another value does need the register, the second wgmma goes on in
// registers of its own instead of those that the two have in common, which are
// copied ahead of it. Where what it leaves meets there what the first one has
// left, all of its registers are its own, and copied after it, too: after the
// wait for it, where that is in its block. NVPTXProtectWGMMA has copies of what
// is in flight wait for it, and warns.
//
// It runs after all that uses live ranges, in optimized code alone. Waits have
// the operands yet that NVPTXHoldWGMMARegisters gave them: they keep a register
// from others, and are no use of its value.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-rejoin-wgmma-tuples"

STATISTIC(NumCopied, "Number of values copied ahead of their wgmma");
STATISTIC(NumIsolated, "Number of chains of wgmma isolated");
STATISTIC(NumRejoined, "Number of registers of wgmma joined again");
STATISTIC(NumSeparated, "Number of registers of wgmma separated");

namespace {
class NVPTXRejoinWGMMATuples : public MachineFunctionPass {
public:
  static char ID;

  NVPTXRejoinWGMMATuples() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Rejoin WGMMA Tuples"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addRequired<SlotIndexesWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  /// A part of the values of a register, which gets a register of its own.
  struct Part {
    SmallPtrSet<const VNInfo *, 8> Values;
    /// The wgmma that leave a value of this part in their accumulator.
    SmallPtrSet<const MachineInstr *, 4> Members;
    /// The first of them, and those that go on from a value of this part in the
    /// old register: ahead of each is a copy.
    SmallVector<MachineInstr *, 2> Ends;
  };

  /// A wgmma and those of its block that go on in the same registers.
  struct Chain {
    SmallVector<MachineInstr *, 4> Members;
    /// The waits of the block that hold these registers.
    SmallVector<MachineInstr *, 2> Waits;
    /// After all these, before anything else uses one of the registers.
    MachineBasicBlock::iterator After;
  };

  std::optional<unsigned> findTuple(ArrayRef<Register> Registers,
                                    WGMMATuples::Kind Kind) const;
  bool canJoin(Register Kept, Register Gone) const;
  bool hasValue(const MachineOperand &MO, const LiveInterval &Range,
                const VNInfo *Value) const;
  bool canCopyAhead(Register Kept, Register Gone,
                    const MachineInstr &WGMMA) const;
  void addCopy(MachineBasicBlock::iterator Where, MachineInstr &WGMMA,
               Register To, Register From);
  void copyAhead(Register Gone, MachineInstr &WGMMA);
  bool rejoin(MachineInstr &WGMMA, ArrayRef<Register> Registers,
              WGMMATuples::Kind Kind);
  void join(Register Kept, Register Gone);
  void dropDeadDebugValues(Register Reg);
  const VNInfo *getValueBefore(const LiveInterval &Range,
                               const MachineInstr &MI) const {
    return Range.getVNInfoBefore(LIS->getInstructionIndex(MI));
  }
  const VNInfo *getValueAfter(const LiveInterval &Range,
                              const MachineInstr &MI) const {
    return Range.getVNInfoAt(LIS->getInstructionIndex(MI).getRegSlot());
  }
  IntEqClasses classifyValues(const LiveInterval &Range,
                              ArrayRef<MachineInstr *> Tied,
                              const MachineInstr &WGMMA,
                              ArrayRef<Register> Registers) const;
  std::optional<Part> findPart(Register Reg, MachineInstr &WGMMA,
                               ArrayRef<Register> Registers);
  Register splitOff(Register Reg, const Part &P);
  bool separate(MachineInstr &WGMMA, ArrayRef<Register> Registers);
  static Chain findChain(MachineInstr &First, ArrayRef<Register> Registers);
  bool isNeededAfter(const Chain &C, Register Reg, bool IsUndef) const;
  void giveOwnRegister(const Chain &C, unsigned Index, bool IsNeeded);
  void isolate(MachineInstr &First, ArrayRef<Register> Registers);

  LiveIntervals *LIS = nullptr;
  MachineRegisterInfo *MRI = nullptr;
  const TargetInstrInfo *TII = nullptr;
  WGMMATuples Tuples;
};
} // namespace

char NVPTXRejoinWGMMATuples::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRejoinWGMMATuples, DEBUG_TYPE,
                      "NVPTX Rejoin WGMMA Tuples", false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(SlotIndexesWrapperPass)
INITIALIZE_PASS_END(NVPTXRejoinWGMMATuples, DEBUG_TYPE,
                    "NVPTX Rejoin WGMMA Tuples", false, false)

/// The tuple that shares registers with \p Registers, each in its place.
std::optional<unsigned>
NVPTXRejoinWGMMATuples::findTuple(ArrayRef<Register> Registers,
                                  WGMMATuples::Kind Kind) const {
  std::optional<unsigned> Found;
  for (auto [Index, Reg] : enumerate(Registers))
    if (std::optional<WGMMATuples::Place> Place = Tuples.find(Reg)) {
      if (Place->Index != Index || Found.value_or(Place->Tuple) != Place->Tuple)
        return std::nullopt;
      Found = Place->Tuple;
    }
  if (!Found || Tuples.getKind(*Found) != Kind ||
      Tuples[*Found].size() != Registers.size())
    return std::nullopt;
  return Found;
}

bool NVPTXRejoinWGMMATuples::canJoin(Register Kept, Register Gone) const {
  return Kept == Gone ||
         (MRI->getRegClass(Kept) == MRI->getRegClass(Gone) &&
          !LIS->getInterval(Kept).overlaps(LIS->getInterval(Gone)));
}

/// Whether \p MO, of a register with this range, has \p Value.
bool NVPTXRejoinWGMMATuples::hasValue(const MachineOperand &MO,
                                      const LiveInterval &Range,
                                      const VNInfo *Value) const {
  const MachineInstr &MI = *MO.getParent();
  return Value ==
         (MO.isDef() ? getValueAfter(Range, MI) : getValueBefore(Range, MI));
}

/// Whether the value that \p Gone brings to the accumulator of \p WGMMA can be
/// copied there at the last moment, so that \p Kept is free for it.
bool NVPTXRejoinWGMMATuples::canCopyAhead(Register Kept, Register Gone,
                                          const MachineInstr &WGMMA) const {
  if (MRI->getRegClass(Kept) != MRI->getRegClass(Gone))
    return false;
  const LiveInterval &KeptRange = LIS->getInterval(Kept);
  const LiveInterval &Range = LIS->getInterval(Gone);
  const VNInfo *Value = getValueBefore(Range, WGMMA);
  if (!Value || Value->isPHIDef() ||
      KeptRange.liveAt(LIS->getInstructionIndex(WGMMA)))
    return false;
  // The value goes nowhere else by way of a phi.
  for (const VNInfo *Other : Range.valnos)
    if (!Other->isUnused() && Other->isPHIDef())
      for (const MachineBasicBlock *Predecessor :
           LIS->getMBBFromIndex(Other->def)->predecessors())
        if (Range.getVNInfoBefore(LIS->getMBBEndIdx(Predecessor)) == Value)
          return false;
  // No instruction wants the value in the register of another value.
  for (const MachineOperand &MO : MRI->reg_nodbg_operands(Gone))
    if (MO.getParent() != &WGMMA && isTied(MO) && hasValue(MO, Range, Value))
      return false;
  return none_of(Range, [&](const LiveRange::Segment &S) {
    return S.valno != Value && KeptRange.overlaps(S.start, S.end);
  });
}

/// Copies a value of \p WGMMA, in its block.
void NVPTXRejoinWGMMATuples::addCopy(MachineBasicBlock::iterator Where,
                                     MachineInstr &WGMMA, Register To,
                                     Register From) {
  LIS->InsertMachineInstrInMaps(*BuildMI(*WGMMA.getParent(), Where,
                                         WGMMA.getDebugLoc(),
                                         TII->get(TargetOpcode::COPY), To)
                                     .addReg(From));
}

void NVPTXRejoinWGMMATuples::copyAhead(Register Gone, MachineInstr &WGMMA) {
  const LiveInterval &Range = LIS->getInterval(Gone);
  const VNInfo *Value = getValueBefore(Range, WGMMA);
  Register Early = MRI->cloneVirtualRegister(Gone);
  LLVM_DEBUG(dbgs() << "Copying " << printReg(Gone) << " ahead of: " << WGMMA);
  for (MachineOperand &MO : make_early_inc_range(MRI->reg_operands(Gone))) {
    MachineInstr &MI = *MO.getParent();
    if (&MI == &WGMMA)
      continue;
    if (MI.isDebugInstr()) {
      MI.setDebugValueUndef();
      continue;
    }
    if (hasValue(MO, Range, Value))
      MO.setReg(Early);
  }
  addCopy(WGMMA, WGMMA, Gone, Early);
  LIS->removeInterval(Gone);
  LIS->createAndComputeVirtRegInterval(Gone);
  LIS->createAndComputeVirtRegInterval(Early);
  ++NumCopied;
}

/// Drops what tells a debugger of \p Reg where \p Reg is not live: it is about
/// to hold something else there.
void NVPTXRejoinWGMMATuples::dropDeadDebugValues(Register Reg) {
  const LiveInterval &Interval = LIS->getInterval(Reg);
  const SlotIndexes &Indexes = *LIS->getSlotIndexes();
  for (MachineInstr &User : make_early_inc_range(MRI->use_instructions(Reg)))
    if (User.isDebugValue() &&
        !Interval.liveAt(Indexes.getIndexBefore(User).getDeadSlot()))
      User.setDebugValueUndef();
}

void NVPTXRejoinWGMMATuples::join(Register Kept, Register Gone) {
  LLVM_DEBUG(dbgs() << "Joining " << printReg(Gone) << " to " << printReg(Kept)
                    << '\n');
  dropDeadDebugValues(Kept);
  dropDeadDebugValues(Gone);
  MRI->replaceRegWith(Gone, Kept);
  MRI->clearKillFlags(Kept);
  LIS->removeInterval(Gone);
  LIS->removeInterval(Kept);
  LIS->createAndComputeVirtRegInterval(Kept);
  ++NumRejoined;
}

/// The instructions that write \p Reg in place of a value that they read there.
static SmallVector<MachineInstr *, 8> findTied(Register Reg,
                                               const MachineRegisterInfo &MRI) {
  SmallVector<MachineInstr *, 8> Tied;
  for (MachineOperand &MO : MRI.def_operands(Reg))
    if (isTied(MO))
      Tied.push_back(MO.getParent());
  return Tied;
}

/// The values of a register, by their numbers, in classes that must not be
/// parted: a phi and what it merges, and what an instruction of \p Tied reads
/// and what it leaves there. Not those of \p WGMMA, nor of a wgmma that
/// accumulates in others than \p Registers.
IntEqClasses NVPTXRejoinWGMMATuples::classifyValues(
    const LiveInterval &Range, ArrayRef<MachineInstr *> Tied,
    const MachineInstr &WGMMA, ArrayRef<Register> Registers) const {
  IntEqClasses Classes(Range.getNumValNums());
  auto Join = [&](const VNInfo *One, const VNInfo *Other) {
    if (One && Other)
      Classes.join(One->id, Other->id);
  };
  for (const VNInfo *Value : Range.valnos)
    if (!Value->isUnused() && Value->isPHIDef())
      for (const MachineBasicBlock *Predecessor :
           LIS->getMBBFromIndex(Value->def)->predecessors())
        Join(Range.getVNInfoBefore(LIS->getMBBEndIdx(Predecessor)), Value);
  for (const MachineInstr *MI : Tied)
    if (MI != &WGMMA &&
        (!isWGMMA(*MI) || ArrayRef(getAccumulator(*MI)) == Registers))
      Join(getValueBefore(Range, *MI), getValueAfter(Range, *MI));
  Classes.compress();
  return Classes;
}

/// The values of \p Reg that come from what \p WGMMA leaves there: by way of
/// phis, and of other wgmma that accumulate in all of \p Registers. Nothing if
/// what it starts from is one of them, or if a wgmma with other registers
/// leaves one.
std::optional<NVPTXRejoinWGMMATuples::Part>
NVPTXRejoinWGMMATuples::findPart(Register Reg, MachineInstr &WGMMA,
                                 ArrayRef<Register> Registers) {
  const LiveInterval &Range = LIS->getInterval(Reg);
  SmallVector<MachineInstr *, 8> Tied = findTied(Reg, *MRI);
  IntEqClasses Classes = classifyValues(Range, Tied, WGMMA, Registers);
  unsigned Ours = Classes[getValueAfter(Range, WGMMA)->id];
  Part P;
  for (const VNInfo *Value : Range.valnos)
    if (Classes[Value->id] == Ours)
      P.Values.insert(Value);
  if (P.Values.contains(getValueBefore(Range, WGMMA)))
    return std::nullopt;
  for (MachineInstr *MI : Tied) {
    bool IsMember = P.Values.contains(getValueAfter(Range, *MI));
    if (IsMember && ArrayRef(getAccumulator(*MI)) != Registers)
      return std::nullopt;
    if (IsMember)
      P.Members.insert(MI);
    if (const VNInfo *Use = getValueBefore(Range, *MI);
        Use && P.Values.contains(Use) != IsMember) {
      P.Ends.push_back(MI);
    }
  }
  return P;
}

/// Gives \p P, a part of the values of \p Reg, a register of its own.
Register NVPTXRejoinWGMMATuples::splitOff(Register Reg, const Part &P) {
  const LiveInterval &Range = LIS->getInterval(Reg);
  const SlotIndexes &Indexes = *LIS->getSlotIndexes();
  Register New = MRI->cloneVirtualRegister(Reg);
  LLVM_DEBUG(dbgs() << "Separating " << printReg(New) << " from "
                    << printReg(Reg) << '\n');
  SmallVector<MachineOperand *, 8> Operands;
  for (MachineOperand &MO : MRI->reg_operands(Reg)) {
    MachineInstr &MI = *MO.getParent();
    SlotIndex Here = MI.isDebugInstr()
                         ? Indexes.getIndexBefore(MI).getDeadSlot()
                         : LIS->getInstructionIndex(MI);
    // A tied operand goes with the value that is left there.
    const VNInfo *Value = MO.isDef() || isTied(MO)
                              ? Range.getVNInfoAt(Here.getRegSlot())
                          : MI.isDebugInstr() ? Range.getVNInfoAt(Here)
                                              : Range.getVNInfoBefore(Here);
    if (Value && P.Values.contains(Value))
      Operands.push_back(&MO);
  }
  for (MachineOperand *MO : Operands)
    MO->setReg(New);
  for (MachineInstr *MI : P.Ends) {
    bool IsIntoNew = is_contained(getAccumulator(*MI), New);
    addCopy(*MI, *MI, IsIntoNew ? New : Reg, IsIntoNew ? Reg : New);
  }
  MRI->clearKillFlags(Reg);
  MRI->clearKillFlags(New);
  LIS->removeInterval(Reg);
  LIS->createAndComputeVirtRegInterval(Reg);
  LIS->createAndComputeVirtRegInterval(New);
  ++NumSeparated;
  return New;
}

/// Gives \p WGMMA, which accumulates in \p Registers, others for those that are
/// in a tuple already.
bool NVPTXRejoinWGMMATuples::separate(MachineInstr &WGMMA,
                                      ArrayRef<Register> Registers) {
  SmallVector<std::pair<Register, Part>, 8> Parts;
  for (Register Reg : Registers)
    if (Tuples.find(Reg)) {
      std::optional<Part> P = findPart(Reg, WGMMA, Registers);
      if (!P || (!Parts.empty() && P->Members != Parts[0].second.Members))
        return false;
      Parts.emplace_back(Reg, std::move(*P));
    }
  for (auto &[Reg, P] : Parts)
    splitOff(Reg, P);
  Tuples.add(getAccumulator(WGMMA), WGMMATuples::Kind::Accumulator);
  return true;
}

/// Whether \p MO does no more than hold its register for a wgmma in flight.
static bool isHeld(const MachineOperand &MO) {
  const MachineInstr &MI = *MO.getParent();
  return MO.isImplicit() && MO.isUse() && (isWGMMAWait(MI) || MI.isReturn());
}

NVPTXRejoinWGMMATuples::Chain
NVPTXRejoinWGMMATuples::findChain(MachineInstr &First,
                                  ArrayRef<Register> Registers) {
  MachineBasicBlock::iterator Next = std::next(First.getIterator());
  Chain Found = {{&First}, {}, Next};
  for (; Next != First.getParent()->getFirstTerminator(); ++Next) {
    if (Next->isDebugInstr())
      continue;
    bool GoesOn =
        isWGMMA(*Next) && ArrayRef(getAccumulator(*Next)) == Registers;
    bool Holds = false;
    for (const MachineOperand &MO : Next->operands()) {
      if (!MO.isReg() || !is_contained(Registers, MO.getReg()) ||
          (GoesOn && isTied(MO)))
        continue;
      if (!isHeld(MO))
        return Found;
      Holds = true;
    }
    if (GoesOn)
      Found.Members.push_back(&*Next);
    if (Holds)
      Found.Waits.push_back(&*Next);
    if (GoesOn || Holds)
      Found.After = std::next(Next);
  }
  return Found;
}

/// Whether anything needs the value that \p C leaves in \p Reg, one of its
/// registers. Those that hold it do not, unless it has no other value for them:
/// where it \p IsUndef ahead of the chain.
bool NVPTXRejoinWGMMATuples::isNeededAfter(const Chain &C, Register Reg,
                                           bool IsUndef) const {
  const LiveInterval &Range = LIS->getInterval(Reg);
  // With what it becomes by way of phis.
  SmallSetVector<const VNInfo *, 4> Values;
  Values.insert(getValueAfter(Range, *C.Members.back()));
  for (unsigned I = 0; I != Values.size(); ++I)
    for (const VNInfo *Value : Range.valnos)
      if (!Value->isUnused() && Value->isPHIDef() &&
          any_of(LIS->getMBBFromIndex(Value->def)->predecessors(),
                 [&](const MachineBasicBlock *Predecessor) {
                   return Values[I] ==
                          Range.getVNInfoBefore(LIS->getMBBEndIdx(Predecessor));
                 }))
        Values.insert(Value);
  return any_of(MRI->use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
    return !MO.isUndef() && (IsUndef || !isHeld(MO)) &&
           !is_contained(C.Waits, MO.getParent()) &&
           Values.contains(getValueBefore(Range, *MO.getParent()));
  });
}

/// Has \p C use another register for its register \p Index, whose value is
/// copied there, and back if it \p IsNeeded.
void NVPTXRejoinWGMMATuples::giveOwnRegister(const Chain &C, unsigned Index,
                                             bool IsNeeded) {
  MachineInstr &First = *C.Members.front();
  unsigned Size = First.getDesc().getNumDefs();
  Register Reg = First.getOperand(Index).getReg();
  Register Own = MRI->cloneVirtualRegister(Reg);
  if (!First.getOperand(Size + Index).isUndef())
    addCopy(First, First, Own, Reg);
  if (IsNeeded)
    addCopy(C.After, First, Reg, Own);
  for (MachineInstr *MI : C.Members) {
    MI->getOperand(Index).setReg(Own);
    MI->getOperand(Size + Index).setReg(Own);
  }
  for (MachineInstr *Wait : C.Waits)
    for (MachineOperand &MO : Wait->operands())
      if (MO.isReg() && MO.getReg() == Reg)
        MO.setReg(Own);
  MRI->clearKillFlags(Reg);
  MRI->clearKillFlags(Own);
  LIS->removeInterval(Reg);
  LIS->createAndComputeVirtRegInterval(Reg);
  const LiveInterval &Range = LIS->createAndComputeVirtRegInterval(Own);
  for (MachineOperand &Def : MRI->def_operands(Own)) {
    SlotIndex Here = LIS->getInstructionIndex(*Def.getParent());
    Def.setIsDead(Range.Query(Here).isDeadDef());
  }
}

/// Has \p First, and what goes on from it in its block, accumulate in registers
/// of its own, which the values of \p Registers are copied to and from.
void NVPTXRejoinWGMMATuples::isolate(MachineInstr &First,
                                     ArrayRef<Register> Registers) {
  LLVM_DEBUG(dbgs() << "Isolating " << First);
  Chain C = findChain(First, Registers);
  for (auto [Index, Reg] : enumerate(Registers)) {
    bool IsUndef = First.getOperand(Registers.size() + Index).isUndef();
    giveOwnRegister(C, Index, isNeededAfter(C, Reg, IsUndef));
  }
  Tuples.add(getAccumulator(First), WGMMATuples::Kind::Accumulator);
  ++NumIsolated;
}

/// Gives \p Registers of \p WGMMA those of the tuple that they share some with,
/// or none of them.
bool NVPTXRejoinWGMMATuples::rejoin(MachineInstr &WGMMA,
                                    ArrayRef<Register> Registers,
                                    WGMMATuples::Kind Kind) {
  if (Tuples.add(Registers, Kind))
    return false;
  std::optional<unsigned> Tuple = findTuple(Registers, Kind);
  if (!Tuple || !all_of(zip_equal(Tuples[*Tuple], Registers), [&](auto Pair) {
        auto [Kept, Gone] = Pair;
        return canJoin(Kept, Gone) || (Kind == WGMMATuples::Kind::Accumulator &&
                                       canCopyAhead(Kept, Gone, WGMMA));
      })) {
    if (Kind != WGMMATuples::Kind::Accumulator)
      return false;
    if (!separate(WGMMA, Registers))
      isolate(WGMMA, Registers);
    return true;
  }
  for (auto [Kept, Gone] : zip_equal(Tuples[*Tuple], Registers)) {
    if (Kept == Gone)
      continue;
    if (!canJoin(Kept, Gone))
      copyAhead(Gone, WGMMA);
    join(Kept, Gone);
  }
  return true;
}

bool NVPTXRejoinWGMMATuples::runOnMachineFunction(MachineFunction &MF) {
  SmallVector<MachineInstr *, 0> WGMMAs;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        WGMMAs.push_back(&MI);
  if (WGMMAs.empty())
    return false;
  LIS = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  MRI = &MF.getRegInfo();
  TII = MF.getSubtarget().getInstrInfo();
  Tuples = WGMMATuples();

  bool Changed = false;
  for (MachineInstr *MI : WGMMAs)
    Changed |= rejoin(*MI, getAccumulator(*MI), WGMMATuples::Kind::Accumulator);
  for (MachineInstr *MI : WGMMAs)
    if (auto Fragment = getFragmentOfA(*MI, *MRI); !Fragment.empty())
      Changed |= rejoin(*MI, Fragment, WGMMATuples::Kind::FragmentOfA);
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRejoinWGMMATuplesPass() {
  return new NVPTXRejoinWGMMATuples();
}
