//===- NVVMTargets.td - Targets of NVVM intrinsics ---------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the target and the PTX version that an intrinsic needs are made of. The
// intrinsics' needs stand in NVVMMatrixTargets.td, for the warp-level matrix
// instructions, and in NVVMKernelTargets.td, for what else a kernel with matrix
// instructions needs. The backend's predicates and errors and the features of
// Clang's builtins are all derived from them.
//
// Included by IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_NVVMTARGETS_TD
#define LLVM_IR_NVVMTARGETS_TD

// An architecture, and the PTX version from which on it has an instruction. The
// suffix is the one of sm_90, sm_100f or sm_90a: every later architecture has
// the instruction as well; or later ones of its family, with f or a; or none.
class NVVMAlternative<int sm, string suffix, int ptx> {
  int SM = sm;
  string Suffix = suffix;
  // As in 65 for PTX 6.5.
  int PTX = ptx;
}

// Which targets have an instruction, as far as no least version can say it.
class NVVMTargetKind<list<NVVMAlternative> alternatives> {
  list<NVVMAlternative> Alternatives = alternatives;
}

// Every target from a version on.
def AnyTarget : NVVMTargetKind<[]>;
// PTX 9.0 renamed sm_101 to sm_110.
def ByteMatrixTarget
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<120, "f", 88>,
                      NVVMAlternative<110, "a", 90>,
                      NVVMAlternative<110, "f", 90>]>;

// An instruction that another kind of target has when the argument of the
// intrinsic at position FromEnd, counted from its last as 1, is at least Value.
class NVVMArgumentTarget<int fromEnd, int value, NVVMTargetKind kind> {
  int FromEnd = fromEnd;
  int Value = value;
  NVVMTargetKind Kind = kind;
}
def NoArgument : NVVMArgumentTarget<0, 0, AnyTarget>;

// What an instruction needs.
class NVVMTarget<int sm, int ptx, NVVMTargetKind kind = AnyTarget,
                 NVVMArgumentTarget argument = NoArgument> {
  // As in 75 for sm_75, and in 65 for PTX 6.5. The PTX version counts for every
  // alternative of the kind, the architecture only where there is none.
  int MinSM = sm;
  int MinPTX = ptx;
  NVVMTargetKind Kind = kind;
  NVVMArgumentTarget Argument = argument;
}

// An intrinsic that needs a target.
class NVVMTargeted<NVVMTarget target> {
  NVVMTarget Target = target;
  // The PTX version that took the instruction away, or 0.
  int RemovedInPTX = 0;
  // Bit i stands for address space i of the pointer: generic, global, shared,
  // constant; and bit 8 for kernel parameters. 0 where there is no pointer.
  int AddressSpaces = 0;
  // The scales of each row of A, or column of B, that a block-scaled mma takes:
  // in bytes of one register that follow each other. 0 for any other.
  int ScaleVec = 0;
}

// A shape, an element type, a modifier: each came with a PTX version, and for
// an architecture. An instruction needs the latest of what it is made of.
class NVVMSince<int sm, int ptx> {
  int SM = sm;
  int PTX = ptx;
}

class NVVMLatest<list<NVVMSince> parts> {
  NVVMTarget Target =
      NVVMTarget<!foldl(0, parts, sm, part,
                        !if(!lt(sm, part.SM), part.SM, sm)),
                 !foldl(0, parts, ptx, part,
                        !if(!lt(ptx, part.PTX), part.PTX, ptx))>;
}

include "llvm/IR/NVVMKernelTargets.td"
include "llvm/IR/NVVMMatrixTargets.td"

#endif // LLVM_IR_NVVMTARGETS_TD
