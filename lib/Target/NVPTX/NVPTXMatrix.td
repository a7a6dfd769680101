//===- NVPTXMatrix.td - Warp-level matrix instructions -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-level matrix instructions that NVPTXIntrinsics.td lacks: movmatrix,
// and mma of f64 with a rounding. And for all of these intrinsics, and those of
// NVVMKernelTargets.td, what they need: predicates of the patterns, and tables
// for NVPTXMatrix.cpp, which reports what a pattern only fails to match.
//
//===----------------------------------------------------------------------===//

include "llvm/IR/NVVMMatrixTargets.td"

// "Subtarget has one of the alternatives", as C++.
class NVPTXHasAlternative<list<NVVMAlternative> alternatives> {
  string Code = !interleave(
      !foreach(needed, alternatives,
               "Subtarget->" #
                   !cond(!eq(needed.Suffix, "a"): "hasPTXWithAccelSMs",
                         !eq(needed.Suffix, "f"): "hasPTXWithFamilySMs") #
                   "(" # needed.PTX # ", {" # needed.SM # "})"),
      " || ");
}

class NVPTXMatrixPredicates<Intrinsic intrinsic> {
  defvar target = NVVMMatrixTargetOf<!cast<string>(intrinsic)>;
  defvar alternatives = target.Target.Kind.Alternatives;
  list<Predicate> Predicates = !listconcat(
      [hasPTX<target.Target.MinPTX>],
      [!if(!empty(alternatives), hasSM<target.Target.MinSM>,
           Predicate<NVPTXHasAlternative<alternatives>.Code>)],
      !if(target.RemovedInPTX,
          [Predicate<"Subtarget->getPTXVersion() < "#target.RemovedInPTX>],
          []));
}

let isConvergent = true in
def MOVMATRIX
    : BasicNVPTXInst<(outs B32:$d), (ins B32:$a),
                     "movmatrix.sync.aligned.m8n8.trans.b16",
                     [(set i32:$d,
                           (int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16
                               i32:$a))]>,
      Requires<NVPTXMatrixPredicates<
          int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16>.Predicates>;

// The registers of a fragment of f64, by name: "a0", "a1", ...
class MMAFragmentF64<string name, list<LLVMType> registers> {
  list<string> Names = !foreach(i, !range(!size(registers)), name # i);
  string Asm = "{{$" # !interleave(Names, ", $") # "}}";
  dag Outs = !dag(outs, !listsplat(B64, !size(registers)), Names);
  dag Ins = !dag(ins, !listsplat(B64, !size(registers)), Names);
  // Operands of a pattern.
  dag Values = !dag(set, !listsplat(f64, !size(registers)), Names);
}

class MMARounded<string geom, string rnd, Intrinsic intrinsic,
                 MMAFragmentF64 d, MMAFragmentF64 a, MMAFragmentF64 b,
                 MMAFragmentF64 c>
    : NVPTXInst<
          d.Outs, !con(a.Ins, b.Ins, c.Ins),
          "mma.sync.aligned." # geom # ".row.col." # rnd #
          ".f64.f64.f64.f64 \t" #
          !interleave([d.Asm, a.Asm, b.Asm, c.Asm], ", ") # ";",
          [!con(d.Values,
                (set !setdagop(!con(a.Values, b.Values, c.Values),
                               intrinsic)))]> {
  let isConvergent = true;
  let Predicates = NVPTXMatrixPredicates<intrinsic>.Predicates;
}

foreach geom = ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"] in
  foreach rnd = ["rz", "rm", "rp"] in {
    defvar name = "int_nvvm_mma_" # geom # "_row_col_" # rnd # "_f64";
    defvar fragments = !cast<NVVMMatrixIntrinsic>(name).MatrixFragments;
    def MMA_F64_#geom#_#rnd
        : MMARounded<geom, rnd, !cast<Intrinsic>(name),
                     MMAFragmentF64<"d", fragments[2]>,
                     MMAFragmentF64<"a", fragments[0]>,
                     MMAFragmentF64<"b", fragments[1]>,
                     MMAFragmentF64<"c", fragments[2]>>;
  }

def MatrixTargetKind : GenericEnum {
  let FilterClass = "NVVMMatrixTargetKind";
}

class MatrixTargetRow<NVVMMatrixTargetKind kind, NVVMAlternative alternative> {
  NVVMMatrixTargetKind Kind = kind;
  bits<16> SM = alternative.SM;
  bit IsFamily = !eq(alternative.Suffix, "f");
  bits<8> PTX = alternative.PTX;
}

foreach kind = !instances<NVVMMatrixTargetKind>() in
  foreach alternative = kind.Alternatives in
    def : MatrixTargetRow<kind, alternative>;

def MatrixTargetTable : GenericTable {
  let FilterClass = "MatrixTargetRow";
  let CppTypeName = "MatrixTarget";
  let Fields = ["Kind", "SM", "IsFamily", "PTX"];
  string TypeOf_Kind = "MatrixTargetKind";
  let PrimaryKey = ["Kind"];
  let PrimaryKeyName = "lookupMatrixTargets";
  let PrimaryKeyReturnRange = true;
}

class MatrixIntrinsic<Intrinsic intrinsic> {
  defvar record = !cast<string>(intrinsic);
  defvar target = NVVMMatrixTargetOf<record>;
  defvar argument = target.Target.Argument;
  Intrinsic ID = intrinsic;
  NVVMMatrixTargetKind Kind = target.Target.Kind;
  bits<8> MinSM = target.Target.MinSM;
  bits<8> MinPTX = target.Target.MinPTX;
  bits<8> RemovedInPTX = target.RemovedInPTX;
  // Bit i stands for address space i: generic, global, shared, constant; and
  // bit 8 for kernel parameters.
  bits<16> AddressSpaces =
      !cond(!match(record, "_wmma_.*_(load|store)_"): 0x00b,
            !match(record, "_(ld|st)matrix_"): 0x009,
            !match(record, "_tensormap_replace_"): 0x00b,
            !match(record, "_prefetch_tensormap$"): 0x111,
            true: 0);
  bits<8> Argument = !if(!eq(argument.FromEnd, 0), 0,
                         !sub(!size(intrinsic.ParamTypes), argument.FromEnd));
  bits<8> ArgumentValue = argument.Value;
  NVVMMatrixTargetKind ArgumentKind = argument.Kind;
}

foreach intrinsic = !listconcat(!instances<Intrinsic>(NVVMMatrixRecords),
                                !instances<Intrinsic>(NVVMKernelRecords))
    in def : MatrixIntrinsic<intrinsic>;

def MatrixIntrinsicTable : GenericTable {
  let FilterClass = "MatrixIntrinsic";
  let CppTypeName = "MatrixIntrinsic";
  let Fields = ["ID", "Kind", "MinSM", "MinPTX", "RemovedInPTX",
                "AddressSpaces", "Argument", "ArgumentValue", "ArgumentKind"];
  string TypeOf_Kind = "MatrixTargetKind";
  string TypeOf_ArgumentKind = "MatrixTargetKind";
  let PrimaryKey = ["ID"];
  let PrimaryKeyName = "lookupMatrixIntrinsic";
  let PrimaryKeyEarlyOut = true;
}

// tensormap.replace with a generic address, which NVPTXIntrinsics.td lacks.
class TensormapReplaceGeneric<string part, string type, NVPTXRegClass regs,
                              ValueType value, bit hasOrdinal,
                              Intrinsic intrinsic>
    : BasicNVPTXInst<
          (outs),
          !con((ins ADDR:$addr), !if(hasOrdinal, (ins B32:$ord), (ins)),
               (ins regs:$val)),
          "tensormap.replace.tile." # part # ".b1024." # type> {
  defvar operands = !con((ops node:$addr),
                         !if(hasOrdinal, (ops node:$ord), (ops)),
                         (ops node:$val));
  defvar fragment = PatFrag<operands, !setdagop(operands, intrinsic),
                            AS_match.generic>;
  let Pattern = [!con((fragment addr:$addr),
                      !if(hasOrdinal, (fragment i32:$ord), (fragment)),
                      (fragment value:$val))];
  let Predicates = NVPTXMatrixPredicates<intrinsic>.Predicates;
}

foreach part = ["global_address", "global_stride"] in
  def TENSORMAP_REPLACE_GENERIC_#part
      : TensormapReplaceGeneric<
            part, "b64", B64, i64, !eq(part, "global_stride"),
            !cast<Intrinsic>("int_nvvm_tensormap_replace_" # part)>;
foreach part = ["box_dim", "global_dim", "element_stride"] in
  def TENSORMAP_REPLACE_GENERIC_#part
      : TensormapReplaceGeneric<
            part, "b32", B32, i32, true,
            !cast<Intrinsic>("int_nvvm_tensormap_replace_" # part)>;
foreach part = ["rank", "elemtype", "interleave_layout", "swizzle_mode",
                 "swizzle_atomicity", "fill_mode"] in
  def TENSORMAP_REPLACE_GENERIC_#part
      : TensormapReplaceGeneric<
            part, "b32", B32, i32, false,
            !cast<Intrinsic>("int_nvvm_tensormap_replace_" # part)>;
