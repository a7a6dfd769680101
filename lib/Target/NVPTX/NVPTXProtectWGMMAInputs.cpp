//===- NVPTXProtectWGMMAInputs.cpp - Registers that a wgmma reads ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two things that only the finished code shows, where registers no longer
// change, about the registers that wgmma.mma_async reads.
//
// First, it reads them late: a fragment of A, and the sparsity
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
// This pass follows the instructions in flight through the code. Where an input
// of one may be redefined, it makes the code wait for the instruction as soon
// as its group is committed. Copying the input out of the way instead does not
// help: ptxas makes one register of both again. Nor would waiting at the
// redefinition, which the warpgroup need not reach as a whole, while it does
// execute every commit_group.
//
// An input that is in the accumulator's registers, because the same value is
// both, would be overwritten by the instruction itself. It gets a copy of its
// own.
//
// Code that waits before it redefines an input is left alone. Known weakness:
// waits in called functions are not seen, nor is an instruction in flight on
// entry; ptxas serializes wgmma around calls anyway.
//
// Second, wgmma.fence orders the accesses to registers before it with those of
// the wgmma.mma_async behind it; writing a register of a wgmma between the two
// is undefined. In IR there are no registers to order: the zeros of an
// accumulator, a parameter, a copy that ties an accumulator get their
// instruction wherever the backend sees fit, which may well be right before the
// wgmma.
//
// This pass moves each fence down to the next wgmma of its
// block, past whatever just computes values. A later fence orders all that an
// earlier one did, and nothing that is passed depends on it: the fence orders
// registers, not memory.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-protect-wgmma-inputs"

static bool isWGMMA(const MachineInstr &MI) {
  return MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag;
}

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
      if (isWGMMA(MI))
        Issued[&MI] = 0;
    }
  }

  const MapVector<MachineInstr *, int64_t> &instructions() const {
    return Issued;
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
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// What may be in flight where each block begins.
using States = DenseMap<const MachineBasicBlock *, InFlight>;
} // namespace

char NVPTXProtectWGMMAInputs::ID = 0;

INITIALIZE_PASS(NVPTXProtectWGMMAInputs, DEBUG_TYPE,
                "NVPTX Protect WGMMA Inputs", false, false)

/// Whether the wgmma reads \p Reg late: its 32-bit registers behind the
/// accumulator. The descriptors and the predicate are read when it is issued.
static bool isLateInput(const MachineInstr &MI, Register Reg,
                        const MachineRegisterInfo &MRI) {
  return Reg.isVirtual() && MRI.getRegClass(Reg) == &NVPTX::B32RegClass &&
         any_of(drop_begin(MI.explicit_uses(), MI.getDesc().getNumDefs()),
                [=](const MachineOperand &MO) {
                  return MO.isReg() && MO.getReg() == Reg;
                });
}

