//===- Evaluator.h - Executes LLVM IR ---------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the integer part of LLVM IR with vectors, calls and memory, and
// wgmma as a function of values. It follows poison and what is in flight, so
// that a program that is not valid is refused and not compared: one that relies
// on poison, uses an accumulator before its wait and fence_operand, multiplies
// what was computed after the last fence, or ends with a wgmma in flight.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_EVALUATOR_H
#define NVPTX_MMA_WGMMA_RANDOM_EVALUATOR_H

#include "Arithmetic.h"
#include "Launch.h"
#include "Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace wgmmarandom {

class Evaluator {
public:
  /// Executes all \p Threads of a kernel in step: branches must be uniform.
  Evaluator(const llvm::Module &M, const Launch &L, Arithmetic &TheArithmetic,
            unsigned Threads = 1)
      : DL(M.getDataLayout()), L(L), TheArithmetic(TheArithmetic),
        Threads(Threads) {}

  Execution run(const llvm::Function &Kernel);

private:
  struct Element {
    uint64_t Bits = 0;
    bool Poison = false;
    /// The wgmma that made it, up to fence_operand; 0 for none.
    unsigned Pending = 0;
    /// The same, also after it.
    unsigned Writer = 0;
    /// How many fences were executed before it was computed.
    unsigned Epoch = 0;
  };
  /// A wgmma that was executed.
  struct Issued {
    std::string Shape;
    unsigned Commits; ///< Executed before it.
    bool InFlight = true;
  };
  /// The elements of a vector; a scalar is one.
  using Val = llvm::SmallVector<Element, 4>;
  using Frame = llvm::DenseMap<const llvm::Value *, Val>;

  /// The values of each thread.
  using Frames = std::vector<Frame>;

  /// \p Arguments and results are those of each thread.
  std::vector<Val> call(const llvm::Function &F,
                        llvm::ArrayRef<std::vector<Val>> Arguments);
  std::vector<Val> callFrom(const llvm::CallBase &Call, Frames &All);
  const llvm::BasicBlock *successor(const llvm::Instruction &Last, Frames &All);
  /// A value that must be the same in all threads.
  uint64_t uniform(const llvm::Value *V, Frames &All);
  void executeForAll(const llvm::Instruction &I, Frames &All);
  void executePhis(const llvm::BasicBlock &BB, const llvm::BasicBlock *From,
                   Frame &Values);
  /// Everything but phis and terminators.
  Val execute(const llvm::Instruction &I, Frame &Values);
  /// Passes on what is in flight, too.
  Val moveElement(const llvm::Instruction &I, Frame &Values);
  /// What computes new values.
  Val compute(const llvm::Instruction &I, Frame &Values);
  Val fenceOperand(Val Value);
  Val executeIntrinsic(const llvm::CallBase &Call, Frame &Values);
  Val executeInlineAsm(const llvm::CallBase &Call, Frame &Values);
  /// The arguments that the results of inline asm are tied to.
  Val tiedTo(const llvm::CallBase &Call, Frame &Values);
  std::vector<Val> executeWGMMA(Operation Op, const llvm::CallBase &Call,
                                Frames &All);
  /// The operands of one thread; sets the immediates of \p Op.
  Inputs operandsOf(Operation &Op, const llvm::CallBase &Call, Frame &Values,
                    Val &Accumulator);
  void countOnce(unsigned &Counter) const { Counter += Thread == 0; }
  Val binary(const llvm::BinaryOperator &I, const Val &A, const Val &B);
  Val compare(const llvm::ICmpInst &I, const Val &A, const Val &B);
  Val cast(const llvm::CastInst &I, const Val &A);
  Val bitcast(const Val &A, llvm::Type *From, llvm::Type *To);
  Val shuffle(const llvm::ShuffleVectorInst &I, Frame &Values);
  Val address(const llvm::GEPOperator &GEP, Frame &Values);
  /// What is known of what is in memory, beyond its bits.
  Element knownOf(uint64_t At, unsigned Size);
  Val load(llvm::Type *Ty, const Val &Address);
  void fill(const llvm::MemSetInst &Fill, Frame &Values);
  void store(llvm::Type *Ty, const Val &Value, const Val &Address);

  /// A value that is only passed on, in flight or not.
  Val get(const llvm::Value *V, Frame &Values);
  /// A value that is computed with.
  Val use(const llvm::Value *V, Frame &Values);
  void wait(uint64_t Pending);
  /// Whether a wgmma of this shape may read it as its accumulator, or one of
  /// any as another input, where the shape is empty.
  bool isOrdered(const Element &E, llvm::StringRef Shape) const;
  Val constant(const llvm::Constant *C, Frame &Values);
  uint64_t scalar(const llvm::Value *V, Frame &Values);
  Val fail(const llvm::Twine &Message);
  unsigned width(llvm::Type *Ty) const {
    return DL.getTypeSizeInBits(Ty->getScalarType());
  }
  static unsigned length(llvm::Type *Ty) {
    auto *V = llvm::dyn_cast<llvm::FixedVectorType>(Ty);
    return V ? V->getNumElements() : 1;
  }

  const llvm::DataLayout &DL;
  const Launch &L;
  Arithmetic &TheArithmetic;
  unsigned Threads;
  unsigned Thread = 0; ///< That is executing.
  Execution Result;
  uint64_t NextLocal = LocalBase;
  std::vector<Issued> Wgmmas;
  /// How many groups were committed, and how many wgmma retired.
  unsigned Commits = 0, Retired = 0;
  static constexpr unsigned RegisterBytes = 4;
  /// What is known of the elements in local memory, or of each register of
  /// larger ones.
  llvm::DenseMap<uint64_t, Element> Shadow;
  unsigned Steps = 0;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_EVALUATOR_H
