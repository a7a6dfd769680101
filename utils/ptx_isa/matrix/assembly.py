# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Asks ptxas which of many instructions it accepts, in one process.

It only parses them, for a virtual architecture: code generation refuses nothing
more, as the tests warp-*.ll see.
"""

import re
import subprocess

from .targets import assembler

ERROR = re.compile(r"^ptxas (\S+), line (\d+); (?:error|fatal)\s*: (.*)$", re.M)
CALL = re.compile("Call to .* requires call prototype|Unknown symbol")
PREFIX = {16: "h", 32: "r", 64: "d"}


def render(mnemonic, operands, selector=0):
    """An instruction's text, with registers that module() declares."""
    text, next_register = {}, {16: 0, 32: 0, 64: 0}
    for operand in operands:
        role, fragment = operand.role, operand.fragment
        if role == "p":
            text[role] = ["p"]
        elif role == "selector":
            text[role] = [str(selector)]
        else:
            bits = fragment.register.bits
            first = next_register[bits]
            next_register[bits] += fragment.count
            text[role] = [f"{PREFIX[bits]}{first + i}" for i in range(fragment.count)]
    return f"{mnemonic} {', '.join(operand_texts(operands, text, mnemonic))};"


def operand_texts(operands, text, mnemonic=""):
    """The operands in PTX's syntax, given each role's registers as texts.

    movmatrix alone takes its registers without braces.
    """
    out = []
    for operand in operands:
        role, texts = operand.role, text[operand.role]
        if role == "p":
            out.append(f"[{texts[0]}]")
        elif role.startswith("thread-id"):
            out[-1] = f"{{{out[-1]}, {texts[0]}}}"
        elif role in ("d", "a", "b", "c", "r") and "movmatrix" not in mnemonic:
            out.append(f"{{{', '.join(texts)}}}")
        else:
            out.append(texts[0])
    return out


def module(lines, target):
    """A PTX module, and the number of the line where the instructions start."""
    head = [
        f".version {target.ptx // 10}.{target.ptx % 10}",
        f".target {target.arch}",
        ".address_size 64",
        ".entry k() {",
        ".reg .b16 h<8>; .reg .b32 r<300>; .reg .b64 d<100>; .reg .b64 p;",
        ".reg .pred q<8>;",
    ]
    return "\n".join(head + list(lines) + ["ret;", "}", ""]), len(head) + 1


def errors_of(ptxas, lines, target):
    """{index of a line: message}, and a message that names no line or None.

    ptxas expands some instructions to functions of its own. Where it cannot
    parse one of those, it blames calls of the others as well.
    """
    text, first = module(lines, target)
    arch = assembler(target).replace("sm_", "compute_")
    done = subprocess.run(
        [ptxas, "-c", f"-arch={arch}", "-o", "/dev/null", "-"],
        input=text,
        capture_output=True,
        text=True,
    )
    errors, general = {}, None
    for source, line, message in ERROR.findall(done.stdout + done.stderr):
        if source == "<builtin>" or CALL.match(message):
            general = message
        elif not 0 <= int(line) - first < len(lines):
            raise RuntimeError(f"ptxas for {target}: {message}")
        else:
            errors.setdefault(int(line) - first, message)
    if done.returncode and not errors and not general:
        raise RuntimeError(f"ptxas for {target}: {(done.stdout + done.stderr).strip()}")
    return errors, general


def refused(ptxas, lines, target):
    """{index of a line: message} for all lines that ptxas refuses.

    What it finds only where the rest is right is included.
    """
    result, batches = {}, [list(range(len(lines)))]
    while batches:
        batch = batches.pop()
        errors, general = errors_of(ptxas, [lines[i] for i in batch], target)
        result.update({batch[i]: message for i, message in errors.items()})
        left = [line for i, line in enumerate(batch) if i not in errors]
        if errors and left:
            batches.append(left)
        elif general and len(batch) == 1:
            result[batch[0]] = general
        elif general:
            half = len(batch) // 2
            batches += [batch[:half], batch[half:]]
    return result
