//===- kernel.h - Attention, forward, with TMA and wgmma --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// O = softmax(Q * K^T / sqrt(head)) * V, for each head of each batch. All four
// are Length rows of Head elements, one head after the other; with a causal
// mask row i sees rows 0 to i of K and V. Any length: TMA reads zeros beyond
// the end, which are masked, and writes nothing there.
//
// One thread of a block's first warpgroup starts copies: of a tile of Q, and of
// K and V, 64 or 128 rows at a time, to two rings. Each of the other
// warpgroups, two to four, has 64 rows of Q, and goes through the rows of K and
// V with weights relative to a maximum of the scores, so that no score is ever
// stored. While the tensor core multiplies the last weights by V, and the
// scores after them by K, the warpgroup computes new weights: both
// multiplications are started before the first one is waited for. The weights
// go from the sums' registers to the next multiplication's A. The warpgroups
// take turns to start, so that one computes while the tensor core works for
// another one.
//
// The maximum is that of the first scores of a row, up to 64 or 128. Whether
// later ones are far above it, the sum of their weights tells: then the scores
// are computed once more, and the maximum is raised.
//
// A Type says what the elements are:
//   Element                        f16 or bf16
//   scores<First>(S, Q, K)         one wgmma of 16 elements of the head
//   weigh(O, Weights, V)           one of 16 rows of V
//   pack(S)                        sums as elements
//
//===----------------------------------------------------------------------===//

#ifndef ATTENTION_KERNEL_H
#define ATTENTION_KERNEL_H

#include "schedule.h"

#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>
#include <nvptx_wgmma.h>

namespace attention {

namespace wgmma = nvptx::wgmma;
namespace tma = nvptx::tma;

/// What depends on the head and on how many warpgroups attend: their registers,
/// how many rows of K and V they go through at a time, and stages of a ring.
/// Fewer rows leave registers for one more warpgroup, which is better in the
/// long run; more rows at a time are done sooner. Schedule chooses by times as
/// measured on an H200: of 128 rows of K and V, in microseconds, with one
/// warpgroup at work, two, ...
template <int Head, int Warpgroups> struct Tuning;
template <> struct Tuning<128, 2> {
  using Registers = nvptx::register_split<24, 240, 240>;
  static constexpr int KeyRows = 128, Stages = 2;
  static constexpr double Microseconds[] = {1.06, 1.43};
};
template <> struct Tuning<128, 3> {
  using Registers = nvptx::register_split<24, 160, 160, 160>;
  static constexpr int KeyRows = 64, Stages = 4;
  static constexpr double Microseconds[] = {1.1, 1.58, 2.0};
};
template <> struct Tuning<64, 3> {
  using Registers = nvptx::register_split<32, 160, 160, 160>;
  static constexpr int KeyRows = 128, Stages = 3;
  static constexpr double Microseconds[] = {0.84, 1.17, 1.37};
};
template <> struct Tuning<64, 4> {
  using Registers = nvptx::register_split<32, 112, 112, 112, 112>;
  static constexpr int KeyRows = 64, Stages = 6;
  static constexpr double Microseconds[] = {0.95, 1.29, 1.5, 1.77};
};

/// Sizes that the host and the kernel agree on. All in rows of 128 bytes, of
/// which a row of the head has one or two.
template <int HeadSize, int Warpgroups>
struct Sizes : Tuning<HeadSize, Warpgroups> {
  using Tuning<HeadSize, Warpgroups>::KeyRows;
  using Tuning<HeadSize, Warpgroups>::Stages;
  static constexpr int Head = HeadSize, Consumers = Warpgroups;
  static constexpr int QRows = Consumers * 64;
  static constexpr int Boxes = Head / 64;

