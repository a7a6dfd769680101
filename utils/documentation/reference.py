#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Write docs/reference: a page for each family of matrix instructions.

  reference.py           write the pages
  reference.py --check   fail where a page is not what would be written

What the pages say of intrinsics, builtins and instructions comes from the
compiler's tables (matrix_tables.py). Above it stands what people wrote:
docs/reference/intro/PAGE.md, and examples in examples/reference.

Exit status: 0, or 1 when --check finds something, 2 for wrong usage.
"""

import re
from dataclasses import dataclass

from matrix_tables import Reader
from written import ROOT, write_from_tables

FOLDER = ROOT / "docs" / "reference"
EXAMPLES = ROOT / "examples" / "reference"
ISA = "https://docs.nvidia.com/cuda/parallel-thread-execution/"
WARP = "warp-level-matrix-instructions-"
WARPGROUP = "asynchronous-warpgroup-level-matrix-instructions-"


@dataclass(frozen=True)
class Page:
    """A family: where it is described, and which intrinsics it has."""

    name: str
    title: str
    # A regular expression for the PTX mnemonics of the family.
    mnemonics: str
    # ((number of the PTX ISA's section, its anchor), ...)
    sections: tuple
    examples: tuple

    @property
    def path(self):
        return FOLDER / f"{self.name}.md"


PAGES = (
    Page(
        "wmma-load",
        "wmma.load",
        r"wmma\.load",
        (("9.7.14.4.3", WARP + "wmma-ld"),),
        ("wmma.cu",),
    ),
    Page(
        "wmma-store",
        "wmma.store",
        r"wmma\.store",
        (("9.7.14.4.4", WARP + "wmma-st"),),
        ("wmma.cu",),
    ),
    Page(
        "wmma-mma",
        "wmma.mma",
        r"wmma\.mma",
        (("9.7.14.4.5", WARP + "wmma-mma"),),
        ("wmma.cu",),
    ),
    Page(
        "mma",
        "mma",
        r"mma\.(?!sp|.*block_scale)",
        (("9.7.14.5.14", WARP + "mma"),),
        ("mma.cu", "mma.ll"),
    ),
    Page(
        "mma-sp",
        "mma.sp and mma.sp::ordered_metadata",
        r"mma\.sp(?!.*block_scale)",
        (("9.7.14.6.3", WARP + "for-sparse-mma"),),
        ("mma_sp.cu",),
    ),
    Page(
        "mma-block-scale",
        "mma with block scaling",
        r"mma\..*\.block_scale\.",
        (("9.7.14.5.14", WARP + "mma"), ("9.7.14.6.3", WARP + "for-sparse-mma")),
        ("mma_block_scale.cu",),
    ),
    Page(
        "ldmatrix",
        "ldmatrix",
        r"ldmatrix\.",
        (("9.7.14.5.15", WARP + "ldmatrix"),),
        ("ldmatrix.cu",),
    ),
    Page(
        "stmatrix",
        "stmatrix",
        r"stmatrix\.",
        (("9.7.14.5.16", WARP + "stmatrix"),),
        ("stmatrix.cu",),
    ),
    Page(
        "movmatrix",
        "movmatrix",
        r"movmatrix\.",
        (("9.7.14.5.17", WARP + "movmatrix"),),
        ("movmatrix.cu",),
    ),
    Page(
        "wgmma-mma-async",
        "wgmma.mma_async and wgmma.mma_async.sp",
        r"wgmma\.mma_async",
        (
            ("9.7.15.5.2", WARPGROUP + "wgmma-mma"),
            ("9.7.15.6.3", WARPGROUP + "wgmma-mma"),
        ),
        ("wgmma.cu", "wgmma.ll"),
    ),
    Page(
        "wgmma-fence",
        "wgmma.fence, commit_group, wait_group, and fence_operand",
        # fence_operand prints no instruction.
        r"wgmma\.(fence|commit_group|wait_group)|$",
        (
            ("9.7.15.7.1", WARPGROUP + "wgmma-fence"),
            ("9.7.15.7.2", WARPGROUP + "wgmma-commit-group"),
            ("9.7.15.7.3", WARPGROUP + "wgmma-wait-group"),
        ),
        ("wgmma.cu",),
    ),
)

# Words of a mnemonic that do not change what a fragment is.
MODIFIERS = {"sync", "aligned", "row", "col", "trans", "satfinite"}
MODIFIERS |= {"rn", "rz", "rm", "rp"}


def page_of(entry):
    (page,) = (page for page in PAGES if re.match(page.mnemonics, entry.ptx))
    return page


def words(entry):
    """The parts of the mnemonic that tell the groups of a page apart."""
    mnemonic = re.sub(r"\{[^}]*\}", "", entry.ptx)
    return [word for word in mnemonic.split(".") if word not in MODIFIERS]


def shape(entry):
    return next((w for w in words(entry) if re.fullmatch("m[0-9]+n.*", w)), "")


def natural(text):
    """Sorts numbers by their value."""
    return [int(p) if p.isdigit() else p for p in re.split("([0-9]+)", text)]


def without_stride(parameters):
    return tuple(p for p in parameters if p.name != "stride")


def group_key(entry):
    """Entries with the same key stand in one table, below one signature."""
    # Words with "::" and bf16 do not combine with the others that fit the same
    # registers, which a title with each place's words in braces would say.
    distinct = [w for w in words(entry) if "::" in w or w == "bf16"]
    return (
        shape(entry),
        tuple(distinct),
        len(words(entry)),
        entry.result,
        without_stride(entry.parameters),
        entry.ns,
    )


def grouped(entries):
    groups = {}
    for entry in sorted(entries, key=lambda e: natural(e.intrinsic)):
        groups.setdefault(group_key(entry), []).append(entry)
    return sorted(groups.values(), key=lambda group: natural(group_title(group)))


def group_title(group):
    """The mnemonic of all entries, without modifiers: "mma.m16n8k8.f32.{f16,...".

    An intrinsic that prints nothing has its own name. What wgmma's mnemonics do
    not tell, where A comes from, stands after it.
    """
    columns = zip(*map(words, group))
    parts = []
    for column in columns:
        values = list(dict.fromkeys(column))
        parts.append(values[0] if len(values) == 1 else f"{{{','.join(values)}}}")
    form = re.search(r"\.(ss|rs)\.", group[0].intrinsic)
    title = ".".join(parts) or group[0].intrinsic.removeprefix("llvm.nvvm.")
    return f"{title}, {form[1]}" if form else title


def c_text(p):
    constant = "constant " if p.immediate else ""
    return f"{constant}{p.c_type}{'' if p.c_type.endswith('*') else ' '}{p.name}"


def ir_types(p):
    return f"{p.count} x {p.ir_type}" if p.count > 1 else p.ir_type


def ir_text(p):
    return f"{ir_types(p)}{' immarg' if p.immediate else ''} %{p.name}"


def signature(group):
    """How the builtins, the intrinsics and the instruction are called."""
    longest = max(group, key=lambda entry: len(entry.parameters))
    some_lack_stride = len({len(entry.parameters) for entry in group}) > 1

    def listed(texts):
        text = ", ".join(texts)
        if some_lack_stride:
            text = re.sub(r", ([^,]*stride)$", r"[, \1]", text)
        return text

    result = longest.result
    c_result = result.c_type if result else "void"
    ir_result = ir_types(result) if result else "void"
    if result and result.count > 1:
        ir_result = f"{{{ir_result}}}"
    lines = [
        f"builtin    {c_result} ({listed(map(c_text, longest.parameters))})",
        f"intrinsic  {ir_result} ({listed(map(ir_text, longest.parameters))})",
    ]
    if longest.ptx_operands:
        lines.append(f"PTX        {listed([longest.ptx_operands])}")
    if longest.ns:
        lines.append(f"N          {steps(longest.ns)}")
    return "\n".join(lines)


def steps(numbers):
    """Numbers at equal distances, as "8, 16, ..., 256"."""
    runs, rest = [], list(numbers)
    while len(rest) > 1:
        step = rest[1] - rest[0]
        end = next(
            (i for i in range(1, len(rest)) if rest[i] - rest[i - 1] != step), len(rest)
        )
        run = rest[:end]
        runs += run if len(run) < 5 else [*run[:2], "...", run[-1]]
        rest = rest[end:]
    return ", ".join(map(str, runs + rest))


def version(ptx):
    return f"{ptx // 10}.{ptx % 10}"


def target_cell(entry):
    by_version = {}
    for arch, ptx in entry.targets:
        by_version.setdefault(ptx, []).append(f"`{arch}`")
    text = "<br>".join(
        f"{', '.join(archs)}: {version(ptx)}"
        for ptx, archs in sorted(by_version.items())
    )
    if entry.removed_in:
        text += f"; not from {version(entry.removed_in)} on"
    return text


def table(group):
    lines = ["| intrinsic, builtin | PTX | target: PTX version |", "|---|---|---|"]
    for entry in group:
        names = f"`{entry.intrinsic}`<br>`{entry.builtin}`"
        ptx = f"`{entry.ptx}`" if entry.ptx else "(none)"
        lines.append(f"| {names} | {ptx} | {target_cell(entry)} |")
    return "\n".join(lines)


def example(name):
    """An example file without its licence, as a section of a page."""
    path = EXAMPLES / name
    comment = {".cu": "//", ".ll": ";"}[path.suffix]
    lines = path.read_text().splitlines()
    while lines and lines[0].startswith(comment):
        lines.pop(0)
    language = {".cu": "cuda", ".ll": "llvm"}[path.suffix]
    text = "\n".join(lines).strip()
    return (
        f"[examples/reference/{name}](../../examples/reference/{name}), which a test "
        f"compiles and assembles:\n\n```{language}\n{text}\n```"
    )


def introduction(name):
    text = (FOLDER / "intro" / f"{name}.md").read_text().strip()
    # The links are those of the folder below.
    return text.replace("](../", "](")


def header(name):
    return (
        "<!-- Written by utils/documentation/reference.py from the compiler's tables and "
        f"docs/reference/intro/{name}.md; not edited. -->"
    )


def section_links(page):
    return ", ".join(f"[{number}]({ISA}#{anchor})" for number, anchor in page.sections)


def page_text(page, entries):
    parts = [
        header(page.name),
        f"# {page.title}",
        f"PTX ISA {section_links(page)}. Intrinsics and builtins: {len(entries)}. "
        "[How to read this](README.md).",
        introduction(page.name),
        "## Example",
        *map(example, page.examples),
        "## All of them",
    ]
    for group in grouped(entries):
        parts += [
            f"### `{group_title(group)}`",
            f"```text\n{signature(group)}\n```",
            table(group),
        ]
    return "\n\n".join(parts) + "\n"


def index_text(by_page):
    lines = ["| page | PTX ISA | intrinsics and builtins |", "|---|---|---|"]
    lines += [
        f"| [{page.title}]({page.path.name}) | {section_links(page)} "
        f"| {len(by_page[page])} |"
        for page in PAGES
    ]
    lines.append(f"| | | {sum(map(len, by_page.values()))} |")
    parts = [header("README"), "# Reference", introduction("README"), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def pages(build):
    """{path: text} of all pages."""
    by_page = {page: [] for page in PAGES}
    for entry in Reader(build).entries():
        by_page[page_of(entry)].append(entry)
    texts = {page.path: page_text(page, by_page[page]) for page in PAGES}
    texts[FOLDER / "README.md"] = index_text(by_page)
    return texts


if __name__ == "__main__":
    write_from_tables(__doc__, pages, FOLDER, "*.md", "pages")
