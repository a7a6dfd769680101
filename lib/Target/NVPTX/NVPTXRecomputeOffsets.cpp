//===- NVPTXRecomputeOffsets.cpp - Offsets are computed where needed ------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM computes ahead of a loop what does not change in it: the offsets of all
// elements that an epilogue stores, where a kernel has a loop over tiles, or
// the columns of a mask, an addition each to a thread's first column:
//
//   or.b32 %r2, %r1, 8; or.b32 %r3, %r1, 16; ...
//
// That is good where there are registers for it. Beside the accumulators of
// wgmma there are none: ptxas keeps such constants in local memory, or, if it
// cannot, accumulators, and then has all wgmma waited for (C7512).
//
// Where more registers are live at a wgmma than there are, or in a loop behind
// a setmaxnreg, this pass has the blocks in and behind the loop compute for
// themselves what comes into the loop. Which registers come in instead, and
// what is computed of them, is a cut through what comes in now and what that is
// computed from: each register that is kept has a cost, and so has each
// instruction that is executed again, more so in an innermost loop with wgmma
// (NVPTXMinCut.h). As long as there are too many, registers become dearer.
//
// Runs in SSA form, after MachineLICM and MachineCSE, which would undo it.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXMinCut.h"
#include "NVPTXRecomputation.h"
#include "NVPTXRegisterCount.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRepeatable.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPressure.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/CommandLine.h"
#include <algorithm>
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-recompute-offsets"

STATISTIC(NumRecomputed, "Number of uses of what is computed again");

static cl::opt<unsigned> MaxRegisterCost(
    "nvptx-max-register-cost", cl::init(32), cl::Hidden,
    cl::desc(
        "What it may cost to compute again what a register is kept for "
        "ahead of a loop: 4 for each instruction in an innermost loop with "
        "wgmma, 1 elsewhere"));

/// What an instruction costs that is executed again.
static constexpr unsigned CostInLoop = 4, CostElsewhere = 1;
/// What registers may cost where there are too many whatever is done, and how
/// many less there have to be then.
static constexpr unsigned ModerateCost = 8, WorthIt = 16;

namespace {
class NVPTXRecomputeOffsets : public MachineFunctionPass {
public:
  static char ID;

  NVPTXRecomputeOffsets() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Recompute Offsets"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addPreserved<MachineDominatorTreeWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  bool recomputeIn(const MachineLoop &Loop, unsigned Count, unsigned Limit);

  const MachineLoopInfo *MLI = nullptr;
};

/// How many registers are live, as long as the code does not change.
class LiveCount {
public:
  explicit LiveCount(MachineFunction &MF);

  /// The most in \p Loop, at its wgmma if it has any.
  unsigned in(const MachineLoop &Loop) const;

private:
  SmallVector<BitVector, 0> AtStart;
  SmallVector<uint8_t, 0> Widths;
};

/// What comes into one loop from outside.
class ComingIn {
public:
  ComingIn(const MachineLoop &Loop, const MachineLoopInfo &MLI,
           MachineRegisterInfo &MRI);

  /// Chooses what to compute again if a register of 32 bits costs as much as
  /// \p RegisterCost. Returns how many of these less there are.
  unsigned choose(unsigned RegisterCost);
  /// Has the blocks that need them compute the registers that were chosen.
  bool recompute();

private:
  struct Value {
    bool IsNeeded = false;           ///< In the loop or behind it.
    bool IsKept = false;             ///< Whatever is computed again.
    unsigned Cost = 0;               ///< Of computing it again.
    unsigned Before = 0, Behind = 0; ///< Its nodes in the network.
  };

  void addUses(const MachineBasicBlock &MBB);
  void addOrigins();
  unsigned getCost(const MachineBasicBlock &MBB) const;
  bool canRepeat(Register Reg) const;

  const MachineLoopInfo &MLI;
  MachineRegisterInfo &MRI;
  /// In the loop and behind it.
  SmallSetVector<MachineBasicBlock *, 16> Blocks;
  MapVector<Register, Value> Values;
  DenseSet<Register> Chosen;
};
} // namespace

char NVPTXRecomputeOffsets::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRecomputeOffsets, DEBUG_TYPE,
                      "NVPTX Recompute Offsets", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXRecomputeOffsets, DEBUG_TYPE,
                    "NVPTX Recompute Offsets", false, false)

//===----------------------------------------------------------------------===//
// How many registers are live
//===----------------------------------------------------------------------===//

static bool hasWGMMA(const MachineLoop &Loop) {
  return any_of(Loop.blocks(),
                [](const MachineBasicBlock *MBB) { return hasWGMMAIn(*MBB); });
}

