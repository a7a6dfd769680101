//===- NVVMMatrixTargets.td - Targets of matrix intrinsics -*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The target and the PTX version that each warp-level matrix intrinsic needs:
// the "PTX ISA Notes" and the "Target ISA Notes" of the PTX ISA's sections on
// wmma, mma, mma.sp, ldmatrix, stmatrix and movmatrix. The backend's predicates
// and errors and the features of Clang's builtins are all derived from it, as
// they are for what else a kernel with matrix instructions needs, whose list is
// NVVMKernelTargets.td.
//
//===----------------------------------------------------------------------===//

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
class NVVMMatrixTargetKind<list<NVVMAlternative> alternatives> {
  list<NVVMAlternative> Alternatives = alternatives;
}

// Every target from a version on.
def AnyTarget : NVVMMatrixTargetKind<[]>;
def BlockScaleTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<120, "f", 88>]>;
def SparseBlockScaleF4Target
    : NVVMMatrixTargetKind<[NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<121, "a", 88>]>;
// Four scales of .ue8m0 for .mxf4nvf4, which LLVM has from version 23 on.
def BlockScale4xTarget : NVVMMatrixTargetKind<[NVVMAlternative<120, "f", 91>]>;
def SparseBlockScale4xTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<120, "a", 91>,
                            NVVMAlternative<121, "a", 91>]>;
// PTX 9.0 renamed sm_101 to sm_110.
def ByteMatrixTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<120, "f", 88>,
                            NVVMAlternative<110, "a", 90>,
                            NVVMAlternative<110, "f", 90>]>;

// An instruction that another kind of target has when the argument of the
// intrinsic at position FromEnd, counted from its last as 1, is at least Value.
class NVVMArgumentTarget<int fromEnd, int value, NVVMMatrixTargetKind kind> {
  int FromEnd = fromEnd;
  int Value = value;
  NVVMMatrixTargetKind Kind = kind;
}
def NoArgument : NVVMArgumentTarget<0, 0, AnyTarget>;

// What the intrinsics have in common whose name, without "int_nvvm_", matches a
// regular expression, and no earlier one in the list.
class NVVMMatrixTarget<string names, int sm, int ptx,
                       NVVMMatrixTargetKind kind = AnyTarget,
                       NVVMArgumentTarget argument = NoArgument> {
  string Names = names;
  NVVMMatrixTargetKind Kind = kind;
  NVVMArgumentTarget Argument = argument;
  // As in 75 for sm_75, and in 65 for PTX 6.5. The PTX version counts for every
  // alternative of the kind, the architecture only where there is none.
  int MinSM = sm;
  int MinPTX = ptx;
}

include "llvm/IR/NVVMKernelTargets.td"

defvar NVVMMatrixTargets = [
  NVVMMatrixTarget<"^mma_sp_.*_mxf4nvf4_scale_4x_.*_ue8m0$", 120, 91,
                   SparseBlockScale4xTarget>,
  NVVMMatrixTarget<"^mma_.*_mxf4nvf4_scale_4x_.*_ue8m0$", 120, 91,
                   BlockScale4xTarget>,
  NVVMMatrixTarget<"^mma_sp_.*block_scale_.*_mxf4(nvf4)?_", 120, 87,
                   SparseBlockScaleF4Target>,
  // The PTX ISA has .kind::f8f6f4 for sm_120a and sm_120f alone, but where all
  // elements have 8 bits ptxas 13.0 assembles it for all of these.
  NVVMMatrixTarget<"^mma_m16n8k32_.*_kind_f8f6f4_f(16|32)(_e[45]m[23]){2}_",
                   100, 87, ByteMatrixTarget>,
  NVVMMatrixTarget<"^mma_sp_.*_kind_f8f6f4_f32(_e[45]m[23]){2}_", 100, 87,
                   ByteMatrixTarget>,
  NVVMMatrixTarget<"^mma_.*block_scale_|_kind_f8f6f4_", 120, 87,
                   BlockScaleTarget>,
  NVVMMatrixTarget<"^(ld|st)matrix_.*_b8", 100, 86, ByteMatrixTarget>,
  NVVMMatrixTarget<"^ldmatrix_", 75, 65>,
  NVVMMatrixTarget<"^stmatrix_", 90, 78>,
  NVVMMatrixTarget<"^movmatrix_", 75, 78>,

  NVVMMatrixTarget<"_and_popc_", 80, 71>,

  NVVMMatrixTarget<"^wmma_m8n8k(32|128)_", 75, 63>,
  NVVMMatrixTarget<"^wmma_(m8n8k4_|m16n16k8_|.*_bf16)", 80, 70>,
  NVVMMatrixTarget<"^wmma_.*_(s8|u8|s32)", 72, 63>,
  NVVMMatrixTarget<"^wmma_m16n16k16_", 70, 60>,
  NVVMMatrixTarget<"^wmma_", 70, 61>,

  NVVMMatrixTarget<"^mma_sp_ordered_metadata_.*_e[45]m[23]", 89, 85>,
  NVVMMatrixTarget<"^mma_sp_ordered_metadata_", 80, 85>,
  NVVMMatrixTarget<"^mma_sp_.*_e[45]m[23]", 89, 84>,
  NVVMMatrixTarget<"^mma_sp_", 80, 71>,

  NVVMMatrixTarget<"^mma_m16n8k(16_.*|32_row_col_f16)_e[45]m[23]", 89, 87>,
  NVVMMatrixTarget<"^mma_.*_e[45]m[23]", 89, 84>,
  NVVMMatrixTarget<"^mma_m16n8k(4|8|16)_.*_f64", 90, 78>,
  NVVMMatrixTarget<"^mma_m8n8k4_.*_f64", 80, 70>,
  NVVMMatrixTarget<"^mma_m8n8k4_", 70, 64>,
  NVVMMatrixTarget<"^mma_(m8n8k(16|32)_|m16n8k8_row_col_f(16|32)_)", 75, 65>,
  NVVMMatrixTarget<"^mma_xor_popc_m8n8k128_", 75, 70>,
  NVVMMatrixTarget<"^mma_", 80, 70>,
];

// The names of the intrinsics that all this is about.
defvar NVVMMatrixRecords =
    "^int_nvvm_(wmma|mma|ldmatrix|stmatrix|movmatrix)_";

class NVVMMatrixTargetOf<string record> {
  defvar name = !substr(record, !size("int_nvvm_"));
  NVVMMatrixTarget Target =
      !head(!filter(target, !listconcat(NVVMMatrixTargets, NVVMKernelTargets),
                    !match(name, target.Names)));
  // PTX 6.5 has taken .satfinite from the wmma.mma of floating point; 0: no
  // version has taken the instruction away.
  int RemovedInPTX =
      !if(!match(name, "^wmma_.*_f(16|32)_satfinite$"), 65, 0);
}
