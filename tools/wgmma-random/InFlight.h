//===- InFlight.h - The rules for the registers of wgmma --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PTX asks of the registers of wgmma.mma_async (PTX ISA 9.7.15.4):
//
//   - between it and the wgmma.wait_group that retires it, only another one of
//     the same shape touches its accumulator, as its own; nothing writes its A
//     or its metadata, which are read late, and nothing but a wgmma reads them;
//   - nothing writes a register of it between the last wgmma.fence and it,
//     except another one of the same shape its accumulator.
//
// The state follows one path, or all that lead to a place, merged.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_INFLIGHT_H
#define NVPTX_MMA_WGMMA_RANDOM_INFLIGHT_H

#include "PTXParser.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace wgmmarandom {

/// Which rule was broken.
enum class Fault {
  AccumulatorRead,
  AccumulatorWritten,
  AccumulatorOverlaps, ///< By a wgmma whose accumulator is another one.
  AccumulatorIsA,      ///< A or metadata in flight, as an accumulator.
  AIsAccumulator,      ///< An accumulator in flight, as A or metadata.
  InputRead,           ///< By anything but a wgmma.
  InputWritten,
  WrittenAfterFence,
  TakenForAnother, ///< By ptxas; see AssemblerView.h.
  HalfInA,         ///< Of 64 bits; the same.
};

llvm::StringRef name(Fault F);

struct Violation {
  Fault Kind;
  const ptx::Instr *At;       ///< That breaks the rule.
  const ptx::Instr *InFlight; ///< The wgmma in question, or the other value's.
  std::string Register;
};

/// A wgmma that was issued.
struct Issued {
  const ptx::Instr *I = nullptr;
  uint64_t Identity = 0; ///< A number of its own, along one path.
  std::vector<unsigned> Accumulator;
  llvm::DenseSet<unsigned> AccumulatorSet;
  llvm::DenseSet<unsigned> LateInputs;
};

/// Makes what \p I issues; registers are numbered from \p FirstRegister.
std::shared_ptr<const Issued> makeIssued(const ptx::Instr &I, uint64_t Identity,
                                         unsigned FirstRegister);

class InFlight {
public:
  using Report = std::function<void(Fault, const Issued &, unsigned Register)>;

  void read(unsigned Register, const Report &R) const;
  void write(unsigned Register, const Report &R);
  void issue(std::shared_ptr<const Issued> New, const Report &R);
  void fence() { Unordered.clear(); }
  void commit();
  /// Calls \p Retire for what this retires, in order of issue.
  void wait(uint64_t Pending,
            const std::function<void(const Issued &)> &Retire = nullptr);
  /// Forgets what is in flight, where nobody knows.
  void forget() { Entries.clear(); }
  bool empty() const { return Entries.empty(); }
  size_t size() const { return Entries.size(); }

  /// Takes over what another path leaves. True if that adds anything.
  bool merge(const InFlight &Other);

private:
  struct Entry {
    std::shared_ptr<const Issued> Wgmma;
    unsigned Groups; ///< Committed since it was issued, its own included.
  };
  /// Who wrote a register after the last fence: the wgmma of a shape, or, where
  /// empty, something else.
  using Writer = std::string;

  void checkOrder(const Issued &New, const Report &R) const;

  std::vector<Entry> Entries;
  llvm::DenseMap<unsigned, Writer> Unordered;
};

/// Follows all paths of a function, those that are not executed too. What is in
/// flight on entry or over a call is not seen.
std::vector<Violation> checkAllPaths(const ptx::Module &M,
                                     const ptx::Function &F);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_INFLIGHT_H
