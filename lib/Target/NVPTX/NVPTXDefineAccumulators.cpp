//===- NVPTXDefineAccumulators.cpp - Accumulators that start undefined ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose first wgmma overwrites its accumulator needs no value to start
// from:
//
//   %start = IMPLICIT_DEF
//   loop:
//   %c = PHI %start, %d
//   wgmma.fence
//   %d = WGMMA %c, ..., %scale_d
//
// ptxas 12.4 gives such a register a value of its own, takes that for a write
// while wgmma are in flight, and serializes them (C7515). 13.0 has a fence come
// between, and serializes them if that is where the threads of a warp have
// parted (C7520). And to both the register is live wherever control may come
// from a wgmma of it: in a loop around this one as well. So it starts from 0.
// So does any accumulator that starts from nothing, in single elements too,
// where a wgmma may add to it, or seems to, and what has the result of one on
// another path.
//
// And a wgmma that overwrites its accumulator, by the constant, where only a
// part is read of what it leaves, or of what others have left that it
// overwrites:
//
//   %d0, %d1 = WGMMA %c0, %c1, ..., 1
//   wgmma.wait_group 0
//   ... = %d0                            // none reads %d1
//   %e0, %e1 = WGMMA %d0, %d1, ..., 0
//
// What something computes of the rest for itself alone, as loops do with the
// elements of a vector of which one is needed, reads nothing.
//
// To ptxas the registers are free from where they are overwritten, one by one:
// from the read on or from the wgmma on, which may be the same one, in a loop
// that ptxas unrolls. It then finds them to be too few, and serializes the
// wgmma of the whole function (C7511). It does not if it cannot know that the
// accumulator is overwritten. So a predicate, which is false, stands for the
// constant, also where the accumulator starts from nothing: it may share its
// registers with others where paths meet. So it does where a part of what a
// wgmma leaves is replaced before the next one:
//
//   %d0, %d1 = WGMMA undef, undef, ..., 0
//   %e0, %e1 = WGMMA %d0, %other, ..., 1
//
// And so it does, if there are several blocks, wherever the accumulator has a
// value, or is small and leaves one for a phi: what becomes of the parts later
// may bring that about, too. In one block it does where what an accumulator
// starts from is computed of the result. But not for a large one in a loop:
// there the registers are worth more. They would hold the old values, as the
// scores of the last keys in attention, until they are overwritten.
//
// The same where what is overwritten may still be in flight, on its way to a
// wait that another path leads to: in the registers that are free to ptxas it
// keeps, say, an address, which the multiplication then overwrites.
//
// Runs on SSA form, in optimized code alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-define-accumulators"

STATISTIC(NumDefined, "Number of registers of accumulators defined");
STATISTIC(NumHidden, "Number of wgmma that hide what they overwrite");

/// How many registers may keep a value that is overwritten for longer than it
/// is needed.
static constexpr unsigned MaxKept = 32;

namespace {
class NVPTXDefineAccumulators : public MachineFunctionPass {
public:
  static char ID;

