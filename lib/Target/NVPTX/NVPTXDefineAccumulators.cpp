//===- NVPTXDefineAccumulators.cpp - Accumulators that start undefined ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose first wgmma overwrites its accumulator needs no value to start
// from:
//
//   %start = IMPLICIT_DEF
//   loop:
//   %c = PHI %start, %d
//   wgmma.fence
//   %d = WGMMA %c, ..., %scale_d
//
// ptxas 12.4 gives such a register a value of its own, takes that for a write
// while wgmma are in flight, and serializes them (C7515). So it starts from 0,
// unless PTX is of a version that only a ptxas knows which does not need that:
// 13.0 does not; those between have not been tried.
//
// Runs on SSA form, in optimized code alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXSubtarget.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-define-accumulators"

STATISTIC(NumDefined, "Number of registers of accumulators defined");

/// The first version of PTX, times 10, whose ptxas does without.
static constexpr unsigned PTXVersionWithout = 90;

namespace {
class NVPTXDefineAccumulators : public MachineFunctionPass {
public:
  static char ID;

  NVPTXDefineAccumulators() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Define Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  MachineFunctionProperties getRequiredProperties() const override {
    return MachineFunctionProperties().setIsSSA();
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXDefineAccumulators::ID = 0;

INITIALIZE_PASS(NVPTXDefineAccumulators, DEBUG_TYPE,
                "NVPTX Define Accumulators", false, false)

/// The phis whose value the accumulator of \p WGMMA starts from.
static SmallVector<MachineInstr *, 0> findPhis(const MachineInstr &WGMMA,
                                               const MachineRegisterInfo &MRI) {
  SmallVector<MachineInstr *, 0> Worklist;
  DenseSet<const MachineInstr *> Seen;
  SmallVector<MachineInstr *, 0> Phis;
  auto Add = [&](const MachineOperand &MO) {
    MachineInstr *Def = MO.isReg() && MO.getReg().isVirtual()
                            ? MRI.getUniqueVRegDef(MO.getReg())
                            : nullptr;
    if (Def && passesValueOn(*Def) && Seen.insert(Def).second)
      Worklist.push_back(Def);
  };
  for (unsigned I = 0, E = WGMMA.getDesc().getNumDefs(); I != E; ++I)
    Add(WGMMA.getOperand(E + I));
  while (!Worklist.empty()) {
    MachineInstr *MI = Worklist.pop_back_val();
    if (MI->isPHI())
      Phis.push_back(MI);
    for (const MachineOperand &MO : MI->uses())
      Add(MO);
  }
  return Phis;
}

/// What is undefined in the accumulator of \p WGMMA where a way leads into a
/// block with phis, if all of it is: ptxas does not mind single elements.
static SmallVector<MachineInstr *, 0>
findUndefined(const MachineInstr &WGMMA, const MachineRegisterInfo &MRI) {
  using Way = std::pair<const MachineBasicBlock *, const MachineBasicBlock *>;
  MapVector<Way, SmallVector<MachineInstr *, 0>> Undefined;
  for (MachineInstr *Phi : findPhis(WGMMA, MRI))
    for (unsigned I = 1, E = Phi->getNumOperands(); I != E; I += 2) {
      MachineInstr *Def = MRI.getUniqueVRegDef(Phi->getOperand(I).getReg());
      if (Def && Def->isImplicitDef())
        Undefined[{Phi->getParent(), Phi->getOperand(I + 1).getMBB()}]
            .push_back(Def);
    }
  SmallVector<MachineInstr *, 0> Defs;
  for (const auto &Entry : Undefined)
    if (Entry.second.size() == WGMMA.getDesc().getNumDefs())
      append_range(Defs, Entry.second);
  return Defs;
}

bool NVPTXDefineAccumulators::runOnMachineFunction(MachineFunction &MF) {
  const auto &ST = MF.getSubtarget<NVPTXSubtarget>();
  if (ST.getPTXVersion() >= PTXVersionWithout)
    return false;
  SetVector<MachineInstr *> Undefined;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        Undefined.insert_range(findUndefined(MI, MF.getRegInfo()));
  for (MachineInstr *Def : Undefined) {
    LLVM_DEBUG(dbgs() << "Starts from 0: " << *Def);
    // Ahead of wgmma of the block, which would be in flight meanwhile.
    MachineBasicBlock &MBB = *Def->getParent();
    BuildMI(MBB, MBB.getFirstNonPHI(), Def->getDebugLoc(),
            ST.getInstrInfo()->get(NVPTX::MOV_B32_i),
            Def->getOperand(0).getReg())
        .addImm(0);
    Def->eraseFromParent();
    ++NumDefined;
  }
  return !Undefined.empty();
}

MachineFunctionPass *llvm::createNVPTXDefineAccumulatorsPass() {
  return new NVPTXDefineAccumulators();
}
