//===- NVPTXWGMMAStarts.cpp - What loops of wgmma start from --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (...) scores = wgmma(scores, ...); commit;
//   out = 0; for (...) out = wgmma(out, ...); commit;
//   wait 1; ...
//
// the zeros are written while the scores are in flight, and are what a loop
// leaves in flight meets: ptxas takes them for written in flight, and each
// round of the second loop would be waited for. Where the registers are free,
// such constants go up to where nothing is in flight, past loops, too: the
// second loop needs them beside the scores anyway. A constant that a register
// holds already is left out.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAStarts.h"
#include "NVPTXInstrInfo.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumStarts, "Number of constants of loops moved out of flight");

namespace {
class LoopStarts {
public:
  LoopStarts(MachineFunction &MF, const MachineDominatorTree &MDT,
             const MachineLoopInfo &MLI);

  bool hoist();

private:
  /// What sets an accumulator, and to what: a move of a constant, to it or to
  /// what is copied.
  struct Start {
    MachineInstr *MI;
    const MachineInstr *Constant;

    Register getRegister() const { return MI->getOperand(0).getReg(); }
  };
  using StartList = SmallVector<Start, 16>;

  StartList findStarts(MachineBasicBlock &MBB) const;
  bool hoistFrom(MachineBasicBlock &MBB);
  bool hoistTo(MachineBasicBlock &Head, StartList &Starts);
  bool isHeld(const Start &S, MachineBasicBlock &Head) const;
  const MachineInstr *findConstant(MachineInstr &MI) const;
  bool isLiveAtEnd(Register Reg, const MachineBasicBlock &MBB);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  WGMMAInFlight InFlight;
  /// By the block's number: the registers that are live at its start, by index;
  /// none where that is not known any more.
  SmallVector<BitVector, 0> Live;
};

/// The blocks on the ways from one to another that it dominates.
class Way {
public:
  explicit Way(const MachineBasicBlock &To) : To(To) {}

  /// Has them start at \p From, further up than before, without it.
  void startAt(const MachineBasicBlock &From);
  /// Whether any of them accesses \p Reg; the last one counts if it comes
  /// round.
  bool isAccessed(Register Reg) const { return Accessed.contains(Reg); }

private:
  const MachineBasicBlock &To;
  SmallPtrSet<const MachineBasicBlock *, 16> Blocks;
  DenseSet<Register> Accessed;
};
} // namespace

void Way::startAt(const MachineBasicBlock &From) {
  SmallVector<const MachineBasicBlock *, 8> Worklist(To.predecessors());
  SmallPtrSet<const MachineBasicBlock *, 16> Seen = {&From};
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.pop_back_val();
    if (!Seen.insert(MBB).second)
      continue;
    append_range(Worklist, MBB->predecessors());
    if (!Blocks.insert(MBB).second)
      continue;
    for (const MachineInstr &MI : *MBB)
      if (!MI.isDebugInstr())
        for (const MachineOperand &MO : MI.operands())
          if (MO.isReg() && MO.getReg().isVirtual())
            Accessed.insert(MO.getReg());
  }
}

LoopStarts::LoopStarts(MachineFunction &MF, const MachineDominatorTree &MDT,
                       const MachineLoopInfo &MLI)
    : MF(MF), MRI(MF.getRegInfo()), MDT(MDT), MLI(MLI), InFlight(MF) {}

/// The last of \p Instructions that accesses \p Reg, or null.
static MachineInstr *
findAccess(Register Reg, iterator_range<MachineBasicBlock::iterator> Instrs) {
  for (MachineInstr &MI : reverse(Instrs))
    if (!MI.isDebugInstr() &&
        (MI.readsVirtualRegister(Reg) || MI.modifiesRegister(Reg, nullptr)))
      return &MI;
  return nullptr;
}

/// The move of a constant that \p MI is, or copies the result of, or null.
const MachineInstr *LoopStarts::findConstant(MachineInstr &MI) const {
  if (MI.isMoveImmediate())
    return &MI;
  if (!MI.isFullCopy() && MI.getOpcode() != NVPTX::WGMMA_COPY)
    return nullptr;
  const Register Source = MI.getOperand(1).getReg();
  if (!Source.isVirtual())
    return nullptr;
  const MachineInstr *Def = MRI.getUniqueVRegDef(Source);
  return Def && Def->isMoveImmediate() ? Def : nullptr;
}

