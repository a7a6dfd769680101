//===- WmmaTest.cpp - Tests of wmma.load, wmma.mma and wmma.store ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are opaque: only a wmma.mma or a wmma.store of the same shape and
// type can say whether a load was right. So a test runs several kernels, each
// with one instruction, and hands the registers on as they are.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "LenientCheck.h"
#include "MemoryImage.h"
#include "Operands.h"

#include <cstring>

using namespace devicetest;

namespace {

/// The registers of a fragment in all problems: [problem][thread][word].
struct FragmentImage {
  unsigned Words;
  std::vector<uint32_t> Registers;

  const uint32_t *of(unsigned Problem, unsigned Thread) const {
    return &Registers[(Problem * WarpThreads + Thread) * Words];
  }
};

/// Encoded elements of a matrix, row by row.
using Elements = std::vector<uint64_t>;

class WmmaTest {
public:
  WmmaTest(const Manifest &M, const Kernel &K, WarpDevice &Device)
      : M(M), K(K), Device(Device), R(seedOf(K.Name)) {}

  Outcome run();

private:
  const Kernel *need(const std::string &Family,
                     const std::map<std::string, std::string> &Fields);
  /// A kernel that stands for all loads, or stores, of a matrix.
  const Kernel *usual(const std::string &Role, const std::string &Type,
                      const std::string &Layout);
  bool load(const Kernel &Load, const std::vector<Elements> &Matrices,
            FragmentImage &Result);
  bool multiply(const Kernel &Mma, const FragmentImage &A,
                const FragmentImage &B, const FragmentImage &C,
                FragmentImage &D);
  bool store(const Kernel &Store, const FragmentImage &D,
             std::vector<std::vector<uint32_t>> &Images);

  void testProduct(const Kernel *LoadA, const Kernel *LoadB,
                   const Kernel *LoadC, const Kernel *Mma, const Kernel *Store);
  void testRoundTrip(const Kernel *Load, const Kernel *Store);
  void check(const Kernel &Store, unsigned Problem, const std::string &Kind,
             const Elements &Expected, const std::vector<uint32_t> &Image,
             Outcome &Into);
  std::string observeChain(const Kernel &Store, const Multiplication &What,
                           const std::vector<ProblemKind> &Kinds,
                           std::vector<Operands> &Problems,
                           const std::vector<std::vector<uint32_t>> &Images);

  const Manifest &M;
  const Kernel &K;
  WarpDevice &Device;
  Random R;
  Outcome Result;
};

} // namespace

const Kernel *WmmaTest::need(const std::string &Family,
                             const std::map<std::string, std::string> &Fields) {
  const Kernel *Found = M.find(Family, Fields);
  if (!Found && Result.Fault.empty()) {
    Result.Fault = "the manifest lists no " + Family + " with";
    for (const auto &[Key, Value] : Fields)
      Result.Fault += " " + Key + "=" + Value;
  }
  return Found;
}

const Kernel *WmmaTest::usual(const std::string &Role, const std::string &Type,
                              const std::string &Layout) {
  return need(Role == "d" ? "wmma.store" : "wmma.load",
              {{"shape", K.field("shape")},
               {"role", Role},
               {"type", Type},
               {"layout", Layout},
               {"space", "global"},
               {"stride", "1"}});
}

bool WmmaTest::load(const Kernel &Load, const std::vector<Elements> &Matrices,
                    FragmentImage &Fragment) {
  unsigned Problems = Matrices.size();
  Launch L(Load, Problems);
  for (unsigned Problem = 0; Problem != Problems; ++Problem) {
    MemoryLayout Layout(Load, Problem);
    for (unsigned Word = 0; Word != ImageWords; ++Word)
      L.in(Problem)[Word] = static_cast<uint32_t>(R.bits());
    for (unsigned Row = 0; Row != Layout.rows(); ++Row)
      for (unsigned Column = 0; Column != Layout.columns(); ++Column)
        Layout.write(L.in(Problem), Row, Column,
                     Matrices[Problem][Row * Layout.columns() + Column]);
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      L.setParameters(Problem, Thread, Layout.parameters());
  }
  if (!Result.launch(L, Device))
    return false;
  Fragment.Words = Load.outWords();
  Fragment.Registers.assign(L.out(0), L.out(Problems));
  return true;
}

