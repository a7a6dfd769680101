//===- ProgramTest.cpp - Would the tests of warp-level notice? ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the program with an interpreter instead of a GPU: one that is right, and
// ones that are wrong in a single respect, which must be reported.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "FakeWarpDevice.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

using namespace devicetest;

namespace {

struct ProgramResult {
  int Status;
  std::string Out, Err;
};

/// The folder that make_kernels.py wrote; its manifest is all that is used.
const char *folder() {
  const char *Folder = std::getenv("WARP_KERNELS");
  if (!Folder) {
    std::fprintf(stderr, "error: WARP_KERNELS names no folder\n");
    std::exit(1);
  }
  return Folder;
}

ProgramResult run(WarpFault Fault, std::vector<const char *> Arguments) {
  std::ostringstream Out, Err;
  Arguments.insert(Arguments.begin(), {"warp", folder()});
  int Status = runWarpTests(
      [Fault](const std::string &) {
        return std::make_unique<FakeWarpDevice>(Fault);
      },
      Arguments.size(), Arguments.data(), Out, Err);
  return {Status, Out.str(), Err.str()};
}

bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

/// Runs the kernels that match, which must fail, and say so.
void expectFault(WarpFault Fault, const char *Filter, const char *Report) {
  ProgramResult Right = run(WarpFault::None, {Filter});
  EXPECT_EQ(Right.Status, 0) << Right.Out;
  ProgramResult Wrong = run(Fault, {Filter});
  EXPECT_EQ(Wrong.Status, 1) << Filter << "\n" << Wrong.Out;
  EXPECT_TRUE(contains(Wrong.Out, Report)) << Wrong.Out;
}

/// One of each family.
const char *const Samples[] = {
    "mma_m16n8k16_row_col_f32_f32",
    "mma_m8n8k4_col_row_f32_f16",
    "mma_m16n8k16_row_col_f64",
    "mma_sp_m16n8k32_row_col_u8_s8",
    "mma_sp_ordered_metadata_m16n8k8_row_col_tf32",
    "wmma_m16n16k16_load_a_col_stride_f16_generic",
    "wmma_m8n8k32_load_b_col_s4_shared",
    "wmma_m32n8k16_load_c_row_f32_global",
    "wmma_m8n8k4_store_d_col_stride_f64_shared",
    "wmma_m16n16k16_mma_row_col_bf16",
    "wmma_m8n8k128_mma_xor_popc_row_col_b1",
    "ldmatrix_sync_aligned_m8n8_x4_trans_b16_shared",
    "stmatrix_sync_aligned_m8n8_x2_b16_generic",
};

} // namespace

TEST(WarpProgram, EverythingPassesOnARightDevice) {
  ProgramResult R = run(WarpFault::None, {});
  EXPECT_EQ(R.Status, 0);
  EXPECT_FALSE(contains(R.Out, "FAILED")) << R.Out;
}

TEST(WarpProgram, WrongResultsAreFound) {
  for (const char *Sample : Samples) {
    expectFault(WarpFault::OneBit, Sample, "expected 0x");
    expectFault(WarpFault::Unwritten, Sample, "FAILED");
    if (!contains(Sample, "store") && !contains(Sample, "stmatrix"))
      expectFault(WarpFault::ThreadsSwapped, Sample, "FAILED");
  }
}

TEST(WarpProgram, StrayWritesAreFound) {
  for (const char *Sample : Samples) {
    expectFault(WarpFault::WritesBefore, Sample,
                "write 3 words before the start of the output");
    expectFault(WarpFault::WritesPastEnd, Sample,
                "write 1 words past the end of the output");
    expectFault(WarpFault::WritesInput, Sample, "wrote to its inputs");
  }
  expectFault(WarpFault::WritesGap, "wmma_m8n8k4_store_d_col_stride_f64_shared",
              "where no element belongs");
}

