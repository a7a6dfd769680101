// A kernel as a user of MLIR writes it: one tile, from shared memory to global. The
// document says that the layouts of C and D must agree; PTX has no such rule (and
// wmma.mma no such layouts): C is column-major here, D row-major.
// RUN: mlir-translate --mlir-to-llvmir %s \
// RUN: | llc -mtriple=nvptx64 -mcpu=sm_70 -mattr=+ptx63 -verify-machineinstrs -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=wmma --implicit-check-not=mov
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_75 %t.ptx %}

// CHECK: .visible .entry tile(
// CHECK-DAG: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 [[A:{.*}]], {{\[%rd[0-9]+\]}}, [[STRIDE:%r[0-9]+]];
// CHECK-DAG: wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 [[B:{.*}]], {{\[%rd[0-9]+\]}}, [[STRIDE]];
// CHECK-DAG: wmma.load.c.sync.aligned.col.m16n16k16.global.f32 [[C:{.*}]], {{\[%rd[0-9]+\]}}, [[STRIDE]];
// CHECK: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
// CHECK-NEXT: [[D:{.*}]],
// CHECK-NEXT: [[A]],
// CHECK-NEXT: [[B]],
// CHECK-NEXT: [[C]];
// CHECK: wmma.store.d.sync.aligned.row.m16n16k16.global.f32 {{\[%rd[0-9]+\], *}}[[D]], [[STRIDE]];
!halves = !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>,
                        vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
!floats = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>

llvm.func @tile(%pa: !llvm.ptr<3>, %pb: !llvm.ptr<3>, %pc: !llvm.ptr<1>, %pd: !llvm.ptr<1>, %stride: i32)
    attributes {nvvm.kernel} {
  %a = nvvm.wmma.load %pa, %stride
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<row>,
     eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>} : (!llvm.ptr<3>) -> !halves
  %b = nvvm.wmma.load %pb, %stride
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<col>,
     eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<b>} : (!llvm.ptr<3>) -> !halves
  %c = nvvm.wmma.load %pc, %stride
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<col>,
     eltype = #nvvm.mma_type<f32>, frag = #nvvm.mma_frag<c>} : (!llvm.ptr<1>) -> !floats
  %a0 = llvm.extractvalue %a[0] : !halves
  %a1 = llvm.extractvalue %a[1] : !halves
  %a2 = llvm.extractvalue %a[2] : !halves
  %a3 = llvm.extractvalue %a[3] : !halves
  %a4 = llvm.extractvalue %a[4] : !halves
  %a5 = llvm.extractvalue %a[5] : !halves
  %a6 = llvm.extractvalue %a[6] : !halves
  %a7 = llvm.extractvalue %a[7] : !halves
  %b0 = llvm.extractvalue %b[0] : !halves
  %b1 = llvm.extractvalue %b[1] : !halves
  %b2 = llvm.extractvalue %b[2] : !halves
  %b3 = llvm.extractvalue %b[3] : !halves
  %b4 = llvm.extractvalue %b[4] : !halves
  %b5 = llvm.extractvalue %b[5] : !halves
  %b6 = llvm.extractvalue %b[6] : !halves
  %b7 = llvm.extractvalue %b[7] : !halves
  %c0 = llvm.extractvalue %c[0] : !floats
  %c1 = llvm.extractvalue %c[1] : !floats
  %c2 = llvm.extractvalue %c[2] : !floats
  %c3 = llvm.extractvalue %c[3] : !floats
  %c4 = llvm.extractvalue %c[4] : !floats
  %c5 = llvm.extractvalue %c[5] : !floats
  %c6 = llvm.extractvalue %c[6] : !floats
  %c7 = llvm.extractvalue %c[7] : !floats
  %d = nvvm.wmma.mma %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7,
    %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7,
    %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layoutA = #nvvm.mma_layout<row>,
     layoutB = #nvvm.mma_layout<col>, eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f32>}
    : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>,
       vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>,
       vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>,
       vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>,
       f32, f32, f32, f32, f32, f32, f32, f32) -> !floats
  %d0 = llvm.extractvalue %d[0] : !floats
  %d1 = llvm.extractvalue %d[1] : !floats
  %d2 = llvm.extractvalue %d[2] : !floats
  %d3 = llvm.extractvalue %d[3] : !floats
  %d4 = llvm.extractvalue %d[4] : !floats
  %d5 = llvm.extractvalue %d[5] : !floats
  %d6 = llvm.extractvalue %d[6] : !floats
  %d7 = llvm.extractvalue %d[7] : !floats
  nvvm.wmma.store %pd, %stride, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7
    {m = 16 : i32, n = 16 : i32, k = 16 : i32, layout = #nvvm.mma_layout<row>, eltype = #nvvm.mma_type<f32>}
    : !llvm.ptr<1>, f32, f32, f32, f32, f32, f32, f32, f32
  llvm.return
}
