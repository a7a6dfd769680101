// Loops with accumulators that are arrays of halves are as short as nvcc's, in machine code, with
// builtins and with inline assembly. See wgmma-halves.py.
// REQUIRES: cuda-toolkit, nvcc, nvdisasm
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S -O3 %t.cu

// RUN: %python %S/wgmma-halves.py 8 128 > %t.cu
// RUN: %nvcc -std=c++17 -O3 -arch=sm_90a -ptx -DASM -DHALF=0 %t.cu -o %t.nvcc.ptx

// RUN: %{compile} -DHALF=0 -o %t.0.ptx
// RUN: %sass-count %t.0.ptx %t.nvcc.ptx
// RUN: %sass-verify %t.0.ptx
// RUN: %{compile} -DHALF=1 -o %t.1.ptx
// RUN: %sass-count %t.1.ptx %t.nvcc.ptx
// RUN: %sass-verify %t.1.ptx
// RUN: %{compile} -DHALF=1 -DASM -o %t.asm.ptx
// RUN: %sass-count %t.asm.ptx %t.nvcc.ptx

// RUN: %python %S/wgmma-halves.py 40 64 "--only=^ss.*one" > %t.uses.cu
// RUN: cat %S/Inputs/wgmma-halves-uses.h >> %t.uses.cu
// RUN: %nvcc -std=c++17 -O3 -arch=sm_90a -ptx -DASM -DHALF=2 %t.uses.cu -o %t.uses.nvcc.ptx
// RUN: %clang_cuda -x cuda -std=c++17 --cuda-device-only -S -O2 -DHALF=2 %t.uses.cu -o %t.uses.ptx
// RUN: %sass-count %t.uses.ptx %t.uses.nvcc.ptx
// RUN: %ptxas-verify -arch=sm_90a %t.uses.ptx

// The comparison must notice longer loops.
// RUN: %clang_cuda -x cuda -std=c++17 --cuda-device-only -S -O2 -DHALF=2 -DLONG %t.uses.cu -o %t.long.ptx
// RUN: not %sass-count %t.long.ptx %t.uses.nvcc.ptx | FileCheck %s --check-prefix=LONG
// LONG: ss_n64_one: {{.*}}: TOO LONG
