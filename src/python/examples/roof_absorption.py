#!/usr/bin/env python3
"""How long a church reverberates with roofs that absorb more and more: a sweep over one material.

    python3 roof_absorption.py [FOLDER]

Each run is a whole one, with its folder, its record and its page, should one want to hear or print it. T30 is put
next to Sabine's formula for the areas. The two differ, since the field in a church is not diffuse.
"""
import pathlib
import sys
import tempfile

import numpy

import transept

ABSORPTIONS = (0.05, 0.15, 0.45)


def sweep(folder, absorptions=ABSORPTIONS, progress=None, **options):
    """Run the built-in church with each absorption of its roof; returns a Run for each.

    Args:
        folder: for the model and the runs.
        **options: of transept.run.
    """
    folder = pathlib.Path(folder)
    model = folder / "church.obj"
    transept.Mesh.shape("church").write(model)
    given = {"fmax": 177, "quality": "draft", "source": "pulpit", "rays": "off", **options}
    return [transept.run(model, folder / f"roof_{100 * absorption:02.0f}", progress=progress,
                         absorption={"timber_roof": absorption}, **given) for absorption in absorptions]


def reverberation(run):
    """T30 by octave, the mean of all receivers [s]."""
    return run.means["t30_s"]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="roof-")
    runs = sweep(folder, ABSORPTIONS, lambda state: print(f"\r{state.phase} {100 * state.fraction:3.0f} %  ", end="",
                                                         file=sys.stderr))
    print("\nroof absorbs  " + "  ".join(f"{hertz:>6} Hz: T30 (Sabine)" for hertz in runs[0].nominal_hz))
    for absorption, run in zip(ABSORPTIONS, runs):
        expected = numpy.array(run.record["sabine_s"])
        print(f"{absorption:12.2f}  " + "  ".join(f"{heard:11.2f} s ({formula:.2f} s) "
                                                  for heard, formula in zip(reverberation(run), expected)))
    print(f"the runs are in {folder}")


if __name__ == "__main__":
    main()
