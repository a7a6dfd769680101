#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds llc, opt and clang, and compiles and runs the
# main job, a sparse matrix multiplication on the GPU.
#
#   utils/build.sh [BUILD_DIR] [CMake options...]

set -eu

case ${1-} in
-h | --help)
  sed -n 's/^# \{0,1\}//; 6,10p' "$0"
  exit 0
  ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
[ $# -eq 0 ] || shift

step() { printf '\n== %s\n' "$*"; }

step "1/4 Packages"
"$root/utils/build/install_packages.sh"
"$root/utils/fetch_assemblers.py" >/dev/null ||
  echo "-- going on without: tests with other versions of ptxas are skipped"

step "2/4 LLVM's sources, patches, and what has to be compiled again"
cmake -G Ninja -S "$root" -B "$build" "$@"

step "3/4 Building llc, opt and clang"
ninja -C "$build"

step "4/4 The main job: examples/sparse_gemm.cu"
"$root/utils/build/run_example.sh" "$build"

cat <<END

Next:
  utils/test.sh                 runs all tests
  $build/bin/clang++ --cuda-gpu-arch=sm_90a ...
                                compiles your own kernels
  README.md                     the builtins and intrinsics, and how to use them
END
