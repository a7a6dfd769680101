# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   failing_packages.sh FOLDER test_packages.sh
#
# Runs test_packages.sh twice: with a cpack that fails, and with a mmdebstrap that
# is cut short while there are mounts in mounts (where the tests may mount).

set -eu
folder=$1
script=$2

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/tmp" "$folder/build" "$folder/cuda/bin"

command_is() { # NAME: the script on standard input.
  { echo '#!/bin/sh' && cat; } >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}

try() {
  PATH=$folder/bin:$PATH TMPDIR=$folder/tmp CUDA_PATH=$folder/cuda \
    sh "$script" "$folder/build" 2>&1 && echo "not noticed"
  ls "$folder/tmp"
  awk -v tmp="$folder/tmp" 'index($2, tmp) == 1' /proc/self/mounts
  echo "end"
}

echo exit 0 | command_is zstd
cp "$folder/bin/zstd" "$folder/cuda/bin/ptxas"
echo 'echo "cpack: no space"; exit 1' | command_is cpack
command_is mmdebstrap <<'END'
for root; do :; done
mkdir -p "$root/dev"
mount -t tmpfs none "$root/dev" && mkdir "$root/dev/pts" &&
  mount -t tmpfs none "$root/dev/pts"
echo "mmdebstrap: no network"
exit 1
END
try

command_is cpack <<'END'
mkdir -p "$4"
: >"$4/package"
END
try
