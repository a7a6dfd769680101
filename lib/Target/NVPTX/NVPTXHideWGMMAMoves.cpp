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
// be one. It adds a multiple of a zero, of which ptxas does not know that it is
// zero: the upmost bit of the clock. Each move adds another multiple, so that
// no two of the values are equal, either:
//
//   %d0 = MOV 1            =>      %zero = WGMMA_HIDDEN_ZERO
//   %d1 = MOV 1                    %d0 = MAD_LO_S32 %zero, 3, 1
//   %a0 = COPY %x                  %d1 = MAD_LO_S32 %zero, 5, 1
//                                  %a0 = MAD_LO_S32 %zero, 7, %x
//
// A block in which this is done reads the clock once. Reading it once in the
// function would not do: if ptxas unrolls a loop, what is moved in one round
// must not be equal to what is moved in the next.
//
// It runs after all passes that know moves as such.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-hide-wgmma-moves"

STATISTIC(NumHidden, "Number of moves of registers of wgmma hidden");

namespace {
class NVPTXHideWGMMAMoves : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHideWGMMAMoves() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Hide WGMMA Moves"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Hides the moves of one function.
class MoveHider {
public:
  explicit MoveHider(MachineFunction &MF)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        Registers(collectWGMMARegisters(MF)) {}

  bool run();

private:
  bool isOfWGMMA(const MachineOperand &MO) const {
    return MO.isReg() && Registers.contains(MO.getReg());
  }
  bool mustHide(const MachineInstr &MI) const;
  Register makeZero(MachineInstr &Before);
  void hide(MachineInstr &Move, Register Zero);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  /// Those of accumulators, fragments of A and sparsity metadata.
  DenseSet<Register> Registers;
  /// What the next move multiplies the zero by: an odd number, for which there
  /// is no cheaper instruction that ptxas would know more of.
  int64_t Factor = 3;
};
} // namespace

char NVPTXHideWGMMAMoves::ID = 0;

INITIALIZE_PASS(NVPTXHideWGMMAMoves, DEBUG_TYPE, "NVPTX Hide WGMMA Moves",
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

bool MoveHider::mustHide(const MachineInstr &MI) const {
  return isMove(MI, MRI) &&
         (isOfWGMMA(MI.getOperand(0)) || isOfWGMMA(MI.getOperand(1)));
}

Register MoveHider::makeZero(MachineInstr &Before) {
  Register Zero = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  BuildMI(*Before.getParent(), Before, Before.getDebugLoc(),
          TII.get(NVPTX::WGMMA_HIDDEN_ZERO), Zero);
  return Zero;
}

void MoveHider::hide(MachineInstr &Move, Register Zero) {
  LLVM_DEBUG(dbgs() << "Hiding: " << Move);
  MachineOperand Source = Move.getOperand(1);
  if (Source.isFPImm())
    Source = MachineOperand::CreateImm(
        Source.getFPImm()->getValueAPF().bitcastToAPInt().getSExtValue());
  unsigned Opcode =
      Source.isReg() ? NVPTX::MAD_LO_S32rir : NVPTX::MAD_LO_S32rii;
  BuildMI(*Move.getParent(), Move, Move.getDebugLoc(), TII.get(Opcode),
          Move.getOperand(0).getReg())
      .addReg(Zero)
      .addImm(Factor)
      .add(Source);
  Factor += 2;
  Move.eraseFromParent();
  ++NumHidden;
}

bool MoveHider::run() {
  if (Registers.empty())
    return false;
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    Register Zero;
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (!mustHide(MI))
        continue;
      if (!Zero)
        Zero = makeZero(MI);
      hide(MI, Zero);
      Changed = true;
    }
  }
  return Changed;
}

bool NVPTXHideWGMMAMoves::runOnMachineFunction(MachineFunction &MF) {
  return MoveHider(MF).run();
}

MachineFunctionPass *llvm::createNVPTXHideWGMMAMovesPass() {
  return new NVPTXHideWGMMAMoves();
}
