//===- NVPTXWGMMAMerges.cpp - Accumulators that meet other values ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   if (...) acc = wgmma(...); else acc = load();
//   other = wgmma(...); commit; wait 1;
//
// and in
//
//   acc = wgmma(...); commit;
//   for (...) { wait 0; use(acc); other = wgmma(...); commit; wait 0;
//               acc = other; }
//
// ptxas takes what is loaded or copied for written while the first wgmma is in
// flight. From the small programs that were tried, it does not if
//
//   - the value is written before the paths part, with nothing in flight there,
//     in a block that all paths come through, and no loop that it may unroll,
//     and no wgmma has added to it on one of the paths that meet before these
//     part. If no wait has come after what is written, one for nothing does
//     there, or on the way there, ahead of what is in flight where they part.
//     Not where a loop begins that is left there, and later with the wgmma in
//     flight: ptxas tests such a loop ahead of it, and in each round;
//   - it is written right after a wait for all that retires what the other
//     path leaves in flight, and no other wgmma of the accumulator;
//   - in a loop, all of the accumulator is written right after a wait for all
//     that retires the wgmma from before the loop, with no other in flight: in
//     the block that the loop begins with, or whoever leaves the loop from
//     there comes to a wait for all without another branch.
//
// Where paths part in no loop, and only loops have left the wgmma in flight
// since, what only some of the paths to there have written is written once more
// where all of these have come together, with nothing in flight: C that is
// loaded where it is in bounds, ahead of a loop with the rest of K behind it.
//
// It makes no difference whether anything reads the accumulator there. What
// reads it on the other path, after a wait that lets others stay, seems to do
// so in flight, too (C7514), if the paths part in a loop.
//
// In all other cases the wgmma is waited for before the paths meet: at the end
// of its path, or, if that is in a loop that ends there, on the way out of it.
// Waits are added where all threads of a warp come together. Where the program
// itself waits for all as the next step, that is no news to tell.
//
// Where a loop that ends before the paths meet has left it in flight, and was
// entered with nothing in flight, ptxas takes what it starts from for written
// in flight if only that path has written it: a wait for nothing comes before.
//
// What a loop leaves in flight for its next round meets what is written ahead
// of the loop. That is its pipeline, and seen apart; but not if only some of
// the paths to the loop have written the value, or a loop, or while others were
// in flight: it is written once more ahead of the loop, as the exclusive or of
// its exclusive or with a mask, of which ptxas finds out too late to do harm
// that it is a move, after a wait for nothing, unless that may be for some
// threads alone; where others are in flight there, ahead of these, in the last
// block that all paths from the writes come through. Where that cannot be, it
// is waited for in each round; so is what meets another way to the next round
// that has written it. What an earlier round of a loop around both has written
// does no harm.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAMerges.h"
#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMAThreads.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using nvvm::describePlace;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumMerges, "Number of waits for wgmma before paths meet");
STATISTIC(NumRewritten, "Number of registers written once more");

namespace {
/// A block, one before it that leaves wgmma in flight, and another one.
struct Meeting {
  MachineBasicBlock &Join;
  MachineBasicBlock &From;
  MachineBasicBlock &Other;
  /// At the end of From.
  WGMMAState State;
};

class WGMMAMerges {
public:
  WGMMAMerges(MachineFunction &MF, WGMMABlockOrder &Order);

  /// Waits for what nothing else helps, and warns. It may add blocks.
  bool wait();
  /// Writes the other values once more.
  bool rewrite();

private:
  /// What is to be written once more in a block.
  struct Rewriting {
    /// Where nothing is in flight, ahead of a fence if any is later.
    std::optional<MachineBasicBlock::iterator> Place;
    /// What must not be written there: a wgmma uses it with no fence before.
    DenseSet<Register> Unfenced;
    SmallSetVector<Register, 16> Regs;
    /// Whether a wait comes first.
    bool HasWait = false;
  };

