//===- SparseProbe.h - Where sparse operands belong -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads off the device what each nibble of the metadata and each element of A
// controls, one at a time. The PTX ISA shows that in pictures only.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_SPARSEPROBE_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_SPARSEPROBE_H

#include "Driver.h"

namespace devicetest {

/// Probes the metadata of a sparse instruction, and its A in registers, and
/// prints what differs from the model. \p T executes its instruction once.
ExitCode probeSparse(const DeviceTest &T, Backend &Device, std::ostream &Out);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_SPARSEPROBE_H
