// REQUIRES: nvptx-registered-target
// A builtin around the matrix builtins that the target or the PTX version lacks is
// Clang's usual error about features; see kernel.py.
// DEFINE: %{arch} =
// DEFINE: %{ptx} =
// DEFINE: %{check} = %python %S/kernel.py --lacking %{arch} %{ptx} > %t.cu && \
// DEFINE:   %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// DEFINE:   -target-cpu %{arch} -target-feature +ptx%{ptx} -emit-llvm -o /dev/null -verify-ignore-unexpected=note -verify %t.cu

// REDEFINE: %{arch} = sm_75
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_80
// REDEFINE: %{ptx} = 70
// RUN: %{check}

// REDEFINE: %{arch} = sm_90
// REDEFINE: %{ptx} = 78
// RUN: %{check}

// REDEFINE: %{arch} = sm_90a
// REDEFINE: %{ptx} = 80
// RUN: %{check}

// REDEFINE: %{arch} = sm_90a
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_100
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_100a
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_120a
// REDEFINE: %{ptx} = 90
// RUN: %{check}
