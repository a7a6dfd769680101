//===- Instructions.h - The instructions and their operands -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables come from the model that the device tests compare with the
// hardware, model. Here is only which instructions there are.
//
// Instructions have short names: the family, the shape and the type of A, as in
// mma.sp.m16n8k32.f16; with block scaling, also the kind and the number of
// scales, as in mma.block_scale.m16n8k64.mxf4nvf4.4X.e2m1. PTX's own names are
// understood, too.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TOOLS_LAYOUT_INSTRUCTIONS_H
#define NVPTX_MMA_TOOLS_LAYOUT_INSTRUCTIONS_H

#include "Table.h"

#include <functional>
#include <optional>

namespace layout {

struct Operand {
  std::string Name;
  std::function<Table()> MakeTable;
};

struct Instruction {
  std::string Family, Name;
  std::vector<Operand> Operands;
  /// What the page says of an instruction that the project's GPU lacks; empty
  /// where it was run.
  std::string NotRun;
};

const std::vector<Instruction> &instructions();

/// The instruction of that name, in which any N of wgmma may take the place of
/// "nN", if there is one.
std::optional<Instruction> findInstruction(const std::string &Name);
/// The operand, whose type may be left out where there is one only, as D may
/// stand for C in mma; null if there is none.
const Operand *findOperand(const Instruction &I, const std::string &Name);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_INSTRUCTIONS_H