TEST(WarpProgram, IgnoredQualifiersAreFound) {
  for (const char *Filter :
       {"mma_m16n8k32_row_col_satfinite_s8", "mma_m8n8k32_row_col_satfinite_u4",
        "mma_sp_m16n8k128_row_col_satfinite_s4_u4",
        "wmma_m8n32k16_mma_col_col_u8_satfinite"})
    expectFault(WarpFault::NoSaturation, Filter, "FAILED");
  for (const char *Mode : {"rz", "rm", "rp"})
    expectFault(WarpFault::RoundsToNearest,
                ("wmma_m8n8k4_mma_row_row_" + std::string(Mode)).c_str(),
                "(one rounding)");
  expectFault(WarpFault::AndForXor, "mma_xor_popc_m16n8k256_row_col_b1",
              "FAILED");
  expectFault(WarpFault::AndForXor, "wmma_m8n8k128_mma_xor_popc", "FAILED");
  for (const char *Filter :
       {"load_a_row_stride_u8_shared", "m8n32k16_load_c_col_stride_s32_generic",
        "store_d_row_stride_f16_global"})
    expectFault(WarpFault::IgnoresStride, Filter, "FAILED");
  for (const char *Filter : {"ldmatrix_sync_aligned_m8n8_x1_trans_b16_generic",
                             "stmatrix_sync_aligned_m8n8_x4_trans_b16_shared"})
    expectFault(WarpFault::IgnoresTransposition, Filter, "FAILED");
}

TEST(WarpProgram, WrongMetadataIsFound) {
  for (const char *Filter :
       {"mma_sp_m16n8k8_row_col_tf32_sel3",
        "mma_sp_m16n8k16_row_col_f16_f16_sel1",
        "mma_sp_ordered_metadata_m16n8k32_row_col_bf16_sel0",
        "mma_sp_m16n8k64_row_col_s4_sel1",
        "mma_sp_ordered_metadata_m16n8k64_row_col_f32_e4m3_e5m2_f32_sel0",
        "mma_sp_m16n8k128_row_col_u4_sel0"}) {
    expectFault(WarpFault::IgnoresMetadata, Filter, "FAILED");
    if (!contains(Filter, "m16n8k128") && !contains(Filter, "e4m3"))
      expectFault(WarpFault::OtherSelector, Filter, "FAILED");
  }
}

TEST(WarpProgram, AFaultIsLocated) {
  ProgramResult R = run(WarpFault::OneBit, {"mma_m16n8k16_row_col_f32_f32"});
  // The last register of the last thread.
  EXPECT_TRUE(contains(
      R.Out,
      "problem 0 (random), row 15, column 7 of D = thread 31, register 3, "
      "bit 0: expected 0x"))
      << R.Out;
  EXPECT_TRUE(contains(R.Out, "; 32 of 4096 elements are wrong")) << R.Out;
  R = run(WarpFault::ThreadsSwapped, {"mma_m8n8k4_row_row_f16_f16"});
  EXPECT_TRUE(contains(R.Out, "computation 1, row 0, column 0 of D = thread 0, "
                              "register 0, bit 0: expected 0x"))
      << R.Out;
}

TEST(WarpProgram, TheOrderOfAChainIsNoted) {
  for (const char *Filter :
       {"mma_m16n8k8_row_col_f64", "wmma_m8n8k4_mma_col_row_rz_f64"}) {
    ProgramResult R = run(WarpFault::None, {Filter});
    EXPECT_TRUE(contains(R.Out, "one after the other, k ascending")) << R.Out;
    R = run(WarpFault::DescendingChain, {Filter});
    EXPECT_EQ(R.Status, 0) << R.Out;
    EXPECT_TRUE(contains(R.Out, "one after the other, k descending")) << R.Out;
  }
}

TEST(WarpProgram, DescendingMetadataIsNoted) {
  ProgramResult R = run(WarpFault::None, {"mma_sp_m16n8k16_row_col_bf16_sel2"});
  EXPECT_TRUE(contains(R.Out, "note: descending indices are obeyed"));
  R = run(WarpFault::None, {"mma_sp_ordered_metadata_m16n8k16_row_col_bf16"});
  EXPECT_FALSE(contains(R.Out, "descending"));
}

