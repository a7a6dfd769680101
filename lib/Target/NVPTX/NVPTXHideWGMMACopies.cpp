//===- NVPTXHideWGMMACopies.cpp - Late inputs that ptxas leaves alone -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop may load the A of its next round while the wgmma of this one runs:
//
//   loop:  WGMMA ..., {%a0, ..., %a3}
//          %n0, ..., %n3 = load
//          wgmma.commit_group; wgmma.wait_group 0
//          %a0 = COPY %n0                 (and so on)
//
// The copies come after the wait, as they have to. But ptxas does not know that
// the wgmma reads its A until then when it removes copies: it loads into %a0,
// finds that something is written in flight, and serializes all wgmma of the
// function. So what looks like a copy must not be one:
//
//          %a0 = COPY %n0         =>      %t = NOT_b32 %n0
//                                         %a0 = NOT_b32 %t
//
// ptxas, as of 13.0, finds out too late to do harm that this is one mov: that
// is also all that it costs. The same holds for copies out of such registers
// and for the sparsity metadata; and for an A that was an accumulator, since
// the hardware takes both in a row, and ptxas finds no place that suits both.
// Registers that copies connect count as one here: it is what ptxas would make
// of them. If different values come together in them, in branches, a copy in
// flight is a write like any other: ptxas writes it into the register of the A
// in flight, silently. That holds without optimization, too.
//
// Of a fragment of A, all copies are hidden or none: if ptxas could make only
// some of its registers one with others, it would copy all four to where they
// are in a row, and take these for free once the wgmma is issued.
//
// It runs before NVPTXProtectWGMMA, when copies no longer change.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-hide-wgmma-copies"

STATISTIC(NumHidden, "Number of copies to late inputs of wgmma hidden");

namespace {
class NVPTXHideWGMMACopies : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHideWGMMACopies() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Hide WGMMA Copies"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXHideWGMMACopies::ID = 0;

INITIALIZE_PASS(NVPTXHideWGMMACopies, DEBUG_TYPE, "NVPTX Hide WGMMA Copies",
                false, false)

static bool isPlainCopy(const MachineInstr &MI,
                        const MachineRegisterInfo &MRI) {
  return MI.isFullCopy() &&
         all_of(MI.operands(), [&](const MachineOperand &MO) {
           return MO.getReg().isVirtual() &&
                  MRI.getRegClass(MO.getReg()) == &NVPTX::B32RegClass;
         });
}

/// The copies that connect a register that a wgmma reads late to others.
static SmallVector<MachineInstr *, 0>
collectCopies(MachineFunction &MF, const WGMMARegisters &Registers,
              EquivalenceClasses<Register> &Connected) {
  SmallVector<MachineInstr *, 0> Copies;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isPlainCopy(MI, MF.getRegInfo())) {
        Register Dst = MI.getOperand(0).getReg();
        Register Src = MI.getOperand(1).getReg();
        Connected.unionSets(Dst, Src);
        if (Registers.isLateInput(Dst) || Registers.isLateInput(Src))
          Copies.push_back(&MI);
      }
  return Copies;
}

using RegistersByClass = DenseMap<Register, SmallVector<Register, 4>>;

/// The late inputs of each class, by its leader.
static RegistersByClass
groupLateInputs(const WGMMARegisters &Registers,
                const EquivalenceClasses<Register> &Connected) {
  RegistersByClass LateInputs;
  for (const auto *Member : Connected)
    if (Registers.isLateInput(Member->getData()))
      LateInputs[Connected.getLeaderValue(Member->getData())].push_back(
          Member->getData());
  return LateInputs;
}

/// The leaders of the classes to which more than one instruction gives a value.
/// In any other class a copy writes what is there already.
static SmallDenseSet<Register>
findChanging(const MachineRegisterInfo &MRI,
             const EquivalenceClasses<Register> &Connected) {
  SmallDenseSet<Register> Set, Changing;
  for (const auto *Member : Connected)
    for (const MachineInstr &MI : MRI.def_instructions(Member->getData()))
      if (Register Class = Connected.getLeaderValue(Member->getData());
          !isPlainCopy(MI, MRI) && !Set.insert(Class).second)
        Changing.insert(Class);
  return Changing;
}

