//===- NVPTXAccumulatorFlow.cpp - Accumulators of wgmma in SSA form -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXAccumulatorFlow.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOperand.h"
#include <tuple>

using namespace llvm;

MachineBasicBlock *AccumulatorStep::getBlock() const {
  return To->isPHI() ? To->getOperand(Use + 1).getMBB() : To->getParent();
}

MachineBasicBlock::iterator AccumulatorStep::getPlace() const {
  return To->isPHI() ? getBlock()->getFirstTerminator()
                     : MachineBasicBlock::iterator(To);
}

bool llvm::isAccumulatorStep(const MachineOperand &MO) {
  const MachineInstr &MI = *MO.getParent();
  if (!isWGMMA(MI))
    return passesValueOn(MI);
  unsigned NumDefs = MI.getDesc().getNumDefs();
  return MO.getOperandNo() >= NumDefs && MO.getOperandNo() < 2 * NumDefs;
}

/// Calls \p Visit with the operand and the result of each way that a value
/// takes through \p MI.
static void forEachStep(MachineInstr &MI,
                        function_ref<void(unsigned, Register)> Visit) {
  if (isWGMMA(MI)) {
    for (unsigned I = 0, E = MI.getDesc().getNumDefs(); I != E; ++I)
      Visit(E + I, MI.getOperand(I).getReg());
  } else if (passesValueOn(MI)) {
    for (unsigned I = 1, E = MI.getNumOperands(); I < E;
         I += MI.isPHI() ? 2 : 1)
      Visit(I, MI.getOperand(0).getReg());
  }
}

AccumulatorFlow::AccumulatorFlow(MachineFunction &MF)
    : MF(MF), MRI(MF.getRegInfo()) {
  collect();
  if (Steps.empty())
    return;
  markLive();
  findStarts();
}

//===----------------------------------------------------------------------===//
// What flows where
//===----------------------------------------------------------------------===//

void AccumulatorFlow::addStep(MachineInstr &To, unsigned Use, Register Result) {
  const MachineOperand &MO = To.getOperand(Use);
  if (MO.isReg() && MO.getReg().isVirtual() && Result.isVirtual())
    Steps.push_back({&To, Use, Result});
}

/// All steps, and the registers between which a wgmma's result flows.
void AccumulatorFlow::collect() {
  SmallVector<Register, 0> Worklist;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI)) {
        WGMMAs.push_back(&MI);
        for (unsigned I = 0, E = 2 * MI.getDesc().getNumDefs(); I != E; ++I)
          if (Register Reg = MI.getOperand(I).getReg();
              Elements.insert(Reg).second)
            Worklist.push_back(Reg);
      }
  if (WGMMAs.empty())
    return;
  // Forwards, to all that results go on as; and backwards, through what only
  // passes a value on to an accumulator.
  while (!Worklist.empty()) {
    Register Reg = Worklist.pop_back_val();
    auto Add = [&](Register Other) {
      if (Other.isVirtual() && Elements.insert(Other).second)
        Worklist.push_back(Other);
    };
    for (MachineInstr &User : MRI.use_nodbg_instructions(Reg))
      if (passesValueOn(User))
        Add(User.getOperand(0).getReg());
    MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
    if (Def && Def->isPHI())
      for (unsigned I = 1, E = Def->getNumOperands(); I < E; I += 2)
        Add(Def->getOperand(I).getReg());
    else if (Def && passesValueOn(*Def))
      Add(Def->getOperand(1).getReg());
  }
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      Order.try_emplace(&MI, Order.size());
      forEachStep(MI, [&](unsigned Use, Register Result) {
        if (Elements.contains(Result))
          addStep(MI, Use, Result);
      });
    }
}

/// The registers from which values flow to those of \p Found, and these.
DenseSet<Register> AccumulatorFlow::findSources(DenseSet<Register> Found,
                                                bool PastOverwriting) const {
  SmallVector<Register, 0> Worklist(Found.begin(), Found.end());
  DenseMap<Register, SmallVector<Register, 2>> From;
  for (const AccumulatorStep &S : Steps)
    if (PastOverwriting || !isWGMMA(*S.To) || !overwritesAccumulator(*S.To))
      From[S.Result].push_back(S.getTaken());
  while (!Worklist.empty())
    for (Register Reg : From.lookup(Worklist.pop_back_val()))
      if (Elements.contains(Reg) && Found.insert(Reg).second)
        Worklist.push_back(Reg);
  return Found;
}

