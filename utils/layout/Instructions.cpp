//===- Instructions.cpp - The instructions and their operands -------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "Fragment.h"
#include "Instruction.h"
#include "WarpFragment.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <tuple>

using namespace layout;
using devicetest::Element;
using devicetest::WarpElement;
using devicetest::WarpFragment;
using devicetest::WarpOperand;
using devicetest::WarpShape;

/// 8x8 matrices of 16-bit elements, which ldmatrix and its kin move.
static constexpr WarpShape MovedShape = {8, 8, 8};
/// The N that stands for all: it has every register that any N has.
static constexpr unsigned MaxN = 256;
/// wgmma's figures show a warp's rows and two steps of N.
static constexpr unsigned ShownWgmmaRows = 16, ShownWgmmaColumns = 16;

static Table finish(Table T) {
  std::sort(T.Entries.begin(), T.Entries.end(),
            [](const Entry &X, const Entry &Y) {
              return std::tie(X.Part, X.Row, X.Column) <
                     std::tie(Y.Part, Y.Row, Y.Column);
            });
  return T;
}

static Table matrix(unsigned Rows, unsigned Columns, unsigned ElementBits) {
  Table T;
  T.Rows = T.ShownRows = Rows;
  T.Columns = T.ShownColumns = Columns;
  T.ElementBits = ElementBits;
  return T;
}

//===----------------------------------------------------------------------===//
// mma and mma.sp
//===----------------------------------------------------------------------===//

static Table warpFragment(WarpShape Shape, WarpOperand Operand,
                          WarpElement Type, bool ColumnMajor = false) {
  WarpFragment Fragment(Shape, Operand, Type, ColumnMajor);
  Table T = matrix(Fragment.rows(), Fragment.columns(), bitWidth(Type));
  T.Registers = Fragment.elements() / Fragment.elementsPerRegister();
  T.RegisterBits = registerWidth(Type);
  T.Parts = Fragment.computations();
  if (T.Parts > 1)
    T.PartWord = "computation";
  for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
    for (unsigned Index = 0; Index != Fragment.elements(); ++Index) {
      devicetest::WarpPosition P = Fragment.position(Thread, Index);
      devicetest::WarpPlace Place = Fragment.place(Thread, Index);
      T.Entries.push_back({P.Computation, P.Row, P.Column, Place.Thread,
                           Place.Register, Place.Bit});
    }
  return finish(std::move(T));
}

static Table metadata(unsigned Rows, unsigned Chunks, unsigned Selectors) {
  Table T = matrix(Rows, Chunks, 4);
  T.ColumnWord = "chunk";
  T.Registers = 1;
  T.PartWord = "selector";
  T.Parts = Selectors;
  return T;
}

static Table warpMetadataTable(WarpElement A, unsigned K) {
  unsigned Chunks = K / devicetest::warpSparsity(A).ChunkWidth;
  Table T = metadata(16, Chunks, devicetest::warpSelectors(A, K));
  for (unsigned Selector = 0; Selector != T.Parts; ++Selector)
    for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
        if (auto P = devicetest::warpMetadata(A, K, Selector, Thread, Nibble))
          T.Entries.push_back(
              {Selector, P->Row, P->Chunk, Thread, 0, 4 * Nibble});
  return finish(std::move(T));
}

namespace {

/// A type of A, by the type of the same width that the model has.
struct OperandType {
  const char *Name;
  WarpElement Model;
};

struct WarpRow {
  bool Sparse;
  std::vector<WarpShape> Shapes;
  std::vector<OperandType> Types;
  std::vector<WarpElement> Accumulators;
  bool OnDevice = true;
};

} // namespace

