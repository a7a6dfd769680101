//===- Operation.cpp - One wgmma.mma_async, by its names ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operation.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace wgmmarandom;

// D, A, B, suffix, K, sparse, scale, transpose, satfinite, selectors.
static const Family AllFamilies[] = {
    {"f16", "f16", "f16", "", 16, true, true, true, false, 2},
    {"f32", "f16", "f16", "", 16, true, true, true, false, 2},
    {"f32", "bf16", "bf16", "", 16, true, true, true, false, 2},
    {"f32", "tf32", "tf32", "", 8, true, true, false, false, 2},
    {"f16", "e4m3", "e4m3", "", 32, true, true, false, false, 1},
    {"f16", "e4m3", "e5m2", "", 32, true, true, false, false, 1},
    {"f16", "e5m2", "e4m3", "", 32, true, true, false, false, 1},
    {"f16", "e5m2", "e5m2", "", 32, true, true, false, false, 1},
    {"f32", "e4m3", "e4m3", "", 32, true, true, false, false, 1},
    {"f32", "e4m3", "e5m2", "", 32, true, true, false, false, 1},
    {"f32", "e5m2", "e4m3", "", 32, true, true, false, false, 1},
    {"f32", "e5m2", "e5m2", "", 32, true, true, false, false, 1},
    {"s32", "s8", "s8", "", 32, true, false, false, true, 1},
    {"s32", "s8", "u8", "", 32, true, false, false, true, 1},
    {"s32", "u8", "s8", "", 32, true, false, false, true, 1},
    {"s32", "u8", "u8", "", 32, true, false, false, true, 1},
    {"s32", "b1", "b1", ".and.popc", 256, false, false, false, false, 0},
};

ArrayRef<Family> wgmmarandom::families() { return AllFamilies; }

bool Family::hasN(unsigned N) const {
  if (N == 0 || N > 256 || N % 8)
    return false;
  return !isInteger() || N <= 32 || N % 16 == 0;
}

std::string Family::types() const {
  return (D + "." + A + "." + B + Suffix).str();
}

std::string Family::accumulatorType(unsigned N) const {
  return "<" + utostr(accumulatorRegisters(N)) + " x " +
         (D == "f32" ? "float" : "i32") + ">";
}

std::string Family::mangledType(unsigned N) const {
  return "v" + utostr(accumulatorRegisters(N)) + (D == "f32" ? "f32" : "i32");
}

std::string Operation::shape() const {
  return ("m64n" + Twine(N) + "k" + Twine(k()) + "." + Types->D).str();
}

std::string Operation::intrinsic() const {
  return (Twine("llvm.nvvm.wgmma.mma_async.") + (Sparse ? "sp." : "") +
          (AFromRegisters ? "rs." : "ss.") + Types->types() + "." +
          Types->mangledType(N))
      .str();
}

std::string Operation::instruction() const {
  return (Twine("wgmma.mma_async.") + (Sparse ? "sp." : "") +
          "sync.aligned.m64n" + Twine(N) + "k" + Twine(k()) +
          (Satfinite ? ".satfinite." : ".") + Types->types())
      .str();
}

uint64_t Operation::hash() const {
  uint64_t Hash = Types - AllFamilies;
  for (uint64_t Field :
       {uint64_t(Sparse), uint64_t(AFromRegisters), uint64_t(N),
        uint64_t(Selector), uint64_t(ScaleA), uint64_t(ScaleB),
        uint64_t(TransA), uint64_t(TransB), uint64_t(Satfinite)})
    Hash = mix(Hash, Field);
  return Hash;
}

static const Family *findFamily(StringRef Types) {
  for (const Family &F : AllFamilies)
    if (F.types() == Types)
      return &F;
  return nullptr;
}

std::optional<Operation> wgmmarandom::parseIntrinsic(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.wgmma.mma_async."))
    return std::nullopt;
  Operation Op;
  Op.Sparse = Name.consume_front("sp.");
  Op.AFromRegisters = Name.consume_front("rs.");
  if (!Op.AFromRegisters && !Name.consume_front("ss."))
    return std::nullopt;
  auto [Types, Mangled] = Name.rsplit(".v");
  Op.Types = findFamily(Types);
  unsigned Registers;
  if (!Op.Types || Mangled.consumeInteger(10, Registers))
    return std::nullopt;
  Op.N = Registers * (Op.Types->D == "f16" ? 4 : 2);
  if (!Op.Types->hasN(Op.N) || (Op.Sparse && !Op.Types->HasSparse))
    return std::nullopt;
  return Op;
}

std::optional<Operation> wgmmarandom::parseInstruction(StringRef Opcode) {
  if (!Opcode.consume_front("wgmma.mma_async."))
    return std::nullopt;
  Operation Op;
  Op.Sparse = Opcode.consume_front("sp.");
  unsigned K;
  if (!Opcode.consume_front("sync.aligned.m64n") ||
      Opcode.consumeInteger(10, Op.N) || !Opcode.consume_front("k") ||
      Opcode.consumeInteger(10, K))
    return std::nullopt;
  Op.Satfinite = Opcode.consume_front(".satfinite");
  Op.Satfinite |= Opcode.consume_back(".satfinite");
  if (!Opcode.consume_front("."))
    return std::nullopt;
  Op.Types = findFamily(Opcode);
  if (!Op.Types || K != Op.k() || !Op.Types->hasN(Op.N) ||
      (Op.Sparse && !Op.Types->HasSparse) ||
      (Op.Satfinite && !Op.Types->HasSatfinite))
    return std::nullopt;
  return Op;
}

unsigned wgmmarandom::numImmediates(const Operation &Op) {
  return 2 * Op.Types->HasScale + Op.hasTransA() + Op.Types->HasTranspose;
}

void wgmmarandom::setImmediates(Operation &Op, ArrayRef<int64_t> Values) {
  auto Take = [&]() {
    int64_t Value = Values.front();
    Values = Values.drop_front();
    return Value;
  };
  if (Op.Types->HasScale) {
    Op.ScaleA = Take();
    Op.ScaleB = Take();
  }
  if (Op.hasTransA())
    Op.TransA = Take();
  if (Op.Types->HasTranspose)
    Op.TransB = Take();
}

uint32_t wgmmarandom::result(const Operation &Op, const Inputs &In,
                             unsigned Register) {
  uint64_t Hash = mix(Op.hash(), Register);
  if (Op.AFromRegisters)
    for (uint32_t Value : In.A)
      Hash = mix(Hash, Value);
  else
    Hash = mix(Hash, In.ADescriptor);
  Hash = mix(Hash, In.BDescriptor);
  if (Op.Sparse)
    Hash = mix(Hash, In.Metadata);
  // What adds to zero overwrites.
  if (In.ScaleD && In.Accumulator[Register] != 0)
    Hash = mix(Hash, (In.Accumulator[Register] + uint64_t(1)) << 1);
  return Hash;
}
