// Loops with accumulators that are arrays of halves are as short as nvcc's, in machine code, with
// builtins and with inline assembly. See wgmma-halves.py.
// REQUIRES: cuda-toolkit, nvcc, nvdisasm
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S -O3 %t.cu

// RUN: %python %S/wgmma-halves.py 8 64 128 > %t.cu
// RUN: %nvcc -std=c++17 -O3 -arch=sm_90a -ptx -DASM -DHALF=0 %t.cu -o %t.nvcc.ptx

// RUN: %{compile} -DHALF=0 -o %t.0.ptx
// RUN: %sass-count %t.0.ptx %t.nvcc.ptx
// RUN: %sass-verify %t.0.ptx
// RUN: %{compile} -DHALF=1 -o %t.1.ptx
// RUN: %sass-count %t.1.ptx %t.nvcc.ptx
// RUN: %sass-verify %t.1.ptx
// RUN: %{compile} -DHALF=1 -DASM -o %t.asm.ptx
// RUN: %sass-count %t.asm.ptx %t.nvcc.ptx

// The comparison must notice longer loops, and those that are missing.
// RUN: %{compile} -DHALF=1 -DLONG -o %t.long.ptx
// RUN: not %sass-count %t.long.ptx %t.nvcc.ptx | FileCheck %s --check-prefix=LONG
// LONG: ss_n8_one: {{.*}}: TOO LONG
