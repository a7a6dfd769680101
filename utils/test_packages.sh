#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the packages and tries them in a Debian root that holds nothing but what
# they ask for. As root; needs mmdebstrap, zstd and a CUDA toolkit.
#
#   utils/test_packages.sh [BUILD_DIR]
#
# The packages end up in BUILD_DIR/packages. CUDA_PATH names the toolkit, which is
# mounted into the root, read-only; nothing is left of the root.

set -eu

case ${1-} in
-h | --help)
  sed -n 's/^# \{0,1\}//; 6,12p' "$0"
  exit 0
  ;;
esac

source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$source/build}" && pwd)
cuda=$(readlink -f "${CUDA_PATH:-/usr/local/cuda}")
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
packages=$build/packages

for program in mmdebstrap zstd "$cuda/bin/ptxas"; do
  if ! command -v "$program" >/dev/null; then
    echo "error: $program is not there; see --help" >&2
    exit 1
  fi
done

step() { printf '\n== %s\n' "$*"; }

step "1/4 The packages"
rm -rf "$packages"
cpack --config "$build/CPackConfig.cmake" -B "$packages" | grep -v '^CPack: Install'
rm -rf "$packages/_CPack_Packages"
ls -l "$packages"

step "2/4 A root with apt alone: Debian $suite"
root=$(mktemp -d)
clean_up() {
  for mount in proc usr/local/cuda; do
    ! mountpoint -q "$root/$mount" || umount "$root/$mount"
  done
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT
mmdebstrap --quiet --mode=root --variant=apt --skip=cleanup/apt "$suite" "$root"
mkdir -p "$root/usr/local/cuda" "$root/packages"
mount --bind -o ro "$cuda" "$root/usr/local/cuda"
mount -t proc proc "$root/proc"
cp "$packages"/* "$source/utils/try_install.sh" "$root/packages"

step "3/4 The Debian package"
chroot "$root" sh -c 'apt-get install -q -y --no-install-recommends /packages/*.deb' |
  grep -A12 'NEW packages'
chroot "$root" sh /packages/try_install.sh /usr/lib/nvptx-mma clang++-nvptx-mma
chroot "$root" dpkg -s clang-nvptx-mma | grep -E '^(Depends|Installed-Size):'

step "4/4 The archive, after the package was removed"
chroot "$root" dpkg --purge clang-nvptx-mma
[ ! -e "$root/usr/lib/nvptx-mma" ]
mkdir "$root/anywhere"
zstd -q -d -c "$packages"/*.tar.zst | tar -x -C "$root/anywhere" --strip-components=1
chroot "$root" sh /packages/try_install.sh /anywhere

echo
echo "passed: $(ls "$packages")"
