//===- NVPTXWGMMAValues.cpp - What is computed for accumulators -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a block, what is computed for an accumulator while others are in
// flight goes ahead of these and of their fence, if the registers are free: in
//
//   first = wgmma(...); commit; acc = 0;
//   for (...) if (...) acc = wgmma(...);
//
// ptxas takes the zeros for written while the wgmma of the loop is in flight.
//
// Where paths meet, and a wgmma stays in flight on one of them, what the others
// compute for accumulators in the end goes up to where they part, and ptxas no
// longer finds it between wgmma and wait. It is computed in vain on the other
// paths: nothing that has to be for all threads is moved. Ahead of what is in
// flight there, if the register is free: otherwise ptxas takes it for written
// while that is.
//
// A copy, or a constant, that the register holds already, since a block before
// has written it, perhaps one that was moved there, is left out. ptxas may
// leave out the other one instead, and write the register on the paths that
// need it, where a wgmma is in flight; and of constants for an accumulator,
// written twice, 13.0 and 12.4 have ended with a segmentation fault.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAValues.h"
#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumValues, "Number of instructions moved out of flight");
STATISTIC(NumRepeated, "Number of copies left out that were made before");

namespace {
class WGMMAValues {
public:
  WGMMAValues(MachineFunction &MF, const MachineDominatorTree &MDT,
              const MachineLoopInfo &MLI);

  bool hoist();

private:
  bool hoistFrom(MachineBasicBlock &MBB, const MachineBasicBlock &Join,
                 const MachineBasicBlock &Head);
  bool hoistInto(MachineBasicBlock &Before, MachineBasicBlock &MBB);
  bool hoistWithin(MachineBasicBlock &MBB);
  DenseSet<Register> findWanted(const MachineBasicBlock &MBB) const;
  bool isNeededElsewhere(Register Reg, const MachineBasicBlock &Before,
                         const MachineBasicBlock &MBB) const;

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  WGMMAInFlight InFlight;
  WGMMARegisters Registers;
  DenseSet<Register> Accumulators;
  /// The instructions before which any is in flight.
  DenseSet<const MachineInstr *> WhileInFlight;
  SmallPtrSet<const MachineInstr *, 16> Hoisted;
  /// By the block's number: the registers that are live at its start, by index.
  SmallVector<BitVector, 0> Live;
};
} // namespace

WGMMAValues::WGMMAValues(MachineFunction &MF, const MachineDominatorTree &MDT,
                         const MachineLoopInfo &MLI)
    : MF(MF), MRI(MF.getRegInfo()), MDT(MDT), MLI(MLI), InFlight(MF),
      Registers(InFlight, MRI) {
  for (const MachineInstr *MI : InFlight.wgmmas())
    for (const MachineOperand &Def : MI->defs())
      Accumulators.insert(Def.getReg());
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (!State.none())
      WhileInFlight.insert(&MI);
  });
}

static bool isVirtual(const MachineOperand &MO) {
  return MO.isReg() && MO.getReg().isVirtual();
}

/// Whether \p MI only computes, and for one thread as for another.
static bool isPure(const MachineInstr &MI) {
  return !MI.isTerminator() && !MI.isPHI() && !MI.isInlineAsm() &&
         !MI.isConvergent() && !MI.mayLoadOrStore() &&
         !MI.hasUnmodeledSideEffects() && !MI.isMetaInstruction() &&
         !isWGMMA(MI) && all_of(MI.operands(), [](const MachineOperand &MO) {
           return !MO.isReg() || !MO.getReg() || MO.getReg().isVirtual();
         });
}

/// The registers that \p MBB computes for accumulators, and accumulators.
DenseSet<Register> WGMMAValues::findWanted(const MachineBasicBlock &MBB) const {
  DenseSet<Register> Wanted = Accumulators;
  for (const MachineInstr &MI : reverse(MBB))
    if (isPure(MI) && any_of(MI.defs(), [&](const MachineOperand &Def) {
          return Wanted.contains(Def.getReg());
        }))
      for (const MachineOperand &Use : MI.uses())
        if (isVirtual(Use))
          Wanted.insert(Use.getReg());
  return Wanted;
}