bool WmmaTest::multiply(const Kernel &Mma, const FragmentImage &A,
                        const FragmentImage &B, const FragmentImage &C,
                        FragmentImage &D) {
  if (A.Words + B.Words + C.Words != Mma.inWords()) {
    Result.Fault = "the fragments' registers are not those of wmma.mma";
    return false;
  }
  unsigned Problems = A.Registers.size() / (WarpThreads * A.Words);
  Launch L(Mma, Problems);
  for (unsigned Problem = 0; Problem != Problems; ++Problem)
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread) {
      uint32_t *To = L.in(Problem) + Thread * L.inStride();
      for (const FragmentImage *F : {&A, &B, &C}) {
        std::memcpy(To, F->of(Problem, Thread), F->Words * sizeof(uint32_t));
        To += F->Words;
      }
    }
  if (!Result.launch(L, Device))
    return false;
  D.Words = Mma.outWords();
  D.Registers.assign(L.out(0), L.out(Problems));
  return true;
}

bool WmmaTest::store(const Kernel &Store, const FragmentImage &D,
                     std::vector<std::vector<uint32_t>> &Images) {
  if (D.Words != Store.inWords()) {
    Result.Fault = "the fragment's registers are not those of wmma.store";
    return false;
  }
  unsigned Problems = D.Registers.size() / (WarpThreads * D.Words);
  Launch L(Store, Problems);
  for (unsigned Problem = 0; Problem != Problems; ++Problem)
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread) {
      std::memcpy(L.in(Problem) + Thread * L.inStride(), D.of(Problem, Thread),
                  D.Words * sizeof(uint32_t));
      L.setParameters(Problem, Thread,
                      MemoryLayout(Store, Problem).parameters());
    }
  if (!Result.launch(L, Device))
    return false;
  for (unsigned Problem = 0; Problem != Problems; ++Problem)
    Images.emplace_back(L.out(Problem), L.out(Problem) + ImageWords);
  return true;
}

/// Compares all elements, and that what is none is still poisoned.
void WmmaTest::check(const Kernel &Store, unsigned Problem,
                     const std::string &Kind, const Elements &Expected,
                     const std::vector<uint32_t> &Image, Outcome &Into) {
  MemoryLayout Layout(Store, Problem);
  std::string What = "problem " + std::to_string(Problem) + " (" + Kind + "), ";
  std::vector<uint32_t> Rest = Image;
  for (unsigned Row = 0; Row != Layout.rows(); ++Row)
    for (unsigned Column = 0; Column != Layout.columns(); ++Column) {
      unsigned Bit = Layout.bit(Row, Column);
      uint64_t Want = Expected[Row * Layout.columns() + Column];
      uint64_t Got = Layout.read(Image.data(), Row, Column);
      Into.compare(Want, Got, [&] {
        return What + "row " + std::to_string(Row) + ", column " +
               std::to_string(Column) + " of D = byte " +
               std::to_string(Bit / 8) + " of memory (fragments are opaque): " +
               expectedAndGot(Layout.type(), Want, Got);
      });
      uint64_t Poison = Launch::Poison | uint64_t(Launch::Poison) << 32;
      Layout.write(Rest.data(), Row, Column, Poison >> Bit % 32);
    }
  for (unsigned Word = 0; Word != ImageWords; ++Word)
    if (Rest[Word] != Launch::Poison && Into.Fault.empty())
      Into.Fault = What + "write to byte " + std::to_string(4 * Word) +
                   " of memory, where no element belongs";
}

static Elements encodeAll(Element Type, const WarpMatrix &Matrix) {
  Elements Bits;
  for (double Value : Matrix.Values)
    Bits.push_back(encodeExactly(Type, Value));
  return Bits;
}

/// Expects what came out where that is right, too.
static void allowWhatMayDiffer(const Operands &O, ProblemKind Kind,
                               const MemoryLayout &Layout,
                               const std::vector<uint32_t> &Image,
                               LenientCheck &Lenient, Elements &Expected) {
  for (unsigned Row = 0; Row != Layout.rows(); ++Row)
    for (unsigned Column = 0; Column != Layout.columns(); ++Column) {
      uint64_t Got = Layout.read(Image.data(), Row, Column);
      if (Lenient.accepts(O, Kind, Row, Column, decode(Layout.type(), Got)))
        Expected[Row * Layout.columns() + Column] = Got;
    }
}

std::string
WmmaTest::observeChain(const Kernel &Store, const Multiplication &What,
                       const std::vector<ProblemKind> &Kinds,
                       std::vector<Operands> &Problems,
                       const std::vector<std::vector<uint32_t>> &Images) {
  for (const ChainOrder &Order : chainOrders(What.Shape.K)) {
    Outcome Trial;
    for (unsigned Problem = 0; Problem != Kinds.size(); ++Problem) {
      if (Kinds[Problem] != ProblemKind::Chain)
        continue;
      const Operands &O = Problems[Problem];
      WarpMatrix D = fusedMultiplyAdds(O.A, O.B, O.C, What.R, Order.K);
      check(Store, Problem, name(Kinds[Problem]), encodeAll(What.D, D),
            Images[Problem], Trial);
    }
    if (Trial.passed())
      return "fused multiply-adds one after the other, " + Order.Name;
  }
  return "no order of fused multiply-adds that was tried gives this sum";
}

