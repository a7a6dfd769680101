//===- AssemblerView.h - Values as ptxas tells them apart -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas, as of 13.0, takes the results of two wgmma in the same registers for
// the same value, where it looks for expressions of the same value, unless the
// second one overwrites them, or may: it takes what is computed after the
// second for what was computed from the same registers after the first, also if
// something else has been written to them between both. What an
// accumulator starts from it takes for the result if another wgmma has been
// issued since that was written, or if that was in another block. Copies it
// tells apart. This numbers the values of registers as it does, in one basic
// block, and tells where a value has the number of another one.
//
// In a fragment of A it may take the lower half of a value of 64 bits for the
// upper one. So this follows the halves, over blocks too.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_ASSEMBLERVIEW_H
#define NVPTX_MMA_WGMMA_RANDOM_ASSEMBLERVIEW_H

#include "PTXParser.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace wgmmarandom {

class AssemblerView {
public:
  /// Nothing is known of other blocks.
  void startBlock();

  /// \p Registers hold what was not computed.
  void write(llvm::ArrayRef<unsigned> Registers, unsigned FirstRegister);

  /// \p I, which is known to write(), takes halves of a value of 64 bits.
  void takeHalves(const ptx::Instr &I, unsigned FirstRegister);

  /// The instruction that took what \p Register holds from 64 bits, if so.
  const ptx::Instr *getOriginOfHalf(unsigned Register) const {
    return Halves.lookup(Register);
  }

  /// A wgmma accumulates in \p Registers, which it may overwrite.
  void multiply(llvm::ArrayRef<unsigned> Registers, bool MayOverwrite);

  /// \p I has computed \p Value. Returns the instruction whose result ptxas
  /// takes for it, if that was another value.
  const ptx::Instr *compute(const ptx::Instr &I, unsigned FirstRegister,
                            uint64_t Value);

private:
  struct Computed {
    const ptx::Instr *By;
    uint64_t Value;
    unsigned Number;
  };

  unsigned &getNumber(unsigned Register);
  /// \p Register has another value than the one that is known of.
  void forget(unsigned Register);

  unsigned LastNumber = 0;
  llvm::DenseMap<unsigned, unsigned> Numbers; ///< By register.
  llvm::DenseSet<unsigned> Results; ///< What a wgmma has written last.
  /// By register: the number of what wgmma leave in it.
  llvm::DenseMap<unsigned, unsigned> ResultNumbers;
  unsigned Multiplied = 0; ///< How many wgmma were issued.
  /// By register: after how many it was written.
  llvm::DenseMap<unsigned, unsigned> Written;
  llvm::DenseMap<unsigned, const ptx::Instr *> Halves; ///< By register.
  std::map<std::pair<std::string, std::vector<uint64_t>>, Computed> Expressions;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_ASSEMBLERVIEW_H
