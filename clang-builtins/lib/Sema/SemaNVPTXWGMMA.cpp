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
// The diagnostics borrow the one of diagnose_if, which takes its whole text: a
// new one in DiagnosticSemaKinds.td would renumber its neighbours, and with
// them nearly all of Clang would have to be compiled again. Custom diagnostics
// would not do: they are hard errors even where a substitution may fail.
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/SemaNVPTXWGMMA.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace clang;
using llvm::nvvm::WGMMAVariant;

namespace {
class WGMMAChecker {
public:
  WGMMAChecker(Sema &S, CallExpr *Call, StringRef Name)
      : S(S), Context(S.Context), Call(Call), Name(Name) {}

  bool checkMMAAsync(const WGMMAVariant &Variant);
  bool checkFenceOperand();
  bool checkWaitGroup();

private:
  /// Reports an error of argument \p Idx. Returns true.
  bool report(unsigned Idx, const llvm::Twine &Message);
  bool reportType(unsigned Idx, const llvm::Twine &Needed);
  bool reportImmediate(unsigned Idx, const llvm::Twine &What,
                       const llvm::Twine &Needed,
                       const std::optional<llvm::APSInt> &Value);
  bool checkAccumulator(const WGMMAVariant &Variant);
  bool checkAFragment(unsigned Idx);
  bool checkImmediate(unsigned Idx, StringRef What, ArrayRef<int64_t> Allowed);
  /// Does what a parameter of type \p Ty would.
  bool convert(unsigned Idx, QualType Ty);
  /// Loads the argument if it is an lvalue, and returns its type.
  QualType getArgumentType(unsigned Idx);

  Sema &S;
  ASTContext &Context;
  CallExpr *Call;
  StringRef Name;
};
} // namespace

static bool isInt32(const ASTContext &Context, QualType Ty) {
  return Ty->isIntegerType() && !Ty->isEnumeralType() && !Ty->isBooleanType() &&
         Context.getTypeSize(Ty) == 32;
}

static bool isFloat(QualType Ty) {
  return Ty->isSpecificBuiltinType(BuiltinType::Float);
}

bool WGMMAChecker::report(unsigned Idx, const llvm::Twine &Message) {
  const Expr *Arg = Call->getArg(Idx);
  S.Diag(Arg->getBeginLoc(), diag::err_diagnose_if_succeeded)
      << ("argument " + llvm::Twine(Idx + 1) + " of '" + Name + "'" + Message)
             .str()
      << Arg->getSourceRange();
  return true;
}

bool WGMMAChecker::reportType(unsigned Idx, const llvm::Twine &Needed) {
  auto Print = [&](QualType Ty) {
    return "'" + Ty.getAsString(Context.getPrintingPolicy()) + "'";
  };
  QualType Ty = Call->getArg(Idx)->getType();
  std::string Got = Print(Ty);
  // As Clang's own diagnostics have it.
  if (const auto *VecTy = Ty->getAs<VectorType>())
    Got += " (vector of " + std::to_string(VecTy->getNumElements()) + " " +
           Print(VecTy->getElementType()) + " values)";
  return report(Idx, " must be " + Needed + ", but is of type " + Got);
}

bool WGMMAChecker::convert(unsigned Idx, QualType Ty) {
  ExprResult Arg = S.PerformCopyInitialization(
      InitializedEntity::InitializeParameter(Context, Ty, /*Consumed=*/false),
      SourceLocation(), Call->getArg(Idx));
  if (Arg.isInvalid())
    return true;
  Call->setArg(Idx, Arg.get());
  return false;
}

QualType WGMMAChecker::getArgumentType(unsigned Idx) {
  ExprResult Arg = S.DefaultFunctionArrayLvalueConversion(Call->getArg(Idx));
  if (Arg.isInvalid())
    return QualType();
  Call->setArg(Idx, Arg.get());
  return Arg.get()->getType().getUnqualifiedType();
}

