#!/bin/sh
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that build_tests.py built into this script's folder, on a GPU
# that executes wgmma. Prints a line for each:
#   PROGRAM.COMPILER SIZE verdict TFLOP/s...   of an example, in each round
#   PROGRAM.overlay N tests passed|FAILED      of a unit test
# Exit status: 1 if one fails.
#
#   run_tests.sh [ROUNDS]     of the examples; 3, and each runs all programs

cd "$(dirname "$0")" || exit 2
rounds=${1:-3}
status=0

# The numbers that an example prints are GFLOP/s.
example() { # PROGRAM SIZE
  out=$(./"$1" --m="$2" --n="$2" --k="$2" --iterations=50 2>&1)
  echo "$1 $2 $(echo "$out" | awk '
    /Disposition/ { printf "%s ", tolower($NF) }
    /GFLOPS/ { printf "%.1f ", $NF / 1000 }')"
}

for round in $(seq "$rounds"); do
  for size in 4096 8192; do
    for program in sparse-*.nvcc sparse-*.asm sparse-f16.overlay \
      sparse-f16-256.overlay dense-tf32.* dense-f16-accumulator.*; do
      case $program in *.log) continue ;; esac
      [ -x "$program" ] && example "$program" "$size"
    done
  done
done | sort

# Exact with f16 accumulators only as long as sums stay small.
for program in dense-f16-accumulator.*; do
  case $program in *.log) continue ;; esac
  [ -x "$program" ] || continue
  ./"$program" --m=512 --n=512 --k=32 --iterations=0 | grep -q Passed ||
    { echo "$program K=32 FAILED"; status=1; }
done

for program in *-ss-*.overlay *-rs-*.overlay; do
  [ -x "$program" ] || continue
  if out=$(./"$program" 2>&1); then verdict=passed; else verdict=FAILED status=1; fi
  echo "$program $(echo "$out" | sed -n 's/^\[==========\] \([0-9]* tests\{0,1\}\) .*ran.*/\1/p') $verdict"
  [ $verdict = passed ] || echo "$out" | grep -E 'FAILED|rror' | head -5
done
exit $status
