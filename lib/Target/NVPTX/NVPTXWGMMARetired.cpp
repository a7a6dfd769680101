//===- NVPTXWGMMARetired.cpp - Groups that a wait goes back to ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   d = wgmma(d); commit; wait 0; use(d);
//   for (...) { e = wgmma(e); commit; wait 3; }
//
// ptxas does not see that the first wait has retired the group of d when the
// loop comes to its wait, which goes back over three groups in the first round,
// where one alone has been committed. So the wait in the loop lets one group
// stay: two rounds still overlap. A path on which no wgmma has come since, as
// past a loop without a round, does not count where none comes before the next
// wait for all, either, and sums are waited for one after the other. But where
// a loop with no other one in it is left for a wait for all, a wait on a
// condition in it does not count.
//
// Empty groups between the group of d and the first wait, for the later one to
// find instead, do not do: what is computed after them seems to be computed in
// flight.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMARetired.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/Debug.h"

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumLimited, "Number of waits for wgmma that let fewer groups stay");

namespace {
/// What has come since the last wait for all that has retired any wgmma, on the
/// paths to a place.
struct SinceWait {
  /// No such wait has come before.
  static constexpr unsigned Unlimited = ~0u;

  /// How many groups have been committed since, on the path with the fewest of
  /// those with a wgmma since.
  unsigned Groups = Unlimited;
  /// On a path no wgmma has come since.
  bool IsIdle = false;

  void multiply() {
    if (IsIdle)
      Groups = 0;
    IsIdle = false;
  }
  void commit() {
    multiply();
    if (Groups != Unlimited)
      ++Groups;
  }
  void retireAll() { *this = {Unlimited, true}; }
  /// The same on the path with the fewest of all.
  unsigned groups() const { return IsIdle ? 0 : Groups; }
  /// Another path meets it. Returns whether that changes anything.
  bool meet(const SinceWait &Other) {
    const SinceWait Old = *this;
    Groups = std::min(Groups, Other.Groups);
    IsIdle |= Other.IsIdle;
    return Groups != Old.Groups || IsIdle != Old.IsIdle;
  }
};

class RetiredGroups {
public:
  RetiredGroups(MachineFunction &MF, const WGMMABlockOrder &Order);

  /// Has waits let fewer groups stay. Returns whether any did.
  bool strengthen();

private:
  bool retiresAll(const MachineInstr &MI, const WGMMAEvent &Event) const;
  void goOn(MachineInstr &MI, SinceWait &Since) const;
  BitVector findConditional() const;
  BitVector findRetired() const;
  void propagate();
  void strengthen(MachineInstr &MI, const SinceWait &Since);

  MachineFunction &MF;
  const WGMMABlockOrder &Order;
  WGMMAWarnings Warnings;
  SmallVector<std::pair<MachineInstr *, unsigned>, 4> Limited;
  /// What waits, as calls may, where anything is in flight.
  DenseSet<const MachineInstr *> Retiring;
  /// By the block's number.
  SmallVector<SinceWait, 16> AtStart;
};
} // namespace

static bool isWait(const WGMMAEvent &Event) {
  return Event.Kind == WGMMAEvent::Wait;
}

/// Whether \p Event, of \p MI, waits for all where anything is in flight.
bool RetiredGroups::retiresAll(const MachineInstr &MI,
                               const WGMMAEvent &Event) const {
  return isWait(Event) && Event.Pending == 0 && Retiring.contains(&MI);
}

/// Has \p Since be what is so after \p MI, with what has been so before it.
void RetiredGroups::goOn(MachineInstr &MI, SinceWait &Since) const {
  if (isWGMMA(MI))
    Since.multiply();
  for (const WGMMAEvent &Event : getWGMMAEvents(MI)) {
    if (Event.Kind == WGMMAEvent::Commit)
      Since.commit();
    if (retiresAll(MI, Event))
      Since.retireAll();
  }
}

/// The blocks ahead of which a wait for all counts only if all paths have one:
/// those of a loop that has no other one in it, and is left for such a wait.
BitVector RetiredGroups::findConditional() const {
  BitVector Conditional(MF.getNumBlockIDs());
  for (const MachineLoop *Loop : Order.MLI.getLoopsInPreorder()) {
    if (!Loop->isInnermost() || !isLeftForWaitForAll(*Loop, Order.MLI))
      continue;
    for (const MachineBasicBlock *MBB : Loop->blocks())
      if (MBB != Loop->getHeader())
        Conditional.set(MBB->getNumber());
  }
  return Conditional;
}