/// Whether \p Reg has a value at the end of \p Before that is not only for \p
/// MBB.
bool WGMMAValues::isNeededElsewhere(Register Reg,
                                    const MachineBasicBlock &Before,
                                    const MachineBasicBlock &MBB) const {
  return any_of(Before.terminators(),
                [&](const MachineInstr &MI) {
                  return MI.readsVirtualRegister(Reg);
                }) ||
         any_of(Before.successors(), [&](const MachineBasicBlock *Successor) {
           return Successor != &MBB &&
                  Live[Successor->getNumber()].test(Reg.virtRegIndex());
         });
}

namespace {
/// Instructions that others are to be moved ahead of.
class Passed {
public:
  Passed() = default;
  Passed(MachineBasicBlock::iterator Begin, MachineBasicBlock::iterator End) {
    for (MachineInstr &MI : make_range(Begin, End))
      add(MI);
  }

  void add(MachineInstr &MI) {
    if (MI.isDebugValue())
      DebugValues.push_back(&MI);
    if (MI.isDebugInstr())
      return;
    for (const MachineOperand &MO : make_filter_range(MI.operands(), isVirtual))
      (MO.isDef() ? Written : Read).insert(MO.getReg());
  }

  /// Whether an instruction with this operand goes ahead of all of them.
  bool canMoveAhead(const MachineOperand &MO) const {
    return !Written.contains(MO.getReg()) &&
           !(MO.isDef() && Read.contains(MO.getReg()));
  }

  /// Drops what they tell a debugger of the registers that \p MI, which goes
  /// ahead of them, writes: these hold something else there.
  void dropDebugValues(const MachineInstr &MI) {
    for (MachineInstr *DebugValue : DebugValues)
      if (any_of(MI.all_defs(), [&](const MachineOperand &Def) {
            return DebugValue->hasDebugOperandForReg(Def.getReg());
          }))
        DebugValue->setDebugValueUndef();
  }

private:
  DenseSet<Register> Read, Written;
  SmallVector<MachineInstr *, 8> DebugValues;
};
} // namespace

/// Moves what \p MBB computes for accumulators after its last wgmma to \p
/// Before, which alone leads to it: ahead of what is in flight there, or to its
/// end.
bool WGMMAValues::hoistInto(MachineBasicBlock &Before, MachineBasicBlock &MBB) {
  DenseSet<Register> Wanted = findWanted(MBB);
  WGMMAState State = InFlight.atEnd(Before);
  Passed Here;
  auto CanMoveWith = [&](const MachineOperand &MO) {
    Register Reg = MO.getReg();
    if (!Here.canMoveAhead(MO) || !Registers.accumulatingIn(Reg, State).empty())
      return false;
    return !MO.isDef() ||
           (Wanted.contains(Reg) && Registers.readingLate(Reg, State).empty() &&
            !isNeededElsewhere(Reg, Before, MBB));
  };
  MachineBasicBlock::iterator End = Before.getFirstTerminator(),
                              Early =
                                  findIdlePlace(Before, InFlight).value_or(End);
  DenseSet<Register> Unfenced = findUnfenced(Before, End, &MBB),
                     UnfencedEarly = findUnfenced(Before, Early, &MBB);
  Passed Later(Early, End);
  auto CanMoveEarlyWith = [&](const MachineOperand &MO) {
    return Later.canMoveAhead(MO) && !UnfencedEarly.contains(MO.getReg());
  };
  auto IsUnfenced = [&](const MachineOperand &MO) {
    return Unfenced.contains(MO.getReg());
  };
  unsigned WGMMAsLeft = count_if(MBB, isWGMMA);
  bool Changed = false;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    WGMMAsLeft -= isWGMMA(MI);
    auto Operands = make_filter_range(MI.operands(), isVirtual);
    if ((WGMMAsLeft != 0 && !Hoisted.contains(&MI)) || !isPure(MI) ||
        MI.getNumExplicitDefs() == 0 || !all_of(Operands, CanMoveWith)) {
      Here.add(MI);
      continue;
    }
    bool IsEarly = all_of(Operands, CanMoveEarlyWith);
    if (!IsEarly && any_of(Operands, IsUnfenced)) {
      Here.add(MI);
      continue;
    }
    LLVM_DEBUG(dbgs() << "Moving up to " << printMBBReference(Before) << ": "
                      << MI);
    for (const MachineOperand &MO : Operands) {
      if (MO.isDef())
        Live[MBB.getNumber()].set(MO.getReg().virtRegIndex());
      else
        MRI.clearKillFlags(MO.getReg());
    }
    Here.dropDebugValues(MI);
    if (IsEarly)
      Later.dropDebugValues(MI);
    else
      Later.add(MI);
    Before.splice(IsEarly ? Early : End, &MBB, MI.getIterator());
    Hoisted.insert(&MI);
    ++NumValues;
    Changed = true;
  }
  return Changed;
}

