//===- SparseProbeTest.cpp - Would the probe notice another layout? -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseProbe.h"
#include "FakeDevice.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace devicetest;

namespace {

/// Where the results are wide enough for all of K, each takes one launch less.
Instruction instruction(Form Source, Element A, unsigned Selector = 0) {
  Element D = isInteger(A) ? Element::s32 : Element::f32;
  Instruction I = {/*Sparse=*/true, Source, D, A, A, /*N=*/8};
  I.N = I.shape().K;
  I.Selector = Selector;
  return I;
}

struct Probed {
  int Status;
  std::string Out;

  bool says(const std::string &Text) const {
    return Out.find(Text) != std::string::npos;
  }
};

Probed probed(FakeDevice &Device, const Instruction &I) {
  std::ostringstream Out;
  ExitCode Status = probeSparse({I, {"single", 1, 1}, nullptr}, Device, Out);
  return {Status, Out.str()};
}

} // namespace

/// Each type of A, and each width of it from shared memory and from registers.
TEST(SparseProbe, FindsWhatTheModelSays) {
  std::vector<Instruction> Instructions;
  for (Element A : {Element::f16, Element::tf32})
    for (unsigned Selector : {0, 1})
      for (Form Source : {Form::SS, Form::RS})
        Instructions.push_back(instruction(Source, A, Selector));
  for (Element A : {Element::e5m2, Element::u8})
    Instructions.push_back(instruction(Form::SS, A));
  for (Element A : {Element::bf16, Element::e4m3, Element::s8})
    Instructions.push_back(instruction(Form::RS, A));

  for (const Instruction &I : Instructions) {
    FakeDevice Device;
    Probed P = probed(Device, I);
    EXPECT_EQ(P.Status, Passed) << P.Out;
    EXPECT_TRUE(P.says(I.name() + ": metadata, selector " +
                       std::to_string(I.Selector) + ": as modelled, " +
                       (bitWidth(I.A) > 8 ? "512" : "1024") +
                       " of 1024 nibbles have an effect\n"))
        << P.Out;
    EXPECT_TRUE(P.says(bitWidth(I.A) == 32 ? "4 14: as modelled, 1024 chunks\n"
                       : bitWidth(I.A) == 16
                           ? "4 8 9 12 13 14: as modelled, 3072 chunks\n"
                           : "4 8 9 12 13 14: as modelled, 6144 chunks\n"))
        << P.Out;
    EXPECT_EQ(P.says("A in registers: as modelled, " +
                     std::to_string(16384 / bitWidth(I.A)) + " elements\n"),
              I.Source == Form::RS)
        << P.Out;
    EXPECT_FALSE(P.says("not as modelled")) << P.Out;
  }
}

/// What does not concern the layouts of metadata and registers is no matter: a
/// sign, other layouts of shared memory, results that show a part of K only.
TEST(SparseProbe, TakesAnyImmediatesAndN) {
  for (unsigned N : {8, 24}) {
    Instruction I = instruction(Form::SS, Element::f16);
    I.N = N;
    I.ScaleA = -1;
    I.TransA = I.TransB = true;
    I.D = Element::f16;
    FakeDevice Device;
    Probed P = probed(Device, I);
    EXPECT_EQ(P.Status, Passed) << P.Out;
    EXPECT_EQ(Device.Launches % ((32 + N - 1) / N), 0u);
  }
}

TEST(SparseProbe, FindsMetadataOfAnotherThread) {
  for (Form Source : {Form::SS, Form::RS})
    for (Element A : {Element::bf16, Element::tf32}) {
      FakeDevice Device;
      Device.MoveMetadata = [](RegisterPlace &P) { P.Thread ^= 4; };
      Probed P = probed(Device, instruction(Source, A));
      EXPECT_EQ(P.Status, Failed);
      EXPECT_TRUE(P.says(": not as modelled, ")) << P.Out;
      EXPECT_TRUE(P.says("  thread 0, nibble 0: row 1, columns 0 1"));
      EXPECT_TRUE(P.says("; modelled: row 0, columns 0 1"));
      EXPECT_TRUE(P.says(" 14: as modelled, ")) << P.Out;
    }
}

/// The list has an end.
TEST(SparseProbe, FindsMetadataOfAnotherNibble) {
  FakeDevice Device;
  Device.MoveMetadata = [](RegisterPlace &P) { P.Index ^= 1; };
  Probed P = probed(Device, instruction(Form::SS, Element::f16, 1));
  EXPECT_EQ(P.Status, Failed);
  EXPECT_TRUE(P.says(
      "metadata, selector 1: not as modelled, 512 differ, 512 of 1024 nibbles "
      "have an effect\n"
      "  thread 2, nibble 0: row 0, columns 4 5 6 7; modelled: row 0, columns "
      "0 1 2 3\n"))
      << P.Out;
  EXPECT_TRUE(P.says("  thread 3, nibble 7: row 8, columns 24 25 26 27; "
                     "modelled: row 8, columns 28 29 30 31\n  ...\n"
                     "sp.ss.f32.f16.f16.n32.sel1: kept elements"))
      << P.Out;
}

