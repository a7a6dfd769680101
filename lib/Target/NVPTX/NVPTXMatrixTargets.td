//===- NVPTXMatrixTargets.td - Needs of matrix intrinsics --*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the warp-level matrix intrinsics and those of NVVMKernelTargets.td need:
// predicates of their patterns, and tables for NVPTXMatrix.cpp, which reports
// what a pattern only fails to match.
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
