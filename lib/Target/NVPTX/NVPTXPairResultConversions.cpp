//===- NVPTXPairResultConversions.cpp - Results that become halves --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of
//
//   d = wgmma(...); commit; wait 0;
//   for (i = 0; i != 4; ++i) out[...] = (half)d[i];
//
// ptxas makes one conversion of two, into the register of one of them, whatever
// is done with the halves, and takes that for an access to a wgmma in flight:
// 13.0 adds a second wait (C7517), 12.4 serializes all wgmma of the kernel
// (C7514). Nor need the second one be of a result: any value will do that was
// there before. It does not where the program converts two at a time, for the
// same number of instructions:
//
//   cvt.rn.f16x2.f32 %r5, %r2, %r1;
//   mov.b32 {%rs1, %rs2}, %r5;
//
// One that nothing goes with becomes both halves of a register, and is taken
// from the upper one, for one instruction more. That is done in the blocks of a
// wgmma alone: in others ptxas does as it wants, with no harm seen.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
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

#define DEBUG_TYPE "nvptx-pair-result-conversions"

STATISTIC(NumPairs, "Number of pairs of results converted to halves");
STATISTIC(NumSingle, "Number of results converted to halves by themselves");

namespace {
class NVPTXPairResultConversions : public MachineFunctionPass {
public:
  static char ID;

  NVPTXPairResultConversions() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Pair Result Conversions";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXPairResultConversions::ID = 0;

INITIALIZE_PASS(NVPTXPairResultConversions, DEBUG_TYPE,
                "NVPTX Pair Result Conversions", false, false)

namespace {
/// The instruction that converts two floats, and how it rounds.
using Kind = std::pair<unsigned, int64_t>;

/// A conversion that waits for one to go with it.
struct Conversion {
  MachineInstr *MI;
  unsigned Position; ///< In its block.
  bool IsOfResult;
};

/// Converts results two at a time in one block.
class BlockPairer {
public:
  BlockPairer(MachineBasicBlock &MBB, const TargetInstrInfo &TII)
      : MBB(MBB), MRI(MBB.getParent()->getRegInfo()), TII(TII) {}

  bool run();

private:
  void visit(MachineInstr &MI, Kind K);
  void pair(MachineInstr &First, MachineInstr &Second, Kind K);
  void leave(const Conversion &C, Kind K);
  void leaveAll();
  Register convert(MachineInstr &At, Kind K, Register Hi, Register Lo);
  MachineInstrBuilder build(MachineInstr &At, unsigned Opcode, Register Def);

  MachineBasicBlock &MBB;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  MapVector<Kind, Conversion> Waiting;
  /// Where in the block registers are written last.
  DenseMap<Register, unsigned> WrittenAt;
  unsigned Position = 0;
  bool HasWGMMA = false;
  bool Changed = false;
};
} // namespace

/// What converts two floats as \p MI converts one.
static std::optional<Kind> getPackedConversion(const MachineInstr &MI) {
  const unsigned Opcode = MI.getOpcode();
  if (Opcode != NVPTX::CVT_f16_f32 && Opcode != NVPTX::CVT_bf16_f32)
    return std::nullopt;
  const int64_t Mode = MI.getOperand(2).getImm();
  if (!MI.getOperand(1).isReg() ||
      (Mode != NVPTX::PTXCvtMode::RN && Mode != NVPTX::PTXCvtMode::RZ))
    return std::nullopt;
  return Kind(Opcode == NVPTX::CVT_f16_f32 ? NVPTX::CVT_f16x2_f32
                                           : NVPTX::CVT_bf16x2_f32,
              Mode);
}

static Register getSource(const MachineInstr &Conversion) {
  return Conversion.getOperand(1).getReg();
}

static Register getHalf(const MachineInstr &Conversion) {
  return Conversion.getOperand(0).getReg();
}

MachineInstrBuilder BlockPairer::build(MachineInstr &At, unsigned Opcode,
                                       Register Def) {
  return BuildMI(MBB, At, At.getDebugLoc(), TII.get(Opcode), Def);
}

/// A new register, ahead of \p At, with the halves that \p Hi and \p Lo become.
Register BlockPairer::convert(MachineInstr &At, Kind K, Register Hi,
                              Register Lo) {
  Register Halves = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  build(At, K.first, Halves).addReg(Hi).addReg(Lo).addImm(K.second);
  Changed = true;
  return Halves;
}

void BlockPairer::pair(MachineInstr &First, MachineInstr &Second, Kind K) {
  const Register Halves =
      convert(First, K, getSource(Second), getSource(First));
  const Register Lo = getHalf(First), Hi = getHalf(Second);
  // What is written elsewhere, too, may still be read until then.
  const bool IsWrittenOnce = MRI.hasOneDef(Hi);
  const Register Early =
      IsWrittenOnce ? Hi : MRI.createVirtualRegister(&NVPTX::B16RegClass);
  build(First, NVPTX::I32toV2I16, Lo).addDef(Early).addReg(Halves);
  if (!IsWrittenOnce)
    build(Second, NVPTX::MOV_B16_r, Hi).addReg(Early);
  First.eraseFromParent();
  Second.eraseFromParent();
  ++NumPairs;
}

/// Nothing goes with \p C.
void BlockPairer::leave(const Conversion &C, Kind K) {
  if (!C.IsOfResult || !HasWGMMA)
    return;
  MachineInstr &MI = *C.MI;
  const Register Float = getSource(MI);
  const Register Halves = convert(MI, K, Float, Float);
  const Register Shifted = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  build(MI, NVPTX::SRL32_ri, Shifted).addReg(Halves).addImm(16);
  build(MI, NVPTX::CVT_u16_u32, getHalf(MI))
      .addReg(Shifted)
      .addImm(NVPTX::PTXCvtMode::NONE);
  MI.eraseFromParent();
  ++NumSingle;
}

void BlockPairer::leaveAll() {
  for (const auto &[K, C] : Waiting)
    leave(C, K);
  Waiting.clear();
}

/// \p MI converts a float, as \p K converts two: with one that waits, if a
/// result is among the two, and there is the second where the first is
/// converted.
void BlockPairer::visit(MachineInstr &MI, Kind K) {
  const Register Hi = getSource(MI);
  const Conversion Second = {&MI, Position, isAccumulated(Hi, MRI)};
  auto [It, IsNew] = Waiting.insert({K, Second});
  if (IsNew)
    return;
  const Conversion First = It->second;
  if (!(First.IsOfResult || Second.IsOfResult) ||
      WrittenAt.lookup(Hi) > First.Position) {
    It->second = Second;
    leave(First, K);
    return;
  }
  Waiting.erase(It);
  pair(*First.MI, MI, K);
}

bool BlockPairer::run() {
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    ++Position;
    // Behind a step, a result may be there that is not ahead of it.
    if (!getWGMMAEvents(MI).empty() || hasUnknownWGMMASteps(MI))
      leaveAll();
    HasWGMMA |= isWGMMA(MI);
    for (const MachineOperand &Def : MI.all_defs())
      WrittenAt[Def.getReg()] = Position;
    if (std::optional<Kind> K = getPackedConversion(MI))
      visit(MI, *K);
  }
  leaveAll();
  return Changed;
}

bool NVPTXPairResultConversions::runOnMachineFunction(MachineFunction &MF) {
  if (none_of(MF, hasWGMMAIn))
    return false;
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    Changed |= BlockPairer(MBB, TII).run();
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXPairResultConversionsPass() {
  return new NVPTXPairResultConversions();
}
