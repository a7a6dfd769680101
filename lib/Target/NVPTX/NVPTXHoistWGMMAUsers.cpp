//===- NVPTXHoistWGMMAUsers.cpp - Results are used where they were --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// InstCombine moves what one block alone needs to that block. Of a loop that is
// unrolled in full, or written out,
//
//   t1 = wgmma(...); commit; wait 1; sum1 = sum0 + t0;
//   while (!ready(2)); t2 = wgmma(...); commit; wait 1; sum2 = sum1 + t1;
//   ...
//
// all sums end in the last block, where the last one is stored. Each result
// then has registers of its own until the end: ptxas keeps accumulators in
// local memory, and has all wgmma waited for (C7512).
//
// Where that many registers are live at a wgmma that one more accumulator does
// not fit, this pass has what is computed of results be computed as soon as
// they are retired: ahead of the next fence, or at the end of a block. So is
// only what stands behind another wait than that, which no program is written
// with that computes beside a wgmma in flight, and only together with all that
// it takes for no more registers to be live than without: an accumulator's are
// hard to give to anything else.
//
// Runs in SSA form, after MachineSink, which leaves it there
// (NVPTXSinkWGMMAUsers), and before NVPTXRecomputeOffsets, which sees then what
// is needed.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterCount.h"
#include "NVPTXRepeatable.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPressure.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-hoist-wgmma-users"

STATISTIC(NumHoisted,
          "Number of instructions moved to where results are there");

namespace {
class NVPTXHoistWGMMAUsers : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHoistWGMMAUsers() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Hoist WGMMA Users"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addPreserved<MachineDominatorTreeWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Where an instruction stands: they have odd numbers in their block, and what
/// is moved to the place ahead of one has the even number before.
struct Point {
  const MachineBasicBlock *Block;
  unsigned Number;
};

/// Where instructions may be moved to.
struct Place {
  MachineBasicBlock::iterator Before;
  Point At;
  /// The wgmma that are in flight there.
  BitVector InFlight;
};

/// The places of a function: ahead of fences, and at the ends of blocks.
class Places {
public:
  Places(MachineFunction &MF, const MachineDominatorTree &MDT,
         const MachineLoopInfo &MLI);

  Point pointOf(const MachineInstr &MI) const {
    return {MI.getParent(), Numbers.lookup(&MI)};
  }
  bool isAhead(Point A, Point B) const {
    return A.Block == B.Block ? A.Number < B.Number
                              : MDT.properlyDominates(A.Block, B.Block);
  }
  /// Whether a loop is around both \p A and \p B, and not around \p Def.
  bool comesRound(const MachineInstr &A, const MachineInstr &B,
                  const MachineInstr &Def) const;
  /// The first one on each way to \p MI that comes behind \p Operands, and at
  /// which none of \p Sources is in flight.
  const Place *find(const MachineInstr &MI, ArrayRef<Point> Operands,
                    const BitVector &Sources) const;
  void move(MachineInstr &MI, const Place &To);
  /// The wgmma, by their numbers, that \p Reg may be a result of.
  BitVector findSources(Register Reg) const;

private:
  void add(MachineBasicBlock &MBB);

  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  const MachineRegisterInfo &MRI;
  const WGMMAInFlight InFlight;
  DenseMap<const MachineInstr *, unsigned> Numbers, WGMMANumbers;
  DenseMap<const MachineBasicBlock *, SmallVector<Place, 2>> InBlock;
};

/// What stands behind a wgmma, and a wait, and may be computed ahead of it.
class LateUsers {
public:
  LateUsers(const MachineInstr &WGMMA, const BitVector &Live, Places &All,
            ArrayRef<uint8_t> Widths, const MachineDominatorTree &MDT);

