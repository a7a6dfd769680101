//===- Program.h - Command line, running and reporting ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_PROGRAM_H
#define NVPTX_MMA_TEST_DEVICE_WARP_PROGRAM_H

#include "Device.h"

#include <functional>
#include <memory>
#include <ostream>

namespace devicetest {

/// Makes the device that has the kernels of a folder.
using DeviceMaker =
    std::function<std::unique_ptr<WarpDevice>(const std::string &Folder)>;

/// The main function of the program. Exit status: 0 all passed, 1 some failed,
/// 2 wrong usage, 3 no suitable GPU.
int runWarpTests(const DeviceMaker &MakeDevice, int Argc,
                 const char *const *Argv, std::ostream &Out, std::ostream &Err);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_PROGRAM_H
