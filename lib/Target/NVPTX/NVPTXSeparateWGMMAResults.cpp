//===- NVPTXSeparateWGMMAResults.cpp - Results that ptxas tells apart -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas, as of 13.0, does not see that a wgmma changes the registers of its
// accumulator where it looks for expressions of the same value. Both of these
// silently give wrong results, also when nvcc has made the PTX:
//
// - Registers of an accumulator are read, a wgmma adds to them, and they are
//   read again:
//
//     WGMMA {%d, ...}, ...; wait; %x = FMUL %d, %s
//     WGMMA {%d, ...}, ...; wait; %y = FMUL %d, %s      taken for %x
//
//   It tells them apart if the second one has another register. So where a
//   result has been read the accumulator goes on as a copy:
//
//     WGMMA {%d, ...}, ...; wait; %x = FMUL %d, %s
//     %e = WGMMA_COPY %d
//     WGMMA {%e, ...}, ...; wait; %y = FMUL %e, %s
//
//   So it does where an element has been read that goes on as what is computed
//   of it, %d = FMUL %d, %s, beside others that go on: their registers would be
//   its, too.
//
//   This is done only if results are read at several places of what may become
//   one accumulator; and of what an accumulator starts from, if that is read
//   before, in a register; under another name, after a wgmma that was issued
//   since it was written, or in another block than that, if the same is
//   computed of the result: from one block to the next ptxas does not know what
//   has been written. In a loop they are read at one, unless what goes round is
//   a copy of what is read; that ptxas does not make several of it is up to
//   NVPTXKeepWGMMALoops.
//
// - An element of the result is never read. Then its register is taken to hold
//   what the accumulator started from, for whoever needs that value later:
//
//     %d0 = MOV 1.0; %d1 = MOV 1.0; WGMMA {%d0, %d1, ...}, ...; read %d1
//     %e0 = MOV 1.0                                     taken for %d0
//
//   What such an element starts from does not matter: it is a value that
//   nothing else has (WGMMA_UNLIKE_OTHERS). A result of wgmma that nothing
//   needs later stays: all registers of an accumulator in flight go on
//   together. A result that only another wgmma takes on, which overwrites it,
//   is not read, either: ptxas drops the first one.
//
// - A result goes on through a fence_operand, and ends there, since what comes
//   next overwrites the accumulator. A phi on that way gives it the registers
//   of another value; ptxas, to which the wgmma does nothing, has none for it,
//   and reads whatever register for what was in them before. So fence_operands,
//   phis and copies whose result nothing reads are left out: without
//   optimization, nobody else does that with phis.
//
// And where one element of a result goes on as two of an accumulator,
//
//   %d0, %d1, %d2 = WGMMA ...
//   %e0, %e1, %e2 = WGMMA %d1, %d1, %d2, ...
//
// ptxas finds registers to be too few, and serializes all wgmma of the function
// (C7511): it knows that the copy, %d1 to %d0, is one, and that nothing reads
// the result in %d0. There, too, the accumulator goes on in other registers.
//
// Runs on SSA form, right before it ends. An element's value flows through
// wgmma, phis and copies. WGMMA_COPY is a copy that RegisterCoalescer leaves
// alone. Its registers may become the same one by way of a phi, that is, in
// another block; within one, the name of a register is all that ptxas goes by:
// what is written there between both wgmma makes no difference to it.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-separate-wgmma-results"

STATISTIC(NumSeparated, "Number of accumulator registers separated");
STATISTIC(NumUnread, "Number of accumulator registers that nothing reads");
STATISTIC(NumDropped, "Number of fence_operands and phis that nothing reads");

namespace {
class NVPTXSeparateWGMMAResults : public MachineFunctionPass {
public:
  static char ID;

