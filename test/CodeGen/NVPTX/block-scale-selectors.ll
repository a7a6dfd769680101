; Byte and thread ids of block scale that the PTX ISA does not define: refused where
; they are constants, by ptxas, too. Each kind of scale_vec has its own.
; RUN: not llc < %s -mtriple=nvptx64 -mcpu=sm_120a -mattr=+ptx88 -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.f32.e2m1.e2m1.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.block.scale.m16n8k128.row.col.mxf4nvf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0(i32, i32, i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i32, i32, i16, i16, i32, i16, i16)

define { float, float, float, float } @defined_1x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 3, i16 1, i32 %s, i16 3, i16 3)
  ret { float, float, float, float } %d
}

define { float, float, float, float } @variable(i32 %a, float %c, i32 %s, i16 %id) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 %id, i16 %id, i32 %s, i16 %id, i16 %id)
  ret { float, float, float, float } %d
}

; CHECK: error: {{.*}}in function byte_a_1x {{.*}}: llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0 requires 0 to 3 as byte id of A, but got 4
define { float, float, float, float } @byte_a_1x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 4, i16 0, i32 %s, i16 0, i16 0)
  ret { float, float, float, float } %d
}

; CHECK: error: {{.*}}in function thread_a_1x {{.*}} requires 0 or 1 as thread id of A, but got 2
define { float, float, float, float } @thread_a_1x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 0, i16 2, i32 %s, i16 0, i16 0)
  ret { float, float, float, float } %d
}

; The default of mxf4 is scale_vec::2X.
; CHECK: error: {{.*}}in function byte_b_2x {{.*}} requires 0 or 2 as byte id of B, but got 1
define { float, float, float, float } @byte_b_2x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.f32.e2m1.e2m1.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 2, i16 0, i32 %s, i16 1, i16 0)
  ret { float, float, float, float } %d
}

; CHECK: error: {{.*}}in function byte_a_4x {{.*}} requires 0 as byte id of A, but got 2
define { float, float, float, float } @byte_a_4x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 2, i16 0, i32 %s, i16 0, i16 0)
  ret { float, float, float, float } %d
}

; CHECK: error: {{.*}}in function thread_b_sparse {{.*}}: llvm.nvvm.mma.sp.ordered.metadata.block.scale.{{.*}} requires 0 to 3 as thread id of B, but got 65535
define { float, float, float, float } @thread_b_sparse(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.sp.ordered.metadata.block.scale.m16n8k128.row.col.mxf4nvf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %a, i32 0, i32 %s, i16 2, i16 1, i32 %s, i16 0, i16 -1)
  ret { float, float, float, float } %d
}

; Named, the same as the defaults.
; CHECK: error: {{.*}}in function byte_b_named_1x {{.*}} requires 0 to 3 as byte id of B, but got 5
define { float, float, float, float } @byte_b_named_1x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 1, i16 0, i32 %s, i16 5, i16 0)
  ret { float, float, float, float } %d
}

; CHECK: error: {{.*}}in function byte_a_named_2x {{.*}} requires 0 or 2 as byte id of A, but got 3
define { float, float, float, float } @byte_a_named_2x(i32 %a, float %c, i32 %s) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %s, i16 3, i16 0, i32 %s, i16 0, i16 0)
  ret { float, float, float, float } %d
}
