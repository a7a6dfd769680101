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
// ptxas, as of 13.0, adds a wait where the kernel ends, for what is in flight
// (C7517). As it then predicates the return, that wait is one of each round,
// and the loop overlaps nothing any more. A wait of our own there costs
// nothing, since a thread block leaves no earlier than its wgmma are done.
//
// It comes only where all threads of a warp return or exit together: a wait for
// some of them alone never ends. So there is none ahead of a trap or of a call
// that does not come back: a check may fail for one thread, and has to be told
// of. There ptxas adds its own, ahead of the trap alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMALastWait.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMAThreads.h"
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
  MachineBasicBlock::iterator Place;
  WGMMAState State;
};
} // namespace

/// Whether \p MI traps or calls, and so may end the kernel for one thread.
static bool mayTrap(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case NVPTX::trapinst:
  case NVPTX::trapexitinst:
    return true;
  default:
    return MI.isCall();
  }
}

/// Where all threads of a warp that come to \p MBB end the kernel there, if
/// they do.
static std::optional<EndOfKernel> findEnd(MachineBasicBlock &MBB,
                                          const WGMMAInFlight &InFlight,
                                          WGMMAThreads &Threads) {
  std::optional<EndOfKernel> End;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (!End && exitsThread(MI))
      End.emplace(EndOfKernel{MI, State});
  });
  if (!End && MBB.isReturnBlock())
    End.emplace(EndOfKernel{findPlaceForWait(MBB), InFlight.atEnd(MBB)});
  if (End && (any_of(MBB, mayTrap) || !Threads.comeTogether(MBB)))
    return std::nullopt;
  return End;
}

bool llvm::waitAtEndsOfKernel(MachineFunction &MF,
                              const WGMMABlockOrder &Order) {
  WGMMAInFlight InFlight(MF);
  WGMMAThreads Threads(Order);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    std::optional<EndOfKernel> End = findEnd(MBB, InFlight, Threads);
    if (!End || End->State.none())
      continue;
    LLVM_DEBUG(dbgs() << "Waiting where the kernel ends in "
                      << printMBBReference(MBB) << '\n');
    buildWaitForAll(MBB, End->Place, End->State);
    Threads.forget();
    ++NumLastWaits;
    Changed = true;
  }
  return Changed;
}
