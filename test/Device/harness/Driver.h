//===- Driver.h - Command line, running and reporting -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the test programs have in common. It knows the device as a Backend only,
// so that it can be tested without one.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_DRIVER_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_DRIVER_H

#include "../common/CommandLine.h"
#include "Batch.h"
#include "Check.h"

#include <ostream>
#include <string>
#include <vector>

namespace devicetest {

struct DeviceTest {
  Instruction I;
  Schedule S;
  /// The kernel, for the backend.
  const void *Kernel;

  std::string name() const { return std::string(S.Name) + "/" + I.name(); }
};

class Backend {
public:
  virtual ~Backend() = default;
  // Each of these returns what went wrong, or nothing.

  /// Finds the device and makes it ready.
  virtual std::string open() = 0;
  virtual std::string upload(const Batch &Inputs) = 0;
  /// Sends \p Out, launches a test's kernel with Out.ctas() CTAs on the inputs
  /// of the last upload, and fetches \p Out.
  virtual std::string launch(const DeviceTest &T, Output &Out) = 0;

  virtual unsigned multiprocessors() const = 0;
};

/// The main function of a test program.
int runTests(const std::vector<DeviceTest> &Tests, Backend &Device, int Argc,
             const char *const *Argv, std::ostream &Out, std::ostream &Err);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_DRIVER_H
