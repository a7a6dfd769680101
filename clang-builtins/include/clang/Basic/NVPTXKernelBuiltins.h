//===- NVPTXKernelBuiltins.h - Names of the kernel builtins -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_BASIC_NVPTXKERNELBUILTINS_H
#define LLVM_CLANG_BASIC_NVPTXKERNELBUILTINS_H

#include "clang/Basic/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clang {

/// Whether a builtin of NVPTX is one of those that a kernel needs around its
/// matrix instructions, as NVVMKernelRecords in llvm/IR/NVVMKernelTargets.td
/// has them.
inline bool isNVPTXKernelBuiltin(StringRef Name) {
  return Name.consume_front("__nvvm_") &&
         llvm::any_of(
             ArrayRef<StringRef>{"applypriority_", "barrier_cluster_",
                                 "barrier_cta_",   "clusterlaunchcontrol_",
                                 "cp_async_bulk_", "cp_reduce_async_bulk_",
                                 "createpolicy_",  "discard_",
                                 "elect_sync",     "fence_",
                                 "getctarank",     "griddepcontrol_",
                                 "mapa",           "mbarrier_",
                                 "prefetch_",      "prefetchu_",
                                 "red_async_",     "setmaxnreg_",
                                 "st_async",       "st_bulk",
                                 "tcgen05_",       "tensormap_"},
             [=](StringRef Family) { return Name.starts_with(Family); });
}

} // namespace clang

#endif // LLVM_CLANG_BASIC_NVPTXKERNELBUILTINS_H
