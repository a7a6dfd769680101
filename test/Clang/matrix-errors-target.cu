// REQUIRES: nvptx-registered-target
// A matrix builtin that the target or the PTX version lacks is Clang's usual error
// about features; see matrix.py.
// DEFINE: %{arch} =
// DEFINE: %{ptx} =
// DEFINE: %{check} = %python %S/matrix.py %{arch} %{ptx} > %t.cu && \
// DEFINE:   %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// DEFINE:   -target-cpu %{arch} -target-feature +ptx%{ptx} -emit-llvm -o /dev/null -verify-ignore-unexpected=note -verify %t.cu

// REDEFINE: %{arch} = sm_62
// REDEFINE: %{ptx} = 60
// RUN: %{check}

// REDEFINE: %{arch} = sm_70
// REDEFINE: %{ptx} = 60
// RUN: %{check}

// REDEFINE: %{arch} = sm_75
// REDEFINE: %{ptx} = 65
// RUN: %{check}

// REDEFINE: %{arch} = sm_80
// REDEFINE: %{ptx} = 70
// RUN: %{check}

// REDEFINE: %{arch} = sm_80
// REDEFINE: %{ptx} = 78
// RUN: %{check}

// REDEFINE: %{arch} = sm_89
// REDEFINE: %{ptx} = 85
// RUN: %{check}

// REDEFINE: %{arch} = sm_90
// REDEFINE: %{ptx} = 78
// RUN: %{check}

// REDEFINE: %{arch} = sm_90
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_120
// REDEFINE: %{ptx} = 90
// RUN: %{check}

// REDEFINE: %{arch} = sm_100a
// REDEFINE: %{ptx} = 90
// RUN: %{check}
