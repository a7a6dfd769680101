//===- Check.cpp - Comparison of outputs with what is expected ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

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

/// The encoded element \p Index of a register.
static uint32_t elementOf(uint32_t Register, Element Type, unsigned Index) {
  unsigned Width = bitWidth(Type);
  uint32_t Mask = Width == 32 ? ~0u : (1u << Width) - 1;
  return Register >> Index * Width & Mask;
}

/// The element of D that an element of a register is.
static Position positionOf(const Instruction &I, unsigned PerThread,
                           size_t Register, unsigned Index) {
  unsigned InThread = Register % PerThread;
  unsigned Thread = Register / PerThread % Threads;
  return accumulatorPosition(Thread,
                             InThread * I.elementsPerRegister() + Index);
}

bool Output::isRight(const Instruction &I, unsigned Cta, size_t Register,
                     unsigned Index, ElementCheck &Elements) const {
  unsigned Problem = Cta % Expected.Problems;
  size_t PerCta = Expected.registersPerCta();
  uint32_t Want = Expected.Expected[Problem * PerCta + Register];
  uint32_t Got = Words[offset() + Cta * PerCta + Register];
  return Elements.isRight(
      Expected, Problem,
      positionOf(I, Expected.AccumulatorRegisters, Register, Index),
      elementOf(Want, I.D, Index), elementOf(Got, I.D, Index));
}

/// Tells which element is wrong, and how.
std::string Output::describe(const Instruction &I, unsigned Cta,
                             size_t Register, unsigned Index) const {
  unsigned Problem = Cta % Expected.Problems;
  size_t PerCta = Expected.registersPerCta();
  uint32_t Want =
      elementOf(Expected.Expected[Problem * PerCta + Register], I.D, Index);
  uint32_t Got =
      elementOf(Words[offset() + Cta * PerCta + Register], I.D, Index);
  unsigned PerThread = Expected.AccumulatorRegisters;
  Position P = positionOf(I, PerThread, Register, Index);

  char Text[320];
  std::snprintf(
      Text, sizeof(Text),
      "CTA %u (%s), accumulator %u, row %u, column %u = thread %u, register "
      "%u, bit %u: expected 0x%0*x (%.9g), got 0x%0*x (%.9g)",
      Cta, Expected.Description[Problem].c_str(),
      unsigned(Register / PerThread / Threads), P.Row, P.Column,
      unsigned(Register / PerThread % Threads), unsigned(Register % PerThread),
      Index * bitWidth(I.D), int(bitWidth(I.D) / 4), Want, decode(I.D, Want),
      int(bitWidth(I.D) / 4), Got, decode(I.D, Got));
  return Text;
}

std::string Output::check(const Instruction &I, ElementCheck &Elements) const {
  std::string Fault = checkGuards();
  size_t PerCta = Expected.registersPerCta();
  uint64_t Wrong = 0;
  std::set<unsigned> WrongProblems;
  for (unsigned Cta = 0; Cta != Ctas; ++Cta) {
    unsigned Problem = Cta % Expected.Problems;
    // All bits at once, where these have to agree.
    if (Expected.Kind[Problem] == Numbers::Exact &&
        !std::memcmp(&Expected.Expected[Problem * PerCta],
                     &Words[offset() + Cta * PerCta],
                     PerCta * sizeof(uint32_t)))
      continue;
    for (size_t Register = 0; Register != PerCta; ++Register)
      for (unsigned Index = 0; Index != I.elementsPerRegister(); ++Index) {
        if (isRight(I, Cta, Register, Index, Elements))
          continue;
        WrongProblems.insert(Problem);
        if (!Wrong++)
          Fault +=
              (Fault.empty() ? "" : "; ") + describe(I, Cta, Register, Index);
      }
  }
  if (Wrong) {
    Fault += "; " + std::to_string(Wrong) + " of " +
             std::to_string(elements(I)) + " elements are wrong, in";
    for (unsigned Problem : WrongProblems)
      Fault += " (" + Expected.Description[Problem] + ")";
  }
  return Fault;
}
