// Accumulators kept as arrays of halves stay in registers of 32 bits: nothing puts a register
// together from halves, and ptxas has nothing to say. See wgmma-halves.py.
// REQUIRES: cuda-toolkit
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S
// DEFINE: %{check} = FileCheck %s --implicit-check-not='{{mov.b32.*, \{}}' --input-file

// RUN: %python %S/wgmma-halves.py 8 40 > %t.cu

// RUN: %{compile} -O3 -DHALF=0 %t.cu -o %t.0.ptx
// RUN: %{check} %t.0.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.0.ptx %}
// RUN: %{compile} -O3 -DHALF=1 %t.cu -o %t.1.ptx
// RUN: %{check} %t.1.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.1.ptx %}
// RUN: %{compile} -O3 -DHALF=2 %t.cu -o %t.2.ptx
// RUN: %{check} %t.2.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.2.ptx %}
// RUN: %{compile} -O3 -DHALF=3 %t.cu -o %t.3.ptx
// RUN: %{check} %t.3.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.3.ptx %}

// RUN: %{compile} -O1 -DHALF=1 %t.cu -o %t.O1.ptx
// RUN: %{check} %t.O1.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.O1.ptx %}
// RUN: %{compile} -O2 -DHALF=1 -DASM %t.cu -o %t.asm.ptx
// RUN: %{check} %t.asm.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.asm.ptx %}

// RUN: %python %S/wgmma-halves.py 200 > %t.large.cu
// RUN: %{compile} -O3 -DHALF=1 %t.large.cu -o %t.large.ptx
// RUN: %{check} %t.large.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.large.ptx %}

// CHECK-LABEL: .entry ss_n{{[0-9]+}}_one(
// CHECK-COUNT-2: wgmma.mma_async.sync.aligned.m64n
