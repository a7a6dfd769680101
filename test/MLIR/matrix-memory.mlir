// nvvm.ldmatrix and nvvm.stmatrix, the shapes of each: what is loaded is stored.
// RUN: mlir-translate --mlir-to-llvmir %s \
// RUN: | llc -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx86 -verify-machineinstrs -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=matrix.sync
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_100a %t.ptx %}
!two = !llvm.struct<(i32, i32)>
!four = !llvm.struct<(i32, i32, i32, i32)>

// CHECK-LABEL: .func {{.*}}m8n8(
// CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {[[R:%r[0-9]+]]}, {{\[}}[[P:%rd[0-9]+]]{{\]}};
// CHECK: stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{\[}}[[P]]{{\]}}, {[[R]]};
llvm.func @m8n8(%p: !llvm.ptr<3>) {
  %r = nvvm.ldmatrix %p
    {num = 1 : i32, layout = #nvvm.mma_layout<row>, eltType = #nvvm.ld_st_matrix_elt_type<b16>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  nvvm.stmatrix %p, %r
    {layout = #nvvm.mma_layout<col>, eltType = #nvvm.ld_st_matrix_elt_type<b16>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

// CHECK-LABEL: .func {{.*}}m8n8_x4(
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [[R:{.*}]], {{\[}}[[P:%rd[0-9]+]]{{\]}};
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 {{\[}}[[P]]{{\]}}, [[R]];
llvm.func @m8n8_x4(%p: !llvm.ptr<3>) {
  %r = nvvm.ldmatrix %p
    {num = 4 : i32, layout = #nvvm.mma_layout<col>, eltType = #nvvm.ld_st_matrix_elt_type<b16>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !four
  %r0 = llvm.extractvalue %r[0] : !four
  %r1 = llvm.extractvalue %r[1] : !four
  %r2 = llvm.extractvalue %r[2] : !four
  %r3 = llvm.extractvalue %r[3] : !four
  nvvm.stmatrix %p, %r0, %r1, %r2, %r3
    {layout = #nvvm.mma_layout<row>, eltType = #nvvm.ld_st_matrix_elt_type<b16>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  llvm.return
}

// CHECK-LABEL: .func {{.*}}m16n16(
// CHECK: ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 [[R:{.*}]], {{\[}}[[P:%rd[0-9]+]]{{\]}};
// CHECK: stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 {{\[}}[[P]]{{\]}}, [[R]];
llvm.func @m16n16(%p: !llvm.ptr<3>) {
  %r = nvvm.ldmatrix %p
    {num = 1 : i32, layout = #nvvm.mma_layout<col>, eltType = #nvvm.ld_st_matrix_elt_type<b8>,
     shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : (!llvm.ptr<3>) -> !two
  %r0 = llvm.extractvalue %r[0] : !two
  %r1 = llvm.extractvalue %r[1] : !two
  nvvm.stmatrix %p, %r0, %r1
    {layout = #nvvm.mma_layout<col>, eltType = #nvvm.ld_st_matrix_elt_type<b8>,
     shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : !llvm.ptr<3>, i32, i32
  llvm.return
}

// CHECK-LABEL: .func {{.*}}m8n16(
// CHECK: ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {[[R0:%r[0-9]+]]}, {{\[}}[[P:%rd[0-9]+]]{{\]}};
// CHECK: ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {[[R1:%r[0-9]+]]}, {{\[}}[[P]]{{\]}};
// CHECK: stmatrix.sync.aligned.m8n8.x2.shared.b16 {{\[}}[[P]]{{\]}}, {[[R0]], [[R1]]};
llvm.func @m8n16(%p: !llvm.ptr<3>) {
  %r0 = nvvm.ldmatrix %p
    {num = 1 : i32, layout = #nvvm.mma_layout<row>, eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
  %r1 = nvvm.ldmatrix %p
    {num = 1 : i32, layout = #nvvm.mma_layout<row>, eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
  nvvm.stmatrix %p, %r0, %r1
    {layout = #nvvm.mma_layout<row>, eltType = #nvvm.ld_st_matrix_elt_type<b16>,
     shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32
  llvm.return
}
