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
/// it lets stay in flight, past a wait for all that has retired them, and takes
/// what is accessed then for accessed in flight (C7513 to C7515).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H

namespace llvm {
class MachineFunction;
struct WGMMABlockOrder;

/// Has waits let fewer groups stay where ptxas would misread them. Warns of
/// those that retire more for it, and returns whether there are any.
bool strengthenWGMMAWaits(MachineFunction &MF, const WGMMABlockOrder &Order);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMARETIRED_H
