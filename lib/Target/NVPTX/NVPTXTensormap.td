//===- NVPTXTensormap.td - Instructions on tensor maps -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tensormap.replace with a generic address, which NVPTXIntrinsics.td lacks.
//
//===----------------------------------------------------------------------===//

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
  let Predicates = NVPTXTargetPredicates<intrinsic>.Predicates;
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
