#!/usr/bin/env python3
"""Draws what `unbarred bench accuracy` has measured, errors over cost, to an SVG file; needs nothing but Python.

    scripts/plot_accuracy.py CSV [--output X.svg]        default: CSV with the ending .svg

One panel a cost (Newton iterations, CG iterations, CPU seconds, means a step), one line an error: of a run at its end,
of single steps (the file does not hold all steps) the largest. Both axes are logarithmic.
"""
import argparse
import csv
import html
import math
import pathlib
import sys

ERRORS = (("displacement_error", "#1f5fa8"), ("velocity_error", "#c2571a"), ("force_error", "#2c8a4b"))
COSTS = (("iterations", "Newton iterations a step"), ("cg_iterations", "CG iterations a step"),
         ("cpu_seconds", "CPU seconds a step"))
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 400, 360, 62, 40, 20, 50  # of a panel and its margins, pixels


def read(file):
    """The rows of each setting, in the order of the file."""
    settings = {}
    with open(file, newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            settings.setdefault(row["setting"], []).append(row)
    if "reference" not in settings or not all(name in settings["reference"][0] for name, _ in ERRORS + COSTS):
        sys.exit(f"plot_accuracy.py: {file}: not a file of `unbarred bench accuracy`")
    return settings


def summary(rows, single_steps):
    """Mean costs and errors of a setting; None where there is no error."""
    result = {cost: sum(float(row[cost]) for row in rows) / len(rows) for cost, _ in COSTS}
    for error, _ in ERRORS:
        values = [float(row[error]) for row in (rows if single_steps else rows[-1:]) if row[error]]
        result[error] = max(values) if values else None
    return result


class Axis:
    """Decades to pixels."""

    def __init__(self, values, low, high):
        logs = [math.log10(value) for value in values]
        self.first, self.last = math.floor(min(logs) - 0.05), math.ceil(max(logs) + 0.05)
        self.low, self.high = low, high

    def at(self, value):
        return self.low + (self.high - self.low) * (math.log10(value) - self.first) / (self.last - self.first)

    def decades(self):
        return [10.0 ** k for k in range(self.first, self.last + 1)]


def text(x, y, words, anchor="middle", color="#222", size=11):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}">'
            f"{html.escape(words)}</text>")


def grid(x, y, left, title):
    parts = []
    for value in x.decades():
        parts.append(f'<line x1="{x.at(value):.1f}" x2="{x.at(value):.1f}" y1="{y.low}" y2="{y.high}" stroke="#ddd"/>')
        parts.append(text(x.at(value), y.low + 16, f"{value:g}"))
    for value in y.decades():
        parts.append(f'<line x1="{x.low}" x2="{x.high}" y1="{y.at(value):.1f}" y2="{y.at(value):.1f}" stroke="#ddd"/>')
        parts.append(text(left + LEFT - 6, y.at(value) + 4, f"{value:g}", "end"))
    return parts + [text((x.low + x.high) / 2, y.low + 36, title, size=13)]


def panel(number, cost, title, points):
    """points: (name of the setting, its summary)."""
    left = number * WIDTH
    x = Axis([p[cost] for _, p in points if p[cost] > 0], left + LEFT, left + WIDTH - RIGHT)
    y = Axis([p[e] for _, p in points for e, _ in ERRORS if p[e]], HEIGHT - BOTTOM, TOP)
    parts = grid(x, y, left, title)
    for error, color in ERRORS:
        drawn = sorted((p[cost], p[error], name) for name, p in points if p[error] and p[cost] > 0)
        path = " ".join(f"{x.at(c):.1f},{y.at(e):.1f}" for c, e, _ in drawn)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        for c, e, name in drawn:
            parts.append(f'<circle cx="{x.at(c):.1f}" cy="{y.at(e):.1f}" r="3.5" fill="{color}">'
                         f"<title>{html.escape(name)}: {e:.3g}</title></circle>")
    # Names of the settings once, above the error that is drawn highest there.
    for name, p in points:
        errors = [p[e] for e, _ in ERRORS if p[e]]
        if errors and p[cost] > 0:
            parts.append(text(x.at(p[cost]), y.at(max(errors)) - 8, name.split("=")[-1], size=10))
    return parts


def picture(settings, name):
    single_steps = len(settings["reference"]) < int(settings["reference"][-1]["step"])
    points = [(setting, summary(rows, single_steps)) for setting, rows in settings.items() if setting != "reference"]
    points = [(setting, p) for setting, p in points if any(p[error] for error, _ in ERRORS)]
    if not points:
        sys.exit(f"plot_accuracy.py: {name}: no setting has an error above zero")
    parts = [text(LEFT, 20, name, "start", size=14)]
    for k, (error, color) in enumerate(ERRORS):
        parts.append(text(WIDTH + LEFT + 100 * k, 20, error.replace("_error", ""), "start", color, 13))
    for number, (cost, title) in enumerate(COSTS):
        parts += panel(number, cost, title, points)
    size = f'width="{len(COSTS) * WIDTH}" height="{HEIGHT}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">',
                      '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=pathlib.Path, metavar="CSV")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    output = options.output or options.csv.with_suffix(".svg")
    output.write_text(picture(read(options.csv), options.csv.stem), encoding="utf-8")
    print(output)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"plot_accuracy.py: {error}")
