//===- PTXInterpreter.cpp - Executes PTX ----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXInterpreter.h"
#include "Arithmetic.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace wgmmarandom;
using namespace wgmmarandom::ptx;

static constexpr unsigned MaxSteps = 400000;
// A fault can make a loop endless in which no wgmma is retired any more: each
// step then looks through all that are in flight.
static constexpr unsigned MaxInFlight = 2000;

static uint64_t mask(unsigned Width) {
  return Width >= 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}

namespace {
/// A type of PTX: ".s32".
struct PTXType {
  unsigned Bits = 0;
  bool IsSigned = false;
};
} // namespace

static std::optional<PTXType> parseType(StringRef Part) {
  if (Part == "pred")
    return PTXType{1, false};
  if (Part == "f16x2")
    return PTXType{32, false};
  PTXType T;
  if (Part.size() < 2 || !StringRef("busf").contains(Part[0]) ||
      Part.drop_front().getAsInteger(10, T.Bits))
    return std::nullopt;
  T.IsSigned = Part[0] == 's';
  return T;
}

/// The last type of an opcode.
static PTXType typeOf(const Instr &I) {
  for (StringRef Part : reverse(I.Parts))
    if (auto T = parseType(Part))
      return *T;
  return {};
}

void PTXInterpreter::fail(const Instr &I, const Twine &Message) {
  if (Result.Error.empty())
    Result.Error =
        ("PTX line " + Twine(I.Line) + ": " + Message + ": " + I.Text).str();
}

Execution PTXInterpreter::run(const ptx::Function &Kernel) {
  Result = Execution();
  Result.Final = L.Initial;
  std::map<std::string, Bytes> Parameters;
  for (unsigned I = 0; I != Kernel.Parameters.size(); ++I) {
    Bytes &To = Parameters[Kernel.Parameters[I].Name];
    To = L.Arguments[I];
    To.resize(std::max<size_t>(To.size(), Kernel.Parameters[I].Bytes));
  }
  call(Kernel, std::move(Parameters));
  Result.Retired.push_back(Retired);
  return std::move(Result);
}

std::map<std::string, PTXInterpreter::Bytes>
PTXInterpreter::call(const ptx::Function &F,
                     std::map<std::string, Bytes> Parameters) {
  Frame Fr{F, unsigned(Registers.size()), std::move(Parameters), {}};
  Registers.resize(Registers.size() + F.RegisterNames.size());
  for (const Variable &V : F.Results)
    Fr.Parameters[V.Name].resize(V.Bytes);
  for (const Variable &V : F.Locals) {
    // Of .param variables only the bytes are needed, of .local ones an address.
    Bytes &Parameter = Fr.Parameters[V.Name];
    Parameter.resize(std::max<uint64_t>(V.Bytes, Parameter.size()));
    Fr.Locals[V.Name] = NextLocal;
    Result.Final.add(NextLocal, Bytes(V.Bytes));
    NextLocal += alignTo(V.Bytes + 1, 256);
  }
  DenseSet<unsigned> Targets;
  for (const auto &Label : F.Labels)
    Targets.insert(Label.second);
  unsigned Next = 0;
  while (Result.Error.empty() && Next < F.Instructions.size()) {
    const Instr &I = *F.Instructions[Next++];
    if (++Steps > MaxSteps || State.size() > MaxInFlight) {
      fail(I, "does not end");
      break;
    }
    checkRegisters(Fr, I);
    if (Targets.contains(Next - 1) || I.isBranch())
      Assembler.startBlock();
    if (I.HasGuard &&
        bool(Registers[Fr.FirstRegister + I.Guard]) == I.GuardNegated)
      continue;
    if (I.is("ret") || I.is("exit"))
      break;
    if (!I.isBranch()) {
      execute(Fr, I);
      continue;
    }
    auto It = F.Labels.find(getTarget(Fr, I));
    if (It == F.Labels.end())
      fail(I, "no such label");
    else
      Next = It->second;
  }
  return std::move(Fr.Parameters);
}

