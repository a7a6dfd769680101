//===- NVPTXKeepWGMMAFragments.cpp - Fragments of A for the next round ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas, as of 13.0, does not see that a fragment of A lives from a wgmma to
// the end of a loop's round, and on to the same wgmma in the next one, unless
// something further on in the program reads it, too. Of
//
//   ld.global.v4.b32 {%a0, %a1, %a2, %a3}, ...;
//   loop:
//     wgmma.mma_async... {%s...}, {%a0, %a1, %a2, %a3}, ...;
//     wgmma.commit_group; wgmma.wait_group 0;
//     (a barrier that is waited for in a loop, a branch, or a call)
//     %p0 = (of %s); ...
//     wgmma.mma_async... {%o...}, {%p0, %p1, %p2, %p3}, ...;
//     ...
//     @%more bra loop;
//
// it has one set of registers for both fragments, and from the second round on
// the first wgmma multiplies what the second one left there. That is attention
// with Q in registers. So it is with a fragment of which the loop writes some
// of the registers; and an accumulator, or the arguments of a call, may be in
// them instead. Nothing of that is told.
//
// So something further on reads them: behind the loop, where it costs nothing,
// an instruction that is never executed, which ptxas does not know.
//
//   %zero = WGMMA_HIDDEN_ZERO            (see NVPTXHideWGMMAMoves)
//   %never = setp.lt.s32 %zero, 0
//   @%never st.shared.v4.b32 [%zero], {%a0, %a1, %a2, %a3};
//
// It reads what rounds carry on to the next ones. Of what each of them writes
// at its start, 12.4 would say that it is written in flight (C7513), as it
// would of what has no value on some way there: then the instruction stands
// between the loop and the block that the other ways lead to, too.
//
// What a wgmma reads further on does not count, as ptxas drops those whose
// results it finds that nothing needs. Of a loop that nothing leaves, it stands
// at the end of each round. A hidden move of the fragment in each round would
// do as well, but needs registers for one more fragment.
//
// Runs behind all passes that write registers of wgmma.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXHiddenZero.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace llvm;

#define DEBUG_TYPE "nvptx-keep-wgmma-fragments"

STATISTIC(NumKept, "Number of fragments read behind loops");

/// Takes \p Live to before \p MI, which needs nothing if it is a wgmma.
static void stepBackwardOverOthers(const MachineInstr &MI, BitVector &Live) {
  if (!isWGMMA(MI)) {
    stepBackwardIfNeeded(MI, Live);
    return;
  }
  for (const MachineOperand &Def : MI.defs())
    Live.reset(Def.getReg().virtRegIndex());
}

namespace {
class NVPTXKeepWGMMAFragments : public MachineFunctionPass {
public:
  static char ID;