void AccumulatorFlow::markLive() {
  for (Register Reg : Elements) {
    if (!MRI.use_nodbg_empty(Reg) && !MRI.hasOneNonDBGUse(Reg))
      Read.insert(Reg);
    if (any_of(MRI.use_nodbg_operands(Reg), [](const MachineOperand &MO) {
          return !isAccumulatorStep(MO);
        })) {
      Read.insert(Reg);
      Live.insert(Reg);
    }
    if (count_if(MRI.use_nodbg_operands(Reg), isAccumulatorStep) > 1)
      Copied.insert(Reg);
  }
  Surviving = findSources(Live, /*PastOverwriting=*/false);
  Live = findSources(Live, /*PastOverwriting=*/true);
  Copied = findSources(Copied, /*PastOverwriting=*/true);
}

/// Finds what accumulators start from, by way of phis and copies: not the
/// counter of a loop that starts from the same constant.
void AccumulatorFlow::findStarts() {
  SmallVector<Register, 0> Worklist;
  auto Add = [&](Register Reg) {
    if (Reg.isVirtual() && Starting.insert(Reg).second)
      Worklist.push_back(Reg);
  };
  for (MachineInstr *MI : WGMMAs)
    for (unsigned I = 0, E = MI->getDesc().getNumDefs(); I != E; ++I)
      Add(MI->getOperand(E + I).getReg());
  while (!Worklist.empty()) {
    MachineInstr *Def = MRI.getUniqueVRegDef(Worklist.pop_back_val());
    if (Def && passesValueOn(*Def))
      forEachStep(*Def, [&](unsigned Use, Register) {
        if (Def->getOperand(Use).isReg())
          Add(Def->getOperand(Use).getReg());
      });
  }
}

//===----------------------------------------------------------------------===//
// What comes before and after
//===----------------------------------------------------------------------===//

/// Whether a path leads from the end of \p From to \p To, not through \p Def.
bool AccumulatorFlow::reaches(const MachineBasicBlock *From,
                              const MachineBasicBlock *To,
                              const MachineBasicBlock *Def) const {
  // Edges that are split give more blocks.
  const unsigned NumBlocks = MF.getNumBlockIDs();
  BitVector &Reached = Reachable[{From, Def}];
  if (Reached.size() == NumBlocks)
    return Reached.test(To->getNumber());
  Reached.clear();
  Reached.resize(NumBlocks);
  SmallVector<const MachineBasicBlock *, 16> Worklist(From->successors());
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.pop_back_val();
    if (MBB == Def || Reached.test(MBB->getNumber()))
      continue;
    Reached.set(MBB->getNumber());
    append_range(Worklist, MBB->successors());
  }
  return Reached.test(To->getNumber());
}

bool AccumulatorFlow::isPast(const MachineOperand &Use,
                             const AccumulatorStep &S, Register Reg) const {
  const MachineInstr &Reader = *Use.getParent();
  if (Reader.isFullCopy() && Reader.getOperand(0).getReg().isVirtual())
    return any_of(MRI.use_nodbg_operands(Reader.getOperand(0).getReg()),
                  [&](const MachineOperand &MO) { return isPast(MO, S, Reg); });
  const MachineBasicBlock *Def = MRI.getUniqueVRegDef(Reg)->getParent();
  const MachineBasicBlock *From = Reader.getParent(), *To = S.getBlock();
  if (Reader.isPHI()) {
    if (S.To->isPHI() && S.To->getParent() == From &&
        Reader.getOperand(Use.getOperandNo() + 1).getMBB() == To)
      return true;
    return From != Def && (From == To || reaches(From, To, Def));
  }
  if (From == To &&
      (S.To->isPHI() || Order.lookup(&Reader) < Order.lookup(S.To)))
    return true;
  return reaches(From, To, Def);
}

bool AccumulatorFlow::isReadBefore(const AccumulatorStep &S) const {
  const MachineOperand *Taken = &S.To->getOperand(S.Use);
  while (true) {
    Register Reg = Taken->getReg();
    MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
    if (!Def)
      return false;
    if (Read.contains(Reg) &&
        any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
          return &MO != Taken && isPast(MO, S, Reg);
        }))
      return true;
    if (!getOtherName(Reg).isVirtual())
      return false;
    Taken = &Def->getOperand(1);
  }
}

