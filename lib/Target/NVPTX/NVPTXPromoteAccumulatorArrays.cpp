//===- NVPTXPromoteAccumulatorArrays.cpp - Arrays into vectors ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs keep an accumulator of wgmma as a local array:
//
//   float d[64] = {};
//   for (int k = 0; k < rounds; ++k)
//     d = wgmma(d, ...);
//   for (int i = 0; i < count; ++i)
//     out[i] = d[order[i]];
//
// One variable index keeps SROA from making registers of it: the loop around
// the wgmma would then store, and at -O1 load, the whole array in each round,
// behind a wait.
//
// This pass makes a vector of such an array, as SROA makes a scalar of each
// element where all indices are constant. It runs late in the pipeline of
// optimizations, once all loops are unrolled that can be.
// NVPTXIndexAccumulators, ahead of instruction selection, then stores the
// vector once, after the loop.
//
// An array that is written with a variable index stays: each such write would
// store and load the whole vector. So does one whose address goes anywhere but
// to loads, stores and memset.
//
//===----------------------------------------------------------------------===//

#include "NVPTXPromoteAccumulatorArrays.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-promote-accumulator-arrays"

STATISTIC(NumPromoted, "Number of arrays of accumulators made vectors");

/// The bytes of the largest array that is promoted: all the registers that a
/// thread can have.
static constexpr uint64_t MaxSize = 1024;
/// The bytes of a register.
static constexpr uint64_t RegisterSize = 4;

namespace {
/// A place in the array, in bytes: a constant and multiples of variables.
struct Offset {
  int64_t Constant = 0;
  SmallVector<std::pair<Value *, int64_t>, 2> Terms;

  bool isMultipleOf(uint64_t Size) const {
    return Constant % int64_t(Size) == 0 && all_of(Terms, [&](const auto &T) {
             return T.second % int64_t(Size) == 0;
           });
  }
};

/// A load, a store or a memset, and where in the array it begins.
struct Access {
  Instruction *I;
  Offset At;
};

class ArrayPromoter {
public:
  explicit ArrayPromoter(AllocaInst &Array)
      : Array(Array), DL(Array.getDataLayout()) {}

  /// Whether the array can be a vector, and should.
  bool analyze();
  /// Makes the array a vector in memory, which can be promoted.
  AllocaInst *rewrite();

private:
  bool collect(Value *Address, const Offset &At);
  bool collectUser(Instruction *User, Value *Address, const Offset &At);
  bool chooseElement();
  bool fits(const Access &A) const;
  void rewriteLoad(LoadInst &Load, const Offset &At);
  void rewriteStore(StoreInst &Store, const Offset &At);
  void rewriteMemSet(MemSetInst &Set, const Offset &At);
  Value *getByteOffset(const Offset &At, IRBuilderBase &Builder) const;
  Value *getIndex(const Offset &At, IRBuilderBase &Builder) const;

  AllocaInst &Array;
  const DataLayout &DL;
  SmallVector<Access, 64> Accesses;
  /// Address computations and markers, each after what it uses.
  SmallVector<Instruction *, 16> Others;
  AllocaInst *Vector = nullptr;
  Type *ElementTy = nullptr;
  /// The bytes of an element.
  uint64_t Size = 0;
};
} // namespace

/// The type whose size an access of type \p Ty has elements of; null where the
/// bits in memory are not those of the value.
static Type *getScalarType(Type *Ty, const DataLayout &DL) {
  Type *Scalar = isa<FixedVectorType>(Ty) ? Ty->getScalarType() : Ty;
  if (!Scalar->isIntegerTy() && !Scalar->isFloatingPointTy())
    return nullptr;
  uint64_t Bits = Scalar->getPrimitiveSizeInBits();
  return Bits % 8 == 0 && isPowerOf2_64(Bits) &&
                 DL.getTypeStoreSize(Ty).getFixedValue() * 8 ==
                     Ty->getPrimitiveSizeInBits()
             ? Scalar
             : nullptr;
}

static uint64_t getBytes(const Type *Ty) {
  return Ty->getPrimitiveSizeInBits() / 8;
}

static Type *getAccessType(const Instruction *I) {
  return isa<LoadInst>(I) ? I->getType()
                          : cast<StoreInst>(I)->getValueOperand()->getType();
}

/// Adds the offset that \p GEP adds to \p At; false where that is not known.
static bool addOffset(const GEPOperator &GEP, const DataLayout &DL,
                      Offset &At) {
  unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  SmallMapVector<Value *, APInt, 4> Variables;
  APInt Constant(Bits, 0);
  if (!GEP.collectOffset(DL, Bits, Variables, Constant))
    return false;
  At.Constant += Constant.getSExtValue();
  for (auto &[Variable, Scale] : Variables)
    At.Terms.push_back({Variable, Scale.getSExtValue()});
  return true;
}

