//===- NVPTXLowerWGMMAAsm.cpp - Intrinsics for wgmma in assembly ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs have wgmma in inline assembly, as nothing else gives it to them:
//
//   { %d0, ... } = asm "{ .reg .pred p; setp.ne.b32 p, $6, 0;
//                         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
//                         {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }",
//                      "=f,=f,=f,=f,l,l,r,0,1,2,3"(%a, %b, %scale_d, %c0, ...)
//
// That ties the accumulator to its registers where the assembly stands, and
// nowhere else: what the compiler moves, copies or spills between there and the
// wait touches registers in flight, and ptxas then waits after each wgmma, or
// multiplies wrong. So inline assembly that consists of wgmma.mma_async and the
// steps of its protocol becomes intrinsics: what the passes after this one
// guarantee of these, they do of it, too. A target may do so with assembly that
// it knows, as X86 does in ExpandInlineAsm.
//
// Programs tie the results of wgmma to a step, so that nothing reads them
// before it, as front ends do that know no other way:
//
//   { %r0, %r1 } = asm "wgmma.wait_group.sync.aligned 0;" "=f,=f,0,1"(%d0, %d1)
//
// Its text touches no register, but selection would: it copies what goes in,
// before the wait, where %d0 and %d1 are in flight. So a result becomes the
// value that went in, and fence_operand keeps it in its place:
//
//   wait_group(0)
//   %r0 = fence_operand(%d0)
//   %r1 = fence_operand(%d1)
//
// That place is after the last wait; or, where there is none, before the first
// fence, by which the value has to be there, unless it is in flight there. To a
// commit it makes no difference: the value stays as it is. So does one that
// fits no register of an accumulator.
//
// Inline assembly with other text stays, and so does one with a predicate, or
// a register for a descriptor, that is unknown, with a result that no input is
// tied to and no wgmma overwrites, or with a wgmma that PTX does not have: what
// that is, the text does not say, or ptxas does.
//
// One that has no text, in a function with wgmma, is what CUTLASS and others
// have for fence_operand, and becomes that if its results have 32 bits, and
// inputs that they are tied to:
//
//   %r = asm "", "=f,0,~{memory}"(%d)
//
// A clobber of memory stays, in inline assembly without operands.
//
// What CUDA's headers make of a constant in inline assembly, as in
// __float2half(0.f), becomes a constant, so that it is seen what an accumulator
// of halves starts from.
//
// Runs before all passes that look for wgmma, with and without optimization;
// and, where it is optimized, at the start, and once more in each function once
// what it calls is inlined, so that InstCombine sees the zeros that an
// accumulator starts from (NVPTXCombineWGMMA).
//
//===----------------------------------------------------------------------===//

#include "NVPTXLowerWGMMAAsm.h"
#include "NVPTX.h"
#include "NVPTXHalfAsm.h"
#include "NVPTXLanes.h"
#include "NVPTXWGMMAAsm.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-lower-wgmma-asm"

STATISTIC(NumLowered, "Number of inline assembly calls lowered");

namespace {
class NVPTXLowerWGMMAAsm : public FunctionPass {
public:
  static char ID;

  NVPTXLowerWGMMAAsm() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Lower WGMMA Asm"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override;
};

/// A call of inline assembly, and what its operands are.
class AsmCall {
public:
  AsmCall(const CallInst &Call, const InlineAsm &Asm);

  std::optional<SmallVector<WGMMAAsmStatement, 0>> parse() const;
  /// Whether \p Statements can be built: all that they read is there, and of
  /// the type that it has to be.
  bool canBuild(ArrayRef<WGMMAAsmStatement> Statements) const;
  /// The inputs that the results are tied to, in the order of the results; null
  /// for one that is tied to none.
  SmallVector<Value *, 0> getTiedInputs() const;
  Type *getResultType(unsigned Index) const;
  /// The value of operand \p Number, if \p Results are those of the results.
  Value *getOperand(unsigned Number, ArrayRef<Value *> Results) const;
  bool clobbersMemory() const;

private:
  bool isResult(unsigned Number) const;
  bool isFalse(const WGMMAAsmTest &Test) const;
  bool canTest(const WGMMAAsmTest &Test, const BitVector &Known) const;
  bool canBuild(const WGMMAAsmProduct &Product, BitVector &Known) const;
  bool hasSize(unsigned Number, unsigned NumBits, const BitVector &Known) const;

