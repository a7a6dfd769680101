# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measures one problem: all contenders take turns, on the same matrices.

A backend knows the device:
  contenders(problem)    {name: function that makes a contender, or raises}, ours first
  synchronize()          raises when the device has failed, for good
  release()              gives the problem's memory back
  interval(run, count)   launches run that often; gives seconds for each launch and
                         whether the device always had the next launch waiting
  samples(start, end)    {"mhz": [...], "watts": [...], "reasons": [...]} of an interval of
                         time.monotonic()
A contender has
  error()                launches it, and gives the largest error, as a fraction of
                         the largest result
  context()              what must be entered while it is launched
  note                   what else is to be told of it, or ""
  cuts                   if it tells how a multiplication's D is cut up: rows and columns
                         of a tile, parts of K, tiles, and how many at a time
"""

import statistics
import time

OURS = "ours"
# Of one measurement. The queue of launches is finite.
INTERVAL_SECONDS = 0.05
MOST_LAUNCHES = 300
TRIAL_LAUNCHES = 5


def first_line(error):
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200] if lines else ''}"


def prepare(make, problem, backend):
    """A contender that has been tried, or what is to be told instead. A failure that
    the device does not survive is raised: all that come later would seem to fail."""
    try:
        run = make()
        with run.context():
            error = run.error()
    except Exception as failure:  # whatever a library raises is told
        backend.synchronize()
        return None, {"failed": first_line(failure)}
    told = {"error": error, "right": bool(error <= problem["max_error"])}
    if run.note:
        told["note"] = run.note
    if getattr(run, "cuts", None):
        told["cuts"] = run.cuts
    return run, told


def launches_for(seconds):
    return max(3, min(MOST_LAUNCHES, round(INTERVAL_SECONDS / max(seconds, 1e-7))))


def measure(problem, backend, rounds, without=(), at_hand=lambda name: None):
    """All rounds of a problem. Each contender is warm when it is measured: it has
    just been launched some times. Those of `without` do not take part; at_hand is
    told who is about to be launched."""
    runs, told = {}, {}
    for name, make in backend.contenders(problem).items():
        if name in without:
            continue
        at_hand(name)
        run, told[name] = prepare(make, problem, backend)
        if run:
            runs[name] = run
    counts, seconds, spans = {}, {n: [] for n in runs}, {n: [] for n in runs}
    for name, run in runs.items():
        at_hand(name)
        with run.context():
            counts[name] = launches_for(backend.interval(run, TRIAL_LAUNCHES)[0])
    for index in range(rounds):
        order = list(runs)
        for name in order if index % 2 == 0 else reversed(order):
            at_hand(name)
            start = time.monotonic()
            with runs[name].context():
                took, ahead = backend.interval(runs[name], counts[name])
            spans[name].append((start, time.monotonic()))
            seconds[name].append(took)
            if not ahead:
                told[name]["host_bound"] = True
    for name in runs:
        told[name].update(
            seconds=statistics.median(seconds[name]),
            rounds=[float(f"{s:.6g}") for s in seconds[name]],
            launches=counts[name],
            **means([backend.samples(*span) for span in spans[name]]),
        )
    runs.clear()
    backend.release()
    return told


def means(samples):
    """Of what was sampled in all of a contender's intervals."""
    result = {}
    for key in ("mhz", "watts"):
        values = [v for sample in samples for v in sample[key]]
        result[key] = round(statistics.mean(values), 1) if values else None
    result["reasons"] = sorted({r for sample in samples for r in sample["reasons"]})
    return result
