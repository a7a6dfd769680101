//===- NVPTXVectorElements.h - Elements of vectors at -O0 -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_NVPTXVECTORELEMENTS_H
#define LLVM_CLANG_LIB_CODEGEN_NVPTXVECTORELEMENTS_H

#include "CodeGenFunction.h"
#include "CodeGenModule.h"

namespace clang::CodeGen {

/// Whether single elements of vectors are accessed in memory, instead of
/// through a load of the whole vector. An accumulator of NVPTX has up to 128
/// elements: unoptimized code that takes them one by one would be quadratic.
inline bool accessesVectorElements(const CodeGenFunction &CGF) {
  return CGF.getTarget().getTriple().isNVPTX() &&
         CGF.CGM.getCodeGenOpts().OptimizationLevel == 0;
}

/// The address of the element that \p LV means. Only where the vector lies in
/// memory element by element, as all but those of bool do.
inline Address emitVectorElementAddress(CodeGenFunction &CGF, LValue LV) {
  Address Vector = LV.getVectorAddress();
  llvm::Type *Ty = Vector.getElementType()->getScalarType();
  // The index of a vector has no sign, that of an address has one.
  llvm::Value *Idx =
      CGF.Builder.CreateZExtOrTrunc(LV.getVectorIdx(), CGF.IntPtrTy);
  return CGF.Builder.CreateGEP(CGF, Vector.withElementType(Ty), Idx, "vecelt");
}

} // namespace clang::CodeGen

#endif // LLVM_CLANG_LIB_CODEGEN_NVPTXVECTORELEMENTS_H
