//===- SemaNVPTXWGMMA.cpp - Checks of the wgmma builtins ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtins of wgmma.mma_async take any accumulator that PTX has an N for,
// so their type is checked here. What each variant has and allows comes from
// the table that the verifier and the backend use too (llvm/IR/NVVMWGMMA.h).
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/SemaNVPTXWGMMA.h"
#include "clang/Sema/NVPTXCallChecker.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace clang;
using llvm::nvvm::WGMMAVariant;

namespace {
class WGMMAChecker : public NVPTXCallChecker {
public:
  using NVPTXCallChecker::NVPTXCallChecker;

  bool checkMMAAsync(const WGMMAVariant &Variant);
  bool checkFenceOperand();
  bool checkWaitGroup();

private:
  bool checkAccumulator(const WGMMAVariant &Variant);
  bool checkImmediate(unsigned Idx, StringRef What, ArrayRef<int64_t> Allowed);
};
} // namespace

/// The elements of an accumulator: "N/2 'float'".
static StringRef getElements(const WGMMAVariant &Variant) {
  if (Variant.HasFloatAccumulator)
    return "N/2 'float'";
  return Variant.RegistersPer8N == 4 ? "N/2 'int'" : "N/4 'int'";
}

/// The builtin's type, which no prototype can express, for a note.
static std::string getSignature(const WGMMAVariant &Variant) {
  std::string Str;
  llvm::raw_string_ostream OS(Str);
  OS << "'acc (acc d, "
     << (Variant.AFromRegisters ? "int4 a" : "unsigned long a_desc")
     << ", unsigned long b_desc";
  if (Variant.IsSparse)
    OS << ", unsigned int sp_meta, constant sp_sel";
  OS << ", bool scale_d";
  if (Variant.HasScale)
    OS << ", constant scale_a, constant scale_b";
  if (Variant.HasTransA)
    OS << ", constant trans_a";
  if (Variant.HasTransB)
    OS << ", constant trans_b";
  if (Variant.HasSatfinite)
    OS << ", constant satfinite";
  OS << ")', where acc is a vector of " << getElements(Variant);
  if (Variant.AFromRegisters)
    OS << " and int4 one of 4 'int'";
  return Str;
}

bool WGMMAChecker::checkAccumulator(const WGMMAVariant &Variant) {
  unsigned Idx = Variant.getAccumulatorIdx();
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;

  const auto *VecTy = Ty->getAs<VectorType>();
  QualType Element =
      Variant.HasFloatAccumulator ? Context.FloatTy : Context.IntTy;
  if (!VecTy || !isSameElement(VecTy->getElementType(), Element) ||
      !Variant.getN(VecTy->getNumElements()))
    return reportType(Idx, "an accumulator, a vector of " +
                               getElements(Variant) + " with N one of " +
                               Variant.getNList());
  Call->setType(Ty);
  return false;
}

bool WGMMAChecker::checkImmediate(unsigned Idx, StringRef What,
                                  ArrayRef<int64_t> Allowed) {
  std::string Needed;
  llvm::raw_string_ostream OS(Needed);
  llvm::interleave(Allowed, OS, " or ");
  return checkConstant(Idx, What, "the constant " + Needed,
                       [Allowed](const llvm::APSInt &Value) {
                         return Value.isRepresentableByInt64() &&
                                llvm::is_contained(Allowed,
                                                   Value.getExtValue());
                       });
}

bool WGMMAChecker::checkMMAAsync(const WGMMAVariant &Variant) {
  if (checkArgCount(Variant.getNumArgs(), getSignature(Variant)) ||
      checkAccumulator(Variant))
    return true;
  warnIfUnused();

  QualType Descriptor = Context.getIntTypeForBitwidth(64, /*Signed=*/false);
  unsigned AIdx = Variant.getAIdx();
  QualType Fragment = Context.getExtVectorType(Context.IntTy, 4);
  if (Variant.AFromRegisters ? checkRegisters(AIdx, Fragment, "a fragment of A")
                             : convert(AIdx, Descriptor))
    return true;
  if (convert(Variant.getBIdx(), Descriptor) ||
      convert(Variant.getScaleDIdx(), Context.BoolTy))
    return true;

  if (Variant.IsSparse &&
      convert(Variant.getMetadataIdx(), Context.UnsignedIntTy))
    return true;
  return llvm::any_of(Variant.getImmediates(), [&](const auto &Immediate) {
    return checkImmediate(Immediate.Idx, Immediate.What, Immediate.Allowed);
  });
}

bool WGMMAChecker::checkFenceOperand() {
  if (checkArgCount(1, "'reg (reg operand)', where reg is 'float', 'int' or a "
                       "vector of one of them"))
    return true;
  QualType Ty = getArgumentType(0);
  if (Ty.isNull())
    return true;
  warnIfUnused();
  const auto *VecTy = Ty->getAs<VectorType>();
  QualType Element = VecTy ? VecTy->getElementType() : Ty;
  if (!isSameElement(Element, Context.FloatTy) &&
      !isSameElement(Element, Context.IntTy))
    return reportType(0, "an accumulator or a fragment of A, 'float', 'int' or "
                         "a vector of one of them");
  Call->setType(Ty);
  return false;
}

bool WGMMAChecker::checkWaitGroup() {
  if (checkArgCount())
    return true;
  return checkConstant(
             0, "number of pending groups", "a constant of at least 0",
             [](const llvm::APSInt &Value) { return Value.isNonNegative(); }) ||
         checkPrototype();
}

bool clang::checkNVPTXWGMMABuiltin(Sema &S, llvm::Intrinsic::ID ID,
                                   CallExpr *Call) {
  WGMMAChecker Checker(S, Call);
  switch (ID) {
  case llvm::Intrinsic::nvvm_wgmma_fence_operand:
    return Checker.checkFenceOperand();
  case llvm::Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    return Checker.checkWaitGroup();
  case llvm::Intrinsic::nvvm_wgmma_fence_sync_aligned:
  case llvm::Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
    return Checker.checkPrototype();
  default:
    return Checker.checkMMAAsync(*llvm::nvvm::getWGMMAVariant(ID));
  }
}
