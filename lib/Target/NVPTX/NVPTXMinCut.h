//===- NVPTXMinCut.h - The cheapest cut of a network ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXMINCUT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXMINCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {

/// A network of edges that can be cut, each at its cost, so that there is no
/// way from the first node to the second one. For small networks.
class MinCut {
public:
  static constexpr unsigned Source = 0, Sink = 1;
  static constexpr unsigned Uncuttable = 1u << 24;

  MinCut() : EdgesOf(2) {}

  unsigned addNode();
  void addEdge(unsigned From, unsigned To, unsigned Cost);

  /// The nodes that the cheapest cut leaves with the sink; as few as can be,
  /// where several cost the same.
  BitVector find();

private:
  struct Edge {
    unsigned To;
    unsigned Left; ///< Of its cost.
  };

  bool augment();

  /// An edge, and next to it the one back.
  SmallVector<Edge, 0> Edges;
  SmallVector<SmallVector<unsigned, 4>, 0> EdgesOf;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXMINCUT_H
