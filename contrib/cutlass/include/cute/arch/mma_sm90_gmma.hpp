//===- mma_sm90_gmma.hpp - CuTe's wgmma atoms: dense ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in front of CUTLASS's header of this name, and does without inline
// assembly. For compilers other than Clang in CUDA mode it is CUTLASS's.
//
//===----------------------------------------------------------------------===//

#pragma once

#if !defined(__clang__) || !defined(__CUDA__)
#include_next <cute/arch/mma_sm90_gmma.hpp>
#else

#include <nvptx_mma/gmma_names.hpp>

namespace cute {

// wgmma.fence: the registers that were written so far are written for the
// multiplications that follow.
NVPTX_MMA_INLINE void warpgroup_arrive() {
#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
  cutlass::arch::synclog_emit_warpgroup_arrive(__LINE__);
  __nvvm_wgmma_fence_sync_aligned();
#else
  CUTE_INVALID_CONTROL_PATH("wgmma.fence needs the target sm_90a");
#endif
}

// wgmma.wait_group: at most N groups, the newest, are still in flight.
template <int N> NVPTX_MMA_INLINE void warpgroup_wait() {
  static_assert(N >= 0 && N <= 7, "0 to 7 groups may be left in flight");
#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
  cutlass::arch::synclog_emit_warpgroup_wait(__LINE__, N);
  __nvvm_wgmma_wait_group_sync_aligned(N);
#else
  CUTE_INVALID_CONTROL_PATH("wgmma.wait_group needs the target sm_90a");
#endif
}

// wgmma.commit_group: closes a group of multiplications.
NVPTX_MMA_INLINE void warpgroup_commit_batch() {
#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
  cutlass::arch::synclog_emit_warpgroup_commit_batch(__LINE__);
  __nvvm_wgmma_commit_group_sync_aligned();
#else
  CUTE_INVALID_CONTROL_PATH("wgmma.commit_group needs the target sm_90a");
#endif
}

// Keeps the uses of an accumulator's register on their side of the fences and
// waits. Emits nothing.
NVPTX_MMA_INLINE void warpgroup_fence_operand(uint32_t &reg) {
#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
  reg = __nvvm_wgmma_fence_operand(reg);
#endif
}

NVPTX_MMA_INLINE void warpgroup_fence_operand(float &reg) {
#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
  reg = __nvvm_wgmma_fence_operand(reg);
#endif
}

namespace SM90::GMMA {
#define NVPTX_MMA_FLOAT NVPTX_MMA_N_BASE
#define NVPTX_MMA_INTEGER NVPTX_MMA_N_BASE
#include <nvptx_mma/gmma_dense.def>
} // namespace SM90::GMMA

} // namespace cute

#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/arch/mma_sm90_gmma_ext.hpp>
#endif

#endif
