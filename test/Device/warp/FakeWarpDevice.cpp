//===- FakeWarpDevice.cpp - An interpreter in place of a GPU --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeWarpDevice.h"
#include "MmaOperands.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace devicetest;

std::string FakeWarpDevice::open() {
  return Fault == WarpFault::Unopened ? "no GPU" : "";
}

static uint64_t readBits(const uint32_t *Words, unsigned Bit, unsigned Width) {
  uint64_t Value = 0;
  for (unsigned Index = 0; Index != Width; ++Index, ++Bit)
    Value |= uint64_t(Words[Bit / 32] >> Bit % 32 & 1) << Index;
  return Value;
}

static void writeBits(uint32_t *Words, unsigned Bit, unsigned Width,
                      uint64_t Value) {
  for (unsigned Index = 0; Index != Width; ++Index, ++Bit) {
    Words[Bit / 32] &= ~(1u << Bit % 32);
    Words[Bit / 32] |= static_cast<uint32_t>(Value >> Index & 1) << Bit % 32;
  }
}

static WarpMatrix withoutSubnormals(Element Type, WarpMatrix Matrix) {
  for (double &Value : Matrix.Values)
    if (std::fabs(Value) < std::ldexp(1, floatPrecision(Type).MinExponent))
      Value = 0;
  return Matrix;
}

WarpMatrix FakeWarpDevice::product(Multiplication M, const WarpMatrix &A,
                                   const WarpMatrix &B, const WarpMatrix &C) {
  if (Fault == WarpFault::NoSaturation)
    M.Satfinite = false;
  if (Fault == WarpFault::RoundsToNearest)
    M.R = Rounding::Nearest;
  if (Fault == WarpFault::AndForXor && M.Op == BitOperation::Xor)
    M.Op = BitOperation::And;
  if (Fault == WarpFault::DescendingChain && M.D == Element::f64)
    return fusedMultiplyAdds(A, B, C, M.R, chainOrders(A.Columns)[1].K);
  if (Fault == WarpFault::FlushesSubnormals && !isInteger(M.D))
    return multiply(M, withoutSubnormals(M.A, A), withoutSubnormals(M.B, B), C);
  if (Fault == WarpFault::NoNaN || Fault == WarpFault::NoInfinity) {
    WarpMatrix D = multiply(M, A, B, C);
    for (double &Value : D.Values)
      if (std::isnan(Value) && Fault == WarpFault::NoNaN)
        Value = std::numeric_limits<double>::infinity();
      else if (std::isinf(Value) && Fault == WarpFault::NoInfinity)
        Value = std::copysign(32768, Value);
    return D;
  }
  if (Fault != WarpFault::FewBits && Fault != WarpFault::RoundsSumsDown)
    return multiply(M, A, B, C);
  WarpMatrix D = floatSums(A, B, C);
  FloatPrecision P = accumulationPrecision(M).Result;
  FloatPrecision Less = P;
  // Below what the many terms of a sum may lose.
  if (Fault == WarpFault::FewBits)
    Less.FractionBits -= 8;
  for (double &Value : D.Values)
    if (rounded(Value, P, Rounding::Minus) != Value)
      Value = rounded(Value, Less, Rounding::Minus);
  return D;
}

void FakeWarpDevice::mma(const Kernel &K, const uint32_t *In, uint32_t *Out) {
  Multiplication M(K);
  MmaRegisters R(M, K);
  unsigned Selector = R.Selector;
  if (Fault == WarpFault::OtherSelector)
    Selector = (Selector + 1) % warpSelectors(M.A, M.Shape.K);

  for (unsigned Computation = 0; Computation != R.D.computations();
       ++Computation) {
    auto Read = [&](const WarpFragment &F, Element Type, unsigned Start) {
      WarpMatrix Matrix(F.rows(), F.columns());
      for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
        for (unsigned Index = 0; Index != F.elements(); ++Index) {
          WarpPosition P = F.position(Thread, Index);
          unsigned From = Index;
          if (&F == &R.A && Fault == WarpFault::RegistersOfASwapped)
            From ^= F.elementsPerRegister();
          if (P.Computation == Computation)
            Matrix.at(P.Row, P.Column) =
                decode(Type, F.read(In + Start, R.words(), Thread, From));
        }
      return Matrix;
    };
    std::vector<uint8_t> Nibbles(M.Shape.M * M.Shape.K);
    unsigned Chunks = M.Shape.K / warpSparsity(M.A).ChunkWidth;
    for (unsigned Thread = 0; M.Sparse && Thread != WarpThreads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
        unsigned From = Thread ^ (Fault == WarpFault::MetadataOfOtherThread);
        unsigned FromNibble =
            Nibble ^ (Fault == WarpFault::MetadataOfOtherNibble);
        uint32_t Metadata = In[From * R.words() + R.startOfMetadata()];
        if (Fault == WarpFault::IgnoresMetadata)
          Metadata = 0x44444444;
        uint32_t Indices = Metadata >> 4 * FromNibble & 15;
        if (Fault == WarpFault::IndicesSwapped)
          Indices = Indices >> 2 | (Indices & 3) << 2;
        if (auto P = warpMetadata(M.A, M.Shape.K, Selector, Thread, Nibble))
          Nibbles[P->Row * Chunks + P->Chunk] = Indices;
      }
    WarpMatrix A = expand(M, Read(R.A, M.A, 0), Nibbles);
    WarpMatrix D = product(M, A, Read(R.B, M.B, R.startOfB()),
                           Read(R.C, M.C, R.startOfC()));
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      for (unsigned Index = 0; Index != R.D.elements(); ++Index) {
        WarpPosition P = R.D.position(Thread, Index);
        // Garbage in the metadata may lead to what is no value of the type.
        if (P.Computation == Computation)
          R.D.write(Out, R.D.words(), Thread, Index,
                    encode(M.D, D.at(P.Row, P.Column)).value_or(0));
      }
  }
}

