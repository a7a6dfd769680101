//===- Formula.cpp - Layouts as arithmetic --------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>

using namespace layout;

namespace {

/// A number that every entry has.
struct Variable {
  std::string Name;
  std::vector<unsigned> Values;

  unsigned bits() const {
    unsigned Max = *std::max_element(Values.begin(), Values.end());
    unsigned Bits = 0;
    while (Max >> Bits)
      ++Bits;
    return Bits;
  }
};

/// Bits Low ... Low+Count-1 of a variable, moved to bit To of the result.
struct Term {
  const Variable *Source;
  unsigned Low, Count, To;

  bool continues(const Variable *V, unsigned Bit) const {
    return V == Source && Bit == Low + Count;
  }
  std::string text() const;
};

} // namespace

std::string Term::text() const {
  std::string Text = Source->Name;
  if (Low)
    Text += " / " + std::to_string(1u << Low);
  if (Low + Count < Source->bits())
    Text += " % " + std::to_string(1u << Count);
  if (!To)
    return Text;
  if (Text != Source->Name)
    Text = "(" + Text + ")";
  return std::to_string(1u << To) + " * " + Text;
}

static bool isBitOf(const Variable &Result, unsigned ResultBit,
                    const Variable &Source, unsigned SourceBit) {
  for (size_t I = 0; I != Result.Values.size(); ++I)
    if ((Result.Values[I] >> ResultBit & 1) !=
        (Source.Values[I] >> SourceBit & 1))
      return false;
  return true;
}

/// True of bit 0 of the byte_id of .scale_vec::2X, which is 0 or 2.
static bool isNever(const Variable &Result, unsigned Bit) {
  return std::none_of(Result.Values.begin(), Result.Values.end(),
                      [=](unsigned Value) { return Value >> Bit & 1; });
}

static Formula formula(const Variable &Result,
                       const std::vector<Variable> &Sources) {
  std::vector<Term> Terms;
  for (unsigned Bit = 0; Bit != Result.bits(); ++Bit) {
    if (isNever(Result, Bit))
      continue;
    std::optional<Term> Found;
    for (const Variable &Source : Sources)
      for (unsigned Low = 0; Low != Source.bits() && !Found; ++Low)
        if (isBitOf(Result, Bit, Source, Low))
          Found = Term{&Source, Low, 1, Bit};
    if (!Found) {
      std::cerr << "layout: bit " << Bit << " of '" << Result.Name
                << "' is no bit of an index\n";
      std::abort();
    }
    if (!Terms.empty() && Terms.back().continues(Found->Source, Found->Low))
      ++Terms.back().Count;
    else
      Terms.push_back(*Found);
  }
  std::string Text;
  for (const Term &T : Terms)
    Text += (Text.empty() ? "" : " + ") + T.text();
  return {Result.Name, Text.empty() ? "0" : Text};
}

template <class Getter>
static Variable variable(const Table &T, std::string Name, Getter Get) {
  Variable V{std::move(Name), {}};
  for (const Entry &E : T.Entries)
    V.Values.push_back(Get(E));
  return V;
}

static std::vector<Variable> matrixVariables(const Table &T) {
  std::vector<Variable> Variables = {
      variable(T, "row", [](const Entry &E) { return E.Row; }),
      variable(T, T.ColumnWord, [](const Entry &E) { return E.Column; })};
  for (size_t I = 0; I != T.PartKinds.size(); ++I)
    Variables.push_back(variable(T, T.PartKinds[I].Word,
                                 [=](const Entry &E) { return E.Parts[I]; }));
  return Variables;
}

static std::vector<Variable> placeVariables(const Table &T, bool Short) {
  std::string Element = T.elementWord();
  auto Name = [&](std::string Long) {
    return Short ? Long.substr(0, 1) : Long;
  };
  std::vector<Variable> Variables = {
      variable(T, Name("thread"), [](const Entry &E) { return E.Thread; }),
      variable(T, Name("register"), [](const Entry &E) { return E.Register; })};
  if (T.elementsPerRegister() > 1)
    Variables.push_back(variable(T, Name(Element), [&](const Entry &E) {
      return E.Bit / T.ElementBits;
    }));
  return Variables;
}

static std::vector<Formula> formulas(const std::vector<Variable> &Results,
                                     const std::vector<Variable> &Sources) {
  std::vector<Formula> Formulas;
  for (const Variable &Result : Results)
    Formulas.push_back(formula(Result, Sources));
  return Formulas;
}

std::vector<Formula> layout::elementByPlace(const Table &T) {
  return formulas(matrixVariables(T), placeVariables(T, /*Short=*/true));
}

std::vector<Formula> layout::placeByElement(const Table &T) {
  return formulas(placeVariables(T, /*Short=*/false), matrixVariables(T));
}
