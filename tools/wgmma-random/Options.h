//===- Options.h - Command line of wgmma-random -----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_OPTIONS_H
#define NVPTX_MMA_WGMMA_RANDOM_OPTIONS_H

#include "Generator.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace wgmmarandom {

enum class Mode {
  Run,
  Generate,
  Check,
  Interesting,
  Reduce,
  Plant,
  Invalid,
  EmitDevice
};

struct Options {
  Mode TheMode = Mode::Run;
  std::string Input;
  uint64_t Seed = 1;
  unsigned Count = 100;
  unsigned Executions = 4;
  /// Which levels: "s/O2,3/O3", "all", or "random" for one of each program.
  std::string Levels = "random";
  std::string PTXAS;
  std::string Program;      ///< This one.
  std::string Output;       ///< Of a reduction.
  std::string PTX;          ///< Judges this file instead of compiling.
  std::string Keep;         ///< A folder for the programs with findings.
  std::string Json;         ///< A file for the figures.
  std::string Only;         ///< Findings of this kind only.
  bool WaitsWarn = false;   ///< An added wait without a warning is a finding.
  bool FalseAlarms = false; ///< So is one for a fault that the program has not.
  bool PrintPTX = false;
  unsigned Stop = 0; ///< After so many programs with findings.
  GeneratorOptions Generator;
};

/// Ends the program, and says why, if they are wrong.
Options parseOptions(int ArgC, char **ArgV);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_OPTIONS_H
