; A state machine of which one case multiplies, another one waits, and a third one stores: no way leads from the first to
; the third, as the state tells. One case leads to the next then, nothing waits but the program, and nobody is warned.
; RUN: opt < %s -S -mcpu=sm_90a -mattr=+ptx80 -passes=nvptx-thread-wgmma-states | FileCheck %s --check-prefix=IR
; RUN: opt < %s -O2 -disable-loop-unrolling -mcpu=sm_90a -mattr=+ptx80 | llc -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

; IR-LABEL: define ptx_kernel void @machine(
; IR:       {{^}}head.jt1:
; IR-NOT:   switch
; IR:       br label %drain
; IR:       {{^}}issue:
; IR-NOT:   switch
; IR:       br label %join.jt1
; IR:       {{^}}join.jt1:
; IR-NOT:   switch
; IR:       br label %head.jt1

; CHECK-LABEL: .entry machine(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       st.global
define ptx_kernel void @machine(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %head

head:
  %state = phi i32 [ 0, %entry ], [ %state.next, %join ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %acc.next, %join ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  switch i32 %state, label %never [
    i32 0, label %issue
    i32 1, label %drain
    i32 2, label %store
    i32 3, label %done
  ]

issue:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %retired = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc)
  %count = add nsw i32 %i, 1
  %more = icmp slt i32 %count, %n
  %after = select i1 %more, i32 0, i32 2
  br label %join

store:
  store <4 x float> %acc, ptr addrspace(1) %out
  br label %join

join:
  %state.next = phi i32 [ 1, %issue ], [ %after, %drain ], [ 3, %store ]
  %acc.next = phi <4 x float> [ %d, %issue ], [ %retired, %drain ], [ %acc, %store ]
  %i.next = phi i32 [ %i, %issue ], [ %count, %drain ], [ %i, %store ]
  br label %head

never:
  unreachable

done:
  ret void
}

; Nothing is threaded without wgmma.
;
; IR-LABEL: define ptx_kernel void @without(
; IR:       switch i32 %state
; IR:       br label %head
define ptx_kernel void @without(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %head

head:
  %state = phi i32 [ 0, %entry ], [ %state.next, %join ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  switch i32 %state, label %never [
    i32 0, label %issue
    i32 1, label %drain
    i32 2, label %done
  ]

issue:
  store volatile i32 1, ptr addrspace(1) %out
  br label %join

drain:
  store volatile i32 2, ptr addrspace(1) %out
  %count = add nsw i32 %i, 1
  %more = icmp slt i32 %count, %n
  %after = select i1 %more, i32 0, i32 2
  br label %join

join:
  %state.next = phi i32 [ 1, %issue ], [ %after, %drain ]
  %i.next = phi i32 [ %i, %issue ], [ %count, %drain ]
  br label %head

never:
  unreachable

done:
  ret void
}
