//===- Table.cpp - Where the elements of an operand are -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

#include <algorithm>
#include <iomanip>
#include <tuple>

using namespace layout;

static auto key(const Entry &E) {
  return std::tie(E.Parts, E.Row, E.Column, E.Thread, E.Register, E.Bit);
}

bool layout::sameLayout(const Table &A, const Table &B) {
  auto Shape = [](const Table &T) {
    return std::tie(T.Rows, T.Columns, T.Registers, T.RegisterBits,
                    T.ElementBits);
  };
  return Shape(A) == Shape(B) &&
         std::equal(A.PartKinds.begin(), A.PartKinds.end(), B.PartKinds.begin(),
                    B.PartKinds.end(),
                    [](const PartKind &X, const PartKind &Y) {
                      return X.Word == Y.Word;
                    }) &&
         std::equal(A.Entries.begin(), A.Entries.end(), B.Entries.begin(),
                    B.Entries.end(), [](const Entry &X, const Entry &Y) {
                      return key(X) == key(Y);
                    });
}

bool Selection::contains(const std::vector<PartKind> &Kinds,
                         const Entry &E) const {
  auto Passes = [](int Wanted, unsigned Value) {
    return Wanted < 0 || static_cast<unsigned>(Wanted) == Value;
  };
  for (size_t I = 0; I != Kinds.size(); ++I) {
    auto Wanted = Parts.find(Kinds[I].Word);
    if (Wanted != Parts.end() && Wanted->second != E.Parts[I])
      return false;
  }
  return Passes(Row, E.Row) && Passes(Column, E.Column) &&
         Passes(Thread, E.Thread) && Passes(Register, E.Register);
}

unsigned layout::print(const Table &T, const Selection &Chosen,
                       std::ostream &OS) {
  std::vector<Entry> Entries;
  for (const Entry &E : T.Entries)
    if (Chosen.contains(T.PartKinds, E))
      Entries.push_back(E);
  if (Chosen.Thread >= 0)
    std::sort(Entries.begin(), Entries.end(),
              [](const Entry &X, const Entry &Y) {
                return std::tie(X.Register, X.Bit, X.Parts) <
                       std::tie(Y.Register, Y.Bit, Y.Parts);
              });

  std::vector<std::string> Headings;
  for (const PartKind &Kind : T.PartKinds)
    Headings.push_back(Kind.Word);
  for (const std::string &Word :
       {std::string("row"), T.ColumnWord, std::string("thread"),
        std::string("register"), std::string("bits")})
    Headings.push_back(Word);
  auto PrintLine = [&](const std::vector<std::string> &Cells) {
    for (size_t I = 0; I != Cells.size(); ++I)
      OS << (I ? "  " : "") << std::setw(static_cast<int>(Headings[I].size()))
         << Cells[I];
    OS << '\n';
  };
  Headings.back() = " bits";
  PrintLine(Headings);
  for (const Entry &E : Entries) {
    std::vector<std::string> Cells;
    for (unsigned Part : E.Parts)
      Cells.push_back(std::to_string(Part));
    for (unsigned Value : {E.Row, E.Column, E.Thread, E.Register})
      Cells.push_back(std::to_string(Value));
    std::string Bits = std::to_string(E.Bit);
    if (T.ElementBits > 1)
      Bits = std::to_string(E.Bit + T.ElementBits - 1) + ":" + Bits;
    Cells.push_back(Bits);
    PrintLine(Cells);
  }
  return static_cast<unsigned>(Entries.size());
}
