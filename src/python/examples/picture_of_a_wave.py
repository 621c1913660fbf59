#!/usr/bin/env python3
"""A picture of a pulse on its way through the built-in church, seen from above at the height of ears.

    python3 picture_of_a_wave.py [FILE.png]

The engine is stepped by hand until sound has been on its way for 25 ms, and the pressures of a plane of nodes are
drawn: with matplotlib where that is installed, else with transept.write_png.
"""
import sys

import numpy

import transept

HEIGHT, SECONDS, HERTZ = 1.7, 0.025, 200.0  # of the plane [m]; after the pulse's middle; of its middle frequency


def pulse(rate, hertz=HERTZ):
    """A Ricker pulse of that middle frequency; its middle is 1.5 periods after the first sample."""
    turn = (numpy.pi * hertz * (numpy.arange(int(3 * rate / hertz)) / rate - 1.5 / hertz)) ** 2
    return (1 - 2 * turn) * numpy.exp(-turn)


def wave(seconds=SECONDS, height=HEIGHT, hertz=HERTZ, spacing=0.12, source="pulpit"):
    """Step the church; returns (pressures, x, y, source's place, room): pressures as Engine.plane() has them."""
    room = transept.Room(transept.Mesh.shape("church"), spacing=spacing, source=source)
    drive = pulse(room.rate, hertz)
    steps = int(round((seconds + 1.5 / hertz) * room.rate))
    with room.engine(receivers=[]) as engine:
        engine.step(steps, numpy.pad(drive, (0, max(steps - len(drive), 0)))[None, :steps])
        values, x, y = engine.plane("z", height)
    return values, x, y, next(iter(room.sources.values())), room


def draw(path, values, x, y):
    """As a picture; returns what drew it."""
    limit = 0.5 * numpy.nanmax(numpy.abs(values))
    try:
        from matplotlib.figure import Figure
    except ImportError:
        transept.write_png(path, values, limit=limit, scale=3)
        return "transept"
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot(aspect="equal", xlabel="x [m]", ylabel="y [m]", facecolor="0.3")
    axes.imshow(values, origin="lower", extent=(x[0], x[-1], y[0], y[-1]), cmap="RdBu_r", vmin=-limit, vmax=limit)
    figure.savefig(path, dpi=120)
    return "matplotlib"


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "wave.png"
    values, x, y, *_ = wave()
    print(f"{path}: {1000 * SECONDS:g} ms after the pulse, drawn by {draw(path, values, x, y)}")


if __name__ == "__main__":
    main()
