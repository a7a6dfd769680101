//===- HarnessTest.cpp - Would the device tests notice? -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the driver with an interpreter instead of a GPU: one that is right, and
// ones that are wrong in a single respect, which must be reported.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "Probe.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <sstream>

using namespace devicetest;

namespace {

constexpr Schedule Single = {"single", 1, 1};
constexpr Schedule Loop = {"loop", 6, 1};
constexpr Schedule TwoAccumulators = {"two-accumulators", 6, 2};

struct Types {
  bool Sparse;
  Element D, A, B;
};

const Types SparseTypes[] = {
    {true, Element::f16, Element::f16, Element::f16},
    {true, Element::f32, Element::f16, Element::f16},
    {true, Element::f32, Element::bf16, Element::bf16},
    {true, Element::f32, Element::tf32, Element::tf32},
    {true, Element::f16, Element::e4m3, Element::e4m3},
    {true, Element::f16, Element::e4m3, Element::e5m2},
    {true, Element::f16, Element::e5m2, Element::e4m3},
    {true, Element::f16, Element::e5m2, Element::e5m2},
    {true, Element::f32, Element::e4m3, Element::e4m3},
    {true, Element::f32, Element::e4m3, Element::e5m2},
    {true, Element::f32, Element::e5m2, Element::e4m3},
    {true, Element::f32, Element::e5m2, Element::e5m2},
    {true, Element::s32, Element::s8, Element::s8},
    {true, Element::s32, Element::s8, Element::u8},
    {true, Element::s32, Element::u8, Element::s8},
    {true, Element::s32, Element::u8, Element::u8},
};

/// The types of all instructions: dense ones have those of sparse ones, too.
const std::vector<Types> AllTypes = [] {
  std::vector<Types> All(std::begin(SparseTypes), std::end(SparseTypes));
  for (Types T : SparseTypes) {
    T.Sparse = false;
    All.push_back(T);
  }
  All.push_back({false, Element::s32, Element::b1, Element::b1});
  return All;
}();

Instruction instruction(Form Source, const Types &T, unsigned N = 24) {
  return {T.Sparse, Source, T.D, T.A, T.B, N};
}

struct Result {
  int Status;
  std::string Out, Err;

