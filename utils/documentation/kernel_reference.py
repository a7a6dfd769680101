#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Write docs/reference/kernel: what a kernel needs around its matrix instructions.

  kernel_reference.py           write the pages
  kernel_reference.py --check   fail where a page is not what would be written

What the pages say of intrinsics, builtins and instructions comes from the
compiler's tables; above it stands what people wrote: intro/PAGE.md there.

Exit status: 0, or 1 when --check finds something, 2 for wrong usage.
"""

import re
from dataclasses import dataclass

from matrix_tables import Reader, prototype_types
from reference import version
from written import ROOT, write_from_tables

FOLDER = ROOT / "docs" / "reference" / "kernel"


@dataclass(frozen=True)
class Page:
    name: str
    title: str
    # A regular expression for the names after llvm.nvvm.
    names: str

    @property
    def path(self):
        return FOLDER / f"{self.name}.md"


PAGES = (
    Page("bulk", "Bulk copies", r"cp\.async\.bulk\.(?!tensor)"),
    Page("bulk-tensor", "Bulk copies of tensors: TMA", r"cp\.async\.bulk\.tensor"),
    Page(
        "reductions",
        "Asynchronous reductions and stores",
        r"cp\.reduce|(red|st)\.async",
    ),
    Page("multimem", "The memory of several GPUs: multimem", r"multimem"),
    Page("mbarrier", "mbarrier", r"mbarrier"),
    Page("barriers", "Fences and barriers", r"fence|barrier"),
    Page(
        "control",
        "Clusters, registers, launches, caches",
        r"mapa|getctarank|setmaxnreg|elect|griddepcontrol|prefetch|applypriority|discard"
        r"|createpolicy"
        r"|st\.bulk|clusterlaunchcontrol",
    ),
    Page("tensormap", "Tensor maps that change", r"tensormap"),
    Page("tcgen05", "tcgen05", r"tcgen05"),
)
# Operands as the patterns of the instructions name them, in LLVM's documentation.
NAMES = {
    "addr": "address",
    "mbar": "bar",
    "tmap": "map",
    "mc": "cta_mask",
    "ch": "cache_hint",
    "cg": "cta_group",
    "dtmem": "d",
    "spmetadata": "metadata",
    "enable_inp_d": "enable_input_d",
    "tl": "time_limit",
    "sdesc": "descriptor",
    "ncols": "columns",
    "tmem_addr": "address",
    "dest_addr": "address",
}


# Flags are numbers in the patterns. As LLVM's documentation has them, last in the
# list of parameters: (names of the intrinsics, names of the flags).
FLAGS = (
    (r"cp\.async\.bulk.*\.bytemask$", ()),
    (r"cp\.async\.bulk\.tensor\.g2s\.(?!cta)", ("use_mask", "use_hint", "cta_group")),
    (r"cp\.async\.bulk\.global\.to\.shared\.cluster", ("use_mask", "use_hint")),
    (r"cp\.async\.bulk\.(?!(commit|wait)\.)", ("use_hint",)),
    (r"cp\.reduce\.async\.bulk\.shared\.cta\.to\.global", ("use_hint",)),
    (r"createpolicy\.(fractional|range)", ("second_evict_first",)),
    (r"multimem\.(?!.*weak)", ("sem", "scope")),
    (r"tcgen05\.mma\.ws", ("kind", "buffer", "collector")),
    (r"tcgen05\.mma.*block_scale", ("cta_group", "collector")),
    (r"tcgen05\.mma.*disable_output_lane", ("kind", "collector")),
    (r"tcgen05\.mma", ("kind", "cta_group", "collector")),
    (r"tcgen05\.ld\.red.*\.f32", ("operation", "abs", "nan")),
    (r"tcgen05\.ld\.red", ("operation",)),
    (r"tcgen05\.ld", ("pack",)),
    (r"tcgen05\.st", ("unpack",)),
)


# The first parameters of what is not selected by patterns: (names of the intrinsics,
# names of the parameters).
SELECTED = (
    (r"multimem\.ld_reduce", ("address",)),
    (r"multimem\.(st|red)", ("address", "value")),
    (r"tcgen05\.ld\.red", ("address", "offset")),
)


# What no prototype and no pattern says of generic ones.
GENERIC = {
    "llvm.nvvm.st.async": "void *dst, T value, void *bar",
    "llvm.nvvm.st.async.gpu": "void *dst, T value, constant bool is_multimem",
    "llvm.nvvm.st.async.sys": "void *dst, T value, constant bool is_multimem",
    "llvm.nvvm.st.async.mmio.sys": "void *dst, T value",
}


def names_in(table, name):
    name = name.removeprefix("llvm.nvvm.")
    return next((found for names, found in table if re.match(names, name)), ())


def arguments(pattern, record):
    """The operands of an intrinsic in a pattern: names, and None for constants."""
    start = (
        pattern.index(f"({record} ") + len(record) + 2
        if f"({record} " in pattern
        else None
    )
    if start is None:
        return []
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(pattern[end], 0)
        end += 1
    words = re.split(r", (?![^()]*\))", pattern[start : end - 1])
    return [match[1] if (match := re.search(r"\$(\w+)$", w)) else None for w in words]


class KernelReader(Reader):
    """Reads the intrinsics of NVVMKernelTargets.td."""

    def instructions(self):
        """{intrinsic's record: [(pattern, instruction)]}."""
        found = {}
        for record in self.llvm.of_class("NVPTXInst"):
            for pattern in record["Pattern"] or ():
                text = pattern["printable"]
                for name in re.findall(r"\b(int_\w+)", text):
                    found.setdefault(name, []).append((text, record))
        # Selected through a table, without a pattern.
        for record in self.llvm.of_class("Tcgen05LoadReduceEntry"):
            found.setdefault(record["ID"]["def"], []).append(("", record))
        return found

    def entries(self):
        instructions = self.instructions()
        for row in self.llvm.of_class("TargetedIntrinsic"):
            intrinsic = self.llvm[row["ID"]]
            if "NVVMMatrixIntrinsic" in intrinsic["!superclasses"]:
                continue
            known = instructions.get(row["ID"]["def"], [])
            yield (
                self.llvm_name(intrinsic),
                self.signature(intrinsic, row["ID"]["def"], known),
                mnemonics(known),
                self.row_targets(row),
            )

    def signature(self, intrinsic, record, known):
        builtin = self.builtins[intrinsic["!name"]]
        result, *types = prototype_types(builtin["Prototype"])
        names = next((a for p, _ in known if (a := arguments(p, record))), ())
        names = names or names_in(SELECTED, self.llvm_name(intrinsic))
        immediates = self.immediates(intrinsic)
        flags = names_in(FLAGS, self.llvm_name(intrinsic))
        parameters = []
        for index, c_type in enumerate(types):
            name = names[index] if index < len(names) else None
            if len(types) - index <= len(flags):
                name = flags[index - len(types)]
            text = c_type.replace("void const *", "const void *")
            if index in immediates:
                text = f"constant {text}"
            if name:
                name = NAMES.get(name, name)
                text += name if text.endswith("*") else f" {name}"
            parameters.append(vector(text))
        text = GENERIC.get(self.llvm_name(intrinsic), ", ".join(parameters))
        return f"{vector(result)} {builtin['!name']}({text})"


def vector(text):
    return re.sub(r"_ExtVector<(\d+), ?([\w ]+)>", r"vec<\2, \1>", text)


# Instructions that LLVM has and no call reaches: of 32-bit addresses, and of
# collectors that do not go with .ashift.
UNREACHED = re.compile(r"(mapa|getctarank).*\.u32$|::(fill|use)\.ashift$")


def mnemonics(known):
    found = dict.fromkeys(
        re.sub(r"\s.*|\$.*|;.*", "", i["AsmString"].strip(), flags=re.S)
        for _, i in known
    )
    return [m for m in found if m and not m.startswith("{") and not UNREACHED.search(m)]


def target_cell(targets):
    by_version = {}
    for arch, ptx in targets:
        by_version.setdefault(ptx, []).append(f"`{arch}`")
    return "<br>".join(
        f"{', '.join(archs)}: {version(ptx)}"
        for ptx, archs in sorted(by_version.items())
    )


def introduction(name):
    text = (FOLDER / "intro" / f"{name}.md").read_text().strip()
    # The links are those of the folder below.
    return text.replace("](../", "](")


def page_text(page, entries):
    lines = [
        "<!-- Written by utils/documentation/kernel_reference.py from the compiler's tables and "
        f"intro/{page.name}.md; not edited. -->",
        "",
        f"# {page.title}",
        "",
        f"Intrinsics and builtins: {len(entries)}. [How to read this](README.md).",
        "",
        introduction(page.name),
        "",
        "## All of them",
        "",
        "| intrinsic, builtin | PTX | target: PTX version |",
        "|---|---|---|",
    ]
    for name, signature, ptx, targets in entries:
        cell = "<br>".join(f"`{m}`" for m in ptx[:4]) or "as the name"
        cell += f"<br>and {len(ptx) - 4} more" if len(ptx) > 4 else ""
        lines.append(f"| `{name}`<br>`{signature}` | {cell} | {target_cell(targets)} |")
    return "\n".join(lines) + "\n"


def index_text(by_page):
    lines = [
        "<!-- Written by utils/documentation/kernel_reference.py from intro/README.md; not edited. -->",
        "",
        introduction("README"),
        "",
        "| page | intrinsics and builtins |",
        "|---|---|",
    ]
    lines += [
        f"| [{page.title}]({page.path.name}) | {len(by_page[page])} |" for page in PAGES
    ]
    lines.append(f"| | {sum(map(len, by_page.values()))} |")
    return "\n".join(lines) + "\n"


def pages(build):
    """{path: text} of all pages."""
    by_page = {page: [] for page in PAGES}
    for entry in KernelReader(build).entries():
        name = entry[0].removeprefix("llvm.nvvm.")
        (page,) = (page for page in PAGES if re.match(page.names, name))
        by_page[page].append(entry)
    texts = {page.path: page_text(page, by_page[page]) for page in PAGES}
    texts[FOLDER / "README.md"] = index_text(by_page)
    return texts


if __name__ == "__main__":
    write_from_tables(__doc__, pages, FOLDER, "*.md", "pages")
