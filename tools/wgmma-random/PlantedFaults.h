//===- PlantedFaults.h - Does the tool find what it should? -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breaks right PTX in the ways that a compiler gets it wrong: a wait, commit,
// fence or copy is missing or at another place, a register is another one.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_PLANTEDFAULTS_H
#define NVPTX_MMA_WGMMA_RANDOM_PLANTEDFAULTS_H

#include "Random.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace wgmmarandom {

enum class Plant {
  DropWait,
  WeakenWait,
  MoveWait,
  DropCommit,
  DropFence,
  MoveFence,
  DropCopy,
  MoveCopy,
  SwapAccumulator,
  OtherRegister,
  DropMultiplication,
};
constexpr unsigned NumPlants = unsigned(Plant::DropMultiplication) + 1;

llvm::StringRef name(Plant P);

/// \p PTX with one such fault at a random place, or nothing if there is no
/// place for it.
std::string plant(llvm::StringRef PTX, Plant P, Random &R);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_PLANTEDFAULTS_H