  const CallInst &Call;
  const InlineAsm &Asm;
  const InlineAsm::ConstraintInfoVector Constraints;
  /// The arguments, by the numbers that operands have in the text: null for
  /// what is none.
  SmallVector<Value *, 0> Arguments;
};
} // namespace

char NVPTXLowerWGMMAAsm::ID = 0;

INITIALIZE_PASS(NVPTXLowerWGMMAAsm, DEBUG_TYPE, "NVPTX Lower WGMMA Asm", false,
                false)

//===----------------------------------------------------------------------===//
// What goes in and what comes out
//===----------------------------------------------------------------------===//

AsmCall::AsmCall(const CallInst &Call, const InlineAsm &Asm)
    : Call(Call), Asm(Asm), Constraints(Asm.ParseConstraints()) {
  unsigned Next = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Constraints)
    Arguments.push_back(Constraint.hasArg() ? Call.getArgOperand(Next++)
                                            : nullptr);
}

/// Whether the text gets the constant itself, in no register.
static bool isImmediate(const InlineAsm::ConstraintInfo &Constraint) {
  return Constraint.Type == InlineAsm::isInput && !Constraint.Codes.empty() &&
         all_of(Constraint.Codes,
                [](StringRef Code) { return Code == "n" || Code == "i"; });
}

/// Whether it is in the register of a result.
static bool isTiedInput(const InlineAsm::ConstraintInfo &Constraint) {
  return Constraint.Type == InlineAsm::isInput &&
         any_of(Constraint.Codes,
                [](StringRef Code) { return isDigit(Code.front()); });
}

std::optional<SmallVector<WGMMAAsmStatement, 0>> AsmCall::parse() const {
  if (any_of(Constraints, [](const InlineAsm::ConstraintInfo &Constraint) {
        return Constraint.isIndirect;
      }))
    return std::nullopt;
  auto GetConstant = [this](unsigned Number) -> std::optional<int64_t> {
    if (Number >= Constraints.size() || !isImmediate(Constraints[Number]))
      return std::nullopt;
    const auto *Int = dyn_cast<ConstantInt>(Arguments[Number]);
    return Int ? Int->getValue().trySExtValue() : std::nullopt;
  };
  return parseWGMMAAsmStatements(Asm.getAsmString(), GetConstant);
}

/// Results stand ahead of all other operands: their numbers are the same.
bool AsmCall::isResult(unsigned Number) const {
  return Constraints[Number].Type == InlineAsm::isOutput;
}

Type *AsmCall::getResultType(unsigned Index) const {
  auto *Struct = dyn_cast<StructType>(Call.getType());
  return Struct ? Struct->getElementType(Index) : Call.getType();
}

SmallVector<Value *, 0> AsmCall::getTiedInputs() const {
  SmallVector<Value *, 0> Inputs;
  for (unsigned I = 0; I != Constraints.size() && isResult(I); ++I) {
    Value *Input = Constraints[I].hasMatchingInput()
                       ? Arguments[Constraints[I].MatchingInput]
                       : nullptr;
    // What reads it would have to convert it.
    if (Input && Input->getType() != getResultType(I))
      Input = nullptr;
    Inputs.push_back(Input);
  }
  return Inputs;
}

Value *AsmCall::getOperand(unsigned Number, ArrayRef<Value *> Results) const {
  return Number < Results.size() ? Results[Number] : Arguments[Number];
}

bool AsmCall::clobbersMemory() const {
  return any_of(Constraints, [](const InlineAsm::ConstraintInfo &Constraint) {
    return Constraint.Type == InlineAsm::isClobber &&
           is_contained(Constraint.Codes, "{memory}");
  });
}

//===----------------------------------------------------------------------===//
// Whether it can be built
//===----------------------------------------------------------------------===//

/// An accumulator is made of elements that have 32 bits.
static constexpr unsigned RegisterBits = 32;

/// The type of the accumulator that has these registers.
static FixedVectorType *getAccumulatorType(const WGMMAAsmProduct &Product,
                                           LLVMContext &Context) {
  Type *Element = Product.Variant->HasFloatAccumulator
                      ? Type::getFloatTy(Context)
                      : Type::getInt32Ty(Context);
  return FixedVectorType::get(Element, Product.Accumulator.size());
}

