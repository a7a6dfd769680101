//===- Generator.h - Random valid programs ----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes kernels as a front end does, with their variables in allocas. The
// generator knows of every accumulator what state it is in, whatever path leads
// there, so that programs are valid: an accumulator is used only after its wait
// and a fence_operand, what a wgmma reads was written before the last fence, or
// by a wgmma of another shape, and nothing depends on poison. What values move
// where meanwhile is random: that is the compiler's to keep apart.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_GENERATOR_H
#define NVPTX_MMA_WGMMA_RANDOM_GENERATOR_H

#include <cstdint>
#include <string>

namespace wgmmarandom {

struct GeneratorOptions {
  unsigned Size = 24; ///< About how many statements.
  unsigned MaxN = 256;
  /// Percent of the choices that make a program harder; 0 leaves them out.
  unsigned MoveInFlight = 15; ///< Variables are swapped while in flight.
  /// Fence, commit or wait are inline asm, half of them with accumulators tied
  /// to them.
  unsigned AsmProtocol = 3;
  /// Percent of the programs with wgmma.mma_async in inline assembly.
  unsigned AsmProducts = 15;
  unsigned Calls = 4;
  unsigned DebugInfo = 30;
  /// Percent of the programs in which accumulators change their K.
  unsigned OtherShapes = 10;
  /// Percent of the programs in which single elements are read before wgmma.
  unsigned PartialReads = 10;
  /// Percent of the programs whose loops are also left, or go on with the next
  /// round, in their middle.
  unsigned EarlyExits = 10;
  /// Percent of the programs whose branches mostly ask which round of a loop it
  /// is, or once more what another branch has asked.
  unsigned RoundTests = 10;
  /// Percent of the programs in which a flag tells later branches, and later
  /// rounds, whether an accumulator is in flight.
  unsigned InFlightFlags = 10;
  /// Percent of the programs in which most wgmma overwrite their accumulators,
  /// of which half have one variable alone: its accumulators can take turns in
  /// registers.
  unsigned Overwrites = 10;
  /// Percent of the programs in which most A are fragments, and nothing reads
  /// these but wgmma: in a loop, the next round may be all that one is for.
  unsigned UnreadFragments = 10;
  /// Percent of the programs in which the first accumulators have f16 elements,
  /// and single halves of their registers are computed with.
  unsigned SingleHalves = 10;
  /// Percent of the programs in which some elements of accumulators are
  /// computed with, in the same way each time, and others stay.
  unsigned PartialChanges = 10;
  /// Percent of the programs whose accumulators are arrays, of which pairs of
  /// registers are stored.
  unsigned RegisterPairs = 10;
  /// Percent of the programs in which accumulators are stored by halves: their
  /// elements rounded to f16, or the upper bits of these.
  unsigned StoredHalves = 10;
  /// Percent of the programs with switches of so many ways that they become
  /// jump tables.
  unsigned Switches = 5;
  /// Nothing that a wgmma reads is set while another is in flight: ptxas may
  /// serialize what does so, right as it is.
  bool SetWhenIdle = false;
  /// For 128 threads of a GPU (DeviceData.h): values stay small integers.
  bool ForDevice = false;
  std::string Name = "k"; ///< Of the kernel, and part of all others.
};

/// The program of a seed, the same everywhere.
std::string generate(uint64_t Seed, const GeneratorOptions &Options);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_GENERATOR_H
