//===- NVPTXPlaceWGMMAFences.cpp - Fences after what they order -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The guarantee: between a wgmma.fence and a wgmma.mma_async after it, nothing
// accesses the registers of that wgmma's accumulator but wgmma that accumulate
// in the same registers and have the same shape, and nothing writes those of A
// or of the sparsity metadata. The fence orders accesses to registers, those of
// wgmma included, so that one in between is undefined. Several wgmma may read
// the same A, as they do in CUTLASS.
//
// In IR there are no registers to order: the zeros of an accumulator, a
// parameter, a copy that ties an accumulator get their instruction wherever the
// backend sees fit, which may well be after the fence, or between the wgmma of
// a group. Three steps mend that, the cheaper ones first:
//
//   1. A fence moves down to the next wgmma of its block, past whatever does
//      not take part in the protocol. A later fence orders all that an earlier
//      one did, and nothing that is passed depends on it.
//   2. What computes registers of the wgmma of one fence moves up to before
//      the fence: those of descriptors and of the predicate as well.
//   3. Where an access remains that could not be moved, since it loads, say, or
//      stands in another block, the wgmma gets one more fence. On an H200 that
//      costs nothing for most shapes.
//
// It runs after NVPTXProtectWGMMA: the waits are in their places now.
//
// A wgmma that no fence comes before is left alone. Whether one is missing
// there, only the author knows.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-place-wgmma-fences"

STATISTIC(NumSunk, "Number of fences moved down to a wgmma");
STATISTIC(NumHoisted, "Number of instructions moved up to before a fence");
STATISTIC(NumAdded, "Number of fences added");

namespace {
class NVPTXPlaceWGMMAFences : public MachineFunctionPass {
public:
  static char ID;

  NVPTXPlaceWGMMAFences() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Place WGMMA Fences"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXPlaceWGMMAFences::ID = 0;

INITIALIZE_PASS(NVPTXPlaceWGMMAFences, DEBUG_TYPE, "NVPTX Place WGMMA Fences",
                false, false)

static bool hasEvent(const MachineInstr &MI, WGMMAEvent::KindTy Kind) {
  return any_of(getWGMMAEvents(MI),
                [=](WGMMAEvent Event) { return Event.Kind == Kind; });
}

//===----------------------------------------------------------------------===//
// Fences move down
//===----------------------------------------------------------------------===//

static bool canBePassed(const MachineInstr &MI) {
  return !(MI.hasUnmodeledSideEffects() || MI.isCall() || MI.isTerminator() ||
           MI.isInlineAsm() || MI.isConvergent());
}

/// Moves a fence down to the wgmma after it, if it gets there.
static bool sinkFence(MachineInstr &Fence) {
  MachineBasicBlock &MBB = *Fence.getParent();
  auto Next = std::next(Fence.getIterator());
  auto I = Next;
  while (I != MBB.instr_end() && canBePassed(*I))
    ++I;
  // Short of a wgmma it stays: what comes next may be the end of a loop.
  if (I == Next || I == MBB.instr_end() || !isWGMMA(*I))
    return false;
  MBB.splice(I, &MBB, Fence.getIterator());
  ++NumSunk;
  return true;
}

//===----------------------------------------------------------------------===//
// Values move up
//===----------------------------------------------------------------------===//

/// Whether \p MI does nothing but compute registers from registers.
static bool isPureComputation(const MachineInstr &MI) {
  return canBePassed(MI) && !MI.isDebugInstr() && !MI.isPosition() &&
         !MI.mayStore() &&
         (!MI.mayLoad() || MI.isDereferenceableInvariantLoad());
}

namespace {
/// A fence, and what follows in its block up to the last wgmma before the next
/// fence or wait.
class FenceWindow {
public:
  explicit FenceWindow(MachineInstr &Fence);

  /// Moves what computes the operands of the wgmma to before the fence.
  bool hoist();

private:
  bool canHoist(const MachineInstr &MI) const;
  void stay(const MachineInstr &MI);

