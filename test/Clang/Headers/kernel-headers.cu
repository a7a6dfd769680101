// REQUIRES: nvptx-registered-target
// The headers of kernels: what each function issues, in CUDA, without a warning in
// each version of C++ that they are for.
// DEFINE: %{std} = c++17
// DEFINE: %{clang} = %clangxx -x cuda --cuda-gpu-arch=sm_90a --cuda-device-only -nocudainc -nocudalib -nogpulib -Xclang -target-feature -Xclang +ptx83 \
// DEFINE:   -std=%{std} -Wall -Wextra -Wpedantic -Werror %s
// RUN: %{clang} -O2 -S -o - | FileCheck %s
// REDEFINE: %{std} = c++20
// RUN: %{clang} -fsyntax-only
// REDEFINE: %{std} = c++23
// RUN: %{clang} -fsyntax-only

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __grid_constant__ __attribute__((grid_constant))

#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_sparse.h>
#include <nvptx_tma.h>

using namespace nvptx;

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

using shape = cluster::shape<4, 2>;
static_assert(shape::size == 8 && shape::rank(3, 1) == 7);
static_assert(shape::row_mask(0) == 0x0f && shape::row_mask(1) == 0xf0);
static_assert(shape::column_mask(0) == 0x11 && shape::column_mask(3) == 0x88);
static_assert(shape::all_mask() == 0xff);
static_assert(cluster::shape<16>::all_mask() == 0xffff);

// CHECK-LABEL: .entry clusters(
// CHECK:       mov.{{[bu]}}32 [[RANK:%r[0-9]+]], %cluster_ctarank;
// CHECK:       xor.b32 [[OTHER:%r[0-9]+]], [[RANK]], 1;
// CHECK:       mapa.u64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, [[OTHER]];
// CHECK:       barrier.cluster.arrive;
// CHECK-NEXT:  barrier.cluster.wait;
extern "C" __global__ void clusters(int *out) {
  __shared__ int value;
  int *other = cluster::map(&value, cluster::rank() ^ 1);
  *other = static_cast<int>(cluster::size());
  cluster::sync();
  *out = value;
}

//===----------------------------------------------------------------------===//
// mbarriers and TMA
//===----------------------------------------------------------------------===//

// CHECK-LABEL: .entry barriers(
// CHECK:       mov.b32 [[ONE:%r[0-9]+]], 1;
// CHECK-NEXT:  mbarrier.init.shared.b64 [{{.*}}], [[ONE]];
// CHECK:       mov.b32 [[FOUR:%r[0-9]+]], 4;
// CHECK-NEXT:  mbarrier.init.shared.b64 [{{.*}}], [[FOUR]];
// CHECK:       mbarrier.init.shared.b64 [{{.*}}], [[ONE]];
// CHECK:       mbarrier.init.shared.b64 [{{.*}}], [[FOUR]];
// CHECK-NEXT:  fence.mbarrier_init.release.cluster;
// CHECK-NEXT:  fence.proxy.async.shared::cta;
// CHECK:       mbarrier.try_wait.parity.shared.b64 {{%p[0-9]+}}, [{{.*}}], [[ONE]];
// CHECK:       mov.b32 [[BYTES:%r[0-9]+]], 512;
// CHECK-NEXT:  mbarrier.arrive.expect_tx.shared.b64 {{%rd[0-9]+}}, [{{.*}}], [[BYTES]];
// CHECK:       mbarrier.try_wait.parity.shared.b64
// CHECK:       mbarrier.arrive.shared.b64 {{%rd[0-9]+}}, [{{.*}}ring+24];
// CHECK:       mapa.shared::cluster.u64 [[REMOTE:%rd[0-9]+]], {{%rd[0-9]+}}, 1;
// CHECK:       mbarrier.arrive.shared::cluster.b64 _, [[[REMOTE]]], {{%r[0-9]+}};
// CHECK-NEXT:  mapa.shared::cluster.u64 [[REMOTE:%rd[0-9]+]], {{.*}}, 1;
// CHECK-NEXT:  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [[[REMOTE]]], {{%r[0-9]+}};
// CHECK:       mbarrier.try_wait.parity.acquire.cluster.shared.b64
// CHECK:       mbarrier.inval.shared.b64
extern "C" __global__ void barriers() {
  __shared__ pipeline<2> ring;
  ring.init(1, 4);
  fence_mbarrier_init();
  pipeline_state<2> at;
  at.advance();
  ring.producer_acquire(at, 512);
  ring.consumer_wait(at);
  ring.consumer_release(at);
  ring.consumer_release(at, 1);
  ring.full[0].arrive_at<scope::cluster>(1);
  ring.full[0].wait<scope::cluster>(1);
  ring.full[0].invalidate();
}

