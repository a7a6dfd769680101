//===- Instructions.cpp - The instructions and their operands -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "BlockScale.h"
#include "Fragment.h"
#include "Instruction.h"
#include "MovedMatrix.h"
#include "WarpFragment.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <tuple>

using namespace layout;
using devicetest::Element;
using devicetest::MovedMatrix;
using devicetest::MovedShape;
using devicetest::WarpFragment;
using devicetest::WarpOperand;
using devicetest::WarpShape;

/// The N that stands for all: it has every register that any N has.
static constexpr unsigned MaxN = 256;
/// wgmma's figures show a warp's rows and two steps of N.
static constexpr unsigned ShownWgmmaRows = 16, ShownWgmmaColumns = 16;

static Table finish(Table T) {
  std::sort(T.Entries.begin(), T.Entries.end(),
            [](const Entry &X, const Entry &Y) {
              return std::tie(X.Parts, X.Row, X.Column) <
                     std::tie(Y.Parts, Y.Row, Y.Column);
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

static Table warpFragment(WarpShape Shape, WarpOperand Operand, Element Type,
                          bool ColumnMajor = false) {
  WarpFragment Fragment(Shape, Operand, Type, ColumnMajor);
  Table T = matrix(Fragment.rows(), Fragment.columns(), bitWidth(Type));
  T.Registers = Fragment.elements() / Fragment.elementsPerRegister();
  T.RegisterBits = registerWidth(Type);
  if (Fragment.computations() > 1)
    T.PartKinds = {{"computation"}};
  for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
    for (unsigned Index = 0; Index != Fragment.elements(); ++Index) {
      devicetest::WarpPosition P = Fragment.position(Thread, Index);
      devicetest::WarpPlace Place = Fragment.place(Thread, Index);
      Entry E = {{}, P.Row, P.Column, Place.Thread, Place.Register, Place.Bit};
      if (!T.PartKinds.empty())
        E.Parts = {P.Computation};
      T.Entries.push_back(std::move(E));
    }
  return finish(std::move(T));
}

static Table metadata(unsigned Rows, unsigned Chunks) {
  Table T = matrix(Rows, Chunks, 4);
  T.ColumnWord = "chunk";
  T.Registers = 1;
  T.PartKinds = {{"selector"}};
  return T;
}

static Table warpMetadataTable(Element A, unsigned K) {
  unsigned Chunks = K / devicetest::warpSparsity(A).ChunkWidth;
  unsigned Selectors = devicetest::warpSelectors(A, K);
  Table T = metadata(16, Chunks);
  for (unsigned Selector = 0; Selector != Selectors; ++Selector)
    for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
        if (auto P = devicetest::warpMetadata(A, K, Selector, Thread, Nibble))
          T.Entries.push_back(
              {{Selector}, P->Row, P->Chunk, Thread, 0, 4 * Nibble});
  return finish(std::move(T));
}

namespace {

/// A type of A, as PTX and as the model names it.
struct OperandType {
  const char *Name;
  Element Model;
};

struct WarpRow {
  bool Sparse;
  std::vector<WarpShape> Shapes;
  std::vector<OperandType> Types;
  std::vector<Element> Accumulators;
  const char *NotRun = "";
};

} // namespace

static std::vector<WarpRow> warpRows() {
  using E = Element;
  const OperandType F16 = {"f16", E::f16}, BF16 = {"bf16", E::bf16},
                    TF32 = {"tf32", E::tf32}, F64 = {"f64", E::f64},
                    S8 = {"s8", E::s8}, U8 = {"u8", E::u8}, S4 = {"s4", E::s4},
                    U4 = {"u4", E::u4}, B1 = {"b1", E::b1},
                    E4M3 = {"e4m3", E::e4m3}, E5M2 = {"e5m2", E::e5m2};
  const std::vector<OperandType> F6F4 = {
      {"e3m2", E::e3m2}, {"e2m3", E::e2m3}, {"e2m1", E::e2m1}};
  const char *const NotRun =
      "Not run on a device here, which would have to be an `sm_120a`: by the "
      "PTX ISA, each element takes 8 bits and is placed as those of 8-bit "
      "types are. Which of the 8 bits are used is from CUTLASS: the low 6 of "
      "`e3m2` and `e2m3`, bits 2 to 5 of `e2m1`.";
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
      {false, {{16, 8, 32}}, F6F4, {E::f16, E::f32}, NotRun},
      {false, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, {S8, U8}, {E::s32}},
      {false, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, {S4, U4}, {E::s32}},
      {false, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}, {B1}, {E::s32}},
      {true, {{16, 8, 16}, {16, 8, 32}}, {F16}, {E::f16, E::f32}},
      {true, {{16, 8, 16}, {16, 8, 32}}, {BF16}, {E::f32}},
      {true, {{16, 8, 8}, {16, 8, 16}}, {TF32}, {E::f32}},
      {true, {{16, 8, 64}}, {E4M3, E5M2}, {E::f16, E::f32}},
      {true, {{16, 8, 64}}, F6F4, {E::f16, E::f32}, NotRun},
      {true, {{16, 8, 32}, {16, 8, 64}}, {S8, U8}, {E::s32}},
      {true, {{16, 8, 64}, {16, 8, 128}}, {S4, U4}, {E::s32}},
  };
}

static std::string name(WarpShape Shape) {
  return "m" + std::to_string(Shape.M) + "n" + std::to_string(Shape.N) + "k" +
         std::to_string(Shape.K);
}

static Instruction warpInstruction(const WarpRow &R, WarpShape Shape,
                                   const OperandType &Type) {
  Instruction I;
  I.Family = R.Sparse ? "mma.sp" : "mma";
  I.Name = I.Family + "." + name(Shape) + "." + Type.Name;
  I.NotRun = R.NotRun;

  WarpShape AShape = Shape;
  if (R.Sparse)
    AShape.K /= 2;
  Element Model = Type.Model;
  auto Add = [&](std::string Name, WarpShape S, WarpOperand O, Element E,
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
  for (Element C : R.Accumulators)
    Add(std::string("C.") + name(C), Shape, WarpOperand::C, C);
  if (R.Sparse)
    I.Operands.push_back(
        {"metadata", [=] { return warpMetadataTable(Model, Shape.K); }});
  return I;
}

//===----------------------------------------------------------------------===//
// mma and mma.sp with block scaling
//===----------------------------------------------------------------------===//

static Table scales(WarpOperand Operand, devicetest::ScaleVector Vector) {
  Table T =
      Operand == WarpOperand::A ? matrix(16, Vector, 8) : matrix(Vector, 8, 8);
  T.Registers = 1;
  T.PartKinds = {{"thread_id"}, {"byte_id", /*OnlyFirstShown=*/true}};
  for (devicetest::ScaleSelector S :
       devicetest::scaleSelectors(Operand, Vector))
    for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
      for (unsigned Byte = 0; Byte != T.elementsPerRegister(); ++Byte)
        if (auto P =
                devicetest::scalePosition(Operand, Vector, S, Thread, Byte))
          T.Entries.push_back(
              {{S.ThreadId, S.ByteId}, P->Row, P->Column, Thread, 0, 8 * Byte});
  return finish(std::move(T));
}

namespace {

struct ScaledRow {
  const char *Kind;
  devicetest::ScaleVector Vector;
  /// Of dense matrices; a sparse A has twice the K.
  WarpShape Shape;
  std::vector<OperandType> Types;
};

} // namespace

static std::string blockScaleName(bool Sparse, const std::string &Shape,
                                  const std::string &Kind,
                                  const std::string &Size,
                                  const std::string &A) {
  return std::string(Sparse ? "mma.sp" : "mma") + ".block_scale." + Shape +
         "." + Kind + "." + Size + "." + A;
}

static std::vector<Instruction> blockScaleInstructions() {
  using E = Element;
  const std::vector<OperandType> Packed = {{"e2m1", E::e2m1x2}};
  const ScaledRow Rows[] = {
      {"mxf8f6f4",
       1,
       {16, 8, 32},
       {{"e4m3", E::e4m3},
        {"e5m2", E::e5m2},
        {"e3m2", E::e3m2},
        {"e2m3", E::e2m3},
        {"e2m1", E::e2m1}}},
      {"mxf4", 2, {16, 8, 64}, Packed},
      {"mxf4nvf4", 2, {16, 8, 64}, Packed},
      {"mxf4nvf4", 4, {16, 8, 64}, Packed},
  };
  std::vector<Instruction> List;
  for (bool Sparse : {false, true})
    for (const ScaledRow &R : Rows)
      for (const OperandType &Type : R.Types) {
        WarpShape Shape = R.Shape;
        if (Sparse)
          Shape.K *= 2;
        Instruction I =
            warpInstruction({Sparse, {}, {}, {E::f32}}, Shape, Type);
        I.Family += ".block_scale";
        I.Name = blockScaleName(Sparse, name(Shape), R.Kind,
                                std::to_string(R.Vector) + "X", Type.Name);
        I.NotRun = "Not run on a device here, which would have to be an "
                   "`sm_120a`: from the PTX ISA and CUTLASS.";
        for (auto [Name, Operand] : {std::pair("scale_A", WarpOperand::A),
                                     std::pair("scale_B", WarpOperand::B)})
          I.Operands.push_back({Name, [Of = Operand, Vector = R.Vector] {
                                  return scales(Of, Vector);
                                }});
        List.push_back(std::move(I));
      }
  return List;
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
      T.Entries.push_back({{},
                           P.Row,
                           P.Column,
                           Thread,
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
            {{}, P.Row, P.Column, Thread, Register, Index * T.ElementBits});
      }
  return finish(std::move(T));
}

/// PTX allows no other selector than 0 where all threads contribute.
static unsigned wgmmaSelectors(Element A) { return bitWidth(A) == 8 ? 1 : 2; }

static Table wgmmaMetadata(Element A) {
  Table T = metadata(devicetest::Rows,
                     devicetest::operandShape(/*Sparse=*/true, A).chunks());
  T.ShownRows = ShownWgmmaRows;
  for (unsigned Selector = 0; Selector != wgmmaSelectors(A); ++Selector)
    for (unsigned Thread = 0; Thread != devicetest::Threads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
        if (auto P = devicetest::metadataPosition(A, Selector, Thread, Nibble))
          T.Entries.push_back(
              {{Selector}, P->Row, P->Column, Thread, 0, 4 * Nibble});
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

static Table movedMatrices(const MovedMatrix &M) {
  Table T = matrix(M.rows(), M.columns(), M.elementBits());
  T.PartKinds = {{"matrix"}};
  T.Registers = M.registers();
  for (unsigned Thread = 0; Thread != devicetest::WarpThreads; ++Thread)
    for (unsigned Register = 0; Register != T.Registers; ++Register)
      for (unsigned Index = 0; Index != T.elementsPerRegister(); ++Index) {
        devicetest::MovedPosition P = M.position(Thread, Register, Index);
        T.Entries.push_back({{P.Matrix},
                             P.Row,
                             P.Column,
                             Thread,
                             Register,
                             Index * T.ElementBits});
      }
  return finish(std::move(T));
}

/// Which thread's address is that of a row.
static Table rowAddresses(const MovedMatrix &M) {
  Table T = matrix(M.rows(), 1, 32);
  T.PartKinds = {{"matrix"}};
  T.Registers = 1;
  for (unsigned Matrix = 0; Matrix != M.count(); ++Matrix)
    for (unsigned Row = 0; Row != T.Rows; ++Row)
      T.Entries.push_back(
          {{Matrix}, Row, 0, M.addressThread(Matrix, Row), 0, 0});
  return T;
}

namespace {

struct MoveRow {
  const char *Family;
  const char *ShapeName;
  MovedShape Shape;
  std::vector<unsigned> Counts;
  std::vector<bool> Transpositions;
  std::vector<const char *> Types;
  const char *NotRun = "";
};

} // namespace

static std::vector<Instruction> moves() {
  const char *const Narrow = "Not run on a device here, which would have to be "
                             "an `sm_100a` or `sm_120a`: from the PTX ISA and "
                             "CUTLASS.";
  const MoveRow Rows[] = {
      {"ldmatrix", "m8n8", MovedShape::M8N8, {1, 2, 4}, {false, true}, {"b16"}},
      {"ldmatrix",
       "m16n16",
       MovedShape::M16N16,
       {1, 2},
       {true},
       {"b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"},
       Narrow},
      {"ldmatrix",
       "m8n16",
       MovedShape::M8N16,
       {1, 2, 4},
       {false},
       {"b8x16.b6x16_p32", "b8x16.b4x16_p64"},
       Narrow},
      {"stmatrix", "m8n8", MovedShape::M8N8, {1, 2, 4}, {false, true}, {"b16"}},
      {"stmatrix",
       "m16n8",
       MovedShape::M16N8,
       {1, 2, 4},
       {true},
       {"b8"},
       Narrow},
  };
  std::vector<Instruction> List;
  for (const MoveRow &R : Rows)
    for (unsigned Count : R.Counts)
      for (bool Transposed : R.Transpositions)
        for (const char *Type : R.Types) {
          MovedMatrix M(R.Shape, Count, Transposed);
          Instruction I;
          I.Family = R.Family;
          I.Name = I.Family + "." + R.ShapeName + ".x" + std::to_string(Count) +
                   (Transposed ? ".trans" : "") + "." + Type;
          I.NotRun = R.NotRun;
          I.Operands = {{I.Family == "ldmatrix" ? "d" : "r",
                         [=] { return movedMatrices(M); }},
                        {"p", [=] { return rowAddresses(M); }}};
          List.push_back(std::move(I));
        }
  Instruction I;
  I.Family = "movmatrix";
  I.Name = "movmatrix.m8n8.trans.b16";
  for (bool Transposed : {true, false})
    I.Operands.push_back(
        {Transposed ? "d" : "a",
         [=] { return movedMatrices({MovedShape::M8N8, 1, Transposed}); }});
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
    for (Instruction &I : blockScaleInstructions())
      List.push_back(std::move(I));
    for (Instruction &I : wgmmaInstructions("N", MaxN))
      List.push_back(std::move(I));
    for (Instruction &I : moves())
      List.push_back(std::move(I));
    return List;
  }();
  return List;
}

static bool isShape(const std::string &Part) {
  return Part.size() > 1 && Part[0] == 'm' && std::isdigit(Part[1]);
}

/// The same of block scaling, where the kind may imply the number of scales.
static std::string shortBlockScaleName(const std::string &Name,
                                       const std::vector<std::string> &Kept) {
  auto Word = [&](const std::string &Prefix) {
    size_t At = Name.find("." + Prefix);
    if (At == std::string::npos)
      return std::string();
    At += 1 + Prefix.size();
    return Name.substr(At, Name.find('.', At) - At);
  };
  std::string Kind = Word("kind::"), Size = Word("scale_vec::");
  if (Size.empty() && Kind != "mxf4nvf4")
    Size = Kind == "mxf4" ? "2X" : "1X";
  auto Shape = std::find_if(Kept.begin(), Kept.end(), isShape);
  std::vector<std::string> Types;
  for (auto It = Shape; It != Kept.end(); ++It)
    if (It->find("::") == std::string::npos && *It != "block_scale")
      Types.push_back(*It);
  if (Types.size() < 3)
    return Name;
  return blockScaleName(Kept[1] == "sp", *Shape, Kind, Size, Types[2]);
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
  if (Name.find(".kind::mx") != std::string::npos)
    return shortBlockScaleName(Name, Kept);
  auto Shape = std::find_if(Kept.begin(), Kept.end(), isShape);
  bool IsMma = Name.find("mma") == 0 || Name.find("wgmma") == 0;
  bool IsShort = Name.find(".block_scale.m") != std::string::npos;
  if (IsMma && !IsShort && Kept.end() - Shape > 3) {
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
