//===- Mutator.h - Invalid programs -----------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one mistake in a valid program, of those that a user can make.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_MUTATOR_H
#define NVPTX_MMA_WGMMA_RANDOM_MUTATOR_H

#include "Random.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace wgmmarandom {

enum class Mistake {
  Scale,        ///< scale-a or scale-b is neither 1 nor -1.
  Selector,     ///< A selector that PTX gives no meaning to.
  Length,       ///< An accumulator whose length is that of no N.
  Element,      ///< An accumulator of other elements.
  Variable,     ///< A variable for an immediate.
  ArgumentType, ///< An operand of another type.
  FenceOperand, ///< fence_operand of what is no operand of wgmma.
  WaitOperand,  ///< A wait for a number of groups that is not constant.
  AddressTaken, ///< The intrinsic as a function pointer.
  Target,       ///< A target or PTX version without the instruction.
  NoCommit,     ///< Nothing is committed.
  NoWait,       ///< Nothing is waited for.
  NoFence,      ///< There is no fence.
};
constexpr unsigned NumMistakes = unsigned(Mistake::NoFence) + 1;

llvm::StringRef name(Mistake M);
/// Whether the program is well-formed, and only does not obey the protocol.
inline bool isProtocol(Mistake M) { return M >= Mistake::NoCommit; }

struct InvalidProgram {
  std::string Text; ///< Empty where there is no place for the mistake.
  std::string CPU = "sm_90a";
  std::string Features = "+ptx84";
};

InvalidProgram mutate(llvm::StringRef Text, Mistake M, Random &R);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_MUTATOR_H
