//===- NVPTXReachingValues.cpp - Which value a register has ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXReachingValues.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/GenericIteratedDominanceFrontier.h"

using namespace llvm;

ReachingValues::ReachingValues(MachineFunction &MF)
    : MRI(MF.getRegInfo()), DT(MF) {
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Order.try_emplace(&MI, Order.size());
}

const ReachingValues::Definitions &
ReachingValues::getDefinitions(Register Reg) {
  auto [It, IsNew] = Known.try_emplace(Reg);
  Definitions &Of = It->second;
  if (!IsNew)
    return Of;
  SmallPtrSet<MachineBasicBlock *, 8> Defining;
  for (MachineInstr &Def : MRI.def_instructions(Reg)) {
    const MachineInstr *&Last = Of.Last[Def.getParent()];
    if (!Last || comesBefore(*Last, Def))
      Last = &Def;
    Defining.insert(Def.getParent());
  }
  IDFCalculatorBase<MachineBasicBlock, /*IsPostDom=*/false> Frontier(DT);
  Frontier.setDefiningBlocks(Defining);
  SmallVector<MachineBasicBlock *, 8> Meeting;
  Frontier.calculate(Meeting);
  Of.Meeting.insert_range(Meeting);
  return Of;
}

ReachingValues::Value ReachingValues::getBefore(Register Reg,
                                                const MachineInstr &At) {
  const MachineBasicBlock *MBB = At.getParent();
  const MachineInstr *Last = nullptr;
  for (const MachineInstr &Def : MRI.def_instructions(Reg))
    if (Def.getParent() == MBB && comesBefore(Def, At) &&
        (!Last || comesBefore(*Last, Def)))
      Last = &Def;
  if (Last)
    return {MBB, Last};
  const Definitions &Of = getDefinitions(Reg);
  if (Of.Meeting.contains(MBB))
    return {MBB, nullptr};
  const MachineDomTreeNode *Node = DT.getNode(MBB);
  while (Node && (Node = Node->getIDom())) {
    MBB = Node->getBlock();
    if (const MachineInstr *Def = Of.Last.lookup(MBB))
      return {MBB, Def};
    if (Of.Meeting.contains(MBB))
      break;
  }
  return {MBB, nullptr};
}