LiveCount::LiveCount(MachineFunction &MF)
    : AtStart(findLiveRegisters(MF, stepBackwardOverwriting)),
      Widths(getRegisterWidths(MF)) {}

unsigned LiveCount::in(const MachineLoop &Loop) const {
  const bool AtWGMMA = hasWGMMA(Loop);
  unsigned Most = 0;
  for (const MachineBasicBlock *MBB : Loop.blocks()) {
    BitVector Live = findLiveAtEnd(*MBB, AtStart);
    for (const MachineInstr &MI : reverse(*MBB)) {
      if (!AtWGMMA || isWGMMA(MI)) {
        Most = std::max(Most, countRegisters(Live, Widths));
      }
      stepBackwardOverwriting(MI, Live);
    }
  }
  return Most;
}

/// What \p MI sets the registers of a thread to, if it is a setmaxnreg.
static std::optional<unsigned> getMaxNReg(const MachineInstr &MI) {
  if (MI.getOpcode() == NVPTX::INT_SET_MAXNREG_INC ||
      MI.getOpcode() == NVPTX::INT_SET_MAXNREG_DEC)
    return MI.getOperand(0).getImm();
  if (!MI.isInlineAsm())
    return std::nullopt;
  StringRef Text = MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
  Text = Text.split("setmaxnreg.").second.split(".u32").second.ltrim();
  unsigned Number;
  if (!Text.consumeInteger(10, Number))
    return Number;
  // The only operand is that of a constraint for immediates.
  constexpr unsigned First = InlineAsm::MIOp_FirstOperand + 1;
  if (Text.starts_with("$0") && MI.getNumOperands() > First &&
      MI.getOperand(First).isImm())
    return MI.getOperand(First).getImm();
  return std::nullopt;
}

/// What a setmaxnreg in \p Loop says, or the last one on the way there.
static std::optional<unsigned> getMaxNReg(const MachineLoop &Loop,
                                          const MachineDominatorTree &MDT) {
  std::optional<unsigned> Limit;
  for (const MachineBasicBlock *MBB : Loop.blocks())
    for (const MachineInstr &MI : *MBB)
      Limit = std::max(Limit, getMaxNReg(MI));
  for (const MachineDomTreeNode *Node =
           MDT.getNode(Loop.getHeader())->getIDom();
       Node && !Limit; Node = Node->getIDom())
    for (const MachineInstr &MI : *Node->getBlock())
      if (std::optional<unsigned> Number = getMaxNReg(MI))
        Limit = Number;
  return Limit;
}

//===----------------------------------------------------------------------===//
// What comes into a loop
//===----------------------------------------------------------------------===//

ComingIn::ComingIn(const MachineLoop &Loop, const MachineLoopInfo &MLI,
                   MachineRegisterInfo &MRI)
    : MLI(MLI), MRI(MRI) {
  Blocks.insert_range(Loop.blocks());
  for (unsigned I = 0; I != Blocks.size(); ++I)
    Blocks.insert_range(Blocks[I]->successors());
  for (const MachineBasicBlock *MBB : Blocks)
    addUses(*MBB);
  addOrigins();
}

/// What it costs to execute an instruction again in \p MBB.
unsigned ComingIn::getCost(const MachineBasicBlock &MBB) const {
  const MachineLoop *Around = MLI.getLoopFor(&MBB);
  return Around && Around->isInnermost() && hasWGMMA(*Around) ? CostInLoop
                                                              : CostElsewhere;
}

/// What \p MBB needs from ahead of the loop. Phis, and wgmma but for their
/// descriptors, need a register that is there before.
void ComingIn::addUses(const MachineBasicBlock &MBB) {
  SmallSetVector<Register, 16> Computed;
  for (const MachineInstr &MI : MBB) {
    if (MI.isDebugInstr())
      continue;
    for (const MachineOperand &MO : MI.all_uses()) {
      const MachineInstr *Def =
          MO.getReg().isVirtual() ? MRI.getUniqueVRegDef(MO.getReg()) : nullptr;
      if (!Def || Blocks.contains(Def->getParent()))
        continue;
      Value &V = Values[MO.getReg()];
      V.IsNeeded = true;
      if (MI.isPHI() || (isWGMMA(MI) && !isWGMMADescriptor(MO, MRI)))
        V.IsKept = true;
      else
        Computed.insert(MO.getReg());
    }
  }
  const unsigned Cost = getCost(MBB);
  for (Register Reg : Computed)
    Values[Reg].Cost += Cost;
}

/// Whether \p Reg may be computed elsewhere, of registers. To read a special
/// one takes longer than to keep it.
bool ComingIn::canRepeat(Register Reg) const {
  const MachineInstr &Def = *MRI.getUniqueVRegDef(Reg);
  return isCheaplyRepeated(Def) && Def.getNumExplicitOperands() > 1;
}

