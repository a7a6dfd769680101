#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Asks ptxas which instructions a target has, with PTX that no compiler made."""

import re
import subprocess

PTX_VERSION = "9.0"


def braced(registers, prefix):
    names = (f"%{prefix}{registers.constraint}_{i}" for i in range(registers.count))
    return "{" + ", ".join(names) + "}"


def instruction(variant, selector):
    """One line with the instruction; its registers are those that text() declares."""
    if variant.family == "movmatrix":
        return f"{variant.ptx} %rb32_0, %ob32_0;"
    operands = [braced(variant.result, "r")] if variant.result else []
    for operand in variant.operands:
        if operand == "address":
            operands.append("[%address]")
        elif operand == "stride":
            operands.append("%scalar")
        elif operand == "metadata":
            operands += ["%scalar", str(selector)]
        else:
            operands.append(braced(operand, "o"))
    operands += ["%scalar", "{0, 0}"] * variant.immediates
    return f"{variant.ptx} {', '.join(operands)};"


def text(target, instructions):
    registers = [f".reg .{t} %{p}{t}_<16>;" for t in ("b32", "f32", "f64") for p in "ro"]
    return "\n".join(
        [f".version {PTX_VERSION}", f".target {target}", ".address_size 64"]
        + [".visible .entry probe() {", *registers]
        + [".reg .b64 %address;", ".reg .b32 %scalar;"]
        + ["mov.b64 %address, 0;", "mov.b32 %scalar, 0;", *instructions, "ret;", "}"]
    )


def lacking(ptxas, target, variants):
    """What ptxas has against each variant that it refuses for the target."""
    lines = [(v, instruction(v, s)) for v in variants for s in v.selectors]
    source = text(target, [line for _, line in lines])
    first = source.split("\n").index(lines[0][1]) + 1
    done = subprocess.run(
        [ptxas, f"-arch={target}", "-", "-o", "/dev/null"],
        input=source,
        capture_output=True,
        text=True,
    )
    refused = {}
    output = done.stdout + done.stderr
    for number, message in re.findall(r"line (\d+); error\s*: (.*)", output):
        variant = lines[int(number) - first][0]
        refused.setdefault(variant, message)
    if done.returncode and not refused:
        raise RuntimeError(f"ptxas did not say what it refuses:\n{output}")
    return refused
