//===- NVPTXProtectWGMMA.cpp - Wait where wgmma's registers are touched ---===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The guarantee: between a wgmma.mma_async and the wgmma.wait_group that
// retires it, no instruction but another wgmma of the same shape accumulating
// in the same registers reads or writes its accumulator, none writes the
// registers of A and of the sparsity metadata that it reads, and none but a
// wgmma reads these. PTX leaves the behavior undefined otherwise, and ptxas
// does not always notice.
//
// The passes before this one (NVPTXTieAccumulators, NVPTXHoldWGMMARegisters,
// NVPTXJoinWGMMACopies) arrange registers so that it holds by itself, wherever
// it can; what reads A or metadata in flight, NVPTXCopyWGMMAInputs has read
// something else. This one sees to it that it holds, whatever was done to the
// code. It runs when registers no longer change, with and without optimization.
// It follows the instructions in flight through the code, inline assembly
// included, and where one could be touched, it makes the code wait for it as
// soon as its group is committed; one that is touched before that is committed
// at once. Waiting only where it is touched would not do: the warpgroup need
// not get there as a whole, while it does execute every commit_group.
//
// Each such wait is a warning, since it costs the overlap that the program was
// written for; and so is a program that breaks the protocol of wgmma: it reads
// an accumulator that no wait has retired, goes on with it in another shape,
// never commits a wgmma, or waits while nothing is committed. One mistake is
// one warning: of the wgmma that one commit closes the last is named, and a
// wait that is added for want of a commit is not told once more. Without
// optimization variables live in memory, and every accumulator is stored there
// as soon as it is computed, which no change of the program would mend: one
// warning then stands for all of a module.
//
// The protocol is judged in kernels, where all of it is seen, whatever steps
// there are, or none. Of any other function a caller may commit and wait for
// what it leaves in flight, also where it has stored that to the caller's
// variable: there an added wait is no more than that. Where nothing calls the
// function, there is nobody to tell (see WGMMAWarnings).
//
// Known weakness: waits in called functions are not seen, nor is an instruction
// in flight on entry; ptxas serializes wgmma around calls anyway.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using nvvm::describePlace;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

#define DEBUG_TYPE "nvptx-protect-wgmma"

STATISTIC(NumWaits, "Number of waits for wgmma added");

namespace {
class NVPTXProtectWGMMA : public MachineFunctionPass {
public:
  static char ID;

  NVPTXProtectWGMMA() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Protect WGMMA"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool doInitialization(Module &) override {
    WarnedOfUnoptimized = false;
    return false;
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  bool WarnedOfUnoptimized = false;
};

/// What first touches the registers of a wgmma in flight, and how.
enum class TouchKind {
  /// A value moves: the compiler's affair.
  AccumulatorCopied,
  /// The program computes with a result that is not there yet.
  AccumulatorRead,
  /// It is stored to a variable that the compiler keeps in memory.
  AccumulatorKept,
  /// It leaves the function, which is no kernel: it is returned, or stored.
  AccumulatorLeaves,
  /// Something else gets the register.
  AccumulatorWritten,
  /// A wgmma of another shape goes on with it.
  AccumulatorReshaped,
  /// A register that it reads late gets another value.
  InputWritten,
};

struct Touch {
  TouchKind Kind;
  MachineInstr *By;
  /// Whether that is before the wgmma is committed, after a wait that did not
  /// retire it, or after a call.
  bool BeforeCommit, PastWait, PastCall;
  /// Whether that wait came before its commit.
  bool PastIdleWait = false;
};

class WGMMAProtection {
public:
  /// One warning stands for all unoptimized code; \p WarnedOfUnoptimized says
  /// whether it was given.
  WGMMAProtection(MachineFunction &MF, bool &WarnedOfUnoptimized)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        IsKernel(MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel),
        Warnings(MF.getFunction()), WarnedOfUnoptimized(WarnedOfUnoptimized) {}

