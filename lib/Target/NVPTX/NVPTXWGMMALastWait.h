//===- NVPTXWGMMALastWait.h - Ends of kernels with wgmma in flight --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMALASTWAIT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMALASTWAIT_H

namespace llvm {
class MachineFunction;
struct WGMMABlockOrder;

/// Waits where the kernel ends with wgmma in flight. Returns whether it does.
bool waitAtEndsOfKernel(MachineFunction &MF, const WGMMABlockOrder &Order);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMALASTWAIT_H
