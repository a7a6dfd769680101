//===- FakeDevice.cpp - An interpreter in place of the GPU ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "Reference.h"

#include <algorithm>
#include <cmath>

using namespace devicetest;

std::string FakeDevice::upload(const Batch &NewInputs) {
  Inputs = NewInputs;
  return "";
}

uint64_t FakeDevice::descriptor(bool OfA, unsigned Problem,
                                unsigned Step) const {
  size_t Stored = size_t(Problem) * Inputs->Steps + Step;
  uint64_t Given = Inputs->Descriptor[2 * Stored + !OfA];
  return Descriptor ? Descriptor(OfA, Given) : Given;
}

uint32_t FakeDevice::fromShared(unsigned Problem, Element Type,
                                uint64_t Bit) const {
  const uint8_t *Image = &Inputs->Shared[Problem * Inputs->SharedBytes];
  uint32_t Bits = 0;
  for (unsigned Byte = 0; Byte != (bitWidth(Type) + 7) / 8; ++Byte)
    Bits |= uint32_t(Image[(Bit / 8 + Byte) % Inputs->SharedBytes]) << 8 * Byte;
  return Bits >> Bit % 8;
}

uint32_t FakeDevice::packedA(const Instruction &I, unsigned Problem,
                             unsigned Step, unsigned Row,
                             unsigned Column) const {
  if (I.Source == Form::SS) {
    uint64_t Desc = descriptor(/*OfA=*/true, Problem, Step);
    return fromShared(Problem, I.A,
                      findInShared(Desc, I.A, I.TransA, Row, Column));
  }
  RegisterPlace Place = findInFragment(I.A, Row, Column);
  if (MoveFragment)
    MoveFragment(Place);
  size_t Stored =
      size_t(Problem) * (Inputs->Steps + StepsAhead) + Step + FragmentsAhead;
  uint32_t Bits =
      Inputs->Fragment[(Stored * Threads + Place.Thread) * OperandRegisters +
                       Place.Register];
  return Bits >> Place.Index * bitWidth(I.A);
}

double FakeDevice::value(Element Type, uint32_t Bits) const {
  double Value = decode(Type, Bits);
  bool Flush =
      FlushSubnormals && !isInteger(Type) &&
      std::fabs(Value) < std::ldexp(1, floatPrecision(Type).MinExponent);
  return Flush ? 0 : Value;
}

std::vector<double> FakeDevice::unpackedA(const Instruction &I,
                                          unsigned Problem,
                                          unsigned Step) const {
  OperandShape Shape = I.shape();
  std::vector<double> A(Rows * Shape.K);
  if (!I.Sparse) {
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Column = 0; Column != Shape.K; ++Column)
        A[Row * Shape.K + Column] =
            value(I.A, packedA(I, Problem, Step, Row, Column));
    return A;
  }
  size_t Stored = size_t(Problem) * (Inputs->Steps + StepsAhead) +
                  std::min(Step + MetadataAhead, Inputs->Steps - 1);
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Chunk = 0; Chunk != Shape.chunks(); ++Chunk) {
      RegisterPlace Place = findInMetadata(I.A, I.Selector, Row, Chunk);
      if (MoveMetadata)
        MoveMetadata(Place);
      uint32_t Indices =
          Inputs->Metadata[Stored * Threads + Place.Thread] >> 4 * Place.Index &
          0xF;
      if (Nibble)
        Indices = Nibble(Indices);
      double *Wide = &A[Row * Shape.K + Chunk * Shape.ChunkWidth];
      auto Packed = [&](unsigned Which) {
        return value(I.A, packedA(I, Problem, Step, Row,
                                  Chunk * Shape.NonZerosPerChunk + Which));
      };
      if (I.A == Element::tf32) {
        Wide[Indices == 0xE] = Packed(0);
        continue;
      }
      Wide[Indices & 3] = Packed(0);
      Wide[Indices >> 2] = Packed(1);
    }
  return A;
}

