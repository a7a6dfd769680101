//===- NVPTXCallChecker.h - Checks of NVPTX builtin calls -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_SEMA_NVPTXCALLCHECKER_H
#define LLVM_CLANG_SEMA_NVPTXCALLCHECKER_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class ConstantRange;
} // namespace llvm

namespace clang {
class Sema;

/// What the checks of calls of NVPTX builtins have in common: conversions of
/// arguments, and errors that name the builtin, what it needs and what it got.
/// Functions that check return true after an error.
class NVPTXCallChecker {
public:
  NVPTXCallChecker(Sema &S, CallExpr *Call);

  /// Checks the call of a builtin whose prototype says all about it.
  bool checkPrototype();

  /// Makes an unused result a warning, here and for all calls of the builtin.
  void warnIfUnused();

protected:
  /// Checks the number of arguments. An error is followed by the builtin's
  /// \p Signature.
  bool checkArgCount(unsigned Expected, const llvm::Twine &Signature);

  /// The same, with the signature that the builtin's prototype has.
  bool checkArgCount();

  /// Reports that argument \p Idx, which is the builtin's \p What if that has a
  /// name, must be what is \p Needed, and that it is \p Got. Returns true.
  bool reportValue(unsigned Idx, StringRef What, const llvm::Twine &Needed,
                   const llvm::Twine &Got);
  /// The same of a constant; \p Got is none where it is not one.
  bool reportConstant(unsigned Idx, StringRef What, const llvm::Twine &Needed,
                      const std::optional<llvm::APSInt> &Got);
  /// The same of an argument's type.
  bool reportType(unsigned Idx, const llvm::Twine &Needed);

  /// What the builtin's prototype says of the argument.
  QualType getParameterType(unsigned Idx) const;

  /// Does what a parameter of type \p Ty would.
  bool convert(unsigned Idx, QualType Ty);

  /// Loads the argument if it is an lvalue, and returns its type.
  QualType getArgumentType(unsigned Idx);

  /// Checks that the argument holds registers as \p Ty does, a vector or an
  /// int: as many elements of the type, whose sign does not matter, and
  /// converts it.
  /// \p What names it in an error.
  bool checkRegisters(unsigned Idx, QualType Ty, StringRef What);

  /// Whether elements of type \p Ty and of type \p Element fill a register with
  /// the same bits: they are the same type, or integers of its size.
  bool isSameElement(QualType Ty, QualType Element) const;

  /// Checks that the argument, which is the builtin's \p What if that has a
  /// name, is a constant for which \p IsAllowed is true. \p Needed says which
  /// those are.
  bool checkConstant(unsigned Idx, StringRef What, const llvm::Twine &Needed,
                     llvm::function_ref<bool(const llvm::APSInt &)> IsAllowed);
  /// Checks that the argument is a constant of \p Range and a multiple of \p
  /// Step. A range of one bit is 0 and 1.
  bool checkConstant(unsigned Idx, const llvm::ConstantRange &Range,
                     unsigned Step = 1);

  /// The argument's value; nothing where it is not constant or known only when
  /// the template is instantiated.
  std::optional<llvm::APSInt> getConstant(unsigned Idx) const;

  std::string print(QualType Ty) const;

  Sema &S;
  ASTContext &Context;
  CallExpr *Call;
  FunctionDecl *Callee;
};

} // namespace clang

#endif // LLVM_CLANG_SEMA_NVPTXCALLCHECKER_H
