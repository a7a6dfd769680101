#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles examples/sparse_gemm.cu with the clang++ of BUILD_DIR, shows the PTX
# of a stage of its loop, and runs it where there is a GPU for it.
#
#   utils/build/run_example.sh BUILD_DIR

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:?usage: utils/build/run_example.sh BUILD_DIR}
source=$root/examples/sparse_gemm.cu
cuda=${CUDA_PATH:-/usr/local/cuda}

if [ ! -x "$cuda/bin/ptxas" ] || [ ! -e "$cuda/include/cuda_runtime.h" ]; then
  echo "-- no CUDA toolkit in $cuda (set CUDA_PATH): the example is not compiled"
  exit 0
fi

mkdir -p "$build/examples"
compile="$build/bin/clang++ -O3 -std=c++17 --cuda-path=$cuda
  --cuda-gpu-arch=sm_90a"

echo "-- compiling and assembling with $("$cuda/bin/ptxas" --version | sed -n 's/^Cuda.*release/ptxas/p')"
# shellcheck disable=SC2086 # a list of words
$compile "$source" -o "$build/examples/sparse_gemm" \
  -L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread

echo "-- the PTX of a stage of f16: the matrix instructions and what orders them"
# shellcheck disable=SC2086 # a list of words
$compile --cuda-device-only -S "$source" -o "$build/examples/sparse_gemm.ptx"
awk '/mbarrier.try_wait/ { stage = ""; has = 0 } { stage = stage "\n" $0 }
     /wgmma.mma_async.*f32.f16.f16/ { has = 1 }
     /mbarrier.arrive/ { if (has) { print stage; exit } }' "$build/examples/sparse_gemm.ptx" |
  grep -E 'wgmma|mbarrier|ld\.shared' | cut -c1-110

echo "-- running"
status=0
"$build/examples/sparse_gemm" || status=$?
case $status in
3) echo "-- no suitable GPU: $build/examples/sparse_gemm is ready to be taken to one" ;;
*) exit $status ;;
esac
