//===- NVPTXHoldWGMMARegisters.cpp - Keep registers for wgmma in flight ---===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async uses its registers until a wgmma.wait_group retires it: it
// writes the accumulator late, and late it reads a fragment of A and the
// sparsity metadata. To everything that computes with live ranges such a
// register is free from its last use in the code on, which is the wgmma itself
// more often than not. The register coalescer then gives it to other values:
//
//   loop:  wgmma ..., %meta     (committed, not waited for)
//          %next = load         becomes %meta, and is overwritten by the load
//          wgmma.wait_group 0
//          %meta = COPY %next
//
// On an H200 that gave wrong results.
//
// This pass makes live ranges tell the truth. Every wait for a wgmma uses its
// registers, implicitly, and so does every return on whose way there is none.
// From there on, coalescing can as little give away a register in flight as any
// other that is in use. NVPTXProtectWGMMA takes the operands off again.
//
// A wait may be reached on other ways than through the wgmma. On those the
// register may not have been written at all, which an IMPLICIT_DEF at the
// function's start makes known.
//
// Invariant: where a wgmma may be in flight, its registers are live, but in a
// loop that is never left and never waits.
//
// It runs after NVPTXJoinWGMMACopies and before the register coalescer, in
// optimized code alone: without optimization nothing is coalesced. Not before
// NVPTXJoinWGMMACopies, since an accumulator in flight that moves on to another
// register is not needed in the old one any more.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-hold-wgmma-registers"

STATISTIC(NumHeld, "Number of registers held for a wgmma until a wait");

namespace {
class NVPTXHoldWGMMARegisters : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHoldWGMMARegisters() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Hold WGMMA Registers";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addPreserved<MachineDominatorTreeWrapperPass>();
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addPreserved<LiveIntervalsWrapperPass>();
    AU.addRequired<SlotIndexesWrapperPass>();
    AU.addPreserved<SlotIndexesWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  using RegisterSet = SmallSetVector<Register, 16>;

  RegisterSet getRegistersInFlight(const WGMMAInFlight &InFlight,
                                   const WGMMAState &State) const;
  void hold(MachineInstr &MI, ArrayRef<Register> Registers);
  bool isDefinedOnAllPathsTo(const MachineInstr &MI, Register Reg) const;

  void defineAtStart(MachineFunction &MF, Register Reg);
  void markDeadDefs(Register Reg);

  MachineRegisterInfo *MRI = nullptr;
  LiveIntervals *LIS = nullptr;
  const MachineDominatorTree *MDT = nullptr;
};
} // namespace

char NVPTXHoldWGMMARegisters::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXHoldWGMMARegisters, DEBUG_TYPE,
                      "NVPTX Hold WGMMA Registers", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(SlotIndexesWrapperPass)
INITIALIZE_PASS_END(NVPTXHoldWGMMARegisters, DEBUG_TYPE,
                    "NVPTX Hold WGMMA Registers", false, false)

NVPTXHoldWGMMARegisters::RegisterSet
NVPTXHoldWGMMARegisters::getRegistersInFlight(const WGMMAInFlight &InFlight,
                                              const WGMMAState &State) const {
  RegisterSet Registers;
  const BitVector Numbers = State.all();
  for (unsigned Number : Numbers.set_bits()) {
    const MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
    for (const MachineOperand &Def : WGMMA.defs())
      Registers.insert(Def.getReg());
    Registers.insert_range(getLateInputs(WGMMA, *MRI));
  }
  return Registers;
}

/// Whether \p Reg has a value at \p MI, whichever way led there.
bool NVPTXHoldWGMMARegisters::isDefinedOnAllPathsTo(const MachineInstr &MI,
                                                    Register Reg) const {
  SmallPtrSet<const MachineBasicBlock *, 8> Defining;
  for (const MachineInstr &Def : MRI->def_instructions(Reg)) {
    // By indices: to ask the tree of two instructions walks their block.
    if (Def.getParent() == MI.getParent()
            ? LIS->getInstructionIndex(Def) < LIS->getInstructionIndex(MI)
            : MDT->dominates(Def.getParent(), MI.getParent()))
      return true;
    Defining.insert(Def.getParent());
  }
  // From here backwards to the function's start, if no block defines it.
  SmallVector<const MachineBasicBlock *, 8> Worklist = {MI.getParent()};
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.pop_back_val();
    if (MBB->pred_empty())
      return false;
    for (const MachineBasicBlock *Pred : MBB->predecessors())
      if (!Defining.contains(Pred) && Seen.insert(Pred).second)
        Worklist.push_back(Pred);
  }
  return true;
}

void NVPTXHoldWGMMARegisters::defineAtStart(MachineFunction &MF, Register Reg) {
  MachineBasicBlock &Start = MF.front();
  MachineInstr *Def = BuildMI(
      Start, Start.getFirstNonPHI(), DebugLoc(),
      MF.getSubtarget().getInstrInfo()->get(TargetOpcode::IMPLICIT_DEF), Reg);
  SlotIndex Index = LIS->InsertMachineInstrInMaps(*Def).getRegSlot();
  LIS->getInterval(Reg).createDeadDef(Index, LIS->getVNInfoAllocator());
}

void NVPTXHoldWGMMARegisters::hold(MachineInstr &MI,
                                   ArrayRef<Register> Registers) {
  MachineFunction &MF = *MI.getMF();
  SlotIndex Index = LIS->getInstructionIndex(MI).getRegSlot();
  for (Register Reg : Registers) {
    LLVM_DEBUG(dbgs() << "Holding " << printReg(Reg) << " until: " << MI);
    LiveInterval &Interval = LIS->getInterval(Reg);
    if (!Interval.liveAt(Index.getBaseIndex())) {
      if (!isDefinedOnAllPathsTo(MI, Reg))
        defineAtStart(MF, Reg);
    }
    MachineInstrBuilder(MF, MI).addReg(Reg, RegState::Implicit);
    LIS->extendToIndices(Interval, Index);
    ++NumHeld;
  }
}

/// A definition that a wait now needs is dead no more; one that another follows
/// before the wait still is.
void NVPTXHoldWGMMARegisters::markDeadDefs(Register Reg) {
  const LiveInterval &Interval = LIS->getInterval(Reg);
  for (MachineOperand &Def : MRI->def_operands(Reg)) {
    SlotIndex Index = LIS->getInstructionIndex(*Def.getParent());
    Def.setIsDead(Interval.Query(Index).isDeadDef());
  }
}

bool NVPTXHoldWGMMARegisters::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  MRI = &MF.getRegInfo();
  LIS = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  MDT = &getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();

  SmallVector<std::pair<MachineInstr *, RegisterSet>> Held;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (isWGMMAWait(MI) || MI.isReturn())
      if (RegisterSet Registers = getRegistersInFlight(InFlight, State);
          !Registers.empty())
        Held.emplace_back(&MI, std::move(Registers));
  });
  RegisterSet All;
  for (auto &[MI, Registers] : Held) {
    hold(*MI, Registers.getArrayRef());
    All.insert_range(Registers);
  }
  for (Register Reg : All)
    markDeadDefs(Reg);
  return !Held.empty();
}

MachineFunctionPass *llvm::createNVPTXHoldWGMMARegistersPass() {
  return new NVPTXHoldWGMMARegisters();
}
