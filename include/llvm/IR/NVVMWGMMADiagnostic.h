//===- NVVMWGMMADiagnostic.h - Warnings about wgmma -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What the NVPTX backend has to tell about the use of wgmma.mma_async: valid
/// IR that is slower than it looks, or wrong once it runs.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_NVVMWGMMADIAGNOSTIC_H
#define LLVM_IR_NVVMWGMMADIAGNOSTIC_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace llvm {
class Twine;

namespace nvvm {

/// A warning about a wgmma.mma_async, or about what orders it.
///
/// llc prints "file:line:col: in function k: message". Clang shows it at its
/// place in the source, in a group of the category's own (-Wnvptx-wgmma-wait,
/// -protocol, -stack).
class DiagnosticInfoWGMMA : public DiagnosticInfoWithLocationBase {
public:
  enum Category : uint8_t {
    /// The compiler has to wait where the program does not.
    InjectedWait,
    /// The program does not follow wgmma's protocol of commit and wait.
    Protocol,
    /// An accumulator is kept in memory instead of registers, here or by ptxas.
    StackAccumulator,
  };

  /// \p Loc may be unknown: the place is then that of \p Fn, if it has one.
  /// \p Message is copied; it begins in lower case and ends without a period.
  DiagnosticInfoWGMMA(Category TheCategory, const Function &Fn,
                      const DebugLoc &Loc, const Twine &Message);

  Category getCategory() const { return TheCategory; }
  StringRef getMessage() const { return Message; }

  /// With the calls that were inlined.
  const DebugLoc &getDebugLoc() const { return Loc; }

  void print(DiagnosticPrinter &DP) const override;

  static bool classof(const DiagnosticInfo *DI);

private:
  Category TheCategory;
  DebugLoc Loc;
  std::string Message;
};

/// ", at" and the place in the source, if it is known, to end a message with.
std::string describePlace(const DebugLoc &Loc);

/// Gives the warnings of one pass over a function, each once for a place in the
/// source, since loops may have been unrolled, and once for the function where
/// no place is known.
///
/// Of waits and of the protocol nothing is told in a function that nobody calls
/// any more, and that is no kernel: it was inlined wherever its module uses it,
/// and is judged there. What is left was emitted because it is external.
/// Callers in other modules may well complete the protocol, and lose nothing by
/// a wait: ptxas serializes the wgmma of a function that is called.
class WGMMAWarnings {
public:
  explicit WGMMAWarnings(const Function &Fn) : Fn(Fn) {}

  /// Returns whether it was told, now or before.
  bool warn(DiagnosticInfoWGMMA::Category Category, const DebugLoc &Loc,
            const Twine &Message);

private:
  const Function &Fn;
  std::set<std::pair<const DILocation *, std::string>> Given;
};

} // namespace nvvm
} // namespace llvm

#endif // LLVM_IR_NVVMWGMMADIAGNOSTIC_H
