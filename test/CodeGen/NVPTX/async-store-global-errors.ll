; st.async to global memory on a target that has none, and to a multimem address
; before PTX 9.3: one error each.
; RUN: split-file %s %t
; RUN: not llc < %t/target.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx86 2>&1 | FileCheck %t/target.ll --implicit-check-not=error:
; RUN: not llc < %t/multimem.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx90 2>&1 | FileCheck %t/multimem.ll --implicit-check-not=error:

;--- target.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}in function one {{.*}}: llvm.nvvm.st.async.sys requires sm_100 and PTX 8.7, but the target is sm_100 with PTX 8.6{{$}}
define void @one(ptr addrspace(1) %dst, i32 %value) {
  call void @llvm.nvvm.st.async.sys.i32(ptr addrspace(1) %dst, i32 %value, i1 false)
  ret void
}

;--- multimem.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}in function multi {{.*}}: llvm.nvvm.st.async.gpu with 1 as argument 3 requires sm_100 and PTX 9.3, but the target is sm_100 with PTX 9.0{{$}}
define void @multi(ptr addrspace(1) %dst, i32 %value) {
  call void @llvm.nvvm.st.async.gpu.i32(ptr addrspace(1) %dst, i32 %value, i1 true)
  ret void
}
