//===- NVPTXHalfPairs.h - The halves of a register in pairs -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A 32-bit value that is put together of two lanes is a pair of lanes, and
/// their values may come from pairs again, as those of phis do. This finds the
/// pairs that a pair leads to, and whether they lead to a register that exists.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHALFPAIRS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHALFPAIRS_H

#include "NVPTXLanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;

namespace lanes {

/// Whether \p L is half of a register that a wgmma may write.
bool isWGMMALane(Lane L);

enum class PairKind {
  /// Both lanes are constant.
  Constant,
  /// They are the two halves of a register that exists.
  Register,
  /// They are phis of one block (or one is, and the other is the same on all
  /// ways into it): a phi of merged pairs.
  Phi,
  /// They are selected by the same condition: a select of merged pairs.
  Select,
  /// They are frozen in the same block: the merged pair is frozen.
  Freeze,
  /// The same is computed of halves, in the same block: it is computed of
  /// merged pairs.
  Operation,
  /// Anything else: the two halves have to be packed.
  Pack,
};

/// Two lanes that a 32-bit value is made of.
struct Pair {
  Lane Lo, Hi;
  PairKind Kind = PairKind::Pack;
  /// Where the merged value comes to stand: the phi whose block has it, or the
  /// later one of two selects, freezes or operations.
  Instruction *Anchor = nullptr;
  /// The pairs that a phi, select, freeze or operation is made of, in the order
  /// of the anchor's operands; and the pairs that are made of this one.
  SmallVector<Pair *, 4> Operands, Users;
  /// Whether this leads to a Register, and whether to a Pack other than of what
  /// an operation takes.
  bool LeadsToRegister = false, LeadsToPack = false;
  /// The phi, select, freeze or operation, once it is made.
  Instruction *Merged = nullptr;
};

/// Whether both lanes of \p P are halves of registers of a wgmma's results.
bool isOfResults(const Pair &P);

/// The pairs that the roots of a function lead to.
class PairGraph {
public:
  PairGraph(const Function &F, const DominatorTree &DT,
            const LaneFinder &Finder);

  /// The pair of these lanes, and with it all that it leads to.
  Pair *get(Lane Lo, Lane Hi);
  /// The upper half that belongs to this lower half, as far as it is known.
  std::optional<Lane> getPartner(Lane Lo) const;
  /// To be called once, when all pairs are known.
  void propagate();

private:
  void classify(Pair &P);
  bool isRegister(const Pair &P) const;
  bool isPhi(Pair &P) const;
  bool isSelect(Pair &P) const;
  bool isFreeze(Pair &P);
  bool isOperation(Pair &P) const;
  bool isAvailableIn(Lane L, const BasicBlock *Block) const;
  void addOperands(Pair &P);
  bool isOneValue(Lane Lo, Lane Hi) const;
  void addOperationOperands(Pair &P);
  void addOperand(Pair &P, Lane Lo, Lane Hi);
  Pair *lookup(Lane Lo, Lane Hi);

  using Key =
      std::pair<std::pair<Value *, unsigned>, std::pair<Value *, unsigned>>;
  const DominatorTree &DT;
  const LaneFinder &Finder;
  const size_t MaxPairs;
  std::deque<Pair> Pairs;
  DenseMap<Key, Pair *> Known;
  /// From the lower to the upper half of pairs that can be merged.
  DenseMap<std::pair<Value *, unsigned>, Lane> Partners;
  SmallVector<Pair *, 32> Worklist;
  /// A freeze may become part of one merged freeze only, lest its users see
  /// different values.
  SmallPtrSet<Value *, 8> Frozen;
};

} // namespace lanes
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHALFPAIRS_H