static std::vector<WarpRow> warpRows() {
  using E = WarpElement;
  const OperandType F16 = {"f16", E::f16}, BF16 = {"bf16", E::bf16},
                    TF32 = {"tf32", E::tf32}, F64 = {"f64", E::f64},
                    S8 = {"s8", E::s8}, U8 = {"u8", E::u8}, S4 = {"s4", E::s4},
                    U4 = {"u4", E::u4}, B1 = {"b1", E::b1},
                    E4M3 = {"e4m3", E::e4m3}, E5M2 = {"e5m2", E::e5m2};
  // In containers of 8 bits.
  const std::vector<OperandType> F6F4 = {
      {"e3m2", E::u8}, {"e2m3", E::u8}, {"e2m1", E::u8}};
  return {
      {false, {{8, 8, 4}}, {F16}, {E::f16, E::f32}},
      {false, {{16, 8, 8}, {16, 8, 16}}, {F16}, {E::f16, E::f32}},
      {false, {{16, 8, 8}, {16, 8, 16}}, {BF16}, {E::f32}},
      {false, {{16, 8, 4}, {16, 8, 8}}, {TF32}, {E::f32}},
      {false,
       {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
       {F64},
       {E::f64}},
      {false, {{16, 8, 16}, {16, 8, 32}}, {E4M3, E5M2}, {E::f16, E::f32}},
      {false, {{16, 8, 32}}, F6F4, {E::f16, E::f32}, /*OnDevice=*/false},
      {false, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, {S8, U8}, {E::s32}},
      {false, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, {S4, U4}, {E::s32}},
      {false, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}, {B1}, {E::s32}},
      {true, {{16, 8, 16}, {16, 8, 32}}, {F16}, {E::f16, E::f32}},
      {true, {{16, 8, 16}, {16, 8, 32}}, {BF16}, {E::f32}},
      {true, {{16, 8, 8}, {16, 8, 16}}, {TF32}, {E::f32}},
      {true, {{16, 8, 64}}, {E4M3, E5M2}, {E::f16, E::f32}},
      {true, {{16, 8, 64}}, F6F4, {E::f16, E::f32}, /*OnDevice=*/false},
      {true, {{16, 8, 32}, {16, 8, 64}}, {S8, U8}, {E::s32}},
      {true, {{16, 8, 64}, {16, 8, 128}}, {S4, U4}, {E::s32}},
  };
}