bool AccumulatorFlow::mayReadAfter(const MachineOperand &Use,
                                   const AccumulatorStep &S,
                                   Register Reg) const {
  const MachineInstr &Reader = *Use.getParent();
  const MachineBasicBlock *Def = MRI.getUniqueVRegDef(Reg)->getParent();
  const MachineBasicBlock *From = S.getBlock(), *To = Reader.getParent();
  if (Reader.isPHI()) {
    To = Reader.getOperand(Use.getOperandNo() + 1).getMBB();
    if (From == To)
      return true;
  } else if (From == To && !S.To->isPHI() &&
             Order.lookup(&Reader) > Order.lookup(S.To)) {
    return true;
  }
  return reaches(From, To, Def);
}

bool AccumulatorFlow::isCopy(const AccumulatorStep &S) const {
  const MachineOperand &Taken = S.To->getOperand(S.Use);
  Register Reg = Taken.getReg();
  if (!isPassedOn(Reg))
    return false;
  const MachineBasicBlock *Def = MRI.getUniqueVRegDef(Reg)->getParent(),
                          *Into = S.To->getParent();
  return any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &Use) {
    if (&Use == &Taken)
      return false;
    if (!S.To->isPHI())
      return mayReadAfter(Use, S, Reg);
    const MachineInstr &Reader = *Use.getParent();
    const MachineBasicBlock *To = Reader.getParent();
    if (Reader.isPHI()) {
      const MachineBasicBlock *From =
          Reader.getOperand(Use.getOperandNo() + 1).getMBB();
      if (To == Into && From == S.getBlock())
        return true;
      To = From;
    }
    return Into != Def && (To == Into || reaches(Into, To, Def));
  });
}

bool AccumulatorFlow::isNeededAfter(const AccumulatorStep &S) const {
  const MachineOperand &Taken = S.To->getOperand(S.Use);
  Register Reg = Taken.getReg();
  return MRI.getUniqueVRegDef(Reg)->isMoveImmediate() ||
         any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &Use) {
           return &Use != &Taken && mayReadAfter(Use, S, Reg);
         });
}

bool AccumulatorFlow::endsAt(const AccumulatorStep &S) const {
  const MachineOperand &Taken = S.To->getOperand(S.Use);
  SmallSetVector<Register, 8> Names;
  Names.insert(Taken.getReg());
  for (unsigned I = 0; I != Names.size(); ++I) {
    const MachineInstr *Def = MRI.getUniqueVRegDef(Names[I]);
    if (!Def || !(isWGMMA(*Def) || passesValueOn(*Def)))
      return false;
    if (isWGMMA(*Def))
      continue;
    for (unsigned J = 1, E = Def->getNumOperands(); J < E;
         J += Def->isPHI() ? 2 : 1)
      Names.insert(Def->getOperand(J).getReg());
  }
  return none_of(Names, [&](Register Name) {
    return any_of(MRI.use_nodbg_operands(Name), [&](const MachineOperand &Use) {
      const MachineInstr &Reader = *Use.getParent();
      bool IsAnotherName = passesValueOn(Reader) &&
                           Names.contains(Reader.getOperand(0).getReg());
      return &Use != &Taken && !IsAnotherName && mayReadAfter(Use, S, Name);
    });
  });
}

bool AccumulatorFlow::isWGMMABetween(Register Reg,
                                     const MachineOperand &Use) const {
  const MachineInstr &Def = *MRI.getUniqueVRegDef(Reg),
                     &User = *Use.getParent();
  const MachineBasicBlock *From = Def.getParent(), *To = User.getParent();
  // A phi has its value at the end of the block that it comes from.
  unsigned End = Order.lookup(&User);
  if (User.isPHI()) {
    To = User.getOperand(Use.getOperandNo() + 1).getMBB();
    End = ~0u;
  }
  return any_of(WGMMAs, [&](const MachineInstr *MI) {
    const MachineBasicBlock *MBB = MI->getParent();
    unsigned Place = Order.lookup(MI);
    bool IsAfter =
        MBB == From ? Place > Order.lookup(&Def) : reaches(From, MBB, From);
    return IsAfter && ((MBB == To && Place < End) || reaches(MBB, To, From));
  });
}

