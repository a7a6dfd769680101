//===-- nvptx_mbarrier.h - Barriers in shared memory, and pipelines -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarrier objects, and a ring of stages that a producer fills and consumers
// empty, with two of them for each stage.
//
//   __shared__ nvptx::pipeline<4> ring;
//   if (threadIdx.x == 0) {
//     ring.init(/*producers=*/1, /*consumers=*/2);
//     nvptx::fence_mbarrier_init();
//   }
//   __syncthreads();
//
//   nvptx::pipeline_state<4> at;             // the producer, one thread
//   for (...; ...; at.advance()) {
//     ring.producer_acquire(at, bytes);      // waits until the stage is empty
//     nvptx::tma::load(stage[at.stage], ring.full[at.stage], map, x, y);
//   }
//
//   nvptx::pipeline_state<4> at;             // the consumers
//   for (...; ...; at.advance()) {
//     ring.consumer_wait(at);                // waits until the stage is full
//     ...
//     if (elected)
//       ring.consumer_release(at);
//   }
//
// Target sm_90, PTX 8.0. PTX ISA, "mbarrier".
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_MBARRIER_H
#define __NVPTX_MBARRIER_H

#include <__nvptx_header.h>

namespace nvptx {

/// The threads among which an arrival and a wait order memory: those of the
/// CTA, or those of its cluster.
enum class scope { cta, cluster };

/// An mbarrier object: 8 bytes of shared memory, aligned to 8.
///
/// A phase ends when as many arrivals as init() said have come, and as many
/// bytes as were announced. Phases are waited for by their parity: the first
/// phase has parity 0, and wait(1) of a new barrier returns at once.
/// All functions are executed by each thread for itself. None is a barrier for
/// the compiler's registers, but each is one for memory.
struct mbarrier {
  unsigned long __state;

#ifdef __NVPTX_HAS_DEVICE
  /// mbarrier.init: \p __arrivals, 1 to 2^20 - 1, end each phase. By one
  /// thread, before fence_mbarrier_init() and a barrier of the CTA or the
  /// cluster.
  __NVPTX_MEMBER void init(unsigned __arrivals) {
    __nvvm_mbarrier_init_shared(&__state, static_cast<int>(__arrivals));
  }

  /// mbarrier.inval: the memory may be used for something else.
  __NVPTX_MEMBER void invalidate() { __nvvm_mbarrier_inval_shared(&__state); }

  /// mbarrier.arrive: one arrival, or \p __count of them.
  __NVPTX_MEMBER void arrive() {
    (void)__nvvm_mbarrier_arrive_shared(&__state);
  }
  __NVPTX_MEMBER void arrive(unsigned __count) {
    (void)__nvvm_mbarrier_arrive_scope_cta_space_cta(&__state,
                                                     static_cast<int>(__count));
  }

  /// One arrival at the mbarrier that is at the same place in the shared memory
  /// of CTA \p __rank of the cluster. That CTA must not have exited.
  ///
  /// With scope::cta only what the async proxy did is ordered, such as reads by
  /// wgmma that have been waited for; ordinary accesses need scope::cluster,
  /// here and in wait().
  template <scope __s = scope::cta>
  __NVPTX_MEMBER void arrive_at(unsigned __rank) {
    auto *__remote = __nvvm_mapa_shared_cluster((__NVPTX_SHARED void *)&__state,
                                                static_cast<int>(__rank));
    if constexpr (__s == scope::cta)
      __nvvm_mbarrier_arrive_scope_cta_space_cluster(__remote, 1);
    else
      __nvvm_mbarrier_arrive_scope_cluster_space_cluster(__remote, 1);
  }

  /// mbarrier.arrive.expect_tx: announces \p __bytes, and then arrives once.
  __NVPTX_MEMBER void arrive_expect_tx(unsigned __bytes) {
    (void)__nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(
        &__state, static_cast<int>(__bytes));
  }

  /// mbarrier.expect_tx: announces \p __bytes without an arrival.
  __NVPTX_MEMBER void expect_tx(unsigned __bytes) {
    __nvvm_mbarrier_expect_tx_scope_cta_space_cta(&__state,
                                                  static_cast<int>(__bytes));
  }

