//===- NVPTXWGMMAPaths.h - Registers along paths ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What NVPTXWGMMAValues and NVPTXWGMMAMerges ask before they write a register
/// elsewhere: who has its value, who wants it, and where nothing is in flight.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPATHS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPATHS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/Register.h"
#include <optional>

namespace llvm {
class MachineDominatorTree;
class MachineFunction;
class MachineLoop;
class MachineLoopInfo;
class MachinePostDominatorTree;
class WGMMAInFlight;
class WGMMAState;

/// How the blocks of a function come after each other.
struct WGMMABlockOrder {
  MachineDominatorTree &MDT;
  MachinePostDominatorTree &PDT;
  MachineLoopInfo &MLI;

  /// After blocks were added.
  void recalculate(MachineFunction &MF);
};

/// The registers that a wgmma uses after \p Start, which is in \p Before, with
/// no fence before it, unless by way of \p Except.
DenseSet<Register> findUnfenced(const MachineBasicBlock &Before,
                                MachineBasicBlock::const_iterator Start,
                                const MachineBasicBlock *Except = nullptr);

/// The last instructions that \p IsWanted tells of, on each path to the end of
/// \p MBB: with \p OfRound, on those alone that are within one round of each
/// loop around it.
SmallVector<MachineInstr *, 4>
findLast(MachineBasicBlock &MBB,
         function_ref<bool(const MachineInstr &)> IsWanted,
         const MachineLoopInfo *OfRound = nullptr);

/// Whether \p MI gives \p Reg a value.
bool writesRegister(const MachineInstr &MI, Register Reg);

/// The instructions that \p Reg may have its value from at the end of \p MBB.
SmallVector<MachineInstr *, 4>
findWrites(Register Reg, MachineBasicBlock &MBB,
           const MachineLoopInfo *OfRound = nullptr);

/// Puts a copy of \p From to \p To right after \p Writer.
void buildCopyAfter(MachineInstr &Writer, Register From, Register To);

/// Puts a wait at \p Place, which lets \p Pending groups stay in flight.
void buildWait(MachineBasicBlock &MBB, MachineBasicBlock::iterator Place,
               const DebugLoc &Loc, unsigned Pending);

/// Waits at \p Place for all, with \p State in flight at the end of \p MBB, and
/// no step of wgmma between.
void buildWaitForAll(MachineBasicBlock &MBB, MachineBasicBlock::iterator Place,
                     const WGMMAState &State);

/// The same at the end of \p MBB.
void buildWaitAtEnd(MachineBasicBlock &MBB, const WGMMAState &State);

/// Whether all ways from \p Start come to a wait for all before the next step
/// of wgmma other than a commit, and before the next loop.
bool leadsToWaitForAll(const MachineBasicBlock &Start,
                       const MachineLoopInfo &MLI);

/// Whether all ways from behind \p Wait come to a wait for all before the next
/// wgmma: what else comes there are waits.
bool isDrainedBehind(const MachineInstr &Wait);

/// Whether the first is so wherever \p Loop is left.
bool isLeftForWaitForAll(const MachineLoop &Loop, const MachineLoopInfo &MLI);

/// Where in \p MBB nothing is in flight, if anywhere: ahead of what is in
/// flight at its end, and of the fence for that; or its end, or ahead of the
/// fence there for what comes next.
std::optional<MachineBasicBlock::iterator>
findIdlePlace(MachineBasicBlock &MBB, const WGMMAInFlight &InFlight);

/// Where at the end of \p MBB a wait goes that is added to it: ahead of copies
/// there, for the blocks after it. Nothing has to wait longer for that, and
/// ptxas takes a copy ahead of the wait for a write in flight, if it can have
/// one register for the copy and for an accumulator.
MachineBasicBlock::iterator findPlaceForWait(MachineBasicBlock &MBB);

/// The fence for \p WGMMA, before which none is in flight, or itself.
MachineInstr &findFenceFor(MachineInstr &WGMMA);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPATHS_H
