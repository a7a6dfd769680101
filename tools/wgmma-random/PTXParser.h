//===- PTXParser.h - PTX text as instructions -------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the PTX that the backend writes: functions, their parameters, registers
// and instructions, with the registers that each reads and writes. Debug
// sections and line numbers are skipped.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_PTXPARSER_H
#define NVPTX_MMA_WGMMA_RANDOM_PTXPARSER_H

#include "Operation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wgmmarandom {
namespace ptx {

struct Operand {
  enum KindType { Register, Immediate, Vector, Address, Symbol, Sink };
  KindType Kind = Sink;
  unsigned Reg = 0;    ///< Register; also the base of an Address.
  bool HasReg = false; ///< Whether an Address has a register as base.
  uint64_t Value = 0;  ///< Immediate; the offset of an Address.
  std::string Name;    ///< Symbol; the base of an Address without one.
  std::vector<Operand> Elements; ///< Vector; both halves of a setp's "p|q".
};

struct Instr {
  unsigned Line = 0;
  std::string Text;
  std::string Opcode;
  llvm::SmallVector<llvm::StringRef, 8> Parts; ///< Of Opcode, between dots.
  std::vector<Operand> Operands;
  bool HasGuard = false, GuardNegated = false;
  unsigned Guard = 0;
  llvm::SmallVector<unsigned, 4> Reads, Writes;
  /// A wgmma.mma_async, with its immediates.
  std::optional<Operation> WGMMA;
  /// The function that a call calls, and its parameters' names.
  std::string Callee;
  llvm::SmallVector<std::string, 4> CallResults, CallArguments;

  bool is(llvm::StringRef Root) const { return Parts[0] == Root; }
  bool has(llvm::StringRef Part) const {
    return llvm::is_contained(Parts, Part);
  }
  bool isBranch() const { return is("bra") || is("brx"); }
  bool isWgmma(llvm::StringRef Kind) const {
    return Parts.size() > 1 && Parts[0] == "wgmma" && Parts[1] == Kind;
  }
};

/// A name with a number of bytes: parameters and local variables.
struct Variable {
  std::string Name;
  uint64_t Bytes = 0;
};

struct Function {
  std::string Name;
  bool IsKernel = false;
  std::vector<Variable> Results, Parameters, Locals;
  std::vector<std::unique_ptr<Instr>> Instructions;
  llvm::StringMap<unsigned> Labels; ///< The instruction that follows each.
  /// Those that a brx.idx chooses from, by the label of the list.
  llvm::StringMap<llvm::SmallVector<std::string, 8>> BranchTargets;
  llvm::StringMap<unsigned> Registers;
  std::vector<std::string> RegisterNames;
  std::vector<unsigned> RegisterBits; ///< 1 for predicates.
};

struct Module {
  std::string Error;
  std::vector<std::unique_ptr<Function>> Functions;
  std::vector<Variable> Globals;

  const Function *find(llvm::StringRef Name) const;
  const Function *kernel() const;
};

Module parse(llvm::StringRef Text);

} // namespace ptx
} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_PTXPARSER_H
