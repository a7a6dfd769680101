//===- NVPTXCallChecker.cpp - Checks of NVPTX builtin calls ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/NVPTXCallChecker.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

NVPTXCallChecker::NVPTXCallChecker(Sema &S, CallExpr *Call)
    : S(S), Context(S.Context), Call(Call), Callee(Call->getDirectCallee()) {
  // Where Sema has rewritten the builtin for a pointer to an address space, it
  // leaves the call's type to whoever checks that.
  Call->setType(Callee->getCallResultType());
}

void NVPTXCallChecker::warnIfUnused() {
  if (!Callee->hasAttr<WarnUnusedResultAttr>())
    Callee->addAttr(WarnUnusedResultAttr::CreateImplicit(
        Context, "the builtin changes none of its arguments"));
}

bool NVPTXCallChecker::checkArgCount(unsigned Expected,
                                     const llvm::Twine &Signature) {
  if (!S.checkArgCount(Call, Expected))
    return false;
  S.Diag(Call->getBeginLoc(), diag::note_previous_builtin_declaration)
      << Callee << Signature.str();
  return true;
}

std::string NVPTXCallChecker::print(QualType Ty) const {
  return "'" + Ty.getAsString(Context.getPrintingPolicy()) + "'";
}

bool NVPTXCallChecker::checkArgCount() {
  // Clang would print the parameters in the middle of a vector type.
  const PrintingPolicy &Policy = Context.getPrintingPolicy();
  const auto *Prototype = Callee->getType()->castAs<FunctionProtoType>();
  std::string Signature;
  llvm::raw_string_ostream OS(Signature);
  OS << "'" << Prototype->getReturnType().getAsString(Policy) << " (";
  llvm::interleaveComma(Prototype->param_types(), OS,
                        [&](QualType Ty) { OS << Ty.getAsString(Policy); });
  OS << ")'";
  return checkArgCount(Prototype->getNumParams(), Signature);
}

bool NVPTXCallChecker::reportValue(unsigned Idx, StringRef What,
                                   const llvm::Twine &Needed,
                                   const llvm::Twine &Got) {
  const Expr *Arg = Call->getArg(Idx);
  S.Diag(Arg->getBeginLoc(), diag::err_nvptx_builtin_arg_value)
      << Idx + 1 << Callee << !What.empty() << What << Needed.str() << Got.str()
      << Arg->getSourceRange();
  return true;
}

bool NVPTXCallChecker::reportConstant(unsigned Idx, StringRef What,
                                      const llvm::Twine &Needed,
                                      const std::optional<llvm::APSInt> &Got) {
  return reportValue(Idx, What, Needed,
                     Got ? llvm::toString(*Got, 10) : "not a constant");
}

bool NVPTXCallChecker::reportType(unsigned Idx, const llvm::Twine &Needed) {
  const Expr *Arg = Call->getArg(Idx);
  S.Diag(Arg->getBeginLoc(), diag::err_nvptx_builtin_arg_type)
      << Idx + 1 << Callee << Needed.str() << Arg->getType()
      << Arg->getSourceRange();
  return true;
}

QualType NVPTXCallChecker::getParameterType(unsigned Idx) const {
  return Callee->getType()->castAs<FunctionProtoType>()->getParamType(Idx);
}

bool NVPTXCallChecker::convert(unsigned Idx, QualType Ty) {
  ExprResult Arg = S.PerformCopyInitialization(
      InitializedEntity::InitializeParameter(Context, Ty, /*Consumed=*/false),
      SourceLocation(), Call->getArg(Idx));
  if (Arg.isInvalid())
    return true;
  Call->setArg(Idx, Arg.get());
  return false;
}

QualType NVPTXCallChecker::getArgumentType(unsigned Idx) {
  ExprResult Arg = S.DefaultFunctionArrayLvalueConversion(Call->getArg(Idx));
  if (Arg.isInvalid())
    return QualType();
  Call->setArg(Idx, Arg.get());
  return Arg.get()->getType().getUnqualifiedType();
}

