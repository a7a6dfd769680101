//===- Levels.h - Which programs, compiled how ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_LEVELS_H
#define NVPTX_MMA_WGMMA_RANDOM_LEVELS_H

#include "Compiler.h"
#include "Generator.h"

namespace wgmmarandom {

/// The levels that an option asks for: "all", "random" for one that the seed
/// chooses, or a list as "s/O2,3/O3".
std::vector<Level> levelsOf(llvm::StringRef Names, uint64_t Seed);

/// The program of a seed: one half as front ends write it, with variables in
/// allocas, the other as others do, with phis.
std::string makeProgram(uint64_t Seed, const GeneratorOptions &O, Compiler &C);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_LEVELS_H