  bool run();

private:
  bool dropHeldRegisters();
  bool separateInputs(MachineInstr &MI);
  void findTouched(const WGMMAInFlight &InFlight);
  TouchKind classify(const MachineInstr &MI, const MachineOperand &MO) const;
  void checkOperand(MachineInstr &MI, const MachineOperand &MO,
                    const WGMMAState &State, const WGMMAInFlight &InFlight,
                    const WGMMARegisters &Registers);
  void touch(unsigned Number, TouchKind Kind, MachineInstr &By,
             const WGMMAState &State);
  void touchTargetsOfCopies(const WGMMAInFlight &InFlight);
  void addWaits(const WGMMAInFlight &InFlight);
  bool isUnoptimized() const;
  bool isToldAsFault(const Touch &How) const;
  bool isForWantOfCommit(const Touch &How) const;
  void numberGroups(const WGMMAInFlight &InFlight);
  bool isLastOfGroup(unsigned Number) const;
  void warnOfProtocol(const WGMMAInFlight &InFlight);
  void warnOfMissingCommits(const WGMMAInFlight &InFlight,
                            const BitVector &NotCommitted);
  void warnOfIdleWaits(const WGMMAInFlight &InFlight, const BitVector &Told);
  void warnOfWaits(const WGMMAInFlight &InFlight);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  bool IsKernel;
  WGMMAWarnings Warnings;
  bool &WarnedOfUnoptimized;
  /// By the wgmma's number.
  MapVector<unsigned, Touch> Touched;
  /// The same number for wgmma that one commit closes for certain.
  SmallVector<unsigned, 0> GroupOf;
  /// The groups that are told to be never committed.
  DenseSet<unsigned> Uncommitted;
  /// Where accumulators in flight are copied to.
  MapVector<Register, Touch> CopiedTo;
};
} // namespace

char NVPTXProtectWGMMA::ID = 0;

INITIALIZE_PASS(NVPTXProtectWGMMA, DEBUG_TYPE, "NVPTX Protect WGMMA", false,
                false)

/// Takes off what NVPTXHoldWGMMARegisters put on.
bool WGMMAProtection::dropHeldRegisters() {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (!isWGMMAWait(MI) && !MI.isReturn())
        continue;
      for (unsigned I = MI.getNumOperands(); I-- != 0;) {
        const MachineOperand &MO = MI.getOperand(I);
        if (!MO.isReg() || !MO.isImplicit() || !MO.getReg().isVirtual())
          continue;
        MI.removeOperand(I);
        Changed = true;
      }
    }
  return Changed;
}

/// Copies the inputs of \p MI that are in registers of its accumulator, which
/// the instruction itself would overwrite.
bool WGMMAProtection::separateInputs(MachineInstr &MI) {
  unsigned NumDefs = MI.getDesc().getNumDefs();
  SmallDenseMap<Register, Register, 4> Copies;
  for (MachineOperand &MO : drop_begin(MI.explicit_uses(), NumDefs)) {
    if (!MO.isReg() || none_of(MI.defs(), [&](const MachineOperand &Def) {
          return Def.getReg() == MO.getReg();
        }))
      continue;
    Register &Copy = Copies[MO.getReg()];
    if (!Copy) {
      Copy = MRI.cloneVirtualRegister(MO.getReg());
      BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
              TII.get(TargetOpcode::COPY), Copy)
          .addReg(MO.getReg());
    }
    MO.setReg(Copy);
  }
  return !Copies.empty();
}

/// Whether the program breaks the protocol, rather than that it needs more
/// registers than there can be. Holds of kernels.
static bool isProgramsFault(const Touch &How) {
  return !How.PastCall && (How.Kind == TouchKind::AccumulatorRead ||
                           How.Kind == TouchKind::AccumulatorReshaped);
}

void WGMMAProtection::touch(unsigned Number, TouchKind Kind, MachineInstr &By,
                            const WGMMAState &State) {
  Touch New = {Kind, &By, false, State.isPastWait(Number),
               State.isPastCall(Number)};
  Touch &How = Touched.try_emplace(Number, New).first->second;
  // What the program does tells more than that the value moves as well.
  if (How.Kind == TouchKind::AccumulatorCopied && isProgramsFault(New)) {
    New.BeforeCommit = How.BeforeCommit;
    How = New;
  }
  How.BeforeCommit |= State.isUncommitted(Number);
}

/// Whether \p MI stores a part of the function's result.
static bool isReturned(const MachineInstr &MI) {
  return MI.mayStore() && any_of(MI.operands(), [](const MachineOperand &MO) {
           return MO.isSymbol() &&
                  StringRef(MO.getSymbolName()).starts_with("func_retval");
         });
}