/// Whether operand \p Number has a value, which has that many bits.
bool AsmCall::hasSize(unsigned Number, unsigned NumBits,
                      const BitVector &Known) const {
  if (Number >= Constraints.size())
    return false;
  Type *Ty;
  if (isResult(Number)) {
    if (!Known[Number])
      return false;
    Ty = getResultType(Number);
  } else {
    // One that is tied changes with its result.
    if (!Arguments[Number] || isTiedInput(Constraints[Number]))
      return false;
    Ty = Arguments[Number]->getType();
  }
  return Ty->getPrimitiveSizeInBits() == TypeSize::getFixed(NumBits);
}

/// Whether what \p Test asks has a value: of its size, or, if it only asks
/// whether that is 0, one of fewer bits in a register of its size. How LLVM
/// extends that is not said.
bool AsmCall::canTest(const WGMMAAsmTest &Test, const BitVector &Known) const {
  if (!Test.Operand)
    return true;
  const unsigned Number = *Test.Operand;
  unsigned NumBits = Test.NumBits;
  if (Number < Constraints.size() && Arguments[Number] &&
      NumBits == RegisterBits && Test.getOther().isZero() &&
      is_contained(Constraints[Number].Codes, "r"))
    if (const auto *Ty = dyn_cast<IntegerType>(Arguments[Number]->getType()))
      NumBits = std::min(NumBits, Ty->getBitWidth());
  return hasSize(Number, NumBits, Known);
}

/// Whether \p Test is known to say no.
bool AsmCall::isFalse(const WGMMAAsmTest &Test) const {
  if (!Test.Operand)
    return !Test.isTrue();
  const auto *Operand = dyn_cast_or_null<ConstantInt>(Arguments[*Test.Operand]);
  return Operand && (Operand->getValue().zext(Test.NumBits) ==
                     Test.getOther()) != Test.IsEqual;
}

bool AsmCall::canBuild(const WGMMAAsmProduct &Product, BitVector &Known) const {
  const nvvm::WGMMAVariant &Variant = *Product.Variant;
  const WGMMAAsmTest &ScaleD = Product.ScaleD;
  if (!canTest(ScaleD, Known))
    return false;
  auto HasSize = [&](ArrayRef<unsigned> Numbers, unsigned NumBits) {
    return all_of(Numbers, [&](unsigned Number) {
      return hasSize(Number, NumBits, Known);
    });
  };
  if (!HasSize(Product.Fragment, RegisterBits) ||
      !HasSize(Product.A.Operands, 64) || !HasSize(Product.B.Operands, 64) ||
      (Variant.IsSparse && !HasSize(Product.Metadata, RegisterBits)))
    return false;

  bool Overwrites = isFalse(ScaleD);
  BitVector Elements(Known.size());
  for (unsigned Number : Product.Accumulator) {
    if (Number >= Known.size() || Elements[Number])
      return false;
    Elements.set(Number);
    if (Overwrites)
      Known.set(Number);
    if (!hasSize(Number, RegisterBits, Known))
      return false;
  }
  auto GetImmediate = [&](unsigned ArgIdx) -> std::optional<int64_t> {
    for (auto [Immediate, Value] :
         zip_equal(Variant.getImmediates(), Product.Immediates))
      if (Immediate.Idx == ArgIdx)
        return Value;
    return std::nullopt;
  };
  return Variant
      .diagnose(*getAccumulatorType(Product, Call.getContext()), GetImmediate)
      .empty();
}

bool AsmCall::canBuild(ArrayRef<WGMMAAsmStatement> Statements) const {
  SmallVector<Value *, 0> Inputs = getTiedInputs();
  BitVector Known(Inputs.size());
  for (auto [Index, Input] : enumerate(Inputs))
    if (Input)
      Known.set(Index);
  for (const WGMMAAsmStatement &Statement : Statements)
    if (const auto *Product = std::get_if<WGMMAAsmProduct>(&Statement))
      if (!canBuild(*Product, Known))
        return false;
  return Known.all();
}

/// The results of \p Call that are used.
static BitVector findUsed(const CallInst &Call, unsigned NumResults) {
  BitVector Used(NumResults);
  for (const User *U : Call.users()) {
    if (const auto *Extract = dyn_cast<ExtractValueInst>(U))
      Used.set(Extract->getIndices().front());
    else
      Used.set();
  }
  return Used;
}