/// Where \p Branch goes, or nothing if its index is none of its targets'.
StringRef PTXInterpreter::getTarget(Frame &Fr, const Instr &Branch) {
  if (Branch.is("bra"))
    return Branch.Operands[0].Name;
  auto Targets = Fr.F.BranchTargets.find(Branch.Operands[1].Name);
  const uint64_t Index = get(Fr, Branch.Operands[0]);
  if (Targets == Fr.F.BranchTargets.end() || Index >= Targets->second.size())
    return "";
  return Targets->second[Index];
}

InFlight::Report PTXInterpreter::report(Frame &Fr, const Instr &I) {
  return [&](Fault Kind, const Issued &InFlight, unsigned Register) {
    StringRef Name =
        Register >= Fr.FirstRegister
            ? StringRef(Fr.F.RegisterNames[Register - Fr.FirstRegister])
            : "";
    addViolation({Kind, &I, InFlight.I, Name.str()});
  };
}

void PTXInterpreter::addViolation(Violation New) {
  if (none_of(Violations, [&](const Violation &V) {
        return V.At == New.At && V.Kind == New.Kind;
      }))
    Violations.push_back(std::move(New));
}

void PTXInterpreter::checkComputed(Frame &Fr, const Instr &I, uint64_t Value) {
  if (const Instr *Other = Assembler.compute(I, Fr.FirstRegister, Value))
    addViolation(
        {Fault::TakenForAnother, &I, Other, Fr.F.RegisterNames[I.Writes[0]]});
}

void PTXInterpreter::checkFragment(Frame &Fr, const Instr &I) {
  for (const Operand &Element : I.Operands[1].Elements)
    if (const Instr *Origin =
            Assembler.getOriginOfHalf(Fr.FirstRegister + Element.Reg))
      addViolation(
          {Fault::HalfInA, &I, Origin, Fr.F.RegisterNames[Element.Reg]});
}

void PTXInterpreter::checkRegisters(Frame &Fr, const Instr &I) {
  InFlight::Report Report = report(Fr, I);
  for (unsigned Register : I.Reads)
    State.read(Fr.FirstRegister + Register, Report);
  for (unsigned Register : I.Writes)
    State.write(Fr.FirstRegister + Register, Report);
}

uint64_t PTXInterpreter::get(Frame &Fr, const Operand &Op) {
  switch (Op.Kind) {
  case Operand::Register:
    return Registers[Fr.FirstRegister + Op.Reg];
  case Operand::Immediate:
    return Op.Value;
  case Operand::Symbol: {
    if (auto It = Fr.Locals.find(Op.Name); It != Fr.Locals.end())
      return It->second;
    return L.Symbols.lookup(Op.Name);
  }
  default:
    return 0;
  }
}

void PTXInterpreter::set(Frame &Fr, const Operand &Op, uint64_t Value) {
  if (Op.Kind == Operand::Register)
    Registers[Fr.FirstRegister + Op.Reg] =
        Value & mask(Fr.F.RegisterBits[Op.Reg]);
}

/// The bytes that a memory operand names.
uint8_t *PTXInterpreter::pointer(Frame &Fr, const Operand &Op, unsigned Size) {
  uint64_t Address = Op.Value;
  if (Op.HasReg) {
    Address += Registers[Fr.FirstRegister + Op.Reg];
  } else if (auto It = Fr.Locals.find(Op.Name); It != Fr.Locals.end()) {
    Address += It->second;
  } else if (L.Symbols.contains(Op.Name)) {
    Address += L.Symbols.lookup(Op.Name);
  } else {
    return nullptr;
  }
  return Result.Final.find(Address, Size);
}

