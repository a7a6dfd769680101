// What "NVVM WMMA Ops" says that the verifier rejects, and what MLIR 22 lacks of it.
// RUN: mlir-translate --mlir-to-llvmir %s -split-input-file -verify-diagnostics

// The shape and the types must match.
llvm.func @shape(%p: !llvm.ptr<3>, %stride: i32) {
  // expected-error @below {{invalid attribute combination}}
  %a = nvvm.wmma.load %p, %stride
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<row>,
     eltype = #nvvm.mma_type<tf32>, frag = #nvvm.mma_frag<a>}
    : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----

// The number of registers follows from the shape and the type.
llvm.func @length(%p: !llvm.ptr<3>, %stride: i32) {
  // expected-error @below {{structure of 8 elements of type 'vector<2xf16>'}}
  %a = nvvm.wmma.load %p, %stride
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<row>,
     eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>}
    : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.return
}

// -----

// .xor.popc and .and.popc are for b1 only. They are in the intrinsic's name, not in an
// attribute of nvvm.wmma.mma.
llvm.func @operation(%x: i32) {
  // expected-error @+2 {{could not find LLVM intrinsic}}
  // expected-error @+1 {{LLVM Translation failed}}
  %d = llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k32.mma.xor.popc.row.col.s4"(%x, %x, %x, %x)
    : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

// The document's intrinsic of b1. Holds: llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1.
llvm.func @intrinsic(%x: i32) {
  // expected-error @+2 {{could not find LLVM intrinsic}}
  // expected-error @+1 {{LLVM Translation failed}}
  %d = llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k128.mma.row.col.b1"(%x, %x, %x, %x)
    : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

// The ops do not reach bf16, s4, u4 and b1: wmma.py calls their intrinsics.
llvm.func @bf16(%x: i32, %c: f32) {
  // expected-error @below {{invalid attribute combination}}
  %d = nvvm.wmma.mma %x, %x, %x, %x, %x, %x, %x, %x, %c, %c, %c, %c, %c, %c, %c, %c
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layoutA = #nvvm.mma_layout<row>,
     layoutB = #nvvm.mma_layout<col>, eltypeA = #nvvm.mma_type<bf16>, eltypeB = #nvvm.mma_type<f32>}
    : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32)
    -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @s4(%x: i32) {
  // expected-error @below {{invalid attribute combination}}
  %d = nvvm.wmma.mma %x, %x, %x, %x
    {m = 8 : i32, n = 8 : i32, k = 32 : i32, layoutA = #nvvm.mma_layout<row>,
     layoutB = #nvvm.mma_layout<col>, eltypeA = #nvvm.mma_type<s4>, eltypeB = #nvvm.mma_type<s32>}
    : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @b1(%x: i32) {
  // expected-error @below {{invalid attribute combination}}
  %d = nvvm.wmma.mma %x, %x, %x, %x
    {m = 8 : i32, n = 8 : i32, k = 128 : i32, layoutA = #nvvm.mma_layout<row>,
     layoutB = #nvvm.mma_layout<col>, eltypeA = #nvvm.mma_type<b1>, eltypeB = #nvvm.mma_type<s32>}
    : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

// Fragments lie in global, shared or generic memory.
llvm.func @space(%p: !llvm.ptr<4>, %stride: i32) {
  // expected-error @below {{in memory space 0, 1, 3}}
  %a = nvvm.wmma.load %p, %stride
    {m = 8 : i32, n = 8 : i32, k = 4 : i32, layout = #nvvm.mma_layout<row>,
     eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<a>} : (!llvm.ptr<4>) -> f64
  llvm.return
}
