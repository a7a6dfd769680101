// REQUIRES: nvptx-registered-target
// Each builtin of wgmma.mma_async.sp: the IR that Clang makes, and the PTX.
// DEFINE: %{cc1} = %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx84 -fcuda-is-device
// RUN: %python %S/wgmma.py sparse > %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %{cc1} -O1 -emit-llvm %t.cu -o - | FileCheck %t.cu --check-prefix=IR
// RUN: %{cc1} -O2 -S %t.cu -o - | FileCheck %t.cu --check-prefix=PTX
// RUN: %{cc1} -O0 -S %t.cu -o - | FileCheck %t.cu --check-prefix=PTX

// The host's compiler, too, sees the device functions and must accept them.
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -aux-triple nvptx64-nvidia-cuda -aux-target-cpu sm_90a -fsyntax-only -Werror %t.cu

// CHECK: 32 builtins
