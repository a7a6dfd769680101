//===- AssemblerView.cpp - Values as ptxas tells them apart ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblerView.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace wgmmarandom;
using namespace wgmmarandom::ptx;

unsigned &AssemblerView::getNumber(unsigned Register) {
  auto [It, IsNew] = Numbers.try_emplace(Register);
  if (IsNew)
    It->second = ++LastNumber;
  return It->second;
}

void AssemblerView::startBlock() {
  Numbers.clear();
  Results.clear();
  ResultNumbers.clear();
  Written.clear();
  Multiplied = 0;
  Expressions.clear();
}

void AssemblerView::write(ArrayRef<unsigned> Registers,
                          unsigned FirstRegister) {
  for (unsigned Register : Registers) {
    Numbers[FirstRegister + Register] = ++LastNumber;
    forget(FirstRegister + Register);
  }
}

void AssemblerView::forget(unsigned Register) {
  Results.erase(Register);
  Halves.erase(Register);
  Written[Register] = Multiplied;
}

void AssemblerView::takeHalves(const Instr &I, unsigned FirstRegister) {
  for (unsigned Register : I.Writes)
    Halves[FirstRegister + Register] = &I;
}

void AssemblerView::multiply(ArrayRef<unsigned> Registers, bool MayOverwrite) {
  for (unsigned Register : Registers) {
    auto WrittenAt = Written.find(Register);
    bool IsSeen = Results.insert(Register).second &&
                  WrittenAt != Written.end() && WrittenAt->second == Multiplied;
    unsigned &OfResult = ResultNumbers[Register];
    if (MayOverwrite || !OfResult)
      OfResult = IsSeen || MayOverwrite ? ++LastNumber : getNumber(Register);
    Numbers[Register] = OfResult;
    Halves.erase(Register);
  }
  ++Multiplied;
}

const Instr *AssemblerView::compute(const Instr &I, unsigned FirstRegister,
                                    uint64_t Value) {
  // What is computed under a condition may stay what it was.
  if (I.HasGuard || I.Writes.size() != 1) {
    write(I.Writes, FirstRegister);
    return nullptr;
  }
  std::string Text = I.Opcode;
  std::vector<uint64_t> Operands;
  for (const Operand &Op : drop_begin(I.Operands)) {
    bool IsRegister = Op.Kind == Operand::Register;
    Operands.push_back(IsRegister);
    Operands.push_back(IsRegister ? getNumber(FirstRegister + Op.Reg)
                                  : Op.Value);
    Text += ' ' + Op.Name;
  }
  auto [It, IsNew] = Expressions.try_emplace({Text, Operands});
  Computed &Known = It->second;
  if (IsNew)
    Known = {&I, Value, ++LastNumber};
  Numbers[FirstRegister + I.Writes[0]] = Known.Number;
  forget(FirstRegister + I.Writes[0]);
  return Known.Value == Value ? nullptr : Known.By;
}
