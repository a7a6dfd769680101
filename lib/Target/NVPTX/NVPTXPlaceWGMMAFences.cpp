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
// wgmma included, so that one in between is undefined. K is a part of the
// shape: an accumulator that goes from f16 to tf32, or from dense to sparse,
// needs a fence in between. Several wgmma may read the same A, as they do in
// CUTLASS.
//
// In IR there are no registers to order: the zeros of an accumulator, a
// parameter, a copy that ties an accumulator get their instruction wherever the
// backend sees fit, which may well be after the fence, or between the wgmma of
// a group. Three steps mend that, the cheaper ones first:
//
//   1. A fence moves down to the next wgmma of its block, past whatever does
//      not take part in the protocol. A later fence orders all that an earlier
//      one did, and nothing that is passed depends on it. With no wgmma in its
//      block it goes on to those that come first in later ones, unless one is
//      in a loop that it stands before: there it would be executed in each
//      round. ptxas, as of 13.0, takes a fence at the end of a loop for the
//      start of what the next round waits for, and what the loop has written
//      for written in flight (C7515).
//   2. What computes registers of the wgmma of one fence that the fence orders
//      moves up to before it. Where all wgmma for it are in later blocks, as in
//      a loop, so does what computes those of any wgmma. Descriptors are
//      computed where they are: ahead of the fence those of a whole group would
//      need registers at once, and ptxas would fetch each from there into a
//      uniform register.
//   3. Where an access remains that could not be moved, since it loads, say, or
//      stands in another block, the wgmma gets one more fence. On an H200 that
//      costs nothing for most shapes.
//
// One more fence also stands between two wgmma of one fence that multiply the
// same: of those ptxas, as of 13.0, executes only one, even if both add to the
// same accumulator, and even if it has to look through copies to find that they
// do (NVPTXRegisterValues.h). A wgmma in a loop is two of them, if its matrices
// stay the same: ptxas unrolls loops. Of what is the same, it knows more than
// this pass at -O0, where every value comes from memory; there all wgmma get a
// fence.
//
// It runs after NVPTXProtectWGMMA: the waits are in their places now.
//
// Accesses count from the function's start: a wgmma that no fence comes before
// gets one as soon as anything accesses its registers. Nobody is told of fences
// that are added, also where the program lacks them.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRegisterValues.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include <map>

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
  // Short of a wgmma it stays here: see IdleFence.
  if (I == Next || I == MBB.instr_end() || !isWGMMA(*I))
    return false;
  LLVM_DEBUG(dbgs() << "Moving a fence down to: " << *I);
  MBB.splice(I, &MBB, Fence.getIterator());
  ++NumSunk;
  return true;
}

namespace {
/// A fence with no wgmma after it in its block.
class IdleFence {
public:
  IdleFence(MachineInstr &Fence, const MachineLoopInfo &Loops)
      : Fence(Fence), Loops(Loops) {}

  /// Moves the fence down to the wgmma that come first in later blocks, if it
  /// can. There may be none of them.
  bool sink();

private:
  bool findFirst();
  bool findFirstIn(MachineBasicBlock &MBB,
                   MachineBasicBlock::instr_iterator Start);

  MachineInstr &Fence;
  const MachineLoopInfo &Loops;
  SmallVector<MachineInstr *, 4> First;
  SmallVector<MachineBasicBlock *, 8> Worklist;
};
} // namespace

/// Goes on from \p Start to the first wgmma or fence, or to the blocks after
/// \p MBB. Returns whether the fence can move there.
bool IdleFence::findFirstIn(MachineBasicBlock &MBB,
                            MachineBasicBlock::instr_iterator Start) {
  for (MachineInstr &MI : make_range(Start, MBB.instr_end())) {
    // Who called the function, or is called, may rely on the fence.
    if (hasUnknownWGMMASteps(MI) ||
        (MI.isReturn() && MBB.getParent()->getFunction().getCallingConv() !=
                              CallingConv::PTX_Kernel))
      return false;
    if (hasWGMMAEvent(MI, WGMMAEvent::Fence))
      return true;
    if (isWGMMA(MI)) {
      First.push_back(&MI);
      const MachineLoop *Loop = Loops.getLoopFor(&MBB);
      return !Loop || Loop->contains(Fence.getParent());
    }
  }
  append_range(Worklist, MBB.successors());
  return true;
}

