//===- NVPTXPinWGMMAInputs.cpp - What a wgmma reads, and where it is from -===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas does not keep what a kernel was called with in registers if it is short
// of them: it loads it from the constant bank again wherever it is used. Where
// that is a fragment of A or the metadata of a wgmma.mma_async, the load lands
// between wgmma.fence and the wgmma, which must not be. ptxas 12.4 then
// serializes the instructions (C7513); 13.0 puts one more fence in front of
// each (C7519).
//
// This pass makes such an input a copy, of which NVPTXHideWGMMAMoves makes
// arithmetic that changes nothing:
//
//   %meta = LD_i32 ... param        %meta = LD_i32 ... param
//   WGMMA ..., %meta           =>   %1 = WGMMA_COPY %meta
//                                   WGMMA ..., %1
//
// ptxas loads again, but does not compute again. A mov, a shuffle or an or with
// zero would not do: ptxas sees through them, as of 13.0.
//
// The hardware takes a fragment from four registers in a row. If only some of
// the four were results of this arithmetic, ptxas would copy all of them to
// where they are in a row, for each wgmma, and take these registers for free
// once it is issued: a load may then write them while the wgmma reads them.
// So all registers of a fragment are pinned or none, and what is pinned for one
// fragment is not part of another.
//
// Selection puts the load of a parameter where it is first used, which may be
// after the fence. It goes to the function's start, the arithmetic with it.
//
// The same is done with constants that a wgmma of a loop reads. Selection puts
// them into the loop, where each round would set them anew while the wgmma of
// the last one may still be reading them.
//
// Runs on SSA form, after all that would move the loads.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/NVPTXVersion.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "nvptx-pin-wgmma-inputs"

STATISTIC(NumPinned, "Number of inputs pinned for wgmma");

namespace {
class NVPTXPinWGMMAInputs : public MachineFunctionPass {
public:
  static char ID;

  NVPTXPinWGMMAInputs() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Pin WGMMA Inputs"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  /// Registers that are pinned together: a fragment of A, or the metadata.
  using Input = SmallVector<Register, 4>;

  bool pinInputs(MachineInstr &WGMMA, bool IsInLoop);
  bool pin(MutableArrayRef<MachineOperand> Operands, bool IsInLoop);
  bool mustBePinned(Register Source, bool IsInLoop) const;
  Register hide(Register Source);

  MachineRegisterInfo *MRI = nullptr;
  const TargetInstrInfo *TII = nullptr;
  /// What was pinned, by the registers that it has its values from.
  std::map<Input, Input> Pinned;
};
} // namespace

char NVPTXPinWGMMAInputs::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXPinWGMMAInputs, DEBUG_TYPE, "NVPTX Pin WGMMA Inputs",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXPinWGMMAInputs, DEBUG_TYPE, "NVPTX Pin WGMMA Inputs",
                    false, false)

/// Whether ptxas may load what \p MI loads once more wherever it likes. What a
/// callee returns is a parameter, too, but there only after the call.
static bool isLoadOfConstantBank(const MachineInstr &MI) {
  return MI.mayLoad() &&
         any_of(MI.memoperands(), [](const MachineMemOperand *Operand) {
           unsigned AddressSpace = Operand->getAddrSpace();
           return AddressSpace == NVPTXAS::ADDRESS_SPACE_CONST ||
                  (AddressSpace == NVPTXAS::ADDRESS_SPACE_KERNEL_PARAM &&
                   Operand->isInvariant());
         });
}

/// A constant, or a load of the constant bank whose address is known, goes to
/// the start of the function.
static void moveToStart(MachineInstr &Def) {
  if (any_of(Def.explicit_uses(), [](const MachineOperand &Use) {
        return Use.isReg() && Use.getReg();
      }))
    return;
  MachineBasicBlock &Start = Def.getMF()->front();
  Start.splice(Start.begin(), Def.getParent(), Def);
}

bool NVPTXPinWGMMAInputs::mustBePinned(Register Source, bool IsInLoop) const {
  const MachineInstr *Def = MRI->getVRegDef(Source);
  if (Def && IsInLoop && Def->isMoveImmediate())
    return true;
  // A function is called with registers.
  return Def &&
         Def->getMF()->getFunction().getCallingConv() ==
             CallingConv::PTX_Kernel &&
         isLoadOfConstantBank(*Def);
}

/// Hides from ptxas where \p Source has its value from. Returns a register that
/// has the same one.
Register NVPTXPinWGMMAInputs::hide(Register Source) {
  MachineInstr *Def = MRI->getVRegDef(Source);
  // The result of a wgmma is in flight there.
  if (!Def || isWGMMA(*Def))
    return Source;
  LLVM_DEBUG(dbgs() << "Pinning: " << *Def);
  if (isLoadOfConstantBank(*Def) || Def->isMoveImmediate())
    moveToStart(*Def);
  Register Result = MRI->createVirtualRegister(&NVPTX::B32RegClass);
  MachineBasicBlock &MBB = *Def->getParent();
  auto Next =
      Def->isPHI() ? MBB.getFirstNonPHI() : std::next(Def->getIterator());
  BuildMI(MBB, Next, Def->getDebugLoc(), TII->get(NVPTX::WGMMA_COPY), Result)
      .addReg(Source);
  ++NumPinned;
  return Result;
}

/// Pins what \p Operands, of a wgmma in a loop or not, read, if there is need.
bool NVPTXPinWGMMAInputs::pin(MutableArrayRef<MachineOperand> Operands,
                              bool IsInLoop) {
  Input Sources;
  for (const MachineOperand &Operand : Operands)
    Sources.push_back(getCopySource(Operand.getReg(), *MRI));
  if (none_of(Sources,
              [&](Register Reg) { return mustBePinned(Reg, IsInLoop); }))
    return false;
  auto [It, IsNew] = Pinned.try_emplace(Sources);
  if (IsNew)
    for (Register Source : Sources)
      It->second.push_back(hide(Source));
  for (auto &&[Operand, Source, Result] :
       zip_equal(Operands, Sources, It->second)) {
    // What is not hidden is taken where it was: after a wait, perhaps.
    if (Result == Source)
      continue;
    Operand.setReg(Result);
    Operand.setIsKill(false);
  }
  return true;
}

bool NVPTXPinWGMMAInputs::pinInputs(MachineInstr &WGMMA, bool IsInLoop) {
  MutableArrayRef<MachineOperand> Fragment = getFragment(WGMMA, *MRI);
  bool Changed = !Fragment.empty() && pin(Fragment, IsInLoop);
  if (std::optional<unsigned> Metadata = getMetadataIndex(WGMMA, *MRI))
    Changed |= pin(WGMMA.getOperand(*Metadata), IsInLoop);
  return Changed;
}

bool NVPTXPinWGMMAInputs::runOnMachineFunction(MachineFunction &MF) {
  MRI = &MF.getRegInfo();
  TII = MF.getSubtarget().getInstrInfo();
  Pinned.clear();
  const auto &MLI = getAnalysis<MachineLoopInfoWrapperPass>().getLI();

  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        Changed |= pinInputs(MI, MLI.getLoopFor(&MBB));
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXPinWGMMAInputsPass() {
  return new NVPTXPinWGMMAInputs();
}
