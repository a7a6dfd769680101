//===- NVPTXWGMMAInFlight.h - Which wgmma may be in flight ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// wgmma.mma_async executes asynchronously: it is in flight from where it is
/// issued to the wgmma.wait_group that retires it. This says which of a
/// function's wgmma may be in flight where, and which registers they use
/// meanwhile: those of the accumulator, which they read and write, and those of
/// A and of the sparsity metadata, which they read late.
///
/// The passes that keep everything else away from these registers share it:
/// NVPTXHoldWGMMARegisters, NVPTXJoinWGMMACopies, NVPTXProtectWGMMA,
/// NVPTXPlaceWGMMAFences, and NVPTXClarifyWGMMAGroups, which makes the steps
/// plain to ptxas.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAINFLIGHT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAINFLIGHT_H

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTXWGMMAAsm.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineInstr.h"
#include <optional>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineRegisterInfo;

inline bool isWGMMA(const MachineInstr &MI) {
  return MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag;
}

/// Whether any instruction of \p MBB is one.
bool hasWGMMAIn(const MachineBasicBlock &MBB);

/// A number for the shape of \p WGMMA and the type of its accumulator, as in
/// m64n8k16.f32: only wgmma that have the same may follow each other in the
/// same registers without a fence or a wait.
inline unsigned getWGMMAShape(const MachineInstr &WGMMA) {
  // In sync with NVPTXWGMMA.td. N follows from the number of registers.
  constexpr unsigned Shift = 13, Bits = 5;
  return WGMMA.getDesc().getNumDefs() << Bits |
         (WGMMA.getDesc().TSFlags >> Shift & ((1 << Bits) - 1));
}

/// Whether \p MO must be the register of another operand of its instruction: an
/// element of an accumulator comes out of a wgmma where it went in, which no
/// constraint of the instruction's description says (see NVPTXTieAccumulators).
bool isTied(const MachineOperand &MO);

/// Whether all elements of the accumulator of \p WGMMA are tied, or none, which
/// then is still to do. What is wrong otherwise goes to \p ErrInfo, as the
/// machine verifier wants it.
bool verifyAccumulator(const MachineInstr &WGMMA, StringRef &ErrInfo);

/// The operand that says whether \p WGMMA adds to its accumulator, a predicate
/// or a constant, or overwrites it.
MachineOperand &getScaleD(MachineInstr &WGMMA);

/// Whether \p WGMMA overwrites its accumulator for certain.
bool overwritesAccumulator(const MachineInstr &WGMMA);

/// Whether \p MI writes one register, and the same wherever it stands.
bool isConstant(const MachineInstr &MI);

/// Whether \p MI takes the lower half, the upper one, or both from a value of
/// 64 bits.
bool takesHalves(const MachineInstr &MI);

/// What an instruction takes of a register of 32 bits: its lower and its upper
/// half, or none for one that it leaves, and which operand the register is.
struct RegisterHalves {
  Register Lo, Hi;
  unsigned WholeIndex;
};

/// The halves that \p MI takes of a register of 32 bits, if it does so.
std::optional<RegisterHalves> getRegisterHalves(const MachineInstr &MI);

/// The registers that a wgmma reads late: those of A, where it is a fragment,
/// and of the sparsity metadata. The descriptors and the predicate are read
/// when it is issued.
SmallVector<Register, 5> getLateInputs(const MachineInstr &WGMMA,
                                       const MachineRegisterInfo &MRI);

/// The operands of \p WGMMA that are a fragment of A, the first of its late
/// inputs; none where A is in shared memory.
MutableArrayRef<MachineOperand> getFragment(MachineInstr &WGMMA,
                                            const MachineRegisterInfo &MRI);

/// Which operand of \p WGMMA is its sparsity metadata; none where it is dense.
std::optional<unsigned> getMetadataIndex(const MachineInstr &WGMMA,
                                         const MachineRegisterInfo &MRI);

/// Whether \p Reg is one of an accumulator.
bool isAccumulated(Register Reg, const MachineRegisterInfo &MRI);

/// The registers of the accumulators and the late inputs of all wgmma.
DenseSet<Register> collectWGMMARegisters(const MachineFunction &MF);

/// The steps that \p MI executes, inline assembly included, in order.
SmallVector<WGMMAEvent, 1> getWGMMAEvents(const MachineInstr &MI);

/// Whether \p MI executes a step of this kind.
bool hasWGMMAEvent(const MachineInstr &MI, WGMMAEvent::KindTy Kind);

/// Whether \p MI is inline assembly after which the thread has left.
bool exitsThread(const MachineInstr &MI);

/// Whether \p MI executes a wgmma.wait_group.
bool isWGMMAWait(const MachineInstr &MI);

/// How many groups \p MI lets stay in flight, if it is a wait, and no inline
/// assembly.
std::optional<unsigned> getPendingGroups(const MachineInstr &MI);

/// Whether \p MI is a wait that lets none stay in flight.
bool isWGMMAWaitForAll(const MachineInstr &MI);

/// Whether \p MI has the value of its operands for result: a phi, a copy or
/// fence_operand.
bool passesValueOn(const MachineInstr &MI);

/// The register that \p Reg has its value from, by way of copies and
/// fence_operand, on SSA form.
Register getCopySource(Register Reg, const MachineRegisterInfo &MRI);

/// Whether the operands of \p MI are no accesses to registers, or none that
/// anybody but its author answers for. Inline assembly accesses none if it has
/// no text, as it stands in CUTLASS for fence_operand, or if all of its
/// statements are steps of the protocol; and what it does to registers is its
/// author's affair if it multiplies itself.
bool hasNoAccesses(const MachineInstr &MI);