  /// Moves what makes fewer registers live at the wgmma.
  bool hoist();

private:
  struct User {
    MachineInstr *MI;
    const Place *To;
    /// The wgmma that it may read a result of.
    BitVector Sources;
  };
  /// What it brings to move a part.
  struct Gain {
    bool FreesResult = false;
    /// How many more registers are live at the wgmma than before.
    int NumMore = 0;

    bool isWorthIt() const { return FreesResult && NumMore <= 0; }
  };

  void addIn(MachineBasicBlock &MBB);
  void add(MachineInstr &MI);
  Point pointOfDef(Register Reg) const;
  void joinParts();
  SmallVector<Gain, 0> findGains() const;
  bool isLastUse(Register Reg, unsigned Part) const;
  bool isUsedElsewhere(Register Reg, unsigned Part) const;

  const MachineInstr &WGMMA;
  /// What is live once it is issued.
  const BitVector &Live;
  Places &All;
  ArrayRef<uint8_t> Widths;
  const MachineRegisterInfo &MRI;
  /// The blocks at whose end a wait has come since the wgmma.
  SmallPtrSet<const MachineBasicBlock *, 8> PastWait;
  SmallVector<User, 0> Users;
  DenseMap<const MachineInstr *, unsigned> Indices;
  /// Those that are computed of each other, or of the same result.
  IntEqClasses Parts;
};
} // namespace

char NVPTXHoistWGMMAUsers::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXHoistWGMMAUsers, DEBUG_TYPE,
                      "NVPTX Hoist WGMMA Users", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXHoistWGMMAUsers, DEBUG_TYPE, "NVPTX Hoist WGMMA Users",
                    false, false)

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Places::Places(MachineFunction &MF, const MachineDominatorTree &MDT,
               const MachineLoopInfo &MLI)
    : MDT(MDT), MLI(MLI), MRI(MF.getRegInfo()), InFlight(MF) {
  for (auto [Number, MI] : enumerate(InFlight.wgmmas()))
    WGMMANumbers[MI] = Number;
  for (MachineBasicBlock &MBB : MF)
    add(MBB);
}

void Places::add(MachineBasicBlock &MBB) {
  SmallVector<Place, 2> &Found = InBlock[&MBB];
  const MachineBasicBlock::iterator End = MBB.getFirstTerminator();
  unsigned Number = 0;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (hasWGMMAEvent(MI, WGMMAEvent::Fence) || MI.getIterator() == End)
      Found.push_back({MI.getIterator(), {&MBB, Number}, State.all()});
    Numbers[&MI] = Number + 1;
    Number += 2;
  });
  if (End == MBB.end())
    Found.push_back({End, {&MBB, Number}, InFlight.atEnd(MBB).all()});
}

const Place *Places::find(const MachineInstr &MI, ArrayRef<Point> Operands,
                          const BitVector &Sources) const {
  const MachineLoop *Loop = MLI.getLoopFor(MI.getParent());
  const Place *Found = nullptr;
  for (const MachineDomTreeNode *Node = MDT.getNode(MI.getParent());
       Node && all_of(Operands,
                      [&](Point Operand) {
                        return MDT.dominates(Operand.Block, Node->getBlock());
                      });
       Node = Node->getIDom()) {
    if (MLI.getLoopFor(Node->getBlock()) != Loop)
      continue;
    const auto &Here = InBlock.find(Node->getBlock())->second;
    const auto *It = find_if(Here, [&](const Place &P) {
      return !P.InFlight.anyCommon(Sources) &&
             all_of(Operands, [&](Point Operand) {
               return Operand.Number == P.At.Number || isAhead(Operand, P.At);
             });
    });
    if (It != Here.end())
      Found = It;
  }
  return Found;
}

bool Places::comesRound(const MachineInstr &A, const MachineInstr &B,
                        const MachineInstr &Def) const {
  const MachineLoop *Loop = MLI.getLoopFor(A.getParent());
  while (Loop && !Loop->contains(B.getParent()))
    Loop = Loop->getParentLoop();
  return Loop && !Loop->contains(Def.getParent());
}

