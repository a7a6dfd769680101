#!/bin/sh
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the programs that build_tests.py built into this script's folder, on a GPU
# that executes wgmma: first the examples, one after the other, then the unit
# tests, as many at a time as there are cores.
#
#   run_tests.sh [SECONDS]      for all of it; 360
#
# ROUNDS (environment): how often each example runs; 3.
# TEST_SECONDS (environment): after how many a program is given up; 200.
#
# Prints a line for each run:
#   PROGRAM.COMPILER K=32 passed|FAILED an example whose sums must stay small
#   PROGRAM.COMPILER SIZE passed|failed|crashed|late TFLOP/s
#   PROGRAM.overlay TEST passed|FAILED|late SECONDS s
#                                       a unit test
# and in the end the medians of the examples, in TFLOP/s, and how many unit tests
# passed. What did not come to an end in time is late.
# Exit status: 1 if a unit test, or an example that has to, does not pass.

cd "$(dirname "$0")" || exit 2

# run PROGRAM ARGUMENT...: its output, or status 124 when the time is up.
run() {
  left=$((DEADLINE - $(date +%s)))
  [ "$left" -gt 0 ] || return 124
  [ "$left" -lt "${TEST_SECONDS:-200}" ] || left=${TEST_SECONDS:-200}
  timeout "$left" "$@" 2>&1
}

# run_tests.sh --unit-test PROGRAM TEST, for xargs
if [ "$1" = --unit-test ]; then
  start=$(date +%s) status=0 verdict=FAILED why=
  out=$(run "./$2" --gtest_filter="$3") || status=$?
  # A filter that fits no test passes, too.
  if [ $status = 0 ] && echo "$out" | grep -q '^\[  PASSED  \] 1 test\.'; then
    verdict=passed
  elif [ $status = 124 ]; then
    verdict=late
  else
    why=$(echo "$out" | grep -E 'FAILED|rror' | head -5)
  fi
  # One write: programs beside this one print, too.
  printf '%s\n' "$2 $3 $verdict $(($(date +%s) - start)) s${why:+
$why}"
  [ $verdict = passed ] && exit 0
  exit 1
fi

export DEADLINE=$(($(date +%s) + ${1:-360}))
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

programs() { # PATTERN...
  for program in "$@"; do
    case $program in *.log) continue ;; esac
    [ ! -x "$program" ] || echo "$program"
  done
}

# "PROGRAM SUITE.TEST" of all unit tests; one that none can be read from fails.
# First those with sums in f16, which take longest.
unit_tests() {
  for program in $(programs ./*-f16-f16.overlay ./*-ss-*.overlay ./*-rs-*.overlay |
    sed 's,^\./,,' | awk '!seen[$0]++'); do
    run "./$program" --gtest_list_tests |
      awk -v program="$program" '
        /^[^ ].*\.$/ { suite = $1 }
        /^  / { print program, suite $1; ++count }
        END { if (!count) print program, "none" }'
  done
}

small_sums() {
  for program in $(programs dense-f16-accumulator.*); do
    if run ./"$program" --m=512 --n=512 --k=32 --iterations=0 |
      grep -q 'Disposition: Passed'; then
      echo "$program K=32 passed"
    else
      echo "$program K=32 FAILED"
    fi
  done
}

# Every other round backwards: what runs last finds the GPU at its warmest.
in_order() { # ROUND
  if [ $(($1 % 2)) = 1 ]; then cat; else tac; fi
}

examples() {
  for round in $(seq "${ROUNDS:-3}"); do
    for size in 4096 8192; do
      for program in $(programs sparse-f16*.* dense-tf32.* dense-f16-accumulator.* |
        in_order "$round"); do
        status=0
        out=$(run ./"$program" --m=$size --n=$size --k=$size --iterations=100) ||
          status=$?
        verdict=$(echo "$out" | sed -n 's/.*Disposition: //p' | tr PF pf)
        [ $status != 124 ] || verdict=late
        # It prints GFLOP/s; the sparse one again for its dense reference.
        speed=$(echo "$out" | awk '/GFLOPS/ { printf " %.1f", $NF / 1000 }')
        echo "$program $size ${verdict:-crashed}$speed"
      done
    done
  done
}

# Most of a unit test's time is the host's, which computes what is right in one
# thread: minutes for sums in f16, which it emulates.
{
  small_sums
  examples
  unit_tests | xargs -r -n 2 -P "$(nproc)" ./run_tests.sh --unit-test
} | tee "$log"

awk '
  function median(values,  sorted, count, i, j, value) {
    count = split(values, sorted, " ")
    for (i = 2; i <= count; ++i) {
      value = sorted[i]
      for (j = i - 1; j && sorted[j] + 0 > value + 0; --j)
        sorted[j + 1] = sorted[j]
      sorted[j + 1] = value
    }
    if (!count)
      return 0
    return (sorted[int((count + 1) / 2)] + sorted[int(count / 2) + 1]) / 2
  }
  function figure(value) { return value ? sprintf("%.1f", value) : "-" }
  function ratio(ours, theirs) {
    return ours && theirs ? sprintf("%.3f", ours / theirs) : "-"
  }
  # A unit test: PROGRAM.overlay SUITE.TEST VERDICT SECONDS s
  $5 == "s" {
    ++tests
    if ($3 == "passed")
      ++passed
    else
      bad = 1
  }
  # An example: PROGRAM.COMPILER SIZE|K=32 VERDICT TFLOP/s...
  $2 == "K=32" && $3 != "passed" { bad = 1 }
  $2 ~ /^[0-9]+$/ {
    compiler = name = $1
    sub(/.*\./, "", compiler)
    sub(/\.[^.]*$/, "", name)
    row = name " " $2
    if (!(row in known)) {
      known[row] = 1
      rows[++count] = row
    }
    # Larger sums of f16 accumulators fit nowhere.
    if ($3 != "passed" && !(name == "dense-f16-accumulator" && $3 == "failed"))
      bad = 1
    if ($4)
      speeds[row, compiler] = speeds[row, compiler] " " $4
  }
  END {
    format = "%-28s %8s %8s %8s %13s %12s\n"
    if (count)
      printf format, "TFLOP/s", "nvcc", "asm", "overlay", "overlay/nvcc", "overlay/asm"
    for (i = 1; i <= count; ++i) {
      nvcc = median(speeds[rows[i], "nvcc"])
      asm = median(speeds[rows[i], "asm"])
      overlay = median(speeds[rows[i], "overlay"])
      printf format, rows[i], figure(nvcc), figure(asm), figure(overlay), \
        ratio(overlay, nvcc), ratio(overlay, asm)
    }
    printf "unit tests: %d passed, %d not\n", passed, tests - passed
    exit bad
  }' "$log"
