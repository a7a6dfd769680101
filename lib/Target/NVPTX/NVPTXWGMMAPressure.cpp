//===- NVPTXWGMMAPressure.cpp - Accumulators in flight at once ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counted are the elements of accumulators that hold a value once a wgmma is
// issued, and all registers that wgmma in flight write, needed or not. ptxas
// spills anything but accumulators where wgmma are in flight. A wgmma whose
// result nothing needs does not count: ptxas leaves it out.
//
// A kernel's launch bounds or .maxnreg leave fewer registers than a thread can
// have, and ptxas no choice: with fewer than an accumulator needs it fails. A
// kernel with setmaxnreg is not judged by them: its warps may get more.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAPressure.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMACalls.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

/// All registers that a thread can have.
static constexpr unsigned MaxRegisters = 255;

namespace {
class PressureFinder {
public:
  explicit PressureFinder(MachineFunction &MF);

  /// Finds where accumulators need most registers, and how many.
  void find();

  const MachineInstr *Peak = nullptr;
  unsigned NumRegisters = 0;

private:
  void findIn(MachineBasicBlock &MBB, BitVector Live);
  void count(const MachineInstr &WGMMA, const BitVector &Before,
             const BitVector &Live);

  MachineFunction &MF;
  WGMMAInFlight InFlight;
  /// By their index: those of all accumulators, and of each.
  BitVector Accumulated;
  SmallVector<BitVector, 0> Written;
};
} // namespace

static BitVector getAccumulator(const MachineInstr &WGMMA, unsigned NumRegs) {
  BitVector Registers(NumRegs);
  for (const MachineOperand &Def : WGMMA.defs())
    if (Def.getReg().isVirtual())
      Registers.set(Def.getReg().virtRegIndex());
  return Registers;
}

PressureFinder::PressureFinder(MachineFunction &MF)
    : MF(MF), InFlight(MF), Accumulated(MF.getRegInfo().getNumVirtRegs()) {
  for (const MachineInstr *WGMMA : InFlight.wgmmas()) {
    Written.push_back(getAccumulator(*WGMMA, Accumulated.size()));
    Accumulated |= Written.back();
  }
}

/// Counts what is needed once \p WGMMA is issued, with \p Before in flight
/// until then and \p Live live after that.
void PressureFinder::count(const MachineInstr &WGMMA, const BitVector &Before,
                           const BitVector &Live) {
  BitVector Needed = getAccumulator(WGMMA, Accumulated.size());
  if (!Needed.anyCommon(Live))
    return;
  for (unsigned Number : Before.set_bits())
    if (Written[Number].anyCommon(Live))
      Needed |= Written[Number];
  BitVector Held = Live;
  Held &= Accumulated;
  Needed |= Held;
  if (Needed.count() <= NumRegisters)
    return;
  NumRegisters = Needed.count();
  Peak = &WGMMA;
}

/// \p Live is what is live at the end of \p MBB.
void PressureFinder::findIn(MachineBasicBlock &MBB, BitVector Live) {
  SmallVector<BitVector, 8> Before;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (isWGMMA(MI))
      Before.push_back(State.all());
  });
  if (Before.empty())
    return;
  for (const MachineInstr &MI : reverse(MBB)) {
    if (isWGMMA(MI))
      count(MI, Before.pop_back_val(), Live);
    stepBackwardIfNeeded(MI, Live);
  }
}

void PressureFinder::find() {
  SmallVector<BitVector, 0> AtStart =
      findLiveRegisters(MF, stepBackwardIfNeeded);
  for (MachineBasicBlock &MBB : MF) {
    findIn(MBB, findLiveAtEnd(MBB, AtStart));
  }
}

/// What ptxas gives a thread, so that blocks of as many threads, and as many
/// blocks in an SM, can be launched as \p F has to allow: each quarter of an SM
/// has 16K registers for its warps, of which each thread gets 8 at a time.
static unsigned getLaunchLimit(const Function &F) {
  constexpr uint64_t WarpSize = 32, MaxWarps = 64, MaxBlocks = 32;
  constexpr uint64_t NumQuarters = 4, PerQuarter = 16384, Unit = 8;
  SmallVector<unsigned, 3> Sizes = NVPTX::getBlockSizes(F, "nvvm.reqntid");
  if (Sizes.empty())
    Sizes = NVPTX::getBlockSizes(F, "nvvm.maxntid");
  const uint64_t Threads = product_of(Sizes, uint64_t(1));
  // Nor does ptxas take notice of blocks of an unknown size.
  if (Sizes.empty() || Threads == 0)
    return MaxRegisters;
  uint64_t Warps = divideCeil(Threads, WarpSize);
  const uint64_t Blocks =
      std::max<uint64_t>(F.getFnAttributeAsParsedInteger("nvvm.minctasm"), 1);
  // Nor of more blocks than an SM has room for.
  if (Blocks <= MaxBlocks && Warps * Blocks <= MaxWarps)
    Warps *= Blocks;
  const uint64_t PerThread =
      PerQuarter / (divideCeil(Warps, NumQuarters) * WarpSize);
  return std::min<uint64_t>(MaxRegisters, alignDown(PerThread, Unit));
}

/// Whether \p F may give warps other numbers of registers than it is launched
/// with.
static bool setsMaxNReg(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      return Asm->getAsmString().contains("setmaxnreg");
    return Call->getIntrinsicID() ==
           Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32;
  });
}

unsigned llvm::getRegistersAtLaunch(const Function &F) {
  return std::min<uint64_t>(
      getLaunchLimit(F),
      F.getFnAttributeAsParsedInteger("nvvm.maxnreg", MaxRegisters));
}

/// The registers that \p F allows a thread.
static unsigned getRegisterLimit(const Function &F) {
  const unsigned Limit = getRegistersAtLaunch(F);
  return Limit < MaxRegisters && setsMaxNReg(F) ? MaxRegisters : Limit;
}

/// What ptxas, as of 13.0, has for accumulators of \p Limit registers: those
/// from R24 on, but the last two where a thread could have more.
static unsigned getNumAllocatable(unsigned Limit) {
  const unsigned Others = Limit == MaxRegisters ? 24 : 26;
  return Limit - std::min(Limit, Others);
}

void llvm::warnOfWGMMAPressure(MachineFunction &MF) {
  const Function &F = MF.getFunction();
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return;
  const unsigned Limit = getRegisterLimit(F);
  const unsigned NumAllocatable = getNumAllocatable(Limit);
  // Of most functions that is known without a look at what is live.
  if (collectWGMMARegisters(MF).size() <= NumAllocatable)
    return;
  PressureFinder Finder(MF);
  Finder.find();
  if (Finder.NumRegisters <= NumAllocatable)
    return;
  std::string Reason, Otherwise;
  if (Limit != MaxRegisters) {
    Reason = ", as the kernel allows a thread " + utostr(Limit);
    Otherwise = ", or fails";
  }
  WGMMAWarnings(F).warn(
      DiagnosticInfoWGMMA::StackAccumulator, Finder.Peak->getDebugLoc(),
      "accumulators in " + Twine(Finder.NumRegisters) +
          " registers are live at once, of " + Twine(NumAllocatable) +
          " that ptxas has for them" + Reason +
          ": it keeps some in local memory and waits for each wgmma of the "
          "function" +
          Otherwise);
}