  /// Where the paths that meet part.
  MachineBasicBlock &getHead(const MachineBasicBlock &Join) const {
    return *MDT.getNode(&Join)->getIDom()->getBlock();
  }
  const MachineBasicBlock &getPart(const Meeting &At) const;
  bool isLeftAtStart(Register Reg, const MachineBasicBlock &Head,
                     const Meeting &At) const;
  bool isLeftByLoops(Register Reg, const MachineBasicBlock &Head,
                     const Meeting &At) const;
  MachineInstr *findReadInFlight(Register Reg, const Meeting &At) const;
  bool isAccessedOnOther(Register Reg, const Meeting &At) const;
  void findAll();
  bool isAnyMet(const WGMMAState &State) const;
  void waitFor(const BitVector &Members, MachineInstr &Access,
               const Meeting &At);
  void findAt(const Meeting &At);
  void findStarts(const MachineBasicBlock &Join, const WGMMAState &State);
  void findStart(const MachineInstr &WGMMA, const MachineLoop &Loop,
                 const MachineBasicBlock &Join);
  void waitForNothingAheadOf(MachineInstr &Write);
  MachineInstr *findWrite(Register Reg, const Meeting &At,
                          bool &IsFromHead) const;
  bool isInEndedLoop(const MachineBasicBlock &MBB,
                     const MachineBasicBlock &Head) const;
  MachineInstr *findWriteAbove(Register Reg, MachineBasicBlock &MBB,
                               bool IsOfRound) const;
  Rewriting *getRewriting(MachineBasicBlock &MBB, Register Reg);
  bool needsWait(const MachineBasicBlock &MBB);
  bool doPathsMeetOthers(const MachineBasicBlock &Head) const;
  std::optional<MachineBasicBlock::iterator>
  findPlaceToWaitForNothing(MachineBasicBlock &Head);
  bool waitForNothingIn(MachineBasicBlock &Head, Register Reg);
  bool waitForNothingAfter(const MachineInstr &Write, Register Reg,
                           MachineBasicBlock &Head);
  bool rewriteIn(MachineBasicBlock &MBB, Register Reg);
  bool rewriteAbove(MachineBasicBlock &MBB, Register Reg);
  MachineInstr *findWriteInLoop(Register Reg, const Meeting &At) const;
  MachineInstr *findMetByRound(Register Reg, const Meeting &At);
  MachineInstr *findMet(Register Reg, const Meeting &At);
  MachineInstr *findWriteOfPart(const MachineInstr &WGMMA,
                                const Meeting &At) const;
  MachineInstr *findMet(const MachineInstr &WGMMA, const Meeting &At);
  bool isRetiredAfterLoop(const MachineBasicBlock &Header) const;
  SmallVector<unsigned, 2> getRetiredAhead(const MachineInstr &Write,
                                           Register Reg) const;
  bool isSeenApart(const MachineInstr &Write, bool IsWGMMANext, Register Reg,
                   const Meeting &At) const;
  void warn(unsigned Number, const MachineInstr &Access);
  MachineBasicBlock::iterator
  getPlaceForFirstWait(MachineBasicBlock &MBB,
                       MachineBasicBlock::iterator Place) const;

  MachineFunction &MF;
  WGMMABlockOrder &Order;
  WGMMAWarnings Warnings;
  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  WGMMAThreads Threads;
  WGMMAInFlight InFlight;
  WGMMARegisters Registers;
  SmallVector<BitVector, 0> Live;
  /// The instructions where anything is in flight; of waits for all, what.
  DenseMap<const MachineInstr *, WGMMAState> RetiredBy;
  DenseSet<const MachineInstr *> WhileInFlight;
  /// By the wgmma's number: what its accumulator meets; null if the program
  /// waits there, too.
  MapVector<unsigned, MachineInstr *> Met;
  SmallSetVector<MachineBasicBlock *, 4> WaitIn;
  SmallSetVector<std::pair<MachineBasicBlock *, MachineBasicBlock *>, 2>
      WaitBetween;
  MapVector<MachineBasicBlock *, Rewriting> Rewritings;
  /// Those that get a wait for nothing, and where.
  MapVector<MachineBasicBlock *, MachineBasicBlock::iterator> HeadWaits;
  DenseMap<MachineBasicBlock *, std::optional<MachineBasicBlock::iterator>>
      PlaceToWait;
};
} // namespace

/// Whether \p MI, which writes a register of wgmma, gives it a value that no
/// wgmma has left there.
static bool isOtherWrite(const MachineInstr &MI) {
  return !isWGMMA(MI) && !MI.isImplicitDef();
}

WGMMAMerges::WGMMAMerges(MachineFunction &MF, WGMMABlockOrder &Order)
    : MF(MF), Order(Order), Warnings(MF.getFunction()), MDT(Order.MDT),
      MLI(Order.MLI), Threads(Order), InFlight(MF),
      Registers(InFlight, MF.getRegInfo()) {
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (State.none())
      return;
    WhileInFlight.insert(&MI);
    if (isWGMMAWaitForAll(MI))
      RetiredBy.try_emplace(&MI, State);
  });
  findAll();
}

