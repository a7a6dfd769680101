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

work=$(readlink -f "$(mktemp -d)")
root=$work/root
chmod 755 "$work" # For apt's own user.

# Unmounts all in the root, what mmdebstrap mounted too where it was cut short: the
# innermost first. What is still mounted is not removed.
clean_up() {
  awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/self/mounts |
    sort -r |
    while read -r mount; do umount "$mount" || umount --lazy "$mount"; done
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command whose output matters only if it fails.
quietly() {
  if ! "$@" >"$work/log" 2>&1; then
    cat "$work/log"
    echo "error: failed: $*" >&2
    exit 1
  fi
}

step "1/4 The packages"
rm -rf "$packages"
quietly cpack --config "$build/CPackConfig.cmake" -B "$packages"
rm -rf "$packages/_CPack_Packages"
ls -l "$packages"

step "2/4 A root with apt alone: Debian $suite"
quietly mmdebstrap --mode=root --variant=apt --skip=cleanup/apt "$suite" "$root"
mkdir -p "$root/usr/local/cuda" "$root/packages"
mount --bind -o ro "$cuda" "$root/usr/local/cuda"
mount -t proc proc "$root/proc"
cp "$packages"/* "$source/utils/build/try_install.sh" "$root/packages"

step "3/4 The Debian package"
quietly chroot "$root" sh -c \
  'LC_ALL=C apt-get install -q -y --no-install-recommends /packages/*.deb'
sed -n '/NEW packages/,/^[0-9]/p' "$work/log"
chroot "$root" sh /packages/try_install.sh /usr/lib/nvptx-mma clang++-nvptx-mma
quietly chroot "$root" dpkg -s clang-nvptx-mma
grep -E '^(Depends|Installed-Size):' "$work/log"

step "4/4 The archive, after the package was removed"
chroot "$root" dpkg --purge clang-nvptx-mma
[ ! -e "$root/usr/lib/nvptx-mma" ]
mkdir "$root/anywhere"
tar -x --zstd -f "$packages"/*.tar.zst -C "$root/anywhere" --strip-components=1
chroot "$root" sh /packages/try_install.sh /anywhere

echo
echo "passed: $(ls "$packages")"
