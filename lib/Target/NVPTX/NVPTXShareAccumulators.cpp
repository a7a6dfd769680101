//===- NVPTXShareAccumulators.cpp - Registers for accumulators in turn ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wgmma that overwrites its accumulator has registers of its own, whatever
// variable the program keeps it in:
//
//   wgmma {%r1, ...}, ..., 0    overwrites
//   wgmma.wait_group 0
//   fma %s1, %r1, %f, %s1       and so on, for all that there are
//   wgmma {%r65, ...}, ..., 0
//
// ptxas has the second one run while it executes the rest of what reads the
// first one's results, which takes the registers of both. With sums in 128
// registers beside two accumulators in 64 each there are not as many, and ptxas
// spills instead of waiting: DeepGEMM's kernels, which promote each
// accumulator to sums, took up to half as much time again.
//
// Where accumulators take turns, this pass gives them as many sets of registers
// as there is room for beside what else is live, and one at least: in the same
// registers as the first, the second one cannot begin before what reads the
// first. Only accumulators of one shape share, which nothing but wgmma of the
// same innermost loop writes: between loops nothing takes turns, and what one
// of them keeps in registers is no use to the other. And only those that hold a
// value while no other accumulator does. Of 19,200 random kernels, three were
// wrong on an H200 where others shared: ptxas 13.0 mixes up their values.
//
// Runs after all that keeps live ranges, in optimized code, while waits have
// the operands yet that NVPTXHoldWGMMARegisters gave them: so a register is
// live as long as a wgmma in flight may write it. Fences that reads of the
// first one ask for are placed later (NVPTXPlaceWGMMAFences).
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-share-accumulators"

STATISTIC(NumShared, "Number of accumulators that got registers of others");

/// A thread has 255 registers, of which ptxas, as of 13.0, gives the first 24
/// to no accumulator, but to the other values that are counted here. Kernels
/// that move registers between their warpgroups mostly take 232 or 240.
static cl::opt<unsigned> MaxRegisters(
    "nvptx-max-accumulator-registers", cl::init(232), cl::Hidden,
    cl::desc("How many registers may be live where accumulators of wgmma take "
             "turns; 0: they share none"));

namespace {
class NVPTXShareAccumulators : public MachineFunctionPass {
public:
  static char ID;

  NVPTXShareAccumulators() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Share Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

struct Accumulator {
  SmallVector<Register, 128> Registers;
  unsigned Shape = 0;
  /// The innermost loop that it is written in.
  const MachineLoop *Loop = nullptr;
  /// Whether only wgmma of this shape and of this loop write it.
  bool IsSimple = false;
  /// The most registers that are live beside it, where a wgmma begins it.
  unsigned Others = 0;
  /// Whether another one holds a value at the same time.
  bool IsAlone = true;

