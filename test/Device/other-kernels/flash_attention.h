//===- flash_attention.h - FlashAttention-3's parameters, and a reference -===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_ATTENTION_H
#define NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_ATTENTION_H

#include "harness.h"

#include "cutlass/numeric_types.h"
#include "flash.h"

namespace harness {

/// The shape of an attention. Tensors are [batch][sequence][head][dimension].
struct Attention {
  int Batch, Heads, HeadsKV, SeqQ, SeqKV, Dim;
  bool Causal = false;
  float Softcap = 0;

  float scale() const { return 1 / std::sqrt(float(Dim)); }
  size_t sizeQ() const { return size_t(Batch) * SeqQ * Heads * Dim; }
  size_t sizeKV() const { return size_t(Batch) * SeqKV * HeadsKV * Dim; }
  size_t sizeLSE() const { return size_t(Batch) * Heads * SeqQ; }
  /// How many keys a row sees: the last row sees all of them.
  int keys(int Row) const {
    return Causal ? std::max(0, std::min(SeqKV, Row + 1 + SeqKV - SeqQ))
                  : SeqKV;
  }
  size_t rowQ(int B, int Row, int Head) const {
    return ((size_t(B) * SeqQ + Row) * Heads + Head) * Dim;
  }
  size_t rowKV(int B, int Row, int Head) const {
    return ((size_t(B) * SeqKV + Row) * HeadsKV + Head / (Heads / HeadsKV)) *
           Dim;
  }
  size_t rowLSE(int B, int Row, int Head) const {
    return (size_t(B) * Heads + Head) * SeqQ + Row;
  }
  /// The usual count of a forward pass: two matrix products.
  double operations() const {
    double Pairs = double(SeqQ) * SeqKV * (Causal ? 0.5 : 1);
    return 4 * Pairs * Dim * Heads * Batch;
  }
};

/// What the forward pass reads and writes.
struct ForwardPointers {
  void *Q, *K, *V, *O;
  float *LSE;
  /// Where a scheduler counts tiles, from 0.
  int *Counter;
};

inline void setForward(Flash_fwd_params &Params, const Attention &Shape,
                       const ForwardPointers &Pointers) {
  Params.q_ptr = Pointers.Q;
  Params.k_ptr = Pointers.K;
  Params.v_ptr = Pointers.V;
  Params.o_ptr = Pointers.O;
  Params.softmax_lse_ptr = Pointers.LSE;
  Params.tile_count_semaphore = Pointers.Counter;
  Params.q_head_stride = Params.k_head_stride = Params.v_head_stride =
      Params.o_head_stride = Shape.Dim;
  Params.q_row_stride = Params.o_row_stride = int64_t(Shape.Heads) * Shape.Dim;
  Params.k_row_stride = Params.v_row_stride =
      int64_t(Shape.HeadsKV) * Shape.Dim;
  Params.q_batch_stride = Params.o_batch_stride =
      Shape.SeqQ * Params.q_row_stride;
  Params.k_batch_stride = Params.v_batch_stride =
      Shape.SeqKV * Params.k_row_stride;
  Params.v_dim_stride = 1;
  Params.b = Params.b_k = Shape.Batch;
  Params.h = Shape.Heads;
  Params.h_k = Shape.HeadsKV;
  Params.seqlen_q = Shape.SeqQ;
  Params.seqlen_k = Shape.SeqKV;
  Params.d = Params.d_rounded = Params.dv = Params.dv_rounded = Shape.Dim;
  Params.scale_softmax = Shape.scale();
  Params.softcap = Shape.Softcap;
  Params.is_causal = Shape.Causal;
  Params.window_size_left = Shape.SeqKV - 1;
  Params.window_size_right = Shape.Causal ? 0 : Shape.SeqQ - 1;
  Params.page_size = Params.num_splits = 1;
  Params.p_dropout = Params.rp_dropout = 1;
  Params.arch = 90;
  int Device;
  expectSuccess(cudaGetDevice(&Device), "cudaGetDevice");
  expectSuccess(cudaDeviceGetAttribute(&Params.num_sm,
                                       cudaDevAttrMultiProcessorCount, Device),
                "cudaDeviceGetAttribute");
}

/// Half a unit in the last place of a number of magnitude 1, and of the
/// smallest numbers: how far rounding is off.
struct Rounding {
  double Relative, Absolute;
};

template <typename T> Rounding roundingOf() {
  if (std::is_same_v<T, cutlass::half_t>)
    return {0x1p-11, 0x1p-25};
  if (std::is_same_v<T, cutlass::bfloat16_t>)
    return {0x1p-8, 0x1p-134};
  static_assert(std::is_same_v<T, cutlass::half_t> ||
                std::is_same_v<T, cutlass::bfloat16_t> ||
                std::is_same_v<T, cutlass::float_e4m3_t>);
  return {0x1p-4, 0x1p-10};
}

template <typename Element>
std::vector<float> floats(const std::vector<Element> &Values) {
  return std::vector<float>(Values.begin(), Values.end());
}

inline double dot(const float *A, const float *B, int Count) {
  double Sum = 0;
  for (int I = 0; I != Count; ++I)
    Sum += double(A[I]) * B[I];
  return Sum;
}

/// The sum of the magnitudes of the products.
inline double magnitude(const float *A, const float *B, int Count) {
  double Sum = 0;
  for (int I = 0; I != Count; ++I)
    Sum += std::abs(double(A[I]) * B[I]);
  return Sum;
}

/// A row of scores as a weight for each key, and how far they may be off.
struct Weights {
  std::vector<double> P;
  double LSE;
  /// The largest error of a score.
  double ScoreError = 0;

  /// \p SumError is what a tensor core's sum loses of its magnitudes.
  Weights(const Attention &Shape, const float *Q, const float *K, int B,
          int Row, int Head, double SumError = 0x1p-20)
      : SumError(SumError) {
    int Keys = Shape.keys(Row);
    P.resize(Keys);
    for (int J = 0; J != Keys; ++J)
      P[J] = score(Shape, Q + Shape.rowQ(B, Row, Head),
                   K + Shape.rowKV(B, J, Head));
    double Most = *std::max_element(P.begin(), P.end());
    double Sum = 0;
    for (double &Score : P)
      Sum += Score = std::exp(Score - Most);
    for (double &Weight : P)
      Weight /= Sum;
    LSE = Most + std::log(Sum);
  }

private:
  double SumError;

  double score(const Attention &Shape, const float *Q, const float *K) {
    // Tensor cores add with a few bits less than an f32 has. The scale, the
    // exponential's approximation and its argument, a difference, are in f32.
    double Score = dot(Q, K, Shape.Dim) * Shape.scale();
    double Error = magnitude(Q, K, Shape.Dim) * Shape.scale() * SumError +
                   (std::abs(Score) + 1) * 0x1p-20;
    if (Shape.Softcap) {
      // tanh.approx.f32 has 11 bits.
      Score = Shape.Softcap * std::tanh(Score / Shape.Softcap);
      Error += std::abs(Score) * 0x1p-10;
    }
    ScoreError = std::max(ScoreError, Error);
    return Score;
  }
};

} // namespace harness

#endif // NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_ATTENTION_H
