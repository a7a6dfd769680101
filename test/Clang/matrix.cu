// REQUIRES: nvptx-registered-target
// Each of the 844 matrix builtins: which register of which fragment gets where in
// the intrinsic's call, and back; see matrix.py. Clang's features know that
// sm_120a has them all.
// RUN: %python %S/matrix.py > %t.cu
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// RUN:   -target-cpu sm_120a -target-feature +ptx88 -O1 -emit-llvm -o %t.ll %t.cu
// RUN: FileCheck %t.cu --input-file %t.ll --enable-var-scope
// RUN: grep -c '^define' %t.ll | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}844{{$}}
