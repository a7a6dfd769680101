// Kernels as users write them, above -O0: ptxas serializes none of them, injects no
// wait, and the compiler adds none.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{check} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma && %ptxas-verify -arch=sm_90a %t.ptx
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -gline-tables-only
// RUN: %{check}

#include <cuda_fp16.h>
#include <nvptx_wgmma.h>

#include <cstdint>

using namespace nvptx::wgmma;

typedef uint32_t Fragment __attribute__((ext_vector_type(4)));
typedef float Sums64 __attribute__((ext_vector_type(64)));
typedef float Sums32 __attribute__((ext_vector_type(32)));
typedef int Halves16 __attribute__((ext_vector_type(16)));

template <class Sums> __device__ Sums multiply(Sums D, uint64_t A, uint64_t B, bool Scale) {
  return __nvvm_wgmma_mma_async_ss_f32_f16_f16(D, A, B, Scale, 1, 1, false, false);
}
template <class Sums> __device__ Sums multiply(Sums D, Fragment A, uint64_t B, bool Scale) {
  return __nvvm_wgmma_mma_async_rs_f32_f16_f16(D, A, B, Scale, 1, 1, false);
}
template <class Sums> __device__ void store(float *Out, Sums D) {
  for (int I = 0; I < int(sizeof(Sums) / 4); ++I)
    Out[I * 128 + threadIdx.x] = D[I];
}
__device__ Fragment load(const uint4 *A, int K) {
  uint4 V = A[K * 128 + threadIdx.x];
  return Fragment{V.x, V.y, V.z, V.w};
}
__device__ void convert(const Sums32 &S, Fragment (&P)[4]) {
  for (int K = 0; K < 4; ++K)
    for (int I = 0; I < 4; ++I) {
      __half2 Pair = __floats2half2_rn(S[8 * K + 2 * I], S[8 * K + 2 * I + 1]);
      P[K][I] = *reinterpret_cast<uint32_t *>(&Pair);
    }
}

// The A of the next step is loaded while this step multiplies.
__global__ void loadAhead(const uint4 *A, float *Out, uint64_t B, int N) {
  Sums64 D = {};
  Fragment Next = load(A, 0);
  for (int K = 1; K <= N; ++K) {
    fence_operand(D);
    fence();
    D = multiply(D, Next, B, true);
    commit_group();
    Next = load(A, K);
    wait_group<0>();
    fence_operand(D);
    B += 2;
  }
  store(Out, D);
}

// So are the metadata of a sparse A, and A itself.
__global__ void loadSparseAhead(const uint32_t *Metadata, const uint4 *A, float *Out, uint64_t B,
                                int N) {
  Sums64 D = {};
  uint32_t E = Metadata[threadIdx.x];
  Fragment Next = load(A, 0);
  for (int K = 1; K <= N; ++K) {
    fence_operand(D);
    fence();
    D = __nvvm_wgmma_mma_async_sp_rs_f32_f16_f16(D, Next, B, E, 0, true, 1, 1, false);
    commit_group();
    E = Metadata[K * 128 + threadIdx.x];
    Next = load(A, K);
    wait_group<0>();
    fence_operand(D);
    B += 4;
  }
  store(Out, D);
}

// The accumulator of one product is the A of the next.
__global__ void multiplyTwice(float *Out, uint64_t A, uint64_t B, uint64_t C, int N) {
  Sums64 D = {};
  for (int J = 0; J < N; ++J) {
    Halves16 S = {};
    fence_operand(S);
    fence();
    for (int K = 0; K < 4; ++K)
      S = __nvvm_wgmma_mma_async_ss_f16_f16_f16(S, A + 2 * K, B + 2 * K, K != 0, 1, 1, false,
                                                false);
    commit_group();
    wait_group<0>();
    fence_operand(S);
    fence_operand(D);
    fence();
    for (int K = 0; K < 4; ++K)
      D = multiply(D,
                   Fragment{uint32_t(S[4 * K]), uint32_t(S[4 * K + 1]), uint32_t(S[4 * K + 2]),
                            uint32_t(S[4 * K + 3])},
                   C + 128 * K, true);
    commit_group();
    wait_group<0>();
    fence_operand(D);
    B += 64;
    C += 64;
  }
  store(Out, D);
}