constexpr bool isRing() {
  pipeline_state<3> at;
  for (int i = 0; i != 20; ++i, at.advance())
    if (at.stage != i % 3u || at.phase != i / 3 % 2u)
      return false;
  return true;
}
static_assert(isRing());

// CHECK-LABEL: .entry copies(
// CHECK:       prefetch{{.*}}.tensormap [
// CHECK:       cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{{%r[0-9]+}}}], [
// CHECK:       cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{.*}}], [{{.*}}, {{{%r[0-9]+, %r[0-9]+}}}], [{{.*}}], %rd
// CHECK:       cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{{.*}}], %rs
// CHECK:       cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint
// CHECK:       cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], {{.*}}, [
// CHECK:       cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [
// CHECK:       cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [
// CHECK:       cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [
// CHECK:       cp.async.bulk.global.shared::cta.bulk_group [
// CHECK:       cp.async.bulk.commit_group;
// CHECK:       cp.async.bulk.wait_group.read 1;
// CHECK:       cp.async.bulk.wait_group 0;
extern "C" __global__ void copies(const __grid_constant__ tensor_map map, int x,
                                  char *memory) {
  __shared__ alignas(1024) char box[4096];
  __shared__ mbarrier full;
  constexpr auto first = tma::cache_hint::evict_first;
  tma::prefetch_map(map);
  tma::load(box, full, map, x);
  tma::load<first>(box, full, map, x, x);
  tma::load_multicast(box, full, map, shape::row_mask(1), x, x, x);
  tma::load_multicast<first>(box, full, map, shape::row_mask(1), x, x, x, x, x);
  tma::load_bytes(box, full, memory, 1024);
  tma::store(map, box, x, x);
  tma::store<tma::cache_hint::evict_last>(map, box, x, x, x, x);
  tma::reduce_add(map, box, x, x);
  tma::store_bytes(memory, box, 1024);
  tma::commit_group();
  tma::wait_group_read<1>();
  tma::wait_group<0>();
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

using three = register_split<40, 232, 232>;
static_assert(three::threads == 384 && three::launch_registers == 168);
static_assert(three::of(0) == 40 && three::of(2) == 232);
static_assert(register_split<32, 160, 160, 160>::launch_registers == 128);
static_assert(register_split<256>::launch_registers == 256);

// CHECK-LABEL: .entry registers(
// CHECK:       setmaxnreg.dec.sync.aligned.u32 40;
// CHECK:       setmaxnreg.inc.sync.aligned.u32 232;
// CHECK-NOT:   setmaxnreg
// CHECK:       ret;
extern "C" __global__ __attribute__((launch_bounds(384, 1))) void
registers(int *out) {
  if (__nvvm_read_ptx_sreg_tid_x() < 128)
    three::reallocate<0>();
  else
    three::reallocate<2>();
  register_split<168, 168, 168>::reallocate<1>();
  *out = 0;
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

using wgmma::swizzle;

// Half of the 64 columns to f16, and to shared memory: 8 conversions, 2 stores.
// CHECK-LABEL: .entry halves(
// CHECK-COUNT-8: cvt.rn.f16x2.f32
// CHECK-NOT:     {{cvt.rn|local}}
// CHECK-COUNT-2: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT:     stmatrix
// CHECK:         ret;
extern "C" __global__ void halves(const float *in) {
  __shared__ alignas(1024) char box[64 * 64];
  wgmma::accumulator_f32<32> sum;
  wgmma::static_for<16>([&](auto i) { sum[i()] = in[i()]; });
  wgmma::store_box<swizzle::bytes_64, 0>(box, wgmma::to_f16(sum), 77);
}

// CHECK-LABEL: .entry boxes(
// CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-1: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT:     stmatrix
// CHECK-COUNT-8: st.shared.v2.b32
// CHECK-NOT:     st.shared
// CHECK:         ret;
extern "C" __global__ void boxes(const int *in, int tid) {
  __shared__ alignas(1024) char box[64 * 128], narrow[64 * 32], wide[64 * 128];
  wgmma::accumulator_f16<128> d;
  wgmma::static_for<32>([&](auto i) { d[i()] = in[i()]; });
  wgmma::store_box<swizzle::bytes_128, 64>(box, d, tid);
  wgmma::store_box<swizzle::bytes_32, 16>(narrow, d, tid);
  wgmma::store_box_32<32>(wide, d, tid);
}

// The A of the next multiplication: nothing but the conversions.
// CHECK-LABEL: .entry fragments(
// CHECK-COUNT-8: cvt.rn.bf16x2.f32
// CHECK-COUNT-8: cvt.rn.satfinite.e4m3x2.f32
// CHECK-COUNT-8: cvt.rn.satfinite.e5m2x2.f32
// CHECK-NOT:     cvt.rn
// CHECK:         ret;
extern "C" __global__ void fragments(const float *in, wgmma::a_fragment *out) {
  wgmma::accumulator_f32<32> sum;
  wgmma::static_for<16>([&](auto i) { sum[i()] = in[i()]; });
  out[0] = wgmma::as_a_fragment<1>(wgmma::to_bf16(sum));
  out[1] = wgmma::as_a_fragment<0>(wgmma::to_bf16(sum));
  out[2] = wgmma::as_a_fragment<0>(wgmma::to_e4m3(sum));
  out[3] = wgmma::as_a_fragment<0>(wgmma::to_e5m2(sum));
}

// The columns of an fp8 A, each once.
constexpr bool isPermutation() {
  unsigned seen = 0;
  for (int k = 0; k != 32; ++k)
    seen |= 1u << wgmma::fp8_column(k);
  return seen == ~0u;
}
static_assert(isPermutation());
static_assert(wgmma::fp8_column(0) == 0 && wgmma::fp8_column(2) == 8 &&
              wgmma::fp8_column(5) == 3 && wgmma::fp8_column(31) == 31);

constexpr int sumOfRows() {
  int sum = 0;
  wgmma::for_each_element<8>(37, [&](auto r, int row, int col) {
    sum += r() * 10000 + row * 100 + col;
  });
  return sum;
}
static_assert(sumOfRows() == 280000 + 100 * (4 * 17 + 4 * 25) + 4 * (2 + 3 + 10 + 11) / 2);

//===----------------------------------------------------------------------===//
// Compression
//===----------------------------------------------------------------------===//

using sparse::type;
constexpr bool is(sparse::chunk c, unsigned kept, unsigned nibble, bool fits) {
  return c.kept == kept && c.nibble == nibble && c.fits == fits;
}
static_assert(is(sparse::compress_chunk<type::f16>(0x0000'1111'0000'2222),
                 0x1111'2222, 0b10'00, true));
static_assert(is(sparse::compress_chunk<type::f16>(0x8000'0000'8000'0000),
                 0x8000'0000, 0b01'00, false) == false);
static_assert(is(sparse::compress_chunk<type::bf16>(0x4444'3333'0000'0000),
                 0x4444'3333, 0b11'10, true));
static_assert(is(sparse::compress_chunk<type::bf16>(0x4444'3333'2222'0000),
                 0x4444'2222, 0b11'01, false));
static_assert(is(sparse::compress_chunk<type::s8>(0x80'00'00'07), 0x8007, 0b11'00, true));
static_assert(sparse::compress_chunk<type::s8>(0x80'01'80'00).fits == false);
static_assert(sparse::compress_chunk<type::e4m3>(0x80'01'01'80).fits);
static_assert(is(sparse::compress_chunk<type::u4>(0x00'00'21'00), 0x0021, 0b10'01, true));
static_assert(is(sparse::compress_chunk<type::tf32>(0x3f80'0000'8000'0000),
                 0x3f80'0000, 14, true));
static_assert(is(sparse::compress_chunk<type::tf32>(0x3f80'0000'4000'0000),
                 0x4000'0000, 4, false));
static_assert(sparse::tile_bytes(type::tf32) == 128 && sparse::tile_bytes(type::u8) == 64);

// Two loads of 16 bytes for each row, and one store.
// CHECK-LABEL: .entry compression(
// CHECK-NOT:     local
// CHECK-COUNT-2: ld.global.v{{[24]}}.b{{32|64}}
// CHECK:         st.global.v{{[24]}}.b{{32|64}}
// CHECK-COUNT-2: ld.global.v{{[24]}}.b{{32|64}}
// CHECK:         st.global.v{{[24]}}.b{{32|64}}
// CHECK-NOT:     {{local|v[24]}}
// CHECK:         ret;
extern "C" __global__ void compression(const void *dense, void *kept,
                                       unsigned *words, int tid) {
  bool fits = true;
  words[tid] = sparse::compress_tile<type::f16>(dense, 4096, kept, 2048, tid, fits);
  words[128] |= !fits;
}
