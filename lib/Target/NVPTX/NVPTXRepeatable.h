//===- NVPTXRepeatable.h - What may be computed again -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What the passes that compute something again where it is needed, instead of
/// keeping it in a register, ask of an instruction.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXREPEATABLE_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXREPEATABLE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineInstr.h"

namespace llvm {

/// Whether \p MI computes one register of virtual registers and constants, and
/// may do so anywhere and again.
inline bool isRepeatable(const MachineInstr &MI) {
  return MI.getNumDefs() == 1 && !MI.isPHI() && !MI.isInlineAsm() &&
         !MI.isConvergent() && !MI.isNotDuplicable() && !MI.isImplicitDef() &&
         !MI.mayLoadOrStore() && !MI.hasUnmodeledSideEffects() &&
         all_of(MI.operands(), [](const MachineOperand &MO) {
           return !MO.isReg() || MO.getReg().isVirtual();
         });
}

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXREPEATABLE_H