void Places::move(MachineInstr &MI, const Place &To) {
  LLVM_DEBUG(dbgs() << "Moving up to " << printMBBReference(*To.At.Block)
                    << ": " << MI);
  for (const MachineOperand &Use : MI.all_uses())
    MI.getMF()->getRegInfo().clearKillFlags(Use.getReg());
  MachineBasicBlock &MBB =
      *MI.getMF()->getBlockNumbered(To.At.Block->getNumber());
  MBB.splice(To.Before, MI.getParent(), MI.getIterator());
  Numbers[&MI] = To.At.Number;
  ++NumHoisted;
}

BitVector Places::findSources(Register Reg) const {
  BitVector Sources(InFlight.size());
  SmallSetVector<Register, 8> Values;
  Values.insert(Reg);
  for (unsigned I = 0; I != Values.size(); ++I) {
    const MachineInstr *Def = MRI.getUniqueVRegDef(Values[I]);
    if (Def && isWGMMA(*Def))
      Sources.set(WGMMANumbers.lookup(Def));
    else if (Def && passesValueOn(*Def))
      for (const MachineOperand &Use : Def->all_uses())
        if (Use.getReg().isVirtual())
          Values.insert(Use.getReg());
  }
  return Sources;
}

//===----------------------------------------------------------------------===//
// What is late
//===----------------------------------------------------------------------===//

LateUsers::LateUsers(const MachineInstr &WGMMA, const BitVector &Live,
                     Places &All, ArrayRef<uint8_t> Widths,
                     const MachineDominatorTree &MDT)
    : WGMMA(WGMMA), Live(Live), All(All), Widths(Widths),
      MRI(WGMMA.getMF()->getRegInfo()) {
  for (const MachineDomTreeNode *Node :
       depth_first(MDT.getNode(WGMMA.getParent()))) {
    MachineBasicBlock &MBB = *Node->getBlock();
    if (&MBB != WGMMA.getParent() &&
        PastWait.contains(Node->getIDom()->getBlock()))
      PastWait.insert(&MBB);
    addIn(MBB);
  }
  joinParts();
}

void LateUsers::addIn(MachineBasicBlock &MBB) {
  bool IsBehind = &MBB != WGMMA.getParent();
  for (MachineInstr &MI : MBB) {
    IsBehind |= &MI == &WGMMA;
    if (IsBehind && isWGMMAWait(MI))
      PastWait.insert(&MBB);
    if (PastWait.contains(&MBB))
      add(MI);
  }
}

/// Where \p Reg has its value, once all users are moved.
Point LateUsers::pointOfDef(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  const auto It = Indices.find(Def);
  return It == Indices.end() ? All.pointOf(*Def) : Users[It->second].To->At;
}

void LateUsers::add(MachineInstr &MI) {
  if (!isRepeatable(MI))
    return;
  User New = {&MI, nullptr, BitVector()};
  SmallVector<Point, 4> Operands;
  for (const MachineOperand &Use : MI.all_uses()) {
    if (!MRI.getUniqueVRegDef(Use.getReg()))
      return;
    Operands.push_back(pointOfDef(Use.getReg()));
    New.Sources |= All.findSources(Use.getReg());
  }
  New.To = All.find(MI, Operands, New.Sources);
  if (!New.To || !All.isAhead(New.To->At, All.pointOf(WGMMA)))
    return;
  Indices[&MI] = Users.size();
  Users.push_back(std::move(New));
}

void LateUsers::joinParts() {
  Parts.grow(Users.size());
  DenseMap<Register, unsigned> Readers;
  for (auto [Index, U] : enumerate(Users))
    for (const MachineOperand &Use : U.MI->all_uses()) {
      const auto Def = Indices.find(MRI.getUniqueVRegDef(Use.getReg()));
      if (Def != Indices.end())
        Parts.join(Index, Def->second);
      else if (U.Sources.any())
        Parts.join(Index,
                   Readers.try_emplace(Use.getReg(), Index).first->second);
    }
  Parts.compress();
}

