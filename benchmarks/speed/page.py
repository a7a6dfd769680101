# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What speed.py measured, as a page with plots."""

import json
import os

import svg
from device.report import or_unknown, table
from device.run import read_text, write_json
from problems import (
    EXPONENTIALS,
    PEAK_MHZ,
    SKINNY_M,
    SQUARES,
    WGMMA,
    bound_seconds,
    exponentials,
    operations,
)
from rounds import OURS

TYPES_OF_16_BITS = ("f16", "bf16", "f16 sums in f16")


def read_run(path):
    """The lines of speed.jsonl as one value; or what an earlier page was written of."""
    if path.endswith(".json.gz"):
        return json.loads(read_text(path))
    results = {"rows": []}
    with open(path) as file:
        for line in map(json.loads, file):
            if "problem" in line:
                results["rows"].append(line)
            else:
                results.update(line)
    return results


def read(paths):
    """The first run, with those problems replaced that a later one measured again;
    "later" is what is to be told of it, of each problem the last time."""
    first, *others = map(read_run, paths)
    rows = {row["problem"]["id"]: row for row in first["rows"]}
    later = first.get("later", [])
    for other in others:
        again = {row["problem"]["id"]: row for row in other["rows"]}
        rows.update(again)
        for run in later:
            run["problems"] = [name for name in run["problems"] if name not in again]
        told_of = {key: other[key] for key in ("date", "git", "rounds")}
        later.append({**told_of, "problems": list(again)})
    first["later"] = [run for run in later if run["problems"]]
    first["rows"] = list(rows.values())
    return first


# ---------------------------------------------------------------------------
# What a row says
# ---------------------------------------------------------------------------


def tflops(row, name):
    """Of a contender that ran and was right, or None."""
    contender = row.get("contenders", {}).get(name, {})
    if not contender.get("right") or "seconds" not in contender:
        return None
    return operations(row["problem"]) / contender["seconds"] / 1e12


def best_peer(row):
    rates = {p: tflops(row, p) for p in row["problem"]["peers"]}
    rates = {p: rate for p, rate in rates.items() if rate}
    return max(rates, key=rates.get) if rates else None


def ratio(row):
    """Ours to the best peer's."""
    ours, peer = tflops(row, OURS), best_peer(row)
    return ours / tflops(row, peer) if ours and peer else None


def is_reached(row):
    """Whether the target is; None where nothing is to be said."""
    target = row["problem"]["target"]
    if not target:
        return None
    if tflops(row, OURS) is None:
        return False
    if "tflops" in target:
        return tflops(row, OURS) >= target["tflops"]
    return None if ratio(row) is None else ratio(row) >= target["times"]


def limit(row):
    """The fraction of what the datasheet allows, and which part of it limits."""
    ours = row.get("contenders", {}).get(OURS, {})
    if "seconds" not in ours:
        return "-"
    cores, memory = bound_seconds(row["problem"])
    part = max(cores, memory) / ours["seconds"]
    return f"{part:.0%} of {'memory' if memory > cores else 'tensor cores'}"


def contender_cell(row, name):
    if "failed" in row:
        return "-"
    contender = row["contenders"].get(name)
    if contender is None:
        return "-"
    if "failed" in contender:
        return "failed"
    if not contender["right"]:
        return f"**wrong** ({contender['error']:.1e})"
    late = "†" if contender.get("host_bound") else ""
    return f"{tflops(row, name):.0f}{late}"


def target_cell(row):
    target = row["problem"]["target"]
    if not target:
        return "-"
    words = (
        f"≥ {target['tflops']}" if "tflops" in target else f"≥ {target['times']:.2f}"
    )
    reached = is_reached(row)
    return words + ("" if reached is None else ", yes" if reached else ", **no**")


def shape_of(problem):
    if problem["kind"] == "gemm":
        return f"{problem['m']} × {problem['n']} × {problem['k']}"
    mask = "causal" if problem["causal"] else "all"
    return f"{problem['length']}, head {problem['head']}, {mask}"


def conditions(row):
    """Clock and power while ours ran, and why the clock was lower than it might be."""
    ours = row.get("contenders", {}).get(OURS, {})
    mhz, watts = ours.get("mhz"), ours.get("watts")
    if mhz is None:
        return "-"
    why = f", {', '.join(ours['reasons'])}" if ours.get("reasons") else ""
    return f"{mhz:.0f} MHz, {watts:.0f} W{why}"


