//===- NVPTXCachePolicy.td - createpolicy ------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction createpolicy.
//
//===----------------------------------------------------------------------===//

// What stands between the first priority and the operands.
class SecondCachePriority<bit isEvictFirst> {
  string Text = !if(isEvictFirst, ".L2::evict_first", "") # ".b64 \t";
  int Flag = !if(isEvictFirst, -1, 0);
}

class FractionalCachePolicy<NVVMFractionalCachePolicy policy,
                            SecondCachePriority second>
    : NVPTXInst<(outs B64:$policy), (ins B32:$fraction),
                "createpolicy.fractional.L2::" # policy.Priority #
                    second.Text # "$policy, $fraction;",
                [(set i64:$policy, (policy f32:$fraction, second.Flag))]> {
  let Predicates = NVPTXTargetPredicates<policy>.Predicates;
}

class RangeCachePolicy<NVVMRangeCachePolicy policy, SecondCachePriority second>
    : NVPTXInst<(outs B64:$policy),
                (ins ADDR:$addr, B32:$primary_size, B32:$total_size),
                "createpolicy.range" # policy.Space # ".L2::" #
                    policy.Priority # second.Text #
                    "$policy, [$addr], $primary_size, $total_size;",
                [(set i64:$policy,
                      (policy addr:$addr, i32:$primary_size, i32:$total_size,
                          second.Flag))]> {
  let Predicates = NVPTXTargetPredicates<policy>.Predicates;
}

foreach isEvictFirst = [false, true] in {
  foreach policy = !instances<NVVMFractionalCachePolicy>() in
    def : FractionalCachePolicy<policy, SecondCachePriority<isEvictFirst>>;
  foreach policy = !instances<NVVMRangeCachePolicy>() in
    def : RangeCachePolicy<policy, SecondCachePriority<isEvictFirst>>;
}

def CREATEPOLICY_CVT
    : BasicNVPTXInst<(outs B64:$policy), (ins B64:$property),
                     "createpolicy.cvt.L2.b64",
                     [(set i64:$policy,
                           (int_nvvm_createpolicy_cvt_L2 i64:$property))]>,
      Requires<NVPTXTargetPredicates<
          int_nvvm_createpolicy_cvt_L2>.Predicates>;