/// Whether \p Reg is not needed behind the wgmma once \p Part is moved, nor in
/// the next round of a loop around it.
bool LateUsers::isLastUse(Register Reg, unsigned Part) const {
  const MachineInstr &Def = *MRI.getUniqueVRegDef(Reg);
  return all_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &User) {
    const auto It = Indices.find(&User);
    if (It != Indices.end())
      return Parts[It->second] == Part;
    // What a phi needs is needed where control comes from.
    return !User.isPHI() && !All.comesRound(User, WGMMA, Def) &&
           All.isAhead(All.pointOf(User), All.pointOf(WGMMA));
  });
}

bool LateUsers::isUsedElsewhere(Register Reg, unsigned Part) const {
  return any_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &User) {
    const auto It = Indices.find(&User);
    return It == Indices.end() || Parts[It->second] != Part;
  });
}

SmallVector<LateUsers::Gain, 0> LateUsers::findGains() const {
  SmallVector<Gain, 0> Gains(Parts.getNumClasses());
  DenseSet<Register> Freed;
  for (auto [Index, U] : enumerate(Users)) {
    const unsigned Part = Parts[Index];
    const Register Result = U.MI->defs().begin()->getReg();
    if (isUsedElsewhere(Result, Part))
      Gains[Part].NumMore += Widths[Result.virtRegIndex()];
    for (const MachineOperand &Use : U.MI->all_uses()) {
      const Register Reg = Use.getReg();
      if (!Live[Reg.virtRegIndex()] || !isLastUse(Reg, Part) ||
          !Freed.insert(Reg).second)
        continue;
      Gains[Part].NumMore -= Widths[Reg.virtRegIndex()];
      Gains[Part].FreesResult |= All.findSources(Reg).any();
    }
  }
  return Gains;
}

bool LateUsers::hoist() {
  const SmallVector<Gain, 0> Gains = findGains();
  bool Changed = false;
  for (auto [Index, U] : enumerate(Users))
    if (Gains[Parts[Index]].isWorthIt()) {
      All.move(*U.MI, *U.To);
      Changed = true;
    }
  return Changed;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What is live once \p WGMMA is issued.
static BitVector findLiveBehind(const MachineInstr &WGMMA,
                                ArrayRef<BitVector> AtStart) {
  const MachineBasicBlock &MBB = *WGMMA.getParent();
  BitVector Live = findLiveAtEnd(MBB, AtStart);
  for (const MachineInstr &MI : reverse(MBB)) {
    if (&MI == &WGMMA)
      break;
    stepBackwardOverwriting(MI, Live);
  }
  return Live;
}

bool NVPTXHoistWGMMAUsers::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()) || none_of(MF, hasWGMMAIn))
    return false;
  const auto &MLI = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  const auto &MDT = getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
  std::optional<Places> All;
  const SmallVector<uint8_t, 0> Widths = getRegisterWidths(MF);
  SmallVector<BitVector, 0> AtStart;
  bool Changed = false;
  for (MachineBasicBlock *MBB : ReversePostOrderTraversal(&MF))
    for (MachineInstr &MI : *MBB) {
      if (!isWGMMA(MI))
        continue;
      if (AtStart.empty())
        AtStart = findLiveRegisters(MF, stepBackwardOverwriting);
      const BitVector Live = findLiveBehind(MI, AtStart);
      if (countRegisters(Live, Widths) + MI.getNumExplicitDefs() <=
          getRegistersAtLaunch(MF.getFunction()))
        continue;
      if (!All)
        All.emplace(MF, MDT, MLI);
      if (!LateUsers(MI, Live, *All, Widths, MDT).hoist())
        continue;
      AtStart.clear();
      Changed = true;
    }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXHoistWGMMAUsersPass() {
  return new NVPTXHoistWGMMAUsers();
}
