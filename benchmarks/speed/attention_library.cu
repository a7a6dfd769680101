//===- attention_library.cu - The kernels of attention.cu, to call --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As gemm_library.h, for attention: Q, K, V and O are in the device's memory,
// Length rows of Head elements for each head, one head after the other.
//
//===----------------------------------------------------------------------===//

// The example's types, without its program.
#define main exampleMain
#include "../../examples/attention.cu"
#undef main

#include "launch.h"

#include <cstring>

namespace {

/// A launch that tells which tiles Q is cut into.
class TiledLaunch : public speed::Launch {
public:
  virtual const Schedule &schedule() const = 0;
};

template <class Type, int Head, bool IsCausal>
class AttentionLaunch final : public TiledLaunch {
public:
  template <class... Parameters>
  explicit AttentionLaunch(Parameters... Arguments) : Run(Arguments...) {}
  void operator()() const override { Run(); }
  const Schedule &schedule() const override { return Run.tiles(); }

private:
  Attention<Type, Head, IsCausal> Run;
};

struct Problem {
  const void *Q, *K, *V;
  void *O;
  int Length, Heads, Head, IsCausal;
};

template <class Type, int Head> speed::Launch *makeOfHead(const Problem &P) {
  using T = typename Type::Element;
  auto make = [&](auto *None) -> speed::Launch * {
    using L = std::remove_pointer_t<decltype(None)>;
    return new L(static_cast<const T *>(P.Q), static_cast<const T *>(P.K),
                 static_cast<const T *>(P.V), static_cast<T *>(P.O), P.Length,
                 P.Heads);
  };
  return P.IsCausal
             ? make(static_cast<AttentionLaunch<Type, Head, true> *>(nullptr))
             : make(static_cast<AttentionLaunch<Type, Head, false> *>(nullptr));
}

template <class Type> speed::Launch *make(const Problem &P) {
  return P.Head == 64    ? makeOfHead<Type, 64>(P)
         : P.Head == 128 ? makeOfHead<Type, 128>(P)
                         : nullptr;
}

} // namespace

/// The tiles of all heads: rows of the tall ones and how many these are, then
/// the same of the short ones.
SPEED_EXPORT void tiles(const void *Handle, int (&To)[4]) {
  auto *Launch = static_cast<const speed::Launch *>(Handle);
  const Schedule &Tiles = static_cast<const TiledLaunch *>(Launch)->schedule();
  To[0] = Tiles.TallRows, To[1] = Tiles.TallTiles * Tiles.Heads;
  To[2] = Tiles.ShortRows, To[3] = Tiles.count() - To[1];
}

/// Null where there is no such type or size of a head.
SPEED_EXPORT void *create(const char *Name, const Problem *P) {
  return !std::strcmp(Name, "f16")    ? make<F16>(*P)
         : !std::strcmp(Name, "bf16") ? make<BF16>(*P)
                                      : nullptr;
}
