//===- Probe.cpp - Where an instruction reads its operands ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probe.h"
#include "ProbeLaunch.h"
#include "Tile.h"

#include <algorithm>
#include <cstdio>

using namespace devicetest;

/// How much of shared memory is told apart. A gapped matrix fits.
static constexpr uint32_t ProbedBytes = 1 << 17;
/// Lines of M or N (of K, if these run across atoms) to print.
static constexpr unsigned PrintedLines = 16;

namespace {

/// The matrix to probe.
struct Subject {
  explicit Subject(const Instruction &I)
      : IsA(I.Source == Form::SS), Type(IsA ? I.A : I.B),
        Transposed(IsA ? I.TransA : I.TransB), MN(IsA ? Rows : I.N),
        K(IsA ? I.shape().packedK() : I.shape().K) {}

  bool IsA;
  Element Type;
  bool Transposed;
  unsigned MN, K;

  // Every type has these many small numbers.
  unsigned base() const { return Type == Element::b1 ? 2 : 8; }
  uint32_t elements() const { return 8 * ProbedBytes / bitWidth(Type); }
  unsigned digits() const {
    unsigned Count = 0;
    for (uint64_t Power = 1; Power < elements(); Power *= base())
      ++Count;
    return Count;
  }
};

/// The place, as a bit's, of element [MN][K].
using Places = std::vector<uint64_t>;

} // namespace

/// Makes \p Column of the full matrix the only one of the row that is not 0.
static void select(ATile &A, unsigned Row, unsigned Column) {
  uint32_t One = *encode(A.Type, 1);
  if (!A.Sparse) {
    A.value(Row, Column) = One;
    return;
  }
  unsigned Chunk = Column / A.Shape.ChunkWidth;
  for (uint8_t Nibble : validNibbles(A.Type)) {
    A.nibble(Row, Chunk) = Nibble;
    for (unsigned Which = 0; Which != A.Shape.NonZerosPerChunk; ++Which) {
      unsigned Packed = Chunk * A.Shape.NonZerosPerChunk + Which;
      if (A.column(Row, Packed) != Column)
        continue;
      A.value(Row, Packed) = One;
      return;
    }
  }
}

/// The inputs that show elements [MN][First + i] in the i-th columns (of A) or
/// rows (of B) of the results.
static Batch makeInputs(const Instruction &I, const Subject &S,
                        uint64_t Descriptor, unsigned First) {
  ATile A(I.Sparse, I.A);
  BTile B(I.B, I.N, I.shape().K);
  std::fill(A.Nibbles.begin(), A.Nibbles.end(), validNibbles(I.A)[0]);
  unsigned Shown = std::min(S.K - First, S.IsA ? I.N : Rows);
  for (unsigned Index = 0; Index != Shown; ++Index)
    if (S.IsA)
      B.value(A.column(0, First + Index), Index) = *encode(I.B, 1);
    else
      select(A, Index, First + Index);

  // After what is probed comes the B that selects.
  SharedLayout LayoutB(I.B, I.TransB, I.N, I.shape().K, Arrangement::KFirst,
                       Swizzle::None);
  Batch Result =
      makeProbe(I, S.digits(), ProbedBytes + (S.IsA ? LayoutB.size(1) : 0));

  std::vector<uint32_t> Encoded;
  for (unsigned Digit = 0; Digit != S.base(); ++Digit)
    Encoded.push_back(*encode(S.Type, Digit));
  uint32_t Power = 1;
  for (unsigned Problem = 0; Problem != Result.Problems; ++Problem) {
    uint8_t *Image = &Result.Shared[size_t(Problem) * Result.SharedBytes];
    for (uint32_t Place = 0; Place != S.elements(); ++Place)
      storeElement(S.Type, Encoded[Place / Power % S.base()],
                   uint64_t(Place) * bitWidth(S.Type), Image);
    Power *= S.base();
    size_t Stored = size_t(Problem) * (1 + StepsAhead) * Threads;
    if (S.IsA)
      B.toShared(LayoutB, ProbedBytes, Image);
    else
      A.toRegisters(&Result.Fragment[Stored * OperandRegisters]);
    if (I.Sparse)
      A.toMetadata(I.Selector, &Result.Metadata[Stored]);
    Result.Descriptor.push_back(Descriptor); // not used if A is in registers
    Result.Descriptor.push_back(S.IsA ? LayoutB.descriptor(ProbedBytes)
                                      : Descriptor);
  }
  return Result;
}

/// One line for each row of 16-byte units: the bytes where they were found.
static void print(const Subject &S, const Places &Found, std::ostream &Out) {
  unsigned PerUnit = 128 / bitWidth(S.Type);
  unsigned Lines = std::min(S.Transposed ? S.K : S.MN, PrintedLines);
  for (unsigned Line = 0; Line != Lines; ++Line) {
    Out << (S.Transposed ? "  k = "
            : S.IsA      ? "  m = "
                         : "  n = ")
        << Line << ":";
    for (unsigned Along = 0; Along < (S.Transposed ? S.MN : S.K);
         Along += PerUnit) {
      unsigned MN = S.Transposed ? Along : Line;
      unsigned K = S.Transposed ? Line : Along;
      Out << " " << Found[MN * S.K + K] / 8;
    }
    Out << "\n";
  }
}

ExitCode devicetest::probe(const DeviceTest &T, Backend &Device,
                           std::ostream &Out) {
  const Instruction &I = T.I;
  Subject S(I);
  ExitCode Status = Passed;
  for (Arrangement Shared :
       {Arrangement::KFirst, Arrangement::Gapped, Arrangement::Shifted})
    for (Swizzle Mode :
         {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
      if (Shared == Arrangement::Shifted && Mode == Swizzle::None)
        continue;
      SharedLayout Layout(S.Type, S.Transposed, S.MN, S.K, Shared, Mode);
      uint32_t Start = Layout.start(0);
      uint64_t Descriptor = Layout.descriptor(Start);
      Places Found(S.MN * S.K), Modelled;
      for (unsigned MN = 0; MN != S.MN; ++MN)
        for (unsigned K = 0; K != S.K; ++K)
          Modelled.push_back(Layout.bitOffset(Start, MN, K));

      for (unsigned First = 0; First < S.K; First += S.IsA ? I.N : Rows) {
        Batch Inputs = makeInputs(I, S, Descriptor, First);
        std::vector<uint64_t> Weights = {bitWidth(S.Type)};
        while (Weights.size() != Inputs.Problems)
          Weights.push_back(Weights.back() * S.base());
        std::string Error = launchProbe(
            T, Device, Inputs, [&](unsigned Problem, Position P, double Digit) {
              unsigned MN = S.IsA ? P.Row : P.Column;
              unsigned K = First + (S.IsA ? P.Column : P.Row);
              if (K < S.K)
                Found[MN * S.K + K] +=
                    static_cast<uint64_t>(Digit) * Weights[Problem];
            });
        if (!Error.empty()) {
          Out << I.name() << ": " << Error << "\n";
          return Failed;
        }
      }

      char Hex[24];
      std::snprintf(Hex, sizeof(Hex), "0x%016llx",
                    static_cast<unsigned long long>(Descriptor));
      Out << I.name() << ": " << (S.IsA ? "A" : "B") << ", descriptor " << Hex
          << ", shared=" << name(Shared) << " swizzle=" << name(Mode) << ": ";
      if (Found == Modelled) {
        Out << "as modelled\n";
        continue;
      }
      Status = Failed;
      Out << "not as modelled\n found, in bytes\n";
      print(S, Found, Out);
      Out << " modelled\n";
      print(S, Modelled, Out);
    }
  return Status;
}