TEST(WarpProgram, SumsOfTooLowAPrecisionAreFound) {
  for (const char *Filter :
       {"mma_m16n8k16_row_col_f32_f32", "mma_m8n8k4_row_col_f32_f16",
        "mma_m16n8k8_row_col_bf16", "mma_m16n8k32_row_col_f32_e4m3_e5m2_f32",
        "mma_sp_m16n8k16_row_col_tf32", "wmma_m16n16k16_mma_row_col_f32_f16",
        "wmma_m16n16k8_mma_row_col_tf32"})
    expectFault(WarpFault::FewBits, Filter, "(rounded sums)");
}

TEST(WarpProgram, WrongInfinitiesAndNaNsAreFound) {
  for (const char *Filter :
       {"mma_m16n8k16_row_col_f32_f32", "mma_m16n8k8_row_col_f64",
        "mma_m16n8k32_row_col_f32_e4m3_e5m2_f32",
        "mma_sp_m16n8k32_row_col_bf16_sel1",
        "wmma_m16n16k16_mma_row_col_f16_f16",
        "wmma_m16n16k8_mma_row_col_tf32"}) {
    expectFault(WarpFault::NoNaN, Filter, "(infinities and NaNs)");
    expectFault(WarpFault::NoInfinity, Filter, "(infinities and NaNs)");
  }
}

TEST(WarpProgram, WhatBecomesOfSubnormalInputsIsNoted) {
  for (const char *Filter : {"mma_m16n8k16_row_col_f32_f32",
                             "mma_m16n8k32_row_col_f32_e4m3_e5m2_f32",
                             "mma_sp_m16n8k32_row_col_bf16_sel1",
                             "wmma_m16n16k8_mma_row_col_tf32"}) {
    ProgramResult R = run(WarpFault::None, {Filter});
    EXPECT_TRUE(contains(R.Out, "subnormal inputs count")) << R.Out;
    R = run(WarpFault::FlushesSubnormals, {Filter});
    EXPECT_EQ(R.Status, 0) << R.Out;
    EXPECT_TRUE(contains(R.Out, "subnormal inputs are zero")) << R.Out;
  }
}

TEST(WarpProgram, TheWayToAddUpIsNoted) {
  for (const char *Filter :
       {"mma_m16n8k16_row_col_f32_f32", "mma_sp_m16n8k16_row_col_f16_f16",
        "wmma_m8n32k16_mma_row_col_bf16"}) {
    ProgramResult R = run(WarpFault::None, {Filter});
    EXPECT_TRUE(contains(R.Out, "the result is rounded to the nearest"))
        << R.Out;
    R = run(WarpFault::RoundsSumsDown, {Filter});
    EXPECT_EQ(R.Status, 0) << R.Out;
    EXPECT_FALSE(contains(R.Out, "the result is rounded to the nearest"))
        << R.Out;
  }
}

TEST(WarpProgram, AFailingDeviceEndsTheRun) {
  ProgramResult R = run(WarpFault::LaunchFails, {"ldmatrix"});
  EXPECT_EQ(R.Status, 1);
  EXPECT_TRUE(contains(R.Out, "FAILED: running the kernel: unspecified"));
  EXPECT_TRUE(contains(R.Out, "stopped, as the device failed: 11 kernels were "
                              "not run"))
      << R.Out;
  R = run(WarpFault::Unopened, {});
  EXPECT_EQ(R.Status, 3);
  EXPECT_EQ(R.Out, "skipped: no GPU\n");
}

