//===-- nvptx_registers.h - Registers moved between warpgroups ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// setmaxnreg, with the budget checked when the kernel is compiled. A kernel of
// three warpgroups gets 168 registers in each thread; the one that only issues
// copies gives most of them to those that hold accumulators:
//
//   using registers = nvptx::register_split<40, 232, 232>;
//   __global__ void __launch_bounds__(registers::threads, 1) kernel(...) {
//     if (threadIdx.x < 128) {
//       registers::reallocate<0>();  // setmaxnreg.dec 40
//       ...
//     } else {
//       registers::reallocate<1>();  // setmaxnreg.inc 232
//
// Target sm_90a, PTX 8.0. PTX ISA, "setmaxnreg".
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_REGISTERS_H
#define __NVPTX_REGISTERS_H

#include <__nvptx_header.h>

namespace nvptx {

/// How the registers of a CTA are shared among its warpgroups: for each one the
/// registers of a thread, multiples of 8 from 24 to 256 (255 can be named).
///
/// A multiprocessor has 65,536 registers. At its start each of W warpgroups has
/// as many as fit, a multiple of 8: launch_registers, which is what ptxas plans
/// with under __launch_bounds__(threads, 1). Those are all that can be moved
/// about: a sum above W times that number would wait for registers for ever,
/// and is an error here.
template <int... __registers> struct register_split {
  static constexpr int warpgroups = sizeof...(__registers);
  static constexpr int threads = 128 * warpgroups;
  static constexpr int launch_registers =
      65536 / threads / 8 * 8 < 256 ? 65536 / threads / 8 * 8 : 256;

  static_assert(warpgroups >= 1 && warpgroups <= 8,
                "a CTA has 1 to 8 warpgroups");
  static_assert(((__registers >= 24 && __registers <= 256 &&
                  __registers % 8 == 0) &&
                 ...),
                "setmaxnreg takes a multiple of 8 from 24 to 256");
  static_assert((__registers + ...) * 128 <= 65536,
                "the warpgroups take more than the 65,536 registers of a "
                "multiprocessor");
  static_assert((__registers + ...) <= warpgroups * launch_registers,
                "the warpgroups take more registers than the CTA gets at its "
                "launch, which are the same multiple of 8 for each thread");

  /// The registers of a thread of warpgroup \p __index, from 0.
  [[nodiscard]] static __NVPTX_CONSTEXPR int of(int __index) {
    const int __all[] = {__registers...};
    return __all[__index];
  }

#ifdef __NVPTX_HAS_DEVICE
  /// setmaxnreg.dec or .inc, or nothing where the number is that of the launch.
  /// By all threads of a warpgroup, once, before it uses what it gets and after
  /// it needs what it gives; .inc waits until others have given enough.
  template <int __index> static __NVPTX_MEMBER void reallocate() {
    static_assert(__index >= 0 && __index < warpgroups,
                  "there is no such warpgroup");
    constexpr int __count =
        __index >= 0 && __index < warpgroups ? of(__index) : launch_registers;
    if constexpr (__count > launch_registers)
      __nvvm_setmaxnreg_inc_sync_aligned_u32(__count);
    else if constexpr (__count < launch_registers)
      __nvvm_setmaxnreg_dec_sync_aligned_u32(__count);
  }
#endif
};

} // namespace nvptx

#endif // __NVPTX_REGISTERS_H