/// Whether who leaves the loop of \p Header from there comes to a wait for all
/// with no branch before it.
bool WGMMAMerges::isRetiredAfterLoop(const MachineBasicBlock &Header) const {
  const MachineLoop *Loop = MLI.getLoopFor(&Header);
  for (const MachineBasicBlock *MBB : Header.successors()) {
    if (!Loop || Loop->contains(MBB))
      continue;
    SmallPtrSet<const MachineBasicBlock *, 8> Seen;
    while (none_of(*MBB, isWGMMAWaitForAll)) {
      if (MBB->succ_size() != 1 || !Seen.insert(MBB).second)
        return false;
      MBB = *MBB->succ_begin();
    }
  }
  return true;
}

/// What the block of \p Write retires that accumulates in \p Reg, if it waits
/// for all before it, with no wgmma between the two.
SmallVector<unsigned, 2> WGMMAMerges::getRetiredAhead(const MachineInstr &Write,
                                                      Register Reg) const {
  const MachineBasicBlock &MBB = *Write.getParent();
  for (const MachineInstr &MI :
       make_range(std::next(MachineBasicBlock::const_reverse_iterator(Write)),
                  MBB.rend())) {
    if (isWGMMA(MI))
      return {};
    if (!isWGMMAWaitForAll(MI))
      continue;
    auto Retired = RetiredBy.find(&MI);
    return Retired == RetiredBy.end()
               ? SmallVector<unsigned, 2>()
               : Registers.accumulatingIn(Reg, Retired->second);
  }
  return {};
}

/// Whether ptxas sees that \p Write is not executed while the wgmma that
/// accumulates in \p Reg is in flight: before the paths part or after a wait
/// that retires it. \p IsWGMMANext: whether a wgmma follows.
bool WGMMAMerges::isSeenApart(const MachineInstr &Write, bool IsWGMMANext,
                              Register Reg, const Meeting &At) const {
  const MachineBasicBlock &MBB = *Write.getParent();
  if (WhileInFlight.contains(&Write))
    return false;
  if (MDT.properlyDominates(&MBB, &At.Join))
    return true;
  if (IsWGMMANext)
    return false;
  auto IsInFlight = [&](unsigned Number) { return At.State.contains(Number); };
  SmallVector<unsigned, 2> Retired = getRetiredAhead(Write, Reg);
  if (MDT.dominates(&At.Join, &MBB))
    return any_of(Retired, IsInFlight) &&
           (&MBB == &At.Join || isRetiredAfterLoop(At.Join));
  return !Retired.empty() && all_of(Retired, IsInFlight);
}

/// What writes \p Reg on the other path, so that ptxas takes it for written in
/// flight; or null. Tells whether its value may be from before the paths part.
MachineInstr *WGMMAMerges::findWrite(Register Reg, const Meeting &At,
                                     bool &IsFromHead) const {
  const MachineBasicBlock *Head = &getHead(At.Join);
  SmallVector<std::pair<MachineBasicBlock *, bool>, 8> Worklist = {
      {&At.Other, false}};
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    auto [MBB, IsWGMMANext] = Worklist.pop_back_val();
    if (!Seen.insert(MBB).second)
      continue;
    bool IsWritten = false;
    for (MachineInstr &MI : reverse(*MBB)) {
      IsWritten = writesRegister(MI, Reg);
      if (IsWritten && isOtherWrite(MI) &&
          !isSeenApart(MI, IsWGMMANext, Reg, At))
        return &MI;
      if (IsWritten)
        break;
      IsWGMMANext |= isWGMMA(MI);
    }
    IsFromHead |= MBB == Head;
    if (!IsWritten && MBB != &At.Join && MBB != Head)
      for (MachineBasicBlock *Before : MBB->predecessors())
        Worklist.emplace_back(Before, IsWGMMANext);
  }
  return nullptr;
}

/// Whether \p MBB is in a loop that \p Head is not in: ptxas may unroll it.
bool WGMMAMerges::isInEndedLoop(const MachineBasicBlock &MBB,
                                const MachineBasicBlock &Head) const {
  const MachineLoop *Loop = MLI.getLoopFor(&MBB);
  return Loop && !Loop->contains(&Head);
}

