//===- NVPTXAccumulatorParts.cpp - Accumulators between reads -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXAccumulatorParts.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

AccumulatorParts::AccumulatorParts(MachineFunction &MF,
                                   const AccumulatorFlow &Flow)
    : MF(MF), MRI(MF.getRegInfo()), Flow(Flow), Places(Flow.steps().size()) {
  findRows();
  findRowReads();
  findReads();
  findTwice();
  findParts();
  findReadParts();
}

/// What the registers of \p Row come from, by way of copies and phis, are rows,
/// too.
void AccumulatorParts::joinSources(SmallVector<Register, 0> Row) {
  DenseSet<const MachineInstr *> Seen;
  SmallVector<SmallVector<Register, 0>, 0> Worklist = {std::move(Row)};
  while (!Worklist.empty()) {
    Register First;
    SmallVector<MachineInstr *, 0> Phis;
    bool IsNew = false;
    for (Register Reg : Worklist.pop_back_val()) {
      Reg = getCopySource(Reg, MRI);
      if (!Flow.isPassedOn(Reg))
        continue;
      First = First ? First : Reg;
      Rows.unionSets(First, Reg);
      if (MachineInstr *Def = MRI.getUniqueVRegDef(Reg); Def->isPHI()) {
        Phis.push_back(Def);
        IsNew |= Seen.insert(Def).second;
      }
    }
    if (!IsNew)
      continue;
    // By the phis' block, and the one that the values come from.
    MapVector<std::pair<const MachineBasicBlock *, const MachineBasicBlock *>,
              SmallVector<Register, 0>>
        Incoming;
    for (const MachineInstr *Phi : Phis)
      for (unsigned I = 1, E = Phi->getNumOperands(); I < E; I += 2)
        Incoming[{Phi->getParent(), Phi->getOperand(I + 1).getMBB()}].push_back(
            Phi->getOperand(I).getReg());
    for (auto &Others : Incoming)
      Worklist.push_back(std::move(Others.second));
  }
}

/// Phis to which a block brings what is one row are one, too, also those that
/// no accumulator takes on.
void AccumulatorParts::joinPhis() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock &MBB : MF) {
      DenseMap<std::pair<const MachineBasicBlock *, Register>, Register> First;
      for (const MachineInstr &Phi : MBB.phis()) {
        Register Result = Phi.getOperand(0).getReg();
        if (!Flow.elements().contains(Result))
          continue;
        for (unsigned I = 1, E = Phi.getNumOperands(); I < E; I += 2) {
          Register Reg = getCopySource(Phi.getOperand(I).getReg(), MRI);
          if (!Flow.isPassedOn(Reg))
            continue;
          Register Other = First
                               .try_emplace({Phi.getOperand(I + 1).getMBB(),
                                             Rows.getOrInsertLeaderValue(Reg)},
                                            Result)
                               .first->second;
          if (Rows.isEquivalent(Other, Result))
            continue;
          Rows.unionSets(Other, Result);
          Changed = true;
        }
      }
    }
  }
}

/// The registers of an accumulator are one row, at each place.
void AccumulatorParts::findRows() {
  for (MachineInstr *MI : Flow.wgmmas()) {
    unsigned NumDefs = MI->getDesc().getNumDefs();
    SmallVector<Register, 0> Row;
    for (unsigned I = 0; I != NumDefs; ++I) {
      Rows.unionSets(MI->getOperand(0).getReg(), MI->getOperand(I).getReg());
      Register Use = MI->getOperand(NumDefs + I).getReg();
      Row.push_back(Use);
      if (Flow.isPassedOn(Use))
        Rows.unionSets(MI->getOperand(NumDefs).getReg(), Use);
    }
    joinSources(std::move(Row));
  }
  joinPhis();
}

void AccumulatorParts::findRowReads() {
  for (Register Reg : Flow.read())
    for (const MachineOperand &MO : MRI.use_nodbg_operands(Reg))
      if (!isAccumulatorStep(MO))
        for (Register Name = Reg; Flow.isPassedOn(Name);
             Name = Flow.getOtherName(Name))
          RowReads[Rows.getOrInsertLeaderValue(Name)].push_back(&MO);
}

