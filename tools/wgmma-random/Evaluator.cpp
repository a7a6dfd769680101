//===- Evaluator.cpp - Executes LLVM IR -----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "InlineAsm.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace wgmmarandom;

static constexpr unsigned MaxSteps = 200000;

static uint64_t mask(unsigned Width) {
  return Width >= 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}

Evaluator::Val Evaluator::fail(const Twine &Message) {
  if (Result.Error.empty())
    Result.Error = Message.str();
  return {};
}

Execution Evaluator::run(const Function &Kernel) {
  Result = Execution();
  Result.Final = L.Initial;
  std::vector<Val> Arguments;
  for (const Argument &Arg : Kernel.args()) {
    const std::vector<uint8_t> &Bytes = L.Arguments[Arg.getArgNo()];
    Val Elements;
    unsigned Count = length(Arg.getType()), Size = Bytes.size() / Count;
    for (unsigned I = 0; I != Count; ++I) {
      uint64_t Bits = 0;
      memcpy(&Bits, Bytes.data() + I * Size, std::min<size_t>(Size, 8));
      Elements.push_back({Bits & mask(width(Arg.getType())), false});
    }
    Arguments.push_back(std::move(Elements));
  }
  call(Kernel, std::vector<std::vector<Val>>(Threads, Arguments));
  for (const Issued &I : Wgmmas)
    if (I.InFlight)
      fail("invalid program: a wgmma is in flight at the end");
  Result.Retired.push_back(Retired);
  return std::move(Result);
}

std::vector<Evaluator::Val>
Evaluator::call(const Function &F, ArrayRef<std::vector<Val>> Arguments) {
  std::vector<Val> Returned(Threads);
  if (F.isDeclaration()) {
    fail("call of " + F.getName() + ", which has no body");
    return Returned;
  }
  Frames All(Threads);
  for (Thread = 0; Thread != Threads; ++Thread)
    for (const Argument &Arg : F.args())
      All[Thread][&Arg] = Arguments[Thread][Arg.getArgNo()];

  const BasicBlock *From = nullptr, *BB = &F.getEntryBlock();
  while (BB && Result.Error.empty()) {
    Result.Blocks.insert(BB);
    for (Frame &Values : All)
      executePhis(*BB, From, Values);
    for (const Instruction &I : *BB) {
      if (isa<PHINode>(I) || I.isTerminator())
        continue;
      executeForAll(I, All);
      if (++Steps > MaxSteps)
        fail("does not end");
      if (!Result.Error.empty())
        return Returned;
    }
    From = BB;
    BB = successor(*From->getTerminator(), All);
  }
  if (From)
    if (auto *Ret = dyn_cast<ReturnInst>(From->getTerminator()))
      if (const Value *V = Ret->getReturnValue())
        for (Thread = 0; Thread != Threads; ++Thread)
          Returned[Thread] = get(V, All[Thread]);
  return Returned;
}

uint64_t Evaluator::uniform(const Value *V, Frames &All) {
  uint64_t Value = scalar(V, All[0]);
  for (Frame &Values : All)
    if (scalar(V, Values) != Value)
      fail("a branch that is not uniform");
  return Value;
}

/// Null where the function returns.
const BasicBlock *Evaluator::successor(const Instruction &Last, Frames &All) {
  if (auto *Branch = dyn_cast<BranchInst>(&Last)) {
    if (!Branch->isConditional())
      return Branch->getSuccessor(0);
    return Branch->getSuccessor(!uniform(Branch->getCondition(), All));
  }
  if (auto *Switch = dyn_cast<SwitchInst>(&Last)) {
    uint64_t Value = uniform(Switch->getCondition(), All);
    for (auto &Case : Switch->cases())
      if (Case.getCaseValue()->getZExtValue() == Value)
        return Case.getCaseSuccessor();
    return Switch->getDefaultDest();
  }
  if (!isa<ReturnInst>(Last))
    fail("terminator " + Twine(Last.getOpcodeName()));
  return nullptr;
}

