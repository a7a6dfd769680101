; A pointer to memory that the instruction cannot access: one line, which names the
; intrinsic, what it needs and what it got.
; RUN: not llc < %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 2>&1 | FileCheck %s --implicit-check-not='error:'
; RUN: not llc < %s -o /dev/null -O0 -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 2>&1 | FileCheck %s --implicit-check-not='error:'

; CHECK: error: {{.*}}in function load_global {{.*}}: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16 requires a pointer of address space 0 or 3, but got one of address space 1{{$}}
define i32 @load_global(ptr addrspace(1) %p) {
  %r = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p1(ptr addrspace(1) %p)
  ret i32 %r
}

; CHECK: error: {{.*}}in function store_local {{.*}}: llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16 requires a pointer of address space 0 or 3, but got one of address space 5{{$}}
define void @store_local(ptr addrspace(5) %p, i32 %x) {
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p5(ptr addrspace(5) %p, i32 %x)
  ret void
}

; CHECK: error: {{.*}}in function wmma_constant {{.*}}: llvm.nvvm.wmma.m8n8k4.load.a.row.f64 requires a pointer of address space 0 or 1 or 3, but got one of address space 4{{$}}
define double @wmma_constant(ptr addrspace(4) %p) {
  %r = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.f64.p4(ptr addrspace(4) %p)
  ret double %r
}

define i32 @right(ptr addrspace(3) %p) {
  %r = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %p)
  ret i32 %r
}