  bool canShare() const { return IsSimple && IsAlone; }
};

class Sharing {
public:
  Sharing(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MF(MF), MLI(MLI), MRI(MF.getRegInfo()),
        TRI(*MF.getSubtarget().getRegisterInfo()) {}

  bool run();

private:
  void collect();
  void findInterference();
  void visit(const MachineInstr &MI, const BitVector &Live);
  unsigned countOthers(const Accumulator &A, const BitVector &Live) const;
  void share(unsigned Number, unsigned With);
  bool chooseSets();

  MachineFunction &MF;
  const MachineLoopInfo &MLI;
  MachineRegisterInfo &MRI;
  const TargetRegisterInfo &TRI;
  /// In the order in which they are written first.
  SmallVector<Accumulator, 0> Accumulators;
  /// The number of the accumulator that a register is of.
  DenseMap<Register, unsigned> Numbers;
};
} // namespace

char NVPTXShareAccumulators::ID = 0;

INITIALIZE_PASS(NVPTXShareAccumulators, DEBUG_TYPE, "NVPTX Share Accumulators",
                false, false)

//===----------------------------------------------------------------------===//
// Which accumulators there are, and when they hold values
//===----------------------------------------------------------------------===//

/// The lists that wgmma have whole.
void Sharing::collect() {
  WGMMATuples Tuples = collectWGMMATuples(MF);
  ReversePostOrderTraversal<MachineFunction *> Blocks(&MF);
  for (MachineBasicBlock *MBB : Blocks)
    for (const MachineInstr &MI : *MBB) {
      if (!isWGMMA(MI) || Numbers.contains(MI.getOperand(0).getReg()))
        continue;
      Accumulator &A = Accumulators.emplace_back();
      A.Registers = getAccumulator(MI);
      A.Shape = getWGMMAShape(MI);
      A.Loop = MLI.getLoopFor(MBB);
      auto IsOfThem = [&](const MachineInstr &Def) {
        return isWGMMA(Def) && getWGMMAShape(Def) == A.Shape &&
               MLI.getLoopFor(Def.getParent()) == A.Loop;
      };
      std::optional<WGMMATuples::Place> Place =
          Tuples.find(A.Registers.front());
      A.IsSimple = Place && Tuples[Place->Tuple] == ArrayRef(A.Registers) &&
                   all_of(A.Registers, [&](Register Reg) {
                     return all_of(MRI.def_instructions(Reg), IsOfThem);
                   });
      for (Register Reg : A.Registers)
        Numbers[Reg] = Accumulators.size() - 1;
    }
}

/// The registers of 32 bits that \p Live takes, without those of \p A.
unsigned Sharing::countOthers(const Accumulator &A,
                              const BitVector &Live) const {
  constexpr unsigned RegisterBits = 32;
  unsigned NumBits = 0;
  for (unsigned Index : Live.set_bits()) {
    Register Reg = Register::index2VirtReg(Index);
    const TargetRegisterClass *RC = MRI.getRegClass(Reg);
    auto Found = Numbers.find(Reg);
    bool IsOfA = Found != Numbers.end() && &Accumulators[Found->second] == &A;
    if (!IsOfA && RC != &NVPTX::B1RegClass)
      NumBits += std::max<unsigned>(TRI.getRegSizeInBits(*RC), RegisterBits);
  }
  return NumBits / RegisterBits;
}

/// With \p Live live after \p MI, which may write an accumulator.
void Sharing::visit(const MachineInstr &MI, const BitVector &Live) {
  for (const MachineOperand &Def : MI.all_defs()) {
    auto Found = Numbers.find(Def.getReg());
    if (Found == Numbers.end())
      continue;
    Accumulator &A = Accumulators[Found->second];
    for (Accumulator &Other : Accumulators)
      if (&Other != &A && any_of(Other.Registers, [&](Register Reg) {
            return Live[Reg.virtRegIndex()];
          }))
        A.IsAlone = Other.IsAlone = false;
    if (!isWGMMA(MI))
      continue;
    if (overwritesAccumulator(MI))
      A.Others = std::max(A.Others, countOthers(A, Live));
    return;
  }
}

void Sharing::findInterference() {
  SmallVector<BitVector, 0> AtStart =
      findLiveRegisters(MF, stepBackwardOverwriting);
  for (MachineBasicBlock &MBB : MF) {
    BitVector Live = findLiveAtEnd(MBB, AtStart);
    for (const MachineInstr &MI : reverse(MBB)) {
      visit(MI, Live);
      stepBackwardOverwriting(MI, Live);
    }
  }
}

//===----------------------------------------------------------------------===//
// Who shares
//===----------------------------------------------------------------------===//

/// Gives accumulator \p Number the registers of \p With.
void Sharing::share(unsigned Number, unsigned With) {
  for (auto [Old, New] :
       zip_equal(Accumulators[Number].Registers, Accumulators[With].Registers))
    MRI.replaceRegWith(Old, New);
  ++NumShared;
}

/// An accumulator gets registers that others have had, those first that have
/// not been used for longest, once there are as many sets of them as fit.
/// Returns whether any does.
bool Sharing::chooseSets() {
  bool Changed = false;
  // The latest is last.
  SmallVector<unsigned, 8> Sets;
  for (unsigned Number : seq<unsigned>(0, Accumulators.size())) {
    const Accumulator &A = Accumulators[Number];
    if (!A.canShare())
      continue;
    auto CanShare = [&](unsigned Set) {
      const Accumulator &Other = Accumulators[Set];
      return Other.Shape == A.Shape && Other.Loop == A.Loop;
    };
    unsigned NumFree =
        MaxRegisters - std::min<unsigned>(MaxRegisters, A.Others);
    unsigned NumSets = std::max<unsigned>(NumFree / A.Registers.size(), 1);
    unsigned Set = Number;
    if (count_if(Sets, CanShare) >= NumSets) {
      auto *Oldest = find_if(Sets, CanShare);
      Set = *Oldest;
      Sets.erase(Oldest);
      share(Number, Set);
      Changed = true;
    }
    Sets.push_back(Set);
  }
  return Changed;
}

bool Sharing::run() {
  collect();
  if (Accumulators.size() < 2)
    return false;
  findInterference();
  return chooseSets();
}

bool NVPTXShareAccumulators::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()) || MaxRegisters == 0)
    return false;
  return Sharing(MF, getAnalysis<MachineLoopInfoWrapperPass>().getLI()).run();
}

MachineFunctionPass *llvm::createNVPTXShareAccumulatorsPass() {
  return new NVPTXShareAccumulators();
}
