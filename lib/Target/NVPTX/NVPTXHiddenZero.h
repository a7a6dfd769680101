//===- NVPTXHiddenZero.h - A zero that ptxas does not know ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// The upmost bit of the clock is zero, and ptxas does not know: see
/// NVPTXHideWGMMAMoves.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHIDDENZERO_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHIDDENZERO_H

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace llvm {

/// A new register with such a zero, which is read at \p Where in \p MBB.
inline Register readZero(MachineBasicBlock &MBB,
                         MachineBasicBlock::iterator Where,
                         const DebugLoc &DL = DebugLoc()) {
  MachineFunction &MF = *MBB.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  Register Zero = MF.getRegInfo().createVirtualRegister(&NVPTX::B32RegClass);
  BuildMI(MBB, Where, DL, TII.get(NVPTX::WGMMA_HIDDEN_ZERO), Zero);
  return Zero;
}

/// The same, read ahead of \p Loop.
inline Register readZeroAheadOf(const MachineLoop &Loop) {
  MachineFunction &MF = *Loop.getHeader()->getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  Register Zero = MF.getRegInfo().createVirtualRegister(&NVPTX::B32RegClass);
  for (MachineBasicBlock *MBB : Loop.getHeader()->predecessors())
    if (!Loop.contains(MBB))
      BuildMI(*MBB, MBB->getFirstTerminator(), DebugLoc(),
              TII.get(NVPTX::WGMMA_HIDDEN_ZERO), Zero);
  return Zero;
}

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHIDDENZERO_H
