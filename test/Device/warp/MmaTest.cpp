//===- MmaTest.cpp - Tests of mma and mma.sp ------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "LenientCheck.h"
#include "MmaOperands.h"

using namespace devicetest;

namespace {

class MmaTest {
public:
  MmaTest(const Kernel &K, WarpDevice &Device)
      : K(K), Device(Device), M(K), Registers(M, K),
        Kinds(problemKinds(M, K.flag("ordered"))), L(K, Kinds.size()),
        R(seedOf(K.Name)), Lenient(M) {}

  Outcome run();

private:
  /// An element of D, as the CTA gave it.
  uint64_t got(unsigned Cta, unsigned Thread, unsigned Index) {
    return Registers.D.read(L.out(Cta), K.outWords(), Thread, Index);
  }
  std::string describe(unsigned Cta, unsigned Thread, unsigned Index,
                       uint64_t Expected);
  /// Bit for bit, or up to what the ISA leaves open.
  void check(unsigned Cta, bool MayDiffer, Outcome &Result);
  bool agrees(ProblemKind Kind, const ChainOrder *Order);
  std::string observe(ProblemKind Kind);

  const Kernel &K;
  WarpDevice &Device;
  Multiplication M;
  MmaRegisters Registers;
  std::vector<ProblemKind> Kinds; ///< One for each CTA.
  Launch L;
  Random R;
  std::vector<std::vector<Operands>> Problems; ///< [CTA][computation]
  LenientCheck Lenient;
};

} // namespace

std::string MmaTest::describe(unsigned Cta, unsigned Thread, unsigned Index,
                              uint64_t Expected) {
  WarpPosition P = Registers.D.position(Thread, Index);
  WarpPlace Place = Registers.D.place(Thread, Index);
  std::string Computation;
  if (Registers.D.computations() > 1)
    Computation = "computation " + std::to_string(P.Computation + 1) + ", ";
  return "problem " + std::to_string(Cta) + " (" + name(Kinds[Cta]) + "), " +
         Computation + "row " + std::to_string(P.Row) + ", column " +
         std::to_string(P.Column) + " of D = thread " + std::to_string(Thread) +
         ", register " + std::to_string(Place.Register) + ", bit " +
         std::to_string(Place.Bit) + ": " +
         expectedAndGot(M.D, Expected, got(Cta, Thread, Index));
}

void MmaTest::check(unsigned Cta, bool MayDiffer, Outcome &Result) {
  for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
    for (unsigned Index = 0; Index != Registers.D.elements(); ++Index) {
      WarpPosition P = Registers.D.position(Thread, Index);
      const Operands &O = Problems[Cta][P.Computation];
      uint64_t Expected = encodeExactly(M.D, O.D.at(P.Row, P.Column));
      uint64_t Got = got(Cta, Thread, Index);
      if (MayDiffer &&
          Lenient.accepts(O, Kinds[Cta], P.Row, P.Column, decode(M.D, Got)))
        Expected = Got;
      Result.compare(Expected, Got,
                     [&] { return describe(Cta, Thread, Index, Expected); });
    }
}

/// Whether all problems of a kind came out as the model says, with another
/// order of the sum if there is one.
bool MmaTest::agrees(ProblemKind Kind, const ChainOrder *Order) {
  Outcome Trial;
  for (unsigned Cta = 0; Cta != Kinds.size(); ++Cta) {
    if (Kinds[Cta] != Kind)
      continue;
    Operands &O = Problems[Cta][0];
    if (Order)
      O.D = fusedMultiplyAdds(O.A, O.B, O.C, M.R, Order->K);
    check(Cta, /*MayDiffer=*/false, Trial);
  }
  return Trial.Wrong == 0;
}

std::string MmaTest::observe(ProblemKind Kind) {
  if (Kind == ProblemKind::DescendingMetadata)
    return agrees(Kind, nullptr) ? "descending indices are obeyed"
                                 : "descending indices are not obeyed";
  for (const ChainOrder &Order : chainOrders(M.Shape.K))
    if (agrees(Kind, &Order))
      return "fused multiply-adds one after the other, " + Order.Name;
  return "no order of fused multiply-adds that was tried gives this sum";
}

Outcome MmaTest::run() {
  Outcome Result;
  if (Registers.words() != K.inWords() || Registers.D.words() != K.outWords()) {
    Result.Fault = "the kernel has other registers than the model";
    return Result;
  }
  for (unsigned Cta = 0; Cta != Kinds.size(); ++Cta) {
    Problems.emplace_back();
    for (unsigned Index = 0; Index != Registers.D.computations(); ++Index)
      Problems.back().emplace_back(M, Kinds[Cta], R);
    for (size_t Word = 0; Word != K.inRecord(); ++Word)
      L.in(Cta)[Word] = static_cast<uint32_t>(R.bits());
    Registers.write(Problems.back(), L.in(Cta));
  }
  if (!Result.launch(L, Device))
    return Result;

  for (unsigned Cta = 0; Cta != Kinds.size(); ++Cta)
    if (!isOpen(Kinds[Cta]))
      check(Cta, isLenient(Kinds[Cta]), Result);
  for (unsigned Cta = 1; Cta != Kinds.size(); ++Cta)
    if (isNoted(Kinds[Cta]) && Kinds[Cta - 1] != Kinds[Cta])
      Result.addNote(observe(Kinds[Cta]));
  Result.Rounding = Lenient.roundedSums();
  Result.addNote(Lenient.subnormalInputs());
  return Result;
}

Outcome devicetest::testMma(const Kernel &K, WarpDevice &Device) {
  return MmaTest(K, Device).run();
}