static States computeStates(MachineFunction &MF) {
  States Entry;
  ReversePostOrderTraversal<MachineFunction *> RPOT(&MF);
  for (bool Changed = true; Changed;) {
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

/// Calls \p Visit for every instruction with what may be in flight before it.
static void
forEachState(MachineFunction &MF, States &Entry,
             function_ref<void(MachineInstr &, const InFlight &)> Visit) {
  for (MachineBasicBlock &MBB : MF) {
    InFlight State = Entry[&MBB];
    for (MachineInstr &MI : MBB) {
      Visit(MI, State);
      State.execute(MI);
    }
  }
}

/// Copies the inputs of \p MI that are in registers of its accumulator.
static bool separateFromAccumulator(MachineInstr &MI, MachineRegisterInfo &MRI,
                                    const TargetInstrInfo &TII) {
  unsigned NumDefs = MI.getDesc().getNumDefs();
  SmallDenseMap<Register, Register, 4> Copies;
  for (MachineOperand &MO : drop_begin(MI.explicit_uses(), NumDefs)) {
    if (!MO.isReg() || none_of(MI.defs(), [&](const MachineOperand &Def) {
          return Def.getReg() == MO.getReg();
        }))
      continue;
    Register &Copy = Copies[MO.getReg()];
    if (!Copy) {
      Copy = MRI.cloneVirtualRegister(MO.getReg());
      BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
              TII.get(TargetOpcode::COPY), Copy)
          .addReg(MO.getReg());
    }
    MO.setReg(Copy);
  }
  return !Copies.empty();
}

static bool canPass(const MachineInstr &MI) {
  return MI.getOpcode() == NVPTX::WGMMA_FENCE_OPERAND ||
         !(MI.hasUnmodeledSideEffects() || MI.isCall() || MI.isTerminator() ||
           MI.isInlineAsm() || MI.isConvergent());
}

/// Moves a fence down to the wgmma behind it, if it gets there.
static bool sinkFence(MachineInstr &Fence) {
  MachineBasicBlock &MBB = *Fence.getParent();
  auto Next = std::next(Fence.getIterator());
  auto I = Next;
  while (I != MBB.instr_end() && canPass(*I))
    ++I;
  // Short of a wgmma it stays: what comes next may be the end of a loop.
  if (I == Next || I == MBB.instr_end() || !isWGMMA(*I))
    return false;
  MBB.splice(I, &MBB, Fence.getIterator());
  return true;
}

static bool sinkFences(MachineFunction &MF) {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB))
      if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
        Changed |= sinkFence(MI);
  return Changed;
}

bool NVPTXProtectWGMMAInputs::runOnMachineFunction(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();

  bool HasWGMMA = false, Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI)) {
        HasWGMMA = true;
        Changed |= separateFromAccumulator(MI, MRI, TII);
      }
  if (!HasWGMMA)
    return false;

  States Entry = computeStates(MF);

  // Each instruction whose input is redefined in flight, and whether that
  // happens before its group is even committed.
  MapVector<MachineInstr *, bool> Unprotected;
  forEachState(MF, Entry, [&](MachineInstr &MI, const InFlight &State) {
    // The tensor cores take one wgmma after the other.
    if (isWGMMA(MI))
      return;
    for (const MachineOperand &Def : MI.all_defs())
      for (auto [Issued, Groups] : State.instructions())
        if (isLateInput(*Issued, Def.getReg(), MRI))
          Unprotected[Issued] |= Groups == 0;
  });

  SmallSetVector<MachineInstr *, 8> WaitAfter;
  forEachState(MF, Entry, [&](MachineInstr &MI, const InFlight &State) {
    if (MI.getOpcode() != NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED)
      return;
    for (auto [Issued, Groups] : State.instructions())
      if (Groups == 0 && Unprotected.contains(Issued))
        WaitAfter.insert(&MI);
  });
  const Function &F = MF.getFunction();
  for (auto [MI, BeforeCommit] : Unprotected) {
    F.getContext().diagnose(nvvm::DiagnosticInfoWGMMA(
        nvvm::DiagnosticInfoWGMMA::InjectedWait, F, MI->getDebugLoc(),
        "wgmma.mma_async is waited for at once: a register that it reads is "
        "redefined while it could be in flight"));
    if (BeforeCommit)
      WaitAfter.insert(BuildMI(
          *MI->getParent(), std::next(MI->getIterator()), MI->getDebugLoc(),
          TII.get(NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED)));
  }
  for (MachineInstr *Commit : WaitAfter)
    BuildMI(*Commit->getParent(), std::next(Commit->getIterator()),
            Commit->getDebugLoc(),
            TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
        .addImm(0);
  // The waits are in their places now.
  Changed |= sinkFences(MF);
  return Changed || !Unprotected.empty();
}

MachineFunctionPass *llvm::createNVPTXProtectWGMMAInputsPass() {
  return new NVPTXProtectWGMMAInputs();
}
