//===- NVPTXSetMaxNReg.cpp - Warnings of setmaxnreg -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXSetMaxNReg.h"
#include "NVPTXIntrinsicTargets.h"
#include "NVPTXSubtarget.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

static bool isSetMaxNReg(Intrinsic::ID ID) {
  return ID == Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 ||
         ID == Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32;
}

/// Warns of setmaxnreg in a function that a kernel calls. The registers are the
/// kernel's: ptxas allocates those of other functions for the same count, or
/// fails to, as in code that was not optimized.
static void warnOfSetMaxNReg(SDNode *N, SelectionDAG &DAG) {
  const Function &F = DAG.getMachineFunction().getFunction();
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    DAG.getContext()->diagnose(DiagnosticInfoUnsupported(
        F,
        Intrinsic::getBaseName(N->getConstantOperandVal(1)) +
            " belongs into a kernel, where ptxas knows the number of "
            "registers; this function was not inlined into one",
        SDLoc(N).getDebugLoc(), DS_Warning));
}

/// Whether \p I becomes a call in PTX.
static bool isCallInPTX(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm();
}

/// Whether setmaxnreg has to be left out of this kernel. Without optimization
/// nearly each kernel calls functions; ptxas 13.0 then often finds that the
/// count is too small for them, and dies of it. The kernel keeps the registers
/// that it was launched with, which is right with all of its setmaxnreg gone,
/// but not with some of them.
static bool shouldDropSetMaxNReg(const SelectionDAG &DAG) {
  const Function &F = DAG.getMachineFunction().getFunction();
  return DAG.getTarget().getOptLevel() == CodeGenOptLevel::None &&
         F.getCallingConv() == CallingConv::PTX_Kernel &&
         any_of(instructions(F), isCallInPTX);
}

SDValue llvm::combineSetMaxNReg(SDNode *N,
                                TargetLowering::DAGCombinerInfo &DCI) {
  Intrinsic::ID ID = N->getConstantOperandVal(1);
  if (!isSetMaxNReg(ID) || !DCI.isBeforeLegalize() ||
      !lookupTargetedIntrinsic(ID)->isSupported(
          DCI.DAG.getSubtarget<NVPTXSubtarget>()))
    return SDValue();
  if (shouldDropSetMaxNReg(DCI.DAG))
    return N->getOperand(0);
  warnOfSetMaxNReg(N, DCI.DAG);
  return SDValue();
}
