#!/usr/bin/env python3
"""The modes of a hard box, as a grid has them: found in what a receiver hears, and as mathematics has them.

    python3 modes_of_a_box.py

A box of whole cells has modes that are known exactly: with L, M, N nodes along its edges, mode (l, m, n) of the
standard scheme swings at the frequency f of

    sin^2(pi f T) = lambda^2 (sin^2(pi l / 2 L) + sin^2(pi m / 2 M) + sin^2(pi n / 2 N)).

Here the box is struck in one corner and heard in the opposite one, and every peak of the spectrum is put beside the
mode that it is, and beside c/2 sqrt((l/Lx)^2 + ..), which the air has: their difference is what the grid disperses.
"""
import itertools

import numpy

import transept

SIZE, SPACING, SECONDS, HIGHEST = (5.0, 3.9, 2.8), 0.1, 6.0, 110.0


def strike(size=SIZE, spacing=SPACING, seconds=SECONDS):
    """Strike the box; returns the Room and what was heard, an array of `seconds` at room.rate."""
    room = transept.Room(transept.Mesh.box(size, "hard"), spacing=spacing, absorption=0, scheme="standard",
                         walls="staircase", precision="double")
    corner = room.grid.air_low
    with room.engine(sources=[], receivers=[]) as engine:
        engine.add_source(node=corner)
        engine.add_receiver(node=room.grid.air_high)
        drive = numpy.zeros((1, int(seconds * room.rate)))
        drive[0, :3] = 1, -2, 1  # of no sum and no slope: the mean pressure stays where it is
        return room, engine.step(drive.shape[1], drive)[0]


def exact(room, highest=HIGHEST):
    """[(f of the grid, f of the air, (l, m, n))] of all modes up to `highest` [Hz], rising."""
    counts = room.grid.air_high - room.grid.air_low + 1
    size, found = counts * room.spacing, []
    most = (2 * size * highest / room.sound_speed).astype(int) + 1
    for order in itertools.product(*(range(n + 1) for n in most)):
        share = numpy.sum(numpy.sin(numpy.pi * numpy.array(order) / (2 * counts)) ** 2)
        of_grid = numpy.arcsin(numpy.sqrt(room.lambda2 * share)) * room.rate / numpy.pi
        of_air = room.sound_speed / 2 * numpy.linalg.norm(order / size)
        if 0 < of_grid <= highest:
            found.append((of_grid, of_air, order))
    return sorted(found)


def peak_near(heard, rate, hertz, within):
    """The frequency of the highest peak of the spectrum within so many hertz, to a small part of its width."""
    window = numpy.blackman(len(heard))
    turn = -2j * numpy.pi / rate * numpy.arange(len(heard))
    for _ in range(6):  # ever finer
        grid = hertz + within * numpy.linspace(-1, 1, 9)
        magnitude = [abs(numpy.dot(window * heard, numpy.exp(turn * one))) for one in grid]
        hertz, within = grid[int(numpy.argmax(magnitude))], within / 3
    return float(hertz)


def main():
    room, heard = strike()
    print(f"{room}, {len(heard)} steps")
    print(" mode       grid, exact    heard      air")
    for of_grid, of_air, order in exact(room):
        found = peak_near(heard, room.rate, of_grid, 0.3)
        print(f"{order}  {of_grid:10.4f} {found:10.4f} {of_air:10.4f} Hz")


if __name__ == "__main__":
    main()
