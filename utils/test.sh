#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs all tests: ours, and LLVM's own of the NVPTX backend.
#
#   utils/test.sh [BUILD_DIR] [lit options and tests...]

set -eu

case ${1-} in
-h | --help)
  sed -n 's/^# \{0,1\}//; 6,8p' "$0"
  exit 0
  ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
[ $# -eq 0 ] || shift

if [ ! -f "$build/build.ninja" ]; then
  echo "error: $build is not built yet: run utils/build.sh first" >&2
  exit 1
fi

printf '== 1/2 Building what has changed\n'
ninja -C "$build"

printf '\n== 2/2 Tests\n'
status=0
lit=$(sed -n 's/^LIT:.*=//p' "$build/CMakeCache.txt")
results=$build/test-results.json
rm -f "$results"
"$lit" -v --output "$results" "$@" "$build/test" || status=$?

cat <<END

Next:
  utils/test.sh $build --filter=NAME   runs some of them
  utils/gpu_tests.py --help            runs the device tests on another machine

END

python3 - "$results" <<'END'
import collections, json, sys
with open(sys.argv[1]) as f:
    count = collections.Counter(t["code"] for t in json.load(f)["tests"])
skipped = sum(count[code] for code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"))
passed = sum(count[code] for code in ("PASS", "XFAIL", "FLAKYPASS"))
failed = sum(count.values()) - passed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped")
END
exit $status
