//===- Launch.h - What a kernel is executed with ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and the memory of one execution, the same for the evaluation of
// the IR and for that of the PTX, and what both tell about it.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_LAUNCH_H
#define NVPTX_MMA_WGMMA_RANDOM_LAUNCH_H

#include "Memory.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace wgmmarandom {

struct Launch {
  /// The bytes of each of the kernel's parameters.
  std::vector<std::vector<uint8_t>> Arguments;
  Memory Initial;
  /// Where the module's global variables stand.
  llvm::StringMap<uint64_t> Symbols;
};

/// What was executed.
struct Execution {
  std::string Error; ///< Empty, or why it came to no end.
  unsigned Multiplications = 0;
  unsigned Fences = 0;
  /// How many wgmma had been retired when each was issued, and at the end.
  std::vector<unsigned> Retired;
  /// Of the IR: what was executed.
  llvm::DenseSet<const llvm::BasicBlock *> Blocks;
  Memory Final;
};

/// Random arguments for a kernel, chosen by their types: pointers point to
/// buffers, an i32 is one of 0 to 3 or, where it is named %p, any number.
Launch makeLaunch(const llvm::Function &Kernel, uint64_t Seed);

/// The function that is executed: the first that is a kernel, or null.
const llvm::Function *findKernel(const llvm::Module &M);

/// The first difference between what two executions leave in memory that others
/// see, or nothing.
std::string compareMemory(const Execution &Expected, const Execution &Got);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_LAUNCH_H