/// Moves what \p MBB computes for accumulators while others are in flight ahead
/// of these.
bool WGMMAValues::hoistWithin(MachineBasicBlock &MBB) {
  if (none_of(MBB, isWGMMA))
    return false;
  DenseSet<Register> Wanted = findWanted(MBB);
  MachineInstr *Start = nullptr;
  Passed Later;
  auto CanMoveWith = [&](const MachineOperand &MO) {
    return Later.canMoveAhead(MO) &&
           (!MO.isDef() || Wanted.contains(MO.getReg()));
  };
  bool Changed = false;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    if (isWGMMA(MI) && !WhileInFlight.contains(&MI)) {
      Start = &findFenceFor(MI);
      Later = Passed(Start, MI);
    }
    auto Operands = make_filter_range(MI.operands(), isVirtual);
    if (!Start || !WhileInFlight.contains(&MI) || !isPure(MI) ||
        MI.getNumExplicitDefs() == 0 || !all_of(Operands, CanMoveWith)) {
      Later.add(MI);
      continue;
    }
    LLVM_DEBUG(dbgs() << "Moving out of flight: " << MI);
    for (const MachineOperand &MO : Operands)
      if (MO.isUse())
        MRI.clearKillFlags(MO.getReg());
    Later.dropDebugValues(MI);
    MBB.splice(Start, &MBB, MI);
    Hoisted.insert(&MI);
    ++NumValues;
    Changed = true;
  }
  return Changed;
}

/// Moves what \p MBB and the blocks before it compute for accumulators up to \p
/// Head, if each of them alone leads to the next.
bool WGMMAValues::hoistFrom(MachineBasicBlock &MBB,
                            const MachineBasicBlock &Join,
                            const MachineBasicBlock &Head) {
  SmallVector<MachineBasicBlock *, 4> Path = {&MBB};
  while (Path.back() != &Head) {
    if (Path.back() == &Join || Path.back()->pred_size() != 1)
      return false;
    Path.push_back(*Path.back()->pred_begin());
  }
  bool Changed = false;
  for (unsigned I = 1, E = Path.size(); I != E; ++I)
    Changed |= hoistInto(*Path[I], *Path[I - 1]);
  return Changed;
}

bool WGMMAValues::hoist() {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    Changed |= hoistWithin(MBB);
  for (MachineBasicBlock &Join : MF) {
    if (Join.pred_size() < 2 || InFlight.atStart(Join).none())
      continue;
    const MachineDomTreeNode *Node = MDT.getNode(&Join);
    const MachineDomTreeNode *Head = Node ? Node->getIDom() : nullptr;
    // Not into a loop, to be computed in each round.
    if (!Head || MLI.getLoopDepth(Head->getBlock()) > MLI.getLoopDepth(&Join))
      continue;
    if (Live.empty())
      Live = findLiveRegisters(MF);
    for (MachineBasicBlock *MBB : Join.predecessors())
      Changed |= hoistFrom(*MBB, Join, *Head->getBlock());
  }
  return Changed;
}