bool IdleFence::findFirst() {
  if (!findFirstIn(*Fence.getParent(), std::next(Fence.getIterator())))
    return false;
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    MachineBasicBlock *Next = Worklist.pop_back_val();
    if (Seen.insert(Next).second && !findFirstIn(*Next, Next->instr_begin()))
      return false;
  }
  return true;
}

bool IdleFence::sink() {
  if (!findFirst())
    return false;
  for (MachineInstr *WGMMA : First) {
    LLVM_DEBUG(dbgs() << "Moving a fence down to: " << *WGMMA);
    BuildMI(*WGMMA->getParent(), WGMMA, WGMMA->getDebugLoc(), Fence.getDesc());
  }
  Fence.eraseFromParent();
  ++NumSunk;
  return true;
}

static bool sinkIdleFences(MachineFunction &MF, const MachineLoopInfo &Loops) {
  SmallVector<MachineInstr *, 8> Idle;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED &&
          none_of(make_range(std::next(MI.getIterator()), MBB.instr_end()),
                  isWGMMA))
        Idle.push_back(&MI);
  bool Changed = false;
  for (MachineInstr *Fence : Idle)
    Changed |= IdleFence(*Fence, Loops).sink();
  return Changed;
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
/// fence or wait; or all that follows, where the wgmma are in later blocks.
class FenceWindow {
public:
  /// \p Registers: those of all wgmma.
  FenceWindow(MachineInstr &Fence, const DenseSet<Register> &Registers);

  /// Moves what computes registers of the wgmma to before the fence.
  bool hoist();

private:
  void addOrdered(const MachineInstr &WGMMA);
  bool canHoist(const MachineInstr &MI) const;

  MachineInstr &Fence;
  /// Where the window ends: at the fence, if no wgmma is for it.
  MachineBasicBlock::instr_iterator End;
  /// The registers that go into the wgmma, and those that these come from.
  /// But for the descriptors and the predicate.
  DenseSet<Register> Wanted;
  /// Of the instructions that stayed.
  PassedRegisters Passed;
};
} // namespace

FenceWindow::FenceWindow(MachineInstr &Fence,
                         const DenseSet<Register> &Registers)
    : Fence(Fence), End(Fence.getIterator()) {
  MachineBasicBlock &MBB = *Fence.getParent();
  bool IsOpen = true;
  for (MachineInstr &MI :
       make_range(std::next(Fence.getIterator()), MBB.instr_end())) {
    if (hasWGMMAEvent(MI, WGMMAEvent::Fence) || isWGMMAWait(MI)) {
      IsOpen = false;
      break;
    }
    if (isWGMMA(MI))
      End = MI.getIterator();
  }
  if (End != Fence.getIterator()) {
    addOrdered(*End);
  } else if (IsOpen) {
    End = MBB.getFirstInstrTerminator();
    Wanted = Registers;
  } else {
    return;
  }
  for (MachineInstr &MI :
       reverse(make_range(std::next(Fence.getIterator()), End)))
    if (isWGMMA(MI))
      addOrdered(MI);
    else if (isPureComputation(MI) && writesAny(MI, Wanted))
      for (const MachineOperand &Use : MI.all_uses())
        Wanted.insert(Use.getReg());
}

void FenceWindow::addOrdered(const MachineInstr &WGMMA) {
  for (const MachineOperand &Def : WGMMA.defs())
    Wanted.insert(Def.getReg());
  const MachineRegisterInfo &MRI = WGMMA.getMF()->getRegInfo();
  Wanted.insert_range(getLateInputs(WGMMA, MRI));
}

