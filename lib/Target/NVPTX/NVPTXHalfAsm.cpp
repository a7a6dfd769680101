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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ConstantFolder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <tuple>

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
// Expansion
//===----------------------------------------------------------------------===//

namespace {
/// Does with halves what inline assembly does that takes them from registers,
/// puts them together, converts them to floats, and floats to them.
class HalfAsmExpander {
public:
  explicit HalfAsmExpander(CallInst &Call)
      : Call(Call), Builder(Call.getContext(), ConstantFolder(),
                            IRBuilderCallbackInserter([this](Instruction *I) {
                              Built.push_back(I);
                            })) {
    Builder.SetInsertPoint(&Call);
  }

  /// Replaces the call, if all that it does is known.
  bool expand();

private:
  bool execute(StringRef Opcode, ArrayRef<StringRef> Operands);
  bool takeHalves(StringRef Halves, StringRef Register);
  Value *pack(Value *Lo, Value *Hi);
  Value *packHalves(StringRef Halves);
  Value *packConstants(StringRef Lo, StringRef Hi);
  Value *toHalf(StringRef Operand, Type *Ty);
  Value *toHalfTowardsZero(StringRef Operand, Type *Ty);
  Value *toFloat(StringRef Operand);
  Value *read(StringRef Operand, Type *Ty) const;
  bool write(StringRef Operand, Value *V);

  CallInst &Call;
  /// In order, to be erased if the call stays.
  SmallVector<Instruction *, 8> Built;
  IRBuilder<ConstantFolder, IRBuilderCallbackInserter> Builder;
  StringMap<Value *> Registers;
  Value *Result = nullptr;
};
} // namespace

bool HalfAsmExpander::expand() {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (visitStatements(Asm->getAsmString(),
                      [this](StringRef Opcode, ArrayRef<StringRef> Operands) {
                        return execute(Opcode, Operands);
                      }) &&
      Result && Result->getType() == Call.getType()) {
    Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
    return true;
  }
  for (Instruction *I : reverse(Built))
    I->eraseFromParent();
  return false;
}

/// The names of both halves in \p Vector, "{%lo, %hi}"; none if it is no such.
static SmallVector<StringRef, 12> splitHalves(StringRef Vector) {
  if (!Vector.consume_front("{") || !Vector.consume_back("}"))
    return {};
  SmallVector<StringRef, 12> Halves = splitAsmOperands(Vector);
  if (Halves.size() != 2)
    Halves.clear();
  return Halves;
}

bool HalfAsmExpander::execute(StringRef Opcode, ArrayRef<StringRef> Operands) {
  if (Opcode == ".reg")
    return true;
  Type *Half = Builder.getHalfTy(), *BFloat = Builder.getBFloatTy();
  if (Opcode == "cvt.rn.f16x2.f32" && Operands.size() == 3)
    return write(Operands[0], packConstants(Operands[2], Operands[1]));
  if (Operands.size() != 2)
    return false;
  auto [To, From] = std::tie(Operands[0], Operands[1]);
  if (Opcode == "cvt.rn.f16.f32")
    return write(To, toHalf(From, Half));
  if (Opcode == "cvt.rn.bf16.f32")
    return write(To, toHalf(From, BFloat));
  if (Opcode == "cvt.rz.f16.f32")
    return write(To, toHalfTowardsZero(From, Half));
  if (Opcode == "cvt.rz.bf16.f32")
    return write(To, toHalfTowardsZero(From, BFloat));
  if (Opcode == "cvt.f32.f16")
    return write(To, toFloat(From));
  if (Opcode == "mov.b16")
    return write(To, read(From, Builder.getInt16Ty()));
  if (Opcode != "mov.b32")
    return false;
  return From.starts_with("{") ? write(To, packHalves(From))
                               : takeHalves(To, From);
}

bool HalfAsmExpander::takeHalves(StringRef Halves, StringRef Register) {
  SmallVector<StringRef, 12> Names = splitHalves(Halves);
  Value *Whole = read(Register, Builder.getInt32Ty());
  if (Names.empty() || !Whole)
    return false;
  Value *Vector = Builder.CreateBitCast(
      Whole, FixedVectorType::get(Builder.getInt16Ty(), 2));
  return all_of(enumerate(Names), [&](auto Name) {
    return write(Name.value(),
                 Builder.CreateExtractElement(Vector, Name.index()));
  });
}