  NVPTXKeepWGMMAFragments() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Keep WGMMA Fragments";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Keeps the fragments of one function.
class FragmentKeeper {
public:
  FragmentKeeper(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MF(MF), TII(*MF.getSubtarget().getInstrInfo()), MRI(MF.getRegInfo()),
        MLI(MLI), InFlight(MF), Registers(InFlight, MRI),
        AtStart(findLiveRegisters(MF)),
        ReadAfter(findLiveRegisters(MF, stepBackwardOverOthers)),
        AssignedAtEnd(findAssignedRegisters(MF)) {}

  bool run();

private:
  using Fragment = SmallVector<Register, 4>;

  /// What is read of a fragment at a place in a block, or between two.
  struct Read {
    MachineBasicBlock *From, *MBB; ///< The first is null in a block.
    MachineBasicBlock::iterator Where;
    std::set<Register> Registers;
  };

  /// A predicate that is false, and a zero, and ptxas knows neither.
  struct Hidden {
    Register Never, Zero;
  };

  bool isInFlight(const Fragment &A, const WGMMAState &State) const {
    return any_of(A, [&](Register Reg) {
      return !Registers.readingLate(Reg, State).empty();
    });
  }
  bool isKeptBehind(Register Left, const MachineLoop *L) const;
  void keepWhatIsLeft(const MachineBasicBlock &MBB);
  void keep(const Fragment &A, Register Left, const MachineLoop &L);
  void readBehind(const MachineLoop &L, const Fragment &A, Register Left);
  bool isToBeReadOnEdge(MachineLoop::Edge E, const Fragment &A,
                        Register Left) const;
  void addRead(MachineBasicBlock *From, MachineBasicBlock *MBB,
               MachineBasicBlock::iterator Where, const Fragment &A,
               const MachineLoop &L);
  void read(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
            const Fragment &A, const std::set<Register> &Carried);
  std::optional<MachineBasicBlock::iterator>
  findPlace(const Fragment &A, MachineBasicBlock &MBB) const;
  Hidden getHidden(MachineBasicBlock &MBB);

  MachineFunction &MF;
  const TargetInstrInfo &TII;
  MachineRegisterInfo &MRI;
  const MachineLoopInfo &MLI;
  const WGMMAInFlight InFlight;
  const WGMMARegisters Registers;
  /// The registers that are live where blocks start.
  SmallVector<BitVector, 0> AtStart;
  /// Those for what is no wgmma.
  SmallVector<BitVector, 0> ReadAfter;
  /// Those that have a value at the ends of blocks, on all paths.
  SmallVector<BitVector, 0> AssignedAtEnd;
  /// By the numbers of the blocks, that of the first being none in a block, and
  /// the fragment.
  std::map<std::tuple<int, int, Fragment>, Read> Reads;
  /// The blocks that have been looked through for a place for a read.
  std::set<std::tuple<const MachineBasicBlock *, Fragment, Register>> Looked;
  DenseMap<const MachineBasicBlock *, Hidden> HiddenIn;
};
} // namespace

char NVPTXKeepWGMMAFragments::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXKeepWGMMAFragments, DEBUG_TYPE,
                      "NVPTX Keep WGMMA Fragments", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXKeepWGMMAFragments, DEBUG_TYPE,
                    "NVPTX Keep WGMMA Fragments", false, false)

/// Keeps the fragments that wgmma in \p MBB leave to the next round.
void FragmentKeeper::keepWhatIsLeft(const MachineBasicBlock &MBB) {
  const MachineLoop *Innermost = MLI.getLoopFor(&MBB);
  if (!Innermost || none_of(MBB, isWGMMA))
    return;
  BitVector Live = findLiveAtEnd(MBB, AtStart);
  for (const MachineInstr &MI : reverse(MBB)) {
    if (isWGMMA(MI)) {
      Fragment A = getFragmentOfA(MI, MRI);
      for (Register Reg : A)
        if (Live[Reg.virtRegIndex()])
          for (const MachineLoop *L = Innermost; L; L = L->getParentLoop())
            keep(A, Reg, *L);
    }
    stepBackward(MI, Live);
  }
}

/// Whether \p L, if there is one, leaves \p Left to its rounds as it was: then
/// what reads it behind \p L is enough for the loops in it.
bool FragmentKeeper::isKeptBehind(Register Left, const MachineLoop *L) const {
  return L && none_of(MRI.def_instructions(Left), [&](const MachineInstr &MI) {
           return L->contains(MI.getParent());
         });
}

/// Has something read \p A wherever \p L is left to where nothing reads its
/// register \p Left, if that is for the next round.
void FragmentKeeper::keep(const Fragment &A, Register Left,
                          const MachineLoop &L) {
  if (!AtStart[L.getHeader()->getNumber()][Left.virtRegIndex()] ||
      isKeptBehind(Left, L.getParentLoop()))
    return;
  if (!L.hasNoExitBlocks()) {
    readBehind(L, A, Left);
    return;
  }
  SmallVector<MachineBasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  for (MachineBasicBlock *Latch : Latches)
    if (!isInFlight(A, InFlight.atEnd(*Latch)))
      addRead(nullptr, Latch, Latch->getFirstTerminator(), A, L);
}

/// Has those registers of \p A read that the rounds of \p L carry on.
void FragmentKeeper::addRead(MachineBasicBlock *From, MachineBasicBlock *MBB,
                             MachineBasicBlock::iterator Where,
                             const Fragment &A, const MachineLoop &L) {
  Read &R =
      Reads
          .try_emplace({From ? From->getNumber() : -1, MBB->getNumber(), A},
                       Read{From, MBB, Where, {}})
          .first->second;
  for (Register Reg : A)
    if (AtStart[L.getHeader()->getNumber()][Reg.virtRegIndex()])
      R.Registers.insert(Reg);
}

/// Whether \p Left, of \p A, is to be read on \p E: if some way has no value of
/// it to where that leads, but \p E has, and no wgmma reads \p A there. To
/// ptxas, what has no value would be written ahead, in flight perhaps.
bool FragmentKeeper::isToBeReadOnEdge(MachineLoop::Edge E, const Fragment &A,
                                      Register Left) const {
  auto [From, To] = E;
  auto IsAssignedAtEnd = [&](const MachineBasicBlock *MBB) {
    return AssignedAtEnd[MBB->getNumber()].test(Left.virtRegIndex());
  };
  return !all_of(To->predecessors(), IsAssignedAtEnd) &&
         IsAssignedAtEnd(From) && !isInFlight(A, InFlight.atEnd(*From));
}

/// Reads \p A behind \p L, or as soon as no wgmma does any more, where nothing
/// reads \p Left.
void FragmentKeeper::readBehind(const MachineLoop &L, const Fragment &A,
                                Register Left) {
  SmallVector<MachineLoop::Edge, 4> Worklist;
  L.getExitEdges(Worklist);
  while (!Worklist.empty()) {
    auto [From, MBB] = Worklist.pop_back_val();
    if (ReadAfter[MBB->getNumber()][Left.virtRegIndex()])
      continue;
    if (isToBeReadOnEdge({From, MBB}, A, Left)) {
      addRead(From, MBB, MBB->end(), A, L);
      continue;
    }
    if (!Looked.insert({MBB, A, Left}).second)
      continue;
    if (auto Place = findPlace(A, *MBB))
      addRead(nullptr, MBB, *Place, A, L);
    else
      for (MachineBasicBlock *Next : MBB->successors())
        Worklist.emplace_back(MBB, Next);
  }
}

/// The first place in \p MBB at which no wgmma reads \p A any more.
std::optional<MachineBasicBlock::iterator>
FragmentKeeper::findPlace(const Fragment &A, MachineBasicBlock &MBB) const {
  std::optional<MachineBasicBlock::iterator> Place;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (!Place && !isInFlight(A, State))
      Place = MI;
  });
  if (!Place && !isInFlight(A, InFlight.atEnd(MBB)))
    Place = MBB.end();
  return Place;
}