std::vector<Evaluator::Val> Evaluator::callFrom(const CallBase &Call,
                                                Frames &All) {
  std::vector<std::vector<Val>> Arguments(Threads);
  for (unsigned T = 0; T != Threads; ++T)
    for (const Use &Arg : Call.args())
      Arguments[T].push_back(get(Arg, All[T]));
  return call(*Call.getCalledFunction(), Arguments);
}

void Evaluator::executeForAll(const Instruction &I, Frames &All) {
  std::vector<Val> Results(Threads);
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  std::optional<Operation> Op =
      Callee ? parseIntrinsic(Callee->getName()) : std::nullopt;
  if (Op)
    Results = executeWGMMA(*Op, *Call, All);
  else if (Callee && !Callee->isIntrinsic())
    Results = callFrom(*Call, All);
  else
    for (Thread = 0; Thread != Threads; ++Thread)
      Results[Thread] = execute(I, All[Thread]);
  Thread = 0;
  if (I.getType()->isVoidTy() || !Result.Error.empty())
    return;
  for (unsigned T = 0; T != Threads; ++T)
    All[T][&I] = std::move(Results[T]);
}

void Evaluator::executePhis(const BasicBlock &BB, const BasicBlock *From,
                            Frame &Values) {
  SmallVector<std::pair<const PHINode *, Val>, 8> News;
  for (const PHINode &Phi : BB.phis())
    News.emplace_back(&Phi, get(Phi.getIncomingValueForBlock(From), Values));
  for (auto &[Phi, Value] : News)
    Values[Phi] = std::move(Value);
}

Evaluator::Val Evaluator::get(const Value *V, Frame &Values) {
  if (auto *C = dyn_cast<Constant>(V))
    return constant(C, Values);
  auto It = Values.find(V);
  return It == Values.end() ? fail("value without definition") : It->second;
}

Evaluator::Val Evaluator::use(const Value *V, Frame &Values) {
  Val Value = get(V, Values);
  for (const Element &E : Value)
    if (E.Pending)
      return fail("invalid program: an accumulator is used before its wait and "
                  "fence_operand");
  return Value;
}

Evaluator::Val Evaluator::constant(const Constant *C, Frame &Values) {
  unsigned Count = length(C->getType());
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return {{L.Symbols.lookup(G->getName()), false}};
  if (auto *GEP = dyn_cast<GEPOperator>(C))
    return address(*GEP, Values);
  if (auto *Expr = dyn_cast<ConstantExpr>(C)) {
    if (Expr->isCast())
      return constant(Expr->getOperand(0), Values);
    return fail("constant expression");
  }
  if (isa<UndefValue>(C))
    return Val(Count, {0x5A5A5A5A5A5A5A5A & mask(width(C->getType())), true});
  if (C->isNullValue())
    return Val(Count, {0, false});
  Val Elements;
  for (unsigned I = 0; I != Count; ++I) {
    const Constant *E =
        isa<FixedVectorType>(C->getType()) ? C->getAggregateElement(I) : C;
    if (auto *Int = dyn_cast<ConstantInt>(E))
      Elements.push_back({Int->getValue().getZExtValue(), false});
    else if (auto *FP = dyn_cast<ConstantFP>(E))
      Elements.push_back(
          {FP->getValueAPF().bitcastToAPInt().getZExtValue(), false});
    else if (isa<UndefValue>(E))
      Elements.push_back({0, true});
    else
      return fail("constant of another kind");
  }
  return Elements;
}

uint64_t Evaluator::scalar(const Value *V, Frame &Values) {
  Val Value = use(V, Values);
  if (Value.empty())
    return 0;
  if (Value[0].Poison)
    fail("invalid program: poison decides");
  return Value[0].Bits;
}

