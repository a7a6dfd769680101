//===- AssemblyForm.cpp - wgmma as inline assembly ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblyForm.h"

#include "Mix.h"
#include "Operation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace wgmmarandom;

namespace {
/// Makes the text of one call, and what goes in.
class AssemblyWriter {
public:
  AssemblyWriter(CallInst &Call, const Operation &Op, uint64_t Choices)
      : Call(Call), Op(Op), Choices(Choices), Builder(&Call) {}

  /// The accumulator.
  Value *write();

private:
  bool choose(unsigned Number) const { return Choices >> Number & 1; }
  Value *argument() { return Call.getArgOperand(NextArgument++); }
  std::string operand(Value *V, StringRef Constraint);
  std::string vector(Value *V, unsigned Length);
  std::string immediate(const Value *V);
  std::string scaleD(Value *V);

  CallInst &Call;
  const Operation &Op;
  uint64_t Choices;
  IRBuilder<> Builder;
  unsigned NextArgument = 0;
  /// What stands before the instruction.
  std::string Definitions;
  std::vector<std::string> Constraints;
  std::vector<Value *> Inputs;
};
} // namespace

std::string AssemblyWriter::operand(Value *V, StringRef Constraint) {
  Inputs.push_back(V);
  Constraints.push_back(Constraint.str());
  std::string Number = utostr(Constraints.size() - 1);
  return choose(Constraints.size() % 8) ? "$" + Number : "${" + Number + "}";
}

std::string AssemblyWriter::vector(Value *V, unsigned Length) {
  std::vector<std::string> Elements;
  for (unsigned I = 0; I != Length; ++I)
    Elements.push_back(operand(Builder.CreateExtractElement(V, I), "r"));
  return "{" + join(Elements, choose(8) ? ", " : ",\n") + "}";
}

std::string AssemblyWriter::immediate(const Value *V) {
  int64_t Number = V->getType()->isIntegerTy(1)
                       ? cast<ConstantInt>(V)->getZExtValue()
                       : cast<ConstantInt>(V)->getSExtValue();
  if (choose(9))
    return itostr(Number);
  return operand(Builder.getInt32(Number), "n");
}

/// As others write it: a predicate of the text, or an operand that is one.
std::string AssemblyWriter::scaleD(Value *V) {
  if (isa<ConstantInt>(V) && choose(10))
    return immediate(V);
  if (choose(11))
    return operand(V, "b");
  bool IsInverse = choose(12), IsLong = choose(13);
  Value *Set = IsInverse ? Builder.CreateNot(V) : V;
  Value *Wide = Builder.CreateZExt(Set, IsLong ? Builder.getInt64Ty()
                                               : Builder.getInt32Ty());
  Definitions = (Twine(".reg .pred p;\nsetp.") + (IsInverse ? "eq" : "ne") +
                 (IsLong ? ".s64" : ".b32") + " p, " +
                 operand(Wide, IsLong ? "l" : "r") + ", 0; // scale of D\n")
                    .str();
  return "p";
}

Value *AssemblyWriter::write() {
  Value *D = argument();
  auto *Ty = cast<FixedVectorType>(D->getType());
  unsigned Length = Ty->getNumElements();
  std::vector<std::string> Accumulator;
  for (unsigned I = 0; I != Length; ++I) {
    Accumulator.push_back("$" + utostr(I));
    Constraints.push_back(Ty->getElementType()->isFloatTy() ? "=f" : "=r");
  }
  Value *A = argument();
  std::string Text = "{" + join(Accumulator, ", ") + "}, ";
  Text += Op.AFromRegisters ? vector(A, 4) : operand(A, "l");
  Text += ", " + operand(argument(), "l");
  if (Op.Sparse) {
    Text += ", " + operand(argument(), "r");
    Text += ", " + immediate(argument());
  }
  Text += ", " + scaleD(argument());
  for (unsigned I = 0; I != numImmediates(Op); ++I)
    Text += ", " + immediate(argument());
  std::string Opcode = Op.instruction();
  // PTX has it ahead of the types, CUTLASS behind.
  if (Op.Types->HasSatfinite && cast<ConstantInt>(argument())->isOne()) {
    Operation Saturating = Op;
    Saturating.Satfinite = true;
    Opcode = choose(14) ? Saturating.instruction() : Opcode + ".satfinite";
  }
  for (unsigned I = 0; I != Length; ++I) {
    Inputs.push_back(Builder.CreateExtractElement(D, I));
    Constraints.push_back(utostr(I));
  }

  std::vector<Type *> Results(Length, Ty->getElementType()), Parameters;
  for (const Value *Input : Inputs)
    Parameters.push_back(Input->getType());
  auto *FunctionTy = FunctionType::get(
      StructType::get(Call.getContext(), Results), Parameters, false);
  Value *Struct = Builder.CreateCall(
      InlineAsm::get(FunctionTy,
                     "{\n" + Definitions + Opcode + " " + Text + ";\n}\n",
                     join(Constraints, ","), /*hasSideEffects=*/true),
      Inputs);
  Value *Result = PoisonValue::get(Ty);
  for (unsigned I = 0; I != Length; ++I)
    Result = Builder.CreateInsertElement(
        Result, Builder.CreateExtractValue(Struct, I), I);
  return Result;
}

void wgmmarandom::writeAsAssembly(Module &M) {
  if (none_of(M,
              [](const Function &F) { return F.hasFnAttribute(InAssembly); }))
    return;
  uint64_t Count = 0;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      std::optional<Operation> Op =
          Callee ? parseIntrinsic(Callee->getName()) : std::nullopt;
      if (!Op)
        continue;
      Call->replaceAllUsesWith(
          AssemblyWriter(*Call, *Op, mix(Op->hash(), ++Count)).write());
      Call->eraseFromParent();
    }
}
