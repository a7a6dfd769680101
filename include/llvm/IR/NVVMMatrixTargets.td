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
// wmma, mma, mma.sp, ldmatrix, stmatrix and movmatrix. Each intrinsic derives
// from the class of its family, which has it follow from what the intrinsic is
// made of. Included by NVVMTargets.td, which has the classes.
//
//===----------------------------------------------------------------------===//

def BlockScaleTarget
    : NVVMTargetKind<[NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<120, "f", 88>]>;
def SparseBlockScaleF4Target
    : NVVMTargetKind<[NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<121, "a", 88>]>;
// Four scales of .ue8m0 for .mxf4nvf4, which LLVM has from version 23 on.
def BlockScale4xTarget : NVVMTargetKind<[NVVMAlternative<120, "f", 91>]>;
def SparseBlockScale4xTarget
    : NVVMTargetKind<[NVVMAlternative<120, "a", 91>,
                      NVVMAlternative<121, "a", 91>]>;

class NVVMElementSince<string type> {
  NVVMSince Value = !cond(
      !or(!eq(type, "f16"), !eq(type, "f32")): NVVMSince<70, 60>,
      !or(!eq(type, "s8"), !eq(type, "u8"),
          !eq(type, "s32")): NVVMSince<72, 63>,
      !or(!eq(type, "s4"), !eq(type, "u4"),
          !eq(type, "b1")): NVVMSince<75, 63>,
      !or(!eq(type, "bf16"), !eq(type, "tf32"),
          !eq(type, "f64")): NVVMSince<80, 70>,
      !or(!eq(type, "e4m3"), !eq(type, "e5m2")): NVVMSince<89, 84>,
      // Those of .kind::f8f6f4 and of block scaling have kinds of targets.
      true: NVVMSince<120, 87>);
}

class NVVMElementsSince<list<WMMA_REGS> fragments> {
  list<NVVMSince> Values =
      !foreach(fragment, fragments,
               NVVMElementSince<fragment.ptx_elt_type>.Value);
}

// .and.popc is younger than .xor.popc.
class NVVMBitOperationSince<string operation> {
  list<NVVMSince> Values =
      !if(!eq(operation, ".and.popc"), [NVVMSince<80, 71>], []<NVVMSince>);
}

class NVVMWMMAShapeSince<string shape> {
  NVVMSince Value = !cond(
      !eq(shape, "m16n16k16"): NVVMSince<70, 60>,
      !or(!eq(shape, "m8n32k16"), !eq(shape, "m32n8k16")): NVVMSince<70, 61>,
      !or(!eq(shape, "m8n8k32"), !eq(shape, "m8n8k128")): NVVMSince<75, 63>,
      !or(!eq(shape, "m8n8k4"), !eq(shape, "m16n16k8")): NVVMSince<80, 70>);
}

// wmma.load, wmma.store and wmma.mma.
class NVVMWMMATarget<list<WMMA_REGS> fragments, string operation = ""> {
  NVVMTarget Value =
      NVVMLatest<!listconcat(
          [NVVMWMMAShapeSince<!head(fragments).geom>.Value],
          NVVMElementsSince<fragments>.Values,
          NVVMBitOperationSince<operation>.Values)>.Target;
}
class NVVMTargetedWMMAMove<WMMA_REGS fragment>
    : NVVMTargeted<NVVMWMMATarget<[fragment]>.Value> {
  let AddressSpaces = 0x00b;
}
class NVVMTargetedWMMA<list<WMMA_REGS> fragments, string operation,
                       bit satfinite>
    : NVVMTargeted<NVVMWMMATarget<fragments, operation>.Value> {
  // PTX 6.5 has taken .satfinite from the wmma.mma of floating point.
  let RemovedInPTX =
      !if(!and(satfinite, !eq(!head(fragments).ptx_elt_type, "f16")), 65, 0);
}

class NVVMMMAShapeSince<string shape> {
  NVVMSince Value = !cond(
      !eq(shape, "m8n8k4"): NVVMSince<70, 64>,
      !or(!eq(shape, "m8n8k16"), !eq(shape, "m8n8k32"),
          !eq(shape, "m16n8k8")): NVVMSince<75, 65>,
      !eq(shape, "m8n8k128"): NVVMSince<75, 70>,
      true: NVVMSince<80, 70>);
}

// Element types that came to shapes that others had had before.
class NVVMMMAPairSince<WMMA_REGS a, WMMA_REGS d> {
  defvar shape = a.geom;
  defvar isF64 = !eq(a.ptx_elt_type, "f64");
  bit IsF8 = !or(!eq(a.ptx_elt_type, "e4m3"), !eq(a.ptx_elt_type, "e5m2"));
  list<NVVMSince> Values = !listconcat(
      !if(!and(isF64, !ne(shape, "m8n8k4")), [NVVMSince<90, 78>],
          []<NVVMSince>),
      !if(!and(IsF8, !or(!eq(shape, "m16n8k16"), !eq(d.ptx_elt_type, "f16"))),
          [NVVMSince<89, 87>], []<NVVMSince>));
}