/// What writes \p Reg, which has its value at the end of \p MBB, on some of the
/// paths that lead there, or in a loop, or while anything is in flight, or
/// where all come through, if a wgmma does so as well; or null. What comes from
/// an earlier round of a loop around \p MBB does no harm.
MachineInstr *WGMMAMerges::findWriteAbove(Register Reg, MachineBasicBlock &MBB,
                                          bool IsOfRound) const {
  const bool IsOneOfMany = !IsOfRound && findWrites(Reg, MBB, &MLI).size() > 1;
  for (MachineInstr *Write : findWrites(Reg, MBB, IsOfRound ? &MLI : nullptr)) {
    const MachineBasicBlock &Block = *Write->getParent();
    if (isOtherWrite(*Write) &&
        (IsOneOfMany || !MDT.dominates(&Block, &MBB) ||
         isInEndedLoop(Block, MBB) || WhileInFlight.contains(Write)))
      return Write;
  }
  return nullptr;
}

/// Where the two paths of \p At part, or, if that is where the other one ends,
/// where all paths do that meet there.
const MachineBasicBlock &WGMMAMerges::getPart(const Meeting &At) const {
  const MachineBasicBlock *Part =
      MDT.findNearestCommonDominator(&At.From, &At.Other);
  return Part == &At.Other ? getHead(At.Join) : *Part;
}

/// What has written \p Reg, other than a wgmma, with no wait between that and
/// the end of \p MBB, or null.
static MachineInstr *findWriteSinceWait(Register Reg, MachineBasicBlock &MBB) {
  auto IsWaitOrWrite = [Reg](const MachineInstr &MI) {
    return isWGMMAWait(MI) || writesRegister(MI, Reg);
  };
  for (MachineInstr *MI : findLast(MBB, IsWaitOrWrite))
    if (!isWGMMAWait(*MI) && isOtherWrite(*MI))
      return MI;
  return nullptr;
}

/// Whether the paths that \p Head leads to meet others with anything in flight.
bool WGMMAMerges::doPathsMeetOthers(const MachineBasicBlock &Head) const {
  return any_of(MF, [&](const MachineBasicBlock &MBB) {
    return !MDT.properlyDominates(&Head, &MBB) &&
           !InFlight.atStart(MBB).none() &&
           any_of(MBB.predecessors(), [&](const MachineBasicBlock *Before) {
             return MDT.dominates(&Head, Before);
           });
  });
}

/// Where in \p Head a wait for nothing may come: all threads come there
/// together. Where its paths meet others later, ptxas would count it.
std::optional<MachineBasicBlock::iterator>
WGMMAMerges::findPlaceToWaitForNothing(MachineBasicBlock &Head) {
  auto [It, IsNew] = PlaceToWait.try_emplace(&Head);
  if (IsNew && Threads.comeTogether(Head) && !doPathsMeetOthers(Head))
    It->second = findIdlePlace(Head, InFlight);
  return It->second;
}

/// Has \p Head wait for nothing after it has written \p Reg, if that can be.
/// Returns whether it can.
bool WGMMAMerges::waitForNothingIn(MachineBasicBlock &Head, Register Reg) {
  std::optional<MachineBasicBlock::iterator> Place =
      findPlaceToWaitForNothing(Head);
  if (!Place ||
      any_of(make_range(*Place, Head.end()), [Reg](const MachineInstr &MI) {
        return writesRegister(MI, Reg) && isOtherWrite(MI);
      }))
    return false;
  HeadWaits.insert({&Head, *Place});
  return true;
}

/// Has \p Head wait for nothing after \p Write, or else a block of its loop
/// that all paths from the one to the other come through. Returns whether any
/// can.
bool WGMMAMerges::waitForNothingAfter(const MachineInstr &Write, Register Reg,
                                      MachineBasicBlock &Head) {
  for (const MachineDomTreeNode *Node = MDT.getNode(&Head);
       Node && MDT.dominates(Write.getParent(), Node->getBlock());
       Node = Node->getIDom())
    if (!isInEndedLoop(*Node->getBlock(), Head) &&
        waitForNothingIn(*Node->getBlock(), Reg))
      return true;
  return false;
}

/// The place in \p MBB where \p Reg can be written once more, or null.
WGMMAMerges::Rewriting *WGMMAMerges::getRewriting(MachineBasicBlock &MBB,
                                                  Register Reg) {
  auto [It, IsNew] = Rewritings.try_emplace(&MBB);
  Rewriting &R = It->second;
  if (IsNew) {
    R.Place = findIdlePlace(MBB, InFlight);
    if (R.Place)
      R.Unfenced = findUnfenced(MBB, *R.Place);
  }
  bool CanRewrite =
      R.Place && !R.Unfenced.contains(Reg) &&
      none_of(make_range(*R.Place, MBB.end()), [Reg](const MachineInstr &MI) {
        return writesRegister(MI, Reg) && !isWGMMA(MI);
      });
  return CanRewrite ? &R : nullptr;
}

