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
// Runs on SSA form, right before it ends. WGMMA_COPY is a copy that
// RegisterCoalescer leaves alone. Its registers may become the same one by way
// of a phi, that is, in another block; within one, the name of a register is
// all that ptxas goes by: what is written there between both wgmma makes no
// difference to it.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXAccumulatorFlow.h"
#include "NVPTXAccumulatorParts.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
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

/// Has accumulators go on in other registers.
class ResultSeparation {
public:
  ResultSeparation(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        MLI(MLI), Flow(MF) {}

  bool separate();

private:
  bool isStartReadBefore(const AccumulatorStep &S) const;
  bool isNamedStartRead(const AccumulatorStep &S) const;
  void replace(const AccumulatorStep &S, Register Reg);
  void splitWay(const AccumulatorStep &S, bool Always);
  bool splitWaysOfConstants();
  Register copy(const AccumulatorStep &S);
  Register makeUnlikeOthers(const AccumulatorStep &S);
  bool separateUnread();
  bool separateReads();

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const MachineLoopInfo &MLI;
  const AccumulatorFlow Flow;
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

/// Whether step \p S starts an accumulator from a value that is computed or
/// loaded, and that something may have read by then; or copied, for another
/// accumulator to start from it, if the result is copied, too.
bool ResultSeparation::isStartReadBefore(const AccumulatorStep &S) const {
  Register Reg = S.getTaken();
  return (isWGMMA(*S.To) || Flow.isStarting(S.Result)) &&
         Flow.isComputed(Reg) &&
         any_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
           return &MO != &S.To->getOperand(S.Use) &&
                  (!isAccumulatorStep(MO) || Flow.isCopied(S.Result)) &&
                  Flow.isPast(MO, S, Reg);
         });
}

/// Whether a wgmma starts from what step \p S takes on, which is no result, and
/// which something may have read under another name, after another wgmma was
/// issued, or in another block than the one that has written it.
bool ResultSeparation::isNamedStartRead(const AccumulatorStep &S) const {
  if (!isWGMMA(*S.To) || !Flow.isLive(S.Result) || !Flow.isReadBefore(S))
    return false;
  SmallSetVector<Register, 8> Names = Flow.findNames(S.getTaken());
  return Flow.isStart(Names) && any_of(Names, [&](Register Name) {
           return !Flow.isConstant(Name) &&
                  any_of(MRI.use_nodbg_operands(Name),
                         [&](const MachineOperand &Use) {
                           return &Use != &S.To->getOperand(S.Use) &&
                                  (Flow.isWGMMABetween(Name, Use) ||
                                   (Flow.isOfAnotherBlock(Name, Use) &&
                                    Flow.isComputedAgain(Use, S)));
                         });
         });
}

/// Has step \p S take on \p Reg instead.
void ResultSeparation::replace(const AccumulatorStep &S, Register Reg) {
  MachineOperand &MO = S.To->getOperand(S.Use);
  // Once for each register: a constant may be what all elements start from.
  if (WithoutKills.insert(MO.getReg()).second)
    MRI.clearKillFlags(MO.getReg());
  MO.setReg(Reg);
  MO.setIsKill(false);
}

/// Has step \p S, if it takes a value on by one of a branch's ways, and \p
/// Always or where a loop ends, do so on the way, and not in every round. Where
/// a loop begins that may have no round, it does so on the way into it: of a
/// value that is needed behind the loop, too, and of its copy, both would be
/// there at the branch, and the accumulator would get from one's registers to
/// the other's in every round.
void ResultSeparation::splitWay(const AccumulatorStep &S, bool Always) {
  MachineBasicBlock *From = S.getBlock(), *To = S.To->getParent();
  auto IsLeft = [](const MachineLoop *Loop, const MachineBasicBlock *MBB) {
    return Loop && !Loop->contains(MBB);
  };
  if (S.To->isPHI() && From->succ_size() > 1 &&
      (Always || IsLeft(MLI.getLoopFor(From), To) ||
       IsLeft(MLI.getLoopFor(To), From)))
    splitEdge(*From, *To);
}

