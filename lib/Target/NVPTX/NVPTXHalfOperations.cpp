//===- NVPTXHalfOperations.cpp - What is computed of halves ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfOperations.h"
#include "NVPTXHalfAsm.h"
#include "NVPTXLanes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::lanes;

std::optional<HalfOperation> HalfOperation::get(Instruction &I) {
  HalfOperation Op(I);
  if (Op.setArithmetic() || Op.setCall() || Op.setSelect())
    return Op;
  return std::nullopt;
}

bool HalfOperation::isFloat() const {
  return I->getType()->isHalfTy() || I->getType()->isBFloatTy();
}

bool HalfOperation::setArithmetic() {
  switch (I->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
    if (!isFloat())
      return false;
    break;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (!I->getType()->isIntegerTy(LaneBits))
      return false;
    break;
  default:
    return false;
  }
  Opcode = I->getOpcode();
  Operands.assign(I->value_op_begin(), I->value_op_end());
  return true;
}

static bool isElementwise(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::maximum:
  case Intrinsic::maximumnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::minimumnum:
  case Intrinsic::minnum:
    return true;
  default:
    return false;
  }
}

bool HalfOperation::setCall() {
  auto *Call = dyn_cast<CallInst>(I);
  if (!Call || Call->hasOperandBundles())
    return false;
  ID = Call->getIntrinsicID();
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    Packed = getPackedHalfAsm(*Asm);
  if (!Packed && !(isFloat() && isElementwise(ID)))
    return false;
  Opcode = Instruction::Call;
  Operands.assign(Call->arg_begin(), Call->arg_end());
  return true;
}

/// x > C ? x : C, as ReLU is written, and x < C ? x : C, for a constant that is
/// a number: what compares with none is C, as PTX has it of max and min. It
/// takes zeros for ordered, too, where the comparison says C.
bool HalfOperation::setSelect() {
  using namespace PatternMatch;
  CmpPredicate Predicate;
  Value *X;
  const APFloat *C, *Other;
  if (!isFloat() ||
      !match(I, m_Select(m_FCmp(Predicate, m_Value(X), m_APFloat(C)),
                         m_Deferred(X), m_APFloat(Other))) ||
      !C->bitwiseIsEqual(*Other) || C->isNaN())
    return false;
  if (Predicate == FCmpInst::FCMP_OGT && !C->isNegZero())
    ID = Intrinsic::maximumnum;
  else if (Predicate == FCmpInst::FCMP_OLT && !C->isPosZero())
    ID = Intrinsic::minimumnum;
  else
    return false;
  Opcode = Instruction::Call;
  Operands = {X, cast<SelectInst>(I)->getFalseValue()};
  return true;
}

bool HalfOperation::isCommutative() const {
  return Packed ? isCommutativeHalfAsm(*Packed) : I->isCommutative();
}

bool HalfOperation::matches(const HalfOperation &Other) const {
  return Opcode == Other.Opcode && ID == Other.ID && Packed == Other.Packed &&
         I->getType() == Other.I->getType();
}

/// \p Register as two halves; of a constant, no expression.
static Value *castRegister(Value *Register, Type *Halves,
                           IRBuilderBase &Builder) {
  if (auto *C = dyn_cast<Constant>(Register))
    return ConstantFoldCastOperand(Instruction::BitCast, C, Halves,
                                   Builder.GetInsertBlock()->getDataLayout());
  return Builder.CreateBitCast(Register, Halves);
}

Value *HalfOperation::build(const HalfOperation &Other,
                            ArrayRef<Value *> Registers,
                            IRBuilderBase &Builder) const {
  if (Packed) {
    CallInst *Call = Builder.CreateCall(Packed, Registers, "halves");
    // Those of single halves are not true of the register.
    AttributeSet Attributes = cast<CallInst>(I)->getAttributes().getFnAttrs();
    Call->setAttributes(AttributeList().addFnAttributes(
        Call->getContext(), AttrBuilder(Call->getContext(), Attributes)));
    return Call;
  }
  SmallVector<Value *, 3> Values(Registers);
  if (isFloat())
    for (Value *&V : Values)
      V = castRegister(V, FixedVectorType::get(I->getType(), 2), Builder);
  Value *Result = Opcode == Instruction::Call
                      ? Builder.CreateIntrinsic(ID, {Values[0]->getType()},
                                                Values, nullptr, "halves")
                      : Builder.CreateNAryOp(Opcode, Values, "halves");
  if (auto *FPOp = dyn_cast<Instruction>(Result); FPOp && isFloat()) {
    FastMathFlags Flags = I->getFastMathFlags() & Other.I->getFastMathFlags();
    // Poison would spread to the other half.
    Flags.setNoNaNs(false);
    Flags.setNoInfs(false);
    FPOp->setFastMathFlags(Flags);
  }
  return Builder.CreateBitCast(Result, Builder.getInt32Ty());
}