/// Whether the paths part where a loop begins that accumulates in \p Reg, and
/// leave it there or later. ptxas tests such a loop once ahead of it, and then
/// at the end of each round: it has the values of neither in a block that all
/// paths come through.
bool WGMMAMerges::isLeftAtStart(Register Reg, const MachineBasicBlock &Head,
                                const Meeting &At) const {
  const MachineLoop *Loop = MLI.getLoopFor(&Head);
  return &At.Other == &Head && Loop && Loop->getHeader() == &Head &&
         Loop->contains(&At.From) && !Loop->contains(&At.Join) &&
         any_of(Registers.accumulatingIn(Reg, At.State), [&](unsigned Number) {
           return Loop->contains(InFlight.wgmmas()[Number]->getParent());
         });
}

/// Whether only loops that end have left \p Reg in flight since the paths
/// parted, in no loop, and nothing is on the other one.
bool WGMMAMerges::isLeftByLoops(Register Reg, const MachineBasicBlock &Head,
                                const Meeting &At) const {
  return &At.Other == &Head && !MLI.getLoopFor(&Head) &&
         all_of(Registers.accumulatingIn(Reg, At.State), [&](unsigned Number) {
           return isInEndedLoop(*InFlight.wgmmas()[Number]->getParent(), Head);
         });
}

/// Has \p Reg written once more in \p MBB, after a wait if it is to have one,
/// if that can be. Returns whether it can.
bool WGMMAMerges::rewriteIn(MachineBasicBlock &MBB, Register Reg) {
  Rewriting *R = getRewriting(MBB, Reg);
  if (!R)
    return false;
  R->Regs.insert(Reg);
  R->HasWait = needsWait(MBB);
  return true;
}

/// Has \p Reg, which has its value at the end of \p MBB, written once more
/// there, or else in the last block that all paths from what writes it to there
/// come through, if that can be. Returns whether any can.
bool WGMMAMerges::rewriteAbove(MachineBasicBlock &MBB, Register Reg) {
  const SmallVector<MachineInstr *, 4> Writes(findWrites(Reg, MBB, &MLI));
  for (const MachineDomTreeNode *Node = MDT.getNode(&MBB); Node;
       Node = Node->getIDom()) {
    MachineBasicBlock &Block = *Node->getBlock();
    if (any_of(Writes, [&](const MachineInstr *Write) {
          return isOtherWrite(*Write) &&
                 MDT.properlyDominates(&Block, Write->getParent());
        }))
      return false;
    if (!isInEndedLoop(Block, MBB) && rewriteIn(Block, Reg))
      return true;
  }
  return false;
}

/// Whether \p MBB is to wait for nothing ahead of what it writes once more.
bool WGMMAMerges::needsWait(const MachineBasicBlock &MBB) {
  return none_of(MBB, isWGMMAWait) && Threads.comeTogether(MBB);
}

/// What writes \p Reg on the other path, in the loop that begins where it ends.
MachineInstr *WGMMAMerges::findWriteInLoop(Register Reg,
                                           const Meeting &At) const {
  for (MachineInstr *Write : findWrites(Reg, At.Other))
    if (isOtherWrite(*Write) && MDT.dominates(&At.Join, Write->getParent()))
      return Write;
  return nullptr;
}

/// The same of what a loop leaves in flight for its next round, which is its
/// pipeline, and meets what is written ahead of the loop.
MachineInstr *WGMMAMerges::findMetByRound(Register Reg, const Meeting &At) {
  if (MDT.dominates(&At.Join, &At.Other))
    return findWriteInLoop(Reg, At);
  MachineInstr *Write = findWriteAbove(Reg, At.Other, /*IsOfRound=*/true);
  return Write && !rewriteAbove(At.Other, Reg) ? Write : nullptr;
}

