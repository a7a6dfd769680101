; The halves of an f16 accumulator are tied to waits each, as Triton makes it: registers are, and halves taken behind the wait.
; RUN: opt %s -S -O2 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | llc -O2 -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: count 0 < %t.err
; RUN: llc %s -o - -O2 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry pipelined(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   {{wait_group|[{]}}
; CHECK:       bra{{.*}} [[LOOP]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       st.global
define ptx_kernel void @pipelined(ptr addrspace(1) %out, i32 %rounds, i64 %da, i64 %db, i64 %dv, i32 %kt) {
entry:
  br label %l.h
l.h:
  %v5 = phi i32 [0,%entry],[%v6,%l.b]
  %v1 = phi half [0.0,%entry],[%v30,%l.b]
  %v2 = phi half [0.0,%entry],[%v31,%l.b]
  %v3 = phi half [0.0,%entry],[%v32,%l.b]
  %v4 = phi half [0.0,%entry],[%v33,%l.b]
  %l.c = icmp slt i32 %v5, %rounds
  br i1 %l.c, label %l.b, label %l.x
l.b:
  %v7 = insertelement <2 x half> undef, half %v1, i32 0
  %v8 = insertelement <2 x half> %v7, half %v2, i32 1
  %v9 = bitcast <2 x half> %v8 to i32
  %v10 = insertelement <2 x half> undef, half %v3, i32 0
  %v11 = insertelement <2 x half> %v10, half %v4, i32 1
  %v12 = bitcast <2 x half> %v11 to i32
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v15 = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0,$1}, $4, $5, $6, 1, 1, 0, 0;", "=r,=r,0,1,l,l,b"(i32 %v9, i32 %v12, i64 %da, i64 %db, i1 true)
  %v16 = extractvalue { i32, i32 } %v15, 0
  %v17 = extractvalue { i32, i32 } %v15, 1
  %v18 = add i64 %da, 2
  %v19 = add i64 %db, 2
  %v20 = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0,$1}, $4, $5, $6, 1, 1, 0, 0;", "=r,=r,0,1,l,l,b"(i32 %v16, i32 %v17, i64 %v18, i64 %v19, i1 true)
  %v21 = extractvalue { i32, i32 } %v20, 0
  %v22 = extractvalue { i32, i32 } %v20, 1
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %v23 = bitcast i32 %v21 to <2 x half>
  %v24 = extractelement <2 x half> %v23, i32 0
  %v25 = extractelement <2 x half> %v23, i32 1
  %v26 = bitcast i32 %v22 to <2 x half>
  %v27 = extractelement <2 x half> %v26, i32 0
  %v28 = extractelement <2 x half> %v26, i32 1
  %v29 = call { half, half, half, half } asm sideeffect "// wait for regs: $0,$1,$2,$3\0A\09wgmma.wait_group.sync.aligned 1;", "=h,=h,=h,=h,0,1,2,3"(half %v24, half %v25, half %v27, half %v28)
  %v30 = extractvalue { half, half, half, half } %v29, 0
  %v31 = extractvalue { half, half, half, half } %v29, 1
  %v32 = extractvalue { half, half, half, half } %v29, 2
  %v33 = extractvalue { half, half, half, half } %v29, 3
  %v6 = add i32 %v5, 1
  br label %l.h
l.x:
  %v36 = call { half, half, half, half } asm sideeffect "// wait for regs: $0,$1,$2,$3\0A\09wgmma.wait_group.sync.aligned 0;", "=h,=h,=h,=h,0,1,2,3"(half %v1, half %v2, half %v3, half %v4)
  %v37 = extractvalue { half, half, half, half } %v36, 0
  %v38 = extractvalue { half, half, half, half } %v36, 1
  %v39 = extractvalue { half, half, half, half } %v36, 2
  %v40 = extractvalue { half, half, half, half } %v36, 3
  %v41 = fpext half %v37 to float
  %v42 = fpext half %v38 to float
  %v43 = fpext half %v39 to float
  %v44 = fpext half %v40 to float
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = mul i32 %t, 4
  %o = getelementptr float, ptr addrspace(1) %out, i32 %to
  %v45 = getelementptr float, ptr addrspace(1) %o, i32 0
  store float %v41, ptr addrspace(1) %v45
  %v46 = getelementptr float, ptr addrspace(1) %o, i32 1
  store float %v42, ptr addrspace(1) %v46
  %v47 = getelementptr float, ptr addrspace(1) %o, i32 2
  store float %v43, ptr addrspace(1) %v47
  %v48 = getelementptr float, ptr addrspace(1) %o, i32 3
  store float %v44, ptr addrspace(1) %v48
  ret void
}

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
