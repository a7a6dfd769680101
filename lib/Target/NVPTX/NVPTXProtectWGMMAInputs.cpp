//===- NVPTXProtectWGMMAInputs.cpp - Keep what a wgmma in flight reads ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async reads its registers late: a fragment of A, and the sparsity
// metadata as well, must keep their value until a wgmma.wait_group has retired
// the instruction. To the register coalescer they are dead once it was issued,
// so that in
//
//   loop:  wgmma ..., %meta     (committed, not waited for)
//          %next = load
//          wgmma.wait_group 1
//          %meta = %next
//
// it makes one register of %meta and %next, and the load overwrites what the
// instruction has yet to read. On an H200, with ptxas 13.0, that gave wrong
// results.
//
// This pass follows the instructions in flight through the finished code, where
// registers no longer change. Where an input of one may be redefined, the
// instruction gets a register of its own, copied to right before it; and where
// it can come round to that copy with its last issue still in flight, a wait.
// That place, unlike the one of the redefinition, is executed by the whole
// warpgroup, as the wait must be.
//
// Code that waits before it redefines an input needs none of this and is left
// alone. Known weakness: waits in called functions are not seen, nor is an
// instruction in flight on entry; ptxas serializes wgmma around calls anyway.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-protect-wgmma-inputs"

namespace {
/// The instructions that may be in flight, each with the fewest groups that
/// were committed since it was issued. wait_group N retires those with more
/// than N.
class InFlight {
public:
  /// Takes over what another path leaves in flight. True if that adds anything.
  bool merge(const InFlight &Other) {
    bool Changed = false;
    for (auto [MI, Groups] : Other.Issued) {
      auto [It, IsNew] = Issued.try_emplace(MI, Groups);
      if (!IsNew && It->second <= Groups)
        continue;
      It->second = Groups;
      Changed = true;
    }
    return Changed;
  }

  void execute(MachineInstr &MI) {
    switch (MI.getOpcode()) {
    case NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED:
      for (auto &[_, Groups] : Issued)
        Groups = std::min(Groups + 1, MaxGroups);
      return;
    case NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED: {
      int64_t Pending = MI.getOperand(0).getImm();
      Issued.remove_if([&](auto &Entry) { return Entry.second > Pending; });
      return;
    }
    default:
      if (MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag)
        Issued[&MI] = 0;
    }
  }

  const MapVector<MachineInstr *, int64_t> &instructions() const {
    return Issued;
  }
  /// The groups since \p MI was last issued, or nothing if it was retired.
  std::optional<int64_t> groupsSince(MachineInstr &MI) const {
    auto It = Issued.find(&MI);
    if (It == Issued.end())
      return std::nullopt;
    return It->second;
  }

private:
  /// Bounds the analysis. A wait for more pending groups than this retires
  /// nothing here, which is only ever too careful.
  static constexpr int64_t MaxGroups = 64;

  MapVector<MachineInstr *, int64_t> Issued;
};

class NVPTXProtectWGMMAInputs : public MachineFunctionPass {
public:
  static char ID;

  NVPTXProtectWGMMAInputs() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Protect WGMMA Inputs";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineOptimizationRemarkEmitterPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  using States = DenseMap<const MachineBasicBlock *, InFlight>;

  bool isInput(const MachineInstr &MI, Register Reg) const;
  States computeStates(MachineFunction &MF) const;
  MachineInstr *findUnprotected(MachineFunction &MF, States &Entry) const;
  void protect(MachineInstr &MI, States &Entry) const;

  MachineRegisterInfo *MRI;
  const TargetInstrInfo *TII;
};
} // namespace

char NVPTXProtectWGMMAInputs::ID = 0;

INITIALIZE_PASS(NVPTXProtectWGMMAInputs, DEBUG_TYPE,
                "NVPTX Protect WGMMA Inputs", false, false)

/// The inputs of a wgmma that it reads late: its 32-bit registers behind the
/// accumulator. The descriptors and the predicate are read when it is issued.
static auto inputs(MachineInstr &MI) {
  return drop_begin(MI.explicit_uses(), MI.getDesc().getNumDefs());
}

