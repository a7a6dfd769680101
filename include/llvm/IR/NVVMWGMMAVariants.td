//===- NVVMWGMMAVariants.td - Variants of wgmma.mma_async --*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of the variants of wgmma.mma_async (PTX ISA, "Asynchronous
// Warpgroup Level Matrix Multiply-Accumulate Instructions"). The intrinsics,
// the machine instructions, the verifier's table and Clang's builtins are all
// derived from it, so this file depends on no other.
//
// Naming grammar
//
//   llvm.nvvm.wgmma.mma_async[.sp].{ss|rs}.<D>.<A>.<B>[.and.popc]
//   __nvvm_wgmma_mma_async[_sp]_{ss|rs}_<D>_<A>_<B>[_and_popc]
//
//   sp      A is 2:4 (tf32: 1:2) structured sparse
//   ss, rs  where A and B come from: 's' a matrix descriptor of shared memory,
//           'r' registers
//   D A B   the PTX names of the element types
//   and, popc
//           for b1: how bits are multiplied, and how the products are summed
//
// What is not in the name, and why
//
//   N       is the length of the accumulator's vector type. As a part of the
//           name it would make 1,860 intrinsics out of 66.
//   K       follows from the type of A and from .sp.
//   satfinite, the negations (scale-a, scale-b) and the transpositions
//           (trans-a, trans-b) are immediate flags: each doubles the number of
//           instructions and changes neither a type nor the meaning of another
//           operand. An intrinsic has only the flags that PTX allows for its
//           types, so that no combination of flags is invalid.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_NVVMWGMMAVARIANTS_TD
#define LLVM_IR_NVVMWGMMAVARIANTS_TD

// An element type by its PTX name.
class WGMMAElement<string ptx, int size> {
  string PTX = ptx;
  int Bits = size;
}

def WGMMA_F16  : WGMMAElement<"f16", 16>;
def WGMMA_BF16 : WGMMAElement<"bf16", 16>;
def WGMMA_TF32 : WGMMAElement<"tf32", 32>;
def WGMMA_F32  : WGMMAElement<"f32", 32>;
def WGMMA_E4M3 : WGMMAElement<"e4m3", 8>;
def WGMMA_E5M2 : WGMMAElement<"e5m2", 8>;
def WGMMA_S8   : WGMMAElement<"s8", 8>;
def WGMMA_U8   : WGMMAElement<"u8", 8>;
def WGMMA_B1   : WGMMAElement<"b1", 1>;
def WGMMA_S32  : WGMMAElement<"s32", 32>;

// A combination of types that the instruction exists for, with the operation
// that PTX names after them.
class WGMMATypes<WGMMAElement d, WGMMAElement a, WGMMAElement b,
                 string operation = ""> {
  WGMMAElement D = d;
  WGMMAElement A = a;
  WGMMAElement B = b;

  // As PTX has it: ".f32.f16.f16", ".s32.b1.b1.and.popc".
  string PTX = "." # d.PTX # "." # a.PTX # "." # b.PTX # operation;

  bit IsInteger = !eq(d.PTX, "s32");
  // Bits do not saturate: at most 256 of them are added to a sum of 32.
  bit HasSatfinite = !and(IsInteger, !ne(a.Bits, 1));
  // Only 16-bit operands may be transposed, and only where they are read from
  // shared memory.
  bit HasTranspose = !eq(a.Bits, 16);
  // .u8.s8 and .s8.u8 came with PTX ISA 8.4.
  bit IsMixedInteger = !and(IsInteger, !ne(a.PTX, b.PTX));

  // The values of N: every multiple of 8 up to 256; for the integer types only
  // the multiples of 16 from 32 on.
  list<int> Ns = !filter(n, !range(8, 257, 8),
                         !or(!not(IsInteger), !le(n, 32),
                             !eq(!and(n, 15), 0)));
}

