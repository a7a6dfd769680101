# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the pages of docs/reference with the grammar of the PTX ISA.

reference.py FOLDER   reads the pages as a reader would, and says for each
                      intrinsic of the grammar what a page has wrong, and of each
                      page what is not in the grammar

The pages come from the compiler's tables, which are not read here.
"""

import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path

sys.path[1:1] = [
    os.path.join(os.path.dirname(__file__), "..", *folder)
    for folder in (("..", "utils"), ("Clang",))
]
import matrix
from ptx_isa import wgmma
from ptx_isa.matrix import INTRINSICS

ROW = re.compile(r"\| `(llvm\.[^`]*)`<br>`(\w+)` \| (?:`([^`]*)`|\(none\)) \| (.*) \|")
WGMMA_ACCUMULATORS = {
    "f32": "vec<float, N/2>",
    "s32": "vec<int, N/2>",
    "f16": "vec<int, N/4>",
}
WGMMA_C_TYPES = {"i64": "unsigned long", "<4 x i32>": "vec<int, 4>", "i1": "bool"}
# Those that multiply nothing: parameters of the intrinsic, section.
FENCES = {
    "fence.sync.aligned": ("void ()", "9.7.15.7.1"),
    "commit_group.sync.aligned": ("void ()", "9.7.15.7.2"),
    "wait_group.sync.aligned": ("void (i64 immarg)", "9.7.15.7.3"),
    "fence_operand": ("<t> (<t>)", None),
}


@dataclass(frozen=True)
class Fact:
    """What a page says of an intrinsic, or what the grammar says."""

    builtin: str
    mnemonics: frozenset
    targets: frozenset
    last_ptx: int  # None: there is none.
    builtin_type: str
    intrinsic_type: str
    sections: frozenset


# Of the pages.


def expand(ptx):
    """The mnemonics that a cell stands for: "{.a,.b}" is .a, .b or nothing."""
    parts = re.split(r"\{([^}]*)\}", ptx)
    choices = [
        ["", *part.split(",")] if i % 2 else [part] for i, part in enumerate(parts)
    ]
    return frozenset("".join(c) for c in product(*choices))


def numbers(text):
    """The values of "8, 16, ..., 256"."""
    words, values = text.split(", "), []
    for index, word in enumerate(words):
        if word != "...":
            values.append(int(word))
            continue
        step = values[-1] - values[-2]
        end = int(words[index + 1])
        values += range(values[-1] + step, end, step)
    return values


def digits(version):
    major, minor = version.split(".")
    return 10 * int(major) + int(minor)


def targets(cell):
    """(targets, the last PTX version or None) of a cell."""
    cell, _, removed = cell.partition("; not from ")
    found = set()
    for part in cell.split("<br>"):
        architectures, version = part.split(": ")
        for architecture in architectures.split(", "):
            found.add((architecture.strip("`"), digits(version)))
    return frozenset(found), digits(removed.split()[0]) - 1 if removed else None


def types_only(signature):
    """Without the names of parameters."""
    return re.sub(r" ?(?<=[ *])%?[a-z_]+(?=[,)])", "", signature)


def called(signature, with_stride):
    """A signature without brackets, as an entry with or without stride has it."""
    return re.sub(r"\[([^]]*)\]", r"\1" if with_stride else "", signature)


def facts_of_page(path):
    """Yields (intrinsic, fact)."""
    sections, signature = frozenset(), {}
    for line in path.read_text().splitlines():
        if line.startswith("PTX ISA "):
            sections = frozenset(re.findall(r"\[([0-9.]+)\]", line))
        elif match := re.fullmatch(r"(builtin|intrinsic|PTX|N) +(.*)", line):
            if match[1] == "builtin":
                signature = {}
            signature[match[1]] = match[2]
        elif match := ROW.fullmatch(line):
            intrinsic, builtin, ptx, cell = match.groups()
            stride = ".stride" in intrinsic
            mnemonics = expand(ptx or "")
            if "N" in signature:
                mnemonics = frozenset(
                    m.replace("<N>", str(n))
                    for m in mnemonics
                    for n in numbers(signature["N"])
                )
            yield intrinsic, Fact(
                builtin,
                mnemonics,
                *targets(cell),
                types_only(called(signature["builtin"], stride)),
                types_only(called(signature["intrinsic"], stride)),
                sections,
            )


# Of the grammar.


def warp_fact(variants):
    variant = variants[0]
    result = variant.result
    c_types, ir_types = [], []
    for operand in variant.arguments:
        pointer = operand.role == "p"
        constant = operand.is_constant
        kind = matrix.parameter_type(variant, operand)
        c_types.append(("constant " if constant else "") + kind)
        count = operand.fragment.count
        ir_types.append(
            ("ptr" if pointer else ir_fragment(operand.fragment, count))
            + (" immarg" if constant else "")
        )
    c_result = matrix.c_type(result) if result else "void"
    ir_result = "void"
    if result:
        ir_result = ir_fragment(result, result.count)
        if result.count > 1:
            ir_result = f"{{{ir_result}}}"
    return Fact(
        variant.builtin,
        frozenset(v.mnemonic for v in variants),
        frozenset((t.arch, t.ptx) for t in variant.targets + variant.beyond),
        variant.last_ptx,
        f"{c_result} ({', '.join(c_types)})",
        f"{ir_result} ({', '.join(ir_types)})",
        frozenset({variant.section}),
    )


def ir_fragment(fragment, count):
    return (f"{count} x " if count > 1 else "") + fragment.register.ir


def wgmma_fact(intrinsic):
    n = intrinsic.rule.n[-1]  # Of no other operand's type.
    result, parameters = re.fullmatch(
        r"declare (.*) @.*?\((.*)\)", intrinsic.declaration(n)
    ).groups()
    ir_types = parameters.replace(result, "<v>").split(", ")
    c_types = []
    for kind in ir_types:
        base, constant = kind.removesuffix(" immarg"), kind.endswith(" immarg")
        c_type = {
            "<v>": WGMMA_ACCUMULATORS[intrinsic.d],
            "i32": "int" if constant else "unsigned",
            **WGMMA_C_TYPES,
        }[base]
        c_types.append(("constant " if constant else "") + c_type)
    accumulator = WGMMA_ACCUMULATORS[intrinsic.d]
    return Fact(
        intrinsic.builtin,
        frozenset(
            intrinsic.ptx(n, satfinite)
            for n in intrinsic.rule.n
            for satfinite in intrinsic.rule.satfinite
        ),
        frozenset({("sm_90a", intrinsic.ptx_version)}),
        None,
        f"{accumulator} ({', '.join(c_types)})",
        f"<v> ({', '.join(ir_types)})",
        frozenset({"9.7.15.6.3" if intrinsic.sparse else "9.7.15.5.2"}),
    )


def fence_fact(name, intrinsic_type, section):
    builtin_type = intrinsic_type.replace("i64 immarg", "constant int64_t")
    return Fact(
        "__nvvm_wgmma_" + name.replace(".", "_"),
        frozenset({f"wgmma.{name}" if section else ""}),
        frozenset({("sm_90a", 80)}),
        None,
        builtin_type.replace("<t>", "T"),
        intrinsic_type,
        frozenset({section} if section else ()),
    )


def facts_of_grammar():
    """{intrinsic: fact}"""
    facts = {name: warp_fact(variants) for name, variants in INTRINSICS.items()}
    facts.update((i.name, wgmma_fact(i)) for i in wgmma.INTRINSICS)
    for name, (intrinsic_type, section) in FENCES.items():
        facts[f"llvm.nvvm.wgmma.{name}"] = fence_fact(name, intrinsic_type, section)
    return facts


def differences(name, page, grammar):
    for field in grammar.__dataclass_fields__:
        found, expected = getattr(page, field), getattr(grammar, field)
        # A page may be about more than one section.
        same = expected <= found if field == "sections" else expected == found
        if same:
            continue
        if isinstance(expected, frozenset):
            # Of hundreds of instructions, only those in question.
            found, expected = found - expected, expected - found
        yield f"{name}: {field}: the page has {shown(found)}, the ISA {shown(expected)}"


def shown(value):
    if not isinstance(value, frozenset):
        return value
    first = ", ".join(map(str, sorted(value)[:3]))
    return f"{first}{', ...' if len(value) > 3 else ''}" or "nothing else"


def main():
    expected = facts_of_grammar()
    problems, times = [], Counter()
    for path in sorted(Path(sys.argv[1]).glob("*.md")):
        count = 0
        for name, fact in facts_of_page(path):
            count += 1
            times[name] += 1
            if name in expected:
                problems += differences(name, fact, expected[name])
        if path.stem != "README":
            print(f"{path.stem}: {count}")
    problems += [f"{name} is in no page" for name in expected if not times[name]]
    problems += [f"{name} is there twice" for name in times if times[name] > 1]
    problems += [f"{name} is not in the ISA" for name in times if name not in expected]
    print(f"{len(times)} of {len(expected)}")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
