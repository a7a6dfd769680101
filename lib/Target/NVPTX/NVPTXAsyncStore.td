//===- NVPTXAsyncStore.td - st.async -----------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction st.async to shared memory of the cluster, of one, two or four
// registers. NVPTXAsyncStore.cpp selects it.
//
//===----------------------------------------------------------------------===//

class AsyncStore<int size, string type, NVPTXRegClass regs> {
  list<string> Names = !foreach(i, !range(size), "value" # i);
  dag Values = !dag(ins, !listsplat(regs, size), Names);
  string List = "$" # !interleave(Names, ", $");
  string Asm =
      "st.async.shared::cluster.mbarrier::complete_tx::bytes" #
      !if(!eq(size, 1), "", ".v" # size) # "." # type # " \t[$dst], " #
      !if(!eq(size, 1), List, "{{" # List # "}}") # ", [$mbar];";
}

let mayStore = true in {
foreach size = [1, 2, 4] in
  def ST_ASYNC_B32_#size
      : NVPTXInst<(outs), !con((ins ADDR:$dst),
                               AsyncStore<size, "b32", B32>.Values,
                               (ins ADDR:$mbar)),
                  AsyncStore<size, "b32", B32>.Asm>;
foreach size = [1, 2] in
  def ST_ASYNC_B64_#size
      : NVPTXInst<(outs), !con((ins ADDR:$dst),
                               AsyncStore<size, "b64", B64>.Values,
                               (ins ADDR:$mbar)),
                  AsyncStore<size, "b64", B64>.Asm>;
}