Value *HalfAsmExpander::pack(Value *Lo, Value *Hi) {
  if (!Lo || !Hi)
    return nullptr;
  Value *Vector =
      PoisonValue::get(FixedVectorType::get(Builder.getInt16Ty(), 2));
  Vector = Builder.CreateInsertElement(Vector, Lo, uint64_t(0));
  Vector = Builder.CreateInsertElement(Vector, Hi, uint64_t(1));
  return Builder.CreateBitCast(Vector, Builder.getInt32Ty());
}

Value *HalfAsmExpander::packHalves(StringRef Halves) {
  SmallVector<StringRef, 12> Names = splitHalves(Halves);
  Type *Half = Builder.getInt16Ty();
  return Names.empty() ? nullptr
                       : pack(read(Names[0], Half), read(Names[1], Half));
}

/// Both halves that constants are rounded to. One instruction does it of
/// others.
Value *HalfAsmExpander::packConstants(StringRef Lo, StringRef Hi) {
  Type *Half = Builder.getHalfTy();
  Value *Halves[] = {toHalf(Lo, Half), toHalf(Hi, Half)};
  return all_of(Halves, [](Value *V) { return isa_and_nonnull<Constant>(V); })
             ? pack(Halves[0], Halves[1])
             : nullptr;
}

/// The half of type \p Ty that \p Operand is rounded to, to the nearest even
/// one. What PTX makes of a constant that is no number, LLVM does not know.
Value *HalfAsmExpander::toHalf(StringRef Operand, Type *Ty) {
  Value *Float = read(Operand, Builder.getFloatTy());
  const auto *Constant = dyn_cast_or_null<ConstantFP>(Float);
  if (!Float || (Constant && Constant->isNaN()))
    return nullptr;
  return Builder.CreateBitCast(Builder.CreateFPTrunc(Float, Ty),
                               Builder.getInt16Ty());
}

/// So, towards zero; a constant by the instruction, as LLVM does not fold it.
Value *HalfAsmExpander::toHalfTowardsZero(StringRef Operand, Type *Ty) {
  Value *Float = read(Operand, Builder.getFloatTy());
  if (!Float || isa<Constant>(Float))
    return nullptr;
  const Intrinsic::ID ID =
      Ty->isHalfTy() ? Intrinsic::nvvm_f2f16_rz : Intrinsic::nvvm_f2bf16_rz;
  return Builder.CreateBitCast(Builder.CreateIntrinsic(ID, {}, Float),
                               Builder.getInt16Ty());
}

Value *HalfAsmExpander::toFloat(StringRef Operand) {
  Value *Half = read(Operand, Builder.getInt16Ty());
  return Half ? Builder.CreateFPExt(
                    Builder.CreateBitCast(Half, Builder.getHalfTy()),
                    Builder.getFloatTy())
              : nullptr;
}

/// What \p Operand has, or null if that is not known, or not of this type.
Value *HalfAsmExpander::read(StringRef Operand, Type *Ty) const {
  Value *V = Registers.lookup(Operand);
  // The first operand is the result.
  if (std::optional<unsigned> Number = parseAsmOperand(Operand))
    V = *Number && *Number <= Call.arg_size() ? Call.getArgOperand(*Number - 1)
                                              : nullptr;
  return V && V->getType() == Ty ? V : nullptr;
}

bool HalfAsmExpander::write(StringRef Operand, Value *V) {
  if (!V)
    return false;
  if (parseAsmOperand(Operand) == 0u)
    Result = V;
  else
    Registers.insert_or_assign(Operand, V);
  return true;
}

/// Whether \p Call is inline assembly with one result and no clobbers. That it
/// is volatile does not matter where all is known that it does.
static bool isFunctionOfArguments(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && !StringRef(Asm->getConstraintString()).contains('~') &&
         !Call.arg_empty() && Call.getType()->isSingleValueType();
}

/// Expands the inline assembly in \p F that \p IsToBe says, as far as it is
/// known. Returns whether there was any.
static bool expandIf(Function &F, function_ref<bool(const CallInst &)> IsToBe) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && isFunctionOfArguments(*Call) && IsToBe(*Call))
      Changed |= HalfAsmExpander(*Call).expand();
  return Changed;
}

bool llvm::foldHalfAsm(Function &F) {
  return expandIf(F, [](const CallInst &Call) {
    return all_of(Call.args(),
                  [](const Use &Arg) { return isa<ConstantFP>(Arg); });
  });
}

bool llvm::expandHalfAsm(Function &F) {
  return expandIf(F, [](const CallInst &Call) {
    return any_of(Call.args(),
                  [](const Use &Arg) { return NVPTX::getProduct(Arg); });
  });
}
