//===- Probe.h - Where operands are read ------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads off the device from which place of shared memory an instruction takes
// each element of a matrix. Every element that could be read is stored as one
// digit of its own place, each digit being a problem of its own, and the other
// matrix is zero but for ones that select: every result is then such a digit.
// That takes nothing from the model of the layout that is probed.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_PROBE_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_PROBE_H

#include "Driver.h"

namespace devicetest {

/// Probes B with an instruction that has A in registers, else A, for every
/// swizzle, without and with a base offset, and prints where what is read
/// differs from the model. \p T executes its instruction once.
ExitCode probe(const DeviceTest &T, Backend &Device, std::ostream &Out);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_PROBE_H
