; st.async of types that have no instruction, and on a target that has none: one
; error each.
; RUN: split-file %s %t
; RUN: not llc < %t/types.ll -o /dev/null -mcpu=sm_90 -mattr=+ptx81 2>&1 | FileCheck %t/types.ll --implicit-check-not=error:
; RUN: not llc < %t/target.ll -o /dev/null -mcpu=sm_90 -mattr=+ptx80 2>&1 | FileCheck %t/target.ll --implicit-check-not=error:

;--- types.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}in function narrow {{.*}}: llvm.nvvm.st.async requires a value of type i32, i64, <2 x i32>, <4 x i32> or <2 x i64>, but got one of type i16{{$}}
define void @narrow(ptr addrspace(7) %dst, i16 %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.i16(ptr addrspace(7) %dst, i16 %value, ptr addrspace(7) %bar)
  ret void
}
; CHECK: error: {{.*}}in function odd {{.*}}: llvm.nvvm.st.async requires a value of type i32, i64, <2 x i32>, <4 x i32> or <2 x i64>, but got one of type i33{{$}}
define void @odd(ptr addrspace(7) %dst, i33 %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.i33(ptr addrspace(7) %dst, i33 %value, ptr addrspace(7) %bar)
  ret void
}
; CHECK: error: {{.*}}in function three {{.*}}: llvm.nvvm.st.async requires {{.*}} but got one of type <3 x i32>{{$}}
define void @three(ptr addrspace(7) %dst, <3 x i32> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v3i32(ptr addrspace(7) %dst, <3 x i32> %value, ptr addrspace(7) %bar)
  ret void
}
; CHECK: error: {{.*}}in function long {{.*}}: llvm.nvvm.st.async requires {{.*}} but got one of type <4 x i64>{{$}}
define void @long(ptr addrspace(7) %dst, <4 x i64> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v4i64(ptr addrspace(7) %dst, <4 x i64> %value, ptr addrspace(7) %bar)
  ret void
}

;--- target.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}in function four {{.*}}: llvm.nvvm.st.async requires sm_90 and PTX 8.1, but the target is sm_90 with PTX 8.0{{$}}
define void @four(ptr addrspace(7) %dst, <4 x i32> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v4i32(ptr addrspace(7) %dst, <4 x i32> %value, ptr addrspace(7) %bar)
  ret void
}
