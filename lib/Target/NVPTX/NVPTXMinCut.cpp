//===- NVPTXMinCut.cpp - The cheapest cut of a network --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the algorithm of Edmonds and Karp: the cheapest cut costs as much as can
// flow, and the shortest way with something left is filled first.
//
//===----------------------------------------------------------------------===//

#include "NVPTXMinCut.h"
#include <algorithm>

using namespace llvm;

unsigned MinCut::addNode() {
  EdgesOf.emplace_back();
  return EdgesOf.size() - 1;
}

void MinCut::addEdge(unsigned From, unsigned To, unsigned Cost) {
  EdgesOf[From].push_back(Edges.size());
  Edges.push_back({To, Cost});
  EdgesOf[To].push_back(Edges.size());
  Edges.push_back({From, 0});
}

/// Has as much as there is room for flow along the shortest way, if any.
bool MinCut::augment() {
  constexpr unsigned None = ~0u;
  SmallVector<unsigned, 0> EdgeTo(EdgesOf.size(), None);
  SmallVector<unsigned, 0> Queue = {Source};
  for (unsigned I = 0; I != Queue.size() && EdgeTo[Sink] == None; ++I)
    for (unsigned Number : EdgesOf[Queue[I]]) {
      const Edge &E = Edges[Number];
      if (E.Left == 0 || E.To == Source || EdgeTo[E.To] != None)
        continue;
      EdgeTo[E.To] = Number;
      Queue.push_back(E.To);
    }
  if (EdgeTo[Sink] == None)
    return false;
  auto ForEachOnWay = [&](auto Function) {
    for (unsigned Node = Sink; Node != Source;
         Node = Edges[EdgeTo[Node] ^ 1].To)
      Function(EdgeTo[Node]);
  };
  unsigned Flow = Uncuttable;
  ForEachOnWay(
      [&](unsigned Number) { Flow = std::min(Flow, Edges[Number].Left); });
  ForEachOnWay([&](unsigned Number) {
    Edges[Number].Left -= Flow;
    Edges[Number ^ 1].Left += Flow;
  });
  return true;
}

BitVector MinCut::find() {
  while (augment())
    ;
  BitVector WithSink(EdgesOf.size());
  WithSink.set(Sink);
  SmallVector<unsigned, 0> Queue = {Sink};
  while (!Queue.empty())
    for (unsigned Number : EdgesOf[Queue.pop_back_val()]) {
      const unsigned From = Edges[Number].To;
      if (Edges[Number ^ 1].Left == 0 || WithSink[From])
        continue;
      WithSink.set(From);
      Queue.push_back(From);
    }
  return WithSink;
}
