# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Running the programs of a folder, with Python alone."""

import concurrent.futures
import datetime
import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time


PASSED, FAILED, NOT_RUN = "passed", "failed", "not run"
MANIFEST = "manifest.json"
# Each program keeps a core busy; some are left to the driver and to others.
DEFAULT_JOBS = max(1, (os.cpu_count() or 1) // 4)
SANITIZERS = ("memcheck", "racecheck", "synccheck")
# The programs' exit status when there is no suitable GPU.
NO_DEVICE = 3
SANITIZER_FOUND_ERRORS = 99
# What a probe says of one layout: instruction, what was read (and how), result, more.
PROBE_LINE = re.compile(
    r"(\S+): ((?:[AB]|metadata|kept elements)\b[^:]*): ((?:not )?as modelled)(?:, (.*))?$",
    re.MULTILINE,
)


def output_of(command, **kwargs):
    """What a command prints, or None when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **kwargs)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def ask_nvidia_smi():
    """What nvidia-smi tells of the first GPU; None for what it does not."""
    fields = {
        "gpu": "name",
        "driver": "driver_version",
        "compute_capability": "compute_cap",
    }
    answer = output_of(
        [
            "nvidia-smi",
            f"--query-gpu={','.join(fields.values())}",
            "--format=csv,noheader",
            "--id=0",
        ]
    )
    values = [v.strip() for v in answer.split(",")] if answer else []
    machine = (
        dict(zip(fields, values))
        if len(values) == len(fields)
        else dict.fromkeys(fields)
    )
    version = re.search(r"CUDA Version: *([0-9.]+)", output_of(["nvidia-smi"]) or "")
    machine["cuda_driver_api"] = version.group(1) if version else None
    return machine


class Runner:
    def __init__(self, folder, timeout):
        self.folder = os.path.abspath(folder)
        self.timeout = timeout

    def clean(self, text):
        """Leaves out what tells of this machine only."""
        for secret, word in (
            (self.folder, "."),
            (os.getcwd(), "."),
            (os.path.expanduser("~"), "~"),
            (socket.gethostname(), "HOST"),
        ):
            if len(secret) > 1:
                text = text.replace(secret, word)
        return text

    def execute(self, kind, command):
        """Runs a command in the folder and returns its record and output."""
        record = {"kind": kind, "command": " ".join(command)}
        started = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=self.timeout,
            )
            record["exit_code"] = done.returncode
            output = done.stdout
        except OSError as error:
            record["reason"] = f"it could not be started: {error.strerror}"
            output = b""
        except subprocess.TimeoutExpired as expired:
            record["reason"] = f"no end after {self.timeout} s"
            output = expired.stdout or b""
        record["seconds"] = round(time.monotonic() - started, 2)
        output = self.clean(output.decode(errors="replace"))
        record["result"] = PASSED if record.get("exit_code") == 0 else FAILED
        if record.get("exit_code") == NO_DEVICE:
            record["result"] = NOT_RUN
            record["reason"] = (output.strip().splitlines() or ["no suitable GPU"])[-1]
        elif record["result"] == FAILED:
            record["end_of_output"] = output.splitlines()[-20:]
        return record, output

    def execute_reporting(self, kind, command):
        """Runs a program that writes JSON to FILE. Returns its record, and that or None."""
        handle, report = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            record, _ = self.execute(
                kind, [report if word == "FILE" else word for word in command]
            )
            with open(report, errors="replace") as file:
                text = file.read()
        finally:
            os.remove(report)
        record["command"] = " ".join(command)
        # A program that crashed has written nothing, or not all.
        if not text:
            return record, None
        try:
            return record, json.loads(text)
        except json.JSONDecodeError:
            record["result"] = FAILED
            reasons = [record.get("reason"), "what it wrote is incomplete"]
            record["reason"] = "; ".join(filter(None, reasons))
            return record, None

    def not_run(self, kind, command, reason):
        record = {
            "kind": kind,
            "command": " ".join(command),
            "result": NOT_RUN,
            "reason": reason,
        }
        return self.report(record)

    def report(self, record):
        details = [record[key] for key in ("reason", "summary") if record.get(key)]
        if "seconds" in record:
            details.append(f"{record['seconds']} s")
        # With the end of the line in it, as others print, too.
        print(
            f"{record['command']}: {record['result']} ({', '.join(details)})\n",
            end="",
            flush=True,
        )
        return record

    def probe(self, program, asked_for=()):
        """Reads layouts off the device, of these instructions, and compares them with the model."""
        record, output = self.execute("probe", program)
        record["lines"] = [line.group() for line in PROBE_LINE.finditer(output)]
        agreeing = sum(": as modelled" in line for line in record["lines"])
        if record["result"] != NOT_RUN:
            record["summary"] = f"{agreeing} of {len(record['lines'])} as modelled"
        # Immediates may follow the name that was asked for.
        seen = [PROBE_LINE.match(line).group(1) + "." for line in record["lines"]]
        missing = [
            name
            for name in asked_for
            if not any(instruction.startswith(name + ".") for instruction in seen)
        ]
        if record["result"] == PASSED:
            if not 0 < agreeing == len(record["lines"]):
                record["result"], record["reason"] = (
                    FAILED,
                    "it did not print what its status says",
                )
            elif missing:
                record["result"] = FAILED
                record["reason"] = f"it did not probe {', '.join(missing)}"
        if record["result"] == FAILED:
            # What was found follows the first line that tells of a difference.
            different = re.search("^.*: not as modelled", output, re.MULTILINE)
            record["end_of_output"] = (
                output[different.start() :].splitlines()[:20]
                if different
                else output.splitlines()[-20:]
            )
        return self.report(record)

    def sanitizer(self, tool, program):
        """Runs a program, with its arguments, under compute-sanitizer."""
        command = [
            "compute-sanitizer",
            "--tool",
            tool,
            "--error-exitcode",
            str(SANITIZER_FOUND_ERRORS),
            *program,
        ]
        if not shutil.which(command[0]):
            return self.not_run(
                "sanitizer", command, f"{command[0]} is not on the PATH"
            )
        record, output = self.execute("sanitizer", command)
        summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", output)
        if summaries:
            record["summary"] = summaries[-1]
        elif record["result"] == PASSED:
            record["result"], record["reason"] = FAILED, "the tool printed no summary"
        return self.report(record)


def seed_options(seed):
    """What tells a program of the device tests to use other random inputs."""
    return ["--seed", str(seed)] if seed else []


def prepare_run(args):
    """The folder's manifest; None, with an error, if it is no output of `build`."""
    try:
        with open(f"{args.folder}/{MANIFEST}") as file:
            manifest = json.load(file)
    except OSError as error:
        print(
            f"{os.path.basename(sys.argv[0])}: error: {args.folder} is no output of "
            f"`build`: {error.strerror}",
            file=sys.stderr,
        )
        return None
    for file in (args.json, args.markdown):
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    return manifest


def origin(manifest, *keys):
    """What results tell first: when and where they are made, and by what compiler."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "machine": ask_nvidia_smi(),
        **{key: manifest[key] for key in ("git", "compiler", "ptxas", *keys)},
    }


def run_together(jobs, calls):
    """Makes calls, {name: (function, argument...)}, some at a time and beginning with the first.

    Returns {name: result} and the seconds that it took."""
    started = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        pending = {name: pool.submit(*call) for name, call in calls.items()}
        results = {name: job.result() for name, job in pending.items()}
    finally:
        # When interrupted, begin no more.
        pool.shutdown(cancel_futures=True)
    return results, round(time.monotonic() - started, 2)


def read_text(path):
    """Of a file that may be compressed, as the large ones of docs/results are."""
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if str(path).endswith(".gz") else data).decode()


def write_json(path, value):
    """The same value makes the same file, compressed or not."""
    data = (json.dumps(value, indent=1) + "\n").encode()
    with open(path, "wb") as file:
        file.write(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


def write_results(args, results, page):
    write_json(args.json, results)
    with open(args.markdown, "w") as file:
        file.write(page)
    print(f"Wrote {args.json} and {args.markdown}")


def exit_status(found):
    """Of all results that there are: 0, 1 if something failed, 3 if not all ran."""
    if FAILED in found or not found:
        return 1
    return 3 if NOT_RUN in found else 0
