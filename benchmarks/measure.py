# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What running a command costs."""

import os
import re
import statistics
import subprocess


class CommandFailed(Exception):
    """A command that was to be measured did not do its work."""

    def __init__(self, words, output):
        lines = [line for line in output.splitlines() if "error" in line.lower()]
        super().__init__(f"{' '.join(words)}: {(lines or ['it failed'])[0]}")


def cpu_seconds(words, **kwargs):
    """User and system time of a command and of what it starts."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kwargs
    ) as process:
        output = process.stdout.read()
        # Popen would wait without telling the times of this process alone.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailed(words, output)
    return usage.ru_utime + usage.ru_stime


def interleaved_medians(commands, rounds):
    """The median time of each command, by name. They take turns, so that a
    machine that becomes slower or faster does so for all of them."""
    seconds = {name: [] for name in commands}
    for _ in range(rounds):
        for name, words in commands.items():
            seconds[name].append(cpu_seconds(words))
    return {name: statistics.median(values) for name, values in seconds.items()}


def instructions(words):
    """The instructions that a command executes in user space, by callgrind."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*callgrind, *words], capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        raise CommandFailed(words, done.stderr)
    return int(collected[1])


def growth(before, after):
    """By how many percent `after` exceeds `before`."""
    return 100 * (after / before - 1)