  NVPTXSeparateWGMMAResults() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Separate WGMMA Results";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  MachineFunctionProperties getRequiredProperties() const override {
    return MachineFunctionProperties().setIsSSA();
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// How the elements of accumulators flow from one register to the next.
class AccumulatorFlow {
public:
  AccumulatorFlow(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        MLI(MLI) {}

  bool separate();

private:
  /// A value goes on as another one: operand \p Use of \p To, a wgmma, a phi
  /// or a copy, whose result is \p Result.
  struct Step {
    MachineInstr *To;
    unsigned Use;
    Register Result;
    /// Another instruction has read the value by then.
    bool IsAfterRead = false;
    /// The accumulator gets this value, or another one, twice.
    bool IsTwice = false;
    /// The accumulator goes on in other registers anyway, since this value, or
    /// that of another element, is needed later.
    bool IsCopy = false;
  };

  void collect();
  void addStep(MachineInstr &To, unsigned Use, Register Result);
  void markLive();
  DenseSet<Register> findSources(DenseSet<Register> Found,
                                 bool PastOverwriting);
  bool isNeededAfter(const Step &S);
  bool isReadBefore(const Step &S);
  Register getOtherName(Register Reg);
  void joinPhis();
  void findRowReads();
  bool isRowReadBefore(const Step &S);
  bool isStartReadBefore(const Step &S);
  bool reaches(const MachineBasicBlock *From, const MachineBasicBlock *To,
               const MachineBasicBlock *Def);
  bool isPast(const MachineOperand &Use, const Step &S, Register Reg);
  bool mayReadAfter(const MachineOperand &Use, const Step &S, Register Reg);
  bool isCopy(const Step &S);
  bool endsAt(const Step &S);
  void joinSources(SmallVector<Register, 0> Row);
  void findReads();
  void findStarts();
  void findTwice();
  void findParts();
  void findReadParts();
  bool isReadElsewhere(const Step &S);
  bool separateReads();
  bool isPassedOn(Register Reg);
  bool isComputed(Register Reg);
  SmallSetVector<Register, 8> findNames(Register Reg);
  bool isStart(const SmallSetVector<Register, 8> &Names);
  const MachineInstr *getDef(Register Reg) const {
    return Reg.isVirtual() ? MRI.getUniqueVRegDef(Reg) : nullptr;
  }
  bool isConstant(Register Reg);
  bool isWGMMABetween(Register Reg, const MachineOperand &Use);
  bool isOfAnotherBlock(Register Reg, const MachineOperand &Use);
  SmallSetVector<Register, 8> findResults(Register Reg) const;
  bool isComputedAgain(const MachineOperand &Use, const Step &S) const;
  bool isNamedStartRead(const Step &S);
  bool separateUnread();
  void replace(const Step &S, Register Reg);
  void splitWay(const Step &S);
  bool splitWaysOfConstants();
  Register copy(const Step &S);
  Register makeUnlikeOthers(const Step &S);
  static MachineBasicBlock *getBlock(const Step &S);
  static MachineBasicBlock::iterator getPlace(const Step &S);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const MachineLoopInfo &MLI;
  SmallVector<MachineInstr *, 0> WGMMAs;
  SmallVector<Step, 0> Steps;
  /// Where each instruction stands.
  DenseMap<const MachineInstr *, unsigned> Order;
  /// The registers of one accumulator at one place, and what reads them.
  EquivalenceClasses<Register> Rows;
  DenseMap<Register, SmallVector<const MachineOperand *, 0>> RowReads;
  /// The registers of what may become one accumulator; those of them from one
  /// read to the next; and of these those that go on without a copy.
  EquivalenceClasses<Register> Accumulators, Parts, InPlace;
  /// The parts of each accumulator that are read.
  DenseMap<Register, DenseSet<Register>> ReadParts;
  /// The registers that an element of an accumulator flows through.
  DenseSet<Register> Elements;
  /// Those whose value something reads in the end, even if a wgmma overwrites
  /// it before; without that; those that something reads or copies; and those
  /// whose value goes on as more than one in the end.
  DenseSet<Register> Live, Surviving, Read, Copied;
  /// The blocks that paths from the end of a block come to, not through
  /// another.
  DenseMap<std::pair<const MachineBasicBlock *, const MachineBasicBlock *>,
           BitVector>
      Reachable;
  /// The registers whose values pass on to accumulators of wgmma.
  DenseSet<Register> Starting;
  /// Registers whose kill flags are cleared.
  DenseSet<Register> WithoutKills;
  /// By where it is made.
  DenseMap<std::pair<const MachineBasicBlock *, const MachineInstr *>, Register>
      UnlikeOthers;
};
} // namespace

char NVPTXSeparateWGMMAResults::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXSeparateWGMMAResults, DEBUG_TYPE,
                      "NVPTX Separate WGMMA Results", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXSeparateWGMMAResults, DEBUG_TYPE,
                    "NVPTX Separate WGMMA Results", false, false)

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

/// Whether \p MO passes the value on without reading it.
static bool isStep(const MachineOperand &MO) {
  const MachineInstr &MI = *MO.getParent();
  if (!isWGMMA(MI))
    return passesValueOn(MI);
  unsigned NumDefs = MI.getDesc().getNumDefs();
  return MO.getOperandNo() >= NumDefs && MO.getOperandNo() < 2 * NumDefs;
}

/// The registers from which values flow to those of \p Found, and these.
DenseSet<Register> AccumulatorFlow::findSources(DenseSet<Register> Found,
                                                bool PastOverwriting) {
  SmallVector<Register, 0> Worklist(Found.begin(), Found.end());
  DenseMap<Register, SmallVector<Register, 2>> From;
  for (const Step &S : Steps)
    if (PastOverwriting || !isWGMMA(*S.To) || !overwritesAccumulator(*S.To))
      From[S.Result].push_back(S.To->getOperand(S.Use).getReg());
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
    if (any_of(MRI.use_nodbg_operands(Reg),
               [](const MachineOperand &MO) { return !isStep(MO); })) {
      Read.insert(Reg);
      Live.insert(Reg);
    }
    if (count_if(MRI.use_nodbg_operands(Reg), isStep) > 1)
      Copied.insert(Reg);
  }
  Surviving = findSources(Live, /*PastOverwriting=*/false);
  Live = findSources(Live, /*PastOverwriting=*/true);
  Copied = findSources(Copied, /*PastOverwriting=*/true);
}