Evaluator::Val Evaluator::execute(const Instruction &I, Frame &Values) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (Call->isInlineAsm())
      return executeInlineAsm(*Call, Values);
    return Call->getCalledFunction() ? executeIntrinsic(*Call, Values)
                                     : fail("indirect call");
  }
  if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
    uint64_t Base = NextLocal;
    uint64_t Size = DL.getTypeAllocSize(Alloca->getAllocatedType());
    NextLocal += alignTo(Size + 1, 256);
    Result.Final.add(Base, std::vector<uint8_t>(Size));
    Result.Final.setPoison(Base, Size, true);
    return {{Base, false}};
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return load(I.getType(), get(Load->getPointerOperand(), Values));
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    store(Store->getValueOperand()->getType(),
          get(Store->getValueOperand(), Values),
          get(Store->getPointerOperand(), Values));
    return {};
  }
  if (auto *GEP = dyn_cast<GEPOperator>(&I))
    return address(*GEP, Values);
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Val Fields = get(Extract->getAggregateOperand(), Values);
    unsigned Index = Extract->getIndices().front();
    return Index < Fields.size() ? Val{Fields[Index]} : fail("index");
  }
  if (isa<ExtractElementInst, InsertElementInst>(I))
    return moveElement(I, Values);
  Val Value = compute(I, Values);
  for (Element &E : Value)
    E = {E.Bits, E.Poison, 0, 0, Result.Fences};
  return Value;
}

Evaluator::Val Evaluator::moveElement(const Instruction &I, Frame &Values) {
  uint64_t Index = scalar(I.getOperand(I.getNumOperands() - 1), Values);
  Val Vector = get(I.getOperand(0), Values);
  if (Index >= Vector.size())
    return fail("index");
  if (isa<ExtractElementInst>(I))
    return {Vector[Index]};
  Val Value = get(I.getOperand(1), Values);
  if (Value.empty())
    return fail("value");
  Vector[Index] = Value[0];
  return Vector;
}

Evaluator::Val Evaluator::compute(const Instruction &I, Frame &Values) {
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return shuffle(*Shuffle, Values);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return cast(*Cast, use(I.getOperand(0), Values));
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return binary(*Binary, use(I.getOperand(0), Values),
                  use(I.getOperand(1), Values));
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return compare(*Compare, use(I.getOperand(0), Values),
                   use(I.getOperand(1), Values));
  switch (I.getOpcode()) {
  case Instruction::Freeze: {
    Val Value = use(I.getOperand(0), Values);
    for (Element &E : Value)
      if (E.Poison)
        return fail("invalid program: poison is frozen");
    return Value;
  }
  case Instruction::FNeg: {
    Val Value = use(I.getOperand(0), Values);
    for (Element &E : Value)
      E.Bits ^= uint64_t(1) << (width(I.getType()) - 1);
    return Value;
  }
  case Instruction::Select: {
    if (isa<VectorType>(I.getOperand(0)->getType()))
      return fail("select of elements");
    return use(I.getOperand(scalar(I.getOperand(0), Values) ? 1 : 2), Values);
  }
  }
  return fail("instruction " + Twine(I.getOpcodeName()));
}

Evaluator::Val Evaluator::binary(const BinaryOperator &I, const Val &A,
                                 const Val &B) {
  unsigned Width = width(I.getType());
  Val Elements;
  for (unsigned Index = 0; Index != A.size(); ++Index) {
    uint64_t X = A[Index].Bits, Y = B[Index].Bits, Z = 0;
    switch (I.getOpcode()) {
    case Instruction::Add:
      Z = X + Y;
      break;
    case Instruction::Sub:
      Z = X - Y;
      break;
    case Instruction::Mul:
      Z = X * Y;
      break;
    case Instruction::FMul:
      if (!I.getType()->getScalarType()->isHalfTy())
        return fail("product of other types than half");
      Z = multiplyHalves(X, Y);
      break;
    case Instruction::And:
      Z = X & Y;
      break;
    case Instruction::Or:
      Z = X | Y;
      break;
    case Instruction::Xor:
      Z = X ^ Y;
      break;
    case Instruction::Shl:
      Z = Y < Width ? X << Y : 0;
      break;
    case Instruction::LShr:
      Z = Y < Width ? X >> Y : 0;
      break;
    case Instruction::AShr:
      Z = SignExtend64(X, Width) >> std::min<uint64_t>(Y, Width - 1);
      break;
    default:
      return fail("operator " + Twine(I.getOpcodeName()));
    }
    Elements.push_back({Z & mask(Width), A[Index].Poison || B[Index].Poison});
  }
  return Elements;
}

