//===- Table.h - Where the elements of an operand are -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operand of one instruction, element by element.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TOOLS_LAYOUT_TABLE_H
#define NVPTX_MMA_TOOLS_LAYOUT_TABLE_H

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace layout {

/// Where an element is, in the matrix and in the registers.
struct Entry {
  /// One number for each of the table's kinds of parts.
  std::vector<unsigned> Parts;
  unsigned Row, Column;
  unsigned Thread, Register;
  unsigned Bit; ///< The lowest of the element's bits in the register.
};

/// What an operand has several of.
struct PartKind {
  /// "computation", "matrix", "selector", "thread_id", "byte_id".
  std::string Word;
  /// Whether figures show the first only, where the others are alike.
  bool OnlyFirstShown = false;
};

struct Table {
  std::vector<PartKind> PartKinds;
  unsigned Rows, Columns;
  std::string ColumnWord = "column";
  unsigned Registers; ///< of each thread
  unsigned RegisterBits = 32;
  unsigned ElementBits;
  /// What a figure shows, where the rest is more of the same.
  unsigned ShownRows, ShownColumns;
  /// Ordered by parts, row and column.
  std::vector<Entry> Entries;

  unsigned elementsPerRegister() const { return RegisterBits / ElementBits; }
  /// The word for one element of several in a register.
  const char *elementWord() const {
    return ColumnWord == "chunk" ? "nibble" : "element";
  }
};

/// Everything that makes two tables look the same, wherever they come from.
bool sameLayout(const Table &A, const Table &B);

/// Which entries to print; what is negative chooses all.
struct Selection {
  int Row = -1, Column = -1, Thread = -1, Register = -1;
  /// By the word for the kind of part.
  std::map<std::string, unsigned> Parts;

  bool contains(const std::vector<PartKind> &Kinds, const Entry &E) const;
};

/// Prints the chosen entries, one in a line: those of one thread in the order
/// of its registers, otherwise in the order of the matrix. Returns how many.
unsigned print(const Table &T, const Selection &Chosen, std::ostream &OS);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_TABLE_H
