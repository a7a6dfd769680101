//===- NVPTXDropTBAA.cpp - Accesses by types that say nothing -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels keep accumulators and fragments of wgmma as arrays of halves, and
// reinterpret them as the registers that the instruction takes:
//
//   half_t d[64];
//   auto *registers = reinterpret_cast<uint32_t *>(d);
//
// By the rules of C++ a store through `registers` does not change `d`. nvcc
// does not go by them, and neither do the programs. Where SROA finds constant
// indices only, it makes values of the array, and no harm is done; but where
// one of them is variable, the stores were taken for dead, and results were
// silently wrong.
//
// This pass drops the types of all accesses in modules that use wgmma, at the
// start of the pipeline: before inlining nobody knows which of them are to
// local arrays. Pointers to local arrays, to shared memory and to global memory
// are still told apart by what they point to.
//
// At -O0 nothing looks at the types.
//
//===----------------------------------------------------------------------===//

#include "NVPTXDropTBAA.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PreservedAnalyses NVPTXDropTBAAPass::run(Module &M, ModuleAnalysisManager &) {
  if (none_of(M, NVPTX::usesWGMMA))
    return PreservedAnalyses::all();
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      I.setMetadata(LLVMContext::MD_tbaa, nullptr);
      I.setMetadata(LLVMContext::MD_tbaa_struct, nullptr);
    }
  // Analyses of functions remember aliases.
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
