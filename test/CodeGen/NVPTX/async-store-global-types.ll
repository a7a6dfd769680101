; st.async to global memory of types that have no instruction: one error each. LLVM 23
; selects it itself, and has other words.
; UNSUPPORTED: llvm-23
; RUN: not llc < %s -o /dev/null -mcpu=sm_100 -mattr=+ptx87 2>&1 | FileCheck %s --implicit-check-not=error:

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
