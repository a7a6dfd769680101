// REQUIRES: nvptx-registered-target
// A wrong argument is a substitution that fails, not an error, where one may fail;
// and immediates may be of a class that converts to an integer.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90a -target-feature +ptx82 -fcuda-is-device -std=c++20 -fsyntax-only -verify %s
// expected-no-diagnostics

template <int N> using Vector = float __attribute__((ext_vector_type(N)));
template <int V> struct Int {
  constexpr operator int() const { return V; }
};

template <class T, int Selector = 0, int Scale = 1>
concept Accumulator = requires(T d) {
  __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(d, 1ul, 2ul, 3u, Selector, true,
                                           Scale, 1, 0, 0);
};

static_assert(Accumulator<Vector<4>>);
static_assert(Accumulator<Vector<128>>);
static_assert(!Accumulator<Vector<6>>);
static_assert(!Accumulator<Vector<132>>);
static_assert(!Accumulator<float>);
static_assert(Accumulator<Vector<4>, 1>);
static_assert(!Accumulator<Vector<4>, 2>);
static_assert(Accumulator<Vector<4>, 0, -1>);
static_assert(!Accumulator<Vector<4>, 0, 0>);

__attribute__((device)) Vector<4> constants(Vector<4> d, long a, long b,
                                            unsigned m) {
  d = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(
      d, a, b, m, Int<1>{}, true, Int<-1>{}, Int<1>{}, Int<0>{}, Int<1>{});
  __nvvm_wgmma_wait_group_sync_aligned(Int<0>{});
  return d;
}