void FakeDevice::execute(const Instruction &I, unsigned Problem, unsigned Step,
                         std::vector<double> &D) const {
  unsigned K = I.shape().K;
  std::vector<double> A = unpackedA(I, Problem, Step);
  uint64_t DescB = descriptor(/*OfA=*/false, Problem, Step);
  std::vector<double> B(K * I.N);
  for (unsigned Row = 0; Row != K; ++Row)
    for (unsigned Column = 0; Column != I.N; ++Column)
      B[Row * I.N + Column] = value(
          I.B, fromShared(Problem, I.B,
                          findInShared(DescB, I.B, I.TransB, Column, Row)));

  for (unsigned Row = 0; Row != Rows; ++Row) {
    double *Sums = &D[Row * I.N];
    for (unsigned Depth = 0; Depth != K; ++Depth) {
      double Factor = I.ScaleA * A[Row * K + Depth] * I.ScaleB;
      if (Factor == 0)
        continue; // None of a sparse A meets an infinity of B.
      for (unsigned Column = 0; Column != I.N; ++Column)
        Sums[Column] += Factor * B[Depth * I.N + Column];
    }
    for (unsigned Column = 0; I.D == Element::s32 && Column != I.N; ++Column) {
      int64_t Exact = static_cast<int64_t>(Sums[Column]);
      if (I.Satfinite)
        Exact =
            std::min<int64_t>(std::max<int64_t>(Exact, INT32_MIN), INT32_MAX);
      Sums[Column] = static_cast<int32_t>(static_cast<uint32_t>(Exact));
    }
  }
}

std::string FakeDevice::launch(const DeviceTest &T, Output &Out) {
  ++Launches;
  if (!LaunchError.empty())
    return LaunchError;
  Instruction I = T.I;
  if (Miscompile)
    Miscompile(I);

  unsigned Width = bitWidth(I.D);
  for (unsigned Cta = 0; Cta != Out.ctas(); ++Cta) {
    unsigned Problem = Cta % Inputs->Problems;
    for (unsigned Index = 0; Index != Inputs->Accumulators; ++Index) {
      size_t First = Index * size_t(Threads) * Inputs->AccumulatorRegisters;
      const uint32_t *In =
          &Inputs->Accumulator[Problem * Inputs->registersPerCta() + First];
      uint32_t *To =
          &Out.Words[Out.offset() + Cta * Inputs->registersPerCta() + First];
      std::fill_n(To, Threads * Inputs->AccumulatorRegisters, 0);

      std::vector<double> D(Rows * I.N);
      if (Inputs->ScaleD[Problem] || IgnoreScaleD)
        for (unsigned Row = 0; Row != Rows; ++Row)
          for (unsigned Column = 0; Column != I.N; ++Column) {
            RegisterPlace Place = findInAccumulator(I.D, Row, Column);
            uint32_t Bits = In[Place.Thread * Inputs->AccumulatorRegisters +
                               Place.Register];
            D[Row * I.N + Column] = decode(I.D, Bits >> Place.Index * Width);
          }
      for (unsigned Step = Index; Step < Inputs->Steps;
           Step += Inputs->Accumulators)
        execute(I, Problem, Step, D);
      for (unsigned Row = 0; Row != Rows; ++Row)
        for (unsigned Column = 0; Column != I.N; ++Column) {
          RegisterPlace Place = findInAccumulator(I.D, Row, Column);
          double Value = D[Row * I.N + Column];
          if (!isInteger(I.D))
            Value = rounded(Round ? Round(Value) : Value,
                            accumulationPrecision(I).Result, Rounding::Nearest);
          // A miscompiled instruction's result may be none of the type's.
          uint32_t Bits = encode(I.D, Value).value_or(0);
          To[Place.Thread * Inputs->AccumulatorRegisters + Place.Register] |=
              Bits << Place.Index * Width;
        }
    }
  }
  if (Damage)
    Damage(Out);
  return "";
}
