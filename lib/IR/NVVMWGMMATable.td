//===- NVVMWGMMATable.td - C++ table of wgmma.mma_async ----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lays the variants of wgmma.mma_async out for -gen-searchable-tables: the rows
// of llvm::nvvm::WGMMAVariant (llvm/IR/NVVMWGMMA.h).
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"
include "llvm/IR/NVVMWGMMAVariants.td"

class WGMMATableRow<WGMMAVariant variant> {
  string ID = "Intrinsic::" # variant.IntrinsicEnum;
  bits<16> K = variant.K;
  // Bit i stands for N = 8 * (i + 1).
  bits<32> NMask = !foldl(0, variant.Types.Ns, mask, n,
                          !or(mask, !shl(1, !sub(!div(n, 8), 1))));
  bits<8> RegistersPer8N = variant.RegistersPer8N;
  bit HasFloatAccumulator = !eq(variant.Types.D.PTX, "f32");
  bit IsSparse = variant.IsSparse;
  bit AFromRegisters = variant.AFromRegisters;
  bit HasScale = variant.HasScale;
  bit HasTransA = variant.HasTransA;
  bit HasTransB = variant.HasTransB;
  bit HasSatfinite = variant.HasSatfinite;
  bits<8> NumSelectors = variant.NumSelectors;
  bits<8> MinPTX = variant.MinPTX;
}

foreach variant = !instances<WGMMAVariant>() in
  def : WGMMATableRow<variant>;

def WGMMAVariantTable : GenericTable {
  let FilterClass = "WGMMATableRow";
  let CppTypeName = "WGMMAVariant";
  let Fields = ["ID", "K", "NMask", "RegistersPer8N", "HasFloatAccumulator",
                "IsSparse", "AFromRegisters", "HasScale", "HasTransA",
                "HasTransB", "HasSatfinite", "NumSelectors", "MinPTX"];
  string TypeOf_ID = "code";
}
