//===- NVPTXHalfAsm.cpp - Inline assembly of halves -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfAsm.h"
#include "NVPTXAsmText.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

/// Calls \p Visit with the opcode of each statement in \p Text and its
/// operands, as long as it returns true. Returns whether it always did.
static bool
visitStatements(StringRef Text,
                function_ref<bool(StringRef, ArrayRef<StringRef>)> Visit) {
  std::string Code = stripAsmComments(Text);
  for (StringRef Statement : splitAsmStatements(Code)) {
    if (Statement == "{" || Statement == "}")
      continue;
    size_t OpcodeSize = Statement.find_first_of(" \t\n");
    if (OpcodeSize == StringRef::npos ||
        !Visit(Statement.take_front(OpcodeSize),
               splitAsmOperands(Statement.drop_front(OpcodeSize))))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Whether \p Opcode computes a half of halves and has a form for two of each,
/// which takes the same modifiers.
static bool isHalfOpcode(StringRef Opcode) {
  SmallVector<StringRef, 4> Parts;
  Opcode.split(Parts, '.');
  static constexpr StringRef Names[] = {"add", "sub", "mul", "fma",  "neg",
                                        "abs", "min", "max", "tanh", "ex2"};
  static constexpr StringRef Modifiers[] = {"rn",  "ftz",  "sat",
                                            "NaN", "relu", "approx"};
  return Parts.size() >= 2 && is_contained(Names, Parts.front()) &&
         Parts.back() == "f16" &&
         all_of(ArrayRef(Parts).drop_front().drop_back(),
                [](StringRef Part) { return is_contained(Modifiers, Part); });
}

/// The constraints for registers where \p Constraints are for halves; nothing
/// if they are for anything else.
static std::optional<std::string> getPackedConstraints(StringRef Constraints) {
  std::string Packed;
  SmallVector<StringRef, 4> Parts;
  Constraints.split(Parts, ',');
  for (StringRef Part : Parts) {
    if (!Packed.empty())
      Packed += ',';
    if (Part.consume_front("="))
      Packed += '=';
    if (unsigned Result; Part == "h")
      Packed += 'r';
    else if (!Part.getAsInteger(10, Result))
      Packed += Part;
    else
      return std::nullopt;
  }
  return Packed;
}

InlineAsm *llvm::getPackedHalfAsm(const InlineAsm &Asm) {
  const FunctionType *Ty = Asm.getFunctionType();
  auto IsHalf = [](const Type *Ty) { return Ty->isIntegerTy(16); };
  if (Asm.hasSideEffects() || Asm.isAlignStack() || Asm.canThrow() ||
      !IsHalf(Ty->getReturnType()) || !all_of(Ty->params(), IsHalf))
    return nullptr;
  std::optional<std::string> Constraints =
      getPackedConstraints(Asm.getConstraintString());
  if (!Constraints)
    return nullptr;

  std::string Packed;
  bool IsPacked = visitStatements(
      Asm.getAsmString(), [&](StringRef Opcode, ArrayRef<StringRef> Operands) {
        if (!Packed.empty() || !isHalfOpcode(Opcode) ||
            !all_of(Operands, parseAsmOperand))
          return false;
        Packed = (Opcode + "x2 " + join(Operands, ", ") + ";").str();
        return true;
      });
  if (!IsPacked || Packed.empty())
    return nullptr;
  Type *Register = Type::getInt32Ty(Ty->getContext());
  SmallVector<Type *, 3> Params(Ty->getNumParams(), Register);
  return InlineAsm::get(FunctionType::get(Register, Params, /*isVarArg=*/false),
                        Packed, *Constraints, /*hasSideEffects=*/false);
}

Intrinsic::ID llvm::getPackedConversion(const InlineAsm &Asm) {
  const FunctionType *Ty = Asm.getFunctionType();
  if (Asm.hasSideEffects() || Asm.getConstraintString() != "=h,f" ||
      !Ty->getReturnType()->isIntegerTy(16) ||
      !Ty->getParamType(0)->isFloatTy())
    return Intrinsic::not_intrinsic;
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
  bool IsOne = visitStatements(
      Asm.getAsmString(), [&](StringRef Opcode, ArrayRef<StringRef> Operands) {
        if (ID != Intrinsic::not_intrinsic || Operands.size() != 2 ||
            parseAsmOperand(Operands[0]) != 0u ||
            parseAsmOperand(Operands[1]) != 1u)
          return false;
        ID = StringSwitch<Intrinsic::ID>(Opcode)
                 .Case("cvt.rn.f16.f32", Intrinsic::nvvm_ff2f16x2_rn)
                 .Case("cvt.rz.f16.f32", Intrinsic::nvvm_ff2f16x2_rz)
                 .Case("cvt.rn.bf16.f32", Intrinsic::nvvm_ff2bf16x2_rn)
                 .Case("cvt.rz.bf16.f32", Intrinsic::nvvm_ff2bf16x2_rz)
                 .Default(Intrinsic::not_intrinsic);
        return ID != Intrinsic::not_intrinsic;
      });
  return IsOne ? ID : Intrinsic::not_intrinsic;
}

bool llvm::isCommutativeHalfAsm(const InlineAsm &Packed) {
  auto [Opcode, Operands] = Packed.getAsmString().split(' ');
  return is_contained({"add", "mul", "fma", "min", "max"},
                      Opcode.split('.').first) &&
         Operands.starts_with("$0, $1, $2");
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

namespace {
/// A sum, difference or product of two registers with two halves each, of which
/// the assembly does not say how it is rounded.
struct UnroundedOperation {
  StringRef Name; ///< "add", say.
  StringRef Type; ///< With the modifier that goes with it, if any.

  static std::optional<UnroundedOperation> get(const Value &V);
};
} // namespace

std::optional<UnroundedOperation> UnroundedOperation::get(const Value &V) {
  const auto *Call = dyn_cast<CallInst>(&V);
  const auto *Asm =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (!Asm || Asm->hasSideEffects() || Asm->getConstraintString() != "=r,r,r")
    return std::nullopt;
  auto [Opcode, Operands] = Asm->getAsmString().split(' ');
  auto [Name, Type] = Opcode.split('.');
  if (Operands != "$0, $1, $2;" || (Type != "f16x2" && Type != "ftz.f16x2"))
    return std::nullopt;
  return UnroundedOperation{Name, Type};
}

/// The product that is operand \p Index of \p Sum and needed by nothing else,
/// or null. No step of wgmma lies in between, behind which its factors may not
/// be there any more.
static CallInst *findProduct(CallInst &Sum, unsigned Index, StringRef Type) {
  auto *Product = dyn_cast<CallInst>(Sum.getArgOperand(Index));
  if (!Product || !Product->hasOneUse() ||
      Product->getParent() != Sum.getParent())
    return nullptr;
  const auto Op = UnroundedOperation::get(*Product);
  return Op && Op->Name == "mul" && Op->Type == Type &&
                 none_of(make_range(Product->getIterator(), Sum.getIterator()),
                         NVPTX::isWGMMAStep)
             ? Product
             : nullptr;
}

static Value *negateHalves(Value *Register, IRBuilderBase &Builder) {
  Type *Halves = FixedVectorType::get(Builder.getHalfTy(), 2);
  return Builder.CreateBitCast(
      Builder.CreateFNeg(Builder.CreateBitCast(Register, Halves)),
      Register->getType());
}

/// Makes one operation of \p Sum and of a product in it, if that may be: as PTX
/// allows it where no rounding is asked for, and ptxas does it of single
/// halves.
static bool fuse(CallInst &Sum) {
  const auto Op = UnroundedOperation::get(Sum);
  if (!Op || (Op->Name != "add" && Op->Name != "sub"))
    return false;
  CallInst *Product = findProduct(Sum, 0, Op->Type);
  const bool IsFirst = Product != nullptr;
  if (!IsFirst)
    Product = findProduct(Sum, 1, Op->Type);
  if (!Product)
    return false;

  IRBuilder<> Builder(&Sum);
  SmallVector<Value *, 3> Operands(Product->args());
  Operands.push_back(Sum.getArgOperand(IsFirst));
  if (Op->Name == "sub") {
    // Rather a factor that is the same for all of an accumulator.
    if (NVPTX::isPartOfAccumulator(Operands[1]))
      std::swap(Operands[0], Operands[1]);
    Value *&Negative = Operands[IsFirst ? 2 : 1];
    Negative = negateHalves(Negative, Builder);
  }
  Type *Register = Sum.getType();
  auto *Fused = InlineAsm::get(
      FunctionType::get(Register, {Register, Register, Register}, false),
      ("fma.rn." + Op->Type + " $0, $1, $2, $3;").str(), "=r,r,r,r",
      /*hasSideEffects=*/false);
  CallInst *Call = Builder.CreateCall(Fused, Operands, "halves");
  Call->setAttributes(Sum.getAttributes());
  Sum.replaceAllUsesWith(Call);
  Sum.eraseFromParent();
  Product->eraseFromParent();
  return true;
}

bool llvm::fuseHalfAsm(Function &F) {
  // A product comes ahead of its sum.
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Changed |= fuse(*Call);
  return Changed;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Executes inline assembly that converts constants to halves and packs them.
class ConversionEvaluator {
public:
  explicit ConversionEvaluator(const CallInst &Call) : Call(Call) {}

  /// The constant that the call results in, if it is known.
  std::optional<APInt> evaluate();

private:
  bool execute(StringRef Opcode, ArrayRef<StringRef> Operands);
  std::optional<APInt> convert(StringRef Operand) const;
  std::optional<APInt> read(StringRef Operand) const;
  bool write(StringRef Operand, std::optional<APInt> Value);

  const CallInst &Call;
  StringMap<APInt> Registers;
  std::optional<APInt> Result;
};
} // namespace

/// One result, and inputs that are floats: no other constraint is needed here.
static bool isConversion(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm || Asm->hasSideEffects() || Call.arg_empty() ||
      !(Call.getType()->isIntegerTy(16) || Call.getType()->isIntegerTy(32)) ||
      !all_of(Call.args(), [](const Use &Arg) {
        return isa<ConstantFP>(Arg) && Arg->getType()->isFloatTy();
      }))
    return false;
  StringRef Constraints = Asm->getConstraintString();
  return (Constraints.consume_front("=h") || Constraints.consume_front("=r")) &&
         Constraints.size() == 2 * Call.arg_size() &&
         Constraints.count(",f") == Call.arg_size();
}

std::optional<APInt> ConversionEvaluator::evaluate() {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (!visitStatements(Asm->getAsmString(),
                       [this](StringRef Opcode, ArrayRef<StringRef> Operands) {
                         return execute(Opcode, Operands);
                       }) ||
      !Result || Result->getBitWidth() != Call.getType()->getIntegerBitWidth())
    return std::nullopt;
  return Result;
}

bool ConversionEvaluator::execute(StringRef Opcode,
                                  ArrayRef<StringRef> Operands) {
  if (Opcode == ".reg")
    return true;
  if (Opcode == "cvt.rn.f16.f32" && Operands.size() == 2)
    return write(Operands[0], convert(Operands[1]));
  if (Opcode == "cvt.rn.f16x2.f32" && Operands.size() == 3) {
    std::optional<APInt> Hi = convert(Operands[1]), Lo = convert(Operands[2]);
    return Hi && Lo && write(Operands[0], Hi->concat(*Lo));
  }
  if (Opcode != "mov.b32" || Operands.size() != 2)
    return false;
  StringRef Vector = Operands[1];
  if (!Vector.consume_front("{") || !Vector.consume_back("}"))
    return false;
  SmallVector<StringRef, 12> Halves = splitAsmOperands(Vector);
  if (Halves.size() != 2)
    return false;
  std::optional<APInt> Lo = read(Halves[0]), Hi = read(Halves[1]);
  return Hi && Lo && write(Operands[0], Hi->concat(*Lo));
}

/// The half that a float is rounded to, to the nearest even one.
std::optional<APInt> ConversionEvaluator::convert(StringRef Operand) const {
  std::optional<unsigned> Number = parseAsmOperand(Operand);
  if (!Number || *Number == 0 || *Number > Call.arg_size())
    return std::nullopt;
  APFloat Value = cast<ConstantFP>(Call.getArgOperand(*Number - 1))->getValue();
  if (Value.isNaN())
    return std::nullopt;
  bool LosesInfo;
  Value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return Value.bitcastToAPInt();
}

/// A half that has been written.
std::optional<APInt> ConversionEvaluator::read(StringRef Operand) const {
  auto It = Registers.find(Operand);
  if (It == Registers.end() || It->second.getBitWidth() != 16)
    return std::nullopt;
  return It->second;
}

bool ConversionEvaluator::write(StringRef Operand, std::optional<APInt> Value) {
  if (!Value)
    return false;
  if (parseAsmOperand(Operand) == 0u)
    Result = Value;
  else
    Registers.insert_or_assign(Operand, *Value);
  return true;
}

bool llvm::foldHalfAsm(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !isConversion(*Call))
      continue;
    if (std::optional<APInt> Value = ConversionEvaluator(*Call).evaluate()) {
      Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), *Value));
      Call->eraseFromParent();
      Changed = true;
    }
  }
  return Changed;
}
