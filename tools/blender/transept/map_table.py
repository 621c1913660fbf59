"""Maps that a run has written: values of figures at points, and the colours of a scale. Independent of Blender."""

import csv
import math
import os
import re

MOST = 10  # classes of a scale
GREY = (0.5, 0.5, 0.5)
# Eight colours of even steps in lightness, for the colour-blind too: viridis (matplotlib, CC0).
COLOURS = ("440154", "46327e", "365c8d", "277f8e", "1fa187", "4ac16d", "a0da39", "fde725")
TITLES = {"edt_s": "EDT [s]", "t20_s": "T20 [s]", "t30_s": "T30 [s]", "c50_db": "C50 [dB]", "c80_db": "C80 [dB]",
          "d50": "D50", "ts_s": "Ts [s]", "g_db": "G [dB]", "sti": "STI"}


def read_table(path):
    """[(x, y, z)], {column: [value or None]} of a map_*.csv."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [c for c in (rows[0] if rows else {}) if c not in ("name", "x", "y", "z")]
    points = [tuple(float(row[a]) for a in "xyz") for row in rows]
    return points, {c: [float(row[c]) if row[c] else None for row in rows] for c in columns}


def figures(columns):
    """{figure: [octave or "single"]} of a table's columns that hold something."""
    found = {}
    for column, values in columns.items():
        split = re.match(r"(.+)_(\d+|single)$", column)
        if split and any(v is not None for v in values):
            found.setdefault(split[1], []).append(split[2])
    return found


def title(figure, octave, rays=None):
    """`rays`: frequency above which octaves are from rays [Hz]; None: none are."""
    single = octave == "single"
    where = "mean of 500 and 1000 Hz" if single else octave + " Hz octave"
    if rays is not None and (1000 if single else float(octave)) > rays:
        where += ", rays"
    return "%s, %s" % (TITLES.get(figure, figure), where)


def maps_of(run, folder, source):
    """[(grid of run.json, path of its table)] of a source."""
    return [(grid, os.path.join(folder, m["table"])) for grid in run.get("grids", [])
            for m in grid.get("maps", []) if m["source"] == source and m.get("table")]


def scale(values):
    """(lowest, step, classes) of a scale of at most MOST round steps that holds all values; None without any."""
    known = [v for v in values if v is not None and math.isfinite(v)]
    if not known:
        return None
    low, high = min(known), max(known)
    rough = max((high - low) / (MOST - 1), abs(high) * 1e-3, 1e-6)
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))
    first = math.floor(low / step + 1e-9)
    return first * step, step, max(1, min(MOST, math.floor(high / step + 1e-9) - first + 1))


def linear(code):
    """A colour like "440154" as Blender counts: linear red, green and blue."""
    parts = [int(code[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)


def class_colour(index, classes):
    """Between the two nearest of COLOURS."""
    at = index * (len(COLOURS) - 1) / max(1, classes - 1)
    below, share = min(int(at), len(COLOURS) - 2), at - min(int(at), len(COLOURS) - 2)
    return tuple((1 - share) * a + share * b for a, b in zip(linear(COLOURS[below]), linear(COLOURS[below + 1])))


def colour(value, legend):
    if value is None or not math.isfinite(value):
        return GREY
    low, step, classes = legend
    return class_colour(min(classes - 1, max(0, math.floor((value - low) / step + 1e-9))), classes)


def legend_rows(legend):
    """[(colour, words)], the lowest class first."""
    low, step, classes = legend
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(class_colour(i, classes), "%.*f to %.*f" % (digits, low + i * step, digits, low + (i + 1) * step))
            for i in range(classes)]


class Cells:
    """Which point of a map is in the middle of the square that a place on the floor lies in?"""

    def __init__(self, points, spacing, height):
        self.points, self.spacing, self.height = points, spacing, height
        self.origin = [min(p[a] for p in points) - spacing / 2 for a in (0, 1)]
        self.cells = {}
        for n, point in enumerate(points):
            self.cells.setdefault(self._cell(point), []).append(n)

    def _cell(self, place):
        return tuple(math.floor((place[a] - self.origin[a]) / self.spacing) for a in (0, 1))

    def cuts(self, axis, low, high):
        """Places of the lines between squares within low..high."""
        first = math.ceil((low - self.origin[axis]) / self.spacing)
        last = math.floor((high - self.origin[axis]) / self.spacing)
        return [self.origin[axis] + k * self.spacing for k in range(first, last + 1)]

    def find(self, place):
        """Number of the point above a place on the floor, or None where the run has none."""
        off = lambda n: abs(self.points[n][2] - self.height - place[2])
        near = [n for n in self.cells.get(self._cell(place), []) if off(n) <= self.spacing]
        return min(near, key=off, default=None)
