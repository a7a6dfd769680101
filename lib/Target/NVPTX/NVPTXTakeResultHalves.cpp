//===- NVPTXTakeResultHalves.cpp - How halves of a result are taken -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register of an f16 accumulator has two halves, and instruction selection
// takes it apart as a vector:
//
//   wgmma.mma_async... {%r1, %r2}, ...; wgmma.commit_group; wgmma.wait_group 0;
//   mov.b32 {_, %rs1}, %r1;
//
// ptxas, as of 13.0, takes that for an access to a wgmma in flight where one
// half of a register is all that is needed, and no loop has multiplied: it adds
// a second wait (C7517), and 12.4 serializes all wgmma of the function (C7514).
// It does not of
//
//   cvt.u16.u32 %rs1, %r1;
//
// for the lower half, and of either of
//
//   shr.u32 %r3, %r1, 16;                 prmt.b32 %r3, %r1, 0, 0x7732;
//   cvt.u16.u32 %rs1, %r3;                cvt.u16.u32 %rs1, %r3;
//
// for the upper one; but of the shift if the half becomes a float, and the
// lower one is not needed. Where both are, the shift is none: what converts the
// half, takes it.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include <optional>
#include <utility>

using namespace llvm;

#define DEBUG_TYPE "nvptx-take-result-halves"

STATISTIC(NumTaken, "Number of halves taken from registers of results");

namespace {
class NVPTXTakeResultHalves : public MachineFunctionPass {
public:
  static char ID;

  NVPTXTakeResultHalves() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Take Result Halves"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXTakeResultHalves::ID = 0;

INITIALIZE_PASS(NVPTXTakeResultHalves, DEBUG_TYPE, "NVPTX Take Result Halves",
                false, false)

namespace {
/// Takes the halves of results from their registers.
class HalfTaker {
public:
  explicit HalfTaker(MachineFunction &MF)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()) {}

  bool run();

private:
  void take(const RegisterHalves &H, MachineInstr &MI);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  /// The registers whose lower half is needed.
  DenseSet<Register> HasLo;
};
} // namespace

void HalfTaker::take(const RegisterHalves &H, MachineInstr &MI) {
  const Register Whole = MI.getOperand(H.WholeIndex).getReg();
  auto Build = [&](unsigned Opcode, Register Def) {
    return BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(Opcode), Def);
  };
  auto Truncate = [&](Register Half, Register Reg) {
    Build(NVPTX::CVT_u16_u32, Half).addReg(Reg).addImm(NVPTX::PTXCvtMode::NONE);
  };
  if (H.Lo)
    Truncate(H.Lo, Whole);
  if (!H.Hi)
    return;
  const Register Shifted = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  if (HasLo.contains(Whole))
    Build(NVPTX::SRL32_ri, Shifted).addReg(Whole).addImm(16);
  else
    Build(NVPTX::PRMT_B32rii, Shifted)
        .addReg(Whole)
        .addImm(0)
        .addImm(0x7732)
        .addImm(NVPTX::PTXPrmtMode::NONE);
  Truncate(H.Hi, Shifted);
}

bool HalfTaker::run() {
  SmallVector<std::pair<MachineInstr *, RegisterHalves>, 16> Taken;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      const std::optional<RegisterHalves> H = getRegisterHalves(MI);
      const Register Whole =
          H ? MI.getOperand(H->WholeIndex).getReg() : Register();
      if (!H || !isAccumulated(Whole, MRI))
        continue;
      if (H->Lo)
        HasLo.insert(Whole);
      if (MI.getOpcode() != NVPTX::CVT_u16_u32)
        Taken.emplace_back(&MI, *H);
    }
  for (const auto &[MI, H] : Taken) {
    take(H, *MI);
    MI->eraseFromParent();
  }
  NumTaken += Taken.size();
  return !Taken.empty();
}

bool NVPTXTakeResultHalves::runOnMachineFunction(MachineFunction &MF) {
  return HalfTaker(MF).run();
}

MachineFunctionPass *llvm::createNVPTXTakeResultHalvesPass() {
  return new NVPTXTakeResultHalves();
}