bool ArrayPromoter::collectUser(Instruction *User, Value *Address,
                                const Offset &At) {
  if (auto *GEP = dyn_cast<GetElementPtrInst>(User)) {
    Offset Sum = At;
    Others.push_back(User);
    return !GEP->getType()->isVectorTy() &&
           addOffset(*cast<GEPOperator>(GEP), DL, Sum) && collect(GEP, Sum);
  }
  if (isa<AddrSpaceCastInst>(User)) {
    Others.push_back(User);
    return collect(User, At);
  }
  if (User->isLifetimeStartOrEnd()) {
    Others.push_back(User);
    return true;
  }
  Accesses.push_back({User, At});
  if (auto *Load = dyn_cast<LoadInst>(User))
    return Load->isSimple() && getScalarType(Load->getType(), DL);
  if (auto *Store = dyn_cast<StoreInst>(User))
    return Store->isSimple() && At.Terms.empty() &&
           Store->getPointerOperand() == Address &&
           getScalarType(getAccessType(Store), DL);
  auto *Set = dyn_cast<MemSetInst>(User);
  return Set && !Set->isVolatile() && At.Terms.empty() &&
         isa<ConstantInt>(Set->getValue()) &&
         isa<ConstantInt>(Set->getLength());
}

bool ArrayPromoter::collect(Value *Address, const Offset &At) {
  return all_of(Address->users(), [&](User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && collectUser(I, Address, At);
  });
}

/// An element is a register, or a half where halves are stored.
bool ArrayPromoter::chooseElement() {
  Size = RegisterSize;
  for (const Access &A : Accesses)
    if (isa<StoreInst>(A.I))
      Size = std::min(Size, getBytes(getScalarType(getAccessType(A.I), DL)));
  for (const Access &A : Accesses) {
    if (isa<MemSetInst>(A.I))
      continue;
    Type *Ty = getScalarType(getAccessType(A.I), DL);
    if (getBytes(Ty) != Size)
      continue;
    if (ElementTy && ElementTy != Ty)
      Ty = IntegerType::get(Ty->getContext(), 8 * Size);
    ElementTy = Ty;
  }
  return ElementTy && Size >= 2;
}

/// Whether \p A is to whole elements in the array, or loads a part of one.
bool ArrayPromoter::fits(const Access &A) const {
  uint64_t Bytes;
  if (auto *Set = dyn_cast<MemSetInst>(A.I)) {
    Bytes = cast<ConstantInt>(Set->getLength())->getLimitedValue();
    if (Bytes % Size != 0)
      return false;
  } else {
    Bytes = getBytes(getAccessType(A.I));
  }
  if (A.At.Terms.empty() &&
      (A.At.Constant < 0 ||
       A.At.Constant + Bytes > Array.getAllocationSize(DL)->getFixedValue()))
    return false;
  return Bytes >= Size ? Bytes % Size == 0 && A.At.isMultipleOf(Size)
                       : A.At.isMultipleOf(Bytes);
}

bool ArrayPromoter::analyze() {
  std::optional<TypeSize> Bytes = Array.getAllocationSize(DL);
  if (!Array.isStaticAlloca() || !Bytes || Bytes->isScalable() ||
      Bytes->getFixedValue() > MaxSize || !collect(&Array, {}) ||
      !chooseElement() || Bytes->getFixedValue() % Size != 0)
    return false;
  return all_of(Accesses, [&](const Access &A) { return fits(A); }) &&
         any_of(Accesses,
                [](const Access &A) { return !A.At.Terms.empty(); }) &&
         any_of(Accesses, [](const Access &A) {
           auto *Store = dyn_cast<StoreInst>(A.I);
           return Store && NVPTX::isPartOfAccumulator(Store->getValueOperand());
         });
}

Value *ArrayPromoter::getByteOffset(const Offset &At,
                                    IRBuilderBase &Builder) const {
  Value *Sum = Builder.getInt64(At.Constant);
  for (auto [Variable, Scale] : At.Terms)
    Sum = Builder.CreateAdd(
        Sum, Builder.CreateMul(
                 Builder.CreateSExtOrTrunc(Variable, Builder.getInt64Ty()),
                 Builder.getInt64(Scale)));
  return Sum;
}

/// The element that \p At is in.
Value *ArrayPromoter::getIndex(const Offset &At, IRBuilderBase &Builder) const {
  if (!At.isMultipleOf(Size))
    return Builder.CreateLShr(getByteOffset(At, Builder), Log2_64(Size));
  Offset Elements = At;
  Elements.Constant /= int64_t(Size);
  for (auto &Term : Elements.Terms)
    Term.second /= int64_t(Size);
  return getByteOffset(Elements, Builder);
}

