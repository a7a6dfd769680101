//===- NVPTXWGMMARetired.h - Groups that a wait goes back to ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// From a wgmma.wait_group, ptxas, as of 13.0, goes back over as many groups as
/// it lets stay in flight, past a wait for all that has retired them: it takes
/// what has been read or written since for accessed in flight (C7513 to C7515).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H

namespace llvm {
class MachineFunction;

/// Has as many empty groups come before each wait for all as later waits would
/// go back past it. Nothing has to wait for these. Returns whether there are
/// any.
bool coverRetiredGroups(MachineFunction &MF);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H
