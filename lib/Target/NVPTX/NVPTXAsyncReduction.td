//===- NVPTXAsyncReduction.td - Asynchronous reductions ----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions cp.reduce.async.bulk and red.async.
//
//===----------------------------------------------------------------------===//

class AsyncReduction<dag operands, string text, dag pattern,
                     Intrinsic reduction>
    : NVPTXInst<(outs), operands, text, [pattern]> {
  let Predicates = NVPTXTargetPredicates<reduction>.Predicates;
}

class BulkReductionToGlobal<NVVMBulkReductionToGlobal reduction, bit hasHint>
    : AsyncReduction<(ins ADDR:$dst, ADDR:$src, B32:$size, B64:$ch),
                     "cp.reduce.async.bulk.global.shared::cta.bulk_group" #
                         !if(hasHint, ".L2::cache_hint", "") # "." #
                         reduction.Reduction # " \t[$dst], [$src], $size" #
                         !if(hasHint, ", $ch", "") # ";",
                     (reduction addr:$dst, addr:$src, i32:$size, i64:$ch,
                         !if(hasHint, -1, 0)),
                     reduction>;

class BulkReductionToCluster<NVVMBulkReductionToCluster reduction>
    : AsyncReduction<(ins ADDR:$dst, ADDR:$mbar, ADDR:$src, B32:$size),
                     "cp.reduce.async.bulk.shared::cluster.shared::cta" #
                         ".mbarrier::complete_tx::bytes." #
                         reduction.Reduction #
                         " \t[$dst], [$src], $size, [$mbar];",
                     (reduction addr:$dst, addr:$mbar, addr:$src, i32:$size),
                     reduction>;

class RegisterReductionToCluster<NVVMRegisterReductionToCluster reduction,
                                 NVPTXRegClass regs, ValueType type>
    : AsyncReduction<(ins ADDR:$dst, regs:$value, ADDR:$mbar),
                     "red.async.relaxed.cluster.shared::cluster" #
                         ".mbarrier::complete_tx::bytes." #
                         reduction.Reduction # " \t[$dst], $value, [$mbar];",
                     (reduction addr:$dst, type:$value, addr:$mbar),
                     reduction>;

class RegisterReductionToGlobal<NVVMRegisterReductionToGlobal reduction,
                                NVPTXRegClass regs, ValueType type>
    : AsyncReduction<(ins ADDR:$dst, regs:$value),
                     "red.async." # reduction.Order # ".global." #
                         reduction.Reduction # " \t[$dst], $value;",
                     (reduction addr:$dst, type:$value),
                     reduction>;

foreach reduction = !instances<NVVMBulkReductionToGlobal>() in
  foreach hasHint = [false, true] in
    def : BulkReductionToGlobal<reduction, hasHint>;

foreach reduction = !instances<NVVMBulkReductionToCluster>() in
  def : BulkReductionToCluster<reduction>;

foreach reduction = !instances<NVVMRegisterReductionToCluster>() in
  if !eq(reduction.ParamTypes[1], llvm_i64_ty) then
    def : RegisterReductionToCluster<reduction, B64, i64>;
  else
    def : RegisterReductionToCluster<reduction, B32, i32>;

foreach reduction = !instances<NVVMRegisterReductionToGlobal>() in
  if !eq(reduction.ParamTypes[1], llvm_i64_ty) then
    def : RegisterReductionToGlobal<reduction, B64, i64>;
  else
    def : RegisterReductionToGlobal<reduction, B32, i32>;
