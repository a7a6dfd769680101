// REQUIRES: nvptx-registered-target
// The protocol is judged in kernels, whatever steps they have, or none; of other functions, only
// waits that are added are told.
// DEFINE: %{options} =
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu \
// DEFINE:   -fcuda-is-device -target-cpu sm_90a -target-feature +ptx82 -S -o /dev/null %s %{options}
// RUN: %{cc1} -O2 -verify=protocol,wait
// RUN: %{cc1} -O2 -verify=protocol -Wno-nvptx-wgmma-wait
// RUN: %{cc1} -O2 -verify=wait -Wno-nvptx-wgmma-protocol
// RUN: %{cc1} -O0 -verify=unoptimized

using accumulator = float __attribute__((ext_vector_type(4)));

__attribute__((global)) void noStep(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0); // #noStep
  // protocol-warning@#noStep {{wgmma.mma_async is never committed: a return is reached without a wgmma.commit_group; it is committed and waited for at once, since its accumulator is read, at}}
  // unoptimized-warning@#noStep {{wgmma.mma_async is never committed: a return is reached without a wgmma.commit_group, in 'noStep'}}
  // unoptimized-warning@#noStep {{so are all others in unoptimized code, in 'noStep'}}
  p[0] = c[0];
}

// One thread issues a tcgen05.mma, but no wgmma.
__attribute__((global)) void oneThread(unsigned long a, unsigned long b) {
  accumulator c = {};
  if (__nvvm_read_ptx_sreg_tid_x() == 0) {
    __nvvm_wgmma_fence_sync_aligned(); // protocol-warning {{all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0}}
    // unoptimized-warning@-1 {{all 128 threads of a warpgroup execute wgmma together}}
    c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(0);
  }
}

// A function that is called, and has the multiplication alone.
__attribute__((device, noinline)) accumulator multiply(accumulator c, unsigned long a,
                                                       unsigned long b) {
  return __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0); // wait-warning {{its accumulator leaves the function while it could be in flight}}
}

__attribute__((global)) void callsMultiply(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  __nvvm_wgmma_fence_sync_aligned();
  c = multiply(c, a, b);
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  c = __nvvm_wgmma_fence_operand(c);
  p[0] = c[0];
}

// The wait of each round comes ahead of the commit.
__attribute__((global)) void waitsEarly(float *p, unsigned long a, unsigned long b, int n) {
  accumulator c = {};
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; ++i) {
    __nvvm_wgmma_fence_sync_aligned();
    c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0);
    __nvvm_wgmma_wait_group_sync_aligned(0); // protocol-warning {{wgmma.wait_group retires nothing: no wgmma.commit_group comes before it}} unoptimized-warning {{wgmma.wait_group retires nothing}}
  }
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  c = __nvvm_wgmma_fence_operand(c);
  p[0] = c[0];
}

// K is a part of the shape.
__attribute__((global)) void changesShape(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  __nvvm_wgmma_fence_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0); // protocol-warning {{a wgmma.mma_async of another shape goes on with its accumulator while it could be in flight}}
  __nvvm_wgmma_commit_group_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_tf32_tf32(c, a, b, true, 1, 1);
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  c = __nvvm_wgmma_fence_operand(c);
  p[0] = c[0];
}

// A fault of a function that is inlined is one of the kernel that it is inlined into.
__attribute__((device)) void store(float *p, accumulator c) { p[0] = c[0]; }
__attribute__((device)) void start(accumulator &c, unsigned long a, unsigned long b) {
  __nvvm_wgmma_fence_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0); // #start
  __nvvm_wgmma_commit_group_sync_aligned();
}
__attribute__((global)) void readsEarly(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  start(c, a, b); // protocol-note {{inlined into 'readsEarly'}}
  // protocol-warning@#start {{its accumulator is read before a wgmma.wait_group retires it}}
  store(p, c);
  __nvvm_wgmma_wait_group_sync_aligned(0);
}

// One missing commit, or one that comes too late, is one warning, however many wgmma it would close.
__attribute__((global)) void commitsLate(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  __nvvm_wgmma_fence_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0);
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a + 2, b, true, 1, 1, 0, 0); // protocol-warning {{its accumulator is read after a wgmma.wait_group that retires nothing, since it comes before the wgmma.commit_group, at}}
  __nvvm_wgmma_wait_group_sync_aligned(0); // unoptimized-warning {{wgmma.wait_group retires nothing}}
  __nvvm_wgmma_commit_group_sync_aligned();
  c = __nvvm_wgmma_fence_operand(c);
  p[0] = c[0];
}
__attribute__((global)) void commitsNever(float *p, unsigned long a, unsigned long b) {
  accumulator c = {};
  __nvvm_wgmma_fence_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0);
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a + 2, b, true, 1, 1, 0, 0); // protocol-warning {{is never committed: a return is reached without a wgmma.commit_group; it is committed and waited for at once, since its accumulator is read, at}} unoptimized-warning {{is never committed}}
  __nvvm_wgmma_wait_group_sync_aligned(0);
  c = __nvvm_wgmma_fence_operand(c);
  p[0] = c[0];
}