# ---------------------------------------------------------------------------
# Parts of the page
# ---------------------------------------------------------------------------


def row_cells(row):
    peer = best_peer(row)
    factor = ratio(row)
    return (
        row["problem"]["type"],
        shape_of(row["problem"]),
        row["failed"] if "failed" in row else contender_cell(row, OURS),
        f"{peer} {contender_cell(row, peer)}" if peer else "-",
        f"{factor:.3f}" if factor else "-",
        target_cell(row),
        limit(row),
        conditions(row),
    )


HEAD = (
    "type",
    "shape",
    "ours",
    "best peer",
    "ratio",
    "target",
    "of the bound",
    "clock, power",
)


def section(title, intro, rows):
    if not rows:
        return []
    return [f"## {title}", "", *intro, "", *table(HEAD, [row_cells(r) for r in rows])]


def summary(rows):
    """Each type's targets: how many are reached, and the least."""
    kinds = {}
    for row in rows:
        if row["problem"]["target"] and row["problem"]["data"] == "normal":
            kinds.setdefault(row["problem"]["type"], []).append(row)
    for name, members in kinds.items():
        reached = [is_reached(row) for row in members]
        factors = [ratio(row) for row in members if ratio(row)]
        span = f"{min(factors):.3f} to {max(factors):.3f}" if factors else "-"
        target = members[0]["problem"]["target"]
        words = (
            f"{target['tflops']} TFLOP/s"
            if "tflops" in target
            else f"{target['times']:.2f} × the best peer"
        )
        yield name, words, span, f"{reached.count(True)} of {len(reached)}"


def peers_section(rows):
    """Every peer where there are several, and everything that went wrong."""
    lines = []
    several = [r for r in rows if "contenders" in r and len(r["contenders"]) > 2]
    if several:
        lines += ["## All peers, sparse", ""]
        lines += table(
            ("type", "shape", "data", "peer", "TFLOP/s", ""),
            [
                (p["type"], shape_of(p), p["data"], name, contender_cell(row, name))
                + (row["contenders"][name].get("note", ""),)
                for row in several
                for p in (row["problem"],)
                for name in row["contenders"]
            ],
        )
    faults = [
        (row["problem"]["id"], "all", row["failed"]) for row in rows if "failed" in row
    ]
    for row in rows:
        for name, contender in row.get("contenders", {}).items():
            if "failed" in contender:
                faults.append((row["problem"]["id"], name, contender["failed"]))
            elif not contender["right"]:
                error = f"an error of {contender['error']:.2e} of the largest result"
                faults.append((row["problem"]["id"], name, error))
    if faults:
        lines += ["## What failed", ""]
        lines += table(("problem", "who", "what"), faults)
    return lines


def data_section(rows):
    """The same problem with other data: what power does."""
    normal = {
        (r["problem"]["type"], shape_of(r["problem"])): r
        for r in rows
        if r["problem"]["data"] == "normal"
    }
    cells = []
    for row in rows:
        before = normal.get((row["problem"]["type"], shape_of(row["problem"])))
        if row["problem"]["data"] != "exact" or before is None:
            continue
        peer, other = best_peer(row), best_peer(before)
        cells.append(
            (row["problem"]["type"], shape_of(row["problem"]))
            + (contender_cell(before, OURS), contender_cell(row, OURS))
            + (contender_cell(before, other), contender_cell(row, peer))
            + (conditions(before), conditions(row))
        )
    if not cells:
        return []
    head = ("type", "shape", "ours, normal", "ours, exact", "best peer, normal")
    head += ("best peer, exact", "clock, power, normal", "clock, power, exact")
    return ["## Data", "", *DATA_INTRO, "", *table(head, cells)]


def counted_mhz(ours, alone):
    """Cycles by time while ours ran: what NVML told, times what wgmma alone counts of
    what NVML tells then. None where either is not known."""
    if not ours.get("mhz") or not alone or not alone.get("mhz"):
        return None
    return ours["mhz"] * alone["counted_mhz"] / alone["mhz"]