/// The fake's own fragments: element by element over the threads.
static uint64_t readOpaque(const uint32_t *Words, unsigned Stride, Element Type,
                           unsigned Element) {
  return readBits(Words + Element % WarpThreads * Stride,
                  Element / WarpThreads * bitWidth(Type), bitWidth(Type));
}

static void writeOpaque(uint32_t *Words, unsigned Stride, Element Type,
                        unsigned Element, uint64_t Bits) {
  writeBits(Words + Element % WarpThreads * Stride,
            Element / WarpThreads * bitWidth(Type), bitWidth(Type), Bits);
}

unsigned FakeWarpDevice::memoryBit(const Kernel &K, const uint32_t *Parameters,
                                   unsigned Row, unsigned Column, unsigned Rows,
                                   unsigned Columns) const {
  bool RowMajor = K.field("layout") == "row";
  unsigned Stride = RowMajor ? Columns : Rows;
  if (K.flag("stride") && Fault != WarpFault::IgnoresStride)
    Stride = Parameters[1];
  return 8 * Parameters[0] +
         (RowMajor ? Row * Stride + Column : Column * Stride + Row) *
             bitWidth(K.element("type"));
}

static void sizeOf(const Kernel &K, unsigned &Rows, unsigned &Columns) {
  WarpShape S = K.shape();
  Rows = K.field("role") == "b" ? S.K : S.M;
  Columns = K.field("role") == "a" ? S.K : S.N;
}

void FakeWarpDevice::wmmaLoad(const Kernel &K, const uint32_t *In,
                              uint32_t *Out) {
  unsigned Rows, Columns;
  sizeOf(K, Rows, Columns);
  Element Type = K.element("type");
  std::fill_n(Out, WarpThreads * K.outWords(), 0);
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Column = 0; Column != Columns; ++Column)
      writeOpaque(
          Out, K.outWords(), Type, Row * Columns + Column,
          readBits(In,
                   memoryBit(K, In + ImageWords, Row, Column, Rows, Columns),
                   bitWidth(Type)));
}

void FakeWarpDevice::wmmaStore(const Kernel &K, const uint32_t *In,
                               uint32_t *Out) {
  unsigned Rows, Columns;
  sizeOf(K, Rows, Columns);
  Element Type = K.element("type");
  unsigned Stride = K.inWords() + ParameterWords;
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Column = 0; Column != Columns; ++Column)
      writeBits(Out, memoryBit(K, In + K.inWords(), Row, Column, Rows, Columns),
                bitWidth(Type),
                readOpaque(In, Stride, Type, Row * Columns + Column));
  if (Fault == WarpFault::WritesGap)
    writeBits(Out, memoryBit(K, In + K.inWords(), 0, 0, Rows, Columns) - 8, 8,
              0);
}

