//===- NVPTXWGMMATuples.cpp - Registers that wgmma needs in a row ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMATuples.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

SmallVector<Register, 128> llvm::getAccumulator(const MachineInstr &WGMMA) {
  SmallVector<Register, 128> Registers;
  for (const MachineOperand &Def : WGMMA.defs())
    Registers.push_back(Def.getReg());
  return Registers;
}

SmallVector<Register, 4> llvm::getFragmentOfA(const MachineInstr &WGMMA,
                                              const MachineRegisterInfo &MRI) {
  SmallVector<Register, 4> Fragment;
  unsigned First = 2 * WGMMA.getDesc().getNumDefs();
  for (unsigned I = First; I != First + 4; ++I) {
    const MachineOperand &MO = WGMMA.getOperand(I);
    if (!MO.isReg() || MRI.getRegClass(MO.getReg()) != &NVPTX::B32RegClass)
      return {};
    Fragment.push_back(MO.getReg());
  }
  return Fragment;
}

std::optional<WGMMATuples::Place> WGMMATuples::find(Register Reg) const {
  auto Found = Places.find(Reg);
  if (Found == Places.end())
    return std::nullopt;
  return Found->second;
}

bool WGMMATuples::add(ArrayRef<Register> Registers, Kind TheKind) {
  if (std::optional<Place> First = find(Registers.front())) {
    const Tuple &Present = Tuples[First->Tuple];
    return Present.TheKind == TheKind && Registers.equals(Present.Registers);
  }
  for (auto [Index, Reg] : enumerate(Registers))
    if (Places.contains(Reg) || is_contained(Registers.take_front(Index), Reg))
      return false;
  for (auto [Index, Reg] : enumerate(Registers))
    Places[Reg] = {unsigned(Tuples.size()), unsigned(Index)};
  Tuples.push_back({SmallVector<Register, 0>(Registers), TheKind});
  return true;
}

void WGMMATuples::rename(Register Old, Register New) {
  auto Found = Places.find(Old);
  if (Found == Places.end() || Old == New)
    return;
  Place P = Found->second;
  Places.erase(Found);
  Places[New] = P;
  Tuples[P.Tuple].Registers[P.Index] = New;
}

void WGMMATuples::forget(unsigned Gone) {
  for (Register Reg : Tuples[Gone].Registers)
    if (std::optional<Place> P = find(Reg); P && P->Tuple == Gone)
      Places.erase(Reg);
  Tuples[Gone].Registers.clear();
}

WGMMATuples llvm::collectWGMMATuples(const MachineFunction &MF) {
  WGMMATuples Tuples;
  SmallVector<const MachineInstr *, 16> WGMMAs;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        WGMMAs.push_back(&MI);
  for (const MachineInstr *MI : WGMMAs)
    Tuples.add(getAccumulator(*MI), WGMMATuples::Kind::Accumulator);
  for (const MachineInstr *MI : WGMMAs)
    if (auto Fragment = getFragmentOfA(*MI, MF.getRegInfo()); !Fragment.empty())
      Tuples.add(Fragment, WGMMATuples::Kind::FragmentOfA);
  for (const MachineInstr *MI : WGMMAs)
    if (auto Index = getMetadataIndex(*MI, MF.getRegInfo()))
      Tuples.add(MI->getOperand(*Index).getReg(), WGMMATuples::Kind::Metadata);
  return Tuples;
}

bool llvm::isInWGMMATuple(Register Reg, const MachineRegisterInfo &MRI) {
  if (isAccumulated(Reg, MRI))
    return true;
  // A fragment has few users; others, such as a zero, may have thousands.
  constexpr unsigned MaxUsers = 64;
  unsigned NumUsers = 0;
  for (const MachineOperand &Use : MRI.use_nodbg_operands(Reg)) {
    const MachineInstr &MI = *Use.getParent();
    if (isWGMMA(MI) && (is_contained(getFragmentOfA(MI, MRI), Reg) ||
                        Use.getOperandNo() == getMetadataIndex(MI, MRI)))
      return true;
    if (++NumUsers == MaxUsers)
      break;
  }
  return false;
}
