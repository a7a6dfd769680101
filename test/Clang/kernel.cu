// REQUIRES: nvptx-registered-target
// Each of the 984 builtins around the matrix builtins, with generic pointers and
// with pointers to the address spaces that it takes: which argument gets where in
// the intrinsic's call; see kernel.py. sm_103a has them all.
// RUN: %python %S/kernel.py sm_103a 90 > %t.cu
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// RUN:   -target-cpu sm_103a -target-feature +ptx90 -O1 -emit-llvm -o %t.ll %t.cu
// RUN: FileCheck %t.cu --input-file %t.ll --enable-var-scope
// RUN: grep -o '@llvm[.]nvvm[.][^(]*(' %t.ll | sed -E 's/[.](p|v?[0-9]*i)[0-9]*[(]$/(/' | sort -u | grep -c . | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}984{{$}}

// On the host's side of a CUDA program they are only looked at.
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -aux-triple nvptx64-nvidia-cuda -aux-target-cpu sm_103a \
// RUN:   -fsyntax-only -verify=host -x cuda %t.cu
// host-no-diagnostics