/// Whether \p MI stores to a variable of the function.
static bool isStoredLocally(const MachineInstr &MI) {
  return MI.mayStore() &&
         any_of(MI.memoperands(), [](const MachineMemOperand *Operand) {
           return Operand->isStore() &&
                  Operand->getAddrSpace() == NVPTXAS::ADDRESS_SPACE_LOCAL;
         });
}

/// How \p MI touches an accumulator in flight that \p MO is a register of.
TouchKind WGMMAProtection::classify(const MachineInstr &MI,
                                    const MachineOperand &MO) const {
  if (MO.isDef())
    return TouchKind::AccumulatorWritten;
  if (MI.isCopy() || MI.getOpcode() == NVPTX::WGMMA_COPY)
    return TouchKind::AccumulatorCopied;
  bool IsStore = MI.mayStore() && !isWGMMA(MI) && !MI.isInlineAsm();
  if (isReturned(MI) || (!IsKernel && IsStore))
    return TouchKind::AccumulatorLeaves;
  if (IsStore && isStoredLocally(MI))
    return TouchKind::AccumulatorKept;
  return TouchKind::AccumulatorRead;
}

void WGMMAProtection::checkOperand(MachineInstr &MI, const MachineOperand &MO,
                                   const WGMMAState &State,
                                   const WGMMAInFlight &InFlight,
                                   const WGMMARegisters &Registers) {
  Register Reg = MO.getReg();
  if (isWGMMA(MI) && isTied(MO)) {
    // As a part of its own accumulator.
    for (unsigned Number : Registers.accumulatingIn(Reg, State, &MI))
      touch(Number,
            getWGMMAShape(MI) == getWGMMAShape(*InFlight.wgmmas()[Number])
                ? TouchKind::AccumulatorWritten
                : TouchKind::AccumulatorReshaped,
            MI, State);
  } else {
    TouchKind Kind = classify(MI, MO);
    SmallVector<unsigned, 2> Numbers = Registers.accumulatingIn(Reg, State);
    for (unsigned Number : Numbers)
      touch(Number, Kind, MI, State);
    if (MI.isCopy() && Kind == TouchKind::AccumulatorCopied && !Numbers.empty())
      CopiedTo.try_emplace(MI.getOperand(0).getReg(),
                           Touch{Kind, &MI, false, false, false});
  }
  if (MO.isDef())
    for (unsigned Number : Registers.readingLate(Reg, State))
      touch(Number, TouchKind::InputWritten, MI, State);
}

void WGMMAProtection::findTouched(const WGMMAInFlight &InFlight) {
  WGMMARegisters Registers(InFlight, MRI);
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (State.none() || hasNoAccesses(MI))
      return;
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg().isVirtual() && !MO.isUndef())
        checkOperand(MI, MO, State, InFlight, Registers);
  });
}

/// A copy that stays in flight moves an accumulator into the register of
/// another one. That one is waited for as well, where it comes from outside:
/// ptxas takes a register that a loop writes for in use in all of the loop,
/// once a wgmma accumulates in it ahead of the loop and is waited for inside.
void WGMMAProtection::touchTargetsOfCopies(const WGMMAInFlight &InFlight) {
  DenseMap<Register, SmallVector<unsigned, 2>> Accumulating;
  for (auto [Number, MI] : enumerate(InFlight.wgmmas()))
    for (const MachineOperand &Def : MI->defs())
      Accumulating[Def.getReg()].push_back(Number);
  for (const auto &[Target, How] : CopiedTo)
    for (unsigned Number : Accumulating.lookup(Target))
      Touched.try_emplace(Number, How);
}

void WGMMAProtection::addWaits(const WGMMAInFlight &InFlight) {
  SmallSetVector<MachineInstr *, 8> WaitAfter;
  BitVector Numbers(InFlight.size());
  for (auto &[Number, _] : Touched)
    Numbers.set(Number);
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (State.uncommitted().anyCommon(Numbers) &&
        hasWGMMAEvent(MI, WGMMAEvent::Commit))
      WaitAfter.insert(&MI);
  });
  for (auto &[Number, How] : Touched)
    if (How.BeforeCommit) {
      MachineInstr *MI = InFlight.wgmmas()[Number];
      WaitAfter.insert(BuildMI(
          *MI->getParent(), std::next(MI->getIterator()), MI->getDebugLoc(),
          TII.get(NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED)));
    }
  for (MachineInstr *Commit : WaitAfter) {
    LLVM_DEBUG(dbgs() << "Adding a wait after: " << *Commit);
    BuildMI(*Commit->getParent(), std::next(Commit->getIterator()),
            Commit->getDebugLoc(),
            TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
        .addImm(0);
  }
  NumWaits += WaitAfter.size();
}

