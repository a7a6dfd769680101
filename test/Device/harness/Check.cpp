//===- Check.cpp - Comparison of outputs with what is expected ------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "../model/Fragment.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

using namespace devicetest;

static constexpr uint32_t Poison = 0xBADC0FFE;

Output::Output(const Batch &Expected, unsigned Ctas)
    : Words(2 * GuardWords + Ctas * Expected.registersPerCta()),
      Expected(Expected), Ctas(Ctas) {}

void Output::poison() { std::fill(Words.begin(), Words.end(), Poison); }

uint64_t Output::elements(const Instruction &I) const {
  return uint64_t(Ctas) * Expected.Accumulators * Rows * I.N;
}

std::string Output::checkGuards() const {
  for (size_t Index = 0; Index != GuardWords; ++Index) {
    if (Words[GuardWords - 1 - Index] != Poison)
      return "write " + std::to_string(Index + 1) +
             " words before the start of the output";
    if (Words[Words.size() - GuardWords + Index] != Poison)
      return "write " + std::to_string(Index + 1) +
             " words past the end of the output";
  }
  return "";
}

/// Tells which element of register \p Register, counted over the whole CTA, is
/// wrong, and how.
std::string Output::describe(const Instruction &I, unsigned Cta,
                             size_t Register) const {
  unsigned Problem = Cta % Expected.Problems;
  size_t PerCta = Expected.registersPerCta();
  uint32_t Want = Expected.Expected[Problem * PerCta + Register];
  uint32_t Got = Words[offset() + Cta * PerCta + Register];

  unsigned PerThread = Expected.AccumulatorRegisters;
  unsigned InThread = Register % PerThread;
  unsigned Thread = Register / PerThread % Threads;
  unsigned Accumulator = Register / PerThread / Threads;

  unsigned Width = bitWidth(I.D);
  uint32_t Mask = Width == 32 ? ~0u : (1u << Width) - 1;
  unsigned Index = 0;
  while ((Want >> Index * Width & Mask) == (Got >> Index * Width & Mask))
    ++Index;
  Want = Want >> Index * Width & Mask;
  Got = Got >> Index * Width & Mask;
  Position P = accumulatorPosition(Thread, InThread * (32 / Width) + Index);

  char Text[320];
  std::snprintf(Text, sizeof(Text),
                "CTA %u (%s), accumulator %u, row %u, column %u = thread %u, "
                "register %u, bit %u: expected 0x%0*x (%.9g), got 0x%0*x "
                "(%.9g)",
                Cta, Expected.Description[Problem].c_str(), Accumulator, P.Row,
                P.Column, Thread, InThread, Index * Width, int(Width / 4), Want,
                decode(I.D, Want), int(Width / 4), Got, decode(I.D, Got));
  return Text;
}

std::string Output::check(const Instruction &I) const {
  std::string Fault = checkGuards();
  size_t PerCta = Expected.registersPerCta();
  uint64_t Wrong = 0;
  std::set<unsigned> WrongProblems;
  for (unsigned Cta = 0; Cta != Ctas; ++Cta) {
    const uint32_t *Want = &Expected.Expected[Cta % Expected.Problems * PerCta];
    const uint32_t *Got = &Words[offset() + Cta * PerCta];
    if (!std::memcmp(Want, Got, PerCta * sizeof(uint32_t)))
      continue;
    WrongProblems.insert(Cta % Expected.Problems);
    for (size_t Register = 0; Register != PerCta; ++Register) {
      if (Want[Register] == Got[Register])
        continue;
      if (!Wrong++)
        Fault += (Fault.empty() ? "" : "; ") + describe(I, Cta, Register);
    }
  }
  if (Wrong) {
    Fault += "; " + std::to_string(Wrong) + " of " +
             std::to_string(Ctas * PerCta) + " registers are wrong, in";
    for (unsigned Problem : WrongProblems)
      Fault += " (" + Expected.Description[Problem] + ")";
  }
  return Fault;
}
