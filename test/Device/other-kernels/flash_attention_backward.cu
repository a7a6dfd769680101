//===- flash_attention_backward.cu - FlashAttention-3's backward pass -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flash_attention.h"

#include "flash_bwd_launch_template.h"

using namespace harness;

namespace {

/// The instances of the kernel, as FlashAttention chooses them for the shape.
template <typename ElementT, int DimV, bool CausalV> struct Kernel;

template <> struct Kernel<cutlass::half_t, 128, false> {
  static constexpr int BlockQ = 80;
  static void launch(Flash_bwd_params &Params) {
    run_flash_bwd<90, 128, BlockQ, 128, cutlass::half_t, false, false, false,
                  false, false, false, 2, 2, true, false, true, 2, 1, 2, 1,
                  false>(Params, nullptr);
  }
};

template <> struct Kernel<cutlass::half_t, 128, true> {
  static constexpr int BlockQ = 64;
  static void launch(Flash_bwd_params &Params) {
    run_flash_bwd<90, 128, BlockQ, 128, cutlass::half_t, true, false, false,
                  false, false, false, 2, 2, true, false, false, 2, 1, 2, 1,
                  false>(Params, nullptr);
  }
};

template <> struct Kernel<cutlass::bfloat16_t, 64, false> {
  static constexpr int BlockQ = 128;
  static void launch(Flash_bwd_params &Params) {
    run_flash_bwd<90, 64, BlockQ, 128, cutlass::bfloat16_t, false, false, false,
                  false, false, false, 2, 2, true, false, false, 2, 1, 2, 2,
                  false>(Params, nullptr);
  }
};

/// The gradients of one head, and how far they may be off.
struct Gradients {
  std::vector<Expected> DQ, DK, DV;
};

template <typename Element, int Dim, bool Causal> class Case {
  using KernelT = Kernel<Element, Dim, Causal>;

public:
  Case(Attention Shape, const Options &Arguments)
      : Shape(Shape), RoundedQ(roundUp(Shape.SeqQ, KernelT::BlockQ)),
        Generator(Arguments.Seed), Q(normal<Element>(Shape.sizeQ(), Generator)),
        K(normal<Element>(Shape.sizeKV(), Generator)),
        V(normal<Element>(Shape.sizeKV(), Generator)),
        DO(normal<Element>(Shape.sizeQ(), Generator)), O(Shape.sizeQ()),
        LSE(Shape.sizeLSE()), DQ(Shape.sizeQ()), DK(Shape.sizeKV()),
        DV(Shape.sizeKV()), LSELog2(roundedRows()), DPsum(roundedRows()),
        DQAccumulator(roundedRows() * Dim) {}

  Comparison compare() {
    forward();
    upload();
    KernelT::launch(Params);
    expectSuccess(cudaDeviceSynchronize(), "kernel");
    Gradients Wanted{std::vector<Expected>(Shape.sizeQ()),
                     std::vector<Expected>(Shape.sizeKV()),
                     std::vector<Expected>(Shape.sizeKV())};
    parallelFor(Shape.Batch * Shape.Heads, [&](size_t I) {
      gradients(I / Shape.Heads, I % Shape.Heads, Wanted);
    });
    Comparison Result;
    Result.add(DQ.get(), Wanted.DQ);
    Result.add(DK.get(), Wanted.DK);
    Result.add(DV.get(), Wanted.DV);
    return Result;
  }

  /// O and the sums are of no matter for a measurement.
  double time(unsigned Rounds) {
    upload();
    return medianTime([&] { KernelT::launch(Params); }, Rounds);
  }

private:
  static int roundUp(int Value, int Multiple) {
    return (Value + Multiple - 1) / Multiple * Multiple;
  }
  size_t roundedRows() const {
    return size_t(Shape.Batch) * Shape.Heads * RoundedQ;
  }

  /// What the forward pass would have left: O, rounded, and the sums.
  void forward() {
    std::vector<float> FloatQ = floats(Q), FloatK = floats(K),
                       FloatV = floats(V);
    parallelFor(Shape.sizeLSE(), [&](size_t I) {
      int Row = I % Shape.SeqQ, Head = I / Shape.SeqQ % Shape.Heads;
      int B = I / Shape.SeqQ / Shape.Heads;
      Weights W(Shape, FloatQ.data(), FloatK.data(), B, Row, Head);
      LSE[I] = W.LSE;
      for (int D = 0; D != Dim; ++D) {
        double Sum = 0;
        for (size_t J = 0; J != W.P.size(); ++J)
          Sum += W.P[J] * FloatV[Shape.rowKV(B, J, Head) + D];
        O[Shape.rowQ(B, Row, Head) + D] = Element(float(Sum));
      }
    });
  }

  void upload() {
    Inputs.clear();
    for (const std::vector<Element> *Input : {&Q, &K, &V, &O, &DO})
      Inputs.push_back(std::make_unique<Buffer<Element>>(*Input));
    DeviceLSE = std::make_unique<Buffer<float>>(LSE);
    setForward(Params, Shape,
               {Inputs[0]->data(), Inputs[1]->data(), Inputs[2]->data(),
                Inputs[3]->data(), DeviceLSE->data(), nullptr});
    Params.seqlen_q_rounded = RoundedQ;
    Params.seqlen_k_rounded = roundUp(Shape.SeqKV, 128);
    Params.do_ptr = Inputs[4]->data();
    Params.dq_ptr = DQ.data();
    Params.dk_ptr = DK.data();
    Params.dv_ptr = DV.data();
    Params.do_row_stride = Params.dq_row_stride = Params.q_row_stride;
    Params.dk_row_stride = Params.dv_row_stride = Params.k_row_stride;
    Params.do_head_stride = Params.dq_head_stride = Params.dk_head_stride =
        Params.dv_head_stride = Dim;
    Params.do_batch_stride = Params.dq_batch_stride = Params.q_batch_stride;
    Params.dk_batch_stride = Params.dv_batch_stride = Params.k_batch_stride;
    Params.dq_accum_ptr = DQAccumulator.data();
    Params.softmax_lse_log2_ptr = LSELog2.data();
    Params.dsoftmax_sum = DPsum.data();
  }

  /// dV = P^T dO; dS = P (dO V^T - rowsum(O dO)); dQ = dS K; dK = dS^T Q, the
  /// latter two scaled. P and dS are rounded to the element's type; the sums in
  /// dS are off by some bits of their magnitudes, as the scores are.
  void gradients(int B, int Head, Gradients &Wanted) {
    Rounding R = roundingOf<Element>();
    std::vector<float> FloatQ = floats(Q), FloatK = floats(K),
                       FloatV = floats(V), FloatO = floats(O),
                       FloatDO = floats(DO);
    double Scale = Shape.scale();
    for (int Row = 0; Row != Shape.SeqQ; ++Row) {
      Weights W(Shape, FloatQ.data(), FloatK.data(), B, Row, Head);
      size_t QRow = Shape.rowQ(B, Row, Head);
      double Sum = dot(&FloatO[QRow], &FloatDO[QRow], Dim);
      double Size = magnitude(&FloatO[QRow], &FloatDO[QRow], Dim);
      for (size_t J = 0; J != W.P.size(); ++J) {
        size_t KRow = Shape.rowKV(B, J, Head);
        double P = W.P[J], PError = P * (2 * W.ScoreError + 0x1p-20);
        double DP = dot(&FloatDO[QRow], &FloatV[KRow], Dim);
        double DS = P * (DP - Sum);
        double DSError =
            PError * std::abs(DP - Sum) +
            P * 0x1p-20 *
                (magnitude(&FloatDO[QRow], &FloatV[KRow], Dim) + Size) +
            std::abs(DS) * R.Relative + R.Absolute;
        PError += P * R.Relative + R.Absolute;
        for (int D = 0; D != Dim; ++D) {
          add(Wanted.DV[KRow + D], P, PError, FloatDO[QRow + D]);
          add(Wanted.DQ[QRow + D], DS * Scale, DSError * Scale,
              FloatK[KRow + D]);
          add(Wanted.DK[KRow + D], DS * Scale, DSError * Scale,
              FloatQ[QRow + D]);
        }
      }
    }
    for (int D = 0; D != Dim; ++D) {
      for (int Row = 0; Row != Shape.SeqQ; ++Row)
        roundResult(Wanted.DQ[Shape.rowQ(B, Row, Head) + D], R);
      for (int Row = 0; Row != Shape.SeqKV; ++Row) {
        roundResult(Wanted.DK[Shape.rowKV(B, Row, Head) + D], R);
        roundResult(Wanted.DV[Shape.rowKV(B, Row, Head) + D], R);
      }
    }
  }

  static void add(Expected &Sum, double Factor, double Error, double Value) {
    Sum.Value += Factor * Value;
    // The sum itself is formed in f32.
    Sum.Allowed += (Error + std::abs(Factor) * 0x1p-20) * std::abs(Value);
  }

  static void roundResult(Expected &Sum, Rounding R) {
    Sum.Allowed += std::abs(Sum.Value) * R.Relative + R.Absolute;
  }

  Attention Shape;
  int RoundedQ;
  std::mt19937_64 Generator;
  std::vector<Element> Q, K, V, DO, O;
  std::vector<float> LSE;
  std::vector<std::unique_ptr<Buffer<Element>>> Inputs;
  std::unique_ptr<Buffer<float>> DeviceLSE;
  Buffer<Element> DQ, DK, DV;
  Buffer<float> LSELog2, DPsum, DQAccumulator;
  Flash_bwd_params Params{};
};

template <typename Element, int Dim, bool Causal>
bool run(const char *Name, const Options &Arguments, int SeqQ, int SeqKV) {
  using CaseT = Case<Element, Dim, Causal>;
  Attention Small{2, 4, 4, SeqQ, SeqKV, Dim, Causal};
  Comparison Result = CaseT(Small, Arguments).compare();
  int Heads = 2048 / Dim;
  Attention Large{1, Heads, Heads, 8192, 8192, Dim, Causal};
  double Time = 0;
  if (Arguments.Rounds)
    Time = CaseT(Large, Arguments).time(Arguments.Rounds);
  // Five matrix products, where the forward pass has two.
  return report(Name, Result, Time, 2.5 * Large.operations());
}

} // namespace

int main(int Argc, char **Argv) {
  Options Arguments(Argc, Argv);
  bool Right = true;
  Right &= run<cutlass::half_t, 128, false>("f16, dimension 128", Arguments,
                                            400, 520);
  Right &= run<cutlass::half_t, 128, true>("f16, dimension 128, causal",
                                           Arguments, 400, 520);
  Right &= run<cutlass::bfloat16_t, 64, false>("bf16, dimension 64", Arguments,
                                               400, 520);
  return Right ? 0 : 1;
}
