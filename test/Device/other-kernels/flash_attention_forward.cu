//===- flash_attention_forward.cu - FlashAttention-3's forward pass -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flash_attention.h"

#include "flash_fwd_launch_template.h"

using namespace harness;

namespace {

/// The instance of the kernel, as FlashAttention chooses it for the shape.
template <typename ElementT, typename OutputT, int DimV, int ClusterV,
          bool CausalV, bool SoftcapV, bool PackGQAV>
struct Kernel {
  using Element = ElementT;
  using Output = OutputT;
  static constexpr int Dim = DimV;
  static constexpr bool Causal = CausalV;
  static constexpr bool Softcap = SoftcapV;

  static void launch(Flash_fwd_params &Params) {
    run_flash_fwd<90, DimV, DimV, ClusterV, ElementT, OutputT, CausalV,
                  /*Is_local=*/false, SoftcapV, /*Varlen=*/false,
                  /*PagedKVNonTMA=*/false, /*AppendKV=*/false,
                  /*HasQv=*/false, PackGQAV, /*Split=*/false,
                  /*V_colmajor=*/false>(Params, nullptr);
  }
};

template <typename KernelT> class Case {
  using Element = typename KernelT::Element;
  using Output = typename KernelT::Output;

public:
  Case(Attention Shape, const Options &Arguments)
      : Shape(Shape), Generator(Arguments.Seed),
        Q(normal<Element>(Shape.sizeQ(), Generator)),
        K(normal<Element>(Shape.sizeKV(), Generator)),
        V(normal<Element>(Shape.sizeKV(), Generator)), DeviceQ(Q), DeviceK(K),
        DeviceV(V), O(Shape.sizeQ()), LSE(Shape.sizeLSE()), Counter(1) {
    setForward(Params, Shape,
               {DeviceQ.data(), DeviceK.data(), DeviceV.data(), O.data(),
                LSE.data(), Counter.data()});
  }

  Comparison compare() {
    launch();
    expectSuccess(cudaDeviceSynchronize(), "kernel");
    // With elements of 8 bits, tensor cores add with 14 bits.
    constexpr double SumError = sizeof(Element) == 1 ? 0x1p-12 : 0x1p-20;
    std::vector<Expected> WantedO(Shape.sizeQ()), WantedLSE(Shape.sizeLSE());
    std::vector<float> FloatQ = floats(Q), FloatK = floats(K),
                       FloatV = floats(V);
    parallelFor(Shape.sizeLSE(), [&](size_t I) {
      int Row = I % Shape.SeqQ, Head = I / Shape.SeqQ % Shape.Heads;
      int B = I / Shape.SeqQ / Shape.Heads;
      Weights W(Shape, FloatQ.data(), FloatK.data(), B, Row, Head, SumError);
      WantedLSE[I] = {W.LSE, 2 * W.ScoreError};
      outputRow(W, FloatV, B, Row, Head, WantedO);
    });
    Comparison Result;
    Result.add(O.get(), WantedO);
    Result.add(LSE.get(), WantedLSE);
    return Result;
  }

  double time(unsigned Rounds) {
    return medianTime([&] { launch(); }, Rounds);
  }

private:
  void launch() {
    expectSuccess(cudaMemsetAsync(Counter.data(), 0, sizeof(int)), "memset");
    KernelT::launch(Params);
  }

  /// The weights are rounded to the element's type, relative to the largest
  /// one so far, which is at most 1; what they are off by as exponentials is
  /// relative. The sum is divided by an f32, and rounded to the output's type.
  void outputRow(const Weights &W, const std::vector<float> &FloatV, int B,
                 int Row, int Head, std::vector<Expected> &Wanted) {
    Rounding Input = roundingOf<Element>(), Result = roundingOf<Output>();
    // The weights of e4m3 are rounded as multiples of 2^-8.
    if (std::is_same_v<Element, cutlass::float_e4m3_t>)
      Input.Absolute /= 256;
    double Largest = *std::max_element(W.P.begin(), W.P.end());
    for (int D = 0; D != Shape.Dim; ++D) {
      double Sum = 0, Magnitude = 0, Plain = 0;
      for (size_t J = 0; J != W.P.size(); ++J) {
        double Value = FloatV[Shape.rowKV(B, J, Head) + D];
        Sum += W.P[J] * Value;
        Magnitude += W.P[J] * std::abs(Value);
        Plain += std::abs(Value) * Largest;
      }
      double Allowed =
          Magnitude * (Input.Relative + 2 * W.ScoreError + 0x1p-20) +
          Plain * Input.Absolute + std::abs(Sum) * Result.Relative +
          Result.Absolute;
      Wanted[Shape.rowQ(B, Row, Head) + D] = {Sum, Allowed};
    }
  }

  Attention Shape;
  std::mt19937_64 Generator;
  std::vector<Element> Q, K, V;
  Buffer<Element> DeviceQ, DeviceK, DeviceV;
  Buffer<Output> O;
  Buffer<float> LSE;
  Buffer<int> Counter;
  Flash_fwd_params Params{};
};

/// Compares with a sequence of \p SeqQ and \p SeqKV, measures with 8192.
template <typename KernelT>
bool run(const char *Name, const Options &Arguments, int SeqQ, int SeqKV,
         int GroupSize = 1) {
  Attention Small{2,
                  4,
                  4 / GroupSize,
                  SeqQ,
                  SeqKV,
                  KernelT::Dim,
                  KernelT::Causal,
                  KernelT::Softcap ? 15.f : 0};
  Comparison Result = Case<KernelT>(Small, Arguments).compare();
  int Heads = 2048 / KernelT::Dim;
  Attention Large{1,    Heads,        Heads / GroupSize, 8192,
                  8192, KernelT::Dim, Small.Causal,      Small.Softcap};
  double Time = 0;
  if (Arguments.Rounds)
    Time = Case<KernelT>(Large, Arguments).time(Arguments.Rounds);
  return report(Name, Result, Time, Large.operations());
}

} // namespace

int main(int Argc, char **Argv) {
  using cutlass::bfloat16_t;
  using cutlass::float_e4m3_t;
  using cutlass::half_t;
  Options Arguments(Argc, Argv);
  bool Right = true;
  Right &= run<Kernel<half_t, half_t, 128, 2, false, false, false>>(
      "f16, dimension 128", Arguments, 768, 1000);
  Right &= run<Kernel<half_t, half_t, 128, 1, true, false, false>>(
      "f16, dimension 128, causal", Arguments, 700, 1000);
  Right &= run<Kernel<bfloat16_t, bfloat16_t, 64, 1, false, false, false>>(
      "bf16, dimension 64", Arguments, 700, 1000);
  Right &= run<Kernel<half_t, half_t, 256, 1, false, true, true>>(
      "f16, dimension 256, softcap, packed GQA", Arguments, 700, 1000, 4);
  Right &= run<Kernel<float_e4m3_t, bfloat16_t, 128, 1, false, false, false>>(
      "e4m3, dimension 128", Arguments, 700, 1024);
  return Right ? 0 : 1;
}