Evaluator::Val Evaluator::compare(const ICmpInst &I, const Val &A,
                                  const Val &B) {
  unsigned Width = width(I.getOperand(0)->getType());
  Val Elements;
  for (unsigned Index = 0; Index != A.size(); ++Index) {
    bool Holds =
        ICmpInst::compare(APInt(Width, A[Index].Bits),
                          APInt(Width, B[Index].Bits), I.getPredicate());
    Elements.push_back({Holds, A[Index].Poison || B[Index].Poison});
  }
  return Elements;
}

Evaluator::Val Evaluator::bitcast(const Val &A, Type *From, Type *To) {
  unsigned FromWidth = width(From), ToWidth = width(To);
  Val Elements(length(To));
  for (unsigned Bit = 0, E = FromWidth * A.size(); Bit != E; ++Bit) {
    const Element &Source = A[Bit / FromWidth];
    Element &Target = Elements[Bit / ToWidth];
    Target.Bits |= (Source.Bits >> (Bit % FromWidth) & 1) << (Bit % ToWidth);
    Target.Poison |= Source.Poison;
  }
  return Elements;
}

Evaluator::Val Evaluator::cast(const CastInst &I, const Val &A) {
  unsigned From = width(I.getSrcTy()), To = width(I.getDestTy());
  Val Elements = A;
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    for (Element &E : Elements)
      E.Bits &= mask(To);
    return Elements;
  case Instruction::SExt:
    for (Element &E : Elements)
      E.Bits = SignExtend64(E.Bits, From) & mask(To);
    return Elements;
  case Instruction::FPExt:
    if (!I.getSrcTy()->isHalfTy() || !I.getDestTy()->isFloatTy())
      return fail("extension of other types than half to float");
    for (Element &E : Elements)
      E.Bits = extendHalf(E.Bits);
    return Elements;
  case Instruction::FPTrunc:
    if (!I.getSrcTy()->isFloatTy() || !I.getDestTy()->isHalfTy())
      return fail("truncation of other types than float to half");
    for (Element &E : Elements)
      E.Bits = roundToHalf(E.Bits);
    return Elements;
  case Instruction::BitCast:
    return bitcast(A, I.getSrcTy(), I.getDestTy());
  default:
    return fail("cast " + Twine(I.getOpcodeName()));
  }
}

Evaluator::Val Evaluator::shuffle(const ShuffleVectorInst &I, Frame &Values) {
  Val All = use(I.getOperand(0), Values);
  All.append(use(I.getOperand(1), Values));
  Val Elements;
  for (int Index : I.getShuffleMask())
    Elements.push_back(Index < 0 ? Element{0, true} : All[Index]);
  return Elements;
}

Evaluator::Val Evaluator::address(const GEPOperator &GEP, Frame &Values) {
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Offset(64, 0);
  if (!GEP.collectOffset(DL, 64, Variable, Offset))
    return fail("getelementptr");
  uint64_t Address = scalar(GEP.getPointerOperand(), Values);
  Address += Offset.getZExtValue();
  for (auto &[Index, Scale] : Variable)
    Address += SignExtend64(scalar(Index, Values), width(Index->getType())) *
               Scale.getZExtValue();
  return {{Address, false}};
}

Evaluator::Element Evaluator::knownOf(uint64_t At, unsigned Size) {
  if (At < LocalBase) {
    Element New;
    New.Epoch = Result.Fences;
    return New;
  }
  Element Known = Shadow.lookup(At);
  for (unsigned Offset = RegisterBytes; Offset < Size;
       Offset += RegisterBytes) {
    const Element &Next = Shadow.lookup(At + Offset);
    if (Known.Pending || Next.Pending)
      fail("invalid program: registers in flight are put together");
    Known.Epoch = std::max(Known.Epoch, Next.Epoch);
    Known.Writer = 0;
  }
  return Known;
}

Evaluator::Val Evaluator::load(Type *Ty, const Val &Address) {
  unsigned Size = divideCeil(width(Ty), 8);
  Val Elements;
  for (unsigned I = 0, E = length(Ty); I != E; ++I) {
    uint64_t At = Address.empty() ? 0 : Address[0].Bits + I * Size;
    const uint8_t *Bytes = Result.Final.find(At, Size);
    if (!Bytes)
      return fail("load from outside of memory");
    uint64_t Bits = 0;
    memcpy(&Bits, Bytes, Size);
    Element New = knownOf(At, Size);
    New.Bits = Bits & mask(width(Ty));
    New.Poison = Result.Final.isPoison(At, Size);
    Elements.push_back(New);
  }
  return Elements;
}