/// The late inputs that copies must not make one with others: those would be
/// accumulators, or be written while the input is in flight.
static SmallDenseSet<Register>
findEndangered(const WGMMAInFlight &InFlight, const WGMMARegisters &Registers,
               const MachineRegisterInfo &MRI,
               const EquivalenceClasses<Register> &Connected) {
  SmallDenseSet<Register> Changing = findChanging(MRI, Connected);
  RegistersByClass LateInputs = groupLateInputs(Registers, Connected);
  auto InClassOf = [&](Register Reg) -> ArrayRef<Register> {
    if (!Reg.isVirtual() || !Connected.contains(Reg))
      return {};
    auto Found = LateInputs.find(Connected.getLeaderValue(Reg));
    return Found == LateInputs.end() ? ArrayRef<Register>() : Found->second;
  };

  SmallDenseSet<Register> Endangered;
  for (const MachineInstr *WGMMA : InFlight.wgmmas())
    for (const MachineOperand &Def : WGMMA->defs())
      for (Register Input : InClassOf(Def.getReg()))
        Endangered.insert(Input);
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (State.none())
      return;
    bool IsCopy = isPlainCopy(MI, MRI);
    for (const MachineOperand &MO : MI.all_defs())
      for (Register Input : InClassOf(MO.getReg()))
        if ((!IsCopy || Changing.contains(Connected.getLeaderValue(Input))) &&
            !Registers.readingLate(Input, State).empty())
          Endangered.insert(Input);
  });
  return Endangered;
}

/// If one register of a fragment is endangered, the others are.
static void addRestOfFragments(const WGMMAInFlight &InFlight,
                               const MachineRegisterInfo &MRI,
                               SmallDenseSet<Register> &Endangered) {
  unsigned Before;
  do {
    Before = Endangered.size();
    for (MachineInstr *WGMMA : InFlight.wgmmas()) {
      MutableArrayRef<MachineOperand> Fragment = getFragment(*WGMMA, MRI);
      if (any_of(Fragment, [&](const MachineOperand &MO) {
            return Endangered.contains(MO.getReg());
          }))
        for (const MachineOperand &MO : Fragment)
          Endangered.insert(MO.getReg());
    }
  } while (Endangered.size() != Before);
}

static void hide(MachineInstr &Copy, MachineRegisterInfo &MRI,
                 const TargetInstrInfo &TII) {
  LLVM_DEBUG(dbgs() << "Hiding: " << Copy);
  Register Inverse = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  MachineBasicBlock &MBB = *Copy.getParent();
  const MCInstrDesc &Not = TII.get(NVPTX::NOT_b32);
  BuildMI(MBB, Copy, Copy.getDebugLoc(), Not, Inverse).add(Copy.getOperand(1));
  BuildMI(MBB, Copy, Copy.getDebugLoc(), Not, Copy.getOperand(0).getReg())
      .addReg(Inverse);
  Copy.eraseFromParent();
  ++NumHidden;
}

bool NVPTXHideWGMMACopies::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  MachineRegisterInfo &MRI = MF.getRegInfo();
  WGMMARegisters Registers(InFlight, MRI);
  EquivalenceClasses<Register> Connected;
  SmallVector<MachineInstr *, 0> Copies =
      collectCopies(MF, Registers, Connected);
  if (Copies.empty())
    return false;

  SmallDenseSet<Register> Endangered =
      findEndangered(InFlight, Registers, MRI, Connected);
  addRestOfFragments(InFlight, MRI, Endangered);
  bool Changed = false;
  for (MachineInstr *Copy : Copies)
    if (Endangered.contains(Copy->getOperand(0).getReg()) ||
        Endangered.contains(Copy->getOperand(1).getReg())) {
      hide(*Copy, MRI, *MF.getSubtarget().getInstrInfo());
      Changed = true;
    }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXHideWGMMACopiesPass() {
  return new NVPTXHideWGMMACopies();
}