  NVPTXDefineAccumulators() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Define Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  MachineFunctionProperties getRequiredProperties() const override {
    return MachineFunctionProperties().setIsSSA();
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXDefineAccumulators::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXDefineAccumulators, DEBUG_TYPE,
                      "NVPTX Define Accumulators", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXDefineAccumulators, DEBUG_TYPE,
                    "NVPTX Define Accumulators", false, false)

/// The instructions that \p Registers have their values from, directly or by
/// way of phis and copies, and these.
static SmallSetVector<MachineInstr *, 16>
findOrigins(ArrayRef<Register> Registers, const MachineRegisterInfo &MRI) {
  SmallSetVector<MachineInstr *, 16> Origins;
  auto Add = [&](Register Reg) {
    if (Reg.isVirtual())
      if (MachineInstr *Def = MRI.getUniqueVRegDef(Reg))
        Origins.insert(Def);
  };
  for_each(Registers, Add);
  // Grows while it is walked.
  for (unsigned I = 0; I != Origins.size(); ++I)
    if (passesValueOn(*Origins[I]))
      for (const MachineOperand &MO : Origins[I]->uses())
        if (MO.isReg())
          Add(MO.getReg());
  return Origins;
}

/// The same of what the accumulator of \p WGMMA starts from.
static SmallSetVector<MachineInstr *, 16>
findOrigins(const MachineInstr &WGMMA, const MachineRegisterInfo &MRI) {
  SmallVector<Register, 128> Starts;
  for (unsigned I = 0, E = WGMMA.getDesc().getNumDefs(); I != E; ++I)
    if (const MachineOperand &MO = WGMMA.getOperand(E + I); MO.isReg())
      Starts.push_back(MO.getReg());
  return findOrigins(Starts, MRI);
}

/// What leaves \p Reg undefined, or null. A freeze is a copy by now.
static MachineInstr *findUndefinedBy(Register Reg,
                                     const MachineRegisterInfo &MRI) {
  MachineInstr *Def = MRI.getUniqueVRegDef(getCopySource(Reg, MRI));
  return Def && Def->isImplicitDef() ? Def : nullptr;
}

/// Whether any of the accumulator of \p WGMMA may have a value to start from.
static bool startsFromValue(const MachineInstr &WGMMA,
                            const MachineRegisterInfo &MRI) {
  return any_of(findOrigins(WGMMA, MRI), [](const MachineInstr *MI) {
    return !passesValueOn(*MI) && !MI->isImplicitDef();
  });
}

/// Whether a result of \p WGMMA goes on to a phi.
static bool reachesPhi(const MachineInstr &WGMMA,
                       const MachineRegisterInfo &MRI) {
  SmallVector<const MachineInstr *, 8> Worklist = {&WGMMA};
  while (!Worklist.empty())
    for (const MachineOperand &Def : Worklist.pop_back_val()->defs())
      for (const MachineInstr &User : MRI.use_nodbg_instructions(Def.getReg()))
        if (User.isPHI())
          return true;
        else if (passesValueOn(User))
          Worklist.push_back(&User);
  return false;
}

/// What is undefined in the accumulator of \p WGMMA, by way of copies alone.
static SmallVector<MachineInstr *, 0>
findUndefinedStart(const MachineInstr &WGMMA, const MachineRegisterInfo &MRI) {
  SmallVector<MachineInstr *, 0> Defs;
  unsigned Size = WGMMA.getDesc().getNumDefs();
  for (unsigned I = 0; I != Size; ++I) {
    const MachineOperand &MO = WGMMA.getOperand(Size + I);
    if (MachineInstr *Def =
            MO.isReg() ? findUndefinedBy(MO.getReg(), MRI) : nullptr)
      Defs.push_back(Def);
  }
  return Defs;
}

/// What is undefined in the accumulator of \p WGMMA where a way leads into a
/// block with phis, if all of it is.
static SmallVector<MachineInstr *, 0>
findUndefined(const MachineInstr &WGMMA, const MachineRegisterInfo &MRI) {
  using Way = std::pair<const MachineBasicBlock *, const MachineBasicBlock *>;
  MapVector<Way, SmallVector<MachineInstr *, 0>> Undefined;
  for (MachineInstr *Phi : findOrigins(WGMMA, MRI)) {
    if (!Phi->isPHI())
      continue;
    for (unsigned I = 1, E = Phi->getNumOperands(); I != E; I += 2) {
      if (MachineInstr *Def = findUndefinedBy(Phi->getOperand(I).getReg(), MRI))
        Undefined[{Phi->getParent(), Phi->getOperand(I + 1).getMBB()}]
            .push_back(Def);
    }
  }
  SmallVector<MachineInstr *, 0> Defs;
  for (const auto &Entry : Undefined)
    if (Entry.second.size() == WGMMA.getDesc().getNumDefs())
      append_range(Defs, Entry.second);
  return Defs;
}

/// A wgmma whose result \p Reg may have, by way of phis and copies, or null.
static const MachineInstr *findResult(Register Reg,
                                      const MachineRegisterInfo &MRI) {
  SmallSetVector<MachineInstr *, 16> Origins = findOrigins(Reg, MRI);
  auto WGMMA =
      find_if(Origins, [](const MachineInstr *MI) { return isWGMMA(*MI); });
  return WGMMA == Origins.end() ? nullptr : *WGMMA;
}

/// What is undefined where a way leads into \p MBB, if on another one most
/// results of a wgmma come, whatever uses them there: they will have the same
/// registers.
static SmallVector<MachineInstr *, 0>
findBesideResults(const MachineBasicBlock &MBB,
                  const MachineRegisterInfo &MRI) {
  using Way = std::pair<const MachineBasicBlock *, const MachineInstr *>;
  MapVector<Way, SmallVector<MachineInstr *, 0>> Undefined;
  for (const MachineInstr &Phi : MBB.phis())
    for (unsigned I = 1, E = Phi.getNumOperands(); I != E; I += 2) {
      MachineInstr *Def = findUndefinedBy(Phi.getOperand(I).getReg(), MRI);
      if (!Def)
        continue;
      if (const MachineInstr *WGMMA =
              findResult(Phi.getOperand(0).getReg(), MRI))
        Undefined[{Phi.getOperand(I + 1).getMBB(), WGMMA}].push_back(Def);
    }
  SmallVector<MachineInstr *, 0> Defs;
  for (const auto &[Way, OnWay] : Undefined)
    if (2 * OnWay.size() > Way.second->getDesc().getNumDefs())
      append_range(Defs, OnWay);
  return Defs;
}

/// Whether a phi of \p MF starts from what is undefined. Seldom one does, and
/// to look through the phis of every wgmma takes long where there are many of
/// both.
static bool hasUndefinedPhi(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  return any_of(MF, [&](const MachineBasicBlock &MBB) {
    return any_of(MBB.phis(), [&](const MachineInstr &Phi) {
      return any_of(seq(1u, Phi.getNumOperands()), [&](unsigned I) {
        const MachineOperand &MO = Phi.getOperand(I);
        return MO.isReg() && findUndefinedBy(MO.getReg(), MRI);
      });
    });
  });
}

/// The registers whose value an instruction uses that \p IsWanted tells of,
/// perhaps by way of copies and phis.
static DenseSet<Register>
findUsed(MachineFunction &MF, function_ref<bool(MachineInstr &)> IsWanted) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  DenseSet<Register> Used;
  SmallVector<Register, 0> Worklist;
  auto Add = [&](const MachineInstr &User) {
    for (const MachineOperand &MO : User.operands())
      if (MO.isReg() && MO.isUse() && MO.getReg().isVirtual() &&
          Used.insert(MO.getReg()).second)
        Worklist.push_back(MO.getReg());
  };
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (!MI.isDebugInstr() && !passesValueOn(MI) && IsWanted(MI))
        Add(MI);
  while (!Worklist.empty()) {
    const MachineInstr *Def = MRI.getUniqueVRegDef(Worklist.pop_back_val());
    if (Def && passesValueOn(*Def))
      Add(*Def);
  }
  return Used;
}

/// Whether any of the result of \p WGMMA is in \p Used.
static bool isUsed(const MachineInstr &WGMMA, const DenseSet<Register> &Used) {
  return any_of(WGMMA.defs(), [&](const MachineOperand &MO) {
    return Used.contains(MO.getReg());
  });
}

/// Whether a part of the result of \p WGMMA, and not all, is in \p Used.
static bool isUsedInPart(const MachineInstr &WGMMA,
                         const DenseSet<Register> &Used) {
  unsigned NumUsed = count_if(WGMMA.defs(), [&](const MachineOperand &MO) {
    return Used.contains(MO.getReg());
  });
  return NumUsed && NumUsed != WGMMA.getDesc().getNumDefs();
}

/// What has an effect, or computes something for it. An element of a vector in
/// a loop may be computed for itself alone, from round to round.
static DenseSet<const MachineInstr *> findNeeded(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallVector<const MachineInstr *> Worklist;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (!MI.isDebugInstr() && !passesValueOn(MI) &&
          !MI.wouldBeTriviallyDead())
        Worklist.push_back(&MI);
  DenseSet<const MachineInstr *> Needed(Worklist.begin(), Worklist.end());
  while (!Worklist.empty())
    for (const MachineOperand &MO : Worklist.pop_back_val()->operands())
      if (MO.isReg() && MO.isUse() && MO.getReg().isVirtual())
        if (const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg()))
          if (Needed.insert(Def).second)
            Worklist.push_back(Def);
  return Needed;
}