  MachineInstr &Fence;
  /// The last wgmma, or null if none follows the first.
  MachineInstr *Last = nullptr;
  /// The registers that go into the wgmma, and those that these come from.
  DenseSet<Register> Wanted;
  /// What the instructions that were passed, and stayed, write and read.
  DenseSet<Register> Written, Read;
};
} // namespace

FenceWindow::FenceWindow(MachineInstr &Fence) : Fence(Fence) {
  MachineBasicBlock &MBB = *Fence.getParent();
  for (MachineInstr &MI :
       make_range(std::next(Fence.getIterator()), MBB.instr_end())) {
    if (hasEvent(MI, WGMMAEvent::Fence) || hasEvent(MI, WGMMAEvent::Wait))
      break;
    if (isWGMMA(MI))
      Last = &MI;
  }
  if (!Last)
    return;
  for (MachineInstr &MI :
       make_range(Last->getReverseIterator(), Fence.getReverseIterator()))
    if (isWGMMA(MI) || (isPureComputation(MI) &&
                        any_of(MI.all_defs(), [&](const MachineOperand &Def) {
                          return Wanted.contains(Def.getReg());
                        })))
      for (const MachineOperand &Use : MI.all_uses())
        Wanted.insert(Use.getReg());
}

void FenceWindow::stay(const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg())
      (MO.isDef() ? Written : Read).insert(MO.getReg());
}

bool FenceWindow::canHoist(const MachineInstr &MI) const {
  return isPureComputation(MI) &&
         any_of(MI.all_defs(),
                [&](const MachineOperand &Def) {
                  return Wanted.contains(Def.getReg());
                }) &&
         all_of(MI.operands(), [&](const MachineOperand &MO) {
           return !MO.isReg() || !MO.getReg() ||
                  (!Written.contains(MO.getReg()) &&
                   !(MO.isDef() && Read.contains(MO.getReg())));
         });
}

bool FenceWindow::hoist() {
  if (!Last)
    return false;
  bool Changed = false;
  MachineBasicBlock &MBB = *Fence.getParent();
  for (MachineInstr &MI : make_early_inc_range(
           make_range(std::next(Fence.getIterator()), Last->getIterator()))) {
    if (!canHoist(MI)) {
      if (!MI.isDebugInstr())
        stay(MI);
      continue;
    }
    MBB.splice(Fence.getIterator(), &MBB, MI.getIterator());
    ++NumHoisted;
    Changed = true;
  }
  return Changed;
}

//===----------------------------------------------------------------------===//
// More fences
//===----------------------------------------------------------------------===//

namespace {
/// Follows which registers of wgmma were accessed since the last fence.
class FenceChecker {
public:
  explicit FenceChecker(MachineFunction &MF);

  bool addFences();

private:
  void collectRegisters(const MachineInstr &WGMMA);
  bool needsFence(const MachineInstr &WGMMA, const BitVector &Accessed) const;
  /// What was accessed after \p MI, if \p Accessed was before. Calls
  /// \p NeedsFence for a wgmma that needs one.
  void step(MachineInstr &MI, BitVector &Accessed,
            function_ref<void(MachineInstr &)> NeedsFence) const;
  void stepWGMMA(const MachineInstr &MI, BitVector &Accessed) const;

  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  /// The registers of accumulators and late inputs, numbered.
  DenseMap<Register, unsigned> Numbers;
  /// Those of accumulators, which must not be read either.
  BitVector Accumulated;
  /// Those that wgmma access in more than one way: as accumulators of
  /// different shapes, or as accumulator and input.
  BitVector Shared;
  DenseMap<Register, std::pair<Register, unsigned>> AccumulatorOf;
};
} // namespace

FenceChecker::FenceChecker(MachineFunction &MF) : MF(MF), MRI(MF.getRegInfo()) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        collectRegisters(MI);
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        for (Register Reg : getLateInputs(MI, MRI))
          if (unsigned Number = Numbers.lookup(Reg); Accumulated[Number])
            Shared.set(Number);
}

void FenceChecker::collectRegisters(const MachineInstr &WGMMA) {
  auto GetNumber = [&](Register Reg) {
    auto [It, IsNew] = Numbers.try_emplace(Reg, Numbers.size());
    if (IsNew) {
      Accumulated.push_back(false);
      Shared.push_back(false);
    }
    return It->second;
  };
  Register First = WGMMA.getOperand(0).getReg();
  for (const MachineOperand &Def : WGMMA.defs()) {
    unsigned Number = GetNumber(Def.getReg());
    Accumulated.set(Number);
    // The place in the accumulator, and its shape.
    std::pair<Register, unsigned> Place = {First, WGMMA.getDesc().getNumDefs()};
    auto [It, IsNew] = AccumulatorOf.try_emplace(Def.getReg(), Place);
    if (!IsNew && It->second != Place)
      Shared.set(Number);
  }
  for (Register Reg : getLateInputs(WGMMA, MRI))
    GetNumber(Reg);
}

