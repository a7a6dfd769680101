//===- SemaNVPTXMatrix.cpp - Checks of the matrix builtins ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A builtin's prototype makes Clang check everything but the range of its
// immediates. That is known to LLVM's intrinsic, which is asked for it, so that
// it is not listed twice.
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/SemaNVPTXMatrix.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/NVPTXMatrixBuiltins.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace clang;

static bool checkRange(Sema &S, StringRef Builtin, unsigned Idx,
                       const Expr *Arg, const llvm::ConstantRange &Range) {
  // Clang has seen that it is a constant, or sees it in the instantiation.
  if (Arg->isTypeDependent() || Arg->isValueDependent())
    return false;
  std::optional<llvm::APSInt> Value = Arg->getIntegerConstantExpr(S.Context);
  int64_t First = Range.getSignedMin().getSExtValue();
  int64_t Last = Range.getSignedMax().getSExtValue();
  if (!Value || (*Value >= First && *Value <= Last))
    return false;

  std::string Needed = "the constant " + std::to_string(First);
  if (First != Last)
    Needed = "a constant from " + std::to_string(First) + " to " +
             std::to_string(Last);
  // As the errors of the wgmma builtins, see SemaNVPTXWGMMA.cpp.
  S.Diag(Arg->getBeginLoc(), diag::err_diagnose_if_succeeded)
      << ("argument " + llvm::Twine(Idx + 1) + " of '" + Builtin +
          "' must be " + Needed + ", but is " + llvm::toString(*Value, 10))
             .str()
      << Arg->getSourceRange();
  return true;
}

bool clang::checkNVPTXMatrixBuiltin(Sema &S, CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  StringRef Name = Callee->getName();
  if (!isNVPTXMatrixBuiltin(Name))
    return false;
  llvm::Intrinsic::ID ID =
      llvm::Intrinsic::getIntrinsicForClangBuiltin("nvvm", Name);
  // Those with a pointer have no immediates.
  if (llvm::Intrinsic::isOverloaded(ID))
    return false;

  ASTContext::GetBuiltinTypeError Error;
  unsigned Immediates = 0;
  S.Context.GetBuiltinType(Callee->getBuiltinID(), Error, &Immediates);
  if (!Immediates)
    return false;

  llvm::LLVMContext LLVMContext;
  llvm::FunctionType *Ty = llvm::Intrinsic::getType(LLVMContext, ID);
  llvm::AttributeList Attributes =
      llvm::Intrinsic::getAttributes(LLVMContext, ID, Ty);
  unsigned NumArgs = Call->getNumArgs();
  for (unsigned Idx = 0; Idx != NumArgs; ++Idx) {
    if (!(Immediates >> Idx & 1))
      continue;
    // A fragment is one argument of the builtin and many of the intrinsic. They
    // stand ahead of the immediates, so these are counted from the end.
    unsigned Parameter = Ty->getNumParams() - (NumArgs - Idx);
    llvm::Attribute Range =
        Attributes.getParamAttr(Parameter, llvm::Attribute::Range);
    if (Range.isValid() &&
        checkRange(S, Name, Idx, Call->getArg(Idx), Range.getRange()))
      return true;
  }
  return false;
}
