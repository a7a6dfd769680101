//===- Kernel.h - The kernels that make_kernels.py made ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel executes one instruction. What its arrays In and Out hold is told
// in kernels.py: for each CTA a record of 32-bit words.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_KERNEL_H
#define NVPTX_MMA_TEST_DEVICE_WARP_KERNEL_H

#include "WarpFragment.h"

#include <istream>
#include <map>
#include <string>
#include <vector>

namespace devicetest {

/// What a thread is told about memory, after its registers or the image.
struct MemoryParameters {
  uint32_t Offset = 0;
  uint32_t Stride = 0;
  uint32_t InShared = 0;
};

constexpr unsigned ImageWords = 1024;
constexpr unsigned ParameterWords = sizeof(MemoryParameters) / sizeof(uint32_t);

enum class KernelKind { Registers, Load, Store };

struct Kernel {
  std::string Name, Module, Family;
  /// As PTX calls it.
  std::string Instruction;
  std::map<std::string, std::string> Fields;

  const std::string &field(const std::string &Key) const;
  unsigned number(const std::string &Key) const;
  bool flag(const std::string &Key) const { return number(Key) != 0; }
  Element element(const std::string &Key) const;
  WarpShape shape() const;
  KernelKind kind() const;
  /// A generic address may be one of shared memory or of global memory.
  bool generic() const { return field("space") == "generic"; }

  /// Words of registers that a thread takes and gives.
  unsigned inWords() const { return number("in_words"); }
  unsigned outWords() const { return number("out_words"); }
  /// Words of a CTA's records.
  size_t inRecord() const;
  size_t outRecord() const;
};

/// An instruction that the target lacks.
struct LackingInstruction {
  std::string Family, Instruction, Reason;
};

struct Manifest {
  std::vector<Kernel> Kernels;
  std::vector<LackingInstruction> Lacking;

  /// The first kernel of the family with these values, or nothing.
  const Kernel *find(const std::string &Family,
                     const std::map<std::string, std::string> &Fields) const;
};

/// Returns what is wrong, or nothing.
std::string readManifest(std::istream &In, Manifest &Result);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_KERNEL_H
