; st.async to global memory of types that have no instruction, on a target that has
; none, and to a multimem address before PTX 9.3: one error each. LLVM 23 selects it
; itself, and has other words for a type.
; RUN: split-file %s %t
; RUN: %if llvm-22 %{ not llc < %t/types.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx87 2>&1 | FileCheck %t/types.ll --implicit-check-not=error: %}
; RUN: not llc < %t/target.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx86 2>&1 | FileCheck %t/target.ll --implicit-check-not=error:
; RUN: not llc < %t/multimem.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx90 2>&1 | FileCheck %t/multimem.ll --implicit-check-not=error:

;--- types.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}in function odd {{.*}}: llvm.nvvm.st.async.mmio.sys requires a value of type i8, i16, i32 or i64, but got one of type i24{{$}}
define void @odd(ptr addrspace(1) %dst, i24 %value) {
  call void @llvm.nvvm.st.async.mmio.sys.i24(ptr addrspace(1) %dst, i24 %value)
  ret void
}
; CHECK: error: {{.*}}in function two {{.*}}: llvm.nvvm.st.async.gpu requires {{.*}} but got one of type <2 x i32>{{$}}
define void @two(ptr addrspace(1) %dst, <2 x i32> %value) {
  call void @llvm.nvvm.st.async.gpu.v2i32(ptr addrspace(1) %dst, <2 x i32> %value, i1 false)
  ret void
}
; CHECK: error: {{.*}}in function long {{.*}}: llvm.nvvm.st.async.sys requires {{.*}} but got one of type i128{{$}}
define void @long(ptr addrspace(1) %dst, i128 %value) {
  call void @llvm.nvvm.st.async.sys.i128(ptr addrspace(1) %dst, i128 %value, i1 false)
  ret void
}

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
