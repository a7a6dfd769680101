//===- SemaNVPTXMatrix.cpp - Checks of the matrix builtins ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A builtin's prototype says which fragments it takes. Clang's own conversions
// would be too generous with them: a scalar fills a whole vector, and a float
// is rounded to the bits of an int. They are also too strict: whether the
// elements of a vector have a sign is all the same to a register.
//
// The range of immediates is known to LLVM's intrinsic, which is asked for it,
// so that it is not listed twice.
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/SemaNVPTXMatrix.h"
#include "clang/Basic/NVPTXIntrinsicBuiltins.h"
#include "clang/Sema/NVPTXCallChecker.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/NVVMBlockScale.h"

using namespace clang;

namespace {
class MatrixChecker : public NVPTXCallChecker {
public:
  MatrixChecker(Sema &S, CallExpr *Call, const NVPTX::IntrinsicBuiltin &Builtin)
      : NVPTXCallChecker(S, Call), Builtin(Builtin) {}

  bool check();

private:
  bool checkPointer(unsigned Idx, QualType Ty);
  bool checkFragments(ArrayRef<QualType> Params, bool HasPointer);
  bool checkImmediates();
  bool checkSelectors();

  const NVPTX::IntrinsicBuiltin &Builtin;
};
} // namespace

/// CUDA has only generic pointers, but those of other address spaces may be
/// written, too.
bool MatrixChecker::checkPointer(unsigned Idx, QualType Ty) {
  QualType ArgTy = getArgumentType(Idx);
  if (ArgTy.isNull())
    return true;
  if (ArgTy->isPointerType()) {
    LangAS AddrSpace = ArgTy->getPointeeType().getAddressSpace();
    QualType Pointee = Context.removeAddrSpaceQualType(Ty->getPointeeType());
    Ty = Context.getPointerType(
        Context.getAddrSpaceQualType(Pointee, AddrSpace));
  }
  return convert(Idx, Ty);
}

bool MatrixChecker::checkFragments(ArrayRef<QualType> Params, bool HasPointer) {
  // What multiplies takes A, B and C; what stores or moves takes one.
  if (Params.size() >= 3 && !HasPointer) {
    static constexpr StringRef Names[] = {
        "the fragment of A", "the fragment of B", "the fragment of C"};
    for (auto [Idx, Name] : llvm::enumerate(Names))
      if (checkRegisters(Idx, Params[Idx], Name))
        return true;
    return false;
  }
  return checkRegisters(HasPointer, Params[HasPointer], "the fragment");
}

bool MatrixChecker::checkImmediates() {
  ASTContext::GetBuiltinTypeError Error;
  unsigned Immediates = 0;
  Context.GetBuiltinType(Callee->getBuiltinID(), Error, &Immediates);
  if (!Immediates)
    return false;

  llvm::LLVMContext LLVMContext;
  llvm::FunctionType *Ty =
      llvm::Intrinsic::getType(LLVMContext, Builtin.IntrinsicID);
  llvm::AttributeList Attributes =
      llvm::Intrinsic::getAttributes(LLVMContext, Builtin.IntrinsicID, Ty);
  unsigned NumArgs = Call->getNumArgs();
  for (unsigned Idx = 0; Idx != NumArgs; ++Idx) {
    if (!(Immediates >> Idx & 1))
      continue;
    // A fragment is one argument of the builtin and many of the intrinsic. They
    // stand ahead of the immediates, so these are counted from the end.
    unsigned Parameter = Ty->getNumParams() - (NumArgs - Idx);
    llvm::Attribute Range =
        Attributes.getParamAttr(Parameter, llvm::Attribute::Range);
    if (Range.isValid() && checkConstant(Idx, Range.getRange()))
      return true;
  }
  return false;
}

bool MatrixChecker::checkSelectors() {
  for (const auto &Selector :
       llvm::nvvm::getBlockScaleSelectors(Builtin.ScaleVec)) {
    unsigned Idx = Call->getNumArgs() - Selector.FromEnd;
    std::optional<llvm::APSInt> Value = getConstant(Idx);
    if (Value && !(Value->isRepresentableByInt64() &&
                   Selector.allows(Value->getExtValue())))
      return reportConstant(Idx, Selector.What, Selector.getAllowedList(),
                            Value);
  }
  return false;
}

bool MatrixChecker::check() {
  if (checkArgCount())
    return true;

  ArrayRef<QualType> Params =
      Callee->getType()->castAs<FunctionProtoType>()->getParamTypes();
  bool HasPointer = Params[0]->isPointerType();
  bool IsLoad = HasPointer && !Call->getType()->isVoidType();
  if (HasPointer && checkPointer(0, Params[0]))
    return true;
  if (!IsLoad && checkFragments(Params, HasPointer))
    return true;
  if (!Call->getType()->isVoidType())
    warnIfUnused();

  // Those with a pointer have no immediates and no selectors.
  if (!HasPointer && (checkImmediates() || checkSelectors()))
    return true;

  for (auto [Idx, Param] : llvm::enumerate(Params))
    if (!Param->isPointerType() && !Param->isVectorType() &&
        convert(Idx, Param))
      return true;
  return false;
}

bool clang::checkNVPTXMatrixBuiltin(Sema &S,
                                    const NVPTX::IntrinsicBuiltin &Builtin,
                                    CallExpr *Call) {
  return MatrixChecker(S, Call, Builtin).check();
}