def exponentials_cell(problem, ours, multiprocessors, mhz):
    if not exponentials(problem) or not mhz:
        return "-"
    rate = EXPONENTIALS * multiprocessors * mhz * 1e6
    seconds = exponentials(problem) / rate
    return f"{seconds * 1e6:.1f}, {seconds / ours['seconds']:.0%}"


def tiles_cell(ours):
    """What of D a cluster computes at a time, how many turns the clusters take, and
    how full these are; of attention, how many tiles of which height there are."""
    if ours.get("tiles"):
        rows, count, rest, others = ours["tiles"]
        return f"{rows} rows: {count}" + (f", {rest} rows: {others}" if others else "")
    if not ours.get("cuts"):
        return "-"
    rows, columns, split, count, at_once = ours["cuts"]
    turns = -(-count // at_once)
    halves = ", K halved" if split == 2 else ""
    return (
        f"{rows} × {columns}{halves}: {count} in {turns}, {count / turns / at_once:.0%}"
    )


def energy_cell(problem, ours, peer, load):
    """Millijoules of a launch: ours, the best peer's, and those of wgmma alone."""
    if not ours.get("joules"):
        return "-"
    line = loaded(problem, load)
    alone = line and line["watts"] / line["tflops"] / 1e12 * operations(problem)
    cells = (ours["joules"], peer.get("joules"), alone)
    return ", ".join(f"{j * 1e3:.{0 if j > 0.1 else 1}f}" if j else "-" for j in cells)


def loaded(problem, load):
    """What was measured of the instruction alone under load, or None."""
    name, form = WGMMA[problem["type"]], "sparse" if problem.get("sparse") else "dense"
    for line in load:
        if (line["types"], line["form"]) == (name, f"{form}, ss") and not line["zeros"]:
            return line
    return None


def limits_section(results, load):
    """What bounds the problems whose targets are not reached."""
    rows = [
        row
        for row in results["rows"]
        if is_reached(row) is False
        and tflops(row, OURS)
        and row["problem"]["data"] == "normal"
    ]
    if not rows:
        return []
    cells = []
    for row in rows:
        problem, ours = row["problem"], row["contenders"][OURS]
        cores, memory = bound_seconds(problem)
        cell = [problem["type"], shape_of(problem), f"{ours['seconds'] * 1e6:.1f}"]
        alone = loaded(problem, load)
        mhz = counted_mhz(ours, alone)
        if mhz:
            cores *= PEAK_MHZ / mhz
            cell.append(f"{cores * 1e6:.1f}, {cores / ours['seconds']:.0%}")
        else:
            cell.append("-")
        cell.append(f"{memory * 1e6:.1f}, {memory / ours['seconds']:.0%}")
        multiprocessors = results["machine"]["multiprocessors"]
        cell.append(exponentials_cell(problem, ours, multiprocessors, mhz))
        cell.append(tiles_cell(ours))
        peer = best_peer(row)
        cell.append(energy_cell(problem, ours, row["contenders"].get(peer, {}), load))
        part = tflops(row, OURS) / alone["tflops"] if alone else None
        cell.append(f"{alone['tflops']:.0f}, {part:.0%}" if alone else "-")
        mine, theirs = (
            row["contenders"].get(name, {}).get("mhz") for name in (OURS, peer)
        )
        cell.append(f"{mine:.0f}, {theirs:.0f}" if mine and theirs else "-")
        cells.append(cell)
    head = ("type", "shape", "ours, µs", "tensor cores at this clock, µs")
    head += ("memory, µs", "exponentials, µs", "tiles in turns")
    head += ("mJ: ours, peer's, wgmma alone", "wgmma alone, TFLOP/s")
    head += ("MHz, ours and peer's",)
    return [
        "## Where targets are not reached",
        "",
        *LIMITS_INTRO,
        "",
        *table(head, cells),
    ]


LIMITS_INTRO = [
    "What each of them is bound by, and how near it is. *Tensor cores*: the time of all",
    "multiplications at the datasheet's rate for each cycle. The clock is what NVML told while",
    "ours ran, times the part of it that cycles count while wgmma runs alone, 0.86 to 0.89",
    "([peak.md](peak.md#under-load)). Of a sparse A in shared memory the instruction itself reaches",
    "88%. *Memory*: each matrix moved once at the datasheet's rate. *Exponentials*:",
    f"one for each score, {EXPONENTIALS} in a cycle of a multiprocessor. *Tiles*: what of D a",
    "cluster of two multiprocessors computes at a time, whether each of the two has half of K,",
    "and in how many turns all tiles are done, and how full the turns are; of attention how many",
    "tiles there are of how many rows of Q, of which a multiprocessor computes one at a time.",
    "*mJ*: the energy of a launch, counted by NVML over 0.6 s of launches one after the other,",
    "where the limit of power was reached: good to some 5%, since by the time it makes 670 to",
    "740 W, and the limit is 700. *wgmma alone*: what a",
    "kernel of nothing but that instruction, both operands in shared memory, with random bits, needs",
    "and has under the same limit of power ([peak.md](peak.md#under-load)), and ours as a part of it.",
    "Percentages are parts of our time: what is far below 100% in all of them, the kernel loses.",
]


DATA_INTRO = [
    "The same problems with other numbers. Normal ones are of a normal distribution (of s8 with",
    "a deviation of 30), exact ones are few different multiples of a power of two (of s8 all",
    "bytes); both as in the examples. Rates in TFLOP/s; clock and power while ours ran.",
]

HOW = [
    "Ours and the peers run in one process on the same matrices, in turns, the order",
    "reversed in every other round: of each the median of the rounds is told. An interval is",
    "of some 50 ms of launches one after the other, timed by events, after some 100 ms of the",
    "same, of short kernels 500 launches each: then clock and power are those of a long job.",
    "Before, the device rests until no launch will wait for the host, so that no call's cost on",
    "the host counts; equally long for all, since a rested device runs at a higher clock for a",
    "while. † marks where the host was slower all the same. The results of",
    f"64 rows are compared with sums in f64. Where M is at most {SKINNY_M}, launches take turns",
    "on copies of B that together exceed the L2 cache; elsewhere they repeat on the same",
    "matrices. Our kernels begin while the launch before them ends (programmatic",
    "dependent launch), which the peers' do not. Rates of a sparse A count its zeros, those",
    "with a causal mask what is seen. Where there is no target, ours is compared all the same.",
    "Of s8 with 16 rows cublasLt gets 32, the others zeros: PyTorch multiplies no fewer. The",
    "bound is the datasheet's of the H200 SXM: 989.4 TFLOP/s dense in f16, twice that in 8",
    "bits, twice for a sparse A; 4.8 TB/s, with each matrix moved once. Clock and power are",
    "what NVML said while ours ran, with its reasons for a lower clock.",
]


# Of problems that were measured again.
MOST_NAMED = 8


def is_square(problem):
    return problem["kind"] == "gemm" and (
        (problem["m"], problem["n"], problem["k"]) in SQUARES
    )


def later_lines(results):
    types = {row["problem"]["id"]: row["problem"]["type"] for row in results["rows"]}
    for run in results["later"]:
        what = ", ".join(run["problems"])
        if len(run["problems"]) > MOST_NAMED:
            every = ", ".join(dict.fromkeys(types[name] for name in run["problems"]))
            what = f"{len(run['problems'])} problems of {every}"
        yield (
            f"{run['date']}, commit {or_unknown(run['git']['commit'])}, {run['rounds']} rounds: "
            f"{what}."
        )
        yield ""


def markdown(results, plots, load):
    rows = results["rows"]
    normal = [row for row in rows if row["problem"]["data"] == "normal"]
    gemms = [row for row in normal if row["problem"]["kind"] == "gemm"]
    squares = [row for row in gemms if is_square(row["problem"])]
    skinny = [row for row in gemms if row["problem"]["m"] <= SKINNY_M]
    layers = [row for row in gemms if row not in squares and row not in skinny]
    attention = [row for row in normal if row["problem"]["kind"] == "attention"]
    missing = len(results["wanted"]) - len(rows)

    lines = ["# Speed of the example kernels", ""]
    lines += ["Written by `benchmarks/speed/speed.py`; not edited.", ""]
    if missing:
        lines += [
            f"**{missing} of {len(results['wanted'])} problems did not run.**",
            "",
        ]
    lines += table(("type", "target", "ratios", "reached"), summary(rows))
    machine = results.get("machine", {})
    commit = or_unknown(results["git"]["commit"])
    if results["git"]["modified"]:
        commit += ", with uncommitted changes"
    versions = machine.get("versions", {})
    lines += table(
        ("", ""),
        [
            ("Date", results["date"]),
            ("Commit", commit),
            ("Compiler", f"{results['compiler']}, patched; ptxas {results['ptxas']}"),
            ("GPU", f"{machine.get('gpu')}, {machine.get('multiprocessors')} SM"),
            ("Driver", or_unknown(machine.get("driver"))),
            ("Power limit", f"{machine.get('power_limit_watts')} W"),
            ("Largest clock", f"{machine.get('most_mhz')} MHz"),
            ("Peers", ", ".join(f"{k} {v}" for k, v in versions.items())),
            ("Rounds", results["rounds"]),
        ],
    )
    if results["later"]:
        lines += ["Measured again later, all contenders anew:", ""]
        lines += later_lines(results)
    lines += ["## How", "", *HOW, ""]
    for name, title in plots:
        lines += [f"![{title}]({name})", ""]
    lines += section("Large squares", ["M × N × K; TFLOP/s."], squares)
    lines += section("Layers of language models", ["Many rows, some ragged."], layers)
    lines += section("Few rows", ["As when tokens are generated."], skinny)
    lines += section(
        "Attention",
        ["Forward, one batch of 16 heads; length; TFLOP/s."],
        attention,
    )
    lines += limits_section(results, load)
    lines += data_section(rows)
    lines += peers_section(rows)
    return "\n".join(lines)


def group(row, label):
    names = [OURS] + [
        p
        for p in row["problem"]["peers"]
        if "failed" not in row.get("contenders", {}).get(p, {"failed": ""})
    ]
    return label, {name: tflops(row, name) for name in names}


def charts(rows):
    """(file name, title, text) of each plot for which there is something to show."""
    normal = [row for row in rows if row["problem"]["data"] == "normal"]
    gemms = [row for row in normal if row["problem"]["kind"] == "gemm"]
    for size in SQUARES:
        some = [r for r in gemms if (r["problem"]["m"], r["problem"]["n"]) == size[:2]]
        some = [r for r in some if is_square(r["problem"])]
        if some:
            title = f"Multiplication, {size[0]} × {size[1]} × {size[2]}"
            groups = [group(r, r["problem"]["type"]) for r in some]
            yield f"speed-{size[0]}.svg", title, svg.bars(title, "TFLOP/s", groups)
    skinny = [r for r in gemms if not is_square(r["problem"]) and "failed" not in r]
    ratios = {}
    for row in skinny:
        if ratio(row):
            ratios.setdefault(shape_of(row["problem"]), {})[
                row["problem"]["type"]
            ] = ratio(row)
    if ratios:
        title = "Other shapes: times the best peer"
        chart = svg.bars(title, "ours / best peer", list(ratios.items()))
        yield "speed-shapes.svg", title, chart
    for causal in (False, True):
        series = {}
        for row in normal:
            problem = row["problem"]
            if problem["kind"] != "attention" or problem["causal"] != causal:
                continue
            if problem["name"] != "bf16":
                continue
            for name in (OURS, *problem["peers"]):
                rate = tflops(row, name)
                if rate:
                    key = f"{name}, head {problem['head']}"
                    series.setdefault(key, []).append((problem["length"], rate))
        if series:
            kind = "causal" if causal else "all"
            title = f"Attention of bf16, 16 heads, {kind}"
            chart = svg.lines(title, "length", "TFLOP/s", series, doubling=True)
            yield f"speed-attention-{kind}.svg", title, chart


def load_of(folder):
    """What peak.py measured under load, where its page stands beside this one."""
    path = f"{folder}/peak.json"
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return json.load(file)["load"]


def write(paths, folder):
    results = read(paths)
    os.makedirs(folder, exist_ok=True)
    plots = []
    for name, title, chart in charts(results["rows"]):
        plots.append((name, title))
        with open(f"{folder}/{name}", "w") as file:
            file.write(chart)
    write_json(f"{folder}/speed.json.gz", results)
    with open(f"{folder}/speed.md", "w") as file:
        file.write(markdown(results, plots, load_of(folder)))