/// Whether \p MI, if it is no wgmma, accesses any of \p Registers.
bool accessesAny(const MachineInstr &MI, const DenseSet<Register> &Registers);

/// Whether \p MI may execute steps of the protocol, or multiplications, that
/// getWGMMAEvents does not tell of: a call, or inline assembly.
bool hasUnknownWGMMASteps(const MachineInstr &MI);

/// Whether all threads of a warp come to \p MBB together, as far as its own
/// instructions tell: it has a step of wgmma, or a barrier of that kind.
bool isForAllThreads(const MachineBasicBlock &MBB);

/// The wgmma of a function that may be in flight at one point, by their number.
class WGMMAState {
public:
  WGMMAState() = default;
  WGMMAState(unsigned NumWGMMA, unsigned MaxAge)
      : ByAge(MaxAge + 1, BitVector(NumWGMMA)), PastWait(NumWGMMA),
        PastCall(NumWGMMA) {}

  void issue(unsigned Number);
  void execute(WGMMAEvent Event);
  /// Takes over what another path leaves in flight. True if that adds anything.
  bool merge(const WGMMAState &Other);

  bool none() const;
  /// Whether a wgmma.wait_group that lets \p Pending groups stay may retire
  /// any of them, and whether it may leave any that is committed.
  bool isAnyRetiredBy(unsigned Pending) const;
  bool isAnyLeftBy(unsigned Pending) const;
  /// Whether such a wait may leave it, committed or not.
  bool isLeftBy(unsigned Number, unsigned Pending) const;
  bool contains(unsigned Number) const;
  bool intersects(const BitVector &Numbers) const;
  /// Whether some path leads here on which it has not been committed.
  bool isUncommitted(unsigned Number) const { return ByAge.front()[Number]; }
  /// Those that have not been committed on some path.
  const BitVector &uncommitted() const { return ByAge.front(); }
  /// Whether a wait, or a call, has come since on some path that did not retire
  /// it.
  bool isPastWait(unsigned Number) const { return PastWait[Number]; }
  bool isPastCall(unsigned Number) const { return PastCall[Number]; }
  /// All that may be in flight.
  BitVector all() const;

private:
  /// By how many groups were committed since it was issued, on any path; the
  /// last stands for more than any wait_group of the function lets stay.
  SmallVector<BitVector, 3> ByAge;
  BitVector PastWait, PastCall;
};

/// The wgmma of a function, and where they may be in flight. Holds as long as
/// no wgmma and no step of the protocol is added or removed.
class WGMMAInFlight {
public:
  explicit WGMMAInFlight(MachineFunction &MF);

  bool empty() const { return WGMMAs.empty(); }
  ArrayRef<MachineInstr *> wgmmas() const { return WGMMAs; }
  unsigned size() const { return WGMMAs.size(); }

  /// Calls \p Visit for every instruction, with what may be in flight before
  /// it.
  void
  forEach(function_ref<void(MachineInstr &, const WGMMAState &)> Visit) const;
  /// The same for those of one block.
  void
  forEachIn(MachineBasicBlock &MBB,
            function_ref<void(MachineInstr &, const WGMMAState &)> Visit) const;

  /// What may be in flight at the start of \p MBB, and at its end.
  const WGMMAState &atStart(const MachineBasicBlock &MBB) const;
  WGMMAState atEnd(const MachineBasicBlock &MBB) const;

private:
  /// A wgmma, or a step of the protocol.
  struct Step {
    bool IsWGMMA;
    unsigned Number;
    WGMMAEvent Event;
  };

  void collectSteps(MachineFunction &MF);
  void propagate(MachineFunction &MF);
  static void execute(WGMMAState &State, ArrayRef<Step> Steps);

  MachineFunction &MF;
  SmallVector<MachineInstr *, 16> WGMMAs;
  DenseMap<const MachineInstr *, SmallVector<Step, 1>> StepsOf;
  /// By the block's number: all its steps, and what is in flight at its start.
  SmallVector<SmallVector<Step, 4>, 0> Steps;
  SmallVector<WGMMAState, 0> Entry;
  unsigned MaxAge = 1;
};

/// Which wgmma use a register while they are in flight, and what for. Wgmma
/// that accumulate in the same registers and have the same shape form a chain:
/// they may follow each other without a wait.
class WGMMARegisters {
public:
  WGMMARegisters(const WGMMAInFlight &InFlight, const MachineRegisterInfo &MRI);

  /// The numbers of those in flight that have \p Reg in their accumulator,
  /// unless they are of the chain of \p Except.
  SmallVector<unsigned, 2>
  accumulatingIn(Register Reg, const WGMMAState &State,
                 const MachineInstr *Except = nullptr) const;
  /// The numbers of those in flight that read \p Reg late.
  SmallVector<unsigned, 2> readingLate(Register Reg,
                                       const WGMMAState &State) const;
  /// The chains, numbered in the order of their first wgmma, that have any in
  /// flight.
  BitVector findChains(const WGMMAState &State) const;
  /// The members of a chain.
  const BitVector &getMembers(unsigned Chain) const { return Chains[Chain]; }

private:
  /// The members of each chain.
  SmallVector<BitVector> Chains;
  DenseMap<const MachineInstr *, unsigned> ChainOf;
  /// By the wgmma's number.
  SmallVector<unsigned, 0> ChainNumbers;
  DenseMap<Register, SmallVector<unsigned, 1>> ChainsOf;
  DenseMap<Register, SmallVector<unsigned, 2>> LateReaders;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAINFLIGHT_H
