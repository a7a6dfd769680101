//===- NVPTXWGMMALastWait.cpp - Ends of kernels with wgmma in flight ------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (...) { acc = wgmma(acc, ...); commit; wait 1; if (...) return; }
//
// and where a check ends the kernel by a trap or by the call of a function that
// does not come back, ptxas, as of 13.0, adds a wait for what is in flight
// (C7517). As it then predicates the end, that wait is one of each round, and
// the loop overlaps nothing any more. A wait where the kernel ends costs
// nothing, since a thread block leaves no earlier than its wgmma are done.
//
// A return may be for some threads alone, where a wait is undefined: it gets
// one only if all threads of a warp come to it together. Where a kernel ends
// abruptly, ptxas adds the same wait, whoever comes there.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMALastWait.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Support/Debug.h"
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumLastWaits, "Number of waits where kernels end");

namespace {
/// A place where a kernel ends, and what is in flight there.
struct EndOfKernel {
  MachineBasicBlock &MBB;
  MachineBasicBlock::iterator Place;
  WGMMAState State;
};
} // namespace

bool llvm::endsAbruptly(const MachineBasicBlock &MBB) {
  return MBB.succ_empty() && !MBB.isReturnBlock();
}

/// Where \p MBB, which ends abruptly, has issued all its wgmma: what comes
/// then, as the arguments of a call, belongs to its end.
static MachineBasicBlock::iterator findPlaceAfterSteps(MachineBasicBlock &MBB) {
  for (MachineInstr &MI : reverse(MBB))
    if (isWGMMA(MI) || (!MI.isCall() && !getWGMMAEvents(MI).empty()))
      return std::next(MI.getIterator());
  return MBB.getFirstNonDebugInstr();
}

/// Where the kernel ends in \p MBB, if it does: by a return only if all threads
/// of a warp come to it together.
static std::optional<EndOfKernel> findEnd(MachineBasicBlock &MBB,
                                          const WGMMAInFlight &InFlight,
                                          const WGMMABlockOrder &Order) {
  if (endsAbruptly(MBB))
    return EndOfKernel{MBB, findPlaceAfterSteps(MBB), InFlight.atEnd(MBB)};
  std::optional<EndOfKernel> End;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (!End && endsThread(MI))
      End.emplace(EndOfKernel{MBB, MI.getIterator(), State});
  });
  if (!End && MBB.isReturnBlock() &&
      isForAllThreads(MBB, Order.MDT, Order.PDT, Order.MLI))
    End.emplace(EndOfKernel{MBB, findPlaceForWait(MBB), InFlight.atEnd(MBB)});
  return End;
}

bool llvm::waitAtEndsOfKernel(MachineFunction &MF,
                              const WGMMABlockOrder &Order) {
  WGMMAInFlight InFlight(MF);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    std::optional<EndOfKernel> End = findEnd(MBB, InFlight, Order);
    if (!End || End->State.none())
      continue;
    LLVM_DEBUG(dbgs() << "Waiting where the kernel ends in "
                      << printMBBReference(MBB) << '\n');
    buildWaitForAll(MBB, End->Place, End->State);
    ++NumLastWaits;
    Changed = true;
  }
  return Changed;
}