  bool mentions(const std::string &Text) const {
    return (Out + Err).find(Text) != std::string::npos;
  }
};

Result run(Backend &Device, const std::vector<DeviceTest> &Tests,
           std::vector<const char *> Args = {"--launches", "2"}) {
  std::ostringstream Out, Err;
  Args.insert(Args.begin(), "/some/where/program");
  int Status = runTests(Tests, Device, Args.size(), Args.data(), Out, Err);
  return {Status, Out.str(), Err.str()};
}

Result run(Backend &Device, const Instruction &I, const Schedule &S) {
  return run(Device, {{I, S, nullptr}});
}

/// The instructions with one type combination, each with other immediates.
std::vector<Instruction> variants(Form Source, const Types &T) {
  std::vector<Instruction> Result = {instruction(Source, T)};
  auto Add = [&](auto Change) {
    Result.push_back(instruction(Source, T));
    Change(Result.back());
  };
  if (T.A == Element::b1)
    return Result;
  if (isInteger(T.D)) {
    Add([](Instruction &I) { I.Satfinite = true; });
    return Result;
  }
  Add([](Instruction &I) { I.ScaleA = -1; });
  Add([](Instruction &I) { I.ScaleB = -1; });
  if (T.Sparse && bitWidth(T.A) > 8)
    Add([](Instruction &I) { I.Selector = 1; });
  if (bitWidth(T.A) == 16) {
    Add([](Instruction &I) { I.TransB = true; });
    if (Source == Form::SS)
      Add([](Instruction &I) { I.TransA = true; });
  }
  return Result;
}

uint64_t withoutBaseOffset(uint64_t Descriptor) {
  return Descriptor & ~(uint64_t(7) << 49);
}

bool negates(const Instruction &I) { return I.ScaleA * I.ScaleB < 0; }

TEST(Harness, AcceptsARightDevice) {
  FakeDevice Device;
  for (Form Source : {Form::SS, Form::RS})
    for (const Types &T : AllTypes)
      for (const Instruction &I : variants(Source, T))
        for (const Schedule &S : {Single, Loop, TwoAccumulators}) {
          if (I.Satfinite && S.Steps > 1)
            continue;
          Result R = run(Device, I, S);
          EXPECT_EQ(R.Status, Passed) << R.Out;
          EXPECT_TRUE(R.mentions("1 passed, 0 failed"));
        }
}

TEST(Harness, AcceptsTheExtremesOfN) {
  FakeDevice Device;
  for (unsigned N : {8, 256})
    for (const Types &T : AllTypes)
      EXPECT_EQ(run(Device, instruction(Form::SS, T, N), Single).Status,
                Passed);
}

TEST(Harness, NoticesAWrongSparsity) {
  for (Form Source : {Form::SS, Form::RS})
    for (const Types &T : SparseTypes)
      for (bool Sparse : {false, true}) {
        FakeDevice Device;
        Device.Miscompile = [&](Instruction &I) { I.Sparse = !Sparse; };
        Instruction I = instruction(Source, T);
        I.Sparse = Sparse;
        EXPECT_EQ(run(Device, I, Single).Status, Failed) << I.name();
      }
}

/// Every immediate matters: an instruction with another one gives other
/// results.
TEST(Harness, NoticesAnyWrongImmediate) {
  for (Form Source : {Form::SS, Form::RS})
    for (const Types &T : AllTypes) {
      std::vector<Instruction> All = variants(Source, T);
      for (size_t Right = 0; Right != All.size(); ++Right)
        for (size_t Wrong = 0; Wrong != All.size(); ++Wrong) {
          if (Right == Wrong || (negates(All[Right]) && negates(All[Wrong])))
            continue;
          FakeDevice Device;
          Device.Miscompile = [&](Instruction &I) { I = All[Wrong]; };
          EXPECT_EQ(run(Device, All[Right], Single).Status, Failed)
              << All[Wrong].name() << " passes for " << All[Right].name();
        }
    }
}

TEST(Harness, NoticesWrongTypes) {
  for (const Types &Right : AllTypes)
    for (const Types &Wrong : AllTypes) {
      bool Same = Right.A == Wrong.A && Right.B == Wrong.B;
      if (Same || Right.Sparse != Wrong.Sparse || Right.D != Wrong.D ||
          bitWidth(Right.A) != bitWidth(Wrong.A))
        continue;
      FakeDevice Device;
      Device.Miscompile = [&](Instruction &I) {
        I = instruction(Form::RS, Wrong);
      };
      EXPECT_EQ(run(Device, instruction(Form::RS, Right), Single).Status,
                Failed);
    }
}

/// The fields of A's and B's descriptors: the start, both offsets, the base
/// offset, the mode.
TEST(Harness, NoticesAnyWrongDescriptor) {
  for (const Types &T : AllTypes)
    for (bool OfA : {false, true})
      for (unsigned Bit : {3, 19, 35, 49, 50, 51, 62, 63}) {
        FakeDevice Device;
        Device.Descriptor = [&](bool IsA, uint64_t Descriptor) {
          return IsA == OfA ? Descriptor ^ uint64_t(1) << Bit : Descriptor;
        };
        Instruction I = instruction(Form::SS, T);
        EXPECT_EQ(run(Device, I, Single).Status, Failed)
            << I.name() << (OfA ? " A" : " B") << " bit " << Bit;
      }
}

/// In every swizzle, and nowhere else.
TEST(Harness, NoticesAnIgnoredBaseOffset) {
  for (const Types &T : AllTypes)
    for (const Instruction &I : variants(Form::SS, T))
      for (const Schedule &S : {Single, Loop})
        for (bool OfA : {false, true}) {
          bool Plain = I.name() == instruction(Form::SS, T).name();
          if (!Plain && (S.Steps > 1 || !(OfA ? I.TransA : I.TransB)))
            continue;
          FakeDevice Device;
          Device.Descriptor = [&](bool IsA, uint64_t Descriptor) {
            return IsA == OfA ? withoutBaseOffset(Descriptor) : Descriptor;
          };
          Result R = run(Device, I, S);
          EXPECT_EQ(R.Status, Failed);
          EXPECT_TRUE(R.mentions("elements are wrong, in"
                                 " (scale-d=0 shared=shifted swizzle=32)"
                                 " (scale-d=0 shared=shifted swizzle=64)"
                                 " (scale-d=0 shared=shifted swizzle=128)\n"))
              << R.Out;
        }
}

TEST(Harness, NoticesThatScaleDHasNoEffect) {
  for (const Types &T : AllTypes) {
    FakeDevice Device;
    Device.IgnoreScaleD = true;
    EXPECT_EQ(run(Device, instruction(Form::RS, T), Single).Status, Failed);
  }
}

TEST(Harness, NoticesAFragmentLoadedTooEarly) {
  for (const Types &T : AllTypes) {
    FakeDevice Device;
    Device.FragmentsAhead = 1;
    EXPECT_EQ(run(Device, instruction(Form::RS, T), Loop).Status, Failed);
  }
}

/// In a single step, too: its metadata differs from the next one's.
TEST(Harness, NoticesMetadataLoadedTooEarly) {
  constexpr Schedule TwoSteps = {"two-steps", 2, 1};
  for (Form Source : {Form::SS, Form::RS})
    for (const Types &T : SparseTypes)
      for (const Schedule &S : {TwoSteps, Loop}) {
        FakeDevice Device;
        EXPECT_EQ(run(Device, instruction(Source, T), S).Status, Passed);
        Device.MetadataAhead = 1;
        EXPECT_EQ(run(Device, instruction(Source, T), S).Status, Failed);
      }
}

TEST(Harness, SaysWhichElementIsWrong) {
  FakeDevice Device;
  // CTA 1, thread 37 = warp 1, group 1, second in it; register 5, high half:
  // elements 10 and 11 are columns 18 and 19 of the upper row.
  Device.Damage = [](Output &Out) {
    Out.Words[Out.offset() + (128 + 37) * 6 + 5] ^= 0x10000;
  };
  Result R = run(Device, instruction(Form::SS, SparseTypes[0]), Single);
  EXPECT_EQ(R.Status, Failed);
  EXPECT_TRUE(R.mentions(
      "CTA 1 (scale-d=0 shared=mn-first swizzle=none), accumulator 0, row "
      "25, column 19 = thread 37, register 5, bit 16"))
      << R.Out;
  EXPECT_TRUE(R.mentions("; 1 of 32256 elements are wrong, in (scale-d=0 "
                         "shared=mn-first swizzle=none)"))
      << R.Out;
  EXPECT_TRUE(R.mentions("0 passed, 1 failed"));
}

TEST(Harness, NoticesSumsOfTooLowAPrecision) {
  for (const Types &T : AllTypes) {
    if (isInteger(T.D))
      continue;
    // What is left is just too little for sums of so many numbers.
    bool Half = T.D == Element::f16;
    int Kept = Half ? 3 : bitWidth(T.A) == 8 ? 6 : 16;
    FakeDevice Device;
    Device.Round = [&](double Value) {
      return rounded(Value, {Kept, -126}, Rounding::Zero);
    };
    // Only in the problems whose sums round are there bits to lose.
    Result R = run(Device, instruction(Form::RS, T), Single);
    EXPECT_EQ(R.Status, Failed) << T.Sparse << name(T.D) << name(T.A);
    EXPECT_TRUE(R.mentions("numbers=rounded")) << R.Out;
  }
}

TEST(Harness, NoticesWhatBecomesOfInfinitiesAndNaNs) {
  using Limits = std::numeric_limits<double>;
  const std::function<double(double)> Faults[] = {
      [](double Value) {
        return std::isnan(Value) ? Limits::infinity() : Value;
      },
      [](double Value) {
        return std::isinf(Value) ? Limits::quiet_NaN() : Value;
      },
      [](double Value) { return std::isinf(Value) ? -Value : Value; },
      [](double Value) { return std::isinf(Value) ? 32768 : Value; }};
  for (const Types &T : AllTypes) {
    if (isInteger(T.D))
      continue;
    for (const auto &Fault : Faults) {
      FakeDevice Device;
      Device.Round = Fault;
      Result R = run(Device, instruction(Form::RS, T), Single);
      EXPECT_EQ(R.Status, Failed) << T.Sparse << name(T.D) << name(T.A);
      EXPECT_TRUE(R.mentions("numbers=special")) << R.Out;
      EXPECT_FALSE(R.mentions("numbers=subnormal")) << R.Out;
    }
  }
}

TEST(Harness, TellsWhatBecomesOfSubnormalInputs) {
  std::string File = testing::TempDir() + "nvptx-mma-harness-subnormal.json";
  for (bool Flush : {false, true})
    for (const Types &T : AllTypes) {
      if (isInteger(T.D))
        continue;
      FakeDevice Device;
      Device.FlushSubnormals = Flush;
      EXPECT_EQ(run(Device, {{instruction(Form::RS, T, 8), Single, nullptr}},
                    {"--json", File.c_str()})
                    .Status,
                Passed);
      std::ifstream In(File);
      std::string Text((std::istreambuf_iterator<char>(In)), {});
      const char *Note = Flush ? "\"note\": \"subnormal inputs are zero\""
                               : "\"note\": \"subnormal inputs count\"";
      EXPECT_TRUE(Text.find(Note) != std::string::npos) << Text;
    }
  std::remove(File.c_str());
}

TEST(Harness, NoticesAWrongSumOfSubnormalInputs) {
  FakeDevice Device;
  Device.Round = [](double Value) { return Value / 2; };
  EXPECT_TRUE(run(Device, instruction(Form::RS, SparseTypes[1]), Single)
                  .mentions("numbers=subnormal"));
}

TEST(Harness, AcceptsOtherRoundings) {
  for (Rounding Mode : {Rounding::Zero, Rounding::Minus, Rounding::Plus})
    for (const Types &T : AllTypes) {
      FakeDevice Device;
      Device.Round = [&](double Value) {
        return rounded(
            Value, T.D == Element::f16 ? HalfPrecision : SinglePrecision, Mode);
      };
      EXPECT_EQ(run(Device, instruction(Form::RS, T, 8), Single).Status,
                Passed);
    }
}

TEST(Harness, NoticesEveryDamagedWord) {
  Instruction I = instruction(Form::RS, SparseTypes[12], 8);
  size_t Words = Output(makeBatch(I, Single, 1), 12).Words.size();
  for (size_t Word = 0; Word < Words; Word += 61) {
    FakeDevice Device;
    Device.Damage = [&](Output &Out) { Out.Words[Word] ^= 1; };
    EXPECT_EQ(run(Device, I, Single).Status, Failed);
  }
}

TEST(Harness, NoticesWritesBesideTheOutput) {
  Instruction I = instruction(Form::RS, SparseTypes[1]);
  FakeDevice Device;
  Device.Damage = [](Output &Out) { Out.Words[Out.offset() - 1] = 0; };
  EXPECT_TRUE(run(Device, I, Single).mentions("1 words before the start"));
  Device.Damage = [](Output &Out) { Out.Words.back() = 0; };
  EXPECT_TRUE(run(Device, I, Single).mentions("1024 words past the end"));
}

TEST(Harness, NoticesAFaultInTheLastLaunchOnly) {
  FakeDevice Device;
  Device.Damage = [&](Output &Out) {
    if (Device.Launches == 5)
      Out.Words[Out.offset()] ^= 1;
  };
  std::vector<DeviceTest> Tests = {
      {instruction(Form::RS, SparseTypes[1]), Loop, {}}};
  EXPECT_EQ(run(Device, Tests, {"--launches", "4"}).Status, Passed);
  Device.Launches = 0;
  Result R = run(Device, Tests, {"--launches", "5"});
  EXPECT_EQ(R.Status, Failed);
  EXPECT_TRUE(R.mentions("launch 4, CTA 0"));
}

TEST(Harness, StopsAtAFailingDevice) {
  FakeDevice Device;
  Device.LaunchError = "an illegal instruction was encountered";
  DeviceTest T = {instruction(Form::RS, SparseTypes[1]), Single, nullptr};
  Result R = run(Device, {T, T, T});
  EXPECT_EQ(R.Status, Failed);
  EXPECT_EQ(Device.Launches, 1u);
  EXPECT_TRUE(R.mentions("FAILED: an illegal instruction was encountered"));
  EXPECT_TRUE(R.mentions("FAILED: not run"));
  EXPECT_TRUE(R.mentions("0 passed, 3 failed"));
}

TEST(Harness, IsSkippedWithoutADevice) {
  FakeDevice Device;
  Device.OpenError = "no GPU";
  Result R = run(Device, instruction(Form::RS, SparseTypes[1]), Single);
  EXPECT_EQ(R.Status, NoDevice);
  EXPECT_EQ(R.Out, "skipped: no GPU\n");
}

TEST(Harness, FiltersAndLists) {
  FakeDevice Device;
  std::vector<DeviceTest> Tests;
  for (const Types &T : AllTypes)
    Tests.push_back({instruction(Form::RS, T, 8), Single, nullptr});
  EXPECT_EQ(run(Device, Tests, {"--list", "tf32", "sp.rs.s32.s8", "b1"}).Out,
            "single/sp.rs.f32.tf32.tf32.n8\nsingle/sp.rs.s32.s8.s8.n8\n"
            "single/sp.rs.s32.s8.u8.n8\nsingle/rs.f32.tf32.tf32.n8\n"
            "single/rs.s32.b1.b1.and.popc.n8\n");
  EXPECT_EQ(Device.Launches, 0u);
  EXPECT_TRUE(run(Device, Tests, {"tf32"}).mentions("2 passed, 0 failed"));
  EXPECT_TRUE(run(Device, Tests, {"--help"}).mentions("Usage: program ["));
}

TEST(Harness, RejectsWrongUsage) {
  FakeDevice Device;
  std::vector<DeviceTest> Tests = {
      {instruction(Form::RS, SparseTypes[1]), Single, {}}};
  for (std::vector<const char *> Args :
       {std::vector<const char *>{"--frobnicate"},
        {"tf23"},
        {"--json"},
        {"--launches"},
        {"--launches", "0"},
        {"--launches", "3x"},
        {"--seed"},
        {"--seed", "-1"},
        {"--seed", "3x"}}) {
    Result R = run(Device, Tests, Args);
    EXPECT_EQ(R.Status, Usage) << Args[0];
    EXPECT_TRUE(R.mentions("program: "));
  }
  EXPECT_EQ(Device.Launches, 0u);
}

/// Where A and metadata of problems differ, so do results.
TEST(Harness, SeedsGiveOtherInputs) {
  auto Results = [](const char *Seed) {
    std::vector<uint32_t> Words;
    FakeDevice Device;
    Device.Damage = [&](Output &Out) { Words = Out.Words; };
    std::vector<DeviceTest> Tests = {
        {instruction(Form::RS, SparseTypes[1]), Single, {}}};
    EXPECT_EQ(run(Device, Tests, {"--seed", Seed}).Status, Passed);
    return Words;
  };
  EXPECT_EQ(Results("7"), Results("7"));
  EXPECT_NE(Results("7"), Results("8"));
  EXPECT_NE(Results("7"), Results("0"));
}

TEST(Harness, WritesRecords) {
  FakeDevice Device;
  std::string File = testing::TempDir() + "nvptx-mma-harness-test.json";
  std::vector<DeviceTest> Tests = {
      {instruction(Form::RS, SparseTypes[3]), Single, {}}};
  EXPECT_EQ(run(Device, Tests, {"--json", File.c_str()}).Status, Passed);
  std::ifstream In(File);
  std::string Text((std::istreambuf_iterator<char>(In)), {});
  // How the interpreter adds up is no concern of this test.
  std::string Sums = R"("worst_error": 0.0)";
  size_t Start = Text.find(Sums), End = Text.find("after 23 bits");
  ASSERT_TRUE(Start != std::string::npos && End != std::string::npos) << Text;
  Text.erase(Start + Sums.size(), End - Start - Sums.size());
  EXPECT_EQ(Text, R"([
{"name": "single/sp.rs.f32.tf32.tf32.n24", "parameters": {)"
                  R"("schedule": "single", "steps": 1, "sparse": true, )"
                  R"("a_source": "rs", "d": "f32", "a": "tf32", )"
                  R"("b": "tf32", "n": 24, "k": 16, "selector": 0, )"
                  R"("scale_a": 1, "scale_b": 1, "trans_a": false, )"
                  R"("trans_b": false, "satfinite": false, )"
                  R"("scale_d": [false, true], )"
                  R"("swizzles": ["none", "32", "64", "128"]}, )"
                  R"("passed": true, "elements_compared": 32256, "ctas": 21, )"
                  R"("launches": 1, "fault": "", )"
                  R"("rounded_sums": {"elements": 3072, )"
                  R"("worst_error": 0.0after 23 bits"}, )"
                  R"("note": "subnormal inputs count"}
]
)");
  std::remove(File.c_str());
  EXPECT_EQ(
      run(Device, Tests, {"--json", "/nonexistent/directory/file"}).Status,
      Failed);
}