/// What \p Reg meets on the other path, if the wgmma has to be waited for; or
/// null.
MachineInstr *WGMMAMerges::findMet(Register Reg, const Meeting &At) {
  if (MDT.dominates(&At.Join, &At.From))
    return findMetByRound(Reg, At);
  bool IsFromHead = false;
  if (MachineInstr *Write = findWrite(Reg, At, IsFromHead))
    return Write;
  if (!IsFromHead)
    return nullptr;
  MachineBasicBlock &Head = getHead(At.Join);
  // What is in flight there has met it before.
  if (!Registers.accumulatingIn(Reg, InFlight.atEnd(Head)).empty())
    return nullptr;
  if (isLeftAtStart(Reg, Head, At))
    return &*Head.getFirstNonDebugInstr();
  if (MachineInstr *Write = findWriteAbove(Reg, Head, /*IsOfRound=*/false))
    return isLeftByLoops(Reg, Head, At) && rewriteAbove(Head, Reg) ? nullptr
                                                                   : Write;
  MachineInstr *Write = findWriteSinceWait(Reg, Head);
  return Write && !waitForNothingAfter(*Write, Reg, Head) ? Write : nullptr;
}

/// What reads \p Reg on the other path after a wait that lets some stay, and
/// with none for all between, or null: if the paths part in a loop, ptxas takes
/// that for read in flight.
MachineInstr *WGMMAMerges::findReadInFlight(Register Reg,
                                            const Meeting &At) const {
  const MachineBasicBlock *Part = &getPart(At);
  if (!MLI.getLoopFor(Part))
    return nullptr;
  SmallVector<std::pair<MachineBasicBlock *, MachineInstr *>, 8> Worklist = {
      {&At.Other, nullptr}};
  SmallPtrSet<const MachineBasicBlock *, 8> Seen[2];
  while (!Worklist.empty()) {
    auto [MBB, Read] = Worklist.pop_back_val();
    if (MBB == Part || MBB == &At.Join ||
        !Seen[Read != nullptr].insert(MBB).second)
      continue;
    for (MachineInstr &MI : reverse(*MBB)) {
      if (isWGMMAWait(MI) && !isWGMMAWaitForAll(MI) && Read)
        return Read;
      if (isWGMMAWaitForAll(MI) || writesRegister(MI, Reg))
        Read = nullptr;
      if (MI.readsRegister(Reg, nullptr) && !isWGMMA(MI) && !hasNoAccesses(MI))
        Read = &MI;
    }
    for (MachineBasicBlock *Before : MBB->predecessors())
      Worklist.emplace_back(Before, Read);
  }
  return nullptr;
}

/// What writes some registers of the accumulator of \p WGMMA in a loop, and not
/// all that its next round begins with, or null: ptxas takes that for written
/// in flight.
MachineInstr *WGMMAMerges::findWriteOfPart(const MachineInstr &WGMMA,
                                           const Meeting &At) const {
  if (!MDT.dominates(&At.Join, &At.Other))
    return nullptr;
  MachineInstr *Found = nullptr;
  unsigned NumWritten = 0;
  for (const MachineOperand &Def : WGMMA.defs()) {
    if (!Live[At.Join.getNumber()].test(Def.getReg().virtRegIndex()))
      continue;
    if (MachineInstr *Write = findWriteInLoop(Def.getReg(), At)) {
      Found = Write;
      ++NumWritten;
    }
  }
  return NumWritten == WGMMA.getNumExplicitDefs() ? nullptr : Found;
}

/// Whether anything but a wgmma accesses \p Reg after the paths have parted,
/// and not on the one with the wgmma alone.
bool WGMMAMerges::isAccessedOnOther(Register Reg, const Meeting &At) const {
  const MachineBasicBlock *Head = &getHead(At.Join);
  return any_of(MF.getRegInfo().reg_nodbg_instructions(Reg),
                [&](const MachineInstr &MI) {
                  return !isWGMMA(MI) && !hasNoAccesses(MI) &&
                         MDT.dominates(Head, MI.getParent()) &&
                         !MDT.dominates(MI.getParent(), &At.From);
                });
}

/// What the accumulator of \p WGMMA, one of a chain in flight, meets there, or
/// null.
MachineInstr *WGMMAMerges::findMet(const MachineInstr &WGMMA,
                                   const Meeting &At) {
  for (const MachineOperand &Def : WGMMA.defs()) {
    Register Reg = Def.getReg();
    // Many may be in flight that nothing needs any more.
    if (!Live[At.Join.getNumber()].test(Reg.virtRegIndex()) &&
        !isAccessedOnOther(Reg, At))
      continue;
    if (MachineInstr *Write = findMet(Reg, At))
      return Write;
    if (MachineInstr *Read = findReadInFlight(Reg, At))
      return Read;
  }
  return findWriteOfPart(WGMMA, At);
}

