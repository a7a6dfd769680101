//===- NVPTXAsyncStoreToGlobal.td - st.async to global -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction st.async to global memory, of a register.
// NVPTXAsyncStoreToGlobal.cpp selects it through AsyncStoreToGlobalTable. LLVM
// has this itself from version 23 on.
//
//===----------------------------------------------------------------------===//

class AsyncStoreToGlobalRow<Intrinsic intrinsic, int size, Instruction opcode> {
  Intrinsic ID = intrinsic;
  bits<8> Bits = size;
  Instruction Opcode = opcode;
}

// LLVM has no registers of 8 bits: what is stored of one of 16 bits is moved to
// one that the instruction declares.
class AsyncStoreToGlobal<string order, int size>
    : NVPTXInst<(outs),
                !con((ins ADDR:$dst),
                     !dag(ins, [!cast<NVPTXRegClass>(
                                   "B" # !if(!eq(size, 8), 16, size))],
                          ["value"])),
                !if(!eq(size, 8),
                    "{{\n\t.reg .b8 \t%st_async_val;\n\t"
                    "cvt.u8.u16 \t%st_async_val, $value;\n\t", "") #
                    "st.async." # order # ".global.b" # size # " \t[$dst], " #
                    !if(!eq(size, 8), "%st_async_val;\n\t}}", "$value;")> {
  let mayStore = true;
  // A release.
  let hasSideEffects = true;
}

foreach scope = ["gpu", "sys", "mmio_sys"] in
  foreach size = [8, 16, 32, 64] in {
    defvar order = !if(!eq(scope, "mmio_sys"), "mmio.release.sys",
                       "release." # scope);
    defvar name = "ST_ASYNC_GLOBAL_" # scope # "_B" # size;
    def name : AsyncStoreToGlobal<order, size>;
    def : AsyncStoreToGlobalRow<
              !cast<Intrinsic>("int_nvvm_st_async_" # scope), size,
              !cast<Instruction>(name)>;
  }

def AsyncStoreToGlobalTable : GenericTable {
  let FilterClass = "AsyncStoreToGlobalRow";
  let CppTypeName = "AsyncStoreToGlobal";
  let Fields = ["ID", "Bits", "Opcode"];
  let PrimaryKey = ["ID", "Bits"];
  let PrimaryKeyName = "lookupAsyncStoreToGlobal";
}
