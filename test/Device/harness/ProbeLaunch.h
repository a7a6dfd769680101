//===- ProbeLaunch.h - Launches whose results are read ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the probes have in common: they execute an instruction once in each
// problem, and look at the results instead of comparing them.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_PROBELAUNCH_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_PROBELAUNCH_H

#include "Driver.h"
#include "Fragment.h"

#include <functional>

namespace devicetest {

/// Problems of one step with scale-d off, where all is 0. There is no
/// descriptor yet.
Batch makeProbe(const Instruction &I, unsigned Problems, uint32_t SharedBytes);

/// Executes each problem, and gives all elements of its A * B. Returns what
/// went wrong, or nothing.
std::string
launchProbe(const DeviceTest &T, Backend &Device, const Batch &Inputs,
            const std::function<void(unsigned Problem, Position, double)> &Use);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_PROBELAUNCH_H
