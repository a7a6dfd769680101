//===- SemaNVPTXKernel.cpp - Checks of the kernel builtins ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer that an instruction takes may be one to the state space that it
// names, or a generic one, as all of CUDA's are: the programmer says that it
// points there, and it is converted. No prototype can say so, which is why
// these builtins have their arguments checked here. What each takes, and the
// range of its immediates, is asked of LLVM's intrinsic.
//
//===----------------------------------------------------------------------===//

#include "clang/Sema/SemaNVPTXKernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/NVPTXIntrinsicBuiltins.h"
#include "clang/Sema/NVPTXCallChecker.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/NVPTXVersion.h"

using namespace clang;
using namespace llvm::NVPTXAS;

namespace {
class KernelChecker : public NVPTXCallChecker {
public:
  KernelChecker(Sema &S, CallExpr *Call,
                const NVPTX::IntrinsicBuiltin &Builtin);
  bool check();

private:
  bool checkPointer(unsigned Idx, unsigned AddrSpace);
  bool checkTensorMemoryAddress(unsigned Idx);
  bool checkImmediate(unsigned Idx);
  bool checkStoredValue(unsigned Idx);
  /// The address spaces that argument \p Idx may have besides the generic one.
  SmallVector<unsigned, 2> getAllowedSpaces(unsigned AddrSpace) const;

  llvm::Intrinsic::ID ID;
  /// 0: a pointer, where the intrinsic is overloaded.
  unsigned OverloadedArg;
  llvm::LLVMContext LLVMContext;
  llvm::FunctionType *FTy;
  llvm::AttributeList Attributes;
};
} // namespace

KernelChecker::KernelChecker(Sema &S, CallExpr *Call,
                             const NVPTX::IntrinsicBuiltin &Builtin)
    : NVPTXCallChecker(S, Call), ID(Builtin.IntrinsicID),
      OverloadedArg(Builtin.OverloadedArg) {
  // What is overloaded is so by its pointer, or by what it stores.
  SmallVector<llvm::Type *, 1> Types;
  if (OverloadedArg)
    Types.push_back(llvm::Type::getInt32Ty(LLVMContext));
  else if (llvm::Intrinsic::isOverloaded(ID))
    Types.push_back(llvm::PointerType::get(LLVMContext, /*AddressSpace=*/0));
  FTy = llvm::Intrinsic::getType(LLVMContext, ID, Types);
  Attributes = llvm::Intrinsic::getAttributes(LLVMContext, ID, FTy);
}

static StringRef getSpaceName(unsigned AddrSpace) {
  switch (AddrSpace) {
  case ADDRESS_SPACE_GLOBAL:
    return "global memory";
  case ADDRESS_SPACE_SHARED:
    return "shared memory";
  case ADDRESS_SPACE_CONST:
    return "constant memory";
  case ADDRESS_SPACE_LOCAL:
    return "local memory";
  case ADDRESS_SPACE_SHARED_CLUSTER:
    return "shared memory of the cluster";
  default:
    return "kernel parameters";
  }
}

SmallVector<unsigned, 2>
KernelChecker::getAllowedSpaces(unsigned AddrSpace) const {
  if (AddrSpace == ADDRESS_SPACE_SHARED_CLUSTER)
    // What is the CTA's is the cluster's, too.
    return {ADDRESS_SPACE_SHARED, ADDRESS_SPACE_SHARED_CLUSTER};
  if (AddrSpace != ADDRESS_SPACE_GENERIC)
    return {AddrSpace};
  if (ID == llvm::Intrinsic::nvvm_prefetch_tensormap)
    return {ADDRESS_SPACE_CONST, ADDRESS_SPACE_KERNEL_PARAM};
  // What else is overloaded by its pointer is tensormap.replace.
  if (llvm::Intrinsic::isOverloaded(ID))
    return {ADDRESS_SPACE_GLOBAL, ADDRESS_SPACE_SHARED};
  // Every address but one in tensor memory has a generic form.
  return {ADDRESS_SPACE_GLOBAL,       ADDRESS_SPACE_SHARED,
          ADDRESS_SPACE_CONST,        ADDRESS_SPACE_LOCAL,
          ADDRESS_SPACE_KERNEL_PARAM, ADDRESS_SPACE_SHARED_CLUSTER};
}

