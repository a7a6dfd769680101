// What the rounds of a user's loop add to its accumulator, on top of wgmma_asm.h.

#ifndef WGMMA_ROUNDS_H
#define WGMMA_ROUNDS_H

#include "wgmma_asm.h"

struct Arguments {
  float *Out;
  const float *In;
  uint64_t A, B;
  int N, M;
};

/// What a round adds to Part: without it where IsFirst.
struct One {
  static __device__ __forceinline__ void issue(float (&Part)[8], const Arguments &Args, int K, bool IsFirst) {
    multiplyIf(Part, Args.A + K, Args.B + K, !IsFirst);
  }
};
struct Some {
  static __device__ __forceinline__ void issue(float (&Part)[8], const Arguments &Args, int K, bool IsFirst) {
    for (int I = 0; I < Args.M; ++I)
      multiplyIf(Part, Args.A + 4 * K + I, Args.B + I, I != 0 || !IsFirst);
  }
};

#endif // WGMMA_ROUNDS_H
