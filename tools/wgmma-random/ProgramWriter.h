//===- ProgramWriter.h - Valid statements as IR text ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the statements of a kernel, each valid where it is written: what a
// statement needs (a fence, a wait, a fence_operand) comes with it.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_PROGRAMWRITER_H
#define NVPTX_MMA_WGMMA_RANDOM_PROGRAMWRITER_H

#include "Generator.h"
#include "ProgramState.h"
#include "Random.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <set>

namespace wgmmarandom {

class ProgramWriter {
public:
  ProgramWriter(Random &R, const GeneratorOptions &O);

  // Variables.
  void addAccumulator(const AccumulatorVariable &V);
  void addFragment();
  void addMetadata();
  /// Gives variables their first values.
  void initialize();
  /// Without the one that is tracked by a flag.
  unsigned numAccumulators() const { return Accumulators.size() - IsTracked; }
  /// Has some wgmma use a variable in another shape than it mostly has.
  void useOtherShapes(uint64_t Seed) { OtherShapes.emplace(Seed); }
  void useAssembly() { IsInAssembly = true; }
  void overwrite(uint64_t Seed) { Overwrites.emplace(Seed); }
  /// Most A are fragments, and nothing but wgmma, and what the next fragments
  /// are computed from, reads these.
  void leaveFragmentsUnread() { HasUnreadFragments = true; }
  bool leavesFragmentsUnread() const { return HasUnreadFragments; }
  /// Single elements are read, and computed from, before wgmma, whose
  /// accumulators may pass through one more fence_operand then.
  void readInPart(uint64_t Seed) { PartialReads.emplace(Seed); }
  /// Single halves of registers are computed with, where elements are halves.
  void computeHalves(uint64_t Seed) { SingleHalves.emplace(Seed); }
  /// The same is computed of some elements each time, and others stay.
  void changeInPart(uint64_t Seed) { PartialChanges.emplace(Seed); }
  /// Accumulators are arrays that are accessed by element, and by pairs of
  /// registers where they are not in flight.
  void accessPairs(uint64_t Seed) { RegisterPairs.emplace(Seed); }
  /// Most accumulators are stored by halves: elements of f32 rounded to f16,
  /// or the upper half of each register, or of some.
  void storeByHalves(uint64_t Seed) { StoredHalves.emplace(Seed); }
  /// Most conditions ask which round of a loop it is, or what another one has
  /// asked before.
  void testRounds(uint64_t Seed) { RoundTests.emplace(Seed); }
  /// What a flag is: one that is set, how often something was set in flight,
  /// be it with a limit or without, or in which round last.
  enum class FlagKind { Bit, Count, LimitedCount, Round };
  /// Only what asks a flag whether it is in flight accesses the accumulator
  /// that was added last.
  void trackLast(FlagKind Kind) {
    IsTracked = true;
    TrackedBy = Kind;
  }
  ProgramState &state() { return State; }

  // Control flow.
  std::string newLabel();
  void label(const std::string &Name);
  void branch(const std::string &To);
  void branch(const std::string &Condition, const std::string &Then,
              const std::string &Else);
  /// Goes one of \p Ways, as a number below eight tells.
  void branchByNumber(Random &Choices, llvm::ArrayRef<std::string> Ways,
                      const std::string &Default);
  std::string condition();
  /// Whether the flag is a count with a limit, and whether it has come to that:
  /// then the program waits, and sets it back.
  bool hasTrackedLimit() const { return TrackedBy == FlagKind::LimitedCount; }
  std::string isTrackedAtLimit();
  /// What the flag says, and what it says from here on.
  std::string isTrackedInFlight();
  void setTrackedInFlight(bool InFlight);
  /// Sets a new loop's counter to 0, and returns its variable.
  std::string enterLoop();
  /// How many rounds the loop has that was entered last.
  void setBound(const std::string &Bound) { Bounds.back() = Bound; }
  void leaveLoop();
  void increment(const std::string &Counter);
  std::string isBelow(const std::string &Counter, const std::string &Bound);

  // wgmma.
  void fence();
  void commit();
  void wait(int Pending);
  /// A wgmma into variable \p Index, after a fence where it needs one; of that
  /// fragment, if it is said.
  void multiply(unsigned Index,
                std::optional<unsigned> Fragment = std::nullopt);
  /// The same with scale-d = 0 in a loop's first round.
  void multiplyFromSecondRound(unsigned Index);
  /// Waits for variable \p Index if need be, and passes it through
  /// fence_operand.
  void makeReady(unsigned Index);

  // Other statements.
  void accumulatorStatement();
  /// Stores the sums of variable \p Index, after a wait where it needs one.
  void storeAccumulator(unsigned Index);
  void fragmentStatement();
  unsigned numFragments() const { return NumFragments; }
  /// Loads a fragment.
  void setFragment(unsigned Index);
  void metadataStatement();
  void scalarStatement();
  void barrier();
  /// Moves values from one accumulator to another, in flight or not.
  void moveVariables();
  void call();

