//===- Arithmetic.cpp - What a wgmma computes -----------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include "llvm/ADT/APFloat.h"

#include "Fragment.h"
#include "Reference.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace wgmmarandom;

uint16_t wgmmarandom::multiplyHalves(uint16_t A, uint16_t B) {
  constexpr uint16_t SignBit = 0x8000;
  APFloat X(APFloat::IEEEhalf(), APInt(16, A));
  APFloat Y(APFloat::IEEEhalf(), APInt(16, B));
  if (X.isNaN())
    return A ^ (B & SignBit);
  if (Y.isNaN())
    return B ^ (A & SignBit);
  X.multiply(Y, APFloat::rmNearestTiesToEven);
  return X.bitcastToAPInt().getZExtValue();
}

uint32_t wgmmarandom::extendHalf(uint16_t Half) {
  APFloat X(APFloat::IEEEhalf(), APInt(16, Half));
  bool LosesInfo;
  X.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return X.bitcastToAPInt().getZExtValue();
}

uint16_t wgmmarandom::roundToHalf(uint32_t Float) {
  constexpr uint16_t NaN = 0x7FFF;
  APFloat X(APFloat::IEEEsingle(), APInt(32, Float));
  if (X.isNaN())
    return NaN;
  bool LosesInfo;
  X.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return X.bitcastToAPInt().getZExtValue();
}

std::string
MixingArithmetic::multiply(const Operation &Op,
                           const std::vector<Inputs> &Threads, Memory &M,
                           std::vector<std::vector<uint32_t>> &Results) {
  for (const Inputs &In : Threads) {
    Results.emplace_back();
    for (unsigned I = 0; I != Op.accumulatorRegisters(); ++I)
      Results.back().push_back(result(Op, In, I));
  }
  return "";
}

namespace {
/// A matrix in shared memory, as a descriptor gives it (PTX ISA, "Matrix
/// Descriptor Format"): core matrices of 8 rows of 16 bytes.
class SharedMatrix {
public:
  SharedMatrix(uint64_t Descriptor, Memory &M)
      : M(M), Start((Descriptor & 0x3FFF) << 4),
        Leading((Descriptor >> 16 & 0x3FFF) << 4),
        Stride((Descriptor >> 32 & 0x3FFF) << 4) {}

  /// The element of so many bits; false outside of memory.
  bool get(unsigned Row, unsigned Column, unsigned Bits, uint32_t &Value) {
    unsigned Byte = Column * Bits / 8;
    uint64_t Address = Start + Row / 8 * Stride + Byte / 16 * Leading +
                       Row % 8 * 16 + Byte % 16;
    unsigned Size = Bits < 8 ? 1 : Bits / 8;
    const uint8_t *Bytes = M.find(Address, Size);
    Value = 0;
    if (!Bytes)
      return false;
    memcpy(&Value, Bytes, Size);
    if (Bits < 8)
      Value = Value >> (Column % 8) & 1;
    return true;
  }

private:
  Memory &M;
  uint64_t Start, Leading, Stride;
};
} // namespace

devicetest::Element wgmmarandom::elementOf(StringRef Name) {
  return devicetest::elementNamed(Name.str()).value();
}

static devicetest::Instruction instruction(const Operation &Op) {
  devicetest::Instruction I;
  I.Sparse = Op.Sparse;
  I.Source = Op.AFromRegisters ? devicetest::Form::RS : devicetest::Form::SS;
  I.D = elementOf(Op.Types->D);
  I.A = elementOf(Op.Types->A);
  I.B = elementOf(Op.Types->B);
  I.N = Op.N;
  I.Selector = Op.Selector;
  I.ScaleA = Op.ScaleA;
  I.ScaleB = Op.ScaleB;
  I.Satfinite = Op.Satfinite;
  return I;
}

static void readFragments(const std::vector<Inputs> &Threads,
                          devicetest::ATile &A) {
  unsigned Bits = bitWidth(A.Type);
  uint32_t Mask = Bits == 32 ? ~0u : (1u << Bits) - 1;
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
    for (unsigned Register = 0; Register != 4; ++Register)
      for (unsigned Index = 0; Index != 32 / Bits; ++Index) {
        auto P = devicetest::operandPosition(A.Type, Thread, Register, Index);
        A.value(P.Row, P.Column) =
            Threads[Thread].A[Register] >> (Index * Bits) & Mask;
      }
}

