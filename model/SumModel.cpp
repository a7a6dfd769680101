//===- SumModel.cpp - How tensor cores add up -----------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace devicetest;

/// One step; nothing is rounded but by the alignment.
static double addAligned(const SumModel &M, double Accumulator,
                         const FloatSum::Product *First,
                         const FloatSum::Product *End) {
  int Exponent = std::numeric_limits<int>::min();
  if (Accumulator != 0)
    Exponent = std::ilogb(Accumulator);
  for (auto *P = First; P != End; ++P)
    if (P->value() != 0)
      Exponent = std::max(Exponent, std::ilogb(P->A) + std::ilogb(P->B));
  if (Exponent == std::numeric_limits<int>::min())
    return 0;

  int Unit = Exponent - M.AlignedBits;
  auto Aligned = [&](double Value) {
    return std::ldexp(toInteger(std::ldexp(Value, -Unit), M.Alignment), Unit);
  };
  double Total = Aligned(Accumulator);
  for (auto *P = First; P != End; ++P)
    Total += Aligned(P->value());
  return Total;
}

static std::vector<FloatSum::Product>
lowPairsFirst(const std::vector<FloatSum::Product> &Products) {
  std::vector<FloatSum::Product> Ordered;
  for (bool High : {false, true})
    for (size_t Index = 0; Index != Products.size(); ++Index)
      if (Index % 4 / 2 == High)
        Ordered.push_back(Products[Index]);
  return Ordered;
}

double SumModel::value(const FloatSum &Sum) const {
  std::vector<FloatSum::Product> Reordered;
  if (LowPairsFirst)
    Reordered = lowPairsFirst(Sum.Products);
  const auto &Products = LowPairsFirst ? Reordered : Sum.Products;
  double Total = AddsAccumulatorLast ? 0 : Sum.Addend;
  size_t Count = Products.size();
  for (size_t First = 0; First < Count; First += ProductsAtOnce) {
    size_t End = std::min<size_t>(First + ProductsAtOnce, Count);
    Total = addAligned(*this, Total, Products.data() + First,
                       Products.data() + End);
    Total = rounded(Total, End == Count ? Last : Between, Result);
  }
  if (AddsAccumulatorLast)
    Total = rounded(Total + Sum.Addend, Last, Rounding::Nearest);
  return Total;
}

static const char *name(Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    return "rounded to the nearest";
  case Rounding::Zero:
    return "cut off";
  case Rounding::Minus:
    return "rounded down";
  case Rounding::Plus:
    break;
  }
  return "rounded up";
}

std::string SumModel::describe() const {
  std::string Text =
      ProductsAtOnce == 1 && AlignedBits == AllBits
          ? "fused multiply-adds one after the other"
          : std::to_string(ProductsAtOnce) + " products and the " +
                (AddsAccumulatorLast ? "sum" : "accumulator") +
                " at a time, aligned to the largest exponent and " +
                name(Alignment) + " after " + std::to_string(AlignedBits) +
                " bits";
  if (LowPairsFirst)
    Text += ", the first two of each four in the order of k first";
  Text += std::string("; the result is ") + name(Result) + " after " +
          std::to_string(Last.FractionBits) + " bits";
  if (AddsAccumulatorLast)
    Text +=
        "; then the accumulator is added and the sum rounded to the nearest";
  return Text;
}

/// Those of Hopper come first.
static std::vector<int> alignedBits() {
  std::vector<int> Bits = {25, 13};
  for (int Other = 10; Other <= 32; ++Other)
    if (Other != 25 && Other != 13)
      Bits.push_back(Other);
  return Bits;
}

SumModelSearch::SumModelSearch(unsigned Products, FloatPrecision Result) {
  struct Format {
    FloatPrecision Between, Last;
    Rounding R;
  };
  std::vector<Format> Formats = {{Result, Result, Rounding::Zero},
                                 {Result, Result, Rounding::Nearest}};
  if (Result.FractionBits < SinglePrecision.FractionBits)
    Formats.push_back({SinglePrecision, Result, Rounding::Nearest});
  else
    // That of Hopper's sums of 8-bit products.
    Formats.push_back({{13, SinglePrecision.MinExponent},
                       {13, SinglePrecision.MinExponent},
                       Rounding::Zero});

  for (unsigned AtOnce = Products; AtOnce; AtOnce /= 2)
    for (const Format &F : Formats) {
      // A single step has neither sums in between nor an order.
      bool OneStep = AtOnce == Products;
      if (OneStep && F.Between.FractionBits != F.Last.FractionBits)
        continue;
      for (Rounding Alignment :
           {Rounding::Zero, Rounding::Minus, Rounding::Nearest})
        for (int Bits : alignedBits())
          Left.push_back({AtOnce, Bits, Alignment, F.Between, F.Last, F.R});
      // What Hopper makes of instructions that it has not, of 8-bit floating
      // point and m8n8k4.
      for (int Bits : {25, SumModel::AllBits})
        for (bool LowPairsFirst : {false, true})
          if (!OneStep || !LowPairsFirst)
            Left.push_back({AtOnce, Bits, Rounding::Zero, F.Between, F.Last,
                            F.R, LowPairsFirst, /*AddsAccumulatorLast=*/true});
    }
}

void SumModelSearch::add(const FloatSum &Sum, double Seen) {
  Left.erase(
      std::remove_if(Left.begin(), Left.end(),
                     [&](const SumModel &M) { return M.value(Sum) != Seen; }),
      Left.end());
}

std::string SumModelSearch::describe() const {
  return Left.empty() ? "no model that was tried gives these sums"
                      : Left.front().describe();
}
