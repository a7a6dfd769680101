//===- NVPTXMovMatrix.td - movmatrix -----------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction movmatrix, which LLVM has from version 23 on.
//
//===----------------------------------------------------------------------===//

let isConvergent = true in
def MOVMATRIX
    : BasicNVPTXInst<(outs B32:$d), (ins B32:$a),
                     "movmatrix.sync.aligned.m8n8.trans.b16",
                     [(set i32:$d,
                           (int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16
                               i32:$a))]>,
      Requires<NVPTXTargetPredicates<
          int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16>.Predicates>;