/// Both for \p MBB, made at its start.
FragmentKeeper::Hidden FragmentKeeper::getHidden(MachineBasicBlock &MBB) {
  auto [It, IsNew] = HiddenIn.try_emplace(&MBB);
  auto &[Never, Zero] = It->second;
  if (!IsNew)
    return It->second;
  auto Where = MBB.begin();
  Zero = readZero(MBB, Where);
  Never = MRI.createVirtualRegister(&NVPTX::B1RegClass);
  BuildMI(MBB, Where, DebugLoc(), TII.get(NVPTX::SETP_i32ri), Never)
      .addReg(Zero)
      .addImm(0)
      .addImm(NVPTX::PTXCmpMode::LT);
  return It->second;
}

/// Reads those registers of \p A that are \p Carried on. What is written at the
/// start of each round needs no read, and 12.4 would take it for written in
/// flight (C7513): the first of the others stands for it.
void FragmentKeeper::read(MachineBasicBlock &MBB,
                          MachineBasicBlock::iterator Where, const Fragment &A,
                          const std::set<Register> &Carried) {
  auto [Never, Zero] = getHidden(MBB);
  MachineInstrBuilder Keep =
      BuildMI(MBB, Where, DebugLoc(), TII.get(NVPTX::WGMMA_KEEP))
          .addReg(Never)
          .addReg(Zero);
  // Some ways there may have no value.
  for (Register Reg : A)
    Keep.addReg(Carried.count(Reg) ? Reg : *Carried.begin(), RegState::Undef);
  ++NumKept;
}

bool FragmentKeeper::run() {
  for (MachineBasicBlock &MBB : MF)
    keepWhatIsLeft(MBB);
  DenseMap<MachineLoop::Edge, MachineBasicBlock *> Between;
  for (auto &[Key, R] : Reads) {
    if (!R.From) {
      read(*R.MBB, R.Where, std::get<Fragment>(Key), R.Registers);
      continue;
    }
    MachineBasicBlock *&MBB = Between[{R.From, R.MBB}];
    if (!MBB)
      MBB = &splitEdge(*R.From, *R.MBB);
    read(*MBB, MBB->getFirstTerminator(), std::get<Fragment>(Key), R.Registers);
  }
  return !Reads.empty();
}

bool NVPTXKeepWGMMAFragments::runOnMachineFunction(MachineFunction &MF) {
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  auto HasFragment = [&](const MachineInstr &MI) {
    return isWGMMA(MI) && !getFragmentOfA(MI, MF.getRegInfo()).empty();
  };
  auto ReadsFragments = [&](const MachineBasicBlock &MBB) {
    return MLI.getLoopFor(&MBB) && any_of(MBB, HasFragment);
  };
  return any_of(MF, ReadsFragments) && FragmentKeeper(MF, MLI).run();
}

MachineFunctionPass *llvm::createNVPTXKeepWGMMAFragmentsPass() {
  return new NVPTXKeepWGMMAFragments();
}
