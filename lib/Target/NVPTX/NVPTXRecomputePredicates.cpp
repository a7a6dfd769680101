//===- NVPTXRecomputePredicates.cpp - Compare again where it is needed ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MachineCSE moves a comparison that two branches of a loop need to the block
// ahead of both. An epilogue that guards each of its stores, and has a variant
// for beta = 0, then makes the predicates of all stores first. But a GPU has
// seven registers for predicates: ptxas packs the others into the bits of a
// register, two instructions each, and takes them out again.
//
// Where more comparisons than there are registers leave a block, this pass has
// each block that uses one compare for itself, unless that were in a loop which
// the comparison is not in.
//
// Runs in SSA form, after MachineCSE and MachineSinking.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRepeatable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-recompute-predicates"

STATISTIC(NumRecomputed, "Number of comparisons made again");

/// As many as leave one of the seven registers to the branches on the way.
static constexpr unsigned MaxPredicates = 6;

namespace {
class NVPTXRecomputePredicates : public MachineFunctionPass {
public:
  static char ID;

  NVPTXRecomputePredicates() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Recompute Predicates";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  bool isComparison(const MachineInstr &MI) const;
  bool isUsedElsewhereAlone(const MachineInstr &MI) const;
  bool recompute(MachineInstr &MI);

  MachineRegisterInfo *MRI = nullptr;
  const MachineLoopInfo *MLI = nullptr;
};
} // namespace

char NVPTXRecomputePredicates::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRecomputePredicates, DEBUG_TYPE,
                      "NVPTX Recompute Predicates", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXRecomputePredicates, DEBUG_TYPE,
                    "NVPTX Recompute Predicates", false, false)

/// Whether \p MI makes a predicate of nothing but virtual registers and
/// constants.
bool NVPTXRecomputePredicates::isComparison(const MachineInstr &MI) const {
  if (!isRepeatable(MI) || MI.isCopyLike())
    return false;
  Register Def = MI.getOperand(0).getReg();
  return MRI->getRegClass(Def) == &NVPTX::B1RegClass &&
         any_of(MI.uses(),
                [](const MachineOperand &MO) { return MO.isReg(); }) &&
         all_of(MI.uses(), [&](const MachineOperand &MO) {
           return MO.isImm() || MO.isFPImm() ||
                  (MO.isReg() &&
                   MRI->getRegClass(MO.getReg()) != &NVPTX::B1RegClass);
         });
}

/// Whether other blocks use the result of \p MI, and its own does not.
bool NVPTXRecomputePredicates::isUsedElsewhereAlone(
    const MachineInstr &MI) const {
  Register Def = MI.getOperand(0).getReg();
  return !MRI->use_nodbg_empty(Def) &&
         none_of(MRI->use_nodbg_instructions(Def),
                 [&](const MachineInstr &User) {
                   return User.getParent() == MI.getParent();
                 });
}

/// Has each block that uses the result of \p MI compute it for itself.
bool NVPTXRecomputePredicates::recompute(MachineInstr &MI) {
  MachineFunction &MF = *MI.getMF();
  Register Def = MI.getOperand(0).getReg();
  unsigned Depth = MLI->getLoopDepth(MI.getParent());
  auto CanMove = [&](const MachineInstr &User) {
    return !User.isPHI() && MLI->getLoopDepth(User.getParent()) <= Depth;
  };
  if (!all_of(MRI->use_nodbg_instructions(Def), CanMove))
    return false;
  LLVM_DEBUG(dbgs() << "Recomputing: " << MI);

  SmallSetVector<MachineBasicBlock *, 4> Blocks;
  for (MachineInstr &User : MRI->use_nodbg_instructions(Def))
    Blocks.insert(User.getParent());
  for (const MachineOperand &MO : MI.uses())
    if (MO.isReg())
      MRI->clearKillFlags(MO.getReg());
  for (MachineBasicBlock *MBB : Blocks) {
    auto First = find_if(*MBB, [&](const MachineInstr &User) {
      return !User.isDebugInstr() && User.readsVirtualRegister(Def);
    });
    Register New = MRI->cloneVirtualRegister(Def);
    MachineInstr *Clone = MF.CloneMachineInstr(&MI);
    Clone->getOperand(0).setReg(New);
    MBB->insert(First, Clone);
    for (MachineOperand &MO : make_early_inc_range(MRI->use_operands(Def)))
      if (MO.getParent()->getParent() == MBB && !MO.isDebug())
        MO.setReg(New);
    ++NumRecomputed;
  }
  for (MachineOperand &MO : make_early_inc_range(MRI->use_operands(Def)))
    MO.getParent()->setDebugValueUndef();
  MI.eraseFromParent();
  return true;
}

bool NVPTXRecomputePredicates::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()))
    return false;
  MRI = &MF.getRegInfo();
  MLI = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    SmallVector<MachineInstr *, 32> Leaving;
    for (MachineInstr &MI : MBB)
      if (isComparison(MI) && isUsedElsewhereAlone(MI))
        Leaving.push_back(&MI);
    if (Leaving.size() > MaxPredicates)
      for (MachineInstr *MI : Leaving)
        Changed |= recompute(*MI);
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRecomputePredicatesPass() {
  return new NVPTXRecomputePredicates();
}