/// Inserts into \p Reached the wgmma whose accumulator has a value that \p
/// WGMMA leaves, if by way of others that add to it.
static void followResults(MachineInstr &WGMMA, const MachineRegisterInfo &MRI,
                          DenseSet<MachineInstr *> &Seen,
                          DenseSet<MachineInstr *> &Reached) {
  SmallVector<MachineInstr *, 8> Worklist = {&WGMMA};
  while (!Worklist.empty())
    for (const MachineOperand &Def : Worklist.pop_back_val()->defs())
      for (MachineOperand &Use : MRI.use_nodbg_operands(Def.getReg())) {
        MachineInstr &User = *Use.getParent();
        unsigned Size = User.getDesc().getNumDefs();
        if (isWGMMA(User) && Use.getOperandNo() < 2 * Size) {
          Reached.insert(&User);
          if (!overwritesAccumulator(User) && Seen.insert(&User).second)
            Worklist.push_back(&User);
        } else if (passesValueOn(User) && Seen.insert(&User).second) {
          Worklist.push_back(&User);
        }
      }
}

/// Inserts into \p Reached those of \p WGMMAs that overwrite an accumulator, if
/// anything but a wgmma, of what is \p Needed, reads a part of what they leave
/// alone, or of what they overwrite.
static void findReadInPart(MachineFunction &MF, ArrayRef<MachineInstr *> WGMMAs,
                           const DenseSet<const MachineInstr *> &Needed,
                           DenseSet<MachineInstr *> &Reached) {
  const DenseSet<Register> Read = findUsed(MF, [&](MachineInstr &User) {
    return !isWGMMA(User) && Needed.contains(&User);
  });
  DenseSet<MachineInstr *> Seen;
  for (MachineInstr *WGMMA : WGMMAs)
    if (isUsedInPart(*WGMMA, Read)) {
      if (overwritesAccumulator(*WGMMA))
        Reached.insert(WGMMA);
      if (Seen.insert(WGMMA).second)
        followResults(*WGMMA, MF.getRegInfo(), Seen, Reached);
    }
}

