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
// What is computed of halves alike, or asked of them, ptxas does of two at a
// time:
//
//   wgmma.wait_group 1; cvt.u16.u32 %rs1, %r1; mul.f16 %rs3, %rs1, %rs9;
//   wgmma.wait_group 0; cvt.u16.u32 %rs2, %r2; mul.f16 %rs4, %rs2, %rs9;
//
// becomes one multiplication of {%r1, %r2}, which are put together where the
// first one of them is known: ahead of the wait for the second one, with notes
// as above, or silently, and then the result is not there yet. So it does
// where the halves are the lower and the upper one of a register, which needs
// nothing to be put together. It does not where the lower ones are taken by
//
//   prmt.b32 %r3, %r1, 0, 0x7710;
//   cvt.u16.u32 %rs1, %r3;
//
// too, an instruction more.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
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
  void collect(MachineInstr &MI, const RegisterHalves &H);
  bool isComputedAlike(Register Half) const;
  void take(const RegisterHalves &H, MachineInstr &MI);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  SmallVector<std::pair<MachineInstr *, RegisterHalves>, 16> Halves;
  /// The registers whose lower half is needed.
  DenseSet<Register> HasLo;
  /// The first that computes of halves of results, by its opcode, and the
  /// opcodes of those that are not the only ones.
  DenseMap<unsigned, const MachineInstr *> Computing;
  DenseSet<unsigned> Alike;
};
} // namespace

/// Whether \p MI computes a half, or compares halves: ptxas may have that done
/// of two at a time.
static bool mayBePaired(const MachineInstr &MI,
                        const MachineRegisterInfo &MRI) {
  return any_of(MI.all_defs(), [&](const MachineOperand &Def) {
    const TargetRegisterClass *RC = MRI.getRegClass(Def.getReg());
    return RC == &NVPTX::B16RegClass || RC == &NVPTX::B1RegClass;
  });
}

void HalfTaker::collect(MachineInstr &MI, const RegisterHalves &H) {
  const Register Whole = MI.getOperand(H.WholeIndex).getReg();
  if (!isAccumulated(Whole, MRI))
    return;
  Halves.emplace_back(&MI, H);
  if (H.Lo)
    HasLo.insert(Whole);
  for (Register Half : {H.Lo, H.Hi})
    if (Half)
      for (const MachineInstr &User : MRI.use_nodbg_instructions(Half))
        if (mayBePaired(User, MRI) &&
            Computing.try_emplace(User.getOpcode(), &User).first->second !=
                &User)
          Alike.insert(User.getOpcode());
}

/// Whether anything is computed of \p Half as of another one.
bool HalfTaker::isComputedAlike(Register Half) const {
  return any_of(MRI.use_nodbg_instructions(Half), [&](const MachineInstr &MI) {
    return Alike.contains(MI.getOpcode());
  });
}

void HalfTaker::take(const RegisterHalves &H, MachineInstr &MI) {
  const Register Whole = MI.getOperand(H.WholeIndex).getReg();
  auto Build = [&](unsigned Opcode, Register Def) {
    return BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(Opcode), Def);
  };
  auto Truncate = [&](Register Half, Register Reg) {
    Build(NVPTX::CVT_u16_u32, Half).addReg(Reg).addImm(NVPTX::PTXCvtMode::NONE);
  };
  auto Permute = [&](unsigned Bytes) {
    const Register Permuted = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    Build(NVPTX::PRMT_B32rii, Permuted)
        .addReg(Whole)
        .addImm(0)
        .addImm(Bytes)
        .addImm(NVPTX::PTXPrmtMode::NONE);
    return Permuted;
  };
  if (H.Lo)
    Truncate(H.Lo, isComputedAlike(H.Lo) ? Permute(0x7710) : Whole);
  if (!H.Hi)
    return;
  if (!HasLo.contains(Whole)) {
    Truncate(H.Hi, Permute(0x7732));
    return;
  }
  const Register Shifted = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  Build(NVPTX::SRL32_ri, Shifted).addReg(Whole).addImm(16);
  Truncate(H.Hi, Shifted);
}

bool HalfTaker::run() {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (const std::optional<RegisterHalves> H = getRegisterHalves(MI))
        collect(MI, *H);
  for (const auto &[MI, H] : Halves) {
    take(H, *MI);
    MI->eraseFromParent();
  }
  NumTaken += Halves.size();
  return !Halves.empty();
}

bool NVPTXTakeResultHalves::runOnMachineFunction(MachineFunction &MF) {
  return HalfTaker(MF).run();
}

MachineFunctionPass *llvm::createNVPTXTakeResultHalvesPass() {
  return new NVPTXTakeResultHalves();
}
