#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tries an installed tree: compiles and assembles its examples, links programs, of
# device code in two files too, with and without LTO, and runs them where there is
# a GPU.
#
#   utils/build/try_install.sh TREE [CLANG++]
#
# CUDA_PATH names the toolkit.

set -eu

case ${1--h} in
-h | --help)
  sed -n 's/^# \{0,1\}//; 6,12p' "$0"
  exit 0
  ;;
esac

tree=$(cd "$1" && pwd)
clang=${2:-$tree/bin/clang++}
cuda=${CUDA_PATH:-/usr/local/cuda}
examples=$tree/share/doc/nvptx-mma/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # ARCHITECTURE ARGUMENT...
  architecture=$1
  shift
  "$clang" -std=c++17 -O3 --cuda-path="$cuda" --cuda-gpu-arch="$architecture" "$@"
}

link() { # ARGUMENT...
  compile sm_90a "$@" -L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread
}

run() { # PROGRAM
  status=0
  "$1" || status=$?
  case $status in
  0) echo "ran: $(basename "$1")" ;;
  3) echo "linked, and no GPU to run it: $(basename "$1")" ;;
  *) exit $status ;;
  esac
}

for example in "$examples"/reference/*.cu "$examples"/layouts/*.cu; do
  case $example in
  *block_scale*) architecture=sm_120a ;;
  *) architecture=sm_90a ;;
  esac
  compile $architecture -c "$example" -o "$work/example.o"
  echo "compiled and assembled: $(basename "$example")"
done

link "$examples/sparse_gemm.cu" -o "$work/sparse_gemm"
run "$work/sparse_gemm"

echo '__device__ int one() { return 1; }' >"$work/one.cu"
cat >"$work/main.cu" <<'END'
__device__ int one();
__global__ void kernel(int *out) { *out = one(); }
int main() {
  int *out, result = 0;
  if (cudaMalloc(&out, sizeof(int)) != cudaSuccess)
    return 3;
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  return result != 1;
}
END
for lto in -fno-offload-lto -foffload-lto; do
  compile sm_90a -fgpu-rdc $lto -c "$work/main.cu" -o "$work/main.o"
  compile sm_90a -fgpu-rdc $lto -c "$work/one.cu" -o "$work/one.o"
  link -fgpu-rdc $lto --offload-link "$work/main.o" "$work/one.o" -o "$work/rdc$lto"
  run "$work/rdc$lto"
done