/// Inserts into \p Reached those of \p Overwriting whose accumulator may hold a
/// result that is still in flight.
static void findInFlight(MachineFunction &MF,
                         ArrayRef<MachineInstr *> Overwriting,
                         DenseSet<MachineInstr *> &Reached) {
  WGMMAInFlight InFlight(MF);
  DenseSet<MachineInstr *> Wanted(Overwriting.begin(), Overwriting.end());
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (State.none() || !Wanted.contains(&MI) || Reached.contains(&MI))
      return;
    SmallSetVector<MachineInstr *, 16> Origins =
        findOrigins(MI, MF.getRegInfo());
    if (any_of(State.all().set_bits(), [&](unsigned Number) {
          return Origins.contains(InFlight.wgmmas()[Number]);
        }))
      Reached.insert(&MI);
  });
}

/// Builds, where \p MF begins, the false of which ptxas does not know that it
/// is: no lane has a number above 31.
static Register buildOpaqueFalse(MachineFunction &MF) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineBasicBlock &Entry = MF.front();
  auto Where = Entry.getFirstNonPHI();
  Register Lane = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  Register False = MRI.createVirtualRegister(&NVPTX::B1RegClass);
  BuildMI(Entry, Where, DebugLoc(), TII.get(NVPTX::SREG_LANEID), Lane);
  BuildMI(Entry, Where, DebugLoc(), TII.get(NVPTX::SETP_i32ri), False)
      .addReg(Lane)
      .addImm(31)
      .addImm(NVPTX::PTXCmpMode::GT);
  return False;
}