bool FenceChecker::needsFence(const MachineInstr &WGMMA,
                              const BitVector &Accessed) const {
  auto WasAccessed = [&](Register Reg) {
    return Accessed.test(Numbers.lookup(Reg));
  };
  return any_of(WGMMA.defs(),
                [&](const MachineOperand &Def) {
                  return WasAccessed(Def.getReg());
                }) ||
         any_of(getLateInputs(WGMMA, MRI), WasAccessed);
}

/// A wgmma accesses registers, too, and a later one that uses the same needs a
/// fence: all but those that accumulate in the same way or only read.
void FenceChecker::stepWGMMA(const MachineInstr &MI,
                             BitVector &Accessed) const {
  for (const MachineOperand &Def : MI.defs())
    if (unsigned Number = Numbers.lookup(Def.getReg()); Shared[Number])
      Accessed.set(Number);
}

void FenceChecker::step(MachineInstr &MI, BitVector &Accessed,
                        function_ref<void(MachineInstr &)> NeedsFence) const {
  if (isWGMMA(MI)) {
    if (Accessed.any() && needsFence(MI, Accessed)) {
      NeedsFence(MI);
      Accessed.reset();
    }
    stepWGMMA(MI, Accessed);
    return;
  }
  if (hasEvent(MI, WGMMAEvent::Fence)) {
    Accessed.reset();
    return;
  }
  if (MI.isDebugInstr() || MI.isImplicitDef() || MI.isKill() ||
      isEmptyInlineAsm(MI) || isWGMMAInlineAsm(MI))
    return;
  for (const MachineOperand &MO : MI.operands()) {
    if (!MO.isReg() || MO.isUndef())
      continue;
    auto Found = Numbers.find(MO.getReg());
    if (Found != Numbers.end() && (MO.isDef() || Accumulated[Found->second]))
      Accessed.set(Found->second);
  }
}

bool FenceChecker::addFences() {
  SmallVector<BitVector> Entry(MF.getNumBlockIDs(), BitVector(Numbers.size()));
  ReversePostOrderTraversal<MachineFunction *> RPOT(&MF);
  BitVector Pending(MF.getNumBlockIDs(), true);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock *MBB : RPOT) {
      if (!Pending.test(MBB->getNumber()))
        continue;
      Pending.reset(MBB->getNumber());
      BitVector Accessed = Entry[MBB->getNumber()];
      for (MachineInstr &MI : *MBB)
        step(MI, Accessed, [](MachineInstr &) {});
      for (MachineBasicBlock *Successor : MBB->successors())
        if (Accessed.test(Entry[Successor->getNumber()])) {
          Entry[Successor->getNumber()] |= Accessed;
          Pending.set(Successor->getNumber());
          Changed = true;
        }
    }
  }

  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    BitVector &Accessed = Entry[MBB.getNumber()];
    for (MachineInstr &MI : MBB)
      step(MI, Accessed, [&](MachineInstr &WGMMA) {
        BuildMI(MBB, WGMMA, WGMMA.getDebugLoc(),
                TII.get(NVPTX::WGMMA_FENCE_SYNC_ALIGNED));
        ++NumAdded;
        Changed = true;
      });
  }
  return Changed;
}

bool NVPTXPlaceWGMMAFences::runOnMachineFunction(MachineFunction &MF) {
  bool HasWGMMA = false, Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      HasWGMMA |= isWGMMA(MI);
      if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
        Changed |= sinkFence(MI);
    }
  if (!HasWGMMA)
    return false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (hasEvent(MI, WGMMAEvent::Fence))
        Changed |= FenceWindow(MI).hoist();
  Changed |= FenceChecker(MF).addFences();
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXPlaceWGMMAFencesPass() {
  return new NVPTXPlaceWGMMAFences();
}
