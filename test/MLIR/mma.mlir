// The other matrix ops of the NVVM dialect, one of each type: nvvm.mma.sync,
// nvvm.mma.sp.sync, with ordered metadata, too, and nvvm.mma.block_scale.
// RUN: split-file %s %t
// RUN: mlir-translate --mlir-to-llvmir %t/sm_80.mlir \
// RUN: | llc -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx71 -verify-machineinstrs -o %t/sm_80.ptx
// RUN: FileCheck %t/sm_80.mlir --input-file=%t/sm_80.ptx --implicit-check-not=mma.
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_80 %t/sm_80.ptx %}
// RUN: mlir-translate --mlir-to-llvmir %t/sm_120a.mlir \
// RUN: | llc -mtriple=nvptx64 -mcpu=sm_120a -mattr=+ptx87 -verify-machineinstrs -o %t/sm_120a.ptx
// RUN: FileCheck %t/sm_120a.mlir --input-file=%t/sm_120a.ptx --implicit-check-not=mma.
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_120a %t/sm_120a.ptx %}

//--- sm_80.mlir
// Where the document sends the f64 users. nvvm.wmma.mma has f64, too: wmma.test.
// CHECK-LABEL: .func {{.*}}f64(
// CHECK: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
llvm.func @f64(%a: f64, %b: f64, %c: f64) -> !llvm.struct<(f64, f64)> {
  %d = nvvm.mma.sync A[%a] B[%b] C[%c, %c]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  llvm.return %d : !llvm.struct<(f64, f64)>
}

// CHECK-LABEL: .func {{.*}}f16(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
llvm.func @f16(%x: vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%x, %x]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     shape = #nvvm.shape<m = 16, n = 8, k = 16>}
    : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  llvm.return %d : !llvm.struct<(vector<2xf16>, vector<2xf16>)>
}

// CHECK-LABEL: .func {{.*}}bf16(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
llvm.func @bf16(%x: i32, %c: f32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%c, %c, %c, %c]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>,
     shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
}

// CHECK-LABEL: .func {{.*}}tf32(
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
llvm.func @tf32(%x: i32, %c: f32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%c, %c, %c, %c]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>,
     shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
}

// CHECK-LABEL: .func {{.*}}s8_u8(
// CHECK: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32
llvm.func @s8_u8(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%x, %x, %x, %x]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>,
     intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>,
     shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %d : !llvm.struct<(i32, i32, i32, i32)>
}

// CHECK-LABEL: .func {{.*}}s4(
// CHECK: mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32
llvm.func @s4(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%x, %x, %x, %x]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>,
     intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>,
     shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %d : !llvm.struct<(i32, i32, i32, i32)>
}

// CHECK-LABEL: .func {{.*}}b1_xor(
// CHECK: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc
llvm.func @b1_xor(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%x, %x, %x, %x]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>,
     b1Op = #nvvm.mma_b1op<xor_popc>,
     shape = #nvvm.shape<m = 16, n = 8, k = 256>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %d : !llvm.struct<(i32, i32, i32, i32)>
}

// CHECK-LABEL: .func {{.*}}b1_and(
// CHECK: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
llvm.func @b1_and(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %d = nvvm.mma.sync A[%x, %x, %x, %x] B[%x, %x] C[%x, %x, %x, %x]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
     multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>,
     b1Op = #nvvm.mma_b1op<and_popc>,
     shape = #nvvm.shape<m = 16, n = 8, k = 256>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %d : !llvm.struct<(i32, i32, i32, i32)>
}

// CHECK-LABEL: .func {{.*}}sparse(
// CHECK: ld.param.b32 [[META:%r[0-9]+]], [sparse_param_2];
// CHECK: mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// CHECK: [[META]],
// CHECK-NEXT: 1;
llvm.func @sparse(%x: vector<2xf16>, %c: f32, %meta: i32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %sel = llvm.mlir.constant(1 : i32) : i32
  %d = nvvm.mma.sp.sync A[%x, %x, %x, %x] B[%x, %x, %x, %x] C[%c, %c, %c, %c]
    sparseMetadata[%meta] selector[%sel] {shape = #nvvm.shape<m = 16, n = 8, k = 32>}
    : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
}

//--- sm_120a.mlir
// CHECK-LABEL: .func {{.*}}sparse_ordered(
// CHECK: ld.param.b32 [[META:%r[0-9]+]], [sparse_ordered_param_2];
// CHECK: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// CHECK: [[META]],
// CHECK-NEXT: 1;
llvm.func @sparse_ordered(%x: vector<2xf16>, %c: f32, %meta: i32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %sel = llvm.mlir.constant(1 : i32) : i32
  %d = nvvm.mma.sp.sync A[%x, %x, %x, %x] B[%x, %x, %x, %x] C[%c, %c, %c, %c]
    sparseMetadata[%meta] selector[%sel] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
    : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
}

// CHECK-LABEL: .func {{.*}}block_scale(
// CHECK: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0
llvm.func @block_scale(%x: i32, %c: f32, %scale: i32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %id = llvm.mlir.constant(0 : i16) : i16
  %d = nvvm.mma.block_scale A[%x, %x, %x, %x] B[%x, %x] C[%c, %c, %c, %c]
    scaleA[%scale, %id, %id] scaleB[%scale, %id, %id]
    {shape = #nvvm.shape<m = 16, n = 8, k = 32>,
     multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>,
     scaleVecSize = #nvvm.scale_vec_size<x1>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>,
     kind = #nvvm.block_scale_kind<mxf8f6f4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
}
