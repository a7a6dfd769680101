# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measures one problem: all contenders take turns, on the same matrices.

A backend knows the device:
  contenders(problem)    {name: function that makes a contender, or raises}, ours first
  synchronize()          raises when the device has failed, for good
  release()              gives the problem's memory back
  host_seconds(run)      what the host needs to launch run once
  interval(run, warm, count, rest)
                         the device rests for so many seconds, then runs so many launches,
                         warm ones first; gives seconds for each of the others, whether
                         the device always had the next one waiting, and when the others
                         began and ended, by time.monotonic()
  joules(run, each)      the energy of a launch, which takes about so many seconds, in a
                         long run; None where it cannot be measured
  samples(start, end)    {"mhz": [...], "watts": [...], "reasons": [...]} of an interval of
                         time.monotonic()
A contender has
  error()                launches it, and gives the largest error, as a fraction of
                         the largest result
  context()              what must be entered while it is launched
  note                   what else is to be told of it, or ""
  cuts                   if it tells how a multiplication's D is cut up: rows and columns
                         of a tile, parts of K, tiles, and how many at a time
  tiles                  the same of attention: rows and number of its tall tiles, and of
                         its short ones
"""

import statistics

OURS = "ours"
# Of one measurement, and of the launches before it, after which clock and power are
# those of a long job. The queue of launches is finite.
INTERVAL_SECONDS, STEADY_SECONDS = 0.05, 0.1
MOST_LAUNCHES = 500
TRIAL_LAUNCHES = 5
# Energy is not measured of launches that the host may not keep up with.
SHORT = 40e-6
# The device rests for this much longer than the host is known to need.
AHEAD, LEAST_REST = 1.5, 0.0005


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
    for what in ("cuts", "tiles"):
        if getattr(run, what, None):
            told[what] = getattr(run, what)
    return run, told


def launches_for(wanted, seconds):
    return max(3, min(MOST_LAUNCHES, round(wanted / max(seconds, 1e-7))))


class Pace:
    """How often each contender is launched, and how long the device rests before: so
    long that the host stays ahead of it until the end. It is the same for all: a
    device that has rested has a higher clock for a while, so that whoever costs the
    host more would seem to be faster."""

    def __init__(self, runs, backend, at_hand):
        hosts, self.counts, self.warm = {}, {}, {}
        for name, run in runs.items():
            at_hand(name)
            with run.context():
                hosts[name] = backend.host_seconds(run)
        least = LEAST_REST + AHEAD * max(hosts.values(), default=0) * TRIAL_LAUNCHES * 2
        self.rest = LEAST_REST
        for name, run in runs.items():
            at_hand(name)
            with run.context():
                seconds, _, _ = backend.interval(
                    run, TRIAL_LAUNCHES, TRIAL_LAUNCHES, least
                )
            self.counts[name] = launches_for(INTERVAL_SECONDS, seconds)
            self.warm[name] = launches_for(STEADY_SECONDS, seconds)
            launches = self.warm[name] + self.counts[name]
            late = (AHEAD * hosts[name] - seconds) * launches
            self.rest = max(self.rest, LEAST_REST + late)

    def interval(self, name, run, backend):
        return backend.interval(run, self.warm[name], self.counts[name], self.rest)


def measure(problem, backend, rounds, without=(), at_hand=lambda name: None):
    """All rounds of a problem. Those of `without` do not take part; at_hand is told
    who is about to be launched."""
    runs, told = {}, {}
    for name, make in backend.contenders(problem).items():
        if name in without:
            continue
        at_hand(name)
        run, told[name] = prepare(make, problem, backend)
        if run:
            runs[name] = run
    seconds, spans = {n: [] for n in runs}, {n: [] for n in runs}
    pace = Pace(runs, backend, at_hand)
    for index in range(rounds):
        order = list(runs)
        for name in order if index % 2 == 0 else reversed(order):
            at_hand(name)
            with runs[name].context():
                took, ahead, span = pace.interval(name, runs[name], backend)
            spans[name].append(span)
            seconds[name].append(took)
            if not ahead:
                told[name]["host_bound"] = True
    for name in runs:
        told[name].update(
            seconds=statistics.median(seconds[name]),
            rounds=[float(f"{s:.6g}") for s in seconds[name]],
            launches=pace.counts[name],
            **means([backend.samples(*span) for span in spans[name]]),
        )
    for name, run in runs.items():
        if "power cap" in told[name]["reasons"] and told[name]["seconds"] > SHORT:
            at_hand(name)
            with run.context():
                told[name]["joules"] = backend.joules(run, told[name]["seconds"])
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