static void replaceResults(CallInst &Call, ArrayRef<Value *> Results) {
  if (Results.size() == 1) {
    Call.replaceAllUsesWith(Results.front());
    return;
  }
  for (User *U : make_early_inc_range(Call.users()))
    if (auto *Extract = dyn_cast<ExtractValueInst>(U)) {
      Extract->replaceAllUsesWith(Results[Extract->getIndices().front()]);
      Extract->eraseFromParent();
    }
  if (Call.use_empty())
    return;
  IRBuilder<> Builder(&Call);
  Value *All = PoisonValue::get(Call.getType());
  for (unsigned I = 0; I != Results.size(); ++I)
    All = Builder.CreateInsertValue(All, Results[I], I);
  Call.replaceAllUsesWith(All);
}

//===----------------------------------------------------------------------===//
// wgmma.mma_async and its steps
//===----------------------------------------------------------------------===//

/// What is convergent has the tokens of the assembly, of which there are
/// \p Bundles.
static void buildStep(WGMMAEvent Step, ArrayRef<OperandBundleDef> Bundles,
                      IRBuilder<> &Builder) {
  Intrinsic::ID ID;
  SmallVector<Value *, 1> Args;
  switch (Step.Kind) {
  case WGMMAEvent::Fence:
    ID = Intrinsic::nvvm_wgmma_fence_sync_aligned;
    break;
  case WGMMAEvent::Commit:
    ID = Intrinsic::nvvm_wgmma_commit_group_sync_aligned;
    break;
  case WGMMAEvent::Wait:
    ID = Intrinsic::nvvm_wgmma_wait_group_sync_aligned;
    Args.push_back(Builder.getInt64(Step.Pending));
    break;
  case WGMMAEvent::Call:
    llvm_unreachable("inline assembly is no call");
  }
  Module *M = Builder.GetInsertBlock()->getModule();
  Builder.CreateCall(Intrinsic::getOrInsertDeclaration(M, ID), Args, Bundles);
}

/// Whether \p V fits a register of an accumulator.
static bool fitsRegister(const Value *V) {
  return V->getType()->getPrimitiveSizeInBits() ==
         TypeSize::getFixed(RegisterBits);
}

/// \p V, as it is when the code gets here, if it fits a register of an
/// accumulator.
static Value *buildFenceOperand(Value *V, IRBuilder<> &Builder) {
  Type *Ty = V->getType();
  if (!fitsRegister(V))
    return V;
  Type *RegisterTy = Ty->isFloatTy() ? Ty : Builder.getInt32Ty();
  Module *M = Builder.GetInsertBlock()->getModule();
  Function *Fence = Intrinsic::getOrInsertDeclaration(
      M, Intrinsic::nvvm_wgmma_fence_operand, {RegisterTy});
  Value *Register = Builder.CreateBitCast(V, RegisterTy);
  return Builder.CreateBitCast(Builder.CreateCall(Fence, Register), Ty);
}

/// Whether \p Lo and \p Hi are the halves of one register, whatever phis they
/// come through, or constants, as a loop starts from.
static bool areHalvesOfOne(Value *Lo, Value *Hi,
                           SmallPtrSetImpl<const PHINode *> &Seen) {
  const lanes::LaneFinder Finder(Lo->getContext());
  const lanes::Lane Lower = Finder.find(Lo, 0), Upper = Finder.find(Hi, 0);
  if (Lower.isConstant() && Upper.isConstant())
    return true;
  if (Lower.V == Upper.V)
    return Lower.Offset % RegisterBits == 0 &&
           Upper.Offset == Lower.Offset + lanes::LaneBits;
  // Those of other assembly, which is not lowered yet.
  const auto *LowerResult = dyn_cast<ExtractValueInst>(Lower.V);
  const auto *UpperResult = dyn_cast<ExtractValueInst>(Upper.V);
  if (LowerResult && UpperResult)
    return LowerResult->getAggregateOperand() ==
               UpperResult->getAggregateOperand() &&
           LowerResult->getIndices().back() % 2 == 0 &&
           UpperResult->getIndices().back() ==
               LowerResult->getIndices().back() + 1;
  const auto *LowerPhi = dyn_cast<PHINode>(Lower.V);
  const auto *UpperPhi = dyn_cast<PHINode>(Upper.V);
  if (!LowerPhi || !UpperPhi || LowerPhi->getParent() != UpperPhi->getParent())
    return false;
  return !Seen.insert(LowerPhi).second ||
         all_of(LowerPhi->blocks(), [&](const BasicBlock *BB) {
           return areHalvesOfOne(LowerPhi->getIncomingValueForBlock(BB),
                                 UpperPhi->getIncomingValueForBlock(BB), Seen);
         });
}