TEST(SparseProbe, FindsAnotherSelector) {
  FakeDevice Device;
  Device.Miscompile = [](Instruction &I) { I.Selector = 1; };
  Probed P = probed(Device, instruction(Form::RS, Element::tf32));
  EXPECT_EQ(P.Status, Failed);
  EXPECT_TRUE(
      P.says("  thread 0, nibble 0: nothing; modelled: row 0, columns 0 1\n"))
      << P.Out;
  EXPECT_TRUE(P.says("1024 differ, 512 of 1024 nibbles have an effect"))
      << P.Out;
}

TEST(SparseProbe, FindsSwappedIndices) {
  for (Form Source : {Form::SS, Form::RS}) {
    FakeDevice Device;
    Device.Nibble = [](uint32_t N) { return N >> 2 | (N & 3) << 2; };
    Probed P = probed(Device, instruction(Source, Element::f16));
    EXPECT_EQ(P.Status, Failed);
    // The columns are the same ones.
    EXPECT_TRUE(P.says("metadata, selector 0: as modelled")) << P.Out;
    EXPECT_TRUE(P.says(
        Source == Form::SS
            ? "  nibble 4, row 0, columns from 0: byte 2, byte 0, -, -; "
              "modelled: byte 0, byte 2, -, -\n"
            : "  nibble 4, row 0, columns from 0: thread 0 register 0 element "
              "1, thread 0 register 0 element 0, -, -; modelled: thread 0 "
              "register 0 element 0, thread 0 register 0 element 1, -, -\n"))
        << P.Out;
    EXPECT_EQ(P.says("A in registers: not as modelled, 1024 differ"),
              Source == Form::RS);
  }
}

/// One nibble of the six.
TEST(SparseProbe, FindsAnotherMeaningOfANibble) {
  FakeDevice Device;
  Device.Nibble = [](uint32_t N) { return N == 9 ? 13 : N; };
  Probed P = probed(Device, instruction(Form::SS, Element::s8));
  EXPECT_EQ(P.Status, Failed);
  EXPECT_TRUE(P.says("kept elements, nibbles 4 8 9 12 13 14: not as modelled, "
                     "1024 differ, 6144 chunks\n"
                     "  nibble 9, row 0, columns from 0: -, byte 0, -, byte 1; "
                     "modelled: -, byte 0, byte 1, -\n"))
      << P.Out;
}

TEST(SparseProbe, FindsRegistersInAnotherOrder) {
  for (Element A : {Element::bf16, Element::tf32, Element::u8}) {
    FakeDevice Device;
    Device.MoveFragment = [](RegisterPlace &P) { P.Register ^= 1; };
    Probed P = probed(Device, instruction(Form::RS, A));
    EXPECT_EQ(P.Status, Failed);
    EXPECT_TRUE(P.says("metadata, selector 0: as modelled")) << P.Out;
    EXPECT_TRUE(P.says("A in registers: not as modelled, ")) << P.Out;
    EXPECT_TRUE(P.says("  thread 0 register 0 element 0: row 8, columns 0; "
                       "modelled: row 0, columns 0\n"))
        << P.Out;
  }
}

TEST(SparseProbe, IsPartOfTheDriversProbes) {
  std::ostringstream Out, Err;
  const char *const Arguments[] = {"program", "--probe"};
  FakeDevice Device;
  Device.MoveMetadata = [](RegisterPlace &P) { P.Thread ^= 8; };
  Instruction Sparse = instruction(Form::RS, Element::tf32), Dense = Sparse;
  Dense.Sparse = false;
  EXPECT_EQ(runTests({{Sparse, {"single", 1, 1}, {}}}, Device, 2, Arguments,
                     Out, Err),
            Failed);
  std::string Text = Out.str();
  EXPECT_NE(Text.find(Sparse.name() + ": B, descriptor 0x"), std::string::npos)
      << Text;
  EXPECT_NE(
      Text.find(Sparse.name() + ": metadata, selector 0: not as modelled"),
      std::string::npos)
      << Text;
  EXPECT_EQ(
      runTests({{Dense, {"single", 1, 1}, {}}}, Device, 2, Arguments, Out, Err),
      Passed);
}

TEST(SparseProbe, SaysWhatFailed) {
  FakeDevice Device;
  Device.LaunchError = "an illegal instruction was encountered";
  Probed P = probed(Device, instruction(Form::RS, Element::f16));
  EXPECT_EQ(P.Status, Failed);
  EXPECT_TRUE(P.says("sp.rs.f32.f16.f16.n32: an illegal instruction")) << P.Out;
}
