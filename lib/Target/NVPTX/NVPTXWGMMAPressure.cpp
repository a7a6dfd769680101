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
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAPressure.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

/// R24 to R254: what ptxas, as of 13.0, has for accumulators.
static constexpr unsigned NumAllocatable = 231;

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

void llvm::warnOfWGMMAPressure(MachineFunction &MF) {
  // Of most functions that is known without a look at what is live.
  if (MF.getFunction().getCallingConv() != CallingConv::PTX_Kernel ||
      collectWGMMARegisters(MF).size() <= NumAllocatable)
    return;
  PressureFinder Finder(MF);
  Finder.find();
  if (Finder.NumRegisters <= NumAllocatable)
    return;
  WGMMAWarnings(MF.getFunction())
      .warn(DiagnosticInfoWGMMA::StackAccumulator, Finder.Peak->getDebugLoc(),
            "accumulators in " + Twine(Finder.NumRegisters) +
                " registers are live at once, of " + Twine(NumAllocatable) +
                " that ptxas has for them: it keeps some in local memory and "
                "waits for each wgmma of the function");
}