/// Fences the register that has the halves \p Lo and \p Hi.
static void buildFenceOfHalves(Value *&Lo, Value *&Hi, IRBuilder<> &Builder) {
  auto *Ty = FixedVectorType::get(Lo->getType(), 2);
  Value *Register =
      Builder.CreateInsertElement(PoisonValue::get(Ty), Lo, uint64_t(0));
  Register = Builder.CreateInsertElement(Register, Hi, 1);
  Register = Builder.CreateBitCast(Register, Builder.getInt32Ty());
  Register = Builder.CreateBitCast(buildFenceOperand(Register, Builder), Ty);
  Lo = Builder.CreateExtractElement(Register, uint64_t(0));
  Hi = Builder.CreateExtractElement(Register, 1);
}

/// Has those of \p Results that are \p Used be what they are when the code gets
/// here: registers, and pairs of halves of one, as a front end ties them that
/// keeps f16 accumulators as such.
static void buildFenceOperands(MutableArrayRef<Value *> Results,
                               const BitVector &Used, IRBuilder<> &Builder) {
  auto IsHalf = [&](unsigned Index) {
    return Index < Results.size() && Results[Index] &&
           Results[Index]->getType()->getPrimitiveSizeInBits() ==
               TypeSize::getFixed(lanes::LaneBits);
  };
  for (unsigned Index = 0; Index != Results.size(); ++Index) {
    if (!Results[Index])
      continue;
    SmallPtrSet<const PHINode *, 8> Seen;
    const bool IsPair =
        IsHalf(Index) && IsHalf(Index + 1) &&
        Results[Index]->getType() == Results[Index + 1]->getType() &&
        (Used[Index] || Used[Index + 1]) &&
        areHalvesOfOne(Results[Index], Results[Index + 1], Seen);
    if (IsPair) {
      buildFenceOfHalves(Results[Index], Results[Index + 1], Builder);
      ++Index;
    } else if (Used[Index]) {
      Results[Index] = buildFenceOperand(Results[Index], Builder);
    }
  }
}

/// Before which of \p Statements values have to be in their place, or after all
/// of them: after the last wait, or before the first fence, unless there is a
/// wgmma ahead of it.
static std::optional<size_t> findPlace(ArrayRef<WGMMAAsmStatement> Statements) {
  auto IsKind = [](WGMMAEvent::KindTy Kind) {
    return [Kind](const WGMMAAsmStatement &Statement) {
      const auto *Step = std::get_if<WGMMAEvent>(&Statement);
      return Step && Step->Kind == Kind;
    };
  };
  auto Wait = find_if(reverse(Statements), IsKind(WGMMAEvent::Wait));
  if (Wait != Statements.rend())
    return Wait.base() - Statements.begin();
  const auto *Fence = find_if(Statements, IsKind(WGMMAEvent::Fence));
  const auto *Product =
      find_if(Statements, [](const WGMMAAsmStatement &Statement) {
        return std::holds_alternative<WGMMAAsmProduct>(Statement);
      });
  if (Fence != Statements.end() && Fence < Product)
    return Fence - Statements.begin();
  return std::nullopt;
}

/// \p Numbers, which are of operands, as a vector of type \p Ty.
static Value *buildVector(ArrayRef<unsigned> Numbers, FixedVectorType *Ty,
                          const AsmCall &TheCall, ArrayRef<Value *> Results,
                          IRBuilder<> &Builder) {
  Value *Vector = PoisonValue::get(Ty);
  for (auto [Index, Number] : enumerate(Numbers)) {
    Value *Element = TheCall.getOperand(Number, Results);
    // Without a value, if nothing has written it yet.
    if (Element)
      Vector = Builder.CreateInsertElement(
          Vector, Builder.CreateBitCast(Element, Ty->getElementType()), Index);
  }
  return Vector;
}