// Attention: the next scores are computed beside this step's output.
__global__ void attend(float *Out, uint64_t Q, uint64_t Keys, uint64_t Values, int N) {
  Sums64 D = {};
  Sums32 S = {};
  Fragment P[4];
  fence_operand(S);
  fence();
  for (int K = 0; K < 4; ++K)
    S = multiply(S, Q + 2 * K, Keys + 2 * K, K != 0);
  commit_group();
  wait_group<0>();
  fence_operand(S);
  for (int I = 0; I < 32; ++I)
    S[I] = exp2f(S[I]);
  convert(S, P);
  for (int J = 1; J < N; ++J) {
    Keys += 64;
    Sums32 T = {};
    fence_operand(T);
    fence_operand(D);
    fence();
    for (int K = 0; K < 4; ++K)
      T = multiply(T, Q + 2 * K, Keys + 2 * K, K != 0);
    commit_group();
    for (int K = 0; K < 4; ++K)
      D = multiply(D, P[K], Values + 128 * K, true);
    commit_group();
    wait_group<1>();
    fence_operand(T);
    for (int I = 0; I < 32; ++I)
      T[I] = exp2f(T[I]);
    wait_group<0>();
    fence_operand(D);
    convert(T, P);
    Values += 64;
  }
  fence_operand(D);
  fence();
  for (int K = 0; K < 4; ++K)
    D = multiply(D, P[K], Values + 128 * K, true);
  commit_group();
  wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// Sums of 8-bit floats are added up in registers of their own.
__global__ void promote(float *Out, uint64_t A, uint64_t B, int N) {
  Sums64 Sum = {};
  for (int J = 0; J < N; ++J) {
    Sums64 D = {};
    fence_operand(D);
    fence();
    for (int K = 0; K < 4; ++K)
      D = __nvvm_wgmma_mma_async_ss_f32_e4m3_e4m3(D, A + 2 * K, B + 2 * K, K != 0, 1, 1);
    commit_group();
    wait_group<0>();
    fence_operand(D);
    Sum += D;
    A += 64;
  }
  store(Out, Sum);
}

// Two accumulators and two groups in flight; tiles one after the other.
__global__ void persist(float *Out, uint64_t A, uint64_t B, int N, int Tiles) {
  for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
    Sums32 D = {}, E = {};
    for (int K = 0; K < N; ++K) {
      fence_operand(D);
      fence_operand(E);
      fence();
      D = multiply(D, A, B, true);
      E = multiply(E, A + 512, B, true);
      commit_group();
      wait_group<1>();
      A += 2;
      B += 2;
    }
    wait_group<0>();
    fence_operand(D);
    fence_operand(E);
    store(Out + Tile * 8192, D);
    store(Out + Tile * 8192 + 4096, E);
  }
}

// An element is masked, all are scaled now and then.
__global__ void maskAndScale(float *Out, uint64_t A, uint64_t B, int N, float Scale) {
  Sums32 D = {};
  for (int K = 0; K < N; ++K) {
    fence_operand(D);
    fence();
    D = multiply(D, A, B, true);
    commit_group();
    wait_group<0>();
    fence_operand(D);
    if (K % 4 == 3)
      D *= Scale;
    if (K == N - 1)
      for (int I = 0; I < 32; ++I)
        D[I] = I + int(threadIdx.x) > N ? -1e30f : D[I];
    A += 2;
  }
  store(Out, D);
}

// A product for each round, which ends in the middle of the loop.
template <class Sums> __device__ void products(const float *C, float *Out, uint64_t A, uint64_t B, int N) {
  for (int K = 0;; ++K) {
    Sums D = {};
    if (C)
      for (int I = 0; I < int(sizeof(Sums) / 4); ++I)
        D[I] = C[I * 128 + threadIdx.x];
    fence_operand(D);
    fence();
    D = multiply(D, A + 2 * K, B, true);
    commit_group();
    wait_group<0>();
    fence_operand(D);
    store(Out + K * 8192, D);
    if (K >= N)
      break;
    __syncthreads();
  }
}
__global__ void products32(float *Out, uint64_t A, uint64_t B, int N) { products<Sums32>(nullptr, Out, A, B, N); }
__global__ void products64(float *Out, uint64_t A, uint64_t B, int N) { products<Sums64>(nullptr, Out, A, B, N); }
__global__ void sums64(const float *C, float *Out, uint64_t A, uint64_t B, int N) { products<Sums64>(C, Out, A, B, N); }

