//===- Launch.cpp - What a kernel is executed with ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Operation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CallingConv.h"

using namespace llvm;
using namespace wgmmarandom;

static constexpr uint64_t BufferBytes = 0x10000;

static std::vector<uint8_t> randomBytes(uint64_t Count, uint64_t Seed) {
  std::vector<uint8_t> Bytes(Count);
  for (uint64_t I = 0; I != Count; ++I)
    Bytes[I] = mix(Seed, I);
  return Bytes;
}

const Function *wgmmarandom::findKernel(const Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel)
      return &F;
  return nullptr;
}

static uint64_t randomScalar(const Argument &Arg, uint64_t Random) {
  bool IsCount =
      Arg.getType()->isIntegerTy(32) && Arg.getName().starts_with("n");
  return IsCount ? Random % 4 : Random;
}

Launch wgmmarandom::makeLaunch(const Function &Kernel, uint64_t Seed) {
  const Module &M = *Kernel.getParent();
  const DataLayout &DL = M.getDataLayout();
  Launch L;
  uint64_t Shared = SharedBase, Global = GlobalBase;
  for (const GlobalVariable &G : M.globals()) {
    uint64_t Size = DL.getTypeAllocSize(G.getValueType());
    uint64_t &Next = G.getAddressSpace() == 3 ? Shared : Global;
    L.Symbols[G.getName()] = Next;
    L.Initial.add(Next, std::vector<uint8_t>(Size));
    Next = alignTo(Next + Size + 1, 256);
  }
  Global = alignTo(Global, GlobalStride);
  for (const Argument &Arg : Kernel.args()) {
    uint64_t Random = mix(Seed, Arg.getArgNo());
    uint64_t Size = DL.getTypeAllocSize(Arg.getType());
    std::vector<uint8_t> Bytes = randomBytes(Size, Random);
    if (Arg.getType()->isPointerTy()) {
      L.Initial.add(Global, randomBytes(BufferBytes, Random));
      memcpy(Bytes.data(), &Global, 8);
      Global += GlobalStride;
    } else if (Arg.getType()->isIntegerTy()) {
      uint64_t Value = randomScalar(Arg, Random);
      if (Arg.getType()->isIntegerTy(1))
        Value &= 1;
      memcpy(Bytes.data(), &Value, Size);
    }
    L.Arguments.push_back(std::move(Bytes));
  }
  return L;
}

std::string wgmmarandom::compareMemory(const Execution &Expected,
                                       const Execution &Got) {
  for (const auto &[Base, Region] : Expected.Final.regions()) {
    if (Base >= LocalBase)
      continue;
    const auto &Other = Got.Final.regions().at(Base);
    for (size_t I = 0; I != Region.Bytes.size(); ++I)
      if (!Region.Poison[I] && Region.Bytes[I] != Other.Bytes[I])
        return "memory differs at 0x" + utohexstr(Base + I);
  }
  return "";
}