static Instruction warpInstruction(const WarpRow &R, WarpShape Shape,
                                   const OperandType &Type) {
  Instruction I;
  I.Family = R.Sparse ? "mma.sp" : "mma";
  I.Name = I.Family + ".m" + std::to_string(Shape.M) + "n" +
           std::to_string(Shape.N) + "k" + std::to_string(Shape.K) + "." +
           Type.Name;
  I.OnDevice = R.OnDevice;

  WarpShape AShape = Shape;
  if (R.Sparse)
    AShape.K /= 2;
  WarpElement Model = Type.Model;
  auto Add = [&](std::string Name, WarpShape S, WarpOperand O, WarpElement E,
                 bool ColumnMajor = false) {
    I.Operands.push_back(
        {std::move(Name), [=] { return warpFragment(S, O, E, ColumnMajor); }});
  };
  if (WarpFragment(Shape, WarpOperand::A, Model).computations() > 1) {
    for (bool ColumnMajor : {false, true}) {
      const char *Layout = ColumnMajor ? ".col" : ".row";
      Add(std::string("A") + Layout, Shape, WarpOperand::A, Model, ColumnMajor);
      Add(std::string("B") + Layout, Shape, WarpOperand::B, Model, ColumnMajor);
    }
  } else {
    Add("A", AShape, WarpOperand::A, Model);
    Add("B", Shape, WarpOperand::B, Model);
  }
  for (WarpElement C : R.Accumulators)
    Add(std::string("C.") + name(C), Shape, WarpOperand::C, C);
  if (R.Sparse)
    I.Operands.push_back(
        {"metadata", [=] { return warpMetadataTable(Model, Shape.K); }});
  return I;
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static Table wgmmaAccumulator(Element D, unsigned N) {
  Table T = matrix(devicetest::Rows, N, bitWidth(D));
  T.Registers = N / 2 / T.elementsPerRegister();
  T.ShownRows = ShownWgmmaRows;
  T.ShownColumns = std::min(N, ShownWgmmaColumns);
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
    for (unsigned Index = 0; Index != N / 2; ++Index) {
      devicetest::Position P = devicetest::accumulatorPosition(Thread, Index);
      T.Entries.push_back({0, P.Row, P.Column, Thread,
                           Index / T.elementsPerRegister(),
                           Index % T.elementsPerRegister() * T.ElementBits});
    }
  return finish(std::move(T));
}

static Table wgmmaOperand(Element A, bool Sparse) {
  Table T = matrix(devicetest::Rows,
                   devicetest::operandShape(Sparse, A).packedK(), bitWidth(A));
  T.Registers = devicetest::OperandRegisters;
  T.ShownRows = ShownWgmmaRows;
  for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
    for (unsigned Register = 0; Register != T.Registers; ++Register)
      for (unsigned Index = 0; Index != T.elementsPerRegister(); ++Index) {
        devicetest::Position P =
            devicetest::operandPosition(A, Thread, Register, Index);
        T.Entries.push_back(
            {0, P.Row, P.Column, Thread, Register, Index * T.ElementBits});
      }
  return finish(std::move(T));
}

/// PTX allows no other selector than 0 where all threads contribute.
static unsigned wgmmaSelectors(Element A) { return bitWidth(A) == 8 ? 1 : 2; }

static Table wgmmaMetadata(Element A) {
  Table T = metadata(devicetest::Rows,
                     devicetest::operandShape(/*Sparse=*/true, A).chunks(),
                     wgmmaSelectors(A));
  T.ShownRows = ShownWgmmaRows;
  for (unsigned Selector = 0; Selector != T.Parts; ++Selector)
    for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
        if (auto P = devicetest::metadataPosition(A, Selector, Thread, Nibble))
          T.Entries.push_back(
              {Selector, P->Row, P->Column, Thread, 0, 4 * Nibble});
  return finish(std::move(T));
}

static Instruction wgmmaInstruction(bool Sparse, Element A,
                                    const std::vector<Element> &Accumulators,
                                    const std::string &NName, unsigned N) {
  Instruction I;
  I.Family = Sparse ? "wgmma.sp" : "wgmma";
  I.Name = I.Family + ".m64n" + NName + "k" +
           std::to_string(devicetest::operandShape(Sparse, A).K) + "." +
           devicetest::name(A);
  I.Operands.push_back({"A", [=] { return wgmmaOperand(A, Sparse); }});
  for (Element D : Accumulators)
    I.Operands.push_back({std::string("D.") + devicetest::name(D),
                          [=] { return wgmmaAccumulator(D, N); }});
  if (Sparse)
    I.Operands.push_back({"metadata", [=] { return wgmmaMetadata(A); }});
  return I;
}

static std::vector<Instruction> wgmmaInstructions(const std::string &NName,
                                                  unsigned N) {
  std::vector<Instruction> List;
  for (bool Sparse : {false, true}) {
    auto Add = [&](Element A, const std::vector<Element> &Accumulators) {
      // Integers have fewer N.
      if (isInteger(A) && N > 32 && N % 16)
        return;
      List.push_back(wgmmaInstruction(Sparse, A, Accumulators, NName, N));
    };
    Add(Element::f16, {Element::f16, Element::f32});
    Add(Element::bf16, {Element::f32});
    Add(Element::tf32, {Element::f32});
    Add(Element::e4m3, {Element::f16, Element::f32});
    Add(Element::e5m2, {Element::f16, Element::f32});
    Add(Element::s8, {Element::s32});
    Add(Element::u8, {Element::s32});
    if (!Sparse)
      Add(Element::b1, {Element::s32});
  }
  return List;
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix and movmatrix
//===----------------------------------------------------------------------===//

/// The registers of so many matrices, one each. Transposed, rows and columns of
/// the matrix in memory change places.
static Table movedMatrices(unsigned Count, bool Transposed) {
  Table T = warpFragment(MovedShape, WarpOperand::C, WarpElement::f16);
  T.PartWord = "matrix";
  T.Parts = T.Registers = Count;
  if (Transposed)
    for (Entry &E : T.Entries)
      std::swap(E.Row, E.Column);
  std::vector<Entry> One = std::move(T.Entries);
  T.Entries.clear();
  for (unsigned Matrix = 0; Matrix != Count; ++Matrix)
    for (Entry E : One) {
      E.Part = E.Register = Matrix;
      T.Entries.push_back(E);
    }
  return finish(std::move(T));
}

/// Which thread's address is that of a row.
static Table rowAddresses(unsigned Count) {
  Table T = matrix(MovedShape.M, 1, 32);
  T.PartWord = "matrix";
  T.Parts = Count;
  T.Registers = 1;
  for (unsigned Matrix = 0; Matrix != Count; ++Matrix)
    for (unsigned Row = 0; Row != T.Rows; ++Row)
      T.Entries.push_back({Matrix, Row, 0, Matrix * T.Rows + Row, 0, 0});
  return T;
}

static std::vector<Instruction> moves() {
  std::vector<Instruction> List;
  for (const char *Family : {"ldmatrix", "stmatrix"})
    for (unsigned Count : {1, 2, 4})
      for (bool Transposed : {false, true}) {
        Instruction I;
        I.Family = Family;
        I.Name = I.Family + ".m8n8.x" + std::to_string(Count) +
                 (Transposed ? ".trans" : "") + ".b16";
        I.Operands = {
            {I.Family == "ldmatrix" ? "d" : "r",
             [=] { return movedMatrices(Count, Transposed); }},
            {"p", [=] { return rowAddresses(Count); }},
        };
        List.push_back(std::move(I));
      }
  Instruction I;
  I.Family = "movmatrix";
  I.Name = "movmatrix.m8n8.trans.b16";
  I.Operands = {{"d", [] { return movedMatrices(1, /*Transposed=*/true); }},
                {"a", [] { return movedMatrices(1, /*Transposed=*/false); }}};
  List.push_back(std::move(I));
  return List;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

const std::vector<Instruction> &layout::instructions() {
  static const std::vector<Instruction> List = [] {
    std::vector<Instruction> List;
    for (const WarpRow &R : warpRows())
      for (const WarpShape &Shape : R.Shapes)
        for (const OperandType &Type : R.Types)
          List.push_back(warpInstruction(R, Shape, Type));
    for (Instruction &I : wgmmaInstructions("N", MaxN))
      List.push_back(std::move(I));
    for (Instruction &I : moves())
      List.push_back(std::move(I));
    return List;
  }();
  return List;
}

/// The short name of a name as PTX has it, of which only the type of A counts
/// where there are those of D, A and B as well.
static std::string shortName(const std::string &Name) {
  static const std::set<std::string> Ignored = {
      "sync", "aligned", "mma_async",   "row",         "col", "shared",
      "xor",  "and",     "popc",        "satfinite",   "rn",  "rz",
      "rm",   "rp",      "shared::cta", "kind::f8f6f4"};
  std::vector<std::string> Kept;
  std::istringstream Stream(Name);
  for (std::string Part; std::getline(Stream, Part, '.');)
    if (!Ignored.count(Part))
      Kept.push_back(Part == "sp::ordered_metadata" ? "sp" : Part);
  auto Shape =
      std::find_if(Kept.begin(), Kept.end(), [](const std::string &Part) {
        return Part.size() > 1 && Part[0] == 'm' && std::isdigit(Part[1]);
      });
  bool IsMma = Name.find("mma") == 0 || Name.find("wgmma") == 0;
  if (IsMma && Kept.end() - Shape > 3) {
    std::string A = Shape[2];
    Kept.erase(Shape + 1, Kept.end());
    Kept.push_back(A);
  }
  std::string Short;
  for (const std::string &Part : Kept)
    Short += (Short.empty() ? "" : ".") + Part;
  return Short;
}

/// The N of a name such as wgmma.m64n96k16.f16, or 0.
static unsigned wgmmaN(const std::string &Name) {
  size_t At = Name.find(".m64n");
  if (Name.find("wgmma") != 0 || At == std::string::npos)
    return 0;
  unsigned N = 0;
  for (At += 5; At != Name.size() && std::isdigit(Name[At]) && N <= MaxN; ++At)
    N = 10 * N + static_cast<unsigned>(Name[At] - '0');
  return N % 8 == 0 && N <= MaxN ? N : 0;
}

std::optional<Instruction>
layout::findInstruction(const std::string &FullName) {
  std::string Name = shortName(FullName);
  unsigned N = wgmmaN(Name);
  for (const Instruction &I :
       N ? wgmmaInstructions(std::to_string(N), N) : instructions())
    if (I.Name == Name)
      return I;
  return std::nullopt;
}

const Operand *layout::findOperand(const Instruction &I,
                                   const std::string &FullName) {
  std::string Name = FullName;
  if (I.Family.find("mma") == 0 && Name[0] == 'D')
    Name[0] = 'C';
  const Operand *Found = nullptr;
  for (const Operand &O : I.Operands) {
    if (O.Name == Name)
      return &O;
    if (O.Name.find(Name + ".") == 0) {
      if (Found)
        return nullptr;
      Found = &O;
    }
  }
  return Found;
}
