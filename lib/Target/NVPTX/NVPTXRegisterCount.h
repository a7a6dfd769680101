//===- NVPTXRegisterCount.h - How many registers are needed -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What virtual registers need of the registers of 32 bits that a thread has.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERCOUNT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERCOUNT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Register.h"
#include <cstdint>

namespace llvm {
class BitVector;
class MachineFunction;
class MachineRegisterInfo;

/// How many registers of 32 bits \p Reg is.
unsigned getRegisterWidth(Register Reg, const MachineRegisterInfo &MRI);

/// That of each virtual register, by its index; 0 of those that need none:
/// nothing is in them, or a constant.
SmallVector<uint8_t, 0> getRegisterWidths(const MachineFunction &MF);

/// How many registers of 32 bits \p Registers are, with these widths.
unsigned countRegisters(const BitVector &Registers, ArrayRef<uint8_t> Widths);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERCOUNT_H