bool NVPTXProtectWGMMAInputs::isInput(const MachineInstr &MI,
                                      Register Reg) const {
  return any_of(inputs(const_cast<MachineInstr &>(MI)),
                [&](const MachineOperand &MO) {
                  return MO.isReg() && MO.getReg() == Reg &&
                         MRI->getRegClass(Reg) == &NVPTX::B32RegClass;
                });
}

NVPTXProtectWGMMAInputs::States
NVPTXProtectWGMMAInputs::computeStates(MachineFunction &MF) const {
  States Entry;
  ReversePostOrderTraversal<MachineFunction *> RPOT(&MF);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (MachineBasicBlock *MBB : RPOT) {
      InFlight State = Entry[MBB];
      for (MachineInstr &MI : *MBB)
        State.execute(MI);
      for (MachineBasicBlock *Successor : MBB->successors())
        Changed |= Entry[Successor].merge(State);
    }
  }
  return Entry;
}

/// An instruction of which an input is redefined while it may be in flight.
MachineInstr *NVPTXProtectWGMMAInputs::findUnprotected(MachineFunction &MF,
                                                       States &Entry) const {
  for (MachineBasicBlock &MBB : MF) {
    InFlight State = Entry[&MBB];
    for (MachineInstr &MI : MBB) {
      // The tensor cores take one wgmma after the other.
      if (!(MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag))
        for (const MachineOperand &Def : MI.all_defs())
          for (auto [Issued, _] : State.instructions())
            if (isInput(*Issued, Def.getReg()))
              return Issued;
      State.execute(MI);
    }
  }
  return nullptr;
}

void NVPTXProtectWGMMAInputs::protect(MachineInstr &MI, States &Entry) const {
  MachineBasicBlock &MBB = *MI.getParent();
  InFlight State = Entry[&MBB];
  for (MachineInstr &Before :
       make_range(MBB.begin(), MachineBasicBlock::iterator(MI)))
    State.execute(Before);

  auto Emit = [&](unsigned Opcode) {
    return BuildMI(MBB, MI, MI.getDebugLoc(), TII->get(Opcode));
  };
  if (std::optional<int64_t> Groups = State.groupsSince(MI)) {
    if (*Groups == 0)
      Emit(NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED);
    Emit(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED).addImm(0);
  }
  SmallDenseMap<Register, Register> Copies;
  for (MachineOperand &MO : inputs(MI)) {
    if (!MO.isReg() || MRI->getRegClass(MO.getReg()) != &NVPTX::B32RegClass)
      continue;
    Register &Copy = Copies[MO.getReg()];
    if (!Copy) {
      Copy = MRI->createVirtualRegister(&NVPTX::B32RegClass);
      BuildMI(MBB, MI, MI.getDebugLoc(), TII->get(TargetOpcode::COPY), Copy)
          .addReg(MO.getReg());
    }
    MO.setReg(Copy);
    MO.setIsKill(false);
  }
  // Orders the copies before the instruction's reads.
  Emit(NVPTX::WGMMA_FENCE_SYNC_ALIGNED);
}

bool NVPTXProtectWGMMAInputs::runOnMachineFunction(MachineFunction &MF) {
  MRI = &MF.getRegInfo();
  TII = MF.getSubtarget().getInstrInfo();
  auto &ORE = getAnalysis<MachineOptimizationRemarkEmitterPass>().getORE();

  bool Changed = false;
  // Every round gives one instruction inputs that only their copies define, so
  // that it cannot come up again.
  for (;;) {
    States Entry = computeStates(MF);
    MachineInstr *MI = findUnprotected(MF, Entry);
    if (!MI)
      return Changed;
    ORE.emit([&] {
      return MachineOptimizationRemarkMissed(DEBUG_TYPE, "InputRedefined",
                                             MI->getDebugLoc(), MI->getParent())
             << "a register that wgmma.mma_async reads is redefined while it "
                "may "
                "be in flight: its inputs are copied, and waited for";
    });
    protect(*MI, Entry);
    Changed = true;
  }
}

MachineFunctionPass *llvm::createNVPTXProtectWGMMAInputsPass() {
  return new NVPTXProtectWGMMAInputs();
}
