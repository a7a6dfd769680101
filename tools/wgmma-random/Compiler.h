//===- Compiler.h - IR to PTX in this process -------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_COMPILER_H
#define NVPTX_MMA_WGMMA_RANDOM_COMPILER_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace wgmmarandom {

/// How a program is compiled.
struct Level {
  /// 'n' runs nothing but the inliner of what must be inlined, 's' also SROA,
  /// '0' to '3' a front end's pipeline of that level.
  char Pipeline = 's';
  unsigned CodeGen = 2; ///< -O of code generation.

  std::string name() const {
    return std::string(1, Pipeline) + "/O" + std::to_string(CodeGen);
  }
};

struct Compilation {
  std::string PTX;
  std::vector<std::string> Errors, Warnings;
  /// Those of the warnings that say that an accumulator is in flight where the
  /// program has waited for it. A wait that retires nothing is none of them:
  /// random programs have such waits.
  std::vector<std::string> Faults;
  /// The compiler's own end: a signal or a fatal error.
  std::string Crash;

  bool succeeded() const { return Errors.empty() && Crash.empty(); }
};

class Compiler {
public:
  Compiler();

  /// The module of \p Text, or null, with what is wrong with it.
  std::unique_ptr<llvm::Module>
  parse(llvm::StringRef Text, llvm::LLVMContext &Context, std::string &Error);
  /// Compiles \p Text for \p CPU, with the PTX version of \p Features. A crash
  /// is caught.
  Compilation compile(llvm::StringRef Text, Level L,
                      llvm::StringRef CPU = "sm_90a",
                      llvm::StringRef Features = "+ptx84");

private:
  void compileUnguarded(llvm::StringRef Text, Level L, llvm::StringRef CPU,
                        llvm::StringRef Features, Compilation &Result);
  llvm::TargetMachine &machine(unsigned CodeGenLevel, llvm::StringRef CPU,
                               llvm::StringRef Features);

  std::vector<std::pair<std::string, std::unique_ptr<llvm::TargetMachine>>>
      Machines;
};

/// The module as text after mem2reg: accumulators and counters as phis.
std::string promoteAllocas(llvm::Module &M);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_COMPILER_H