/// Both matrices, of each type, as they are and transposed.
TEST(Probe, FindsWhatTheModelSays) {
  FakeDevice Device;
  for (const Types &T : AllTypes)
    for (Form Source : {Form::SS, Form::RS})
      for (const Instruction &I : variants(Source, T)) {
        bool Plain = I.name() == instruction(Source, T).name();
        if (!Plain && !I.TransA && !I.TransB)
          continue;
        std::ostringstream Out;
        EXPECT_EQ(probe({I, Single, nullptr}, Device, Out), Passed)
            << Out.str();
        Result R = {Passed, Out.str(), ""};
        EXPECT_FALSE(R.mentions("not as modelled")) << R.Out;
        EXPECT_TRUE(R.mentions("shared=gapped swizzle=128: as modelled"))
            << R.Out;
        EXPECT_TRUE(R.mentions("shared=shifted swizzle=32: as modelled"))
            << R.Out;
        EXPECT_FALSE(R.mentions("shared=shifted swizzle=none")) << R.Out;
      }
}

TEST(Probe, FindsAnotherPlace) {
  FakeDevice Device;
  // No swizzle where 128 bytes are meant.
  Device.Descriptor = [](bool, uint64_t Descriptor) {
    return Descriptor >> 62 == 1 ? Descriptor & ~(uint64_t(1) << 62)
                                 : Descriptor;
  };
  Result R = run(Device, {{instruction(Form::RS, SparseTypes[0]), Single, {}}},
                 {"--probe"});
  EXPECT_EQ(R.Status, Failed);
  EXPECT_TRUE(R.mentions("shared=k-first swizzle=64: as modelled")) << R.Out;
  // K = 32: four units of 16 bytes, a leading offset of 1024 bytes apart.
  EXPECT_TRUE(R.mentions("shared=k-first swizzle=128: not as modelled\n"
                         " found, in bytes\n"
                         "  n = 0: 0 1024 2048 3072\n"
                         "  n = 1: 16 1040 2064 3088\n"))
      << R.Out;
  EXPECT_TRUE(R.mentions(" modelled\n"
                         "  n = 0: 0 16 32 48\n"
                         "  n = 1: 144 128 176 160\n"))
      << R.Out;
}

