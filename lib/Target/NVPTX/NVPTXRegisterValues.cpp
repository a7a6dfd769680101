//===- NVPTXRegisterValues.cpp - Registers of the same value --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are found on demand, backwards from where they are asked for: few
// registers are, and most of them have one definition. A value that goes round
// a loop, or comes from too far, is one of its own.
//
//===----------------------------------------------------------------------===//

#include "NVPTXRegisterValues.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

/// How many definitions and blocks a value is looked for through, at most.
static constexpr unsigned MaxDepth = 32;
/// A register with more definitions than that is not looked at.
static constexpr unsigned MaxDefs = 64;

RegisterValues::RegisterValues(const MachineFunction &MF)
    : MRI(MF.getRegInfo()) {
  for (const MachineBasicBlock &MBB : MF)
    for (auto [Index, MI] : enumerate(MBB))
      Place[&MI] = Index;
}

/// The number of what is computed like this.
unsigned RegisterValues::getNumber(std::vector<uint64_t> Expression,
                                   Origin From) {
  auto [It, IsNew] =
      Expressions.try_emplace(std::move(Expression), Origins.size());
  if (IsNew)
    Origins.push_back(std::move(From));
  return It->second;
}

/// The number of a value of which no more is known than that it comes from
/// \p MBB.
unsigned RegisterValues::getNew(const MachineBasicBlock &MBB) {
  Origins.push_back({&MBB});
  return Origins.size() - 1;
}

bool RegisterValues::mayChangeIn(unsigned Value,
                                 const MachineLoop &Loop) const {
  return any_of(Origins[Value], [&](const MachineBasicBlock *MBB) {
    return Loop.contains(MBB);
  });
}

/// The last definition of \p Reg in \p MBB that comes before the place
/// \p Before, if any.
const MachineInstr *RegisterValues::findDef(Register Reg,
                                            const MachineBasicBlock &MBB,
                                            unsigned Before) const {
  const MachineInstr *Last = nullptr;
  unsigned LastPlace = 0;
  for (const MachineInstr &Def : MRI.def_instructions(Reg)) {
    if (Def.getParent() != &MBB)
      continue;
    unsigned DefPlace = Place.lookup(&Def);
    if (DefPlace < Before && (!Last || DefPlace > LastPlace)) {
      Last = &Def;
      LastPlace = DefPlace;
    }
  }
  return Last;
}

unsigned RegisterValues::getBefore(Register Reg, const MachineInstr &At,
                                   unsigned Depth) {
  if (Depth == MaxDepth || !Reg.isVirtual() ||
      hasNItemsOrMore(MRI.def_instructions(Reg), MaxDefs))
    return getNew(*At.getParent());
  if (const MachineInstr *Def =
          findDef(Reg, *At.getParent(), Place.lookup(&At)))
    return getDefined(Reg, *Def, Depth + 1);
  return getAtStart(Reg, *At.getParent(), Depth + 1);
}

unsigned RegisterValues::getAtEnd(Register Reg, const MachineBasicBlock &MBB,
                                  unsigned Depth) {
  if (const MachineInstr *Def = findDef(Reg, MBB, ~0u))
    return getDefined(Reg, *Def, Depth + 1);
  return getAtStart(Reg, MBB, Depth + 1);
}

unsigned RegisterValues::getAtStart(Register Reg, const MachineBasicBlock &MBB,
                                    unsigned Depth) {
  // The one definition comes before all uses.
  if (MRI.hasOneDef(Reg))
    return getDefined(Reg, *MRI.def_instr_begin(Reg), Depth + 1);
  // Until it is known, and where it goes round a loop, a value of its own.
  auto [It, IsNew] = AtStart.try_emplace({Reg, &MBB}, Origins.size());
  if (!IsNew)
    return It->second;
  unsigned Own = getNew(MBB);
  if (Depth >= MaxDepth || MBB.pred_empty())
    return Own;
  // What paths bring together.
  std::vector<uint64_t> Meeting = {~uint64_t(0), uint64_t(MBB.getNumber())};
  for (const MachineBasicBlock *Before : MBB.predecessors())
    Meeting.push_back(getAtEnd(Reg, *Before, Depth));
  bool AreSame = all_equal(ArrayRef<uint64_t>(Meeting).drop_front(2));
  unsigned Value = AreSame ? Meeting[2] : getNumber(std::move(Meeting), {&MBB});
  return AtStart[{Reg, &MBB}] = Value;
}

unsigned RegisterValues::getDefined(Register Reg, const MachineInstr &Def,
                                    unsigned Depth) {
  auto Found = Defined.find({Reg, &Def});
  if (Found != Defined.end())
    return Found->second;
  unsigned Value = compute(Reg, Def, Depth);
  Defined[{Reg, &Def}] = Value;
  return Value;
}

unsigned RegisterValues::compute(Register Reg, const MachineInstr &Def,
                                 unsigned Depth) {
  if (passesValueOn(Def) && !Def.isPHI())
    return getBefore(Def.getOperand(1).getReg(), Def, Depth + 1);
  if (Def.isImplicitDef() || Def.isInlineAsm() || Def.isCall() ||
      Def.mayStore() || Def.hasUnmodeledSideEffects() ||
      Def.hasOrderedMemoryRef() || Def.isConvergent())
    return getNew(*Def.getParent());

  std::vector<uint64_t> Expression = {Def.getOpcode()};
  Origin From;
  for (const MachineOperand &MO : Def.operands()) {
    if (!MO.isReg()) {
      Expression.push_back(hash_value(MO));
    } else if (!MO.isDef()) {
      unsigned Operand = getBefore(MO.getReg(), Def, Depth + 1);
      Expression.push_back(Operand);
      From.insert_range(Origins[Operand]);
    } else {
      // Which result it is.
      Expression.push_back(MO.getReg() == Reg);
    }
  }
  return getNumber(std::move(Expression), std::move(From));
}