/// What \p MBB, with others in flight, sets accumulators to with which a loop
/// begins behind it.
LoopStarts::StartList LoopStarts::findStarts(MachineBasicBlock &MBB) const {
  const MachineBasicBlock *Header = MBB.getSingleSuccessor();
  const MachineLoop *Loop = Header ? MLI.getLoopFor(Header) : nullptr;
  if (!Loop || Loop->getHeader() != Header || Loop->contains(&MBB))
    return {};
  DenseSet<Register> Accumulators;
  for (const MachineInstr *WGMMA : InFlight.wgmmas())
    if (Loop->contains(WGMMA->getParent()))
      for (const MachineOperand &Def : WGMMA->defs())
        Accumulators.insert(Def.getReg());
  StartList Starts;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    const MachineInstr *Constant = State.none() ? nullptr : findConstant(MI);
    if (!Constant || !Accumulators.contains(MI.getOperand(0).getReg()))
      return;
    const Start S = {&MI, Constant};
    if (!findAccess(S.getRegister(),
                    make_range(MBB.begin(), MachineBasicBlock::iterator(MI))))
      Starts.push_back(S);
  });
  return Starts;
}

bool LoopStarts::isLiveAtEnd(Register Reg, const MachineBasicBlock &MBB) {
  if (Live.empty())
    Live = findLiveRegisters(MF);
  return findLiveAtEnd(MBB, Live).test(Reg.virtRegIndex());
}

/// Whether the register has the same constant at the end of \p Head, which sets
/// it.
bool LoopStarts::isHeld(const Start &S, MachineBasicBlock &Head) const {
  MachineInstr *Access =
      findAccess(S.getRegister(), make_range(Head.begin(), Head.end()));
  const MachineInstr *Constant = Access ? findConstant(*Access) : nullptr;
  return Constant && Access->getOperand(0).getReg() == S.getRegister() &&
         Constant->getOperand(1).isIdenticalTo(S.Constant->getOperand(1));
}

/// Has \p Head set those of \p Starts, where nothing is in flight, that it does
/// not access behind that, and leaves out those that it has set alike. Either
/// is taken from the list.
bool LoopStarts::hoistTo(MachineBasicBlock &Head, StartList &Starts) {
  const std::optional<MachineBasicBlock::iterator> Place =
      findIdlePlace(Head, InFlight);
  const size_t NumBefore = Starts.size();
  erase_if(Starts, [&](const Start &S) {
    const Register Reg = S.getRegister();
    const bool CanMove = Place &&
                         !findAccess(Reg, make_range(*Place, Head.end())) &&
                         !isLiveAtEnd(Reg, Head);
    if (!CanMove && !isHeld(S, Head))
      return false;
    LLVM_DEBUG(dbgs() << "Moving out of flight: " << *S.MI);
    if (CanMove)
      BuildMI(Head, *Place, S.MI->getDebugLoc(), S.Constant->getDesc(), Reg)
          .add(S.Constant->getOperand(1));
    S.MI->eraseFromParent();
    MRI.clearKillFlags(Reg);
    ++NumStarts;
    return true;
  });
  return Starts.size() != NumBefore;
}

bool LoopStarts::hoistFrom(MachineBasicBlock &MBB) {
  StartList Starts = findStarts(MBB);
  bool Changed = false;
  Way Path(MBB);
  for (const MachineDomTreeNode *Node = MDT.getNode(&MBB)->getIDom();
       Node && !Starts.empty(); Node = Node->getIDom()) {
    MachineBasicBlock &Head = *Node->getBlock();
    Path.startAt(Head);
    erase_if(Starts,
             [&](const Start &S) { return Path.isAccessed(S.getRegister()); });
    const MachineLoop *Loop = MLI.getLoopFor(&Head);
    // Not into a loop, to be set in each round.
    if ((!Loop || Loop->contains(&MBB)) && hoistTo(Head, Starts)) {
      // Another way may set the same register.
      Live.clear();
      Changed = true;
    }
  }
  return Changed;
}

bool LoopStarts::hoist() {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    if (MDT.isReachableFromEntry(&MBB))
      Changed |= hoistFrom(MBB);
  return Changed;
}

bool llvm::hoistLoopStarts(MachineFunction &MF, const MachineDominatorTree &MDT,
                           const MachineLoopInfo &MLI) {
  return !MLI.empty() && LoopStarts(MF, MDT, MLI).hoist();
}
