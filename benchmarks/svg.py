# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Charts as SVG: bars in groups, and lines. Text and numbers only, so that what
is drawn can be read in the file, too."""

import html
import math

WIDTH, HEIGHT = 860, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 60, 84
LEGEND_Y, LEGEND_LINE = 38, 16
COLORS = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd"),
    *("#8c564b", "#7f7f7f", "#17becf", "#bcbd22"),
)
DASHES = ("", "6 4", "2 3")


def text(x, y, words, anchor="middle", size=12, turn=None):
    how = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{how}>'
        f"{html.escape(words)}</text>"
    )


def steps(largest):
    """Round numbers from 0 to at least `largest`, four to nine of them."""
    if not largest > 0:
        return [0, 1]
    unit = 10 ** math.floor(math.log10(largest))
    step = next(unit * f for f in (1, 0.5, 0.25, 0.2) if largest / (unit * f) >= 4)
    return [step * i for i in range(math.ceil(largest / step - 1e-9) + 1)]


def short(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def legend_places(names, width):
    """Where each name begins: (x, line)."""
    x, line = LEFT, 0
    for name in names:
        room = 42 + 6.3 * len(name)
        if x + room > width and x > LEFT:
            x, line = LEFT, line + 1
        yield x, line
        x += room


class Chart:
    """A frame with a vertical axis from 0, and what is drawn into it."""

    def __init__(self, title, unit, largest, names, styles, width=WIDTH):
        self.width = width
        places = list(legend_places(names, width))
        self.top = TOP + LEGEND_LINE * max((line for _, line in places), default=0)
        self.ticks = steps(largest)
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
            'font-family="sans-serif">',
            f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
            text(width / 2, 20, title, size=15),
            text(16, (self.top + HEIGHT - BOTTOM) / 2, unit, turn=-90),
        ]
        for tick in self.ticks:
            y = self.y(tick)
            self.parts.append(
                f'<line x1="{LEFT}" y1="{y:.1f}" x2="{width - RIGHT}" y2="{y:.1f}" '
                'stroke="#ddd"/>'
            )
            self.parts.append(text(LEFT - 6, y + 4, f"{tick:g}", "end", 11))
        for name, (x, line), style in zip(names, places, styles):
            self.legend(name, x, LEGEND_Y + LEGEND_LINE * line, *style)

    def y(self, value):
        span = HEIGHT - BOTTOM - self.top
        return HEIGHT - BOTTOM - span * value / self.ticks[-1]

    def legend(self, name, x, y, color, dash):
        self.parts.append(
            f'<line x1="{x:.1f}" y1="{y - 4}" x2="{x + 22:.1f}" y2="{y - 4}" '
            f'stroke="{color}" stroke-width="4" stroke-dasharray="{dash}"/>'
        )
        self.parts.append(text(x + 27, y, name, "start", 11))

    def finish(self):
        return "\n".join([*self.parts, "</svg>", ""])


def bars(title, unit, groups):
    """`groups` is (label, {series: value}) for each group; a value that is None
    leaves its place empty, with a cross."""
    names = list(dict.fromkeys(name for _, values in groups for name in values))
    numbers = [v for _, values in groups for v in values.values() if v is not None]
    width = max(WIDTH, LEFT + RIGHT + 18 * sum(len(v) + 1 for _, v in groups))
    color = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    styles = [(color[name], "") for name in names]
    chart = Chart(title, unit, max(numbers, default=0), names, styles, width)
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
                chart.parts.append(text(x + bar * 0.46, y - 3, short(value), size=size))
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
    styles = [
        (COLORS[i % len(COLORS)], DASHES[i // len(COLORS) % len(DASHES)])
        for i in range(len(series))
    ]
    most = max([y for _, y in points] + [largest or 0])
    chart = Chart(title, unit, most, series, styles)

    def across_of(x):
        part = (place(x) - low) / (high - low) if high > low else 0.5
        return LEFT + 10 + (WIDTH - LEFT - RIGHT - 20) * part

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