__device__ void startScores(Sums32 &S, uint64_t Q, uint64_t K) {
  fence_operand(S);
  fence();
  for (int I = 0; I < 4; ++I)
    S = multiply(S, Q + 2 * I, K + 2 * I, I != 0);
  commit_group();
}
__device__ void startOutput(Sums64 &O, Fragment (&P)[4], uint64_t V) {
  fence_operand(O);
  fence();
  for (int I = 0; I < 4; ++I)
    O = multiply(O, P[I], V + 128 * I, true);
  commit_group();
}
__device__ void weigh(Sums32 &S, Fragment (&P)[4]) {
  fence_operand(S);
  for (int I = 0; I < 32; ++I)
    S[I] = S[I] * 0.5f + 1;
  convert(S, P);
}

// A pipeline without a prologue or an epilogue: conditions tell the first round and
// the last one.
__global__ void pipeline(float *Out, uint64_t Q, uint64_t K, uint64_t V, int N) {
  Sums32 S;
  Sums64 O = {};
  Fragment Weights[4] = {}, Next[4] = {};
  for (int I = 0; I <= N; ++I) {
    if (I < N)
      startScores(S, Q, K + 512 * I);
    if (I > 0)
      startOutput(O, Weights, V + 512 * (I - 1));
    if (I > 0 && I < N)
      wait_group<1>();
    else
      wait_group<0>();
    if (I < N)
      weigh(S, Next);
    wait_group<0>();
    fence_operand(O);
    for (int J = 0; J < 4; ++J)
      Weights[J] = Next[J];
  }
  store(Out, O);
}

// The last round starts no scores for the next one.
__global__ void startNext(float *Out, uint64_t Q, uint64_t K, uint64_t V, int N) {
  Sums32 S;
  Sums64 O = {};
  Fragment Weights[4];
  if (N > 0)
    startScores(S, Q, K);
  for (int I = 0; I < N; ++I) {
    wait_group<0>();
    fence_operand(O);
    weigh(S, Weights);
    if (I + 1 < N)
      startScores(S, Q, K + 512 * (I + 1));
    startOutput(O, Weights, V + 512 * I);
  }
  wait_group<0>();
  fence_operand(O);
  store(Out, O);
}

// A flag tells the first round; rounds are counted down.
__global__ void countDown(float *Out, uint64_t Q, uint64_t K, uint64_t V, unsigned N) {
  Sums32 S;
  Sums64 O = {};
  Fragment Weights[4] = {}, Next[4] = {};
  bool IsFirst = true;
  for (unsigned I = N; I-- > 0;) {
    startScores(S, Q, K + 512 * I);
    if (!IsFirst)
      startOutput(O, Weights, V + 512 * (I + 1));
    if (IsFirst)
      wait_group<0>();
    else
      wait_group<1>();
    weigh(S, Next);
    wait_group<0>();
    fence_operand(O);
    for (int J = 0; J < 4; ++J)
      Weights[J] = Next[J];
    IsFirst = false;
  }
  store(Out, O);
}

// Tiles above the diagonal are skipped, and a gradient stays in flight from one tile to the next.
__global__ void skipTiles(float *Out, uint64_t Q, uint64_t K, uint64_t V, int Row, int Tiles) {
  Sums64 Keys = {}, Values = {};
  int Tile = 0;
  while (Tiles > 0) {
    while (Tiles > 0) {
      if (Row <= Tile * 64 + 64)
        break;
      --Tiles;
      ++Tile;
    }
    if (Tiles == 0)
      break;
    Sums32 S;
    Fragment Weights[4];
    fence_operand(S);
    fence();
    S = multiply(S, Q, K + 512 * Tile, false);
    commit_group();
    wait_group<0>();
    fence_operand(Keys);
    weigh(S, Weights);
    startOutput(Values, Weights, V + 512 * Tile);
    fence_operand(Keys);
    fence();
    Keys = multiply(Keys, Q, V, true);
    commit_group();
    wait_group<1>();
    fence_operand(Values);
    --Tiles;
    ++Tile;
  }
  __nanosleep(1);
  wait_group<0>();
  fence_operand(Keys);
  fence_operand(Values);
  store(Out, Keys);
  store(Out + 8192, Values);
}

template <class Sums> __device__ void addTo(Sums &D, uint64_t A, uint64_t B) {
  fence_operand(D);
  fence();
  D = multiply(D, A, B, true);
  commit_group();
}