bool AccumulatorFlow::isOfAnotherBlock(Register Reg,
                                       const MachineOperand &Use) const {
  const MachineInstr &User = *Use.getParent();
  const MachineBasicBlock *Place =
      User.isPHI() ? User.getOperand(Use.getOperandNo() + 1).getMBB()
                   : User.getParent();
  const MachineInstr *Def = getDef(getCopySource(Reg, MRI));
  return !Def || Def->isPHI() || Def->getParent() != Place;
}

//===----------------------------------------------------------------------===//
// What values are
//===----------------------------------------------------------------------===//

Register AccumulatorFlow::getOtherName(Register Reg) const {
  const MachineInstr *Def = getDef(Reg);
  if (!Def || Def->isPHI() || !passesValueOn(*Def) ||
      !Def->getOperand(1).isReg())
    return Register();
  return Def->getOperand(1).getReg();
}

bool AccumulatorFlow::isPassedOn(Register Reg) const {
  const MachineInstr *Def = getDef(Reg);
  return Def && (isWGMMA(*Def) || passesValueOn(*Def));
}

bool AccumulatorFlow::isConstant(Register Reg) const {
  const MachineInstr *Def = getDef(Reg);
  return Def && (Def->isImplicitDef() || Def->isMoveImmediate());
}

bool AccumulatorFlow::isComputed(Register Reg) const {
  const MachineInstr *Def = getDef(Reg);
  return Def && !isPassedOn(Reg) && !isConstant(Reg);
}

SmallSetVector<Register, 8> AccumulatorFlow::findNames(Register Reg) const {
  SmallSetVector<Register, 8> Names;
  Names.insert(Reg);
  for (unsigned I = 0; I != Names.size(); ++I) {
    if (!isPassedOn(Names[I]))
      continue;
    MachineInstr *Def = MRI.getUniqueVRegDef(Names[I]);
    if (!isWGMMA(*Def))
      forEachStep(*Def, [&](unsigned Use, Register) {
        if (const MachineOperand &MO = Def->getOperand(Use); MO.isReg())
          Names.insert(MO.getReg());
      });
  }
  return Names;
}

bool AccumulatorFlow::isStart(const SmallSetVector<Register, 8> &Names) const {
  return none_of(Names, [&](Register Name) {
    return isPassedOn(Name) && isWGMMA(*MRI.getUniqueVRegDef(Name));
  });
}

SmallSetVector<Register, 8> AccumulatorFlow::findResults(Register Reg) const {
  SmallSetVector<Register, 8> Results;
  Results.insert(Reg);
  for (unsigned I = 0; I != Results.size(); ++I)
    for (const MachineOperand &MO : MRI.use_nodbg_operands(Results[I])) {
      if (!isAccumulatorStep(MO))
        continue;
      const MachineInstr &To = *MO.getParent();
      Results.insert(To.getOperand(isWGMMA(To) ? MO.getOperandNo() -
                                                     To.getDesc().getNumDefs()
                                               : 0)
                         .getReg());
    }
  return Results;
}

bool AccumulatorFlow::isComputedAgain(const MachineOperand &Use,
                                      const AccumulatorStep &S) const {
  const MachineInstr &First = *Use.getParent();
  if (isAccumulatorStep(Use) || First.getNumExplicitDefs() == 0)
    return false;
  // Other elements have other registers by then, if the same in the end.
  auto IsSame = [&](const MachineOperand &MO, const MachineOperand &Other) {
    return &MO == &Use || MO.isIdenticalTo(Other) ||
           (MO.isReg() && Other.isReg() && Elements.contains(MO.getReg()) &&
            Elements.contains(Other.getReg()));
  };
  return any_of(findResults(S.Result), [&](Register Result) {
    return any_of(
        MRI.use_nodbg_operands(Result), [&](const MachineOperand &MO) {
          const MachineInstr &Second = *MO.getParent();
          return Second.getOpcode() == First.getOpcode() &&
                 Second.getNumOperands() == First.getNumOperands() &&
                 MO.getOperandNo() == Use.getOperandNo() &&
                 all_of(zip(First.explicit_uses(), Second.explicit_uses()),
                        [&](const auto &Operands) {
                          return std::apply(IsSame, Operands);
                        });
        });
  });
}