void ArrayPromoter::rewriteLoad(LoadInst &Load, const Offset &At) {
  IRBuilder<> Builder(&Load);
  Value *Elements = Builder.CreateLoad(Vector->getAllocatedType(), Vector);
  Value *Index = getIndex(At, Builder);
  uint64_t Bytes = getBytes(Load.getType());
  Value *Result;
  if (Bytes <= Size) {
    Result = Builder.CreateExtractElement(Elements, Index);
  } else {
    Result = PoisonValue::get(FixedVectorType::get(ElementTy, Bytes / Size));
    for (uint64_t I = 0; I != Bytes / Size; ++I)
      Result = Builder.CreateInsertElement(
          Result,
          Builder.CreateExtractElement(
              Elements, Builder.CreateAdd(Index, Builder.getInt64(I))),
          I);
  }
  if (Bytes < Size) {
    Type *Whole = Builder.getIntNTy(8 * Size);
    Value *Shift = Builder.CreateShl(
        Builder.CreateAnd(getByteOffset(At, Builder), Size - 1), 3);
    Result = Builder.CreateTrunc(
        Builder.CreateLShr(Builder.CreateBitCast(Result, Whole),
                           Builder.CreateZExtOrTrunc(Shift, Whole)),
        Builder.getIntNTy(8 * Bytes));
  }
  Result = Builder.CreateBitCast(Result, Load.getType());
  Result->takeName(&Load);
  Load.replaceAllUsesWith(Result);
}

void ArrayPromoter::rewriteStore(StoreInst &Store, const Offset &At) {
  IRBuilder<> Builder(&Store);
  Value *Stored = Store.getValueOperand();
  Value *Elements = Builder.CreateLoad(Vector->getAllocatedType(), Vector);
  uint64_t First = At.Constant / Size,
           Count = getBytes(Stored->getType()) / Size;
  if (Count == 1) {
    Elements = Builder.CreateInsertElement(
        Elements, Builder.CreateBitCast(Stored, ElementTy), First);
  } else {
    Stored =
        Builder.CreateBitCast(Stored, FixedVectorType::get(ElementTy, Count));
    for (uint64_t I = 0; I != Count; ++I)
      Elements = Builder.CreateInsertElement(
          Elements, Builder.CreateExtractElement(Stored, I), First + I);
  }
  Builder.CreateStore(Elements, Vector);
}

void ArrayPromoter::rewriteMemSet(MemSetInst &Set, const Offset &At) {
  IRBuilder<> Builder(&Set);
  Constant *Bits = ConstantInt::get(
      Set.getContext(),
      APInt::getSplat(8 * Size, cast<ConstantInt>(Set.getValue())->getValue()));
  Value *Element = Builder.CreateBitCast(Bits, ElementTy);
  Value *Elements = Builder.CreateLoad(Vector->getAllocatedType(), Vector);
  uint64_t Count = cast<ConstantInt>(Set.getLength())->getZExtValue() / Size;
  for (uint64_t I = 0; I != Count; ++I)
    Elements =
        Builder.CreateInsertElement(Elements, Element, At.Constant / Size + I);
  Builder.CreateStore(Elements, Vector);
}

AllocaInst *ArrayPromoter::rewrite() {
  LLVM_DEBUG(dbgs() << "Promoting: " << Array << '\n');
  uint64_t Count = Array.getAllocationSize(DL)->getFixedValue() / Size;
  IRBuilder<> Builder(&Array);
  Vector = Builder.CreateAlloca(FixedVectorType::get(ElementTy, Count));
  Vector->takeName(&Array);
  for (auto &[I, At] : Accesses) {
    if (auto *Load = dyn_cast<LoadInst>(I))
      rewriteLoad(*Load, At);
    else if (auto *Store = dyn_cast<StoreInst>(I))
      rewriteStore(*Store, At);
    else
      rewriteMemSet(*cast<MemSetInst>(I), At);
    I->eraseFromParent();
  }
  for (Instruction *I : reverse(Others))
    I->eraseFromParent();
  // What is left are descriptions of a variable.
  Array.replaceAllUsesWith(Vector);
  Array.eraseFromParent();
  ++NumPromoted;
  return Vector;
}

PreservedAnalyses
NVPTXPromoteAccumulatorArraysPass::run(Function &F,
                                       FunctionAnalysisManager &AM) {
  if (!NVPTX::usesWGMMA(F))
    return PreservedAnalyses::all();
  SmallVector<AllocaInst *, 4> Arrays, Vectors;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Array = dyn_cast<AllocaInst>(&I))
      Arrays.push_back(Array);
  for (AllocaInst *Array : Arrays) {
    ArrayPromoter Promoter(*Array);
    if (Promoter.analyze())
      Vectors.push_back(Promoter.rewrite());
  }
  if (Vectors.empty())
    return PreservedAnalyses::all();
  PromoteMemToReg(Vectors, AM.getResult<DominatorTreeAnalysis>(F));
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