TEST(Probe, FindsWhereAnIgnoredBaseOffsetLeads) {
  FakeDevice Device;
  Device.Descriptor = [](bool, uint64_t Descriptor) {
    return withoutBaseOffset(Descriptor);
  };
  Result R = run(Device, {{instruction(Form::RS, SparseTypes[0]), Single, {}}},
                 {"--probe"});
  EXPECT_EQ(R.Status, Failed);
  EXPECT_TRUE(R.mentions("shared=gapped swizzle=128: as modelled")) << R.Out;
  EXPECT_TRUE(R.mentions("shared=shifted swizzle=32: not as modelled"))
      << R.Out;
  EXPECT_TRUE(R.mentions("shared=shifted swizzle=64: not as modelled"))
      << R.Out;
  // Rows 3 and 4 of the pattern take the place of rows 0 and 1.
  EXPECT_TRUE(R.mentions("descriptor 0x4006004000400018, "
                         "shared=shifted swizzle=128: not as modelled\n"
                         " found, in bytes\n"
                         "  n = 0: 432 416 400 384\n"
                         "  n = 1: 576 592 608 624\n"))
      << R.Out;
  EXPECT_TRUE(R.mentions(" modelled\n"
                         "  n = 0: 384 400 416 432\n"
                         "  n = 1: 528 512 560 544\n"))
      << R.Out;
}

