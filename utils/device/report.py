# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What the pages of results have in common."""

import collections

from .run import PROBE_LINE


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        cells = (str(cell).replace("|", "\\|") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def or_unknown(value):
    return "not known" if value is None else value


def origin_rows(results):
    """Of a table: when, where and by what compiler the results were made."""
    machine, git = results["machine"], results["git"]
    commit = or_unknown(git["commit"])
    if git["modified"]:
        commit += ", with uncommitted changes"
    return [
        ("Date", results["date"]),
        (
            "GPU",
            f"{or_unknown(machine['gpu'])}, compute capability "
            f"{or_unknown(machine['compute_capability'])}",
        ),
        (
            "Driver",
            f"{or_unknown(machine['driver'])}, CUDA {or_unknown(machine['cuda_driver_api'])}",
        ),
        ("Commit", commit),
        (
            "Compiler",
            f"{results['compiler']}, patched; ptxas {or_unknown(results['ptxas'])}",
        ),
    ]


def test_time(results):
    """A row of a page's first table."""
    text = f"{results['test_seconds']} s, {results['jobs']} programs at a time"
    return "Tests", text + (f", seed {results['seed']}" if results["seed"] else "")


def rounded_sums(sums):
    """Of (name, what a program says of its sums), what is to say of each model."""
    models = {}
    for name, seen in sums:
        model = models.setdefault(
            seen["model"],
            {
                "model": seen["model"],
                "instructions": [],
                "elements": 0,
                "worst_error": 0,
                "worst_of_required": 0,
                "models_left": 0,
            },
        )
        if name not in model["instructions"]:
            model["instructions"].append(name)
        model["elements"] += seen["elements"]
        for key in ("worst_error", "worst_of_required"):
            # None is a result that was no number.
            worst = (model[key], seen[key])
            model[key] = None if None in worst else max(worst)
        model["models_left"] = max(model["models_left"], seen["models_left"])
    return sorted(models.values(), key=lambda model: -len(model["instructions"]))


def rounded_sums_section(models):
    """Nothing where no sum was rounded."""
    if not models:
        return []

    def error(value):
        return "no number" if value is None else value

    return [
        "## Sums that round",
        "",
        "Random floating point numbers with all bits of their types. The worst error is told",
        "in units of the bound that follows from the precision of the accumulation that PTX",
        "states, whatever the order and the rounding, and in units of the bound that is asked",
        "for, which is wider for the 8-bit types of wgmma; see",
        "[how an H200 adds up](../rounding.md). The way of adding up is one that gives each",
        "sum that was tried, bit for bit. Of all ways that were compared with these sums, so",
        "many are left; with 1, no other gives them.",
        "",
        *table(
            (
                "worst error",
                "of what is asked for",
                "elements",
                "how they are added up",
                "ways left",
                "instructions",
            ),
            [
                (
                    error(model["worst_error"]),
                    error(model["worst_of_required"]),
                    model["elements"],
                    model["model"],
                    model["models_left"],
                    ", ".join(f"`{name}`" for name in model["instructions"]),
                )
                for model in models
            ],
        ),
    ]


def open_points(notes):
    """{what was seen where the ISA leaves it open: the instructions}, of (name, note)."""
    seen = {}
    for name, note in notes:
        if note and name not in seen.setdefault(note, []):
            seen[note].append(name)
    return seen


def open_points_section(seen):
    """Nothing where nothing was open."""
    if not seen:
        return []
    return [
        "## What the ISA leaves open",
        "",
        "Seen here:",
        "",
        *table(
            ("", "instructions"),
            [
                (note, ", ".join(f"`{name}`" for name in names))
                for note, names in seen.items()
            ],
        ),
    ]


def probe_table(records):
    """What was read of each instruction, and how much of it agrees."""
    rows = {}
    for record in records:
        for line in record["lines"]:
            instruction, what, result, note = PROBE_LINE.match(line).groups()
            row = rows.setdefault(
                instruction,
                {"read": collections.Counter(), "agreeing": 0, "effect": ""},
            )
            what = what.split(",")[0]
            row["read"][{"A": "A in memory", "B": "B in memory"}.get(what, what)] += 1
            row["agreeing"] += result == "as modelled"
            if what == "metadata":
                row["effect"] = note
    return table(
        ("instruction", "read", "as modelled", ""),
        [
            (
                f"`{instruction}`",
                ", ".join(
                    what + (f" ({count} descriptors)" if count > 1 else "")
                    for what, count in row["read"].items()
                ),
                f"{row['agreeing']} of {sum(row['read'].values())}",
                row["effect"],
            )
            for instruction, row in rows.items()
        ],
    )


def probe_section(records):
    """Nothing where there was no probe."""
    if not records:
        return []
    lines = [
        "## Layouts read off the device",
        "",
        "One nibble of the metadata and one element of A at a time, and the place in shared",
        "memory of each element. Nothing was taken from the model of what was read.",
        "",
    ]
    lines += table(
        ("command", "result", "exit code", "seconds", ""),
        [
            (
                f"`{record['command']}`",
                record["result"],
                record.get("exit_code", ""),
                record.get("seconds", ""),
                "; ".join(
                    record[key] for key in ("reason", "summary") if record.get(key)
                ),
            )
            for record in records
        ],
    )
    return lines + (
        probe_table(records) if any(record["lines"] for record in records) else []
    )