static Value *buildDescriptor(const WGMMAAsmSum &Sum, const AsmCall &TheCall,
                              ArrayRef<Value *> Results, IRBuilder<> &Builder) {
  Value *Descriptor = Builder.getInt64(Sum.Constant);
  for (unsigned Number : Sum.Operands)
    Descriptor = Builder.CreateAdd(
        Builder.CreateBitCast(TheCall.getOperand(Number, Results),
                              Builder.getInt64Ty()),
        Descriptor);
  return Descriptor;
}

static Value *buildTest(const WGMMAAsmTest &Test, const AsmCall &TheCall,
                        ArrayRef<Value *> Results, IRBuilder<> &Builder) {
  if (!Test.Operand)
    return Builder.getInt1(Test.isTrue());
  Value *Operand = TheCall.getOperand(*Test.Operand, Results);
  Type *Ty = Builder.getIntNTy(Test.NumBits);
  Operand = Operand->getType()->isIntegerTy()
                ? Builder.CreateZExt(Operand, Ty)
                : Builder.CreateBitCast(Operand, Ty);
  Value *Other = Builder.getInt(Test.getOther());
  return Test.IsEqual ? Builder.CreateICmpEQ(Operand, Other)
                      : Builder.CreateICmpNE(Operand, Other);
}

/// Has \p Results be what the accumulator of \p Product is after it.
static void buildProduct(const WGMMAAsmProduct &Product, const AsmCall &TheCall,
                         MutableArrayRef<Value *> Results,
                         ArrayRef<OperandBundleDef> Bundles,
                         IRBuilder<> &Builder) {
  const nvvm::WGMMAVariant &Variant = *Product.Variant;
  FixedVectorType *Ty = getAccumulatorType(Product, Builder.getContext());
  SmallVector<Value *, 10> Args(Variant.getNumArgs());
  Args[Variant.getAccumulatorIdx()] =
      buildVector(Product.Accumulator, Ty, TheCall, Results, Builder);
  Args[Variant.getAIdx()] =
      Variant.AFromRegisters
          ? buildVector(Product.Fragment,
                        FixedVectorType::get(Builder.getInt32Ty(), 4), TheCall,
                        Results, Builder)
          : buildDescriptor(Product.A, TheCall, Results, Builder);
  Args[Variant.getBIdx()] =
      buildDescriptor(Product.B, TheCall, Results, Builder);
  if (Variant.IsSparse)
    Args[Variant.getMetadataIdx()] = Builder.CreateBitCast(
        TheCall.getOperand(Product.Metadata, Results), Builder.getInt32Ty());
  Args[Variant.getScaleDIdx()] =
      buildTest(Product.ScaleD, TheCall, Results, Builder);

  Module *M = Builder.GetInsertBlock()->getModule();
  Function *WGMMA = Intrinsic::getOrInsertDeclaration(M, Variant.ID, {Ty});
  for (auto [Immediate, Value] :
       zip_equal(Variant.getImmediates(), Product.Immediates)) {
    Type *ArgTy = WGMMA->getFunctionType()->getParamType(Immediate.Idx);
    Args[Immediate.Idx] =
        ConstantInt::get(ArgTy, APInt(ArgTy->getIntegerBitWidth(), Value,
                                      /*isSigned=*/true,
                                      /*implicitTrunc=*/true));
  }
  Value *D = Builder.CreateCall(WGMMA, Args, Bundles);
  for (auto [Index, Number] : enumerate(Product.Accumulator))
    Results[Number] = Builder.CreateBitCast(
        Builder.CreateExtractElement(D, Index), TheCall.getResultType(Number));
}

static InlineAsm *getClobber(LLVMContext &Context) {
  return InlineAsm::get(
      FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/false), "",
      "~{memory}", /*hasSideEffects=*/true);
}

/// Drops the clobbers of memory that follow another one without an access in
/// between: programs have one for each register.
static bool dropClobbers(Function &F) {
  const InlineAsm *Clobber = getClobber(F.getContext());
  bool Changed = false;
  for (BasicBlock &BB : F) {
    bool IsClobbered = false;
    for (Instruction &I : make_early_inc_range(BB)) {
      const auto *Call = dyn_cast<CallInst>(&I);
      if (Call && Call->getCalledOperand() == Clobber) {
        if (IsClobbered)
          I.eraseFromParent();
        Changed |= IsClobbered;
        IsClobbered = true;
        continue;
      }
      bool IsFenceOperand =
          Call && Call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand;
      IsClobbered &= IsFenceOperand || !I.mayReadOrWriteMemory();
    }
  }
  return Changed;
}

