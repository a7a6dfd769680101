//===- launch.h - What can be launched again and again ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all libraries of kernels export. Included once in each.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SPEED_LAUNCH_H
#define BENCHMARKS_SPEED_LAUNCH_H

/// Only these are visible: a library's own CUDA runtime stays its own.
#define SPEED_EXPORT extern "C" __attribute__((visibility("default")))

namespace speed {

class Launch {
public:
  virtual ~Launch() = default;
  virtual void operator()() const = 0;
};

} // namespace speed

SPEED_EXPORT void launch(const void *Handle) {
  (*static_cast<const speed::Launch *>(Handle))();
}

SPEED_EXPORT void destroy(void *Handle) {
  delete static_cast<speed::Launch *>(Handle);
}

#endif // BENCHMARKS_SPEED_LAUNCH_H
