//===- Checker.h - Judges one compilation -----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_CHECKER_H
#define NVPTX_MMA_WGMMA_RANDOM_CHECKER_H

#include "Compiler.h"
#include "Evaluator.h"
#include "PTXParser.h"

#include <string>
#include <vector>

namespace wgmmarandom {

struct Finding {
  std::string Kind;   ///< A class: the rule, "wrong result", "crash", ...
  std::string Detail; ///< The place and the reason.
};

struct Verdict {
  std::vector<Finding> Findings;
  /// Nothing can be said: the program is not valid, or the tool lacks
  /// something. Always to be looked into.
  std::string Unusable;
  /// Wgmma, and ends, before which PTX waits for more than the IR.
  unsigned AddedWaits = 0;
  unsigned AddedFences = 0; ///< Executed in PTX, beyond those of the IR.
  unsigned Multiplications = 0;
  std::vector<std::string> Warnings;
};

/// A program and what its executions by the IR's rules give.
class Expectation {
public:
  /// Evaluates the module of \p Text \p Count times, with arguments of
  /// \p Seed.
  Expectation(llvm::StringRef Text, Compiler &C, uint64_t Seed, unsigned Count);

  llvm::StringRef unusable() const { return Unusable; }
  /// Whether every block was executed: then validity is known of every block.
  bool coversAllBlocks() const { return CoversAllBlocks; }
  /// Compares PTX with it.
  Verdict check(llvm::StringRef PTX) const;
  /// Whether PTX leaves other results, with a wgmma early or late; what the
  /// rules say is not asked.
  bool hasOtherResults(llvm::StringRef PTX) const;

private:
  void checkPaths(const ptx::Module &M, Verdict &V) const;
  void checkExecution(const ptx::Module &M, unsigned Index, Verdict &V) const;

  std::string Unusable;
  bool CoversAllBlocks = false;
  std::vector<Launch> Launches;
  std::vector<Execution> Executions;
};

/// What is to be said of a compilation: an error of the compiler is a finding.
Verdict judgeCompilation(const Compilation &Result,
                         const Expectation &Expected);

/// Prints one line for each kind of finding, and why nothing can be said.
void print(const Verdict &V, const llvm::Twine &Title);

/// How long ptxas may take: 13.0 does not come to an end with a few kernels.
inline constexpr unsigned MaxPTXASSeconds = 120;

/// Runs \p PTXAS over \p PTX: an error or a note that says that it serialized
/// wgmma or injected a wait is a finding.
void assemble(llvm::StringRef PTX, llvm::StringRef PTXAS, bool NotesCount,
              Verdict &V);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_CHECKER_H