  static constexpr int QBox = QRows * 128, QBytes = Boxes * QBox;
  static constexpr int KeyBox = KeyRows * 128, KeyBytes = Boxes * KeyBox;
  static constexpr int OutBox = 64 * 128, OutBytes = Boxes * OutBox;
  static constexpr int SharedBytes =
      1024 + QBytes + 2 * Stages * KeyBytes + Consumers * OutBytes;
};

/// What the kernel is told.
struct Arguments {
  nvptx::tensor_map Q, K, V, O;
  Schedule Tiles;
  float Scale; ///< Of the scores, times log2(e).
};

template <class S> using Ring = nvptx::pipeline<S::Stages>;
template <class S> using Place = nvptx::pipeline_state<S::Stages>;

/// What the block's warps tell each other. Q has one stage, K and V a ring
/// each.
template <class S> struct Barriers {
  nvptx::pipeline<1> Q;
  Ring<S> K, V;
  /// Of each warpgroup, in even rounds and in odd ones: the last round in which
  /// scores were far above the maximum.
  int Excess[S::Consumers][2];
};

/// The block's shared memory.
template <class S> struct Shared {
  char *Start;

  __device__ explicit Shared(char *Dynamic)
      : Start(Dynamic + (-__cvta_generic_to_shared(Dynamic) & 1023)) {}
  __device__ char *q() const { return Start; }
  __device__ char *k(unsigned Stage) const {
    return Start + S::QBytes + Stage * S::KeyBytes;
  }
  __device__ char *v(unsigned Stage) const {
    return k(S::Stages) + Stage * S::KeyBytes;
  }
  __device__ char *o(int Consumer) const {
    return v(S::Stages) + Consumer * S::OutBytes;
  }
};

/// Starts copying rows of one head.
template <class S>
__device__ void loadRows(const nvptx::tensor_map &Map, char *To, int BoxBytes,
                         nvptx::mbarrier &Full, int Row, int HeadIndex) {
#pragma unroll
  for (int Box = 0; Box < S::Boxes; ++Box)
    tma::load(To + Box * BoxBytes, Full, Map, Box * 64, Row, HeadIndex);
}

/// One thread: starts all copies of this block, for each tile from the last
/// rows of K and V to the first.
template <class S, bool IsCausal>
__device__ void produce(const Arguments &Args, Barriers<S> &Bars,
                        Shared<S> Memory) {
  const Schedule &Tiles = Args.Tiles;
  tma::prefetch_map(Args.Q);
  tma::prefetch_map(Args.K);
  tma::prefetch_map(Args.V);
  // From here on memory is read, and later written, that the kernel before this
  // one may still use.
  __nvvm_griddepcontrol_wait();
  nvptx::pipeline_state<1> QAt;
  Place<S> At; // Of K and of V.
  for (int I = blockIdx.x; I < Tiles.count(); I += gridDim.x, QAt.advance()) {
    Schedule::Tile Tile = Tiles.at<IsCausal>(I);
    Bars.Q.producer_acquire(QAt, S::QBytes);
    loadRows<S>(Args.Q, Memory.q(), S::QBox, Bars.Q.full[0], Tile.Row,
                Tile.Head);
    for (int J = Tiles.keyTiles<IsCausal>(Tile, S::KeyRows) - 1; J >= 0; --J) {
      Bars.K.producer_acquire(At, S::KeyBytes);
      loadRows<S>(Args.K, Memory.k(At.stage), S::KeyBox, Bars.K.full[At.stage],
                  J * S::KeyRows, Tile.Head);
      Bars.V.producer_acquire(At, S::KeyBytes);
      loadRows<S>(Args.V, Memory.v(At.stage), S::KeyBox, Bars.V.full[At.stage],
                  J * S::KeyRows, Tile.Head);
      At.advance();
    }
  }
}

/// The largest, or the sum, of what the four threads of a row have.
__device__ inline float maxOfRow(float X) {
  X = fmaxf(X, __shfl_xor_sync(~0u, X, 1));
  return fmaxf(X, __shfl_xor_sync(~0u, X, 2));
}
__device__ inline float sumOfRow(float X) {
  X += __shfl_xor_sync(~0u, X, 1);
  return X + __shfl_xor_sync(~0u, X, 2);
}

/// A thread's two rows: the score that weights are relative to, and the sum of
/// its own weights.
struct Softmax {
  float Max[2] = {-INFINITY, -INFINITY};
  float Sum[2] = {0, 0};

  /// Raises the maximum to that of the scores \p S. Sums until now must be
  /// multiplied by \p Factor, of each row; this one's are.
  template <class Scores>
  __device__ void raise(const Scores &S, float Scale, float (&Factor)[2]) {
    float Largest[2] = {Max[0], Max[1]};
    wgmma::static_for<sizeof(Scores) / sizeof(float)>([&](auto R) {
      Largest[R() / 2 % 2] = fmaxf(Largest[R() / 2 % 2], S[R()]);
    });
#pragma unroll
    for (int Row = 0; Row < 2; ++Row) {
      Largest[Row] = maxOfRow(Largest[Row]);
      Factor[Row] = __nvvm_ex2_approx_ftz_f((Max[Row] - Largest[Row]) * Scale);
      Max[Row] = Largest[Row];
      Sum[Row] *= Factor[Row];
    }
  }