bool PTXInterpreter::executeMemory(Frame &Fr, const Instr &I) {
  bool IsLoad = I.is("ld");
  if (!IsLoad && !I.is("st"))
    return false;
  const Operand &Address = I.Operands[IsLoad ? 0 + 1 : 0];
  const Operand &Data = I.Operands[IsLoad ? 0 : 1];
  ArrayRef<Operand> Elements =
      Data.Kind == Operand::Vector ? ArrayRef(Data.Elements) : ArrayRef(Data);
  PTXType T = typeOf(I);
  unsigned Size = divideCeil(T.Bits, 8), Total = Size * Elements.size();
  uint8_t *Memory = nullptr;
  if (IsLoad)
    Assembler.write(I.Writes, Fr.FirstRegister);
  if (I.has("param")) {
    auto It = Fr.Parameters.find(Address.Name);
    if (It != Fr.Parameters.end() && Address.Value + Total <= It->second.size())
      Memory = It->second.data() + Address.Value;
  } else {
    Memory = pointer(Fr, Address, Total);
  }
  if (!Memory) {
    fail(I, "access outside of memory");
    return true;
  }
  for (const Operand &Element : Elements) {
    uint64_t Value = IsLoad ? 0 : get(Fr, Element);
    if (IsLoad) {
      memcpy(&Value, Memory, Size);
      set(Fr, Element, T.IsSigned ? SignExtend64(Value, T.Bits) : Value);
    } else {
      memcpy(Memory, &Value, Size);
    }
    Memory += Size;
  }
  return true;
}

/// mov, with vectors as well; and what is the identity here.
bool PTXInterpreter::executeMove(Frame &Fr, const Instr &I) {
  if (I.is("cvta")) {
    set(Fr, I.Operands[0], get(Fr, I.Operands[1]));
    Assembler.write(I.Writes, Fr.FirstRegister);
    return true;
  }
  if (!I.is("mov"))
    return false;
  Assembler.write(I.Writes, Fr.FirstRegister);
  unsigned Bits = typeOf(I).Bits;
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  uint64_t Value = 0;
  if (From.Kind == Operand::Vector) {
    unsigned Width = Bits / From.Elements.size();
    for (unsigned E = 0; E != From.Elements.size(); ++E)
      Value |= (get(Fr, From.Elements[E]) & mask(Width)) << (E * Width);
  } else if (From.Kind == Operand::Symbol && From.Name[0] == '%') {
    // A special register: the one thread's number, or one of anything.
    Value = StringRef(From.Name).starts_with("%nt") ? 1 : 0;
  } else {
    Value = get(Fr, From);
  }
  if (To.Kind == Operand::Vector) {
    unsigned Width = Bits / To.Elements.size();
    for (unsigned E = 0; E != To.Elements.size(); ++E)
      set(Fr, To.Elements[E], Value >> (E * Width) & mask(Width));
    if (Bits == 64 && Width == 32)
      Assembler.takeHalves(I, Fr.FirstRegister);
  } else {
    set(Fr, To, Value & mask(Bits));
  }
  return true;
}

bool PTXInterpreter::executeWgmma(Frame &Fr, const Instr &I) {
  if (!I.is("wgmma"))
    return false;
  if (I.isWgmma("fence")) {
    ++Result.Fences;
    State.fence();
  } else if (I.isWgmma("commit_group")) {
    State.commit();
  } else if (I.isWgmma("wait_group")) {
    State.wait(I.Operands[0].Value, [&](const Issued &Wgmma) {
      ++Retired;
      if (When == Timing::Late)
        retire(Wgmma);
    });
  } else if (I.WGMMA) {
    ++Result.Multiplications;
    Result.Retired.push_back(Retired);
    bool Sparse = I.WGMMA->Sparse;
    const Operand &ScaleD = I.Operands[Sparse ? 5 : 3];
    PendingReads[++NextIdentity] = {
        get(Fr, I.Operands[1]), get(Fr, I.Operands[2]), get(Fr, ScaleD) != 0,
        Sparse ? get(Fr, I.Operands[3]) : 0};
    auto Wgmma = makeIssued(I, NextIdentity, Fr.FirstRegister);
    State.issue(Wgmma, report(Fr, I));
    checkFragment(Fr, I);
    Assembler.multiply(Wgmma->Accumulator,
                       ScaleD.Kind != Operand::Immediate || ScaleD.Value == 0);
    if (When == Timing::Early)
      retire(*Wgmma);
  } else {
    fail(I, "unknown instruction");
  }
  return true;
}

