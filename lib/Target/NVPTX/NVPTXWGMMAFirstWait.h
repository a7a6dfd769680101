//===- NVPTXWGMMAFirstWait.h - Accesses ahead of any wait -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What accesses the registers of an accumulator while the wgmma of another one
/// is in flight, ptxas, as of 13.0, may take for an access to one in flight,
/// and adds a wait (C7517), or serializes all wgmma of the function (C7515). It
/// does so only where no wgmma.wait_group has been executed before.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAFIRSTWAIT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAFIRSTWAIT_H

namespace llvm {
class MachineDominatorTree;
class MachineFunction;

/// Has the kernel \p MF begin with a wait, which has nothing to wait for, if
/// ahead of its first one it accesses registers of accumulators while wgmma of
/// others may be in flight, or if such meet a path with none. Returns whether
/// it does.
bool waitAtStartOfKernel(MachineFunction &MF, const MachineDominatorTree &MDT);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAFIRSTWAIT_H
