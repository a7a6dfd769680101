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
// is computed from a result of wgmma, or where one meets what other paths have,
// stays where it is.
//
// So does what many values end in, and the next round of a loop goes on
// with, as the sum of a row of exponentials: at the end of the round all of
// these would be there beside the wgmma that it is computed ahead of, and each
// round comes there anyway.
//
//===----------------------------------------------------------------------===//

#include "NVPTXInstrInfo.h"
#include "NVPTXSubtarget.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

/// Whether a phi of a loop around \p MBB takes \p Reg on to the next round, and
/// nothing reads it in a block that \p MBB leads to.
static bool goesRound(Register Reg, const MachineBasicBlock &MBB,
                      const MachineRegisterInfo &MRI) {
  bool HasPhi = false;
  for (const MachineInstr &User : MRI.use_nodbg_instructions(Reg)) {
    const MachineBasicBlock *At = User.getParent();
    // A loop begins in a block that stands ahead, mostly.
    if (User.isPHI())
      HasPhi |= At->getNumber() <= MBB.getNumber();
    else if (At == &MBB || MBB.isSuccessor(At))
      return false;
  }
  return HasPhi;
}

/// Whether \p MI computes one value, which goes round a loop, of many of its
/// block, by way of others that nothing else needs.
static bool joinsManyValues(const MachineInstr &MI,
                            const MachineRegisterInfo &MRI) {
  // To have a few registers live for longer costs nothing, mostly.
  constexpr unsigned Many = 8;
  const MachineBasicBlock &MBB = *MI.getParent();
  if (MI.getNumExplicitDefs() != 1 || !MI.getOperand(0).getReg().isVirtual() ||
      !goesRound(MI.getOperand(0).getReg(), MBB, MRI) ||
      none_of(make_range(MachineBasicBlock::const_iterator(MI), MBB.end()),
              isWGMMA))
    return false;
  unsigned NumValues = 0;
  SmallVector<const MachineInstr *, 16> Worklist = {&MI};
  while (!Worklist.empty() && NumValues < Many)
    for (const MachineOperand &Use : Worklist.pop_back_val()->all_uses()) {
      const MachineInstr *Def = Use.getReg().isVirtual()
                                    ? MRI.getUniqueVRegDef(Use.getReg())
                                    : nullptr;
      if (!Def || Def->getParent() != &MBB || Def->isPHI())
        continue;
      if (MRI.hasOneNonDBGUse(Use.getReg()) && !Def->mayLoadOrStore() &&
          !Def->hasUnmodeledSideEffects())
        Worklist.push_back(Def);
      else
        ++NumValues;
    }
  return NumValues >= Many;
}

/// Whether \p Reg is a result of wgmma, on one of the paths to it.
static bool isResult(Register Reg, const MachineRegisterInfo &MRI) {
  // Where more paths meet, one of the first to be looked at tells, mostly.
  constexpr unsigned MaxValues = 16;
  SmallSetVector<Register, MaxValues> Values;
  Values.insert(getCopySource(Reg, MRI));
  for (unsigned I = 0; I != Values.size(); ++I) {
    const Register Value = Values[I];
    const MachineInstr *Def =
        Value.isVirtual() ? MRI.getUniqueVRegDef(Value) : nullptr;
    if (Def && isWGMMA(*Def))
      return true;
    if (Def && Def->isPHI())
      for (const MachineOperand &Incoming : Def->all_uses()) {
        if (Values.size() == MaxValues)
          break;
        Values.insert(getCopySource(Incoming.getReg(), MRI));
      }
  }
  return false;
}

/// Whether \p MI reads a result of wgmma.
static bool readsResult(const MachineInstr &MI,
                        const MachineRegisterInfo &MRI) {
  return any_of(MI.all_uses(), [&](const MachineOperand &Use) {
    return isResult(Use.getReg(), MRI);
  });
}

bool NVPTXInstrInfo::shouldSink(const MachineInstr &MI) const {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  const auto &ST = MI.getMF()->getSubtarget<NVPTXSubtarget>();
  return !ST.hasWGMMA() || (!readsResult(MI, MRI) && !joinsManyValues(MI, MRI));
}
