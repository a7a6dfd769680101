//===- Figures.h - What a campaign counts -----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_FIGURES_H
#define NVPTX_MMA_WGMMA_RANDOM_FIGURES_H

#include "Checker.h"
#include "Options.h"

#include <map>

namespace wgmmarandom {

class Figures {
public:
  void add(Level L, const Verdict &V);
  void addProgram(bool HasFinding);
  void addUnusable() { ++Unusable; }
  unsigned programsWithFindings() const { return WithFindings; }

  void print(llvm::raw_ostream &Out) const;
  void printJson(llvm::raw_ostream &Out, const Options &O) const;
  int exitCode() const { return Unusable ? 2 : WithFindings ? 1 : 0; }

private:
  struct PerLevel {
    unsigned Compilations = 0, WithFindings = 0, WithAddedWaits = 0,
             WithAddedFences = 0, WithWarnings = 0;
    uint64_t Multiplications = 0, AddedWaits = 0, AddedFences = 0;
  };

  unsigned Programs = 0, WithFindings = 0, Unusable = 0;
  std::map<std::string, PerLevel> Levels;
  std::map<std::string, unsigned> Kinds; ///< Compilations with each.
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_FIGURES_H
