//===- Formula.h - Layouts as arithmetic ------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In every layout of registers, each bit of an element's coordinates is one bit
// of the number of its thread, register or place in the register, and the other
// way round; some bits are never set. So a layout can be written with /, %, *
// and + of powers of two, and that is done here from the table, no matter which
// formula made it.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TOOLS_LAYOUT_FORMULA_H
#define NVPTX_MMA_TOOLS_LAYOUT_FORMULA_H

#include "Table.h"

namespace layout {

struct Formula {
  std::string Name, Value;
};

/// The coordinates of an element by t (thread), r (register) and e (the
/// element's number in the register, from the low bits), in a table of metadata
/// n (nibble).
std::vector<Formula> elementByPlace(const Table &T);
/// The thread, register and bits that hold the element of a row and column.
std::vector<Formula> placeByElement(const Table &T);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_FORMULA_H
