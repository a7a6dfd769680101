//===- SparseProbe.cpp - Where sparse operands belong ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseProbe.h"
#include "ProbeLaunch.h"
#include "SparseLayouts.h"
#include "Tile.h"

#include <algorithm>

using namespace devicetest;

namespace {

/// A of 64 rows of 32 bytes, in registers or in shared memory. Elements are
/// numbered from thread 0's first register, or from the start of memory.
class Wgmma : public SparseSubject {
public:
  Wgmma(const DeviceTest &T, Backend &Device);

  std::string expand(const std::vector<SparseInputs> &Problems,
                     std::vector<std::vector<double>> &A) override;
  std::string nameOf(unsigned Element) const override;

private:
  bool inRegisters() const { return I.Source == Form::RS; }
  unsigned perRegister() const { return 32 / bitWidth(I.A); }
  void store(const SparseInputs &Inputs, unsigned Problem, Batch &To) const;

  const DeviceTest &T;
  const Instruction &I;
  Backend &Device;
  SharedLayout LayoutA, LayoutB;
};

} // namespace

Wgmma::Wgmma(const DeviceTest &T, Backend &Device)
    : T(T), I(T.I), Device(Device),
      LayoutA(I.A, I.TransA, devicetest::Rows, I.shape().packedK(),
              Arrangement::KFirst, Swizzle::None),
      LayoutB(I.B, I.TransB, I.N, I.shape().K, Arrangement::KFirst,
              Swizzle::None) {
  OperandShape Shape = I.shape();
  Model.Name = I.name();
  Model.Selector = I.Selector;
  Model.Rows = devicetest::Rows;
  Model.K = Shape.K;
  Model.Threads = devicetest::Threads;

  Model.ChunkWidth = Shape.ChunkWidth;
  ATile Tile(/*Sparse=*/true, I.A);
  for (uint8_t Nibble : validNibbles(I.A)) {
    Tile.nibble(0, 0) = Nibble;
    for (unsigned Which = 0; Which != Shape.NonZerosPerChunk; ++Which)
      Model.Kept[Nibble].push_back(Tile.column(0, Which));
  }
  for (unsigned Index = 0; Index != 8 * Model.Threads; ++Index) {
    auto P = metadataPosition(I.A, I.Selector, Index / 8, Index % 8);
    Model.Chunks.push_back(P ? std::optional<PlaceInA>({P->Row, P->Column})
                             : std::nullopt);
  }
  Model.Packed.resize(Model.Rows * Shape.packedK());
  if (inRegisters()) {
    for (unsigned Element = 0; Element != Model.Packed.size(); ++Element) {
      unsigned Register = Element / perRegister();
      Position P =
          operandPosition(I.A, Register / OperandRegisters,
                          Register % OperandRegisters, Element % perRegister());
      Model.Packed[Element] = {P.Row, P.Column};
    }
    return;
  }
  for (unsigned Row = 0; Row != Model.Rows; ++Row)
    for (unsigned Column = 0; Column != Shape.packedK(); ++Column)
      Model.Packed[LayoutA.bitOffset(0, Row, Column) / bitWidth(I.A)] = {
          Row, Column};
}

std::string Wgmma::nameOf(unsigned Element) const {
  if (!inRegisters())
    return "byte " + std::to_string(Element * bitWidth(I.A) / 8);
  unsigned Register = Element / perRegister();
  return "thread " + std::to_string(Register / OperandRegisters) +
         " register " + std::to_string(Register % OperandRegisters) +
         " element " + std::to_string(Element % perRegister());
}

void Wgmma::store(const SparseInputs &Inputs, unsigned Problem,
                  Batch &To) const {
  size_t Stored = size_t(Problem) * (1 + StepsAhead) * Model.Threads;
  std::copy(Inputs.Metadata.begin(), Inputs.Metadata.end(),
            &To.Metadata[Stored]);
  for (unsigned Element = 0; Element != Inputs.Elements.size(); ++Element) {
    uint32_t Bits = *encode(I.A, Inputs.Elements[Element]);
    if (inRegisters())
      To.Fragment[Stored * OperandRegisters + Element / perRegister()] |=
          Bits << Element % perRegister() * bitWidth(I.A);
    else
      storeElement(I.A, Bits, uint64_t(Element) * bitWidth(I.A),
                   &To.Shared[size_t(Problem) * To.SharedBytes]);
  }
}

std::string Wgmma::expand(const std::vector<SparseInputs> &Problems,
                          std::vector<std::vector<double>> &A) {
  A.assign(Problems.size(), std::vector<double>(Model.Rows * Model.K));
  uint32_t StartOfB = inRegisters() ? 0 : LayoutA.size(1);
  Batch Inputs = makeProbe(I, Problems.size(), StartOfB + LayoutB.size(1));
  for (unsigned Problem = 0; Problem != Problems.size(); ++Problem) {
    store(Problems[Problem], Problem, Inputs);
    Inputs.Descriptor.push_back(
        LayoutA.descriptor(0)); // of no use in registers
    Inputs.Descriptor.push_back(LayoutB.descriptor(StartOfB));
  }
  // The i-th column of the results is column First + i of A.
  for (unsigned First = 0; First < Model.K; First += I.N) {
    BTile B(I.B, I.N, Model.K);
    for (unsigned Index = 0; Index != std::min(I.N, Model.K - First); ++Index)
      B.value(First + Index, Index) = *encode(I.B, 1);
    std::vector<uint8_t> Image(LayoutB.size(1));
    B.toShared(LayoutB, 0, Image.data());
    for (unsigned Problem = 0; Problem != Problems.size(); ++Problem)
      std::copy(
          Image.begin(), Image.end(),
          &Inputs.Shared[size_t(Problem) * Inputs.SharedBytes + StartOfB]);
    std::string Error = launchProbe(
        T, Device, Inputs, [&](unsigned Problem, Position P, double Value) {
          if (First + P.Column < Model.K)
            A[Problem][P.Row * Model.K + First + P.Column] = Value;
        });
    if (!Error.empty())
      return Error;
  }
  return "";
}

ExitCode devicetest::probeSparse(const DeviceTest &T, Backend &Device,
                                 std::ostream &Out) {
  Wgmma Subject(T, Device);
  return SparseLayouts(Subject, Out).probe(T.I.Source == Form::RS) ? Passed
                                                                   : Failed;
}
