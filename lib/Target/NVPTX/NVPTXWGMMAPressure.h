//===- NVPTXWGMMAPressure.h - Accumulators in flight at once ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A thread has 255 registers, of which ptxas, as of 13.0, gives the first 24
/// to no accumulator. Where accumulators need more than it has left, it keeps
/// some in local memory and has each wgmma of the function waited for (C7511,
/// C7512). No pass can do better: who wrote the kernel is told.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPRESSURE_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPRESSURE_H

namespace llvm {
class Function;
class MachineFunction;

/// The registers of a thread that the kernel \p F is launched with.
unsigned getRegistersAtLaunch(const Function &F);

/// Warns of the wgmma at which accumulators need most registers, if these are
/// more than there are. For registers and waits that no longer change.
void warnOfWGMMAPressure(MachineFunction &MF);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPRESSURE_H
