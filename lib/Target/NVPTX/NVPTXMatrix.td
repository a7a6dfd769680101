//===- NVPTXMatrix.td - Warp-level matrix instructions -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-level matrix instructions that NVPTXIntrinsics.td lacks: mma of f64
// with a rounding.
//
//===----------------------------------------------------------------------===//

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
          ".f64.f64.f64.f64\n\t\t" #
          !interleave([d.Asm, a.Asm, b.Asm, c.Asm], ",\n\t\t") # ";",
          [!con(d.Values,
                (set !setdagop(!con(a.Values, b.Values, c.Values),
                               intrinsic)))]> {
  let isConvergent = true;
  let Predicates = NVPTXTargetPredicates<intrinsic>.Predicates;
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
