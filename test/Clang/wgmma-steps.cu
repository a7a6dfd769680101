// REQUIRES: nvptx-registered-target
// A step that is a function of its own, and leaves its wgmma in flight, in the caller's variable: the
// caller commits and waits. Nothing is told of the copy of it that stands alone, nor of one that
// returns the accumulator; the wait there costs nobody anything, since nobody calls it.
// DEFINE: %{options} =
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu \
// DEFINE:   -fcuda-is-device -target-cpu sm_90a -target-feature +ptx82 -S -o %t.ptx %s %{options}
// RUN: %{cc1} -O1 -Werror=nvptx-wgmma -verify=none
// RUN: %{cc1} -O2 -Werror=nvptx-wgmma -verify=none
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// none-no-diagnostics
// Without optimization every result is stored at once: one warning, none of the protocol.
// RUN: %{cc1} -O0 -verify=unoptimized

using accumulator = float __attribute__((ext_vector_type(4)));

// PTX-LABEL: .func _Z4step
// PTX:       wgmma.commit_group.sync.aligned;
// PTX-NEXT:  wgmma.wait_group.sync.aligned 0;
__attribute__((device)) void step(accumulator &c, unsigned long a, unsigned long b) {
  __nvvm_wgmma_fence_sync_aligned();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0); // unoptimized-warning {{so are all others in unoptimized code, in 'step'}}
}

__attribute__((device)) accumulator next(accumulator c, unsigned long a, unsigned long b) {
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, 0, 0);
  __nvvm_wgmma_commit_group_sync_aligned();
  return c;
}

// The inlined copies are in flight together.
// PTX-LABEL: .entry _Z5steps
// PTX:       wgmma.mma_async
// PTX-NOT:   wgmma.{{commit|wait}}
// PTX:       wgmma.mma_async
// PTX-NOT:   wgmma.{{commit|wait}}
// PTX:       wgmma.mma_async
// PTX-NEXT:  wgmma.commit_group.sync.aligned;
// PTX-NEXT:  wgmma.wait_group.sync.aligned 0;
// PTX-NOT:   wgmma
__attribute__((global)) void steps(float *out, unsigned long a, unsigned long b) {
  accumulator c = {};
  step(c, a, b);
  step(c, a + 2, b);
  c = next(c, a + 4, b);
  __nvvm_wgmma_wait_group_sync_aligned(0);
  c = __nvvm_wgmma_fence_operand(c);
  out[0] = c[0];
}
