//===- IntrinsicsNVVMWGMMA.td - wgmma.mma_async intrinsics -*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of the PTX ISA's asynchronous warpgroup-level matrix
// multiply-accumulate, llvm.nvvm.wgmma.fence_operand, and
// llvm.nvvm.wgmma.undefined. Included by IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

include "llvm/IR/NVVMWGMMAVariants.td"

//
// wgmma.mma_async
//
// The accumulator is both the first argument and the result: the instruction
// updates it in place. Its type carries N.
//
//   f32   <N/2 x float>
//   s32   <N/2 x i32>
//   f16   <N/4 x i32>, two halves in each i32, the lower column in the low one.
//         A vector of halves whose length is no power of two would be broken
//         into single halves wherever it crosses a block.
//
// The instruction runs on after it was issued: until a wgmma.wait_group it
// reads shared memory through its descriptors and the registers of A, and it
// writes the accumulator. The intrinsics therefore have the default,
// unrestricted memory effects: no access to memory moves across them, nor do
// they move across the fences, waits and barriers, which have the same.
//
class NVVM_WGMMA<WGMMAVariant variant>
    : Intrinsic<[llvm_anyvector_ty],
                !listconcat(
                    [LLVMMatchType<0>,                        // d
                     !if(variant.AFromRegisters, llvm_v4i32_ty, // a
                         llvm_i64_ty),                        // a.desc
                     llvm_i64_ty],                            // b.desc
                    !if(variant.HasSelector,
                        [llvm_i32_ty, llvm_i32_ty], []),      // sp.meta, sp.sel
                    [llvm_i1_ty],                             // scale.d
                    !if(variant.HasScale,
                        [llvm_i32_ty, llvm_i32_ty], []),      // scale.a and .b
                    !if(variant.HasTransA, [llvm_i1_ty], []), // trans.a
                    !if(variant.HasTransB, [llvm_i1_ty], []), // trans.b
                    !if(variant.HasSatfinite,
                        [llvm_i1_ty], [])),                   // satfinite
                !listconcat(
                    [IntrConvergent, IntrNoCallback, IntrNoFree,
                     IntrWillReturn],
                    !if(variant.HasSelector,
                        [ImmArg<ArgIndex<4>>,
                         Range<ArgIndex<4>, 0, variant.NumSelectors>], []),
                    !foreach(flag, !range(variant.NumFlags),
                             ImmArg<ArgIndex<!add(variant.FirstFlag, flag)>>)),
                variant.IntrinsicName>;

let TargetPrefix = "nvvm" in {

foreach variant = !instances<WGMMAVariant>() in
  def int_#variant.IntrinsicEnum : NVVM_WGMMA<variant>;

//
// wgmma.fence_operand
//
// Returns its operand and emits nothing. It is ordered with the wgmma
// instructions, so a use of its result cannot move above the wait_group that it
// follows; and it keeps its operand in the same registers up to itself. Takes
// every type of accumulator, and <4 x i32>: an A in registers that a wgmma in
// flight is still reading; also a register of these alone, float or i32.
//
def int_nvvm_wgmma_fence_operand
    : Intrinsic<[llvm_any_ty], [LLVMMatchType<0>],
                [IntrInaccessibleMemOnly, IntrHasSideEffects, IntrNoCallback,
                 IntrNoFree, IntrWillReturn],
                "llvm.nvvm.wgmma.fence_operand">;

//
// wgmma.undefined
//
// A value of which nobody knows anything, of any type. It stands for that of a
// variable that has none, if it may be an accumulator, until all variables are
// in registers (NVPTXUndefinedAccumulators). A front end has no use for it.
//
def int_nvvm_wgmma_undefined
    : Intrinsic<[llvm_any_ty], [],
                [IntrNoMem, IntrSpeculatable, IntrNoCallback, IntrWillReturn]>;

} // let TargetPrefix = "nvvm"
