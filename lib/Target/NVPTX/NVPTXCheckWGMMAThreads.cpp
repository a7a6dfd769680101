//===- NVPTXCheckWGMMAThreads.cpp - wgmma for parts of a warpgroup --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads of a warpgroup, four warps of which the first one's number is a
// multiple of four, execute a wgmma and its steps together (PTX ISA,
// "Asynchronous warpgroup level matrix instructions"). What one thread alone
// does elsewhere, as a copy by TMA or a tcgen05.mma, stands under such
// conditions as
//
//   if (threadIdx.x == 0)
//   if (threadIdx.x < 32)
//
// and a wgmma there does not compute anything sensible, if it ever returns. So
// this pass warns of steps that branches alone lead to which part a warpgroup
// by threadIdx.x and constants. Of other conditions nothing is known.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXThreadConditions.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <set>
#include <string>

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;

#define DEBUG_TYPE "nvptx-check-wgmma-threads"

static constexpr unsigned WarpgroupSize = 128;

namespace {
struct NVPTXCheckWGMMAThreads : FunctionPass {
  static char ID;

  NVPTXCheckWGMMAThreads() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Check WGMMA Threads"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<DominatorTreeWrapperPass>();
    AU.setPreservesAll();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXCheckWGMMAThreads::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXCheckWGMMAThreads, DEBUG_TYPE,
                      "NVPTX Check WGMMA Threads", false, false)
INITIALIZE_PASS_DEPENDENCY(DominatorTreeWrapperPass)
INITIALIZE_PASS_END(NVPTXCheckWGMMAThreads, DEBUG_TYPE,
                    "NVPTX Check WGMMA Threads", false, false)

/// The first thread of the first warpgroup of which \p Threads has only a part;
/// that its last threads are missing does not count but in the first one: the
/// block may have no more.
static std::optional<unsigned> findPartOfWarpgroup(const BitVector &Threads) {
  for (unsigned Start = 0; Start < Threads.size(); Start += WarpgroupSize) {
    const unsigned End = std::min(Start + WarpgroupSize, Threads.size());
    const int First = Threads.find_first_in(Start, End);
    if (First < 0)
      continue;
    const int Missing = Threads.find_first_unset_in(Start, End);
    if (Missing >= 0 &&
        (Start == 0 || Threads.find_first_in(Missing, End) >= 0))
      return Start;
  }
  return std::nullopt;
}

/// As in "0 to 31, 64, ...", of the warpgroup whose first thread is \p Start.
static std::string describe(const BitVector &Threads, unsigned Start) {
  constexpr unsigned MaxRanges = 3;
  const unsigned End = std::min(Start + WarpgroupSize, Threads.size());
  std::string Text;
  raw_string_ostream OS(Text);
  int First = Threads.find_first_in(Start, End);
  for (unsigned I = 0; First >= 0; ++I) {
    if (I == MaxRanges) {
      OS << ", ...";
      break;
    }
    const int Missing = Threads.find_first_unset_in(First, End);
    const int Last = (Missing < 0 ? static_cast<int>(End) : Missing) - 1;
    OS << (I == 0 ? "" : ", ") << First;
    if (Last != First)
      OS << " to " << Last;
    First = Missing < 0 ? -1 : Threads.find_first_in(Missing, End);
  }
  return Text;
}

bool NVPTXCheckWGMMAThreads::runOnFunction(Function &F) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  const auto &DT = getAnalysis<DominatorTreeWrapperPass>().getDomTree();
  ThreadConditions Conditions(F, DT);
  nvvm::WGMMAWarnings Warnings(F);
  // One for all that is done under the same conditions.
  std::set<std::string> Told;
  for (const BasicBlock &BB : F) {
    const auto Step = find_if(BB, NVPTX::isWGMMAStep);
    if (Step == BB.end() || !DT.isReachableFromEntry(&BB))
      continue;
    const BitVector Threads = Conditions.getThreadsAt(BB);
    const std::optional<unsigned> Start = findPartOfWarpgroup(Threads);
    if (!Start)
      continue;
    std::string Message =
        ("all " + Twine(WarpgroupSize) +
         " threads of a warpgroup execute wgmma together; of threads " +
         Twine(*Start) + " to " + Twine(*Start + WarpgroupSize - 1) +
         " only these come here: " + describe(Threads, *Start))
            .str();
    if (Told.insert(Message).second)
      Warnings.warn(DiagnosticInfoWGMMA::Protocol, Step->getDebugLoc(),
                    Message);
  }
  return false;
}

FunctionPass *llvm::createNVPTXCheckWGMMAThreadsPass() {
  return new NVPTXCheckWGMMAThreads();
}
