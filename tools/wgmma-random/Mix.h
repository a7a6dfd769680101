//===- Mix.h - A well-mixed function ----------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also for the program that runs on machines without LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_MIX_H
#define NVPTX_MMA_WGMMA_RANDOM_MIX_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wgmmarandom {

/// A well-mixed function of both.
inline uint64_t mix(uint64_t A, uint64_t B) {
  uint64_t Z = A * 0x9E3779B97F4A7C15 + B + 0xD1B54A32D192ED03;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EB;
  return Z ^ (Z >> 31);
}

/// Of a number of bytes that eight divides.
inline uint64_t hashOf(const uint8_t *Bytes, size_t Size) {
  uint64_t Hash = Size;
  for (size_t I = 0; I != Size; I += 8) {
    uint64_t Word;
    memcpy(&Word, Bytes + I, 8);
    Hash = mix(Hash, Word);
  }
  return Hash;
}

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_MIX_H