// A list tells which tiles are needed; a flag whether one is in flight.
__global__ void listedTiles(float *Out, uint64_t A, uint64_t B, const int *List, int N) {
  Sums64 D = {};
  bool InFlight = false;
  for (int I = 0; I < N; ++I) {
    if (List[I] >= 0) {
      if (InFlight)
        wait_group<0>();
      addTo(D, A, B + 512 * List[I]);
      InFlight = true;
    }
    Out[I] = I;
  }
  if (InFlight)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// What is in flight is counted, and waited for by fours; the list tells what.
__global__ void countedTiles(float *Out, uint64_t A, uint64_t B, const int *List, int N) {
  Sums64 D = {};
  int Pending = 0;
  for (int I = 0; I < N; ++I) {
    addTo(D, A, B + 512 * List[I]);
    if (++Pending == 4) {
      wait_group<0>();
      Pending = 0;
    }
  }
  if (Pending)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// Each fourth round waits, and behind the loop their number tells whether the last has.
__global__ void foursAndRest(float *Out, uint64_t A, uint64_t B, unsigned N) {
  Sums64 D = {};
  for (unsigned I = 0; I < N; ++I) {
    addTo(D, A, B + 512 * I);
    if (I % 4 == 3)
      wait_group<0>();
  }
  if (N % 4)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// Work of two kinds: more to add, or the sums so far are stored.
__global__ void addOrStore(float *Out, uint64_t A, uint64_t B, const int *List) {
  Sums64 D = {};
  bool InFlight = false;
  for (int I = 0; int Kind = List[I]; ++I) {
    if (Kind == 1) {
      if (InFlight)
        wait_group<1>();
      addTo(D, A, B);
      InFlight = true;
    } else {
      if (InFlight)
        wait_group<0>();
      InFlight = false;
      fence_operand(D);
      store(Out + 8192 * I, D);
    }
  }
  if (InFlight)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// What has been started, if anything, depends on a number, and so does the wait.
__global__ void startByMode(float *Out, uint64_t A, uint64_t B, const int *Mode) {
  Sums64 D = {};
  const int Started = Mode[blockIdx.x];
  switch (Started) {
  case 2:
    addTo(D, A, B);
    break;
  case 5:
    addTo(D, B, A);
    break;
  default:
    break;
  }
  __nanosleep(1);
  if (Started == 2 || Started == 5)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// Either of two products may be needed, or both, or none.
__global__ void twoNeeds(float *Out, uint64_t A, uint64_t B, const bool *Needed) {
  Sums64 D = {}, E = {};
  const bool First = Needed[0], Second = Needed[1];
  if (First)
    addTo(D, A, B);
  if (Second)
    addTo(E, B, A);
  __nanosleep(1);
  if (First && Second)
    wait_group<1>();
  else if (First)
    wait_group<0>();
  if (First) {
    fence_operand(D);
    store(Out, D);
  }
  if (Second) {
    wait_group<0>();
    fence_operand(E);
    store(Out + 8192, E);
  }
}

// A number tells what each round does: a jump table would have the sums copied ahead of
// it.
__global__ void commands(float *Out, uint64_t A, uint64_t B, int N, const int *Kind) {
  Sums32 D = {};
  for (int I = 0; I < N; ++I)
    switch (Kind[I]) {
    case 0:
      wait_group<0>();
      break;
    case 1:
      addTo(D, A, B);
      break;
    case 2:
      addTo(D, B, A);
      break;
    case 3:
      Out[I] = 1;
      break;
    }
  wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// As many in flight as there may be, and all waited for when there are, or when there is
// nothing left to start.
__global__ void upToThree(float *Out, uint64_t A, uint64_t B, int N) {
  Sums64 D = {};
  int Left = N, InFlight = 0;
  while (Left > 0 || InFlight > 0) {
    if (Left > 0 && InFlight < 3) {
      addTo(D, A + Left, B);
      --Left;
      ++InFlight;
    } else {
      wait_group<0>();
      fence_operand(D);
      InFlight = 0;
    }
  }
  store(Out, D);
}

// The stage of the round before, if there was one, is given back.
__global__ void stages(float *Out, uint64_t A, uint64_t B, int N) {
  Sums32 D = {};
  int Stage = 0, Before = -1;
  for (int I = 0; I < N; ++I) {
    addTo(D, A + 128 * Stage, B);
    wait_group<1>();
    if (Before >= 0)
      Out[Before] = 1;
    Before = Stage;
    if (++Stage == 4)
      Stage = 0;
  }
  if (Before >= 0) {
    wait_group<0>();
    fence_operand(D);
    Out[Before] = 2;
  }
  store(Out, D);
}

// The last round waits for all, others for scores alone, and each stores those.
__global__ void lastOfTwo(float *Out, uint64_t A, uint64_t B, int N) {
  Sums32 Scores = {};
  Sums64 D = {};
  for (int I = 0; I < N; ++I) {
    addTo(Scores, A, B + I);
    addTo(D, A + I, B);
    if (I + 1 < N)
      wait_group<1>();
    else
      wait_group<0>();
    fence_operand(Scores);
    store(Out + 4096 * I, Scores);
  }
  fence_operand(D);
  store(Out, D);
}

// Each second round waits; the loop is unrolled by two.
__global__ void eachSecond(float *Out, uint64_t A, uint64_t B, int N) {
  Sums64 D = {};
  bool Odd = false;
  for (int I = 0; I < N; ++I) {
    addTo(D, A + I, B);
    Odd = !Odd;
    if (!Odd)
      wait_group<0>();
  }
  if (Odd)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// One or the other, or both: one wait for all that have started.
__global__ void anyOfTwo(float *Out, uint64_t A, uint64_t B, const int *Needed) {
  Sums64 D = {};
  int Count = 0;
  if (Needed[0]) {
    addTo(D, A, B);
    ++Count;
  }
  if (Needed[1]) {
    addTo(D, B, A);
    ++Count;
  }
  if (Count == 2)
    wait_group<1>();
  if (Count)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// What is no command ends the loop, whatever is in flight then.
__global__ void untilOther(float *Out, uint64_t A, uint64_t B, int N, const int *Kind) {
  Sums64 D = {};
  bool InFlight = false;
  for (int I = 0; I < N; ++I) {
    if (Kind[I] == 1)
      addTo(D, A, B);
    else if (Kind[I] == 2)
      addTo(D, B, A);
    else
      break;
    InFlight = true;
  }
  if (InFlight)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// The results are stored where they are asked for, if there are any.
__global__ void storeIfAsked(float *Out, uint64_t A, uint64_t B, int N, const int *Asked,
                             const int *Needed) {
  Sums64 D = {};
  bool InFlight = false;
  for (int I = 0; I < N; ++I) {
    if (InFlight && Asked[I]) {
      wait_group<0>();
      fence_operand(D);
      InFlight = false;
      store(Out + I * 8192, D);
    }
    if (Needed[I]) {
      addTo(D, A, B);
      InFlight = true;
    }
  }
  if (InFlight)
    wait_group<0>();
  fence_operand(D);
  store(Out, D);
}

// A bit tells whether a tile is needed, and any whether something is to be stored.
__global__ void maskedTiles(float *Out, uint64_t A, uint64_t B, int N, const int *Masks) {
  Sums64 D = {};
  for (int I = 0; I < N; ++I) {
    const int Mask = Masks[I];
    if (Mask & 1)
      addTo(D, A, B);
    if (Mask & 3) {
      wait_group<0>();
      fence_operand(D);
      Out[I * 128 + threadIdx.x] = D[0];
    }
  }
  store(Out, D);
}

// Registers are stored by pairs: SROA makes integers of 64 bits of them.
__device__ void addPairs(uint32_t (&D)[4], uint64_t A, uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+r"(D[0]), "+r"(D[1]), "+r"(D[2]), "+r"(D[3])
               : "l"(A), "l"(B));
}
__global__ void storePairs(uint2 *Out, uint64_t A, uint64_t B, int N) {
  uint32_t D[4] = {};
  for (int I = 0; I < N; ++I) {
    fence();
    addPairs(D, A + I * 64, B + I * 64);
    addPairs(D, A + I * 64 + 2, B + I * 64 + 2);
    commit_group();
    wait_group<1>();
  }
  wait_group<0>();
  const uint2 *Pairs = reinterpret_cast<uint2 *>(D);
  for (int I = 0; I < 2; ++I)
    Out[threadIdx.x * 2 + I] = Pairs[I];
}
__global__ void storePairsOfTwo(int2 *Out, uint64_t A, uint64_t B, int N) {
  uint32_t D[2][4] = {};
  while (N) {
#pragma unroll
    for (int S = 0; S < 2; ++S) {
      fence();
      for (int J = 0; J < 2; ++J) {
        addPairs(D[J], A + S * 64 + J * 512, B + S * 64);
        commit_group();
        wait_group<0>();
      }
      if (!--N)
        break;
    }
  }
  const int2 *Pairs = reinterpret_cast<int2 *>(D);
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = Pairs[I];
}
