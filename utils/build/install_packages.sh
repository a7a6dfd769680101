#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs those of the Debian packages below that are missing. As root.

set -eu

major=${NVPTX_MMA_LLVM_MAJOR:-22}

# LLVM and Clang as static archives, with their tools; the compiler and linker;
# the libraries that are linked statically; what builds and what tests, MLIR's
# tools among them; what checks the format. LLVM's own packages (apt.llvm.org)
# have the same names.
packages="
  llvm-$major llvm-$major-dev llvm-$major-tools libclang-$major-dev
  libpolly-$major-dev clang-$major clang-tools-$major lld-$major
  libzstd-dev zlib1g-dev
  cmake ninja-build ccache git python3 libgtest-dev
  mlir-$major-tools
  clang-format-22 black shellcheck"

missing=
for package in $packages; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done

if [ -z "$missing" ]; then
  echo "-- all packages are installed"
  exit 0
fi

echo "-- installing:$missing"
if [ "$(id -u)" != 0 ]; then
  echo "error: installing packages needs root; as root, run: apt-get install$missing" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
# shellcheck disable=SC2086 # a list of words
apt-get install -q -y --no-install-recommends $missing