void FakeWarpDevice::wmmaMma(const Kernel &K, const uint32_t *In,
                             uint32_t *Out) {
  Multiplication M(K);
  auto Words = [](unsigned Elements, Element Type) {
    // All elements of f16 A and B are there twice on a GPU.
    return Type == Element::f16 ? 8
                                : Elements * bitWidth(Type) / WarpThreads / 32;
  };
  auto Read = [&](Element Type, unsigned Rows, unsigned Columns,
                  unsigned Start) {
    WarpMatrix Matrix(Rows, Columns);
    for (unsigned Index = 0; Index != Rows * Columns; ++Index)
      Matrix.Values[Index] =
          decode(Type, readOpaque(In + Start, K.inWords(), Type, Index));
    return Matrix;
  };
  WarpShape S = M.Shape;
  unsigned StartOfB = Words(S.M * S.K, M.A);
  unsigned StartOfC = StartOfB + Words(S.K * S.N, M.B);
  WarpMatrix D =
      product(M, Read(M.A, S.M, S.K, 0), Read(M.B, S.K, S.N, StartOfB),
              Read(M.C, S.M, S.N, StartOfC));
  for (unsigned Index = 0; Index != D.Values.size(); ++Index)
    writeOpaque(Out, K.outWords(), M.D, Index,
                encode(M.D, D.Values[Index]).value_or(0));
}

/// ldmatrix and stmatrix, one pair of elements after the other, and movmatrix.
void FakeWarpDevice::matrixMove(const Kernel &K, const uint32_t *In,
                                uint32_t *Out) {
  bool Registers = K.kind() == KernelKind::Registers;
  bool Load = K.kind() == KernelKind::Load;
  bool Transpose = Registers || K.flag("trans");
  if (Fault == WarpFault::IgnoresTransposition)
    Transpose = false;
  unsigned Count = Registers ? 1 : Load ? K.outWords() : K.inWords();
  unsigned Stride = Load ? Count : Count + ParameterWords;
  for (unsigned Matrix = 0; Matrix != Count; ++Matrix)
    for (unsigned Row = 0; Row != 8; ++Row)
      for (unsigned Column = 0; Column != 8; ++Column) {
        unsigned R = Transpose ? Column : Row, C = Transpose ? Row : Column;
        unsigned Thread = 4 * R + C / 2, Half = C % 2 * 16;
        if (Registers) {
          unsigned From = 4 * Row + Column / 2;
          writeBits(Out + Thread, Half, 16,
                    readBits(In + From, Column % 2 * 16, 16));
          continue;
        }
        unsigned Address = Matrix * 8 + Row;
        if (Load) {
          unsigned Offset = In[ImageWords + Address * ParameterWords];
          writeBits(Out + Thread * Stride + Matrix, Half, 16,
                    readBits(In, 8 * Offset + 16 * Column, 16));
        } else {
          unsigned Offset = In[Address * Stride + Count];
          writeBits(Out, 8 * Offset + 16 * Column, 16,
                    readBits(In + Thread * Stride + Matrix, Half, 16));
        }
      }
}

void FakeWarpDevice::corrupt(const Kernel &K, uint32_t *OutRecord) {
  uint32_t *Last = OutRecord + K.outRecord() - 1;
  while (*Last == Launch::Poison)
    --Last;
  switch (Fault) {
  case WarpFault::ThreadsSwapped:
    if (K.kind() != KernelKind::Store)
      std::swap_ranges(OutRecord, OutRecord + K.outWords(),
                       OutRecord + K.outWords());
    break;
  case WarpFault::Unwritten:
    *Last = Launch::Poison;
    break;
  case WarpFault::OneBit:
    // Not a flip, which the next kernel of a chain would undo.
    *Last += 0x10000;
    break;
  default:
    break;
  }
}

std::string FakeWarpDevice::launch(const Kernel &K, unsigned Ctas,
                                   std::vector<uint32_t> &In,
                                   std::vector<uint32_t> &Out) {
  if (Fault == WarpFault::LaunchFails)
    return "running the kernel: unspecified launch failure";
  for (unsigned Cta = 0; Cta != Ctas; ++Cta) {
    const uint32_t *InRecord = &In[GuardWords + Cta * K.inRecord()];
    uint32_t *OutRecord = &Out[GuardWords + Cta * K.outRecord()];
    if (K.Family == "wmma.load")
      wmmaLoad(K, InRecord, OutRecord);
    else if (K.Family == "wmma.store")
      wmmaStore(K, InRecord, OutRecord);
    else if (K.Family == "wmma.mma")
      wmmaMma(K, InRecord, OutRecord);
    else if (K.Family.rfind("mma", 0) == 0)
      mma(K, InRecord, OutRecord);
    else
      matrixMove(K, InRecord, OutRecord);
  }

  for (unsigned Cta = 0; Cta != Ctas; ++Cta)
    corrupt(K, &Out[GuardWords + Cta * K.outRecord()]);
  switch (Fault) {
  case WarpFault::WritesBefore:
    Out[GuardWords - 3] = 0;
    break;
  case WarpFault::WritesPastEnd:
    Out[Out.size() - GuardWords] = 0;
    break;
  case WarpFault::WritesInput:
    In[GuardWords] ^= 1;
    break;
  default:
    break;
  }
  return "";
}