/// Has wgmma of \p MF that overwrite an accumulator do so by a predicate of
/// which ptxas knows nothing: if a part of it is read before or after, or an
/// accumulator starts from what is computed of the result; if it may be in
/// flight; or in branching code, but for large ones in loops, if it has a value
/// or, where it is small, leaves one for a phi. Returns whether there are any.
static bool hideOverwriting(MachineFunction &MF, const MachineLoopInfo &MLI) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallVector<MachineInstr *> WGMMAs, Hidden;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI)) {
        WGMMAs.push_back(&MI);
        if (overwritesAccumulator(MI))
          Hidden.push_back(&MI);
      }
  if (Hidden.empty())
    return false;
  DenseSet<MachineInstr *> Reached;
  const DenseSet<Register> AddedTo = findUsed(MF, [](MachineInstr &User) {
    return isWGMMA(User) && !overwritesAccumulator(User);
  });
  const bool IsBranching = MF.size() != 1;
  auto IsSmall = [](const MachineInstr &WGMMA) {
    return WGMMA.getDesc().getNumDefs() <= MaxKept;
  };
  const DenseSet<Register> Computed = findUsed(MF, [&](MachineInstr &User) {
    return !isWGMMA(User) && any_of(User.defs(), [&](const MachineOperand &MO) {
      return AddedTo.contains(MO.getReg());
    });
  });
  for (MachineInstr *WGMMA : Hidden)
    if (isUsedInPart(*WGMMA, AddedTo) || isUsed(*WGMMA, Computed) ||
        (IsBranching &&
         (IsSmall(*WGMMA) || !MLI.getLoopFor(WGMMA->getParent())) &&
         ((IsSmall(*WGMMA) && reachesPhi(*WGMMA, MRI)) ||
          startsFromValue(*WGMMA, MRI))))
      Reached.insert(WGMMA);
  const DenseSet<const MachineInstr *> Needed = findNeeded(MF);
  findReadInPart(MF, WGMMAs, Needed, Reached);
  findInFlight(MF, Hidden, Reached);
  erase_if(Hidden,
           [&](MachineInstr *WGMMA) { return !Reached.contains(WGMMA); });
  if (Hidden.empty())
    return false;
  Register False = buildOpaqueFalse(MF);
  for (MachineInstr *WGMMA : Hidden) {
    LLVM_DEBUG(dbgs() << "Hides that it overwrites: " << *WGMMA);
    getScaleD(*WGMMA).ChangeToRegister(False, /*isDef=*/false);
    ++NumHidden;
  }
  return true;
}

/// What is undefined in accumulators of \p MF that are to have a value.
static SetVector<MachineInstr *> collectUndefined(MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const bool HasUndefinedPhi = hasUndefinedPhi(MF);
  SetVector<MachineInstr *> Undefined;
  for (MachineBasicBlock &MBB : MF) {
    if (HasUndefinedPhi)
      Undefined.insert_range(findBesideResults(MBB, MRI));
    for (MachineInstr &MI : MBB) {
      if (!isWGMMA(MI))
        continue;
      if (!overwritesAccumulator(MI))
        Undefined.insert_range(findUndefinedStart(MI, MRI));
      if (HasUndefinedPhi)
        Undefined.insert_range(findUndefined(MI, MRI));
    }
  }
  return Undefined;
}

/// Has what \p Def leaves undefined be 0.
static void setToZero(MachineInstr &Def) {
  LLVM_DEBUG(dbgs() << "Starts from 0: " << Def);
  // Ahead of wgmma of the block, which would be in flight meanwhile.
  MachineBasicBlock &MBB = *Def.getParent();
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  BuildMI(MBB, MBB.getFirstNonPHI(), Def.getDebugLoc(),
          TII.get(NVPTX::MOV_B32_i), Def.getOperand(0).getReg())
      .addImm(0);
  Def.eraseFromParent();
  ++NumDefined;
}

bool NVPTXDefineAccumulators::runOnMachineFunction(MachineFunction &MF) {
  bool Changed =
      hideOverwriting(MF, getAnalysis<MachineLoopInfoWrapperPass>().getLI());
  SetVector<MachineInstr *> Undefined = collectUndefined(MF);
  for (MachineInstr *Def : Undefined)
    setToZero(*Def);
  return Changed || !Undefined.empty();
}

MachineFunctionPass *llvm::createNVPTXDefineAccumulatorsPass() {
  return new NVPTXDefineAccumulators();
}