bool FenceWindow::canHoist(const MachineInstr &MI) const {
  return isPureComputation(MI) && writesAny(MI, Wanted) && Passed.allow(MI);
}

bool FenceWindow::hoist() {
  if (End == Fence.getIterator())
    return false;
  bool Changed = false;
  MachineBasicBlock &MBB = *Fence.getParent();
  // Inline assembly may have more in it than the fence.
  Passed.add(Fence);
  for (MachineInstr &MI :
       make_early_inc_range(make_range(std::next(Fence.getIterator()), End))) {
    if (!canHoist(MI)) {
      if (!MI.isDebugInstr())
        Passed.add(MI);
      continue;
    }
    LLVM_DEBUG(dbgs() << "Moving up to before a fence: " << MI);
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
/// What has happened since the last fence, on any path.
struct SinceFence {
  /// The registers of wgmma that something else accessed, by their numbers.
  BitVector Accessed;
  /// The uses of registers by wgmma, by their numbers, that come too late: a
  /// wgmma has used the register in another way.
  BitVector Unordered;
  /// The wgmma that were issued.
  BitVector Issued;

  void reset() {
    Accessed.reset();
    Unordered.reset();
    Issued.reset();
  }
  /// True if \p Other adds anything.
  bool merge(const SinceFence &Other) {
    if (!Other.Accessed.test(Accessed) && !Other.Unordered.test(Unordered) &&
        !Other.Issued.test(Issued))
      return false;
    Accessed |= Other.Accessed;
    Unordered |= Other.Unordered;
    Issued |= Other.Issued;
    return true;
  }
};

/// How a wgmma uses a register.
struct RegisterUse {
  /// Of an accumulator: its first register, and the shape.
  Register First;
  /// 0 for a fragment of A and for the metadata.
  unsigned Shape = 0;

  bool operator==(const RegisterUse &Other) const {
    return First == Other.First && Shape == Other.Shape;
  }
};

/// Finds the wgmma that need one more fence.
class FenceChecker {
public:
  FenceChecker(MachineFunction &MF, const MachineLoopInfo &Loops);

  bool addFences();

private:
  void collectRegisters(const MachineInstr &WGMMA);
  unsigned getNumber(Register Reg, RegisterUse Use) const;
  void collectInputs(MachineInstr &WGMMA, RegisterValues &Values,
                     const MachineLoopInfo &Loops);
  bool needsFence(const MachineInstr &WGMMA, const SinceFence &Since) const;
  bool isRepeated(const MachineInstr &WGMMA, const BitVector &Issued) const;
  /// Takes \p Since past \p MI. Calls \p NeedsFence for a wgmma that needs
  /// one.
  void step(MachineInstr &MI, SinceFence &Since,
            function_ref<void(MachineInstr &)> NeedsFence) const;
  void stepWGMMA(const MachineInstr &MI, SinceFence &Since) const;

  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  /// The registers of accumulators and late inputs, numbered.
  DenseMap<Register, unsigned> Numbers;
  /// Those of accumulators, which must not be read either.
  BitVector Accumulated;
  /// The ways in which wgmma use a register, numbered: as accumulators of
  /// different shapes, or as accumulator and input.
  DenseMap<Register, SmallVector<std::pair<RegisterUse, unsigned>, 1>> Uses;
  unsigned NumUses = 0;
  /// The numbers of the wgmma, and of all that multiply the same.
  DenseMap<const MachineInstr *, unsigned> NumberOf;
  SmallVector<ArrayRef<unsigned>, 0> ClassOf;
  /// By opcode and values of the matrices.
  std::map<SmallVector<unsigned, 8>, SmallVector<unsigned, 1>> Classes;
  /// Those that multiply the same in each round of their loop.
  BitVector Repeating;
};
} // namespace

/// The opcode of \p WGMMA, and the values of the matrices that it multiplies:
/// of descriptors, a fragment of A, the metadata. Not of the predicate scale-d:
/// it may be known to ptxas, or make no difference.
static SmallVector<unsigned, 8> describeProduct(const MachineInstr &WGMMA,
                                                const MachineRegisterInfo &MRI,
                                                RegisterValues &Values) {
  SmallVector<unsigned, 8> Product = {WGMMA.getOpcode()};
  for (const MachineOperand &MO :
       drop_begin(WGMMA.explicit_operands(), 2 * WGMMA.getDesc().getNumDefs()))
    if (MO.isReg() && MRI.getRegClass(MO.getReg()) != &NVPTX::B1RegClass)
      Product.push_back(Values.getBefore(MO.getReg(), WGMMA));
  return Product;
}

/// Calls \p Visit for the registers of \p WGMMA whose accesses a fence orders.
static void
forEachUse(const MachineInstr &WGMMA, const MachineRegisterInfo &MRI,
           function_ref<void(Register Reg, RegisterUse Use)> Visit) {
  RegisterUse Accumulator = {WGMMA.getOperand(0).getReg(),
                             getWGMMAShape(WGMMA)};
  for (const MachineOperand &Def : WGMMA.defs())
    Visit(Def.getReg(), Accumulator);
  for (Register Reg : getLateInputs(WGMMA, MRI))
    Visit(Reg, RegisterUse());
}

FenceChecker::FenceChecker(MachineFunction &MF, const MachineLoopInfo &Loops)
    : MF(MF), MRI(MF.getRegInfo()) {
  RegisterValues Values(MF);
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI)) {
        collectRegisters(MI);
        collectInputs(MI, Values, Loops);
      }
  ClassOf.resize(NumberOf.size());
  for (const auto &[Product, Numbers] : Classes)
    for (unsigned Number : Numbers)
      ClassOf[Number] = Numbers;
}