static StringRef describe(const Touch &How) {
  switch (How.Kind) {
  case TouchKind::AccumulatorCopied:
    return "its accumulator is copied while it could be in flight";
  case TouchKind::AccumulatorRead:
    if (How.BeforeCommit && How.PastWait)
      return "no wgmma.commit_group comes before the wgmma.wait_group after "
             "which its accumulator is read";
    if (How.PastIdleWait)
      return "its accumulator is read after a wgmma.wait_group that retires "
             "nothing, since it comes before the wgmma.commit_group";
    if (How.PastWait)
      return "its accumulator is read after a wgmma.wait_group that may leave "
             "it in flight";
    return "its accumulator is read before a wgmma.wait_group retires it";
  case TouchKind::AccumulatorKept:
    return "its accumulator is kept in local memory";
  case TouchKind::AccumulatorLeaves:
    return "its accumulator leaves the function while it could be in flight";
  case TouchKind::AccumulatorWritten:
    return "a register of its accumulator is redefined while it could be in "
           "flight";
  case TouchKind::AccumulatorReshaped:
    return "a wgmma.mma_async of another shape goes on with its accumulator "
           "while it could be in flight";
  case TouchKind::InputWritten:
    return "a register that it reads is redefined while it could be in flight";
  }
  llvm_unreachable("unknown kind of touch");
}

bool WGMMAProtection::isUnoptimized() const {
  return MF.getTarget().getOptLevel() == CodeGenOptLevel::None ||
         MF.getFunction().hasOptNone();
}

/// Whether \p How is told by itself as a fault of the program.
bool WGMMAProtection::isToldAsFault(const Touch &How) const {
  return IsKernel && !isUnoptimized() && isProgramsFault(How);
}

/// Whether \p How needs no warning beside one of a missing commit.
bool WGMMAProtection::isForWantOfCommit(const Touch &How) const {
  return How.BeforeCommit && How.Kind != TouchKind::AccumulatorReshaped &&
         isToldAsFault(How);
}

void WGMMAProtection::numberGroups(const WGMMAInFlight &InFlight) {
  unsigned Group = 0;
  for (const MachineBasicBlock &MBB : MF) {
    ++Group;
    for (const MachineInstr &MI : MBB) {
      if (isWGMMA(MI))
        GroupOf.push_back(Group);
      else if (any_of(getWGMMAEvents(MI), [](WGMMAEvent Event) {
                 return Event.Kind != WGMMAEvent::Fence;
               }))
        ++Group;
    }
  }
  assert(GroupOf.size() == InFlight.size() && "numbered in the same order");
}

bool WGMMAProtection::isLastOfGroup(unsigned Number) const {
  return Number + 1 == GroupOf.size() || GroupOf[Number + 1] != GroupOf[Number];
}

/// Warns of every wgmma that nothing commits on some way to a return, unless a
/// function that is called may have, and of waits that come too early for it.
void WGMMAProtection::warnOfProtocol(const WGMMAInFlight &InFlight) {
  BitVector NotCommitted(InFlight.size());
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (MI.isReturn())
      for (unsigned Number : State.uncommitted().set_bits())
        if (!State.isPastCall(Number))
          NotCommitted.set(Number);
  });
  warnOfMissingCommits(InFlight, NotCommitted);
  if (!isUnoptimized())
    for (const auto &[Number, How] : Touched)
      if (How.BeforeCommit)
        NotCommitted.set(Number);
  warnOfIdleWaits(InFlight, NotCommitted);
}

