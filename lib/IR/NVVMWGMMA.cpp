//===- NVVMWGMMA.cpp - Variants of wgmma.mma_async ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringTable.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::nvvm;

namespace llvm::nvvm {
#define GET_WGMMAVariantTable_IMPL
#include "NVVMGenWGMMATable.inc"
} // namespace llvm::nvvm

/// TableGen sorts the rows as it does the intrinsics, by name.
static constexpr bool hasRowForEachID() {
  for (size_t I = 0; I != std::size(WGMMAVariantTable); ++I)
    if (WGMMAVariantTable[I].ID != WGMMAVariantTable[0].ID + I)
      return false;
  return true;
}
static_assert(hasRowForEachID(), "the table is indexed by ID");

const WGMMAVariant *nvvm::getWGMMAVariant(Intrinsic::ID ID) {
  size_t Row = ID - WGMMAVariantTable[0].ID;
  return Row < std::size(WGMMAVariantTable) ? &WGMMAVariantTable[Row] : nullptr;
}

std::optional<unsigned> WGMMAVariant::getN(unsigned NumRegisters) const {
  unsigned N = NumRegisters / RegistersPer8N * 8;
  if (NumRegisters % RegistersPer8N != 0 || !hasN(N))
    return std::nullopt;
  return N;
}

std::string WGMMAVariant::getNList() const {
  SmallVector<unsigned, 32> Ns;
  for (unsigned N = 8; N <= 256; N += 8)
    if (hasN(N))
      Ns.push_back(N);

  // Two steps of a run show its stride; what is between them and its end says
  // no more.
  std::string List;
  raw_string_ostream OS(List);
  for (size_t I = 0, E = Ns.size(); I != E;) {
    size_t Last = I + 1;
    while (Last + 1 < E && Ns[Last + 1] - Ns[Last] == Ns[I + 1] - Ns[I])
      ++Last;
    if (Last < E && Last - I > 3) {
      OS << Ns[I] << ", " << Ns[I + 1] << ", ..., ";
      I = Last;
      continue;
    }
    OS << Ns[I++];
    if (I != E)
      OS << ", ";
  }
  return List;
}

StringRef WGMMAVariant::getAccumulatorDescription() const {
  if (HasFloatAccumulator)
    return "<N/2 x float>";
  return RegistersPer8N == 4 ? "<N/2 x i32>" : "<N/4 x i32>";
}

/// Accumulators and A fragments live in 32-bit registers.
static bool isRegister(const Type *Ty) {
  return Ty->isFloatTy() || Ty->isIntegerTy(32);
}

static bool isRegisterVector(const Type *Ty) {
  return isa<FixedVectorType>(Ty) && isRegister(Ty->getScalarType());
}

static bool hasAccumulatorType(const WGMMAVariant &Variant, const Type *Ty) {
  return isRegisterVector(Ty) &&
         Ty->getScalarType()->isFloatTy() == Variant.HasFloatAccumulator &&
         Variant.getN(cast<FixedVectorType>(Ty)->getNumElements());
}

static std::string describeType(const Type &Ty) {
  std::string Str;
  raw_string_ostream(Str) << Ty;
  return Str;
}

/// Empty when \p Imm is one of \p Allowed.
static std::string diagnoseImmediate(std::optional<int64_t> Imm, StringRef What,
                                     ArrayRef<int64_t> Allowed) {
  if (Imm && is_contained(Allowed, *Imm))
    return {};

  std::string Str;
  raw_string_ostream OS(Str);
  OS << What << " must be the constant ";
  interleave(Allowed, OS, " or ");
  OS << ", got ";
  if (Imm)
    OS << *Imm;
  else
    OS << "a value that is not constant";
  return Str;
}

SmallVector<WGMMAVariant::Immediate, 4> WGMMAVariant::getImmediates() const {
  static constexpr int64_t Signs[] = {1, -1};
  static constexpr int64_t Flags[] = {0, 1};
  SmallVector<Immediate, 4> List;
  if (IsSparse)
    List.push_back({getSelectorIdx(), "sparsity selector",
                    ArrayRef(Flags).take_front(NumSelectors)});
  if (HasScale) {
    List.push_back({getScaleAIdx(), "scale of A", Signs});
    List.push_back({getScaleBIdx(), "scale of B", Signs});
  }
  if (HasTransA)
    List.push_back({getTransAIdx(), "transposition of A", Flags});
  if (HasTransB)
    List.push_back({getTransBIdx(), "transposition of B", Flags});
  if (HasSatfinite)
    List.push_back({getSatfiniteIdx(), "satfinite flag", Flags});
  return List;
}

std::string WGMMAVariant::diagnose(
    const Type &AccTy,
    function_ref<std::optional<int64_t>(unsigned ArgIdx)> GetImmediate) const {
  if (!hasAccumulatorType(*this, &AccTy))
    return ("accumulator must be " + getAccumulatorDescription() +
            " with N one of " + getNList() + ", got " + describeType(AccTy))
        .str();

  for (const auto &[Idx, What, Allowed] : getImmediates()) {
    std::string Error = diagnoseImmediate(GetImmediate(Idx), What, Allowed);
    if (!Error.empty())
      return Error;
  }
  return {};
}

std::string nvvm::diagnoseWGMMAFenceOperand(const Type &Ty) {
  if (isRegister(&Ty) || isRegisterVector(&Ty))
    return {};
  return "operand must be float, i32 or a vector of one of them, got " +
         describeType(Ty);
}
