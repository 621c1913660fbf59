"""The example scripts: they run, and what they show is right."""
import contextlib
import functools
import importlib
import io
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import numpy

import transept

RAYS = b"\nrays: no" not in subprocess.run([os.environ.get("TRANSEPT_PROGRAM", "transept"), "--version"],
                                            capture_output=True, check=False).stdout
EXAMPLES = pathlib.Path(os.environ.get("TRANSEPT_EXAMPLES", pathlib.Path(__file__).parents[2] / "src/python/examples"))
MANUAL = EXAMPLES.parents[1] / "manual/python.md"
sys.path.insert(0, str(EXAMPLES))


def printed_by(script, *arguments):
    """What it prints as a program with these arguments; and its module."""
    module, text, before = importlib.import_module(script), io.StringIO(), sys.argv
    sys.argv = [script, *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()):
            module.main()
    finally:
        sys.argv = before
    return text.getvalue(), module


def picture_script():
    """The module picture_of_a_wave; its wave is computed once for all tests."""
    script = importlib.import_module("picture_of_a_wave")
    if not hasattr(script.wave, "cache_info"):
        script.wave = functools.lru_cache(script.wave)
    return script


class Examples(unittest.TestCase):
    def test_every_example_is_tried_here(self):
        there = {path.stem for path in EXAMPLES.glob("*.py")}
        self.assertEqual(there, {"modes_of_a_box", "roof_absorption", "picture_of_a_wave"})

    def test_every_example_of_the_manual_runs_and_its_scripts_are_there(self):
        page, text, before = MANUAL.read_text(encoding="utf-8"), io.StringIO(), os.getcwd()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 6)
        if not RAYS:
            blocks = [block for block in blocks if "rays" not in block]
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(text):
                    exec("\n".join(blocks), {"__name__": "manual"})  # pylint: disable=exec-used
            finally:
                os.chdir(before)
        for word in ("steps: 100 %", "corner far", "outside the room", "[{'position': 'far'}]", "fit"):
            self.assertIn(word, text.getvalue())
        for script in EXAMPLES.glob("*.py"):
            self.assertIn(f"(../python/examples/{script.name})", page)

    def test_peaks_of_a_struck_box_are_its_discrete_modes(self):
        printed, script = printed_by("modes_of_a_box")
        lines = [line for line in printed.splitlines() if line.startswith("(")]
        self.assertEqual(len(lines), 15)
        apart = []
        for line in lines:
            of_grid, heard, of_air = map(float, line.split(")")[1].split()[:3])
            self.assertAlmostEqual(heard, of_grid, delta=0.003)
            apart.append(of_air - of_grid)
        # The grid is lower than the air, by far more than the peaks are off: the claim is of the grid's own law.
        self.assertGreater(min(apart), 0.003)
        self.assertGreater(max(apart), 0.09)

    def test_a_church_reverberates_shorter_the_more_its_roof_absorbs(self):
        script = importlib.import_module("roof_absorption")
        script.ABSORPTIONS = (0.05, 0.45)
        with tempfile.TemporaryDirectory() as folder:
            printed, _ = printed_by("roof_absorption", folder)
            runs = [transept.Run(path) for path in sorted(pathlib.Path(folder).glob("roof_*"))]
            self.assertIn("0.45", printed)
            live, dead = (script.reverberation(run) for run in runs)
            self.assertTrue((dead < 0.6 * live).all(), (live, dead))
            for run in runs:
                numpy.testing.assert_allclose(script.reverberation(run), run.record["sabine_s"], rtol=0.4)
                used = {one["name"]: one["absorption_used"] for one in run.record["materials"]}
                asked = int(run.folder.name[-2:]) / 100
                self.assertAlmostEqual(used["timber_roof"], asked, delta=0.05 * asked + 0.01)

    def test_the_crest_in_a_picture_is_where_sound_is_by_then(self):
        script = picture_script()
        values, x, y, source, room = script.wave()
        far = numpy.sqrt((x[None, :] - source[0]) ** 2 + (y[:, None] - source[1]) ** 2 +
                         (script.HEIGHT - source[2]) ** 2)
        way, length = room.sound_speed * script.SECONDS, room.sound_speed / script.HERTZ
        loudest = numpy.nanmax(numpy.abs(values))
        ahead = values[(far > way + 1.6 * length) & ~numpy.isnan(values)]
        self.assertLess(numpy.abs(ahead).max(), 1e-3 * loudest)
        # Eastwards nothing is in its way.
        bearing = numpy.abs(numpy.arctan2(y[:, None] - source[1], x[None, :] - source[0]))
        free = (bearing < 0.5) & (numpy.abs(far - way) < 0.5 * length) & ~numpy.isnan(values)
        self.assertGreater(free.sum(), 100)
        fit = numpy.polyfit(far[free], (values * far)[free], 6)
        at = numpy.linspace(way - 0.4 * length, way + 0.4 * length, 2001)
        crest = at[numpy.argmax(numpy.polyval(fit, at))]
        self.assertAlmostEqual(crest, way, delta=0.15)

    def test_a_picture_is_a_png_with_its_colours(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "picture.png"
            transept.write_png(path, [[-1, 0, 1], [numpy.nan, 0.5, 1]], scale=2)
            data = path.read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", data[16:24]), (6, 4))
            at = data.index(b"IDAT")
            size, = struct.unpack(">I", data[at - 4:at])
            rows = numpy.frombuffer(zlib.decompress(data[at + 4:at + 4 + size]), numpy.uint8).reshape(4, 19)
            pixel = rows[:, 1:].reshape(4, 6, 3)
            self.assertEqual(tuple(pixel[3, 0]), (33, 102, 172))  # the lowest value at the bottom left
            self.assertEqual(tuple(pixel[0, 0]), (70, 70, 70))
            self.assertEqual(tuple(pixel[3, 5]), (178, 24, 43))
            for wrong in ([1, 2], [[]]):
                with self.assertRaises(transept.InputError):
                    transept.write_png(path, wrong)

    def test_a_picture_of_a_wave_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wave.png"
            picture_script()
            printed, _ = printed_by("picture_of_a_wave", path)
            self.assertIn("25 ms", printed)
            self.assertGreater(path.stat().st_size, 5000)


if __name__ == "__main__":
    unittest.main()