void PTXInterpreter::retire(const Issued &Wgmma) {
  const Instr &I = *Wgmma.I;
  const Operation &Op = *I.WGMMA;
  const Pending &Early = PendingReads[Wgmma.Identity];
  // All registers of one wgmma are numbered from the same first one.
  unsigned First = Wgmma.Accumulator[0] - I.Operands[0].Elements[0].Reg;
  Inputs In;
  In.ADescriptor = Early.ADescriptor;
  In.BDescriptor = Early.BDescriptor;
  In.ScaleD = Early.ScaleD;
  for (unsigned Register : Wgmma.Accumulator)
    In.Accumulator.push_back(Registers[Register]);
  auto Late = [&](const Operand &O) -> uint64_t {
    return O.Kind == Operand::Register ? Registers[First + O.Reg] : O.Value;
  };
  if (Op.AFromRegisters)
    for (unsigned E = 0; E != 4; ++E)
      In.A[E] = Late(I.Operands[1].Elements[E]);
  if (Op.Sparse)
    In.Metadata = Late(I.Operands[3]);
  for (unsigned E = 0; E != Wgmma.Accumulator.size(); ++E)
    Registers[Wgmma.Accumulator[E]] = result(Op, In, E);
  PendingReads.erase(Wgmma.Identity);
}

void PTXInterpreter::executeCall(Frame &Fr, const Instr &I) {
  const ptx::Function *Callee = M.find(I.Callee);
  if (!Callee || Callee->Parameters.size() != I.CallArguments.size() ||
      Callee->Results.size() != I.CallResults.size())
    return fail(I, "call of something else");
  std::map<std::string, Bytes> Parameters;
  for (unsigned A = 0; A != I.CallArguments.size(); ++A)
    Parameters[Callee->Parameters[A].Name] = Fr.Parameters[I.CallArguments[A]];
  std::map<std::string, Bytes> After = call(*Callee, std::move(Parameters));
  for (unsigned R = 0; R != I.CallResults.size(); ++R)
    Fr.Parameters[I.CallResults[R]] = After[Callee->Results[R].Name];
}

std::optional<bool> PTXInterpreter::compare(Frame &Fr, const Instr &I) {
  // setp.CmpOp[.BoolOp].type p[|q], a, b[, c]
  PTXType T = typeOf(I);
  uint64_t A = get(Fr, I.Operands[1]) & mask(T.Bits);
  uint64_t B = get(Fr, I.Operands[2]) & mask(T.Bits);
  int64_t SA = SignExtend64(A, T.Bits), SB = SignExtend64(B, T.Bits);
  bool S = T.IsSigned;
  std::optional<bool> Holds = StringSwitch<std::optional<bool>>(I.Parts[1])
                                  .Case("eq", A == B)
                                  .Case("ne", A != B)
                                  .Case("lt", S ? SA < SB : A < B)
                                  .Case("le", S ? SA <= SB : A <= B)
                                  .Case("gt", S ? SA > SB : A > B)
                                  .Case("ge", S ? SA >= SB : A >= B)
                                  .Case("lo", A < B)
                                  .Case("ls", A <= B)
                                  .Case("hi", A > B)
                                  .Case("hs", A >= B)
                                  .Default(std::nullopt);
  if (!Holds || I.Operands[0].Kind == Operand::Vector)
    return std::nullopt;
  if (I.Operands.size() == 3)
    return Holds;
  bool C = get(Fr, I.Operands[3]) != 0;
  return StringSwitch<std::optional<bool>>(I.Parts[2])
      .Case("and", *Holds && C)
      .Case("or", *Holds || C)
      .Case("xor", *Holds != C)
      .Default(std::nullopt);
}

