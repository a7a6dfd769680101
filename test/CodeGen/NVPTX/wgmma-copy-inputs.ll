; A fragment of A from which the next one is selected while the wgmma that reads it is in flight: the fragment is copied, and the
; copy read. ptxas, as of 13.0, would write the selected value into the register that the wgmma reads (random kernel 78001507, on an
; H200). wgmma-copy-inputs-sass.test looks at the machine code.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: .entry selected(
; CHECK:       lop3.b32 [[COPY:%r[0-9]+]], {{%r[0-9]+}}, {{[0-9]+}}, [[A0:%r[0-9]+]], 0x6a;
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.{{.*}}, {[[A0]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   , [[A0]],
; CHECK-NOT:   , [[A1]],
; CHECK-NOT:   , [[A2]],
; CHECK-NOT:   , [[A3]],
; CHECK:       selp.b32 {{%r[0-9]+}}, [[COPY]], {{%r[0-9]+}}, {{%p[0-9]+}};
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       lop3.b32 [[COPY]], {{%r[0-9]+}}, {{[0-9]+}}, [[A0]], 0x6a;
; CHECK:       bra [[LOOP]];
; CHECK:       ret;
define ptx_kernel void @selected(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %bits, i32 %rounds) {
entry:
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i64 1
  %a = load <4 x i32>, ptr addrspace(1) %in
  %other = load <4 x i32>, ptr addrspace(1) %from
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %loaded = phi <4 x i32> [ %other, %entry ], [ %loaded.next, %loop ]
  %fragment = phi <4 x i32> [ %a, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %c, <4 x i32> %fragment, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %keep.bit = and i32 %bits, 4
  %keep = icmp ne i32 %keep.bit, 0
  %take.bit = and i32 %bits, 128
  %take = icmp ne i32 %take.bit, 0
  %taken = select i1 %take, <4 x i32> %loaded, <4 x i32> %other
  %next = select i1 %keep, <4 x i32> %fragment, <4 x i32> %taken
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded.next = load volatile <4 x i32>, ptr addrspace(1) %from
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %rounds
  br i1 %again, label %loop, label %exit

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