bool WGMMAMerges::isAnyMet(const WGMMAState &State) const {
  return any_of(Met,
                [&](const auto &Entry) { return State.contains(Entry.first); });
}

/// Has the \p Members of a chain, which meets \p Access, waited for. Where only
/// the way to where the paths meet does so, and the program waits there as the
/// next step, nobody needs to know.
void WGMMAMerges::waitFor(const BitVector &Members, MachineInstr &Access,
                          const Meeting &At) {
  const bool IsExit = isInEndedLoop(At.From, At.Join) &&
                      Threads.leaveTogether(At.From, At.Join);
  const bool IsAtEnd = !IsExit && isForAllThreads(At.From);
  if (IsExit)
    WaitBetween.insert({&At.From, &At.Join});
  if (IsAtEnd)
    WaitIn.insert(&At.From);
  const bool IsKnown = (IsExit || (IsAtEnd && At.From.succ_size() == 1)) &&
                       leadsToWaitForAll(At.Join, MLI);
  for (unsigned Number : Members.set_bits()) {
    if (!At.State.contains(Number))
      continue;
    if (!IsExit && !IsAtEnd)
      WaitIn.insert(InFlight.wgmmas()[Number]->getParent());
    MachineInstr *&Told = Met[Number];
    if (!Told && !IsKnown)
      Told = &Access;
  }
}

/// Finds the wgmma in flight whose accumulators meet other values there.
void WGMMAMerges::findAt(const Meeting &At) {
  // Where something will be waited for, less may be in flight.
  if (At.State.none() || isAnyMet(At.State) ||
      isAnyMet(InFlight.atEnd(At.Other)))
    return;
  if (Live.empty())
    Live = findLiveRegisters(MF);
  const BitVector Chains = Registers.findChains(At.State);
  for (unsigned Chain : Chains.set_bits()) {
    // All of a chain have the same registers, so that they are looked at once.
    const BitVector &Members = Registers.getMembers(Chain);
    MachineInstr *Write = findMet(*InFlight.wgmmas()[Members.find_first()], At);
    if (Write)
      waitFor(Members, *Write, At);
  }
}

/// Has the block of \p Write, where nothing is in flight, wait for nothing
/// before it, unless it has a wait there.
void WGMMAMerges::waitForNothingAheadOf(MachineInstr &Write) {
  MachineBasicBlock &MBB = *Write.getParent();
  auto Before = make_range(MBB.begin(), MachineBasicBlock::iterator(Write));
  if (WhileInFlight.contains(&Write) || any_of(Before, isWGMMAWait) ||
      any_of(Before, isWGMMA) || !Threads.comeTogether(MBB))
    return;
  HeadWaits.insert({&MBB, MBB.getFirstNonDebugInstr()});
}

/// Where \p Loop, which ends before \p Join, has left \p WGMMA in flight, and
/// it starts from what only some of the paths to \p Join have written.
void WGMMAMerges::findStart(const MachineInstr &WGMMA, const MachineLoop &Loop,
                            const MachineBasicBlock &Join) {
  for (MachineBasicBlock *Before : Loop.getHeader()->predecessors()) {
    if (Loop.contains(Before) || !InFlight.atEnd(*Before).none())
      continue;
    for (const MachineOperand &Def : WGMMA.defs())
      for (MachineInstr *Write : findWrites(Def.getReg(), *Before, &MLI))
        if (isOtherWrite(*Write) && !MDT.dominates(Write->getParent(), &Join))
          waitForNothingAheadOf(*Write);
  }
}

/// The same of all that is in flight where \p State is, ahead of \p Join.
void WGMMAMerges::findStarts(const MachineBasicBlock &Join,
                             const WGMMAState &State) {
  const BitVector Chains = Registers.findChains(State);
  for (unsigned Chain : Chains.set_bits()) {
    // All of a chain have the same registers, so that each loop is looked at
    // once.
    SmallPtrSet<const MachineLoop *, 2> Seen;
    for (unsigned Number : Registers.getMembers(Chain).set_bits()) {
      const MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
      const MachineLoop *Loop = MLI.getLoopFor(WGMMA.getParent());
      if (!State.contains(Number) || !Loop || Loop->contains(&Join))
        continue;
      while (Loop->getParentLoop() && !Loop->getParentLoop()->contains(&Join))
        Loop = Loop->getParentLoop();
      if (Seen.insert(Loop).second)
        findStart(WGMMA, *Loop, Join);
    }
  }
}