void WGMMAProtection::warnOfMissingCommits(const WGMMAInFlight &InFlight,
                                           const BitVector &NotCommitted) {
  DenseMap<unsigned, const Touch *> Reads;
  for (const auto &[Number, How] : Touched)
    if (isForWantOfCommit(How))
      Reads.try_emplace(GroupOf[Number], &How);
  for (unsigned Number : NotCommitted.set_bits()) {
    Uncommitted.insert(GroupOf[Number]);
    if (!isLastOfGroup(Number))
      continue;
    std::string Message = "wgmma.mma_async is never committed: a return is "
                          "reached without a wgmma.commit_group";
    if (const Touch *Read = Reads.lookup(GroupOf[Number]))
      Message += "; it is committed and waited for at once, since its "
                 "accumulator is read" +
                 describePlace(Read->By->getDebugLoc());
    Warnings.warn(DiagnosticInfoWGMMA::Protocol,
                  InFlight.wgmmas()[Number]->getDebugLoc(), Message);
  }
}

/// Warns of every wait for which nothing is committed, on any path to it, that
/// is in flight there: it comes ahead of the commit. Of the wgmma of \p Told
/// that is known already; of one that is read after the wait, that is told.
void WGMMAProtection::warnOfIdleWaits(const WGMMAInFlight &InFlight,
                                      const BitVector &Told) {
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (!isWGMMAWait(MI) || hasWGMMAEvent(MI, WGMMAEvent::Commit) ||
        State.isAnyRetiredBy(0) || State.uncommitted().anyCommon(Told))
      return;
    const MachineInstr *WGMMA = nullptr;
    bool IsRead = false;
    for (unsigned Number : State.uncommitted().set_bits()) {
      if (State.isPastCall(Number))
        continue;
      if (!WGMMA)
        WGMMA = InFlight.wgmmas()[Number];
      auto Found = Touched.find(Number);
      if (Found == Touched.end() || !Found->second.PastWait ||
          !isToldAsFault(Found->second))
        continue;
      Found->second.PastIdleWait = true;
      IsRead = true;
    }
    if (WGMMA && !IsRead)
      Warnings.warn(DiagnosticInfoWGMMA::Protocol, MI.getDebugLoc(),
                    "wgmma.wait_group retires nothing: no wgmma.commit_group "
                    "comes before it for the wgmma.mma_async in flight" +
                        describePlace(WGMMA->getDebugLoc()));
  });
}

void WGMMAProtection::warnOfWaits(const WGMMAInFlight &InFlight) {
  constexpr StringLiteral Prefix = "wgmma.mma_async is waited for at once: ";
  if (isUnoptimized()) {
    if (!WarnedOfUnoptimized)
      WarnedOfUnoptimized = Warnings.warn(
          DiagnosticInfoWGMMA::InjectedWait,
          InFlight.wgmmas()[Touched.front().first]->getDebugLoc(),
          Prefix + "without optimization its accumulator is kept in "
                   "memory; so are all others in unoptimized code");
    return;
  }
  // Of those that one wait retires for one reason, the last.
  DenseMap<std::pair<unsigned, const char *>, unsigned> LastOf;
  for (const auto &[Number, How] : Touched) {
    unsigned &Last = LastOf[{GroupOf[Number], describe(How).data()}];
    Last = std::max(Last, Number);
  }
  for (const auto &[Number, How] : Touched) {
    if (LastOf.lookup({GroupOf[Number], describe(How).data()}) != Number ||
        (isForWantOfCommit(How) && Uncommitted.contains(GroupOf[Number])))
      continue;
    Warnings.warn(isToldAsFault(How) ? DiagnosticInfoWGMMA::Protocol
                                     : DiagnosticInfoWGMMA::InjectedWait,
                  InFlight.wgmmas()[Number]->getDebugLoc(),
                  Prefix + describe(How) +
                      describePlace(How.By->getDebugLoc()));
  }
}

bool WGMMAProtection::run() {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  bool Changed = dropHeldRegisters();
  for (MachineInstr *MI : InFlight.wgmmas())
    Changed |= separateInputs(*MI);

  findTouched(InFlight);
  numberGroups(InFlight);
  if (IsKernel)
    warnOfProtocol(InFlight);
  if (Touched.empty())
    return Changed;
  touchTargetsOfCopies(InFlight);
  warnOfWaits(InFlight);
  addWaits(InFlight);
  return true;
}

bool NVPTXProtectWGMMA::runOnMachineFunction(MachineFunction &MF) {
  return WGMMAProtection(MF, WarnedOfUnoptimized).run();
}

MachineFunctionPass *llvm::createNVPTXProtectWGMMAPass() {
  return new NVPTXProtectWGMMA();
}
