//===- IntrinsicsNVVMTcgen05LoadReduceSigned.td ------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of tcgen05.ld.red, which loads from tensor memory and reduces
// what a thread has loaded, of integers with a sign. Included by
// IntrinsicsNVVM.td.
//
//   { <n x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.<shape>.x<n>.s32(
//       ptr addrspace(6) %addr,
//       i64 immarg %offset,            ; of 16x32bx2 only
//       i32 immarg %operation)         ; 0: min, 1: max
//
// LLVM has those of other types from version 23 on, where i32 is without a
// sign: IntrinsicsNVVMTcgen05LoadReduce.td.
//
//===----------------------------------------------------------------------===//

defvar NVVMTcgen05LoadReduceShapes = ["32x32b", "16x32bx2"];
defvar NVVMTcgen05LoadReduceSizes = [2, 4, 8, 16, 32, 64, 128];

// What the intrinsic has in its name. type: "f32", "s32", or "i32", which is
// without a sign.
class NVVMTcgen05LoadReduceName<string shape, int size, string type> {
  string Shape = shape;
  // The registers that a thread loads.
  int Size = size;
  bit HasOffset = !eq(shape, "16x32bx2");
  bit IsFloat = !eq(type, "f32");
  string PTXType = !subst("i", "u", type);
  defvar element = !subst("s", "i", type);
  list<LLVMType> Results = [LLVMType<!cast<ValueType>("v" # size # element)>,
                            LLVMType<!cast<ValueType>(element)>];
  // After the address, all constants.
  list<LLVMType> Flags =
      !listconcat(!if(HasOffset, [llvm_i64_ty], []<LLVMType>),
                  [llvm_i32_ty], // operation
                  !if(IsFloat, [llvm_i1_ty, llvm_i1_ty], // abs, nan
                               []<LLVMType>));
  list<IntrinsicProperty> Properties =
      !listconcat(!foreach(i, !range(!size(Flags)),
                           ImmArg<ArgIndex<!add(i, 1)>>),
                  [Range<ArgIndex<!if(HasOffset, 2, 1)>, 0, 2>]);
}

class NVVMTcgen05LoadReduce<NVVMTcgen05LoadReduceName name>
    : DefaultAttrsIntrinsic<
          name.Results, !listconcat([llvm_tmem_ptr_ty], name.Flags),
          !listconcat([IntrConvergent, IntrArgMemOnly, NoCapture<ArgIndex<0>>],
                      name.Properties)> {
  NVVMTcgen05LoadReduceName Name = name;
}

let TargetPrefix = "nvvm" in
foreach shape = NVVMTcgen05LoadReduceShapes in
  foreach size = NVVMTcgen05LoadReduceSizes in
    def int_nvvm_tcgen05_ld_red_#shape#_x#size#_s32
        : NVVMTcgen05LoadReduce<
              NVVMTcgen05LoadReduceName<shape, size, "s32">>;
