//===- NVPTXSinkWGMMAUsers.cpp - What is computed from a result stays -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MachineSink moves what is computed to the block that needs it. Of
//
//   acc = wgmma(...); wait; sum += scale * acc;
//   if (threadIdx.x == 0) arrive(...);
//   acc = wgmma(...); wait; sum += scale * acc;
//
// the first product would then be added behind the second wgmma, which needs
// registers of its own for that: twice as many as the program asks for. So what
// is computed from a result of wgmma stays where it is.
//
//===----------------------------------------------------------------------===//

#include "NVPTXInstrInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

bool NVPTXInstrInfo::shouldSink(const MachineInstr &MI) const {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  return none_of(MI.all_uses(), [&](const MachineOperand &Use) {
    const Register Source = getCopySource(Use.getReg(), MRI);
    const MachineInstr *Def =
        Source.isVirtual() ? MRI.getUniqueVRegDef(Source) : nullptr;
    return Def && isWGMMA(*Def);
  });
}