defvar WGMMASparseTypes = [
  WGMMATypes<WGMMA_F16, WGMMA_F16, WGMMA_F16>,
  WGMMATypes<WGMMA_F32, WGMMA_F16, WGMMA_F16>,
  WGMMATypes<WGMMA_F32, WGMMA_BF16, WGMMA_BF16>,
  WGMMATypes<WGMMA_F32, WGMMA_TF32, WGMMA_TF32>,
  WGMMATypes<WGMMA_F16, WGMMA_E4M3, WGMMA_E4M3>,
  WGMMATypes<WGMMA_F16, WGMMA_E4M3, WGMMA_E5M2>,
  WGMMATypes<WGMMA_F16, WGMMA_E5M2, WGMMA_E4M3>,
  WGMMATypes<WGMMA_F16, WGMMA_E5M2, WGMMA_E5M2>,
  WGMMATypes<WGMMA_F32, WGMMA_E4M3, WGMMA_E4M3>,
  WGMMATypes<WGMMA_F32, WGMMA_E4M3, WGMMA_E5M2>,
  WGMMATypes<WGMMA_F32, WGMMA_E5M2, WGMMA_E4M3>,
  WGMMATypes<WGMMA_F32, WGMMA_E5M2, WGMMA_E5M2>,
  WGMMATypes<WGMMA_S32, WGMMA_S8, WGMMA_S8>,
  WGMMATypes<WGMMA_S32, WGMMA_S8, WGMMA_U8>,
  WGMMATypes<WGMMA_S32, WGMMA_U8, WGMMA_S8>,
  WGMMATypes<WGMMA_S32, WGMMA_U8, WGMMA_U8>,
];
defvar WGMMADenseTypes =
  !listconcat(WGMMASparseTypes,
              [WGMMATypes<WGMMA_S32, WGMMA_B1, WGMMA_B1, ".and.popc">]);

// The part of the names that tells the intrinsics apart: "sp_ss_f32_f16_f16".
class WGMMAName<bit sparse, bit aFromRegisters, WGMMATypes types> {
  string Name = !if(sparse, "sp_", "") # !if(aFromRegisters, "rs", "ss") #
                !subst(".", "_", types.PTX);
}

// One intrinsic: a combination of types, dense or sparse, and the place where A
// comes from. N stays open.
class WGMMAVariant<bit sparse, bit aFromRegisters, WGMMATypes types>
    : WGMMAName<sparse, aFromRegisters, types> {
  WGMMATypes Types = types;
  bit IsSparse = sparse;
  bit AFromRegisters = aFromRegisters;

  string IntrinsicEnum = "nvvm_wgmma_mma_async_" # Name;
  string IntrinsicName = "llvm." # !subst("mma.async", "mma_async",
                                          !subst("_", ".", IntrinsicEnum));
  string BuiltinName = "__nvvm_wgmma_mma_async_" # Name;

  // A row of A takes 256 bits, twice that where half of it is zero.
  int K = !div(!if(sparse, 512, 256), types.A.Bits);
  // A 64xN accumulator spread over 128 threads leaves N/2 elements to each, in
  // 32-bit registers: two halves share one.
  int RegistersPer8N = !if(!eq(types.D.Bits, 16), 2, 4);

  // The immediate operands, in this order.
  bit HasSelector = sparse;
  bit HasScale = !not(types.IsInteger);
  bit HasTransA = !and(types.HasTranspose, !not(aFromRegisters));
  bit HasTransB = types.HasTranspose;
  bit HasSatfinite = types.HasSatfinite;
  // The selectors from 0 on that PTX gives a meaning to: with 8-bit types all
  // threads contribute metadata, with the others one of two pairs of threads.
  int NumSelectors = !if(sparse, !if(!eq(types.A.Bits, 8), 1, 2), 0);

  // Where the flags stand among the intrinsic's arguments: after d, a, b, the
  // two of the metadata, and scale-d.
  int FirstFlag = !if(sparse, 6, 4);
  int NumFlags = !add(!mul(2, HasScale), HasTransA, HasTransB, HasSatfinite);

  // The lowest PTX version, as in 82 for 8.2. The target is always sm_90a.
  int MinPTX = !if(types.IsMixedInteger, 84, !if(sparse, 82, 80));
}

foreach sparse = [false, true] in
  foreach aFromRegisters = [false, true] in
    foreach types = !if(sparse, WGMMASparseTypes, WGMMADenseTypes) in
      def NVVM_WGMMA_#WGMMAName<sparse, aFromRegisters, types>.Name
          : WGMMAVariant<sparse, aFromRegisters, types>;

#endif // LLVM_IR_NVVMWGMMAVARIANTS_TD
