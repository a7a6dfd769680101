//===- Memory.h - Memory of an interpreted kernel ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes at addresses. All address spaces are windows of one numbering, so that
// converting a pointer from one to another, or to a generic one, is the
// identity, and an access through the wrong pointer is one outside of memory.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_MEMORY_H
#define NVPTX_MMA_WGMMA_RANDOM_MEMORY_H

#include <cstdint>
#include <map>
#include <vector>

namespace wgmmarandom {

constexpr uint64_t SharedBase = 0x10000;
constexpr uint64_t LocalBase = 0x4000000000;
constexpr uint64_t GlobalBase = 0x100000000;
/// Room for each buffer in global memory.
constexpr uint64_t GlobalStride = 0x10000000;

class Memory {
public:
  struct Region {
    std::vector<uint8_t> Bytes;
    /// Bytes that hold no value, for whoever cares.
    std::vector<bool> Poison;
  };

  void add(uint64_t Base, std::vector<uint8_t> Bytes) {
    Region &R = Regions[Base];
    R.Poison.assign(Bytes.size(), false);
    R.Bytes = std::move(Bytes);
  }
  void remove(uint64_t Base) { Regions.erase(Base); }

  /// The bytes of [Address, Address + Size), or null outside of memory.
  uint8_t *find(uint64_t Address, uint64_t Size) {
    auto [R, Offset] = locate(Address, Size);
    return R ? R->Bytes.data() + Offset : nullptr;
  }

  bool isPoison(uint64_t Address, uint64_t Size) {
    auto [R, Offset] = locate(Address, Size);
    for (uint64_t I = 0; R && I != Size; ++I)
      if (R->Poison[Offset + I])
        return true;
    return false;
  }
  void setPoison(uint64_t Address, uint64_t Size, bool Value) {
    auto [R, Offset] = locate(Address, Size);
    for (uint64_t I = 0; R && I != Size; ++I)
      R->Poison[Offset + I] = Value;
  }

  const std::map<uint64_t, Region> &regions() const { return Regions; }

private:
  std::pair<Region *, uint64_t> locate(uint64_t Address, uint64_t Size) {
    auto It = Regions.upper_bound(Address);
    if (It == Regions.begin())
      return {nullptr, 0};
    --It;
    uint64_t Offset = Address - It->first;
    if (Offset + Size > It->second.Bytes.size())
      return {nullptr, 0};
    return {&It->second, Offset};
  }

  std::map<uint64_t, Region> Regions;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_MEMORY_H
