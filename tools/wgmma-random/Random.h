//===- Random.h - Random choices --------------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same seed gives the same choices with every compiler and library.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_RANDOM_H
#define NVPTX_MMA_WGMMA_RANDOM_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <random>

namespace wgmmarandom {

class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}

  uint32_t below(uint64_t Bound) { return (Engine() >> 16) % Bound; }
  bool percent(unsigned P) { return below(100) < P; }
  template <class Container> auto &pick(const Container &From) {
    return From[below(From.size())];
  }
  template <class T, size_t Count> const T &pick(const T (&From)[Count]) {
    return From[below(Count)];
  }

private:
  std::mt19937_64 Engine;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_RANDOM_H
