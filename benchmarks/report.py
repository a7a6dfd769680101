# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The results of run.py as a page."""

from device.report import or_unknown, table


def verdict(part):
    return "holds" if part["holds"] else "**exceeded**"


def percent(value):
    return f"{value:+.2f}%"


def seconds(value):
    return "-" if value is None else f"{value:.2f}"


def library_section(library):
    parts, rounds = library["parts"], library["rounds"]
    lines = [
        "## Building the NVPTX library",
        "",
        "User and system time of every TableGen run for the intrinsics and the backend and of",
        f"every translation unit of the library, without ccache; median of {rounds} round(s).",
        "",
    ]
    lines += table(
        ("", "runs before", "runs after", "s before", "s after", "growth"),
        [
            (name, part["unpatched_steps"], part["patched_steps"])
            + (seconds(part["unpatched_seconds"]), seconds(part["patched_seconds"]))
            + (percent(part["growth_percent"]),)
            for name, part in parts.items()
        ],
    )
    changed = [
        (abs(s["patched_seconds"] - (s["unpatched_seconds"] or 0)), s)
        for s in library["steps"]
    ]
    changed.sort(key=lambda entry: entry[0], reverse=True)
    lines += ["The steps that changed most:", ""]
    lines += table(
        ("", "s before", "s after"),
        [
            (
                f"`{s['step']}`",
                seconds(s["unpatched_seconds"]),
                seconds(s["patched_seconds"]),
            )
            for _, s in changed[:12]
        ],
    )
    return lines


def llc_section(llc):
    lines = [
        "## llc on code without matrix instructions",
        "",
        "Instructions that one run executes, counted by callgrind. What counts is the growth",
        "over *unpatched*: LLVM's own sources, compiled by the same commands and linked with",
        "the same static libraries. The *packaged* llc loads LLVM as a shared library and",
        "registers every target, which costs it more than all that the patches add.",
        "",
    ]
    lines += table(
        (
            "input",
            "lines",
            "options",
            "unpatched",
            "patched",
            "growth",
            "over packaged",
        ),
        [
            (f"`{row['input']}`", row["lines"], f"`{row['options']}`")
            + (f"{row['unpatched']:,}", f"{row['patched']:,}")
            + (
                percent(row["growth_percent"]),
                percent(row["growth_over_packaged_percent"]),
            )
            for row in llc["rows"]
        ],
    )
    totals = (f"{t['level']} {percent(t['growth_percent'])}" for t in llc["totals"])
    return lines + [f"All inputs together: {', '.join(totals)}.", ""]


def kernel_section(kernel):
    lines = [
        "## Compiling a kernel of wgmma",
        "",
        f"{kernel['rows'][0]['count']} wgmma of f16 into f32, unrolled, waited for in groups;",
        "the same kernel as builtins and as inline asm with an operand for each register,",
        "those being the elements of an array or, as in CUTLASS, reference parameters.",
        f"User and system time in seconds, median of {kernel['rounds']} interleaved rounds;",
        "`clang -O3` to PTX, without CUDA's headers.",
        "",
    ]
    forms = list(kernel["rows"][0]["seconds"]["clang"])
    steps = [(s, f) for s in kernel["rows"][0]["seconds"] for f in forms]
    head = ("N", "", "group", *(f"{step} {form}" for step, form in steps))
    lines += table(
        head + tuple(f"{form} / builtin" for form in forms if form != "builtin"),
        [
            (row["n"], "sparse" if row["sparse"] else "dense", row["group"])
            + tuple(f"{row['seconds'][step][form]:.3f}" for step, form in steps)
            + tuple(f"{factor:.2f}" for factor in row["factors"].values())
            for row in kernel["rows"]
        ],
    )
    return lines


def summary_rows(results):
    if library := results.get("library"):
        growth = percent(library["parts"]["both"]["growth_percent"])
        limit = f"less than {library['limit_percent']}% more"
        yield "TableGen and compilation of the library", limit, growth, verdict(library)
    if llc := results.get("llc"):
        limit = f"less than {llc['limit_percent']}% more"
        worst = percent(llc["worst_percent"])
        yield "llc without matrix instructions", limit, worst, verdict(llc)
    if kernel := results.get("kernel"):
        limit = f"at least {kernel['limit_factor']} times faster than asm"
        row = kernel["rows"][0]
        what = f"kernel of {row['count']} wgmma, N={row['n']}"
        yield what, limit, f"{kernel['factor']:.2f} times", verdict(kernel)


def markdown(results):
    git, machine = results["git"], results["machine"]
    commit = or_unknown(git["commit"])
    if git["modified"]:
        commit += ", with uncommitted changes"
    lines = ["# What it costs", ""]
    lines += ["Written by `benchmarks/run.py`; not edited.", ""]
    if results["quick"]:
        lines += ["**A quick run: its figures mean nothing.**", ""]
    lines += table(("", "limit", "measured", ""), summary_rows(results))
    lines += table(
        ("", ""),
        [
            ("Date", results["date"]),
            ("Commit", commit),
            ("Compiler", f"{results['compiler']}, patched"),
            ("Machine", f"{machine['cpu']}, {machine['cores']} cores"),
            ("Load before", machine["load"]),
        ],
    )
    sections = {
        "library": library_section,
        "llc": llc_section,
        "kernel": kernel_section,
    }
    for part, section in sections.items():
        if part in results:
            lines += section(results[part])
    return "\n".join(lines)