void WmmaTest::testProduct(const Kernel *LoadA, const Kernel *LoadB,
                           const Kernel *LoadC, const Kernel *Mma,
                           const Kernel *Store) {
  if (!LoadA || !LoadB || !LoadC || !Mma || !Store)
    return;
  Multiplication What(*Mma);
  std::vector<ProblemKind> Kinds = problemKinds(What, /*Ordered=*/false);
  std::vector<Operands> Problems;
  std::vector<Elements> AMatrices, BMatrices, CMatrices;
  for (ProblemKind Kind : Kinds) {
    Problems.emplace_back(What, Kind, R);
    AMatrices.push_back(encodeAll(What.A, Problems.back().A));
    BMatrices.push_back(encodeAll(What.B, Problems.back().B));
    CMatrices.push_back(encodeAll(What.C, Problems.back().C));
  }
  FragmentImage A, B, C, D;
  std::vector<std::vector<uint32_t>> Images;
  if (!load(*LoadA, AMatrices, A) || !load(*LoadB, BMatrices, B) ||
      !load(*LoadC, CMatrices, C) || !multiply(*Mma, A, B, C, D) ||
      !store(*Store, D, Images))
    return;
  LenientCheck Lenient(What);
  for (unsigned Problem = 0; Problem != Kinds.size(); ++Problem) {
    const Operands &O = Problems[Problem];
    Elements Expected = encodeAll(What.D, O.D);
    if (isLenient(Kinds[Problem]))
      allowWhatMayDiffer(O, Kinds[Problem], MemoryLayout(*Store, Problem),
                         Images[Problem], Lenient, Expected);
    check(*Store, Problem, name(Kinds[Problem]), Expected, Images[Problem],
          Result);
  }
  // Of loads and stores there is nothing to tell.
  if (K.Family != "wmma.mma")
    return;
  Result.Rounding = Lenient.roundedSums();
  Result.addNote(Lenient.subnormalInputs());
  if (What.D == Element::f64)
    Result.addNote(observeChain(*Store, What, Kinds, Problems, Images));
}

void WmmaTest::testRoundTrip(const Kernel *Load, const Kernel *Store) {
  if (!Load || !Store)
    return;
  // As many as are needed for all strides, starts and spaces.
  std::vector<Elements> Matrices(24);
  MemoryLayout Layout(*Load, 0);
  uint64_t Mask = ~uint64_t(0) >> (64 - bitWidth(Layout.type()));
  for (Elements &Matrix : Matrices)
    for (unsigned Index = 0; Index != Layout.rows() * Layout.columns(); ++Index)
      Matrix.push_back(R.bits() & Mask);
  FragmentImage Fragment;
  std::vector<std::vector<uint32_t>> Images;
  if (!load(*Load, Matrices, Fragment) || !store(*Store, Fragment, Images))
    return;
  for (unsigned Problem = 0; Problem != Matrices.size(); ++Problem)
    check(*Store, Problem, "load, store", Matrices[Problem], Images[Problem],
          Result);
}

Outcome WmmaTest::run() {
  const std::string &Shape = K.field("shape");
  if (K.Family == "wmma.mma") {
    testProduct(usual("a", K.field("a"), K.field("alayout")),
                usual("b", K.field("b"), K.field("blayout")),
                usual("c", K.field("c"), "row"), &K,
                usual("d", K.field("d"), "row"));
    return Result;
  }
  const std::string &Role = K.field("role");
  const std::string &Type = K.field("type");
  if (Role == "c") {
    testRoundTrip(&K, usual("d", Type, "row"));
  } else if (Role == "d") {
    testRoundTrip(usual("c", Type, "row"), &K);
  } else if (const Kernel *Mma =
                 need("wmma.mma", {{"shape", Shape},
                                   {Role, Type},
                                   {Role + "layout", K.field("layout")}})) {
    const Kernel *C = usual("c", Mma->field("c"), "row");
    const Kernel *D = usual("d", Mma->field("d"), "row");
    if (Role == "a")
      testProduct(&K, usual("b", Type, Mma->field("blayout")), C, Mma, D);
    else
      testProduct(usual("a", Type, Mma->field("alayout")), &K, C, Mma, D);
  }
  return Result;
}

Outcome devicetest::testWmma(const Manifest &M, const Kernel &K,
                             WarpDevice &Device) {
  return WmmaTest(M, K, Device).run();
}