/// The blocks that a wait for all has come before, as ptxas sees it.
BitVector RetiredGroups::findRetired() const {
  const BitVector Conditional = findConditional();
  BitVector AtStart(MF.getNumBlockIDs()), AtEnd(MF.getNumBlockIDs());
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      for (const WGMMAEvent &Event : getWGMMAEvents(MI))
        if (retiresAll(MI, Event))
          AtEnd.set(MBB.getNumber());
  auto IsRetiredAtEnd = [&](const MachineBasicBlock *MBB) {
    return AtEnd.test(MBB->getNumber());
  };
  const ReversePostOrderTraversal<MachineFunction *> Blocks(&MF);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : Blocks) {
      const unsigned Number = MBB->getNumber();
      if (AtStart.test(Number) ||
          !(Conditional.test(Number)
                ? all_of(MBB->predecessors(), IsRetiredAtEnd)
                : any_of(MBB->predecessors(), IsRetiredAtEnd)))
        continue;
      AtStart.set(Number);
      AtEnd.set(Number);
      Changed = true;
    }
  }
  return AtStart;
}

void RetiredGroups::propagate() {
  const BitVector Retired = findRetired();
  SmallSetVector<MachineBasicBlock *, 16> Worklist;
  Worklist.insert(&MF.front());
  BitVector Seen(MF.getNumBlockIDs());
  while (!Worklist.empty()) {
    MachineBasicBlock *MBB = Worklist.pop_back_val();
    Seen.set(MBB->getNumber());
    SinceWait Since = AtStart[MBB->getNumber()];
    for (MachineInstr &MI : *MBB)
      goOn(MI, Since);
    for (MachineBasicBlock *Next : MBB->successors()) {
      const unsigned Number = Next->getNumber();
      if (AtStart[Number].meet(Retired.test(Number) ? Since : SinceWait()) ||
          !Seen[Number])
        Worklist.insert(Next);
    }
  }
}

RetiredGroups::RetiredGroups(MachineFunction &MF, const WGMMABlockOrder &Order)
    : MF(MF), Order(Order), Warnings(MF.getFunction()),
      AtStart(MF.getNumBlockIDs()) {
  WGMMAInFlight(MF).forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (!State.none() && any_of(getWGMMAEvents(MI), isWait))
      Retiring.insert(&MI);
  });
  propagate();
}

/// Has \p MI let fewer stay if it is a wait that ptxas would misread, with \p
/// Since before it, and warns of it.
void RetiredGroups::strengthen(MachineInstr &MI, const SinceWait &Since) {
  // A wait in inline assembly stays as it is.
  std::optional<unsigned> Pending = getPendingGroups(MI);
  if (!Pending || Since.groups() >= *Pending)
    return;
  const unsigned Groups = isDrainedBehind(MI) ? Since.Groups : Since.groups();
  if (Groups >= *Pending)
    return;
  Limited.emplace_back(&MI, Groups);
  Warnings.warn(DiagnosticInfoWGMMA::InjectedWait, MI.getDebugLoc(),
                "wgmma.wait_group lets " + Twine(Groups) + " instead of " +
                    Twine(*Pending) +
                    " groups stay in flight: on a path to it no more are "
                    "committed since a wait for all");
}

bool RetiredGroups::strengthen() {
  for (MachineBasicBlock &MBB : MF) {
    SinceWait Since = AtStart[MBB.getNumber()];
    for (MachineInstr &MI : MBB) {
      strengthen(MI, Since);
      goOn(MI, Since);
    }
  }
  for (auto [Wait, Groups] : Limited) {
    LLVM_DEBUG(dbgs() << "Letting " << Groups << " groups stay: " << *Wait);
    Wait->getOperand(0).setImm(Groups);
  }
  NumLimited += Limited.size();
  return !Limited.empty();
}

bool llvm::strengthenWGMMAWaits(MachineFunction &MF,
                                const WGMMABlockOrder &Order) {
  // One that becomes a wait for all limits others.
  bool Changed = false;
  while (RetiredGroups(MF, Order).strengthen())
    Changed = true;
  return Changed;
}