TEST(Probe, SaysWhatFailed) {
  FakeDevice Device;
  Device.LaunchError = "an illegal instruction was encountered";
  Result R = run(Device, {{instruction(Form::RS, SparseTypes[0]), Single, {}}},
                 {"--probe"});
  EXPECT_EQ(R.Status, Failed);
  EXPECT_TRUE(R.mentions("illegal instruction"));
}

TEST(Batch, IsReproducible) {
  Instruction I = instruction(Form::SS, SparseTypes[0]);
  Batch First = makeBatch(I, Loop, 1), Second = makeBatch(I, Loop, 1);
  EXPECT_EQ(First.Expected, Second.Expected);
  EXPECT_EQ(First.Shared, Second.Shared);
  EXPECT_NE(First.Expected, makeBatch(I, Loop, 2).Expected);
}

TEST(Batch, ReachesBothEndsOfTheIntegerRange) {
  for (const Types &T : AllTypes) {
    if (!isInteger(T.D) || T.A == Element::b1)
      continue;
    Instruction I = instruction(Form::RS, T, 8);
    I.Satfinite = true;
    size_t AtMax = 0, AtMin = 0;
    for (uint32_t Value : makeBatch(I, Single, 1).Expected) {
      AtMax += Value == 0x7FFFFFFF;
      AtMin += Value == 0x80000000;
    }
    EXPECT_GT(AtMax, 50u);
    if (T.A == Element::s8 || T.B == Element::s8)
      EXPECT_GT(AtMin, 50u);
  }
}

} // namespace
