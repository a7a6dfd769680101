# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Charts as SVG: bars in groups, and lines. Text and numbers only, so that what
is drawn can be read in the file, too."""

import html
import math

WIDTH, HEIGHT = 860, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 48, 84
COLORS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#8c564b", "#7f7f7f")
DASHES = ("", "6 4", "2 3")


def text(x, y, words, anchor="middle", size=12, turn=None):
    how = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{how}>'
        f"{html.escape(words)}</text>"
    )


def steps(largest):
    """Round numbers from 0 to at least `largest`, five to ten of them."""
    if not largest > 0:
        return [0, 1]
    step = 10 ** math.floor(math.log10(largest))
    while largest / step < 5:
        step /= 2
    return [step * i for i in range(math.ceil(largest / step) + 1)]


class Chart:
    """A frame with a vertical axis from 0, and what is drawn into it."""

    def __init__(self, title, unit, largest, width=WIDTH):
        self.width = width
        self.ticks = steps(largest)
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
            'font-family="sans-serif">',
            f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
            text(width / 2, 20, title, size=15),
            text(16, (TOP + HEIGHT - BOTTOM) / 2, unit, turn=-90),
        ]
        for tick in self.ticks:
            y = self.y(tick)
            self.parts.append(
                f'<line x1="{LEFT}" y1="{y:.1f}" x2="{width - RIGHT}" y2="{y:.1f}" '
                'stroke="#ddd"/>'
            )
            self.parts.append(text(LEFT - 6, y + 4, f"{tick:g}", "end", 11))

    def y(self, value):
        span = HEIGHT - BOTTOM - TOP
        return HEIGHT - BOTTOM - span * value / self.ticks[-1]

    def legend(self, names, styles):
        x = LEFT
        for name, (color, dash) in zip(names, styles):
            self.parts.append(
                f'<line x1="{x}" y1="36" x2="{x + 22}" y2="36" stroke="{color}" '
                f'stroke-width="4" stroke-dasharray="{dash}"/>'
            )
            self.parts.append(text(x + 27, 40, name, "start", 11))
            x += 42 + 6.3 * len(name)

    def finish(self):
        return "\n".join([*self.parts, "</svg>", ""])


def bars(title, unit, groups):
    """`groups` is (label, {series: value}) for each group; a value that is None
    leaves its place empty, with a cross."""
    names = list(dict.fromkeys(name for _, values in groups for name in values))
    numbers = [v for _, values in groups for v in values.values() if v is not None]
    width = max(WIDTH, LEFT + RIGHT + 18 * sum(len(v) + 1 for _, v in groups))
    chart = Chart(title, unit, max(numbers, default=0), width)
    color = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    chart.legend(names, [(color[name], "") for name in names])
    slot = (width - LEFT - RIGHT) / max(1, len(groups))
    for i, (label, values) in enumerate(groups):
        bar = slot / (len(values) + 1)
        for j, (name, value) in enumerate(values.items()):
            x = LEFT + slot * i + bar * (j + 0.5)
            if value is None:
                chart.parts.append(text(x + bar / 2, HEIGHT - BOTTOM - 4, "×"))
                continue
            y = chart.y(value)
            chart.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar * 0.92:.1f}" '
                f'height="{HEIGHT - BOTTOM - y:.1f}" fill="{color[name]}">'
                f"<title>{html.escape(f'{label}, {name}: {value:.4g}')}</title></rect>"
            )
            if bar > 15:
                size = 9 if bar > 24 else 8
                chart.parts.append(
                    text(x + bar * 0.46, y - 3, f"{value:.3g}", size=size)
                )
        chart.parts.append(
            text(LEFT + slot * (i + 0.5), HEIGHT - BOTTOM + 14, label, "end", 10, -30)
        )
    return chart.finish()


def lines(title, across, unit, series, largest=None, doubling=False):
    """`series` is {name: [(x, y)]}. With `doubling`, x is drawn as its logarithm."""
    points = [point for values in series.values() for point in values]
    xs = sorted({x for x, _ in points}) or [0, 1]
    place = math.log2 if doubling else float
    low, high = place(xs[0]), place(xs[-1])
    chart = Chart(title, unit, largest or max((y for _, y in points), default=0))

    def across_of(x):
        part = (place(x) - low) / (high - low) if high > low else 0.5
        return LEFT + 10 + (WIDTH - LEFT - RIGHT - 20) * part

    styles = [
        (COLORS[i % len(COLORS)], DASHES[i // len(COLORS) % len(DASHES)])
        for i in range(len(series))
    ]
    chart.legend(series, styles)
    last = -math.inf
    for x in xs:
        if across_of(x) - last >= 28:
            last = across_of(x)
            chart.parts.append(text(last, HEIGHT - BOTTOM + 16, f"{x:g}", size=11))
    chart.parts.append(text(WIDTH / 2, HEIGHT - BOTTOM + 40, across))
    for (name, values), (color, dash) in zip(series.items(), styles):
        path = " ".join(f"{across_of(x):.1f},{chart.y(y):.1f}" for x, y in values)
        chart.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" '
            f'stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        for x, y in values:
            chart.parts.append(
                f'<circle cx="{across_of(x):.1f}" cy="{chart.y(y):.1f}" r="2.5" '
                f'fill="{color}"><title>{html.escape(f"{name}, {x:g}: {y:.4g}")}'
                "</title></circle>"
            )
    return chart.finish()
