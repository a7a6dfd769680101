//===- PTXInterpreter.h - Executes PTX --------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes one thread of a kernel. A wgmma reads its descriptors and scale-d
// when it is issued, and all else, and writes its accumulator, as late as it
// may: when a wait retires it.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_PTXINTERPRETER_H
#define NVPTX_MMA_WGMMA_RANDOM_PTXINTERPRETER_H

#include "AssemblerView.h"
#include "InFlight.h"
#include "Launch.h"

namespace wgmmarandom {

/// When a wgmma reads its late inputs and writes its accumulator: as late as it
/// may, or at once.
enum class Timing { Late, Early };

class PTXInterpreter {
public:
  PTXInterpreter(const ptx::Module &M, const Launch &L,
                 Timing When = Timing::Late)
      : M(M), L(L), When(When) {}

  Execution run(const ptx::Function &Kernel);

  /// The rules that were broken on the way, each once for an instruction.
  const std::vector<Violation> &violations() const { return Violations; }

private:
  using Bytes = std::vector<uint8_t>;
  /// A call of a function.
  struct Frame {
    const ptx::Function &F;
    unsigned FirstRegister; ///< Registers of all calls are numbered through.
    std::map<std::string, Bytes> Parameters;
    std::map<std::string, uint64_t> Locals;
  };
  /// What a wgmma had read when it was issued.
  struct Pending {
    uint64_t ADescriptor, BDescriptor;
    bool ScaleD;
    uint64_t Metadata; ///< Where it is no register.
  };

  std::map<std::string, Bytes> call(const ptx::Function &F,
                                    std::map<std::string, Bytes> Parameters);
  /// Executes one instruction that does not branch.
  void execute(Frame &Fr, const ptx::Instr &I);
  bool executeMemory(Frame &Fr, const ptx::Instr &I);
  bool executeMove(Frame &Fr, const ptx::Instr &I);
  bool executeWgmma(Frame &Fr, const ptx::Instr &I);
  void executeCall(Frame &Fr, const ptx::Instr &I);
  std::optional<uint64_t> compute(Frame &Fr, const ptx::Instr &I);
  std::optional<uint64_t> convert(Frame &Fr, const ptx::Instr &I);
  std::optional<bool> compare(Frame &Fr, const ptx::Instr &I);
  void retire(const Issued &Wgmma);
  /// Has the fragment of A of the wgmma \p I judged as ptxas sees it.
  void checkFragment(Frame &Fr, const ptx::Instr &I);
  /// Checks what an instruction touches against what is in flight.
  void checkRegisters(Frame &Fr, const ptx::Instr &I);

  /// Has \p I, whose result is \p Value, judged as ptxas sees it.
  void checkComputed(Frame &Fr, const ptx::Instr &I, uint64_t Value);
  void addViolation(Violation V);

  uint64_t get(Frame &Fr, const ptx::Operand &Op);
  void set(Frame &Fr, const ptx::Operand &Op, uint64_t Value);
  uint8_t *pointer(Frame &Fr, const ptx::Operand &Op, unsigned Size);
  void fail(const ptx::Instr &I, const llvm::Twine &Message);
  llvm::StringRef getTarget(Frame &Fr, const ptx::Instr &Branch);
  InFlight::Report report(Frame &Fr, const ptx::Instr &I);

  const ptx::Module &M;
  const Launch &L;
  Timing When;
  Execution Result;
  std::vector<uint64_t> Registers;
  uint64_t NextLocal = LocalBase;
  unsigned Steps = 0;
  InFlight State;
  AssemblerView Assembler;
  std::map<uint64_t, Pending> PendingReads; ///< By identity.
  uint64_t NextIdentity = 0;
  unsigned Retired = 0; ///< Wgmma.
  std::vector<Violation> Violations;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_PTXINTERPRETER_H