void Evaluator::store(Type *Ty, const Val &Value, const Val &Address) {
  unsigned Size = divideCeil(width(Ty), 8);
  for (unsigned I = 0, E = Value.size(); I != E; ++I) {
    uint64_t At = Address.empty() ? 0 : Address[0].Bits + I * Size;
    uint8_t *Bytes = Result.Final.find(At, Size);
    if (!Bytes) {
      fail("store to outside of memory");
      return;
    }
    if (At >= LocalBase)
      for (unsigned Offset = 0; Offset < Size; Offset += RegisterBytes)
        Shadow[At + Offset] = Value[I];
    else if (Value[I].Pending)
      fail("invalid program: an accumulator is stored before its wait");
    memcpy(Bytes, &Value[I].Bits, Size);
    Result.Final.setPoison(At, Size, Value[I].Poison);
  }
}

void Evaluator::fill(const MemSetInst &Fill, Frame &Values) {
  Element Byte;
  Byte.Bits = scalar(Fill.getValue(), Values);
  Byte.Epoch = Result.Fences;
  const uint64_t Start = scalar(Fill.getDest(), Values);
  for (uint64_t I = 0, E = scalar(Fill.getLength(), Values); I != E; ++I)
    store(Fill.getValue()->getType(), {Byte}, {{Start + I, false}});
}

Evaluator::Val Evaluator::executeIntrinsic(const CallBase &Call,
                                           Frame &Values) {
  StringRef Name = Call.getCalledFunction()->getName();
  if (Name == "llvm.nvvm.wgmma.fence.sync.aligned")
    countOnce(Result.Fences);
  else if (Name == "llvm.nvvm.wgmma.commit_group.sync.aligned")
    countOnce(Commits);
  else if (Name == "llvm.nvvm.wgmma.wait_group.sync.aligned")
    wait(scalar(Call.getArgOperand(0), Values));
  else if (Name.starts_with("llvm.nvvm.wgmma.fence_operand."))
    return fenceOperand(get(Call.getArgOperand(0), Values));
  else if (const auto *Fill = dyn_cast<MemSetInst>(&Call))
    fill(*Fill, Values);
  else if (Name == "llvm.experimental.convergence.entry")
    return {{0, false}};
  else if (Name == "llvm.nvvm.read.ptx.sreg.tid.x")
    return {{Thread, false}};
  else if (!Name.starts_with("llvm.dbg.") &&
           !Name.starts_with("llvm.lifetime.") &&
           !Name.starts_with("llvm.nvvm.barrier."))
    return fail("intrinsic " + Name);
  return {};
}

Evaluator::Val Evaluator::executeInlineAsm(const CallBase &Call,
                                           Frame &Values) {
  StringRef Text =
      llvm::cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
  switch (asmProtocol(Text)) {
  case AsmProtocol::Fence:
    countOnce(Result.Fences);
    return tiedTo(Call, Values);
  case AsmProtocol::Commit:
    countOnce(Commits);
    return tiedTo(Call, Values);
  case AsmProtocol::Wait: {
    std::optional<unsigned> Pending = asmPending(Text);
    wait(Pending ? *Pending : scalar(Call.getArgOperand(0), Values));
    return fenceOperand(tiedTo(Call, Values));
  }
  case AsmProtocol::None:
    break;
  }
  SmallVector<uint64_t, 4> Operands;
  for (const Use &Arg : Call.args())
    Operands.push_back(scalar(Arg, Values));
  if (Text == "fence.proxy.async;")
    return {};
  std::optional<uint64_t> Value = evaluateAsm(Text, Operands);
  if (!Value)
    return fail("inline asm " + Text);
  if (Call.getType()->isVoidTy())
    return {};
  return {{*Value & mask(width(Call.getType())), false}};
}