/// Lowers \p Call, which has no text, if it is a fence for its operands.
static bool lowerFenceOfOperands(CallInst &Call, const AsmCall &TheCall) {
  SmallVector<Value *, 0> Results = TheCall.getTiedInputs();
  auto IsFence = [](const Value *V) { return V && fitsRegister(V); };
  if (Results.empty() || !all_of(Results, IsFence) ||
      Results.size() != Call.arg_size())
    return false;
  LLVM_DEBUG(dbgs() << "Lowering to fence_operand: " << Call << '\n');
  IRBuilder<> Builder(&Call);
  const BitVector Used = findUsed(Call, Results.size());
  buildFenceOperands(Results, Used, Builder);
  if (TheCall.clobbersMemory())
    Builder.CreateCall(getClobber(Call.getContext()));
  replaceResults(Call, Results);
  Call.eraseFromParent();
  return true;
}

/// Lowers \p Call, which consists of \p Statements, if they can be built.
static bool lowerStatements(CallInst &Call, const AsmCall &TheCall,
                            ArrayRef<WGMMAAsmStatement> Statements) {
  if (!TheCall.canBuild(Statements))
    return false;
  LLVM_DEBUG(dbgs() << "Lowering: " << Call << '\n');
  IRBuilder<> Builder(&Call);
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  SmallVector<Value *, 0> Results = TheCall.getTiedInputs();
  BitVector Used = findUsed(Call, Results.size());
  std::optional<size_t> Place = findPlace(Statements);
  for (size_t I = 0, E = Statements.size(); I <= E; ++I) {
    if (Place == I)
      buildFenceOperands(Results, Used, Builder);
    if (I == E)
      break;
    if (const auto *Step = std::get_if<WGMMAEvent>(&Statements[I]))
      buildStep(*Step, Bundles, Builder);
    else
      buildProduct(std::get<WGMMAAsmProduct>(Statements[I]), TheCall, Results,
                   Bundles, Builder);
  }
  replaceResults(Call, Results);
  Call.eraseFromParent();
  return true;
}

/// Lowers \p Call, if it is inline assembly that has nothing but wgmma and its
/// steps, or nothing at all.
static bool lower(CallInst &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  AsmCall TheCall(Call, *Asm);
  auto Statements = TheCall.parse();
  if (!Statements)
    return false;
  if (Statements->empty())
    return lowerFenceOfOperands(Call, TheCall);
  return lowerStatements(Call, TheCall, *Statements);
}

/// The calls of inline assembly in \p F that \p Wanted is true of.
static SmallVector<CallInst *, 16>
findAsm(Function &F, function_ref<bool(StringRef)> Wanted) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
        if (Wanted(Asm->getAsmString()))
          Calls.push_back(Call);
  return Calls;
}

static bool isIntrinsic(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && nvvm::getWGMMAVariant(Call->getIntrinsicID());
}

static bool lower(Function &F) {
  auto HasSteps = [](StringRef Text) { return Text.contains("wgmma."); };
  auto IsEmpty = [](StringRef Text) { return Text.trim().empty(); };
  unsigned Count = 0;
  for (CallInst *Call : findAsm(F, HasSteps))
    Count += lower(*Call);
  // Elsewhere, what has no text is for something else.
  bool HasChanged = false;
  if (any_of(instructions(F), isIntrinsic)) {
    for (CallInst *Call : findAsm(F, IsEmpty))
      Count += lower(*Call);
    HasChanged |= dropClobbers(F);
    HasChanged |= foldHalfAsm(F);
  }
  NumLowered += Count;
  return Count != 0 || HasChanged;
}

bool NVPTXLowerWGMMAAsm::runOnFunction(Function &F) { return lower(F); }

PreservedAnalyses NVPTXLowerWGMMAAsmPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  if (!lower(F))
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

FunctionPass *llvm::createNVPTXLowerWGMMAAsmPass() {
  return new NVPTXLowerWGMMAAsm();
}
