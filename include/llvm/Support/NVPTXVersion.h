//===-- NVPTXVersion.h - What LLVM's versions name differently --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The new files for the NVPTX target are the same for LLVM 22 and 23. Where the
// two have one thing under different names, it gets one here, and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_SUPPORT_NVPTXVERSION_H
#define LLVM_SUPPORT_NVPTXVERSION_H

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/NVPTXAddrSpace.h"

namespace llvm::NVPTXAS {

/// The address space of a kernel's parameters.
#if LLVM_VERSION_MAJOR >= 23
inline constexpr AddressSpace ADDRESS_SPACE_KERNEL_PARAM =
    ADDRESS_SPACE_ENTRY_PARAM;
#else
inline constexpr AddressSpace ADDRESS_SPACE_KERNEL_PARAM = ADDRESS_SPACE_PARAM;
#endif

} // namespace llvm::NVPTXAS

namespace llvm::NVPTX {

/// Whether LLVM itself selects llvm.nvvm.st.async of an i128.
inline constexpr bool SelectsAsyncStoreOfI128 = LLVM_VERSION_MAJOR >= 23;

} // namespace llvm::NVPTX

#endif // LLVM_SUPPORT_NVPTXVERSION_H
