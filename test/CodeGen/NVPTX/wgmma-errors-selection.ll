; Without the verifier, instruction selection reports accumulators of no valid type.
; RUN: %python %S/wgmma.py --invalid --only=dense > %t.dense.ll
; RUN: not llc -disable-verify %t.dense.ll -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 2>&1 | FileCheck %s --check-prefix=DENSE --implicit-check-not='Stack dump'
; DENSE-COUNT-3172: error: {{.*}}: llvm.nvvm.wgmma.mma_async.{{[rs]}}s.{{.*}}: accumulator must be {{.*}}, got <
; DENSE-NOT: error:
; RUN: %python %S/wgmma.py --invalid --only=sparse > %t.sparse.ll
; RUN: not llc -disable-verify %t.sparse.ll -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 2>&1 | FileCheck %s --check-prefix=SPARSE --implicit-check-not='Stack dump'
; SPARSE-COUNT-2928: error: {{.*}}: llvm.nvvm.wgmma.mma_async.sp.{{.*}}: accumulator must be {{.*}}, got <
; SPARSE-NOT: error:
