// REQUIRES: nvptx-registered-target
// What the backend warns of: at its place in the user's source, without -g, in groups
// that can be switched off or made errors.
// DEFINE: %{options} =
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu \
// DEFINE:   -fcuda-is-device -target-cpu sm_90a -target-feature +ptx82 -internal-isystem %S/Inputs -S -o /dev/null %s %{options}
// RUN: %{cc1} -O2 -verify=warn
// Without optimization the first stands for all.
// RUN: %{cc1} -O0 -verify=first
// RUN: %{cc1} -O2 -verify=warn -debug-info-kind=limited -dwarf-version=2

// RUN: %{cc1} -O2 -verify=none -Wno-nvptx-wgmma-wait -Wno-nvptx-wgmma-protocol
// RUN: %{cc1} -O2 -verify=none -Wno-nvptx-wgmma
// RUN: %{cc1} -O2 -verify=warn -Wno-nvptx-wgmma -Wnvptx-wgmma-wait
// RUN: %{cc1} -O2 -verify=warn -Wno-nvptx-wgmma-protocol -Wno-nvptx-wgmma-stack
// RUN: %{cc1} -O2 -verify=error -Werror=nvptx-wgmma
// RUN: %{cc1} -O2 -verify=warn -Werror -Wno-error=nvptx-wgmma-wait -Wno-error=nvptx-wgmma-protocol
// none-no-diagnostics

// How it is printed.
// RUN: %{cc1} -O2 -fno-caret-diagnostics 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: wgmma-warnings.cu:[[@LINE+17]]:9: warning: {{.*}}, in 'direct' [-Wnvptx-wgmma-wait]
// CHECK: wgmma-warnings.cu:[[@LINE+26]]:7: warning: {{.*}}, in 'step' [-Wnvptx-wgmma-wait]
// CHECK: wgmma-warnings.cu:[[@LINE+33]]:9: note: inlined into 'inlined'

// Of IR, what its debug locations say.
// RUN: %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device -target-cpu sm_90a -target-feature +ptx82 -internal-isystem %S/Inputs -O2 -emit-llvm -o %t.ll %s
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90a -target-feature +ptx82 -S -o /dev/null -x ir %t.ll 2>&1 | FileCheck %s --check-prefix=IR
// IR: warning: {{.*}}wgmma-warnings.cu:[[@LINE+10]]:9: in function _Z6directPfPKim: {{.*}} [-Wnvptx-wgmma-wait]

#include <wgmma_library.h>

// Never waited for in the loop, which loads the metadata of the next round.
__attribute__((global)) void direct(float *out, const int *in, unsigned long a) {
  accumulator d = {};
#pragma clang loop unroll(disable)
  for (int i = 0, n = in[0]; i < n; ++i) {
    __nvvm_wgmma_fence_sync_aligned();
    d = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16( // warn-warning {{, in 'direct'}} error-error {{, in 'direct'}} first-warning {{so are all others in unoptimized code, in 'direct'}}
        d, a, a, in[i], 1, true, 1, 1, 0, 0);
    __nvvm_wgmma_commit_group_sync_aligned();
  }
  __nvvm_wgmma_wait_group_sync_aligned(0);
  out[0] = __nvvm_wgmma_fence_operand(d)[0];
}

// The warning is at the call of the library's function, not in it.
__attribute__((device, always_inline)) accumulator step(accumulator d, unsigned long a, int meta) {
  d = library_step(d, a, meta); // warn-warning {{, in 'step'}} error-error {{, in 'step'}}
  return d;
}

__attribute__((global)) void inlined(float *out, const int *in, unsigned long a) {
  accumulator d = {};
#pragma clang loop unroll(disable)
  for (int i = 0, n = in[0]; i < n; ++i)
    d = step(d, a, in[i]); // warn-note {{inlined into 'inlined'}} error-note {{inlined into 'inlined'}}
  __nvvm_wgmma_wait_group_sync_aligned(0);
  out[0] = __nvvm_wgmma_fence_operand(d)[0];
}
