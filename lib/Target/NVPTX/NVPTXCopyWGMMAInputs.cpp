//===- NVPTXCopyWGMMAInputs.cpp - What is read while wgmma read it --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wgmma reads its fragment of A and its sparsity metadata late, and PTX
// leaves undefined what happens if anything else accesses these registers until
// a wgmma.wait_group has retired it. A program may well do so: it stores the
// fragment, or computes the next one from it, and its values do not change.
// ptxas, as of 13.0, makes of
//
//   wgmma.mma_async... {...}, {%a0, ...}, ...;
//   selp.b32 %next, %a0, %other, %p;
//   wgmma.wait_group 0;
//
// one register of %a0 and %next, and writes it while the wgmma is in flight:
//
//   QGMMA R40, R72, ...; @!P1 SEL R72, ...;
//
// So what reads such a register while it is in flight reads a copy of it, which
// is made where the register gets its value: of a result, after the waits that
// retire its wgmma. The copy becomes a hidden move, which ptxas leaves there.
//
// Runs after what moves values to where something is in flight, and before what
// hides moves.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-copy-wgmma-inputs"

STATISTIC(NumCopied, "Number of inputs of wgmma copied for others to read");

namespace {
class NVPTXCopyWGMMAInputs : public MachineFunctionPass {
public:
  static char ID;

  NVPTXCopyWGMMAInputs() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Copy WGMMA Inputs"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// By the register: what reads it while a wgmma in flight may.
using ReadsInFlight = MapVector<Register, SmallVector<MachineOperand *, 4>>;
} // namespace

char NVPTXCopyWGMMAInputs::ID = 0;

INITIALIZE_PASS(NVPTXCopyWGMMAInputs, DEBUG_TYPE, "NVPTX Copy WGMMA Inputs",
                false, false)

static ReadsInFlight findReads(const WGMMAInFlight &InFlight,
                               const WGMMARegisters &Registers) {
  ReadsInFlight Reads;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (State.none() || isWGMMA(MI) || MI.isDebugInstr() || hasNoAccesses(MI))
      return;
    // What is implicit is only held until there. Inline assembly has its
    // results among these operands, and what is tied to one is written, too.
    for (MachineOperand &MO : MI.explicit_uses())
      if (MO.isReg() && MO.readsReg() && MO.getReg().isVirtual() &&
          !MO.isTied() && !Registers.readingLate(MO.getReg(), State).empty())
        Reads[MO.getReg()].push_back(&MO);
  });
  return Reads;
}

/// The instructions after which \p Reg has another value: those that write it,
/// and the waits that retire wgmma whose result it is.
static SmallSetVector<MachineInstr *, 4>
findWriters(Register Reg, const WGMMAInFlight &InFlight,
            const WGMMARegisters &Registers, const MachineRegisterInfo &MRI) {
  SmallSetVector<MachineInstr *, 4> Writers;
  bool IsResult = false;
  for (MachineInstr &Def : MRI.def_instructions(Reg))
    if (isWGMMA(Def))
      IsResult = true;
    else if (!Def.isImplicitDef())
      Writers.insert(&Def);
  if (!IsResult)
    return Writers;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (!isWGMMAWait(MI) || Registers.accumulatingIn(Reg, State).empty())
      return;
    WGMMAState After = State;
    for (WGMMAEvent Event : getWGMMAEvents(MI))
      After.execute(Event);
    if (Registers.accumulatingIn(Reg, After).empty())
      Writers.insert(&MI);
  });
  return Writers;
}

bool NVPTXCopyWGMMAInputs::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  MachineRegisterInfo &MRI = MF.getRegInfo();
  // What reads copies then is no wgmma: theirs stay as they are.
  const WGMMARegisters Registers(InFlight, MRI);
  ReadsInFlight Reads = findReads(InFlight, Registers);
  for (auto &[Reg, Operands] : Reads) {
    LLVM_DEBUG(dbgs() << "Copying " << printReg(Reg)
                      << ", which is read by: " << *Operands[0]->getParent());
    Register Copy = MRI.cloneVirtualRegister(Reg);
    for (MachineInstr *Writer : findWriters(Reg, InFlight, Registers, MRI))
      buildCopyAfter(*Writer, Reg, Copy);
    MRI.clearKillFlags(Reg);
    for (MachineOperand *MO : Operands)
      MO->setReg(Copy);
    ++NumCopied;
  }
  return !Reads.empty();
}

MachineFunctionPass *llvm::createNVPTXCopyWGMMAInputsPass() {
  return new NVPTXCopyWGMMAInputs();
}