// Whether all elements of A and B have 8 bits. The PTX ISA has .kind::f8f6f4
// for sm_120a and sm_120f alone, but for these ptxas 13.0 assembles it wherever
// there are matrix loads of bytes.
class NVVMHasOnlyF8<list<WMMA_REGS> fragments> {
  bit Value = !foldl(true, [fragments[0], fragments[1]], all, fragment,
                     !and(all, !or(!eq(fragment.ptx_elt_type, "e4m3"),
                                   !eq(fragment.ptx_elt_type, "e5m2"))));
}
class NVVMKindF8F6F4Target<bit hasOnlyF8> {
  NVVMTarget Value = !if(hasOnlyF8, NVVMTarget<100, 87, ByteMatrixTarget>,
                         NVVMTarget<120, 87, BlockScaleTarget>);
}

// mma, with fragments of A, B, C and D.
class NVVMMMATarget<list<WMMA_REGS> fragments, string operation, string kind> {
  NVVMTarget Value =
      !if(!eq(kind, ""),
          NVVMLatest<!listconcat(
              [NVVMMMAShapeSince<!head(fragments).geom>.Value],
              NVVMElementsSince<fragments>.Values,
              NVVMMMAPairSince<fragments[0], fragments[3]>.Values,
              NVVMBitOperationSince<operation>.Values)>.Target,
          NVVMKindF8F6F4Target<NVVMHasOnlyF8<fragments>.Value>.Value);
}
class NVVMTargetedMMA<list<WMMA_REGS> fragments, string operation = "",
                      string kind = "">
    : NVVMTargeted<NVVMMMATarget<fragments, operation, kind>.Value>;

// mma.sp: metadata is "sp" or "sp::ordered_metadata".
class NVVMMMASparseTarget<list<WMMA_REGS> fragments, string metadata,
                          string kind> {
  NVVMTarget Value =
      !if(!eq(kind, ""),
          NVVMLatest<!listconcat(
              [!if(!eq(metadata, "sp"), NVVMSince<80, 71>, NVVMSince<80, 85>)],
              NVVMElementsSince<fragments>.Values)>.Target,
          NVVMKindF8F6F4Target<
              !and(NVVMHasOnlyF8<fragments>.Value,
                   !eq(fragments[3].ptx_elt_type, "f32"))>.Value);
}
class NVVMTargetedMMASparse<list<WMMA_REGS> fragments, string metadata,
                            string kind>
    : NVVMTargeted<NVVMMMASparseTarget<fragments, metadata, kind>.Value>;

// mma and mma.sp with .block_scale.
class NVVMBlockScaleTarget<bit sparse, string kind, string stype,
                           string scaleVecSize> {
  defvar is4x = !and(!eq(kind, "mxf4nvf4"), !eq(scaleVecSize, ".scale_4x"),
                     !eq(stype, "ue8m0"));
  defvar isF4 = !or(!eq(kind, "mxf4"), !eq(kind, "mxf4nvf4"));
  NVVMTarget Value = NVVMTarget<
      120, !if(is4x, 91, 87),
      !if(sparse,
          !if(is4x, SparseBlockScale4xTarget,
              !if(isF4, SparseBlockScaleF4Target, BlockScaleTarget)),
          !if(is4x, BlockScale4xTarget, BlockScaleTarget))>;
}
class NVVMTargetedBlockScale<bit sparse, string kind, string stype,
                             string scaleVecSize>
    : NVVMTargeted<
          NVVMBlockScaleTarget<sparse, kind, stype, scaleVecSize>.Value> {
  // Where the instruction says nothing, each kind has a default.
  let ScaleVec = !cond(!eq(scaleVecSize, ".scale_1x"): 1,
                       !eq(scaleVecSize, ".scale_2x"): 2,
                       !eq(scaleVecSize, ".scale_4x"): 4,
                       !eq(kind, "mxf8f6f4"): 1,
                       !eq(kind, "mxf4"): 2);
}

// ldmatrix and stmatrix: old is where they have been with elements of 16 bits.
class NVVMTargetedMatrixMove<WMMA_REGS fragment, NVVMTarget old>
    : NVVMTargeted<!if(!eq(fragment.ptx_elt_type, "b16"), old,
                       NVVMTarget<100, 86, ByteMatrixTarget>)> {
  let AddressSpaces = 0x009;
}