/// Adds what others are computed from, which is executed where these are.
void ComingIn::addOrigins() {
  for (unsigned I = 0; I != Values.size(); ++I) {
    const Register Reg = Values.begin()[I].first;
    if (!canRepeat(Reg))
      continue;
    for (const MachineOperand &Use : MRI.getUniqueVRegDef(Reg)->all_uses())
      if (MRI.getUniqueVRegDef(Use.getReg())) {
        const unsigned Cost = Values.begin()[I].second.Cost;
        Value &Origin = Values[Use.getReg()];
        Origin.Cost = std::max(Origin.Cost, Cost);
      }
  }
}

//===----------------------------------------------------------------------===//
// What is computed again
//===----------------------------------------------------------------------===//

unsigned ComingIn::choose(unsigned RegisterCost) {
  MinCut Network;
  for (auto &[Reg, V] : Values) {
    V.Before = Network.addNode();
    V.Behind = Network.addNode();
    // What is there anyway costs nothing.
    Network.addEdge(V.Before, V.Behind,
                    V.IsKept ? 0 : RegisterCost * getRegisterWidth(Reg, MRI));
    Network.addEdge(MinCut::Source, V.Before,
                    canRepeat(Reg) ? std::max(V.Cost, CostElsewhere)
                                   : MinCut::Uncuttable);
    if (V.IsNeeded)
      Network.addEdge(V.Behind, MinCut::Sink, MinCut::Uncuttable);
  }
  for (const auto &[Reg, V] : Values)
    if (canRepeat(Reg))
      for (const MachineOperand &Use : MRI.getUniqueVRegDef(Reg)->all_uses())
        if (auto It = Values.find(Use.getReg()); It != Values.end())
          Network.addEdge(It->second.Behind, V.Before, MinCut::Uncuttable);
  const BitVector Computed = Network.find();
  Chosen.clear();
  unsigned Needed = 0, Kept = 0;
  for (const auto &[Reg, V] : Values) {
    const unsigned Width = getRegisterWidth(Reg, MRI);
    Needed += V.IsNeeded ? Width : 0;
    if (Computed[V.Before])
      Chosen.insert(Reg);
    if (V.IsKept || (Computed[V.Behind] && !Computed[V.Before]))
      Kept += Width;
  }
  return Needed - std::min(Needed, Kept);
}

bool ComingIn::recompute() {
  bool Changed = false;
  auto IsKept = [&](Register Reg) { return !Chosen.contains(Reg); };
  for (MachineBasicBlock *MBB : Blocks) {
    Recomputation Block(MRI, IsKept);
    for (MachineInstr &MI : *MBB) {
      if (MI.isDebugInstr() || MI.isPHI())
        continue;
      for (MachineOperand &MO : MI.all_uses()) {
        if (IsKept(MO.getReg()))
          continue;
        MO.setReg(Block.make(MO.getReg(), MI));
        MO.setIsKill(false);
        ++NumRecomputed;
        Changed = true;
      }
    }
  }
  for (Register Reg : Chosen)
    eraseUnused(Reg, MRI);
  return Changed;
}

/// Has \p Loop and what comes behind it compute what comes in, as far as it has
/// to with \p Count registers live there, and as it is worth it.
bool NVPTXRecomputeOffsets::recomputeIn(const MachineLoop &Loop, unsigned Count,
                                        unsigned Limit) {
  if (Count <= Limit)
    return false;
  ComingIn Values(Loop, *MLI, Loop.getHeader()->getParent()->getRegInfo());
  for (unsigned Cost = 2; Cost <= MaxRegisterCost; Cost *= 2)
    if (Count - Values.choose(Cost) <= Limit)
      return Values.recompute();
  return Values.choose(std::min<unsigned>(ModerateCost, MaxRegisterCost)) >=
             WorthIt &&
         Values.recompute();
}

bool NVPTXRecomputeOffsets::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()) || none_of(MF, hasWGMMAIn))
    return false;
  MLI = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  const auto &MDT = getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
  const unsigned AtLaunch = getRegistersAtLaunch(MF.getFunction());
  std::optional<LiveCount> Live;
  bool Changed = false;
  for (const MachineLoop *Loop : MLI->getLoopsInPreorder()) {
    const std::optional<unsigned> Limit = getMaxNReg(*Loop, MDT);
    if (!Limit && !hasWGMMA(*Loop))
      continue;
    if (!Live)
      Live.emplace(MF);
    if (recomputeIn(*Loop, Live->in(*Loop), Limit.value_or(AtLaunch))) {
      Live.reset();
      Changed = true;
    }
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRecomputeOffsetsPass() {
  return new NVPTXRecomputeOffsets();
}
