//===- NVPTXWGMMAIdleWrites.h - Writes of accumulators in no flight -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAIDLEWRITES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAIDLEWRITES_H

namespace llvm {
class MachineFunction;
struct WGMMABlockOrder;

/// Has blocks with nothing in flight wait for nothing ahead of what they write
/// to accumulators that come in flight from elsewhere to where their paths
/// lead. Returns whether there are any.
bool waitAheadOfIdleWrites(MachineFunction &MF, const WGMMABlockOrder &Order);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAIDLEWRITES_H
