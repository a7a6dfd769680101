// A fault of MLIR 22: it wants the result of nvvm.wmma.load to be a struct of one register
// for s8 and u8 in m8n32k16 (A) and m32n8k16 (B), where the intrinsic returns the register
// itself. The IR that it makes is invalid, and it crashes on an extractvalue of the result.
// wmma.py calls the intrinsic instead. Once this test fails, it need not any more.
// RUN: not mlir-translate --mlir-to-llvmir %s 2>&1 | FileCheck %s

// CHECK: Function return type does not match operand type of return inst!
llvm.func @load_a(%p: !llvm.ptr, %stride: i32) -> !llvm.struct<(i32)> {
  %a = nvvm.wmma.load %p, %stride
    {m = 8 : i32, n = 32 : i32, k = 16 : i32, layout = #nvvm.mma_layout<row>,
     eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<a>} : (!llvm.ptr) -> !llvm.struct<(i32)>
  llvm.return %a : !llvm.struct<(i32)>
}