void FenceChecker::collectRegisters(const MachineInstr &WGMMA) {
  forEachUse(WGMMA, MRI, [&](Register Reg, RegisterUse Use) {
    auto [It, IsNew] = Numbers.try_emplace(Reg, Numbers.size());
    if (IsNew)
      Accumulated.push_back(false);
    if (Use.Shape)
      Accumulated.set(It->second);
    auto &Known = Uses[Reg];
    if (none_of(Known, [&](const auto &Pair) { return Pair.first == Use; }))
      Known.emplace_back(Use, NumUses++);
  });
}

/// The number of a use that was collected.
unsigned FenceChecker::getNumber(Register Reg, RegisterUse Use) const {
  return find_if(Uses.find(Reg)->second,
                 [&](const auto &Pair) { return Pair.first == Use; })
      ->second;
}

void FenceChecker::collectInputs(MachineInstr &WGMMA, RegisterValues &Values,
                                 const MachineLoopInfo &Loops) {
  unsigned Number = NumberOf.size();
  NumberOf[&WGMMA] = Number;
  SmallVector<unsigned, 8> Product = {WGMMA.getOpcode()};
  if (MF.getTarget().getOptLevel() != CodeGenOptLevel::None &&
      !MF.getFunction().hasOptNone())
    Product = describeProduct(WGMMA, MRI, Values);
  Classes[Product].push_back(Number);
  const MachineLoop *Loop = Loops.getLoopFor(WGMMA.getParent());
  Repeating.push_back(Loop && none_of(drop_begin(Product), [&](unsigned Value) {
                        return Values.mayChangeIn(Value, *Loop);
                      }));
}

/// Whether one of those in \p Issued multiplies the same: another wgmma, or
/// this one in the round before.
bool FenceChecker::isRepeated(const MachineInstr &WGMMA,
                              const BitVector &Issued) const {
  unsigned Number = NumberOf.lookup(&WGMMA);
  return any_of(ClassOf[Number], [&](unsigned Other) {
    return Issued.test(Other) && (Other != Number || Repeating.test(Number));
  });
}

