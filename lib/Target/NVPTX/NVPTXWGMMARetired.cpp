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
// where one alone has been committed. Two empty groups between the group of d
// and the first wait are what it finds there instead.
//
// They come before that wait, which retires them. After it, they would be what
// the wait in the loop retires, and d be used in front of them.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMARetired.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumCovering, "Number of empty groups of wgmma before waits");

namespace {
/// The waits for all that later ones go back past.
class RetiredGroups {
public:
  explicit RetiredGroups(MachineFunction &MF);

  /// Puts empty groups before them. Returns whether there are any.
  bool cover();

private:
  unsigned goBack(MachineBasicBlock &MBB, unsigned Groups);

  MachineFunction &MF;
  /// Over how many groups before it the later ones go back.
  MapVector<MachineInstr *, unsigned> Passed;
};
} // namespace

/// Goes back through \p MBB, from whose end waits go back over \p Groups more,
/// and finds the waits for all there. Returns how many are left at its start.
unsigned RetiredGroups::goBack(MachineBasicBlock &MBB, unsigned Groups) {
  for (MachineInstr &MI : reverse(MBB)) {
    SmallVector<WGMMAEvent, 1> Events = getWGMMAEvents(MI);
    for (const WGMMAEvent &Event : reverse(Events)) {
      if (Event.Kind == WGMMAEvent::Commit && Groups != 0)
        --Groups;
      if (Event.Kind != WGMMAEvent::Wait)
        continue;
      if (Event.Pending != 0) {
        Groups = std::max(Groups, Event.Pending);
        continue;
      }
      if (Groups != 0) {
        unsigned &Known = Passed[&MI];
        Known = std::max(Known, Groups);
      }
      Groups = 0;
    }
  }
  return Groups;
}

RetiredGroups::RetiredGroups(MachineFunction &MF) : MF(MF) {
  SmallVector<unsigned, 16> AtEnd(MF.getNumBlockIDs());
  SmallSetVector<MachineBasicBlock *, 16> Worklist;
  for (MachineBasicBlock &MBB : MF)
    Worklist.insert(&MBB);
  while (!Worklist.empty()) {
    MachineBasicBlock *MBB = Worklist.pop_back_val();
    unsigned Groups = goBack(*MBB, AtEnd[MBB->getNumber()]);
    for (MachineBasicBlock *Before : MBB->predecessors())
      if (unsigned &Known = AtEnd[Before->getNumber()]; Known < Groups) {
        Known = Groups;
        Worklist.insert(Before);
      }
  }
}

bool RetiredGroups::cover() {
  if (Passed.empty())
    return false;
  SmallVector<MachineInstr *, 4> Waits;
  WGMMAInFlight(MF).forEach([&](MachineInstr &MI, const WGMMAState &State) {
    // What is not committed there, a group would have the wait retire.
    if (Passed.contains(&MI) && State.uncommitted().none())
      Waits.push_back(&MI);
  });
  const MCInstrDesc &Commit = MF.getSubtarget().getInstrInfo()->get(
      NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED);
  for (MachineInstr *Wait : Waits) {
    unsigned Groups = Passed.lookup(Wait);
    LLVM_DEBUG(dbgs() << "Putting " << Groups
                      << " empty groups before: " << *Wait);
    for (unsigned Group = 0; Group != Groups; ++Group)
      BuildMI(*Wait->getParent(), Wait, Wait->getDebugLoc(), Commit);
    NumCovering += Groups;
  }
  return !Waits.empty();
}

bool llvm::coverRetiredGroups(MachineFunction &MF) {
  return RetiredGroups(MF).cover();
}
