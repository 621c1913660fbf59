"""What is no good is refused as InputError, whatever is wrong with it; and what the caller's process and folders are."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy

import transept


class Calls(unittest.TestCase):
    def test_wrong_values_and_types_are_input_errors(self):
        room = transept.Room(transept.Mesh.box((1.6, 1.2, 0.8), "hard"), spacing=0.1, scheme="standard",
                             walls="staircase", absorption=0, source=(0.5, 0.5, 0.5))
        engine, grid, shape = room.engine(), room.grid, room.engine().field().shape
        engine.add_source(node=(3, 3, 3))
        large, complex_field = numpy.zeros(shape), numpy.zeros(shape, complex)
        large[1, 1, 1, 1] = 1e300
        picture = pathlib.Path(tempfile.gettempdir()) / f"transept-refused-{os.getpid()}.png"
        calls = {
            "node of two": lambda: engine.add_source(node=(3, 3)),
            "node beyond 64 bits": lambda: engine.add_source(node=(2**64 + 3, 3, 3)),
            "node of parts": lambda: engine.add_source(node=(3.5, 3, 3)),
            "node of text": lambda: engine.add_receiver(node="abc"),
            "level 2": lambda: engine.field(2),
            "level of text": lambda: engine.field("u"),
            "complex field": lambda: engine.set_field(complex_field),
            "field beyond single": lambda: engine.set_field(large),
            "field of text": lambda: engine.set_field("field"),
            "complex drive": lambda: engine.step(drive=[[1j], [0]]),
            "drive beyond single": lambda: engine.step(drive=[[1e300], [0]]),
            "ragged drive": lambda: engine.step(drive=[[1, 2], [1]]),
            "steps of text": lambda: engine.step("three"),
            "steps of NaN": lambda: engine.step(float("nan")),
            "steps below 0": lambda: engine.step(-1),
            "complex place": lambda: engine.add_source((1j, 0.5, 0.5)),
            "places of a number": lambda: room.engine(sources=5),
            "pressure at two": lambda: engine.pressure([1, 2]),
            "plane across a list": lambda: engine.plane([0], 1),
            "plane at a text": lambda: engine.plane("z", "high"),
            "plane at NaN": lambda: engine.plane("z", float("nan")),
            "gradient along 3": lambda: engine.add_gradient((0.5, 0.5, 0.5), 3),
            "block far out": lambda: grid.positions([10**9]),
            "block far below": lambda: grid.positions([-10**9]),
            "block of parts": lambda: grid.positions([0.5]),
            "mask too short": lambda: grid.positions([True]),
            "tile far out": lambda: grid.air_of_tiles([2**40]),
            "nodes beyond 64 bits": lambda: grid.index([[2**70, 0, 0]]),
            "nodes of two": lambda: grid.index([[0, 0]]),
            "nearest to NaN": lambda: grid.nearest([[float("nan"), 0, 0]]),
            "nearest to text": lambda: grid.nearest("here"),
            "index of a corner": lambda: transept.Mesh([[0, 0, 0]], [[0, 1, 2**40]], [0], ["a"]),
            "complex corners": lambda: transept.Mesh([[1j, 0, 0]], [[0, 0, 0]], [0], ["a"]),
            "units of a list": lambda: transept.Mesh.read("room.obj", units=[1]),
            "measure of nothing": lambda: transept.Mesh.shape("cube", size=None),
            "picture of scale 0": lambda: transept.write_png(picture, [[1.0]], scale=0),
            "picture of scale 1.5": lambda: transept.write_png(picture, [[1.0]], scale=1.5),
            "picture of scale -1": lambda: transept.write_png(picture, [[1.0]], scale=-1),
            "picture of complex": lambda: transept.write_png(picture, [[1j]]),
            "picture with limit NaN": lambda: transept.write_png(picture, [[1.0]], limit=float("nan")),
            "project of a set": lambda: transept.Project({"room": {1, 2}}),
            "project of a loop": lambda: transept.Project((lambda one: one.append(one) or {"room": one})([])),
        }
        for what, call in calls.items():
            with self.subTest(what), self.assertRaises(transept.InputError):
                call()
        self.assertFalse(picture.exists())


class Folders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        transept.Mesh.box((3, 3, 3), "hard").write(cls.folder / "room.obj")
        transept.run(cls.folder / "room.obj", cls.folder / "run", fmax=200, duration=0.1, absorption=0.1,
                     source=(1, 1, 1), receiver=(2, 2, 2))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def copy(self, name):
        return pathlib.Path(shutil.copytree(self.folder / "run", self.folder / name))

    def test_a_record_names_no_file_outside_of_its_folder(self):
        run = self.copy("foreign")
        record = json.loads((run / "run.json").read_text())
        for name in ("../run/ir_S1_R1.wav", str(self.folder / "run" / "ir_S1_R1.wav"), "..", 3):
            record["responses"][0]["file"] = name
            (run / "run.json").write_text(json.dumps(record))
            with self.subTest(name), self.assertRaises(transept.InputError):
                transept.Run(run).responses
        del record["responses"][0]["file"]
        (run / "run.json").write_text(json.dumps(record))
        with self.assertRaises(transept.InputError):
            transept.Run(run).responses

    def test_a_run_of_another_version_is_refused(self):
        run = self.copy("older")
        record = json.loads((run / "run.json").read_text())
        del record["format"]
        (run / "run.json").write_text(json.dumps(record))
        with self.assertRaisesRegex(transept.InputError, "written by another version of transept"):
            transept.Run(run)

    def test_results_that_wait_are_put_in_place_before_they_are_read(self):
        run = self.copy("waiting")
        os.rename(run / "ir_S1_R1.wav", run / ".transept-ready-ir_S1_R1.wav")
        os.rename(run / "run.json", run / ".transept-record-run.json")
        self.assertGreaterEqual(len(transept.Run(run).responses[0].samples), 4800)
        self.assertTrue((run / "run.json").exists())

    def test_a_picture_replaces_a_link_and_not_what_it_leads_to(self):
        kept, link = self.folder / "kept", self.folder / "link.png"
        kept.write_text("mine")
        link.symlink_to(kept)
        transept.write_png(link, [[1.0]])
        self.assertEqual(kept.read_text(), "mine")
        self.assertFalse(link.is_symlink())
        with self.assertRaises(transept.OutputError):
            transept.write_png(self.folder / "absent" / "a.png", [[1.0]])

    @unittest.skipUnless(shutil.which("localedef"), "there is no localedef to make a locale")
    def test_numbers_have_points_in_a_locale_with_commas(self):
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.folder / "de_DE.UTF-8"],
                              capture_output=True)
        if not (self.folder / "de_DE.UTF-8" / "LC_NUMERIC").is_file():
            self.skipTest(made.stderr.decode())
        program = """if True:
            import locale, sys, transept
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
            assert locale.localeconv()["decimal_point"] == ","
            transept.Mesh.box((3.25, 3, 2.5), "hard").write(sys.argv[1])
            print(transept.Mesh.read(sys.argv[1]).vertices.max())
            room = transept.Room(sys.argv[1], spacing=0.25, absorption=0.15)
            print(room.spacing, room.materials[0]["absorption_octaves"][0])
            try:
                room.engine().add_source((0.5, 0.5, 99.5))
            except transept.InputError as error:
                print(error)
            assert locale.localeconv()["decimal_point"] == ","
        """
        done = subprocess.run([sys.executable, "-c", program, self.folder / "comma.obj"], capture_output=True, text=True,
                              env={**os.environ, "LOCPATH": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split()[:3], ["3.25", "0.25", "0.15"])
        self.assertIn("(0.5, 0.5, 99.5)", done.stdout)


if __name__ == "__main__":
    unittest.main()