std::optional<uint64_t> PTXInterpreter::convert(Frame &Fr, const Instr &I) {
  if (I.has("f32") && I.Parts.back() == "f16")
    return extendHalf(get(Fr, I.Operands[1]));
  if (I.Opcode == "cvt.rn.f16.f32")
    return roundToHalf(get(Fr, I.Operands[1]));
  if (I.Opcode == "cvt.rn.f16x2.f32")
    return uint64_t(roundToHalf(get(Fr, I.Operands[1]))) << 16 |
           roundToHalf(get(Fr, I.Operands[2]));
  // cvt.to.from of integers.
  SmallVector<PTXType, 2> Types;
  for (StringRef Part : I.Parts) {
    if (auto T = parseType(Part)) {
      if (Part[0] == 'f')
        return std::nullopt;
      Types.push_back(*T);
    }
  }
  if (Types.size() != 2 || I.has("sat"))
    return std::nullopt;
  uint64_t Value = get(Fr, I.Operands[1]) & mask(Types[1].Bits);
  if (Types[1].IsSigned)
    Value = SignExtend64(Value, Types[1].Bits);
  // A wider register holds the value, extended as its type is.
  Value &= mask(Types[0].Bits);
  return Types[0].IsSigned ? SignExtend64(Value, Types[0].Bits) : Value;
}

static uint64_t permute(uint64_t A, uint64_t B, uint64_t Selector) {
  uint64_t Both = B << 32 | (A & mask(32)), Value = 0;
  for (unsigned I = 0; I != 4; ++I) {
    uint64_t Nibble = Selector >> (4 * I) & 15;
    uint64_t Byte = Both >> (8 * (Nibble & 7)) & 255;
    if (Nibble & 8)
      Byte = Byte & 128 ? 255 : 0;
    Value |= Byte << (8 * I);
  }
  return Value;
}

static uint64_t lookUp(uint64_t A, uint64_t B, uint64_t C, uint64_t Table) {
  uint64_t Value = 0;
  for (unsigned I = 0; I != 32; ++I) {
    unsigned Index = (A >> I & 1) << 2 | (B >> I & 1) << 1 | (C >> I & 1);
    Value |= (Table >> Index & 1) << I;
  }
  return Value;
}