static void readMetadata(const Operation &Op,
                         const std::vector<Inputs> &Threads,
                         devicetest::ATile &A) {
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
    for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
      if (auto P =
              devicetest::metadataPosition(A.Type, Op.Selector, Thread, Nibble))
        A.nibble(P->Row, P->Column) =
            Threads[Thread].Metadata >> (4 * Nibble) & 15;
}

static bool readShared(SharedMatrix From, devicetest::ATile &A) {
  for (unsigned Row = 0; Row != devicetest::Rows; ++Row)
    for (unsigned Column = 0; Column != A.Shape.packedK(); ++Column)
      if (!From.get(Row, Column, bitWidth(A.Type), A.value(Row, Column)))
        return false;
  return true;
}

static bool readShared(SharedMatrix From, devicetest::BTile &B) {
  for (unsigned Row = 0; Row != B.K; ++Row)
    for (unsigned Column = 0; Column != B.N; ++Column)
      if (!From.get(Column, Row, bitWidth(B.Type), B.value(Row, Column)))
        return false;
  return true;
}

static std::vector<double> readAccumulator(const devicetest::Instruction &I,
                                           const std::vector<Inputs> &Threads) {
  std::vector<double> D(devicetest::Rows * I.N);
  unsigned PerRegister = I.elementsPerRegister(), Bits = 32 / PerRegister;
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
    for (unsigned Index = 0; Index != I.accumulatorRegisters() * PerRegister;
         ++Index) {
      auto P = devicetest::accumulatorPosition(Thread, Index);
      uint32_t Register = Threads[Thread].Accumulator[Index / PerRegister];
      uint32_t Value = Register >> (Index % PerRegister * Bits);
      D[P.Row * I.N + P.Column] =
          decode(I.D, Bits == 32 ? Value : Value & 0xFFFF);
    }
  return D;
}

/// Up to here all integers, and the sums on the way to them, are exact.
static double exactBound(const devicetest::Instruction &I) {
  if (isInteger(I.D))
    return 1e10;
  return I.D == devicetest::Element::f16 || bitWidth(I.A) == 8 ? 2048 : 1 << 24;
}

static bool isExact(const devicetest::Instruction &I,
                    const std::vector<double> &D) {
  for (double Value : D)
    if (!(std::fabs(Value) <= exactBound(I)) || std::floor(Value) != Value)
      return false;
  return true;
}

std::string
MatrixArithmetic::multiply(const Operation &Op,
                           const std::vector<Inputs> &Threads, Memory &M,
                           std::vector<std::vector<uint32_t>> &Results) {
  if (Threads.size() != devicetest::Threads)
    return "not 128 threads";
  if (Op.TransA || Op.TransB)
    return "a transposed matrix";
  devicetest::Instruction I = instruction(Op);
  devicetest::ATile A(I.Sparse, I.A);
  devicetest::BTile B(I.B, I.N, A.Shape.K);
  if (Op.AFromRegisters)
    readFragments(Threads, A);
  else if (!readShared(SharedMatrix(Threads[0].ADescriptor, M), A))
    return "A outside of shared memory";
  if (!readShared(SharedMatrix(Threads[0].BDescriptor, M), B))
    return "B outside of shared memory";
  if (Op.Sparse)
    readMetadata(Op, Threads, A);
  std::vector<double> D(devicetest::Rows * I.N);
  if (Threads[0].ScaleD)
    D = readAccumulator(I, Threads);
  if (!isExact(I, D))
    return "an accumulator that is no small integer";
  multiplyAccumulate(I, A, B, Threads[0].ScaleD, D);
  std::vector<uint32_t> All(devicetest::Threads * I.accumulatorRegisters());
  if (!isExact(I, D) || !toAccumulator(I, D, All.data()))
    return "a sum that is no small integer";
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread) {
    auto First = All.begin() + Thread * I.accumulatorRegisters();
    Results.emplace_back(First, First + I.accumulatorRegisters());
  }
  return "";
}
