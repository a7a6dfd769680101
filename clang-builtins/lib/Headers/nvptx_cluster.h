//===-- nvptx_cluster.h - Clusters of thread blocks -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a CTA is in its cluster, which CTAs of the cluster a multicast is for,
// and the cluster's barrier. Target sm_90, PTX 7.8.
//
//   // A cluster of 2x1 (x by y): the CTAs of a column share their B.
//   using shape = nvptx::cluster::shape<2, 1>;
//   nvptx::tma::load_multicast(b, full, b_map, shape::row_mask(0), k, n);
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_CLUSTER_H
#define __NVPTX_CLUSTER_H

#include <__nvptx_header.h>

namespace nvptx {
namespace cluster {

/// A cluster of \p __x by \p __y CTAs, and the masks of multicasts in it, which
/// have bit r for the CTA of rank r. Ranks run along x first.
template <int __x, int __y = 1> struct shape {
  static_assert(__x >= 1 && __y >= 1 && __x * __y <= 16,
                "a cluster has 1 to 16 CTAs, more than 8 only where the kernel "
                "allows non-portable sizes");
  static constexpr int x = __x, y = __y, size = __x * __y;

  /// The rank of the CTA at that place of the cluster.
  [[nodiscard]] static __NVPTX_CONSTEXPR unsigned rank(unsigned __at_x,
                                                       unsigned __at_y) {
    return __at_x + __at_y * __x;
  }
  /// All CTAs whose y is \p __at_y: those of one row.
  [[nodiscard]] static __NVPTX_CONSTEXPR unsigned short
  row_mask(unsigned __at_y) {
    return static_cast<unsigned short>(((1u << __x) - 1) << __at_y * __x);
  }
  /// All CTAs whose x is \p __at_x: those of one column.
  [[nodiscard]] static __NVPTX_CONSTEXPR unsigned short
  column_mask(unsigned __at_x) {
    unsigned __mask = 0;
    for (int __i = 0; __i != __y; ++__i)
      __mask |= 1u << (__at_x + static_cast<unsigned>(__i) * __x);
    return static_cast<unsigned short>(__mask);
  }
  /// All CTAs of the cluster.
  [[nodiscard]] static __NVPTX_CONSTEXPR unsigned short all_mask() {
    return static_cast<unsigned short>((1u << size) - 1);
  }
};

#ifdef __NVPTX_HAS_DEVICE
/// This CTA's rank in its cluster, and how many CTAs it has: %cluster_ctarank,
/// %cluster_nctarank.
[[nodiscard]] __NVPTX_DEVICE unsigned rank() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctarank());
}
[[nodiscard]] __NVPTX_DEVICE unsigned size() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_nctarank());
}

/// This CTA's place in its cluster: %cluster_ctaid.
[[nodiscard]] __NVPTX_DEVICE unsigned block_x() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctaid_x());
}
[[nodiscard]] __NVPTX_DEVICE unsigned block_y() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctaid_y());
}

/// The cluster's place in the grid, in clusters, and how many there are along
/// x: %clusterid, %nclusterid.
[[nodiscard]] __NVPTX_DEVICE unsigned id_x() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_clusterid_x());
}
[[nodiscard]] __NVPTX_DEVICE unsigned id_y() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_clusterid_y());
}
[[nodiscard]] __NVPTX_DEVICE unsigned count_x() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_nclusterid_x());
}

/// barrier.cluster.arrive (release) and wait (acquire), for all threads of all
/// CTAs of the cluster; may be executed in divergent code.
__NVPTX_DEVICE void arrive() { __nvvm_barrier_cluster_arrive(); }
__NVPTX_DEVICE void wait() { __nvvm_barrier_cluster_wait(); }

/// arrive() without ordering memory.
__NVPTX_DEVICE void arrive_relaxed() {
  __nvvm_barrier_cluster_arrive_relaxed();
}

/// Both, by all threads of the cluster.
__NVPTX_DEVICE void sync() {
  arrive();
  wait();
}

/// mapa: where CTA \p __rank of the cluster has what this one has at
/// \p __shared, an address in shared memory. The result is a generic pointer
/// that can be read and written while that CTA runs.
template <class _Tp>
[[nodiscard]] __NVPTX_DEVICE _Tp *map(_Tp *__shared, unsigned __rank) {
  return static_cast<_Tp *>(
      __nvvm_mapa((void *)__shared, static_cast<int>(__rank)));
}
#endif // __NVPTX_HAS_DEVICE

} // namespace cluster
} // namespace nvptx

#endif // __NVPTX_CLUSTER_H
