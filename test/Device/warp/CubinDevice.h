//===- CubinDevice.h - A GPU, through the driver ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_CUBINDEVICE_H
#define NVPTX_MMA_TEST_DEVICE_WARP_CUBINDEVICE_H

#include "Device.h"

#include <memory>

namespace devicetest {

/// Executes the kernels of the cubins in \p Folder. The driver's library is
/// loaded when the device is opened, so that the program starts without one.
std::unique_ptr<WarpDevice> makeCubinDevice(const std::string &Folder);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_CUBINDEVICE_H