  /// mbarrier.test_wait: whether the phase of that parity has ended.
  [[nodiscard]] __NVPTX_MEMBER bool test_wait(unsigned __parity) {
    return __nvvm_mbarrier_test_wait_parity_scope_cta_space_cta(
        &__state, static_cast<int>(__parity));
  }

  /// mbarrier.try_wait: the same, but may sleep for a while before it says no.
  template <scope __s = scope::cta>
  [[nodiscard]] __NVPTX_MEMBER bool try_wait(unsigned __parity) {
    if constexpr (__s == scope::cta)
      return __nvvm_mbarrier_try_wait_parity_scope_cta_space_cta(
          &__state, static_cast<int>(__parity));
    else
      return __nvvm_mbarrier_try_wait_parity_scope_cluster_space_cta(
          &__state, static_cast<int>(__parity));
  }

  /// Waits until the phase of that parity has ended; what was written before
  /// the arrivals, and the bytes that were announced, can be read.
  template <scope __s = scope::cta>
  __NVPTX_MEMBER void wait(unsigned __parity) {
    while (!try_wait<__s>(__parity)) {
    }
  }
#endif // __NVPTX_HAS_DEVICE
};

#ifdef __NVPTX_HAS_DEVICE
/// fence.mbarrier_init and fence.proxy.async: makes the mbarriers that this
/// thread has initialized known to the cluster and to TMA.
///
/// A barrier of the CTA (of the cluster, where others arrive) must follow.
__NVPTX_DEVICE void fence_mbarrier_init() {
  __nvvm_fence_mbarrier_init_release_cluster();
  __nvvm_fence_proxy_async_shared_cta();
}
#endif

/// A place in a ring of stages: which stage, and how often, modulo 2, the ring
/// has been gone round. Two registers, or none where loops are unrolled.
template <int __stages> struct pipeline_state {
  static_assert(__stages >= 1, "a pipeline has at least one stage");
  unsigned stage = 0;
  unsigned phase = 0;

  __NVPTX_CONSTEXPR void advance() {
    if (++stage == __stages) {
      stage = 0;
      phase ^= 1;
    }
  }
};

/// The mbarriers of a ring of stages, in shared memory. The stages' memory is
/// the program's.
template <int __stages> struct pipeline {
  mbarrier full[__stages];
  mbarrier empty[__stages];

#ifdef __NVPTX_HAS_DEVICE
  /// By one thread. A stage is full after \p __producers arrivals and their
  /// bytes, empty after \p __consumers arrivals: all that release a stage,
  /// those in other CTAs of the cluster, too, where the producer writes there.
  __NVPTX_MEMBER void init(unsigned __producers, unsigned __consumers) {
    for (int __i = 0; __i != __stages; ++__i) {
      full[__i].init(__producers);
      empty[__i].init(__consumers);
    }
  }

  /// The producer waits until the stage is empty, and announces the bytes that
  /// will come, from all CTAs that write here. One thread.
  __NVPTX_MEMBER void producer_acquire(const pipeline_state<__stages> &__at,
                                       unsigned __bytes) {
    empty[__at.stage].wait(__at.phase ^ 1);
    full[__at.stage].arrive_expect_tx(__bytes);
  }

  /// Waits, at the end, until all stages are empty again: a CTA whose memory
  /// others write to, or arrive at, must not exit before. \p __at is the place
  /// after the last one that was filled.
  __NVPTX_MEMBER void producer_finish(pipeline_state<__stages> __at) {
    for (int __i = 0; __i != __stages; ++__i, __at.advance())
      empty[__at.stage].wait(__at.phase ^ 1);
  }

  /// A consumer waits until the stage is full.
  __NVPTX_MEMBER void consumer_wait(const pipeline_state<__stages> &__at) {
    full[__at.stage].wait(__at.phase);
  }

  /// A consumer has read the stage: multiplications by wgmma that read it have
  /// been waited for. One thread of each consumer that init() counted.
  __NVPTX_MEMBER void consumer_release(const pipeline_state<__stages> &__at) {
    empty[__at.stage].arrive();
  }

  /// The same, told to the producer in CTA \p __rank of the cluster.
  __NVPTX_MEMBER void consumer_release(const pipeline_state<__stages> &__at,
                                       unsigned __rank) {
    empty[__at.stage].arrive_at(__rank);
  }
#endif // __NVPTX_HAS_DEVICE
};

} // namespace nvptx

#endif // __NVPTX_MBARRIER_H
