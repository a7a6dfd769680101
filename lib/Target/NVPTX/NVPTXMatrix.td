//===- NVPTXMatrix.td - Warp-level matrix instructions -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// movmatrix; and for all warp-level matrix intrinsics, what they need: as
// predicates of the patterns, and as a table for NVPTXMatrix.cpp, which reports
// what a pattern only fails to match.
//
//===----------------------------------------------------------------------===//

include "llvm/IR/NVVMMatrixTargets.td"

class NVPTXMatrixPredicates<Intrinsic intrinsic> {
  defvar target = NVVMMatrixTargetOf<!cast<string>(intrinsic)>;
  list<Predicate> Predicates = !listconcat(
      !cond(!eq(target.Target.Kind,
                BlockScaleTarget): [callSubtarget<"hasMMABlockScale">],
            !eq(target.Target.Kind, SparseBlockScaleF4Target):
                [callSubtarget<"hasMMASparseBlockScaleF4">],
            !eq(target.Target.Kind, ByteMatrixTarget): [callSubtarget<
                "hasLdStmatrixBlackwellSupport">],
            true: [hasSM<target.Target.MinSM>, hasPTX<target.Target.MinPTX>]),
      !if(target.RemovedInPTX,
          [Predicate<"Subtarget->getPTXVersion() < "#target.RemovedInPTX>],
          []));
}

let isConvergent = true,
    Predicates =
        NVPTXMatrixPredicates<int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16>.Predicates in def MOVMATRIX
    : BasicNVPTXInst<(outs B32:$d), (ins B32:$a), "movmatrix.sync.aligned.m8n8.trans.b16", [(set i32:$d, (int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16 i32:$a))]>;

class MatrixIntrinsic<Intrinsic intrinsic> {
  defvar record = !cast<string>(intrinsic);
  defvar target = NVVMMatrixTargetOf<record>;
  Intrinsic ID = intrinsic;
  string Kind = "MatrixTargetKind::"#target.Target.Kind;
  bits<8> MinSM = target.Target.MinSM;
  bits<8> MinPTX = target.Target.MinPTX;
  bits<8> RemovedInPTX = target.RemovedInPTX;
  // Bit i stands for address space i: generic, global, shared.
  bits<8> AddressSpaces =
      !cond(!match(record, "_wmma_.*_(load|store)_"): 0b1011,
            !match(record, "_(ld|st)matrix_"): 0b1001,
            true: 0);
}

foreach intrinsic = !instances<Intrinsic>(NVVMMatrixRecords)
    in def : MatrixIntrinsic<intrinsic>;

def MatrixIntrinsicTable : GenericTable {
  let FilterClass = "MatrixIntrinsic";
  let CppTypeName = "MatrixIntrinsic";
  let Fields = ["ID", "Kind", "MinSM", "MinPTX", "RemovedInPTX",
                "AddressSpaces"];
  string TypeOf_Kind = "code";
  let PrimaryKey = ["ID"];
  let PrimaryKeyName = "lookupMatrixIntrinsic";
  let PrimaryKeyEarlyOut = true;
}
