// REQUIRES: nvptx-registered-target
// The backend knows source locations without -g, and makes the same PTX of the code.
// DEFINE: %{source} =
// DEFINE: %{opt} =
// DEFINE: %{same} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// DEFINE:   -target-cpu sm_90a -target-feature +ptx84 -internal-isystem %S/Inputs -emit-llvm %{opt} %S/%{source} -o %t.ll && \
// DEFINE:   FileCheck %s --input-file=%t.ll && \
// DEFINE:   opt -strip-debug -S %t.ll -o %t.stripped.ll && not grep -q DILocation %t.stripped.ll && \
// DEFINE:   llc -mcpu=sm_90a -mattr=+ptx84 %{opt} %t.ll -o %t.ptx && \
// DEFINE:   llc -mcpu=sm_90a -mattr=+ptx84 %{opt} %t.stripped.ll -o %t.stripped.ptx && \
// DEFINE:   diff %t.ptx %t.stripped.ptx && not grep -qE '[.]loc[[:space:]]|[.]file|debug' %t.ptx

// CHECK: !DICompileUnit({{.*}}emissionKind: NoDebug
// CHECK: !DILocation(

// REDEFINE: %{source} = wgmma-sp-template.cu
// REDEFINE: %{opt} = -O0
// RUN: %{same}
// REDEFINE: %{opt} = -O2
// RUN: %{same}

// REDEFINE: %{source} = wgmma-warnings.cu
// REDEFINE: %{opt} = -O0
// RUN: %{same}
// REDEFINE: %{opt} = -O2
// RUN: %{same}