TEST(WarpProgram, CommandLine) {
  ProgramResult R = run(WarpFault::None, {"--list", "m8n8k4_row_col_f64"});
  EXPECT_EQ(R.Status, 0);
  EXPECT_EQ(R.Out, "mma_m8n8k4_row_col_f64\n");
  R = run(WarpFault::None, {"no such kernel"});
  EXPECT_EQ(R.Status, 2);
  EXPECT_EQ(R.Err,
            "warp: no kernel's name contains 'no such kernel'; see --help\n");
  R = run(WarpFault::None, {"--list", "movmatrix", "stmatrix", "--after",
                            "stmatrix_sync_aligned_m8n8_x4_trans_b16_generic"});
  EXPECT_EQ(R.Out, "stmatrix_sync_aligned_m8n8_x4_trans_b16_shared\n"
                   "movmatrix_sync_aligned_m8n8_trans_b16\n");
  R = run(WarpFault::None, {"--after", "no such kernel"});
  EXPECT_EQ(R.Err, "warp: there is no kernel no such kernel; see --help\n");
  EXPECT_EQ(run(WarpFault::None, {"--json"}).Status, 2);
  EXPECT_EQ(run(WarpFault::None, {"--seed", "3x"}).Status, 2);
  EXPECT_EQ(run(WarpFault::None, {"m8n8k4_row_col_f64", "--seed", "5"}).Status,
            0);
  EXPECT_EQ(run(WarpFault::None, {"m8n8k4_row_col_f64"}).Status, 0);
  EXPECT_EQ(run(WarpFault::None, {"--help"}).Status, 0);
}

TEST(WarpProgram, Probes) {
  const char *Filter = "m16n8k8_row_col_tf32_sel0";
  ProgramResult R =
      run(WarpFault::None, {"--probe", Filter, "m16n8k16_row_col_f16_f16"});
  EXPECT_EQ(R.Status, 0) << R.Out;
  EXPECT_TRUE(contains(R.Out, "mma_sp_ordered_metadata_m16n8k8_row_col_tf32_"
                              "sel0: metadata, selector 0: as modelled"));
  EXPECT_TRUE(contains(R.Out, "mma_sp_m16n8k16_row_col_f16_f16_sel3: A in "
                              "registers: as modelled"));
  EXPECT_FALSE(contains(R.Out, "\nmma_m16n8k16")) << R.Out;
  R = run(WarpFault::MetadataOfOtherThread, {"--probe", Filter});
  EXPECT_EQ(R.Status, 1);
  EXPECT_TRUE(contains(R.Out, "not as modelled")) << R.Out;
  // The first one ends it.
  R = run(WarpFault::LaunchFails, {"--probe", Filter});
  EXPECT_EQ(R.Status, 1);
  EXPECT_EQ(R.Out, "mma_sp_m16n8k8_row_col_tf32_sel0: running the kernel: "
                   "unspecified launch failure\n");
  R = run(WarpFault::None, {"--probe", "ldmatrix"});
  EXPECT_EQ(R.Status, 2);
  EXPECT_EQ(R.Err, "warp: no kernel of mma.sp is selected; see --help\n");
  EXPECT_EQ(run(WarpFault::Unopened, {"--probe", Filter}).Status, 3);
}

TEST(WarpProgram, Report) {
  std::string File = testing::TempDir() + "warp-report.json";
  run(WarpFault::OneBit,
      {"--json", File.c_str(), "mma_sp_m16n8k8_row_col_tf32", "ldmatrix"});
  std::ifstream In(File);
  std::string Text((std::istreambuf_iterator<char>(In)), {});
  // Four selectors are one instruction.
  EXPECT_TRUE(contains(Text, "\"mma.sp\": {\"variants_run\": 1, "
                             "\"variants_passed\": 0, "))
      << Text;
  EXPECT_TRUE(contains(Text, "\"mma.block_scale\": {\"variants_run\": 0, "));
  EXPECT_TRUE(contains(Text, "\"ldmatrix.sync.aligned.m16n16.x1.trans.b8\""));
  EXPECT_TRUE(
      contains(Text, "{\"kernel\": \"mma_sp_m16n8k8_row_col_tf32_sel0\""));
  EXPECT_TRUE(contains(Text, "\"stopped_at\": null"));
}