/// Whether an element beside the one that step \p S takes on may have been read
/// by then, since that one is what it is. It need not go on itself: the
/// accumulator may take on what is computed of it.
bool AccumulatorParts::isRowReadBefore(const AccumulatorStep &S) {
  for (Register Name = S.getTaken(); Flow.isPassedOn(Name);
       Name = Flow.getOtherName(Name))
    if (auto Reads = RowReads.find(Rows.getOrInsertLeaderValue(Name));
        Reads != RowReads.end() &&
        any_of(Reads->second, [&, Name](const MachineOperand *MO) {
          return Flow.isPast(*MO, S, Name);
        }))
      return true;
  return false;
}

AccumulatorParts::RowOfSteps
AccumulatorParts::getRow(const AccumulatorStep &S) {
  if (!S.To->isPHI())
    return {S.To, nullptr, Register()};
  return {S.To->getParent(), S.getBlock(),
          Rows.getOrInsertLeaderValue(S.Result)};
}

/// What a wgmma accumulates in has to stay in a row: where one element is taken
/// on after a read, so are all. So a copy separates nothing: where a wgmma or a
/// phi takes on what was read under the copy's other name, all elements are.
void AccumulatorParts::findReads() {
  DenseMap<RowOfSteps, Place> Found;
  for (const AccumulatorStep &S : Flow.steps())
    if (isWGMMA(*S.To) || S.To->isPHI()) {
      Place &P = Found[getRow(S)];
      P.IsAfterRead =
          P.IsAfterRead || Flow.isReadBefore(S) || isRowReadBefore(S);
      P.IsCopy = P.IsCopy || Flow.isCopy(S);
    }
  for (auto [P, S] : zip_equal(Places, Flow.steps()))
    P = Found.lookup(getRow(S));
}

/// Finds where accumulators go on of which two elements have the same value,
/// left by a wgmma.
void AccumulatorParts::findTwice() {
  DenseSet<std::pair<RowOfSteps, Register>> Taken;
  DenseSet<RowOfSteps> Twice;
  for (const AccumulatorStep &S : Flow.steps())
    if (Register Reg = getCopySource(S.getTaken(), MRI);
        Flow.isPassedOn(Reg) && !Taken.insert({getRow(S), Reg}).second)
      Twice.insert(getRow(S));
  for (auto [P, S] : zip_equal(Places, Flow.steps()))
    P.IsTwice = Twice.contains(getRow(S));
}

/// Finds what may become one accumulator, and the parts of it between reads.
void AccumulatorParts::findParts() {
  for (Register Reg : Flow.elements())
    Parts.unionSets(Reg, Rows.getOrInsertLeaderValue(Reg));
  Accumulators = Parts;
  InPlace = Parts;
  for (auto [P, S] : zip_equal(Places, Flow.steps())) {
    Register Reg = S.getTaken();
    if (!Flow.isPassedOn(Reg))
      continue;
    Accumulators.unionSets(Reg, S.Result);
    if (P.IsAfterRead || P.IsTwice)
      continue;
    Parts.unionSets(Reg, S.Result);
    if (!P.IsCopy)
      InPlace.unionSets(Reg, S.Result);
  }
}

/// Finds the parts that have a result of a wgmma, if by way of another part,
/// and something that reads it.
void AccumulatorParts::findReadParts() {
  DenseSet<Register> HasResult;
  for (MachineInstr *MI : Flow.wgmmas())
    HasResult.insert(Parts.getLeaderValue(MI->getOperand(0).getReg()));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const AccumulatorStep &S : Flow.steps()) {
      Register Reg = S.getTaken();
      if (Flow.isPassedOn(Reg) && HasResult.contains(Parts.getLeaderValue(Reg)))
        Changed |= HasResult.insert(Parts.getLeaderValue(S.Result)).second;
    }
  }
  for (Register Reg : Flow.read())
    if (Register Part = Parts.getLeaderValue(Reg); HasResult.contains(Part))
      ReadParts[Accumulators.getLeaderValue(Reg)].insert(Part);
}

bool AccumulatorParts::isReadElsewhere(unsigned Index) const {
  if (!Places[Index].IsAfterRead)
    return false;
  const AccumulatorStep &S = Flow.steps()[Index];
  auto Read = ReadParts.find(Accumulators.getLeaderValue(S.Result));
  if (Read != ReadParts.end() && Read->second.size() >= 2)
    return true;
  Register Reg = S.getTaken();
  return Parts.getLeaderValue(Reg) == Parts.getLeaderValue(S.Result) &&
         InPlace.getLeaderValue(Reg) != InPlace.getLeaderValue(S.Result);
}