/// Whether \p MI gives a register the value of another one, or a constant.
static bool isCopy(const MachineInstr &MI) {
  bool IsMove = MI.isFullCopy() || MI.isMoveImmediate() ||
                MI.getOpcode() == NVPTX::WGMMA_COPY;
  return IsMove && isPure(MI);
}

namespace {
/// The copies of which source and result have not changed since.
class AvailableCopies {
public:
  bool contains(const MachineInstr &Copy) const {
    const MachineInstr *Made = Last.lookup(Copy.getOperand(0).getReg());
    return Made && getValue(*Made).isIdenticalTo(getValue(Copy));
  }

  void add(const MachineInstr &Copy) {
    Register Result = Copy.getOperand(0).getReg();
    const MachineOperand &Source = Copy.getOperand(1);
    if (isVirtual(Source)) {
      if (Source.getReg() == Result)
        return;
      ResultsOf[Source.getReg()].push_back(Result);
    }
    Last[Result] = &Copy;
  }

  /// Another value is in \p Reg from here on.
  void change(Register Reg) {
    Last.erase(Reg);
    auto Results = ResultsOf.find(Reg);
    if (Results == ResultsOf.end())
      return;
    for (Register Result : Results->second)
      if (const MachineInstr *Made = Last.lookup(Result);
          Made && Made->readsVirtualRegister(Reg))
        Last.erase(Result);
    ResultsOf.erase(Results);
  }

private:
  /// What \p Copy copies: a register, or the constant that it has.
  const MachineOperand &getValue(const MachineInstr &Copy) const {
    const MachineOperand &Source = Copy.getOperand(1);
    const MachineInstr *Made =
        isVirtual(Source) ? Last.lookup(Source.getReg()) : nullptr;
    return Made && Made->isMoveImmediate() ? Made->getOperand(1) : Source;
  }

  /// By the register that has the value.
  DenseMap<Register, const MachineInstr *> Last;
  DenseMap<Register, SmallVector<Register, 1>> ResultsOf;
};
} // namespace

/// Drops the copies of \p MBB that are among \p Copies, which gets what it
/// adds.
static bool dropRepeatedCopies(MachineBasicBlock &MBB,
                               AvailableCopies &Copies) {
  MachineRegisterInfo &MRI = MBB.getParent()->getRegInfo();
  bool Changed = false;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    if (MI.isDebugInstr())
      continue;
    if (isCopy(MI) && Copies.contains(MI)) {
      LLVM_DEBUG(dbgs() << "Made before: " << MI);
      MRI.clearKillFlags(MI.getOperand(0).getReg());
      MI.eraseFromParent();
      ++NumRepeated;
      Changed = true;
      continue;
    }
    for (const MachineOperand &Def : MI.all_defs())
      if (isVirtual(Def))
        Copies.change(Def.getReg());
    if (isCopy(MI))
      Copies.add(MI);
  }
  return Changed;
}

bool llvm::dropRepeatedWGMMACopies(MachineFunction &MF,
                                   const MachineLoopInfo &MLI) {
  // By the block's number: at its end.
  SmallVector<AvailableCopies, 0> AtEnd(MF.getNumBlockIDs());
  bool Changed = false;
  for (MachineBasicBlock *MBB : ReversePostOrderTraversal(&MF)) {
    AvailableCopies &Copies = AtEnd[MBB->getNumber()];
    // Where paths meet, nothing is taken for known. Nor where a loop is left:
    // ptxas may find registers to be too few (C7511) if what is read there is
    // the loop's own copy.
    if (MBB->pred_size() == 1)
      if (const MachineBasicBlock *Before = *MBB->pred_begin();
          MLI.getLoopFor(Before) == MLI.getLoopFor(MBB))
        Copies = AtEnd[Before->getNumber()];
    Changed |= dropRepeatedCopies(*MBB, Copies);
  }
  return Changed;
}

bool llvm::hoistWGMMAValues(MachineFunction &MF,
                            const MachineDominatorTree &MDT,
                            const MachineLoopInfo &MLI) {
  return WGMMAValues(MF, MDT, MLI).hoist();
}