bool FenceChecker::needsFence(const MachineInstr &WGMMA,
                              const SinceFence &Since) const {
  if (isRepeated(WGMMA, Since.Issued))
    return true;
  if (Since.Accessed.none() && Since.Unordered.none())
    return false;
  bool IsNeeded = false;
  forEachUse(WGMMA, MRI, [&](Register Reg, RegisterUse Use) {
    IsNeeded |= Since.Accessed.test(Numbers.lookup(Reg)) ||
                Since.Unordered.test(getNumber(Reg, Use));
  });
  return IsNeeded;
}

/// A wgmma accesses registers, too, and a later one that uses the same needs a
/// fence: all but those that accumulate in the same way or only read.
void FenceChecker::stepWGMMA(const MachineInstr &MI, SinceFence &Since) const {
  forEachUse(MI, MRI, [&](Register Reg, RegisterUse Use) {
    for (const auto &[Other, Number] : Uses.find(Reg)->second)
      if (!(Other == Use))
        Since.Unordered.set(Number);
  });
  Since.Issued.set(NumberOf.lookup(&MI));
}

void FenceChecker::step(MachineInstr &MI, SinceFence &Since,
                        function_ref<void(MachineInstr &)> NeedsFence) const {
  if (isWGMMA(MI)) {
    if (needsFence(MI, Since)) {
      NeedsFence(MI);
      Since.reset();
    }
    stepWGMMA(MI, Since);
    return;
  }
  // What else inline assembly with a fence does, it may do after the fence.
  if (hasWGMMAEvent(MI, WGMMAEvent::Fence))
    Since.reset();
  if (hasNoAccesses(MI))
    return;
  for (const MachineOperand &MO : MI.operands()) {
    if (!MO.isReg() || MO.isUndef())
      continue;
    auto Found = Numbers.find(MO.getReg());
    if (Found != Numbers.end() && (MO.isDef() || Accumulated[Found->second]))
      Since.Accessed.set(Found->second);
  }
}

bool FenceChecker::addFences() {
  SmallVector<SinceFence> Entry(MF.getNumBlockIDs(),
                                {BitVector(Numbers.size()), BitVector(NumUses),
                                 BitVector(ClassOf.size())});
  ReversePostOrderTraversal<MachineFunction *> RPOT(&MF);
  BitVector Pending(MF.getNumBlockIDs(), true);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock *MBB : RPOT) {
      if (!Pending.test(MBB->getNumber()))
        continue;
      Pending.reset(MBB->getNumber());
      SinceFence Since = Entry[MBB->getNumber()];
      for (MachineInstr &MI : *MBB)
        step(MI, Since, [](MachineInstr &) {});
      for (MachineBasicBlock *Successor : MBB->successors())
        if (Entry[Successor->getNumber()].merge(Since)) {
          Pending.set(Successor->getNumber());
          Changed = true;
        }
    }
  }

  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    SinceFence &Since = Entry[MBB.getNumber()];
    for (MachineInstr &MI : MBB)
      step(MI, Since, [&](MachineInstr &WGMMA) {
        LLVM_DEBUG(dbgs() << "Adding a fence for: " << WGMMA);
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
  MachineDominatorTree Dominators(MF);
  MachineLoopInfo Loops(Dominators);
  Changed |= sinkIdleFences(MF, Loops);
  DenseSet<Register> Registers = collectWGMMARegisters(MF);
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (hasWGMMAEvent(MI, WGMMAEvent::Fence))
        Changed |= FenceWindow(MI, Registers).hoist();
  Changed |= FenceChecker(MF, Loops).addFences();
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXPlaceWGMMAFencesPass() {
  return new NVPTXPlaceWGMMAFences();
}
