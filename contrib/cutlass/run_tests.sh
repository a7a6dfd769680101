#!/bin/sh
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that build_tests.py built into this script's folder, on a GPU
# that executes wgmma. Prints a line for each run:
#   PROGRAM.overlay TEST passed|FAILED SECONDS s
#                                       a unit test
#   PROGRAM.COMPILER K=32 passed|FAILED an example whose sums must stay small
#   PROGRAM.COMPILER SIZE passed|failed TFLOP/s
#                                       an example, in each round
# Exit status: 1 if a unit test, or an example that has to, does not pass.
#
#   run_tests.sh [ROUNDS]       of the examples; 3, and each runs all programs
#
# TEST_SECONDS (environment): after how many a unit test is given up; 500.

cd "$(dirname "$0")" || exit 2
rounds=${1:-3}

# run_tests.sh --unit-test PROGRAM TEST, for xargs
if [ "$1" = --unit-test ]; then
  start=$(date +%s) status=0 verdict=FAILED why=
  out=$(timeout "${TEST_SECONDS:-500}" "./$2" --gtest_filter="$3" 2>&1) || status=$?
  # A filter that fits no test passes, too.
  if [ $status = 0 ] && echo "$out" | grep -q '^\[  PASSED  \] 1 test\.'; then
    verdict=passed
  elif [ $status = 124 ]; then
    why='given up: no result in time'
  else
    why=$(echo "$out" | grep -E 'FAILED|rror' | head -5)
  fi
  # One write: programs beside this one print, too.
  printf '%s\n' "$2 $3 $verdict $(($(date +%s) - start)) s${why:+
$why}"
  [ $verdict = passed ] && exit 0
  exit 1
fi

programs() { # PATTERN...
  for program in "$@"; do
    case $program in *.log) continue ;; esac
    [ ! -x "$program" ] || echo "$program"
  done
}

# "PROGRAM SUITE.TEST" of all unit tests; one that none can be read from fails.
unit_tests() {
  for program in $(programs ./*-ss-*.overlay ./*-rs-*.overlay | sed 's,^\./,,'); do
    "./$program" --gtest_list_tests |
      awk -v program="$program" '
        /^[^ ].*\.$/ { suite = $1 }
        /^  / { print program, suite $1; ++count }
        END { if (!count) print program, "none" }'
  done
}

examples=$(programs sparse-f16*.* dense-tf32.* dense-f16-accumulator.*)
status=0

# Most of a unit test's time is the host's, which computes what is right in one
# thread: minutes for sums in f16, which it emulates.
unit_tests | xargs -r -n 2 -P "$(nproc)" ./run_tests.sh --unit-test || status=1

for program in $(programs dense-f16-accumulator.*); do
  if ./"$program" --m=512 --n=512 --k=32 --iterations=0 2>&1 |
    grep -q 'Disposition: Passed'; then
    echo "$program K=32 passed"
  else
    echo "$program K=32 FAILED"
    status=1
  fi
done

for _ in $(seq "$rounds"); do
  for size in 4096 8192; do
    for program in $examples; do
      out=$(./"$program" --m=$size --n=$size --k=$size --iterations=50 2>&1)
      verdict=$(echo "$out" | sed -n 's/.*Disposition: //p' | tr PF pf)
      # It prints GFLOP/s; the sparse one again for its dense reference.
      speed=$(echo "$out" | awk '/GFLOPS/ { printf " %.1f", $NF / 1000 }')
      echo "$program $size ${verdict:-crashed}$speed"
      case $program$verdict in
      dense-f16-accumulator.*failed | *passed) ;;
      *) status=1 ;;
      esac
    done
  done
done
exit $status