  /// Makes weights of the scores \p S, and adds them up in \p Part. Returns
  /// whether all are small enough for f16, and for what is added to them.
  template <class Scores>
  __device__ bool weigh(Scores &S, float Scale, float (&Part)[2]) const {
    constexpr float Most = 0x1p13f;
    float Scaled[2] = {Max[0] * Scale, Max[1] * Scale};
    Part[0] = Part[1] = 0;
    wgmma::static_for<sizeof(Scores) / sizeof(float)>([&](auto R) {
      constexpr int Row = R() / 2 % 2;
      S[R()] = __nvvm_ex2_approx_ftz_f(fmaf(S[R()], Scale, -Scaled[Row]));
      Part[Row] += S[R()];
    });
    return fmaxf(Part[0], Part[1]) <= Most;
  }

  __device__ void add(const float (&Part)[2]) {
    Sum[0] += Part[0];
    Sum[1] += Part[1];
  }
};

/// A warpgroup: attends to 64 rows of Q.
template <class Type, class S, bool IsCausal> struct Consumer {
  static constexpr int Head = S::Head;
  using Scores = wgmma::accumulator_f32<S::KeyRows>;
  using Output = wgmma::accumulator_f32<Head>;
  /// A weight of each row of K and V: A of four or eight multiplications.
  static constexpr int Steps = S::KeyRows / 16;
  struct Weights {
    wgmma::a_fragment Part[Steps];
  };

  Barriers<S> &Bars;
  Shared<S> Memory;
  int Index, Thread;
  nvptx::pipeline_state<1> QAt = {};
  Place<S> KAt = {}, VAt = {};
  int Round = 0; ///< Of all tiles.

  /// Starts the scores of a tile of K that has come.
  __device__ void startScores(Scores &Sum) {
    unsigned long Q = wgmma::descriptor(Memory.q() + Index * 64 * 128, 16, 1024,
                                        wgmma::swizzle::bytes_128);
    unsigned long K = wgmma::descriptor(Memory.k(KAt.stage), 16, 1024,
                                        wgmma::swizzle::bytes_128);
    wgmma::fence();
    wgmma::static_for<Head / 16>([&](auto Step) {
      constexpr int Box = Step() / 4, Byte = Step() % 4 * 32;
      Type::template scores<Step() == 0>(
          Sum, wgmma::advance(Q, Box * S::QBox + Byte),
          wgmma::advance(K, Box * S::KeyBox + Byte));
    });
    wgmma::commit_group();
  }

  /// Starts multiplying weights by the rows of V, once they have come. V has
  /// the head's elements as neighbours: 64 of them in a line, the next 64 in
  /// the next box; eight rows are 1024 bytes.
  __device__ void startOutput(Output &Sum, Weights &W) {
    Bars.V.consumer_wait(VAt);
    unsigned long V = wgmma::descriptor(Memory.v(VAt.stage), S::KeyBox, 1024,
                                        wgmma::swizzle::bytes_128);
    wgmma::fence();
    wgmma::static_for<Steps>([&](auto Step) {
      Type::weigh(Sum, W.Part[Step()], wgmma::advance(V, Step() * 2 * 1024));
    });
    wgmma::commit_group();
  }

  static __device__ void pack(Weights &W, const Scores &Sum) {
    auto Packed = Type::pack(Sum);
    wgmma::static_for<Steps>([&](auto Step) {
      W.Part[Step()] = wgmma::as_a_fragment<Step()>(Packed);
    });
  }
  static __device__ void fenceWeights(Weights &W) {
    wgmma::static_for<Steps>(
        [&](auto Step) { wgmma::fence_operand(W.Part[Step()]); });
  }

  /// All threads of this warpgroup.
  __device__ void sync() {
    __nvvm_barrier_cta_sync_aligned_count(1 + Index, 128);
  }

  /// The named barrier by which it is a warpgroup's turn.
  static constexpr int FirstTurn = 1 + S::Consumers;
  __device__ void waitForTurn(int Active) {
    if (Active > 1)
      __nvvm_barrier_cta_sync_aligned_count(FirstTurn + Index, 256);
  }
  __device__ void passTurn(int Active) {
    if (Active > 1)
      __nvvm_barrier_cta_arrive_aligned_count(FirstTurn + (Index + 1) % Active,
                                              256);
  }

  /// Gives a stage back.
  template <class AnyRing, class AnyPlace>
  __device__ void release(AnyRing &Full, AnyPlace &At) {
    if (Thread == 0)
      Full.consumer_release(At);
    At.advance();
  }

  /// Hides the scores of columns that a row does not see: beyond the end, and
  /// above the diagonal.
  __device__ void mask(Scores &Sum, int FirstRow, int FirstColumn, int Length) {
    if (!IsCausal && FirstColumn + S::KeyRows <= Length)
      return;
    wgmma::for_each_element<S::KeyRows / 2>(
        Thread, [&](auto R, int Row, int Column) {
          int Last = IsCausal ? min(FirstRow + Row, Length - 1) : Length - 1;
          if (FirstColumn + Column > Last)
            Sum[R()] = -INFINITY;
        });
  }

  /// Stores the rows of O, by way of shared memory.
  __device__ void store(const nvptx::tensor_map &O, Output &Sum, Softmax &State,
                        int Row, int HeadIndex) {
    float Inverse[2] = {1 / sumOfRow(State.Sum[0]), 1 / sumOfRow(State.Sum[1])};
    wgmma::static_for<Head / 2>(
        [&](auto R) { Sum[R()] *= Inverse[R() / 2 % 2]; });
    auto Packed = Type::pack(Sum);
    char *Out = Memory.o(Index);
    if (Thread == 0)
      tma::wait_group_read<0>();
    sync();
    wgmma::static_for<S::Boxes>([&](auto Box) {
      wgmma::store_box<wgmma::swizzle::bytes_128, Box() * 64>(
          Out + Box() * S::OutBox, Packed, Thread);
    });
    wgmma::fence_proxy_async();
    sync();
    if (Thread == 0) {
      for (int Box = 0; Box < S::Boxes; ++Box)
        tma::store(O, Out + Box * S::OutBox, Box * 64, Row, HeadIndex);
      tma::commit_group();
    }
  }

  /// Leaves out rows of K and V that no row of this warpgroup sees, but others
  /// of the block do. Those which start something at all take their turns.
  __device__ void skip(int KeyTiles, int Active) {
    for (; KeyTiles > 0; --KeyTiles) {
      Bars.K.consumer_wait(KAt);
      Bars.V.consumer_wait(VAt);
      // Elsewhere a wgmma tells that all warps have seen that a stage is full.
      sync();
      release(Bars.K, KAt);
      release(Bars.V, VAt);
      waitForTurn(Active);
      passTurn(Active);
    }
  }

  /// Tells the warpgroup that a thread has weights that are too large. All of
  /// it waits in exceeds(), with which it asks for that, and ends the round.
  __device__ void tellExcess() { Bars.Excess[Index][Round % 2] = Round; }
  __device__ bool exceeds() {
    sync();
    int Last = Round++;
    return Bars.Excess[Index][Last % 2] == Last;
  }

  /// The weights of a tile of K that is still there, once more.
  __device__ void weighAgain(Scores &Sum, Output &Out, Softmax &State,
                             float Scale, float (&Part)[2]) {
    wgmma::fence_operand(Sum);
    startScores(Sum);
    wgmma::wait_group<0>();
    wgmma::fence_operand(Sum);
    float Factor[2];
    State.raise(Sum, Scale, Factor);
    wgmma::static_for<Head / 2>(
        [&](auto R) { Out[R()] *= Factor[R() / 2 % 2]; });
    State.weigh(Sum, Scale, Part);
  }

  /// The 64 rows from \p Row on, which see something.
  __device__ void attend(const Arguments &Args, int Row, int HeadIndex,
                         int KeyTiles, int Active) {
    Scores Sum = {};
    Output Out = {};
    Weights W;
    Softmax State;
    float Part[2], Factor[2];

    Bars.K.consumer_wait(KAt);
    wgmma::fence_operand(Sum);
    startScores(Sum);
    wgmma::wait_group<0>();
    wgmma::fence_operand(Sum);
    release(Bars.K, KAt);
    mask(Sum, Row, (KeyTiles - 1) * S::KeyRows, Args.Tiles.Length);
    State.raise(Sum, Args.Scale, Factor);
    State.weigh(Sum, Args.Scale, Part);
    State.add(Part);
    pack(W, Sum);

    if (KeyTiles > 1)
      Bars.K.consumer_wait(KAt);
    for (int J = KeyTiles - 2; J >= 0; --J) {
      wgmma::fence_operand(Sum);
      wgmma::fence_operand(Out);
      fenceWeights(W);
      waitForTurn(Active);
      startScores(Sum);
      startOutput(Out, W);
      passTurn(Active);
      wgmma::wait_group<1>();
      wgmma::fence_operand(Sum);
      if (!State.weigh(Sum, Args.Scale, Part))
        tellExcess();
      // Here, between the new weights' computation and the wait for the last
      // ones' product: ptxas has moved the first to after the second.
      Place<S> Next = KAt;
      Next.advance();
      if (J > 0)
        Bars.K.consumer_wait(Next);
      wgmma::wait_group<0>();
      wgmma::fence_operand(Out);
      fenceWeights(W);
      release(Bars.V, VAt);
      if (exceeds())
        weighAgain(Sum, Out, State, Args.Scale, Part);
      release(Bars.K, KAt);
      State.add(Part);
      pack(W, Sum);
    }
    // No score of this tile is still to come.
    release(Bars.Q, QAt);

    wgmma::fence_operand(Out);
    fenceWeights(W);
    startOutput(Out, W);
    wgmma::wait_group<0>();
    wgmma::fence_operand(Out);
    fenceWeights(W);
    release(Bars.V, VAt);
    store(Args.O, Out, State, Row, HeadIndex);
  }

  /// All rows of this warpgroup in a tile, if there are any.
  __device__ void attendIn(const Arguments &Args, Schedule::Tile Tile) {
    const Schedule &Tiles = Args.Tiles;
    int Row = Tile.Row + Index * 64;
    int KeyTiles = Tiles.keyTiles<IsCausal>(Tile, S::KeyRows);
    Bars.Q.consumer_wait(QAt);
    if (Row >= Tile.End) {
      skip(KeyTiles, /*Active=*/0);
      release(Bars.Q, QAt);
      return;
    }
    int Active = Tile.warpgroups();
    int Seen = IsCausal ? Row / S::KeyRows + 1 : KeyTiles;
    skip(KeyTiles - Seen, Active);
    attend(Args, Row, Tile.Head, Seen, Active);
  }

  __device__ void run(const Arguments &Args) {
    // It is the first one's turn, and so it is again after each tile.
    if (Index == S::Consumers - 1)
      passTurn(S::Consumers);
    for (int I = blockIdx.x; I < Args.Tiles.count(); I += gridDim.x)
      attendIn(Args, Args.Tiles.at<IsCausal>(I));
    if (Index == 0)
      waitForTurn(S::Consumers);
    if (Thread == 0)
      tma::wait_group_read<0>();
  }
};

/// As many blocks as the device runs at a time, with Sizes::SharedBytes of
/// dynamic shared memory.
template <class Type, class S, bool IsCausal>
__global__ void __launch_bounds__(S::Registers::threads, 1)
    attend(const __grid_constant__ Arguments Args) {
  extern __shared__ char Dynamic[];
  __shared__ Barriers<S> Bars;
  Shared<S> Memory(Dynamic);
  // The next kernel may start when a multiprocessor is free.
  __nvvm_griddepcontrol_launch_dependents();
  if (threadIdx.x == 0) {
    Bars.Q.init(/*producers=*/1, S::Consumers);
    Bars.K.init(/*producers=*/1, S::Consumers);
    Bars.V.init(/*producers=*/1, S::Consumers);
    nvptx::fence_mbarrier_init();
  }
  // No round is that.
  if (threadIdx.x < S::Consumers * 2)
    Bars.Excess[threadIdx.x / 2][threadIdx.x % 2] = -1;
  __syncthreads();

  // The shuffle tells the compiler that a warp agrees on it.
  const int Warpgroup = __shfl_sync(~0u, int(threadIdx.x) / 128, 0);
  if (Warpgroup == 0) {
    S::Registers::template reallocate<0>();
    if (threadIdx.x == 0)
      produce<S, IsCausal>(Args, Bars, Memory);
  } else {
    S::Registers::template reallocate<1>();
    Consumer<Type, S, IsCausal> C{Bars, Memory, Warpgroup - 1,
                                  int(threadIdx.x) % 128};
    C.run(Args);
  }
}

} // namespace attention

#endif // ATTENTION_KERNEL_H