/// Has constants that accumulators get on one of a branch's ways, or where a
/// loop ends, or begins, be written on the way: ahead of the branch they would
/// need registers beside those of the accumulator that goes the other way.
bool ResultSeparation::splitWaysOfConstants() {
  bool Changed = false;
  for (const AccumulatorStep &S : Flow.steps()) {
    const MachineInstr *Def = Flow.getDef(S.getTaken());
    if (!Def || !Def->isMoveImmediate())
      continue;
    const MachineBasicBlock *From = S.getBlock();
    splitWay(S, /*Always=*/Flow.isStarting(S.Result));
    Changed |= S.getBlock() != From;
  }
  return Changed;
}

/// A copy of the value that step \p S takes on.
Register ResultSeparation::copy(const AccumulatorStep &S) {
  splitWay(S, /*Always=*/false);
  Register Old = S.getTaken();
  Register New = MRI.cloneVirtualRegister(Old);
  BuildMI(*S.getBlock(), S.getPlace(), S.To->getDebugLoc(),
          TII.get(NVPTX::WGMMA_COPY), New)
      .addReg(Old);
  return New;
}

/// A value that nothing else has, where step \p S takes one on. Undefined
/// registers would do for ptxas 13.0; 12.4 serializes what accumulates in them.
Register ResultSeparation::makeUnlikeOthers(const AccumulatorStep &S) {
  MachineBasicBlock *MBB = S.getBlock();
  MachineBasicBlock::iterator Place = S.getPlace();
  Register &Reg = UnlikeOthers[{MBB, Place == MBB->end() ? nullptr : &*Place}];
  if (!Reg) {
    Reg = MRI.createVirtualRegister(&NVPTX::B32RegClass);
    BuildMI(*MBB, Place, S.To->getDebugLoc(),
            TII.get(NVPTX::WGMMA_UNLIKE_OTHERS), Reg);
  }
  return Reg;
}

/// Has elements that are never read start from what no other value is.
bool ResultSeparation::separateUnread() {
  bool Changed = false;
  for (const AccumulatorStep &S : Flow.steps()) {
    const MachineOperand &MO = S.To->getOperand(S.Use);
    const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg());
    bool ComesFromUnread =
        Flow.isPassedOn(MO.getReg()) && !Flow.isLive(MO.getReg());
    // What goes on to no wgmma does not exist for ptxas, but the clock that
    // WGMMA_UNLIKE_OTHERS comes from is always read: in a loop ptxas then makes
    // nothing of `.pragma "nounroll"`.
    bool GoesOn = isWGMMA(*S.To) || Flow.isStarting(S.Result);
    if (Flow.isSurviving(S.Result) || !GoesOn || ComesFromUnread ||
        MO.isUndef() || !Def || Def->isImplicitDef() || Flow.endsAt(S))
      continue;
    if (Flow.isLive(S.Result) && !Flow.isNeededAfter(S))
      continue;
    LLVM_DEBUG(dbgs() << "Unread: " << printReg(S.Result) << " of: " << *S.To);
    replace(S, makeUnlikeOthers(S));
    ++NumUnread;
    Changed = true;
  }
  return Changed;
}

/// Separates accumulators whose results are read at several places, or which
/// take one result twice, and those that start from what is read before.
bool ResultSeparation::separateReads() {
  const AccumulatorParts Parts(MF, Flow);
  bool Changed = false;
  for (auto [I, S] : enumerate(Flow.steps())) {
    if (Flow.isPassedOn(S.getTaken())
            ? !Parts.isTwice(I) && !Parts.isReadElsewhere(I) &&
                  !isNamedStartRead(S)
            : !Flow.isLive(S.Result) || !isStartReadBefore(S))
      continue;
    LLVM_DEBUG(dbgs() << "Separating " << printReg(S.Result)
                      << " of: " << *S.To);
    replace(S, Flow.isLive(S.Result) ? copy(S) : makeUnlikeOthers(S));
    ++NumSeparated;
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

bool ResultSeparation::separate() {
  if (Flow.steps().empty())
    return false;
  bool Changed = separateUnread();
  Changed |= separateReads();
  return splitWaysOfConstants() || Changed;
}

bool NVPTXSeparateWGMMAResults::runOnMachineFunction(MachineFunction &MF) {
  bool Changed = dropUnread(MF);
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  return ResultSeparation(MF, MLI).separate() || Changed;
}

MachineFunctionPass *llvm::createNVPTXSeparateWGMMAResultsPass() {
  return new NVPTXSeparateWGMMAResults();
}