  /// Waits for all, and stores every value.
  void finish();
  /// The module.
  std::string text() const;

private:
  // Lines and values.
  void line(const llvm::Twine &Text);
  std::string value(const llvm::Twine &Text);
  std::string load(llvm::StringRef Type, const std::string &Variable);
  void store(llvm::StringRef Type, const std::string &Value,
             const std::string &Variable);
  struct Parts;
  std::string cast(const std::string &Value, const std::string &From,
                   const std::string &To);
  std::string partOf(const AccumulatorVariable &V, const Parts &P,
                     unsigned Index);
  std::string loadPart(const AccumulatorVariable &V, const Parts &P,
                       unsigned Index);
  std::string loadParts(const AccumulatorVariable &V, const Parts &P);
  void storeParts(const AccumulatorVariable &V, const Parts &P,
                  const std::string &Value);
  std::string load(const AccumulatorVariable &V);
  void store(const AccumulatorVariable &V, const std::string &Value);
  std::string loadReady(const AccumulatorVariable &V);
  void storeReady(const AccumulatorVariable &V, const std::string &Value);
  enum class Part { Fragments, Metadata, Accumulators };
  std::string loadInput(Part P, llvm::StringRef Type, unsigned Bytes);
  std::string loadAccumulator(const AccumulatorVariable &V);
  std::string nextOutput(unsigned Bytes);
  void storeOutput(llvm::StringRef Type, const std::string &Value,
                   unsigned Bytes);
  void storeHalves(const AccumulatorVariable &V);
  std::string scalar();
  std::string bit();
  std::string roundTest();
  std::string keptTest();
  std::string descriptor(bool OfA);
  /// Whether nothing that a wgmma reads may be set here.
  bool mustKeepInputs() const { return O.SetWhenIdle && State.anyInFlight(); }
  /// Whether only integers survive arithmetic on bits.
  bool mustStayFloat() const;
  std::string prologue() const;
  void declare(const std::string &Declaration) {
    Declarations.insert(Declaration);
  }
  /// An element of an accumulator that is tied to inline asm.
  struct TiedElement {
    std::string Type, Pointer, Value;
  };
  void tie(const AccumulatorVariable &V, std::vector<TiedElement> &Elements);
  std::vector<unsigned> tieSome(std::vector<TiedElement> &Elements);
  /// A step, a wait with \p Pending, as inline asm. Returns the accumulators
  /// that are tied to it.
  std::vector<unsigned> asmStep(llvm::StringRef Step,
                                std::optional<unsigned> Pending = std::nullopt);

  // wgmma.
  std::string scaleD(bool Defined);
  std::string immediates(const Operation &Op);
  void multiplyInto(unsigned Index, const std::string &ScaleD,
                    std::optional<unsigned> Fragment = std::nullopt);
  AccumulatorVariable chooseShape(unsigned Index);
  void changeShape(unsigned Index, const AccumulatorVariable &To);
  void needFence(unsigned Accumulator, int Fragment, int Metadata);
  void fenceOperand(unsigned Index);
  void readElement(unsigned Index);
  std::string constantAccumulator(const AccumulatorVariable &V,
                                  bool MayBePoison);

  // Values of accumulators and fragments.
  std::string permuted(llvm::StringRef Type, unsigned Length,
                       const std::string &Value, const std::string &Other);
  std::string sumWith(const AccumulatorVariable &V, const std::string &Value,
                      const std::string &Number);
  std::string changedInPart(const AccumulatorVariable &V,
                            const std::string &Value);
  std::string withOtherSigns(const AccumulatorVariable &V,
                             const std::string &Value);
  std::string changed(const AccumulatorVariable &V, const std::string &Value);
  std::string asIntegers(const AccumulatorVariable &V,
                         const std::string &Value);
  std::string fromIntegers(const AccumulatorVariable &V,
                           const std::string &Value);
  void assign(unsigned Index, const std::string &Value);
  int otherOfShape(unsigned Index);
  std::string fragmentFrom(unsigned Index);

  // Functions.
  void callScalar();
  void callPermutation(unsigned Index);
  void callMultiplication(unsigned Index);
  void callIssue(unsigned Index);
  void callIssueOf(unsigned Index, bool Waits, llvm::StringRef Attribute);
  std::string multiplication(const AccumulatorVariable &V, bool FromRegisters,
                             const std::string &D, const std::string &A,
                             const std::string &B, const std::string &Metadata,
                             const std::string &ScaleD);

  Random &R;
  const GeneratorOptions &O;
  /// Choices of its own, so that all other programs stay what they are.
  std::optional<Random> OtherShapes, PartialReads, RoundTests, Overwrites,
      SingleHalves, PartialChanges, RegisterPairs, StoredHalves;
  bool IsInAssembly = false;
  bool HasUnreadFragments = false;
  bool IsTracked = false;
  FlagKind TrackedBy = FlagKind::Bit;
  std::vector<AccumulatorVariable> Accumulators;
  unsigned NumFragments = 0, NumMetadata = 0, NumCounters = 0;
  /// Of the loops around, outermost first.
  std::vector<std::string> Counters, Bounds;
  ProgramState State;
  std::string Body, Functions;
  std::set<std::string> Declarations;
  unsigned NextValue = 0, NextLabel = 0, NextOutput = 0, NextFunction = 0;
  bool HasDebugInfo;
  /// With full debug information ptxas does not optimize, and serializes wgmma.
  std::string DebugInfoKind;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_PROGRAMWRITER_H
