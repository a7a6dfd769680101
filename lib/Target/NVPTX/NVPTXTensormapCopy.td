//===- NVPTXTensormapCopy.td - tensormap.cp_fenceproxy -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction tensormap.cp_fenceproxy.
//
//===----------------------------------------------------------------------===//

class TensormapCopy<NVVMTensormapCopy copy>
    : NVPTXInst<(outs), (ins ADDR:$dst, ADDR:$src),
                "tensormap.cp_fenceproxy.global.shared::cta" #
                    ".tensormap::generic.release." # copy.Scope #
                    ".sync.aligned \t[$dst], [$src], 128;",
                [(copy addr:$dst, addr:$src, (i32 128))]> {
  let Predicates = NVPTXTargetPredicates<copy>.Predicates;
  let isConvergent = true;
}

foreach copy = !instances<NVVMTensormapCopy>() in
  def : TensormapCopy<copy>;
