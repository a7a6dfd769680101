//===- NVPTXCheckWGMMADescriptors.cpp - No address describes a matrix -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix in shared memory is given to wgmma by a descriptor of 64 bits: bits
// 4 to 17 of its address stand in the lowest bits, and two offsets, a base
// offset and the swizzle above (PTX ISA, "Matrix Descriptor Format"). An
// address has the same type, and compiles; the wgmma then reads whatever lies
// elsewhere. So this pass warns of addresses, and of sums with one, that nobody
// has shifted.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/IR/Operator.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;

#define DEBUG_TYPE "nvptx-check-wgmma-descriptors"

/// Nobody adds more than that to an address by hand.
static constexpr unsigned MaxDepth = 6;

namespace {
struct NVPTXCheckWGMMADescriptors : FunctionPass {
  static char ID;

  NVPTXCheckWGMMADescriptors() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Check WGMMA Descriptors";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXCheckWGMMADescriptors::ID = 0;

INITIALIZE_PASS(NVPTXCheckWGMMADescriptors, DEBUG_TYPE,
                "NVPTX Check WGMMA Descriptors", false, false)

/// Whether \p V is an address, or a sum with one.
static bool isAddress(const Value &V, unsigned Depth = 0) {
  const auto *Op = dyn_cast<Operator>(&V);
  if (!Op || Depth == MaxDepth)
    return false;
  auto IsAddress = [Depth](const Use &U) { return isAddress(*U, Depth + 1); };
  switch (Op->getOpcode()) {
  case Instruction::PtrToInt:
    // A descriptor may be kept in a pointer.
    return Operator::getOpcode(getUnderlyingObject(Op->getOperand(0))) !=
           Instruction::IntToPtr;
  case Instruction::Trunc:
    if (Op->getType()->getScalarSizeInBits() < 32)
      return false;
    [[fallthrough]];
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
    return IsAddress(Op->getOperandUse(0));
  case Instruction::Add:
  case Instruction::Or:
    return IsAddress(Op->getOperandUse(0)) != IsAddress(Op->getOperandUse(1));
  default:
    return false;
  }
}

bool NVPTXCheckWGMMADescriptors::runOnFunction(Function &F) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  nvvm::WGMMAWarnings Warnings(F);
  auto Check = [&Warnings](const IntrinsicInst &Call, unsigned Idx,
                           const char *Matrix) {
    if (isAddress(*Call.getArgOperand(Idx)))
      Warnings.warn(DiagnosticInfoWGMMA::Protocol, Call.getDebugLoc(),
                    Twine("the matrix descriptor of ") + Matrix +
                        " is an address; it needs bits 4 to 17 of the address "
                        "as its lowest ones, and the offsets and the swizzle "
                        "above");
  };
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    const nvvm::WGMMAVariant *Variant =
        Call ? nvvm::getWGMMAVariant(Call->getIntrinsicID()) : nullptr;
    if (!Variant)
      continue;
    if (!Variant->AFromRegisters)
      Check(*Call, Variant->getAIdx(), "A");
    Check(*Call, Variant->getBIdx(), "B");
  }
  return false;
}

FunctionPass *llvm::createNVPTXCheckWGMMADescriptorsPass() {
  return new NVPTXCheckWGMMADescriptors();
}