bool WGMMAChecker::checkAccumulator(const WGMMAVariant &Variant) {
  unsigned Idx = Variant.getAccumulatorIdx();
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;

  const auto *VecTy = Ty->getAs<VectorType>();
  if (!VecTy ||
      !(Variant.HasFloatAccumulator
            ? isFloat(VecTy->getElementType())
            : isInt32(Context, VecTy->getElementType())) ||
      !Variant.getN(VecTy->getNumElements())) {
    StringRef Elements = Variant.HasFloatAccumulator   ? "N/2 'float'"
                         : Variant.RegistersPer8N == 4 ? "N/2 'int'"
                                                       : "N/4 'int'";
    return reportType(Idx, "an accumulator, a vector of " + Elements +
                               " with N one of " + Variant.getNList());
  }
  Call->setType(Ty);
  return false;
}

bool WGMMAChecker::checkAFragment(unsigned Idx) {
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;
  const auto *VecTy = Ty->getAs<VectorType>();
  if (!VecTy || VecTy->getNumElements() != 4 ||
      !isInt32(Context, VecTy->getElementType()))
    return reportType(Idx, "a fragment of A, a vector of 4 'int'");
  return false;
}

bool WGMMAChecker::reportImmediate(unsigned Idx, const llvm::Twine &What,
                                   const llvm::Twine &Needed,
                                   const std::optional<llvm::APSInt> &Value) {
  return report(Idx, ", the " + What + ", must be " + Needed + ", but is " +
                         (Value ? llvm::toString(*Value, 10)
                                : std::string("not a constant")));
}

bool WGMMAChecker::checkImmediate(unsigned Idx, StringRef What,
                                  ArrayRef<int64_t> Allowed) {
  // As std::integral_constant; other types keep the value that was written.
  if (Call->getArg(Idx)->getType()->isRecordType() &&
      convert(Idx, Context.IntTy))
    return true;

  const Expr *Arg = Call->getArg(Idx);
  // Known only when the template is instantiated.
  if (Arg->isTypeDependent() || Arg->isValueDependent())
    return false;

  std::optional<llvm::APSInt> Value = Arg->getIntegerConstantExpr(Context);
  if (Value && Value->isRepresentableByInt64() &&
      llvm::is_contained(Allowed, Value->getExtValue()))
    return false;

  std::string Needed;
  llvm::raw_string_ostream OS(Needed);
  llvm::interleave(Allowed, OS, " or ");
  return reportImmediate(Idx, What, "the constant " + Needed, Value);
}

bool WGMMAChecker::checkMMAAsync(const WGMMAVariant &Variant) {
  if (S.checkArgCount(Call, Variant.getNumArgs()) || checkAccumulator(Variant))
    return true;

  QualType Descriptor = Context.getIntTypeForBitwidth(64, /*Signed=*/false);
  unsigned AIdx = Variant.getAIdx();
  if (Variant.AFromRegisters ? checkAFragment(AIdx) : convert(AIdx, Descriptor))
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
  if (S.checkArgCount(Call, 1))
    return true;
  QualType Ty = getArgumentType(0);
  if (Ty.isNull())
    return true;
  const auto *VecTy = Ty->getAs<VectorType>();
  if (!VecTy || !(isFloat(VecTy->getElementType()) ||
                  isInt32(Context, VecTy->getElementType())))
    return reportType(0, "an accumulator or a fragment of A, a vector of "
                         "'float' or 'int'");
  Call->setType(Ty);
  return false;
}

bool WGMMAChecker::checkWaitGroup() {
  const Expr *Arg = Call->getArg(0);
  if (Arg->isTypeDependent() || Arg->isValueDependent())
    return false;
  std::optional<llvm::APSInt> Value = Arg->getIntegerConstantExpr(Context);
  if (Value && !Value->isNegative())
    return false;
  return reportImmediate(0, "number of pending groups",
                         "a constant of at least 0", Value);
}

bool clang::checkNVPTXWGMMABuiltin(Sema &S, CallExpr *Call) {
  StringRef Name = Call->getDirectCallee()->getName();
  StringRef Operation = Name;
  if (!Operation.consume_front("__nvvm_wgmma_"))
    return false;

  WGMMAChecker Checker(S, Call, Name);
  if (Operation == "fence_operand")
    return Checker.checkFenceOperand();
  if (Operation == "wait_group_sync_aligned")
    return Checker.checkWaitGroup();
  if (Operation.consume_front("mma_async_"))
    return Checker.checkMMAAsync(*llvm::nvvm::lookupWGMMAVariant(Operation));
  return false;
}