void WGMMAMerges::warn(unsigned Number, const MachineInstr &Access) {
  const MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
  bool IsWritten = any_of(WGMMA.defs(), [&](const MachineOperand &Def) {
    return writesRegister(Access, Def.getReg());
  });
  Warnings.warn(DiagnosticInfoWGMMA::InjectedWait, WGMMA.getDebugLoc(),
                "wgmma.mma_async is waited for before paths meet: on another "
                "one its accumulator is " +
                    Twine(IsWritten ? "written" : "read") +
                    describePlace(Access.getDebugLoc()));
}

void WGMMAMerges::findAll() {
  for (MachineBasicBlock &Join : MF) {
    if (Join.pred_size() < 2 || InFlight.atStart(Join).none() ||
        !MDT.isReachableFromEntry(&Join))
      continue;
    for (MachineBasicBlock *From : Join.predecessors()) {
      WGMMAState State = InFlight.atEnd(*From);
      findStarts(Join, State);
      for (MachineBasicBlock *Other : Join.predecessors())
        if (From != Other)
          findAt({Join, *From, *Other, State});
    }
  }
}

bool WGMMAMerges::wait() {
  for (auto [Number, Access] : Met) {
    LLVM_DEBUG(dbgs() << "Waiting for: " << *InFlight.wgmmas()[Number]);
    if (Access)
      warn(Number, *Access);
  }
  for (MachineBasicBlock *MBB : WaitIn)
    buildWaitAtEnd(*MBB, InFlight.atEnd(*MBB));
  for (auto [From, Join] : WaitBetween)
    buildWaitAtEnd(splitEdge(*From, *Join), InFlight.atEnd(*From));
  if (!WaitBetween.empty())
    Order.recalculate(MF);
  NumMerges += WaitIn.size() + WaitBetween.size();
  return !Met.empty();
}

/// Where in \p MBB, up to \p Place, a wait for nothing comes: what the block
/// has written before seems to be written in flight, even if it is written once
/// more.
MachineBasicBlock::iterator
WGMMAMerges::getPlaceForFirstWait(MachineBasicBlock &MBB,
                                  MachineBasicBlock::iterator Place) const {
  bool IsIdle = InFlight.atStart(MBB).none() &&
                none_of(make_range(MBB.begin(), Place), isWGMMA);
  return IsIdle ? MBB.getFirstNonDebugInstr() : Place;
}

bool WGMMAMerges::rewrite() {
  // Another mask at each place: across wgmma that change a register ptxas may
  // take what it has computed of it for what is computed in the same way later.
  constexpr unsigned FirstMask = 0x574d4d41;
  bool Changed = false;
  const MCInstrDesc &Xor =
      MF.getSubtarget().getInstrInfo()->get(NVPTX::XOR_b32ri);
  for (auto [Index, Entry] : enumerate(Rewritings)) {
    auto &[MBB, R] = Entry;
    if (R.HasWait) {
      LLVM_DEBUG(dbgs() << "Adding a wait for nothing to "
                        << printMBBReference(*MBB) << '\n');
      buildWait(*MBB, getPlaceForFirstWait(*MBB, *R.Place),
                MBB->findBranchDebugLoc(), /*Pending=*/0);
    }
    for (Register Reg : R.Regs) {
      LLVM_DEBUG(dbgs() << "Writing " << printReg(Reg) << " once more in "
                        << printMBBReference(*MBB) << '\n');
      for (unsigned Time = 0; Time != 2; ++Time)
        BuildMI(*MBB, *R.Place, MBB->findDebugLoc(*R.Place), Xor, Reg)
            .addReg(Reg)
            .addImm(FirstMask + Index);
    }
    NumRewritten += R.Regs.size();
    Changed |= !R.Regs.empty();
  }
  for (auto [Head, Place] : HeadWaits) {
    LLVM_DEBUG(dbgs() << "Adding a wait for nothing to "
                      << printMBBReference(*Head) << '\n');
    buildWait(*Head, Place, Head->findBranchDebugLoc(), /*Pending=*/0);
  }
  return Changed || !HeadWaits.empty();
}

bool llvm::waitForMergedWGMMA(MachineFunction &MF, WGMMABlockOrder &Order) {
  // Once one is waited for, another one may meet what it left.
  bool Changed = false;
  while (WGMMAMerges(MF, Order).wait())
    Changed = true;
  return Changed;
}

bool llvm::rewriteMergedValues(MachineFunction &MF, WGMMABlockOrder &Order) {
  return WGMMAMerges(MF, Order).rewrite();
}