bool KernelChecker::checkPointer(unsigned Idx, unsigned AddrSpace) {
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;
  if (Call->getArg(Idx)->isNullPointerConstant(
          Context, Expr::NPC_ValueDependentIsNotNull))
    return convert(Idx, getParameterType(Idx));

  SmallVector<unsigned, 2> Allowed = getAllowedSpaces(AddrSpace);
  if (const auto *PtrTy = Ty->getAs<PointerType>()) {
    QualType Pointee = PtrTy->getPointeeType();
    unsigned Got = Context.getTargetAddressSpace(Pointee.getAddressSpace());
    bool IsSpaceAllowed =
        Got == ADDRESS_SPACE_GENERIC || llvm::is_contained(Allowed, Got);
    bool IsConstAllowed =
        getParameterType(Idx)->getPointeeType().isConstQualified();
    if (IsSpaceAllowed && !Pointee->isFunctionType() &&
        (IsConstAllowed || !Pointee.isConstQualified()))
      return false;
    // Clang's own words for a const that is lost.
    if (IsSpaceAllowed)
      return convert(Idx, getParameterType(Idx));
  }

  std::string Spaces;
  llvm::ListSeparator LS(" or ");
  for (unsigned Space : Allowed)
    (Spaces += StringRef(LS)) += getSpaceName(Space);
  return reportValue(Idx, /*What=*/"",
                     "a pointer to " + Spaces + ", or a generic pointer",
                     "of type " + print(Ty));
}

bool KernelChecker::checkTensorMemoryAddress(unsigned Idx) {
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;
  const auto *PtrTy = Ty->getAs<PointerType>();
  if (!PtrTy)
    return convert(Idx, getParameterType(Idx));
  LangAS AddrSpace = PtrTy->getPointeeType().getAddressSpace();
  if (Context.getTargetAddressSpace(AddrSpace) == ADDRESS_SPACE_TENSOR)
    return false;
  return reportValue(
      Idx, /*What=*/"",
      "an address in tensor memory, an 'unsigned int' or a pointer of address "
      "space 6",
      "of type " + print(Ty));
}

bool KernelChecker::checkImmediate(unsigned Idx) {
  llvm::Attribute Range = Attributes.getParamAttr(Idx, llvm::Attribute::Range);
  unsigned Width = FTy->getParamType(Idx)->getIntegerBitWidth();
  // The instruction takes no others, which a range cannot say.
  bool IsRegisterCount =
      ID == llvm::Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 ||
      ID == llvm::Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32;
  return checkConstant(Idx,
                       Range.isValid() ? Range.getRange()
                                       : llvm::ConstantRange::getFull(Width),
                       /*Step=*/IsRegisterCount ? 8 : 1);
}

/// Of st.async: one value; to shared memory also a vector.
bool KernelChecker::checkStoredValue(unsigned Idx) {
  QualType Ty = getArgumentType(Idx);
  if (Ty.isNull())
    return true;
  bool IsToGlobal =
      FTy->getParamType(0)->getPointerAddressSpace() == ADDRESS_SPACE_GLOBAL;
  QualType ElementTy = Ty;
  unsigned Size = 1;
  if (const auto *VecTy = Ty->getAs<VectorType>()) {
    ElementTy = VecTy->getElementType();
    Size = VecTy->getNumElements();
  }
  if ((ElementTy->isIntegerType() && !ElementTy->isBooleanType()) ||
      ElementTy->isRealFloatingType()) {
    uint64_t Bits = Context.getTypeSize(ElementTy);
    bool IsAllowed = IsToGlobal   ? Ty == ElementTy && Bits <= 64
                     : Bits == 32 ? Size == 1 || Size == 2 || Size == 4
                                  : Bits == 64 && (Size == 1 || Size == 2);
    if (IsAllowed)
      return false;
  }
  if (IsToGlobal)
    return reportType(Idx, "a number of 8, 16, 32 or 64 bits");
  return reportType(Idx, "a number of 32 or 64 bits, or a vector of 2 or 4 "
                         "numbers of 32 bits or of 2 of 64 bits");
}

bool KernelChecker::check() {
  // Of a builtin with checks of its own nobody else has set it.
  Call->setType(Callee->getCallResultType());
  if (checkArgCount())
    return true;
  for (unsigned Idx = 0, E = Call->getNumArgs(); Idx != E; ++Idx) {
    if (Attributes.hasParamAttr(Idx, llvm::Attribute::ImmArg)) {
      if (checkImmediate(Idx))
        return true;
      continue;
    }
    if (OverloadedArg && Idx == OverloadedArg) {
      if (checkStoredValue(Idx))
        return true;
      continue;
    }
    auto *PtrTy = dyn_cast<llvm::PointerType>(FTy->getParamType(Idx));
    if (!PtrTy ? convert(Idx, getParameterType(Idx))
        : PtrTy->getAddressSpace() == ADDRESS_SPACE_TENSOR
            ? checkTensorMemoryAddress(Idx)
            : checkPointer(Idx, PtrTy->getAddressSpace()))
      return true;
  }
  return false;
}

bool clang::checkNVPTXKernelBuiltin(Sema &S,
                                    const NVPTX::IntrinsicBuiltin &Builtin,
                                    CallExpr *Call) {
  return KernelChecker(S, Call, Builtin).check();
}