static bool isInteger(QualType Ty) {
  return Ty->isIntegerType() && !Ty->isEnumeralType() && !Ty->isBooleanType();
}

bool NVPTXCallChecker::isSameElement(QualType Ty, QualType Element) const {
  if (isInteger(Element))
    return isInteger(Ty) &&
           Context.getTypeSize(Ty) == Context.getTypeSize(Element);
  return Context.hasSameUnqualifiedType(Ty, Element);
}

bool NVPTXCallChecker::checkRegisters(unsigned Idx, QualType Ty,
                                      StringRef What) {
  QualType ArgTy = getArgumentType(Idx);
  if (ArgTy.isNull())
    return true;

  const auto *VecTy = Ty->getAs<VectorType>();
  if (!VecTy) {
    if (isInteger(Ty) && !isSameElement(ArgTy, Ty))
      return reportType(Idx, What + ", an " + print(Ty));
    return convert(Idx, Ty);
  }
  const auto *ArgVecTy = ArgTy->getAs<VectorType>();
  if (!ArgVecTy || ArgVecTy->getNumElements() != VecTy->getNumElements() ||
      !isSameElement(ArgVecTy->getElementType(), VecTy->getElementType()))
    return reportType(Idx, What + ", a vector of " +
                               llvm::Twine(VecTy->getNumElements()) + " " +
                               print(VecTy->getElementType()));
  if (!Context.hasSameType(ArgTy, Ty))
    Call->setArg(Idx,
                 S.ImpCastExprToType(Call->getArg(Idx), Ty, CK_BitCast).get());
  return false;
}

std::optional<llvm::APSInt> NVPTXCallChecker::getConstant(unsigned Idx) const {
  const Expr *Arg = Call->getArg(Idx);
  if (Arg->isTypeDependent() || Arg->isValueDependent())
    return std::nullopt;
  return Arg->getIntegerConstantExpr(Context);
}

bool NVPTXCallChecker::checkConstant(
    unsigned Idx, StringRef What, const llvm::Twine &Needed,
    llvm::function_ref<bool(const llvm::APSInt &)> IsAllowed) {
  // As std::integral_constant; other types keep the value that was written.
  if (Call->getArg(Idx)->getType()->isRecordType() &&
      convert(Idx, getParameterType(Idx)))
    return true;

  const Expr *Arg = Call->getArg(Idx);
  // Known only when the template is instantiated.
  if (Arg->isTypeDependent() || Arg->isValueDependent())
    return false;

  std::optional<llvm::APSInt> Value = Arg->getIntegerConstantExpr(Context);
  if (Value && IsAllowed(*Value))
    return false;
  return reportConstant(Idx, What, Needed, Value);
}

bool NVPTXCallChecker::checkConstant(unsigned Idx,
                                     const llvm::ConstantRange &Range,
                                     unsigned Step) {
  bool IsBit = Range.getBitWidth() == 1;
  int64_t First = IsBit ? 0 : Range.getSignedMin().getSExtValue();
  int64_t Last = IsBit ? 1 : Range.getSignedMax().getSExtValue();

  std::string Needed = "a constant";
  if (Step != 1)
    Needed += ", a multiple of " + std::to_string(Step) + ",";
  if (First == Last)
    Needed = "the constant " + std::to_string(First);
  else if (IsBit || !Range.isFullSet())
    Needed += " from " + std::to_string(First) + " to " + std::to_string(Last);
  return checkConstant(Idx, /*What=*/"", Needed,
                       [=](const llvm::APSInt &Value) {
                         return Value >= First && Value <= Last &&
                                Value.getExtValue() % Step == 0;
                       });
}

bool NVPTXCallChecker::checkPrototype() {
  if (checkArgCount())
    return true;
  for (auto [Idx, Param] : llvm::enumerate(
           Callee->getType()->castAs<FunctionProtoType>()->param_types()))
    if (convert(Idx, Param))
      return true;
  return false;
}
