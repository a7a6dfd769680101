//===- SparseProbeTest.cpp - Would the probe notice another layout? -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseProbe.h"
#include "FakeWarpDevice.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace devicetest;

namespace {

/// mma.sp as make_kernels.py describes it, with accumulators of 32 bits.
Kernel kernel(const std::string &Type, unsigned K, unsigned Selector = 0) {
  Element A = *elementNamed(Type);
  std::string D = isInteger(A) ? "s32" : "f32";
  // The kept half of 16 x K elements, and K x 8.
  unsigned WordsOfAAndB = 2 * K * 8 * bitWidth(A) / 32 / WarpThreads;
  return {"kernel",
          "module",
          "mma.sp",
          "mma.sp",
          {{"kind", "registers"},
           {"shape", "m16n8k" + std::to_string(K)},
           {"alayout", "row"},
           {"blayout", "col"},
           {"a", Type},
           {"b", Type},
           {"c", D},
           {"d", D},
           {"satfinite", "0"},
           {"rnd", "none"},
           {"bitop", "none"},
           {"selector", std::to_string(Selector)},
           {"in_words", std::to_string(WordsOfAAndB + 5)},
           {"out_words", "4"}}};
}

struct Probed {
  ProbeOutcome Outcome;
  std::string Out;

  bool says(const std::string &Text) const {
    return Out.find(Text) != std::string::npos;
  }
};

Probed probed(const Kernel &K, WarpFault Fault = WarpFault::None) {
  std::ostringstream Out;
  FakeWarpDevice Device(Fault);
  ProbeOutcome Outcome = probeSparse(K, Device, Out);
  return {Outcome, Out.str()};
}

} // namespace

/// The selectors of each shape together have all nibbles.
TEST(WarpSparseProbe, FindsWhatTheModelSays) {
  struct {
    const char *Type;
    unsigned K, Effective, Chunks, Elements;
  } const Expected[] = {
      {"f16", 16, 64, 384, 128}, {"bf16", 32, 128, 768, 256},
      {"tf32", 8, 64, 128, 64},  {"tf32", 16, 128, 256, 128},
      {"s8", 32, 128, 768, 256}, {"e4m3", 64, 256, 1536, 512},
      {"u4", 64, 128, 768, 512}, {"s4", 128, 256, 1536, 1024},
  };
  for (const auto &E : Expected) {
    unsigned Selector = 256 / E.Effective - 1;
    Probed P = probed(kernel(E.Type, E.K, Selector));
    EXPECT_EQ(P.Outcome, ProbeOutcome::AsModelled) << P.Out;
    std::string Nibbles =
        E.Type == std::string("tf32") ? " 4 14" : " 4 8 9 12 13 14";
    EXPECT_EQ(P.Out, "kernel: metadata, selector " + std::to_string(Selector) +
                         ": as modelled, " + std::to_string(E.Effective) +
                         " of 256 nibbles have an effect\n"
                         "kernel: kept elements, nibbles" +
                         Nibbles + ": as modelled, " +
                         std::to_string(E.Chunks) +
                         " chunks\n"
                         "kernel: A in registers: as modelled, " +
                         std::to_string(E.Elements) + " elements\n");
  }
}

TEST(WarpSparseProbe, FindsOtherMetadata) {
  for (const Kernel &K :
       {kernel("f16", 32), kernel("tf32", 16, 1), kernel("u8", 32)}) {
    for (WarpFault Fault :
         {WarpFault::MetadataOfOtherThread, WarpFault::MetadataOfOtherNibble}) {
      Probed P = probed(K, Fault);
      EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
      EXPECT_TRUE(P.says("not as modelled, 128 differ, 128 of 256 nibbles"))
          << P.Out;
      EXPECT_TRUE(P.says("A in registers: as modelled")) << P.Out;
    }
    Probed P = probed(K, WarpFault::OtherSelector);
    EXPECT_TRUE(P.says("not as modelled, 256 differ, 128 of 256 nibbles"))
        << P.Out;
    P = probed(K, WarpFault::IgnoresMetadata);
    EXPECT_TRUE(P.says("not as modelled, 128 differ, 0 of 256 nibbles"))
        << P.Out;
  }
  EXPECT_TRUE(
      probed(kernel("s4", 64), WarpFault::MetadataOfOtherNibble)
          .says("  thread 0, nibble 0: row 0, columns 8 9 10 11 12 13 14 15; "
                "modelled: row 0, columns 0 1 2 3 4 5 6 7\n"));
}

TEST(WarpSparseProbe, FindsSwappedIndices) {
  Probed P = probed(kernel("bf16", 16), WarpFault::IndicesSwapped);
  EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
  EXPECT_TRUE(P.says("metadata, selector 0: as modelled")) << P.Out;
  EXPECT_TRUE(
      P.says("  nibble 4, row 0, columns from 0: thread 0 register 0 element "
             "1, thread 0 register 0 element 0, -, -; modelled: thread 0 "
             "register 0 element 0, thread 0 register 0 element 1, -, -\n"))
      << P.Out;
  // Pairs of elements have an index.
  P = probed(kernel("u4", 64), WarpFault::IndicesSwapped);
  EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
  EXPECT_TRUE(P.says("columns from 0: thread 0 register 0 element 2, thread 0 "
                     "register 0 element 3, thread 0 register 0 element 0, "))
      << P.Out;
}

TEST(WarpSparseProbe, FindsRegistersInAnotherOrder) {
  for (const Kernel &K :
       {kernel("f16", 32), kernel("tf32", 8, 3), kernel("s4", 64)}) {
    Probed P = probed(K, WarpFault::RegistersOfASwapped);
    EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
    EXPECT_TRUE(P.says(": as modelled, ")) << P.Out;
    EXPECT_TRUE(P.says("A in registers: not as modelled, ")) << P.Out;
    EXPECT_TRUE(P.says("  thread 0 register 0 element 0: row 8, columns 0; "
                       "modelled: row 0, columns 0\n"))
        << P.Out;
  }
}

TEST(WarpSparseProbe, SaysWhatFailed) {
  Probed P = probed(kernel("f16", 32), WarpFault::LaunchFails);
  EXPECT_EQ(P.Outcome, ProbeOutcome::DeviceFailed);
  EXPECT_EQ(P.Out, "kernel: running the kernel: unspecified launch failure\n");
  P = probed(kernel("f16", 32), WarpFault::WritesInput);
  EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
  EXPECT_EQ(P.Out, "kernel: the instruction wrote to its inputs\n");
  Kernel Other = kernel("f16", 32);
  Other.Fields["in_words"] = "12";
  P = probed(Other);
  EXPECT_EQ(P.Outcome, ProbeOutcome::NotAsModelled);
  EXPECT_EQ(P.Out, "kernel: the kernel has other registers than the model\n");
}
