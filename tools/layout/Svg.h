//===- Svg.h - Pictures of layouts ------------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVPTX_MMA_TOOLS_LAYOUT_SVG_H
#define NVPTX_MMA_TOOLS_LAYOUT_SVG_H

#include "SharedMatrix.h"
#include "Table.h"

namespace layout {

/// The matrix, where each cell is what one register holds of a row or column.
void drawTable(const Table &T, std::ostream &OS);

/// Two pictures of a matrix in units of 16 bytes: the matrix, with the byte
/// offset of each unit, and the memory in lines of 128 bytes, with the first
/// element of each unit.
void drawShared(const SharedMatrix &S, std::ostream &OS);

/// Which elements of a chunk each nibble of metadata keeps, for the types with
/// 2:4 sparsity, with 1:2 and with 4:8 in pairs.
void drawCompression(std::ostream &OS);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_SVG_H
