//===- attention_library.cu - The kernels of attention.cu, to call --------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
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

template <class Type, int Head, bool IsCausal>
class AttentionLaunch final : public speed::Launch {
public:
  template <class... Parameters>
  explicit AttentionLaunch(Parameters... Arguments) : Run(Arguments...) {}
  void operator()() const override { Run(); }

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

/// Null where there is no such type or size of a head.
SPEED_EXPORT void *create(const char *Name, const Problem *P) {
  return !std::strcmp(Name, "f16")    ? make<F16>(*P)
         : !std::strcmp(Name, "bf16") ? make<BF16>(*P)
                                      : nullptr;
}
