//===- SparseProbe.cpp - Where sparse operands belong ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseProbe.h"
#include "MmaOperands.h"
#include "SparseLayouts.h"

#include <algorithm>

using namespace devicetest;

namespace {

/// Elements of A are numbered from thread 0's first register.
class WarpMma : public SparseSubject {
public:
  WarpMma(const Kernel &K, WarpDevice &Device);

  std::string expand(const std::vector<SparseInputs> &Problems,
                     std::vector<std::vector<double>> &A) override;
  std::string nameOf(unsigned Element) const override;

  bool DeviceFailed = false;

private:
  /// The registers of a CTA with nothing but B, whose i-th column is the one
  /// that selects column First + i of A.
  std::vector<uint32_t> selecting(unsigned First) const;
  void store(const SparseInputs &Inputs, uint32_t *Record) const;

  const Kernel &TheKernel;
  WarpDevice &Device;
  Multiplication M;
  MmaRegisters Registers;
};

} // namespace

WarpMma::WarpMma(const Kernel &K, WarpDevice &Device)
    : TheKernel(K), Device(Device), M(K), Registers(M, K) {
  Model.Name = K.Name;
  Model.Selector = Registers.Selector;
  Model.Rows = M.Shape.M;
  Model.K = M.Shape.K;
  Model.Threads = WarpThreads;

  WarpSparsity Sparsity = warpSparsity(M.A);
  Model.ChunkWidth = Sparsity.ChunkWidth;
  for (uint8_t Nibble : warpNibbles(M.A))
    for (unsigned Index = 0; Index != Sparsity.kept(); ++Index)
      Model.Kept[Nibble].push_back(warpKeptColumn(M.A, Nibble, Index));
  for (unsigned Index = 0; Index != 8 * Model.Threads; ++Index) {
    auto Chunk =
        warpMetadata(M.A, Model.K, Model.Selector, Index / 8, Index % 8);
    Model.Chunks.push_back(
        Chunk ? std::optional<PlaceInA>({Chunk->Row, Chunk->Chunk})
              : std::nullopt);
  }
  for (unsigned Thread = 0; Thread != Model.Threads; ++Thread)
    for (unsigned Index = 0; Index != Registers.A.elements(); ++Index) {
      WarpPosition P = Registers.A.position(Thread, Index);
      Model.Packed.push_back({P.Row, P.Column});
    }
}

std::string WarpMma::nameOf(unsigned Element) const {
  unsigned Index = Element % Registers.A.elements();
  unsigned PerRegister = Registers.A.elementsPerRegister();
  return "thread " + std::to_string(Element / Registers.A.elements()) +
         " register " + std::to_string(Index / PerRegister) + " element " +
         std::to_string(Index % PerRegister);
}

std::vector<uint32_t> WarpMma::selecting(unsigned First) const {
  std::vector<uint32_t> Record(Model.Threads * Registers.words());
  for (unsigned Thread = 0; Thread != Model.Threads; ++Thread)
    for (unsigned Index = 0; Index != Registers.B.elements(); ++Index) {
      WarpPosition P = Registers.B.position(Thread, Index);
      if (P.Row == First + P.Column)
        Registers.B.write(&Record[Registers.startOfB()], Registers.words(),
                          Thread, Index, encodeExactly(M.B, 1));
    }
  return Record;
}

void WarpMma::store(const SparseInputs &Inputs, uint32_t *Record) const {
  unsigned Stride = Registers.words();
  for (unsigned Element = 0; Element != Model.Packed.size(); ++Element)
    if (Inputs.Elements[Element])
      Registers.A.write(Record, Stride, Element / Registers.A.elements(),
                        Element % Registers.A.elements(),
                        encodeExactly(M.A, Inputs.Elements[Element]));
  for (unsigned Thread = 0; Thread != Model.Threads; ++Thread)
    Record[Thread * Stride + Registers.startOfMetadata()] =
        Inputs.Metadata[Thread];
}

std::string WarpMma::expand(const std::vector<SparseInputs> &Problems,
                            std::vector<std::vector<double>> &A) {
  if (Registers.words() != TheKernel.inWords() ||
      Registers.D.words() != TheKernel.outWords())
    return "the kernel has other registers than the model";
  A.assign(Problems.size(), std::vector<double>(Model.Rows * Model.K));
  for (unsigned First = 0; First < Model.K; First += M.Shape.N) {
    Launch L(TheKernel, Problems.size());
    std::vector<uint32_t> Empty = selecting(First);
    for (unsigned Cta = 0; Cta != Problems.size(); ++Cta) {
      std::copy(Empty.begin(), Empty.end(), L.in(Cta));
      store(Problems[Cta], L.in(Cta));
    }
    if (std::string Error = L.run(Device, DeviceFailed); !Error.empty())
      return Error;
    for (unsigned Cta = 0; Cta != Problems.size(); ++Cta)
      for (unsigned Thread = 0; Thread != Model.Threads; ++Thread)
        for (unsigned Index = 0; Index != Registers.D.elements(); ++Index) {
          WarpPosition P = Registers.D.position(Thread, Index);
          A[Cta][P.Row * Model.K + First + P.Column] =
              decode(M.D, Registers.D.read(L.out(Cta), TheKernel.outWords(),
                                           Thread, Index));
        }
  }
  return "";
}

bool devicetest::canProbe(const Kernel &K) {
  return K.Family.rfind("mma.sp", 0) == 0;
}

ProbeOutcome devicetest::probeSparse(const Kernel &K, WarpDevice &Device,
                                     std::ostream &Out) {
  WarpMma Subject(K, Device);
  bool Agrees = SparseLayouts(Subject, Out).probe(/*AInRegisters=*/true);
  if (Subject.DeviceFailed)
    return ProbeOutcome::DeviceFailed;
  return Agrees ? ProbeOutcome::AsModelled : ProbeOutcome::NotAsModelled;
}