/// Whether a path leads from the end of \p From to \p To, not through \p Def.
bool AccumulatorFlow::reaches(const MachineBasicBlock *From,
                              const MachineBasicBlock *To,
                              const MachineBasicBlock *Def) {
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

/// Whether \p Use may have read \p Reg when step \p S takes it on. A value that
/// goes two ways is copied where it goes the first one; to a phi it goes on the
/// way into the phi's block. A copy is a name, which something else reads.
bool AccumulatorFlow::isPast(const MachineOperand &Use, const Step &S,
                             Register Reg) {
  const MachineInstr &Reader = *Use.getParent();
  if (Reader.isFullCopy() && Reader.getOperand(0).getReg().isVirtual())
    return any_of(MRI.use_nodbg_operands(Reader.getOperand(0).getReg()),
                  [&](const MachineOperand &MO) { return isPast(MO, S, Reg); });
  const MachineBasicBlock *Def = MRI.getUniqueVRegDef(Reg)->getParent();
  const MachineBasicBlock *From = Reader.getParent(), *To = getBlock(S);
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

/// Whether the value that step \p S takes on may have been read by then, under
/// any of its names.
bool AccumulatorFlow::isReadBefore(const Step &S) {
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

/// The value that \p Reg, under another name, passes on; none if it is the only
/// name, or the phi's that brings it.
Register AccumulatorFlow::getOtherName(Register Reg) {
  const MachineInstr *Def = getDef(Reg);
  if (!Def || Def->isPHI() || !passesValueOn(*Def) ||
      !Def->getOperand(1).isReg())
    return Register();
  return Def->getOperand(1).getReg();
}

/// Phis to which a block brings what is one row are one, too, also those that
/// no accumulator takes on.
void AccumulatorFlow::joinPhis() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock &MBB : MF) {
      DenseMap<std::pair<const MachineBasicBlock *, Register>, Register> First;
      for (const MachineInstr &Phi : MBB.phis()) {
        Register Result = Phi.getOperand(0).getReg();
        if (!Elements.contains(Result))
          continue;
        for (unsigned I = 1, E = Phi.getNumOperands(); I < E; I += 2) {
          Register Reg = getCopySource(Phi.getOperand(I).getReg(), MRI);
          if (!isPassedOn(Reg))
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

void AccumulatorFlow::findRowReads() {
  for (Register Reg : Read)
    for (const MachineOperand &MO : MRI.use_nodbg_operands(Reg))
      if (!isStep(MO))
        for (Register Name = Reg; isPassedOn(Name); Name = getOtherName(Name))
          RowReads[Rows.getOrInsertLeaderValue(Name)].push_back(&MO);
}

/// Whether an element beside the one that step \p S takes on may have been read
/// by then, since that one is what it is. It need not go on itself: the
/// accumulator may take on what is computed of it.
bool AccumulatorFlow::isRowReadBefore(const Step &S) {
  for (Register Name = S.To->getOperand(S.Use).getReg(); isPassedOn(Name);
       Name = getOtherName(Name))
    if (any_of(RowReads.lookup(Rows.getOrInsertLeaderValue(Name)),
               [&, Name](const MachineOperand *MO) {
                 return isPast(*MO, S, Name);
               }))
      return true;
  return false;
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

/// Whether step \p S starts an accumulator from a value that is computed or
/// loaded, and that something may have read by then; or copied, for another
/// accumulator to start from it, if the result is copied, too.
bool AccumulatorFlow::isStartReadBefore(const Step &S) {
  Register Reg = S.To->getOperand(S.Use).getReg();
  return (isWGMMA(*S.To) || Starting.contains(S.Result)) && isComputed(Reg) &&
         any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
           return &MO != &S.To->getOperand(S.Use) &&
                  (!isStep(MO) || Copied.contains(S.Result)) &&
                  isPast(MO, S, Reg);
         });
}

/// Whether \p Use may read \p Reg when step \p S has taken it on.
bool AccumulatorFlow::mayReadAfter(const MachineOperand &Use, const Step &S,
                                   Register Reg) {
  const MachineInstr &Reader = *Use.getParent();
  const MachineBasicBlock *Def = MRI.getUniqueVRegDef(Reg)->getParent();
  const MachineBasicBlock *From = getBlock(S), *To = Reader.getParent();
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

/// Whether the value that step \p S takes on lives on beside it. To a phi it
/// goes on the way into the phi's block.
bool AccumulatorFlow::isCopy(const Step &S) {
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
      if (To == Into && From == getBlock(S))
        return true;
      To = From;
    }
    return Into != Def && (To == Into || reaches(Into, To, Def));
  });
}

/// Whether the value that step \p S takes on is a result of wgmma, which
/// nothing needs after that.
bool AccumulatorFlow::endsAt(const Step &S) {
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

/// The block in which step \p S takes the value on.
MachineBasicBlock *AccumulatorFlow::getBlock(const Step &S) {
  return S.To->isPHI() ? S.To->getOperand(S.Use + 1).getMBB()
                       : S.To->getParent();
}

/// Where in that block.
MachineBasicBlock::iterator AccumulatorFlow::getPlace(const Step &S) {
  return S.To->isPHI() ? getBlock(S)->getFirstTerminator()
                       : MachineBasicBlock::iterator(S.To);
}

/// Has step \p S take on \p Reg instead.
void AccumulatorFlow::replace(const Step &S, Register Reg) {
  MachineOperand &MO = S.To->getOperand(S.Use);
  // Once for each register: a constant may be what all elements start from.
  if (WithoutKills.insert(MO.getReg()).second)
    MRI.clearKillFlags(MO.getReg());
  MO.setReg(Reg);
  MO.setIsKill(false);
}

/// Has step \p S, if it takes a value on where a loop ends, do so on the way
/// out of it, and not in every round. Where a loop begins that may have no
/// round, it does so on the way into it: of a value that is needed behind the
/// loop, too, and of its copy, both would be there at the branch, and the
/// accumulator would get from one's registers to the other's in every round.
void AccumulatorFlow::splitWay(const Step &S) {
  MachineBasicBlock *From = getBlock(S), *To = S.To->getParent();
  auto IsLeft = [](const MachineLoop *Loop, const MachineBasicBlock *MBB) {
    return Loop && !Loop->contains(MBB);
  };
  if (S.To->isPHI() && From->succ_size() > 1 &&
      (IsLeft(MLI.getLoopFor(From), To) || IsLeft(MLI.getLoopFor(To), From)))
    splitEdge(*From, *To);
}

/// Has constants that accumulators get where a loop ends, or begins, be written
/// on the way.
bool AccumulatorFlow::splitWaysOfConstants() {
  bool Changed = false;
  for (const Step &S : Steps) {
    const MachineInstr *Def = getDef(S.To->getOperand(S.Use).getReg());
    if (!Def || !Def->isMoveImmediate())
      continue;
    const MachineBasicBlock *From = getBlock(S);
    splitWay(S);
    Changed |= getBlock(S) != From;
  }
  return Changed;
}

/// A copy of the value that step \p S takes on.
Register AccumulatorFlow::copy(const Step &S) {
  splitWay(S);
  Register Old = S.To->getOperand(S.Use).getReg();
  Register New = MRI.cloneVirtualRegister(Old);
  BuildMI(*getBlock(S), getPlace(S), S.To->getDebugLoc(),
          TII.get(NVPTX::WGMMA_COPY), New)
      .addReg(Old);
  return New;
}

/// A value that nothing else has, where step \p S takes one on. Undefined
/// registers would do for ptxas 13.0; 12.4 serializes what accumulates in them.
Register AccumulatorFlow::makeUnlikeOthers(const Step &S) {
  MachineBasicBlock *MBB = getBlock(S);
  MachineBasicBlock::iterator Place = getPlace(S);
  Register &Reg = UnlikeOthers[{MBB, Place == MBB->end() ? nullptr : &*Place}];
  if (!Reg) {
    Reg = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    BuildMI(*MBB, Place, S.To->getDebugLoc(),
            TII.get(NVPTX::WGMMA_UNLIKE_OTHERS), Reg);
  }
  return Reg;
}

/// What the registers of \p Row come from, by way of copies and phis, are rows,
/// too.
void AccumulatorFlow::joinSources(SmallVector<Register, 0> Row) {
  DenseSet<const MachineInstr *> Seen;
  SmallVector<SmallVector<Register, 0>, 0> Worklist = {std::move(Row)};
  while (!Worklist.empty()) {
    Register First;
    SmallVector<MachineInstr *, 0> Phis;
    bool IsNew = false;
    for (Register Reg : Worklist.pop_back_val()) {
      Reg = getCopySource(Reg, MRI);
      if (!isPassedOn(Reg))
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

/// What a wgmma accumulates in has to stay in a row: where one element is taken
/// on after a read, so are all. So a copy separates nothing: where a wgmma or a
/// phi takes on what was read under the copy's other name, all elements are.
void AccumulatorFlow::findReads() {
  // The registers of an accumulator are one, at each place.
  for (MachineInstr *MI : WGMMAs) {
    unsigned NumDefs = MI->getDesc().getNumDefs();
    SmallVector<Register, 0> Row;
    for (unsigned I = 0; I != NumDefs; ++I) {
      Rows.unionSets(MI->getOperand(0).getReg(), MI->getOperand(I).getReg());
      Register Use = MI->getOperand(NumDefs + I).getReg();
      Row.push_back(Use);
      if (isPassedOn(Use))
        Rows.unionSets(MI->getOperand(NumDefs).getReg(), Use);
    }
    joinSources(std::move(Row));
  }
  using Key = std::pair<const void *, const MachineBasicBlock *>;
  struct Flags {
    bool IsAfterRead = false, IsCopy = false;
  };
  DenseMap<std::pair<Key, Register>, Flags> Found;
  auto GetFlags = [&](const Step &S) -> Flags & {
    if (!S.To->isPHI())
      return Found[{{S.To, nullptr}, Register()}];
    return Found[{{S.To->getParent(), getBlock(S)},
                  Rows.getOrInsertLeaderValue(S.Result)}];
  };
  joinPhis();
  findRowReads();
  for (const Step &S : Steps)
    if (isWGMMA(*S.To) || S.To->isPHI()) {
      Flags &F = GetFlags(S);
      F.IsAfterRead = F.IsAfterRead || isReadBefore(S) || isRowReadBefore(S);
      F.IsCopy |= isCopy(S);
    }
  for (Step &S : Steps) {
    S.IsAfterRead = GetFlags(S).IsAfterRead;
    S.IsCopy = GetFlags(S).IsCopy;
  }
}

/// Finds where accumulators go on of which two elements have the same value,
/// left by a wgmma.
void AccumulatorFlow::findTwice() {
  using Row = std::tuple<const void *, const MachineBasicBlock *, Register>;
  auto GetRow = [&](const Step &S) -> Row {
    if (!S.To->isPHI())
      return {S.To, nullptr, Register()};
    return {S.To->getParent(), getBlock(S),
            Rows.getOrInsertLeaderValue(S.Result)};
  };
  DenseSet<std::pair<Row, Register>> Taken;
  DenseSet<Row> Twice;
  for (const Step &S : Steps)
    if (Register Reg = getCopySource(S.To->getOperand(S.Use).getReg(), MRI);
        isPassedOn(Reg) && !Taken.insert({GetRow(S), Reg}).second)
      Twice.insert(GetRow(S));
  for (Step &S : Steps)
    S.IsTwice = Twice.contains(GetRow(S));
}

/// Whether a wgmma may be issued between where \p Reg is written and \p Use.
bool AccumulatorFlow::isWGMMABetween(Register Reg, const MachineOperand &Use) {
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

/// Whether \p Use reads \p Reg in another block than the one that writes its
/// value. What comes to a phi is written where it comes from.
bool AccumulatorFlow::isOfAnotherBlock(Register Reg,
                                       const MachineOperand &Use) {
  const MachineInstr &User = *Use.getParent();
  const MachineBasicBlock *Place =
      User.isPHI() ? User.getOperand(Use.getOperandNo() + 1).getMBB()
                   : User.getParent();
  const MachineInstr *Def = getDef(getCopySource(Reg, MRI));
  return !Def || Def->isPHI() || Def->getParent() != Place;
}

/// The registers that the value of \p Reg goes on in, and itself.
SmallSetVector<Register, 8> AccumulatorFlow::findResults(Register Reg) const {
  SmallSetVector<Register, 8> Results;
  Results.insert(Reg);
  for (unsigned I = 0; I != Results.size(); ++I)
    for (const MachineOperand &MO : MRI.use_nodbg_operands(Results[I])) {
      if (!isStep(MO))
        continue;
      const MachineInstr &To = *MO.getParent();
      Results.insert(To.getOperand(isWGMMA(To) ? MO.getOperandNo() -
                                                     To.getDesc().getNumDefs()
                                               : 0)
                         .getReg());
    }
  return Results;
}

/// Whether \p Use computes of what an accumulator starts from what something
/// computes of what step \p S leaves of it.
bool AccumulatorFlow::isComputedAgain(const MachineOperand &Use,
                                      const Step &S) const {
  const MachineInstr &First = *Use.getParent();
  if (isStep(Use) || First.getNumExplicitDefs() == 0)
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

/// Whether a wgmma starts from what step \p S takes on, which is no result, and
/// which something may have read under another name, after another wgmma was
/// issued, or in another block than the one that has written it.
bool AccumulatorFlow::isNamedStartRead(const Step &S) {
  if (!isWGMMA(*S.To) || !Live.contains(S.Result) || !isReadBefore(S))
    return false;
  SmallSetVector<Register, 8> Names =
      findNames(S.To->getOperand(S.Use).getReg());
  return isStart(Names) && any_of(Names, [&](Register Name) {
           return !isConstant(Name) &&
                  any_of(MRI.use_nodbg_operands(Name),
                         [&](const MachineOperand &Use) {
                           return &Use != &S.To->getOperand(S.Use) &&
                                  (isWGMMABetween(Name, Use) ||
                                   (isOfAnotherBlock(Name, Use) &&
                                    isComputedAgain(Use, S)));
                         });
         });
}

/// Finds what may become one accumulator, and the parts of it between reads.
void AccumulatorFlow::findParts() {
  for (Register Reg : Elements)
    Parts.unionSets(Reg, Rows.getOrInsertLeaderValue(Reg));
  Accumulators = Parts;
  InPlace = Parts;
  for (const Step &S : Steps) {
    Register Reg = S.To->getOperand(S.Use).getReg();
    if (!isPassedOn(Reg))
      continue;
    Accumulators.unionSets(Reg, S.Result);
    if (S.IsAfterRead || S.IsTwice)
      continue;
    Parts.unionSets(Reg, S.Result);
    if (!S.IsCopy)
      InPlace.unionSets(Reg, S.Result);
  }
}

/// Finds the parts that have a result of a wgmma, if by way of another part,
/// and something that reads it.
void AccumulatorFlow::findReadParts() {
  DenseSet<Register> HasResult;
  for (MachineInstr *MI : WGMMAs)
    HasResult.insert(Parts.getLeaderValue(MI->getOperand(0).getReg()));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Step &S : Steps) {
      Register Reg = S.To->getOperand(S.Use).getReg();
      if (isPassedOn(Reg) && HasResult.contains(Parts.getLeaderValue(Reg)))
        Changed |= HasResult.insert(Parts.getLeaderValue(S.Result)).second;
    }
  }
  for (Register Reg : Read)
    if (Register Part = Parts.getLeaderValue(Reg); HasResult.contains(Part))
      ReadParts[Accumulators.getLeaderValue(Reg)].insert(Part);
}

/// Whether what step \p S takes on has been read, and another part of that
/// accumulator is. A part may go round a loop and be read at both ends, if what
/// goes round is a copy of what is read last.
bool AccumulatorFlow::isReadElsewhere(const Step &S) {
  if (!S.IsAfterRead)
    return false;
  if (ReadParts[Accumulators.getLeaderValue(S.Result)].size() >= 2)
    return true;
  Register Reg = S.To->getOperand(S.Use).getReg();
  return Parts.getLeaderValue(Reg) == Parts.getLeaderValue(S.Result) &&
         InPlace.getLeaderValue(Reg) != InPlace.getLeaderValue(S.Result);
}

/// Separates accumulators whose results are read at several places, or which
/// take one result twice, and those that start from what is read before.
bool AccumulatorFlow::separateReads() {
  findReads();
  findTwice();
  findParts();
  findReadParts();
  bool Changed = false;
  for (const Step &S : Steps) {
    if (isPassedOn(S.To->getOperand(S.Use).getReg())
            ? !S.IsTwice && !isReadElsewhere(S) && !isNamedStartRead(S)
            : !Live.contains(S.Result) || !isStartReadBefore(S))
      continue;
    LLVM_DEBUG(dbgs() << "Separating " << printReg(S.Result)
                      << " of: " << *S.To);
    replace(S, Live.contains(S.Result) ? copy(S) : makeUnlikeOthers(S));
    ++NumSeparated;
    Changed = true;
  }
  return Changed;
}

/// Whether a wgmma, a phi or a copy leaves its element in \p Reg.
bool AccumulatorFlow::isPassedOn(Register Reg) {
  const MachineInstr *Def = getDef(Reg);
  return Def && (isWGMMA(*Def) || passesValueOn(*Def));
}

/// Whether the value of \p Reg is none that is passed on, nor a constant.
bool AccumulatorFlow::isComputed(Register Reg) {
  const MachineInstr *Def = getDef(Reg);
  return Def && !isPassedOn(Reg) && !isConstant(Reg);
}

/// The registers that the value of \p Reg comes from by way of copies and phis,
/// and itself.
SmallSetVector<Register, 8> AccumulatorFlow::findNames(Register Reg) {
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

/// Whether the value that has \p Names comes from no wgmma.
bool AccumulatorFlow::isStart(const SmallSetVector<Register, 8> &Names) {
  return none_of(Names, [&](Register Name) {
    return isPassedOn(Name) && isWGMMA(*MRI.getUniqueVRegDef(Name));
  });
}

/// Whether \p Reg is a constant, or undefined: what reads it needs no register.
bool AccumulatorFlow::isConstant(Register Reg) {
  const MachineInstr *Def = getDef(Reg);
  return Def && (Def->isImplicitDef() || Def->isMoveImmediate());
}

/// Whether step \p S takes on what something may need when it has done so.
bool AccumulatorFlow::isNeededAfter(const Step &S) {
  const MachineOperand &Taken = S.To->getOperand(S.Use);
  Register Reg = Taken.getReg();
  return MRI.getUniqueVRegDef(Reg)->isMoveImmediate() ||
         any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &Use) {
           return &Use != &Taken && mayReadAfter(Use, S, Reg);
         });
}

/// Has elements that are never read start from what no other value is.
bool AccumulatorFlow::separateUnread() {
  bool Changed = false;
  for (const Step &S : Steps) {
    const MachineOperand &MO = S.To->getOperand(S.Use);
    const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg());
    bool ComesFromUnread =
        isPassedOn(MO.getReg()) && !Live.contains(MO.getReg());
    // What goes on to no wgmma does not exist for ptxas, but the clock that
    // WGMMA_UNLIKE_OTHERS comes from is always read: in a loop ptxas then makes
    // nothing of `.pragma "nounroll"`.
    bool GoesOn = isWGMMA(*S.To) || Starting.contains(S.Result);
    if (Surviving.contains(S.Result) || !GoesOn || ComesFromUnread ||
        MO.isUndef() || !Def || Def->isImplicitDef() || endsAt(S))
      continue;
    if (Live.contains(S.Result) && !isNeededAfter(S))
      continue;
    LLVM_DEBUG(dbgs() << "Unread: " << printReg(S.Result) << " of: " << *S.To);
    replace(S, makeUnlikeOthers(S));
    ++NumUnread;
    Changed = true;
  }
  return Changed;
}

/// Leaves out what passes a value on to nothing, where there are wgmma. Returns
/// whether there was any.
static bool dropUnread(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallSetVector<MachineInstr *, 16> Worklist;
  bool HasWGMMA = false, Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      HasWGMMA |= isWGMMA(MI);
      if (passesValueOn(MI))
        Worklist.insert(&MI);
    }
  if (!HasWGMMA)
    return false;
  while (!Worklist.empty()) {
    MachineInstr *MI = Worklist.pop_back_val();
    Register Result = MI->getOperand(0).getReg();
    if (!Result.isVirtual() || !MRI.use_nodbg_empty(Result))
      continue;
    LLVM_DEBUG(dbgs() << "Nothing reads: " << *MI);
    MRI.markUsesInDebugValueAsUndef(Result);
    for (const MachineOperand &Use : MI->all_uses())
      if (MachineInstr *Def = MRI.getUniqueVRegDef(Use.getReg());
          Def && Def != MI && passesValueOn(*Def))
        Worklist.insert(Def);
    MI->eraseFromParent();
    ++NumDropped;
    Changed = true;
  }
  return Changed;
}

bool AccumulatorFlow::separate() {
  collect();
  if (Steps.empty())
    return false;
  markLive();
  findStarts();
  bool Changed = separateUnread();
  Changed |= separateReads();
  return splitWaysOfConstants() || Changed;
}

bool NVPTXSeparateWGMMAResults::runOnMachineFunction(MachineFunction &MF) {
  bool Changed = dropUnread(MF);
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  return AccumulatorFlow(MF, MLI).separate() || Changed;
}

MachineFunctionPass *llvm::createNVPTXSeparateWGMMAResultsPass() {
  return new NVPTXSeparateWGMMAResults();
}