/// They come last, in the order of the results.
Evaluator::Val Evaluator::tiedTo(const CallBase &Call, Frame &Values) {
  auto *Struct = dyn_cast<StructType>(Call.getType());
  unsigned Count = Struct                       ? Struct->getNumElements()
                   : Call.getType()->isVoidTy() ? 0
                                                : 1;
  Val Tied;
  for (const Use &Arg : drop_begin(Call.args(), Call.arg_size() - Count))
    Tied.append(get(Arg, Values));
  return Tied;
}

bool Evaluator::isOrdered(const Element &E, StringRef Shape) const {
  if (E.Writer && Wgmmas[E.Writer - 1].Shape == Shape)
    return true;
  // The compiler adds a fence between two shapes.
  bool IsFromOtherShape = E.Writer && !Shape.empty();
  return !E.Pending && (IsFromOtherShape || E.Epoch < Result.Fences);
}

/// Leaves the latest groups pending.
void Evaluator::wait(uint64_t Pending) {
  for (Issued &I : Wgmmas) {
    if (!I.InFlight || Commits - I.Commits <= Pending)
      continue;
    I.InFlight = false;
    ++Retired;
  }
}

/// The registers stay what they were: it is no new value.
Evaluator::Val Evaluator::fenceOperand(Val Value) {
  for (Element &E : Value) {
    if (!E.Pending || Wgmmas[E.Pending - 1].InFlight)
      continue;
    E.Pending = 0;
    E.Epoch = Result.Fences;
  }
  return Value;
}

Inputs Evaluator::operandsOf(Operation &Op, const CallBase &Call, Frame &Values,
                             Val &Accumulator) {
  unsigned Next = 0;
  auto Argument = [&]() { return Call.getArgOperand(Next++); };
  Inputs In;
  Accumulator = get(Argument(), Values);
  for (const Element &E : Accumulator) {
    if (!isOrdered(E, Op.shape()))
      fail("invalid program: an accumulator lacks a fence or a wait");
    In.Accumulator.push_back(E.Bits);
  }
  if (Op.AFromRegisters) {
    Val A = use(Argument(), Values);
    for (unsigned I = 0; I != std::min<size_t>(4, A.size()); ++I) {
      if (A[I].Poison)
        fail("invalid program: poison is multiplied");
      if (!isOrdered(A[I], ""))
        fail("invalid program: A lacks a fence");
      In.A[I] = A[I].Bits;
    }
  } else {
    In.ADescriptor = scalar(Argument(), Values);
  }
  In.BDescriptor = scalar(Argument(), Values);
  if (Op.Sparse) {
    In.Metadata = scalar(Argument(), Values);
    Op.Selector = scalar(Argument(), Values);
  }
  In.ScaleD = scalar(Argument(), Values);
  SmallVector<int64_t, 4> Immediates;
  for (unsigned I = 0; I != numImmediates(Op); ++I) {
    const Value *V = Argument();
    Immediates.push_back(V->getType()->isIntegerTy(1)
                             ? scalar(V, Values)
                             : SignExtend64<32>(scalar(V, Values)));
  }
  setImmediates(Op, Immediates);
  if (Op.Types->HasSatfinite)
    Op.Satfinite = scalar(Argument(), Values);
  return In;
}

std::vector<Evaluator::Val>
Evaluator::executeWGMMA(Operation Op, const CallBase &Call, Frames &All) {
  std::vector<Val> Accumulators(Threads), Values(Threads);
  std::vector<Inputs> Operands;
  for (unsigned T = 0; T != Threads; ++T)
    Operands.push_back(operandsOf(Op, Call, All[T], Accumulators[T]));
  ++Result.Multiplications;
  if (!Result.Error.empty())
    return Values;
  std::vector<std::vector<uint32_t>> Registers;
  std::string Why =
      TheArithmetic.multiply(Op, Operands, Result.Final, Registers);
  if (!Why.empty()) {
    fail(Why);
    return Values;
  }
  Result.Retired.push_back(Retired);
  Wgmmas.push_back({Op.shape(), Commits});
  unsigned Identity = Wgmmas.size();
  for (unsigned T = 0; T != Threads; ++T)
    for (unsigned I = 0; I != Registers[T].size(); ++I)
      Values[T].push_back({Registers[T][I],
                           Operands[T].ScaleD && Accumulators[T][I].Poison,
                           Identity, Identity, Result.Fences});
  return Values;
}