std::optional<uint64_t> PTXInterpreter::compute(Frame &Fr, const Instr &I) {
  PTXType T = typeOf(I);
  if (!T.Bits || I.has("cc") || I.has("sat"))
    return std::nullopt;
  bool IsFloat = I.Parts.back()[0] == 'f';
  SmallVector<uint64_t, 4> X;
  for (const Operand &Op : drop_begin(I.Operands))
    X.push_back(get(Fr, Op) & mask(T.Bits));
  if (X.empty())
    return std::nullopt;
  X.resize(4);
  auto Signed = [&](unsigned Index) { return SignExtend64(X[Index], T.Bits); };
  auto Extended = [&](unsigned Index) -> uint64_t {
    return T.IsSigned ? Signed(Index) : X[Index];
  };
  StringRef Root = I.Parts[0];
  uint64_t SignBit = uint64_t(1) << (T.Bits - 1);
  if (I.Parts.back() == "f16x2") {
    const uint64_t Signs = 0x80008000;
    if (Root == "neg")
      return X[0] ^ Signs;
    if (Root == "abs")
      return X[0] & ~Signs;
    if (Root != "mul")
      return std::nullopt;
    return uint64_t(multiplyHalves(X[0] >> 16, X[1] >> 16)) << 16 |
           multiplyHalves(X[0], X[1]);
  }
  if (IsFloat) {
    if (Root == "neg")
      return X[0] ^ SignBit;
    if (Root == "abs")
      return X[0] & ~SignBit;
    if (Root == "mul" && I.Parts.back() == "f16")
      return multiplyHalves(X[0], X[1]);
    if (Root != "selp")
      return std::nullopt;
  }
  bool IsWide = I.has("wide");
  if ((Root == "mul" || Root == "mad") && I.has("hi"))
    return std::nullopt;
  uint64_t Product = IsWide ? Extended(0) * Extended(1) : X[0] * X[1];
  if (Root == "mul")
    return Product;
  if (Root == "mad")
    return Product + (IsWide ? get(Fr, I.Operands[3]) : X[2]);
  if (Root == "selp")
    return get(Fr, I.Operands[3]) ? X[0] : X[1];
  if (Root == "shl" || Root == "shr") {
    uint64_t Amount = get(Fr, I.Operands[2]) & mask(32);
    if (Root == "shl")
      return Amount < T.Bits ? X[0] << Amount : 0;
    if (T.IsSigned)
      return Signed(0) >> std::min<uint64_t>(Amount, T.Bits - 1);
    return Amount < T.Bits ? X[0] >> Amount : 0;
  }
  if (Root == "shf") {
    if (!I.has("wrap") && !I.has("clamp"))
      return std::nullopt;
    uint64_t Amount = X[2];
    Amount = I.has("wrap") ? Amount & 31 : std::min<uint64_t>(Amount, 32);
    uint64_t Both = X[1] << 32 | X[0];
    return I.has("l") ? Both << Amount >> 32 : Both >> Amount;
  }
  if (Root == "bfe") {
    uint64_t Position = get(Fr, I.Operands[2]) & 255;
    uint64_t Length = get(Fr, I.Operands[3]) & 255;
    if (Length == 0)
      return 0;
    // Beyond the value's end the signed form goes on with its sign.
    int64_t All = T.IsSigned ? Signed(0) : int64_t(X[0]);
    uint64_t Field = Position < 64 ? All >> Position & mask(Length) : 0;
    return T.IsSigned && Length < 64 ? SignExtend64(Field, Length) : Field;
  }
  if (Root == "bfi") {
    uint64_t Position = get(Fr, I.Operands[3]) & 255;
    uint64_t Length = get(Fr, I.Operands[4]) & 255;
    if (Position >= T.Bits)
      return X[1];
    uint64_t Field = mask(Length) << Position;
    return (X[1] & ~Field) | (X[0] << Position & Field);
  }
  return StringSwitch<std::optional<uint64_t>>(Root)
      .Case("add", X[0] + X[1])
      .Case("sub", X[0] - X[1])
      .Case("and", X[0] & X[1])
      .Case("or", X[0] | X[1])
      .Case("xor", X[0] ^ X[1])
      .Case("not", ~X[0])
      .Case("neg", -X[0])
      .Case("abs", Signed(0) < 0 ? -X[0] : X[0])
      .Case("min",
            T.IsSigned ? std::min(Signed(0), Signed(1)) : std::min(X[0], X[1]))
      .Case("max",
            T.IsSigned ? std::max(Signed(0), Signed(1)) : std::max(X[0], X[1]))
      .Case("popc", popcount(X[0]))
      .Case("prmt", permute(X[0], X[1], X[2]))
      .Case("lop3", lookUp(X[0], X[1], X[2], X[3]))
      .Default(std::nullopt);
}

void PTXInterpreter::execute(Frame &Fr, const Instr &I) {
  if (executeMemory(Fr, I) || executeMove(Fr, I) || executeWgmma(Fr, I))
    return;
  if (I.is("call"))
    return executeCall(Fr, I);
  if (I.is("bar") || I.is("barrier") || I.is("membar") || I.is("fence"))
    return;
  std::optional<uint64_t> Value;
  if (I.is("setp")) {
    if (auto Holds = compare(Fr, I))
      Value = *Holds;
  } else if (I.is("cvt")) {
    Value = convert(Fr, I);
  } else if (!I.Operands.empty()) {
    Value = compute(Fr, I);
  }
  if (!Value)
    return fail(I, "the interpreter does not know this instruction");
  checkComputed(Fr, I, *Value);
  if (I.Opcode == "cvt.u32.u64")
    Assembler.takeHalves(I, Fr.FirstRegister);
  set(Fr, I.Operands[0], *Value);
}
