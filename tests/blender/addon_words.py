"""The parts of the add-on that know nothing of Blender, and the program where it is asked.

   python3 addon_words.py TRANSEPT"""

import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tools/blender"))
sys.dont_write_bytecode = True
from transept import bl_info, job, map_table, program, project

PROGRAM = sys.argv[1]
del sys.argv[1:]  # options of Criterion, which tools/plant-faults gives
SEATS = "stone_floor" + project.AUDIENCE
SETTINGS = {"fmax": "177", "quality": "draft", "rays": "auto", "seal": 0.02, "grid_spacing": 1, "ear_height": 1.2}
CORNERS = [(x, y, z) for z in (0, 3) for y in (0, 4) for x in (0, 6)]
BOX = [(SEATS, (0, 1, 3, 2)), ("stone_floor", (4, 5, 7, 6)), ("Müll: \"Wand\"", (0, 1, 5, 4)),
       ("plaster_wall", (2, 3, 7, 6)), ("plaster_wall", (0, 2, 6, 4)), ("plaster_wall", (1, 3, 7, 5))]


class Room(unittest.TestCase):
    def plan(self, text, *more):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "room.obj"), "w", encoding="utf-8") as file:
                file.write(project.obj_text([("a room:1", CORNERS, BOX)]))
            path = os.path.join(folder, "room.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            asked = subprocess.run(program.plan_command(PROGRAM, path) + list(more), capture_output=True, text=True,
                                   check=False)
        return asked, program.read_json(asked.stdout)

    def test_the_program_takes_every_line_of_a_project(self):
        text = project.project_text(
            "room.obj", {n for n, _ in BOX}, {"stone_floor": "", "Müll: \"Wand\"": "0.2"},
            [("S1", (1, 1, 1.5))], [("R1", (4, 2, 1.2)), ("R2", (4, 1, 1.2))], SETTINGS,
            [("full house", 0.5, {}), ("carpet", None, {"stone_floor": "carpet heavy on felt"})])
        asked, plan = self.plan(text)
        self.assertIsNotNone(plan, asked.stderr)
        surface = {m["name"]: m for m in plan["materials"]}
        self.assertEqual(surface["Müll: \"Wand\""]["absorption"], 0.2)
        self.assertEqual(surface[SEATS]["library_name"], surface["stone_floor"]["library_name"])
        self.assertEqual(plan["seal_m"], 0.02)
        self.assertEqual([r["name"] for r in plan["receivers"]], ["R1", "R2"])
        self.assertEqual(plan["grids"][0]["name"], "audience_stone_floor")
        self.assertEqual(len(program.plan_words(plan)), 3)
        _, plan = self.plan(text, "--variant", "carpet")
        surface = {m["name"]: m for m in plan["materials"]}
        self.assertEqual(surface[SEATS]["library_name"], "carpet heavy on felt")

    def test_a_name_becomes_one_that_files_can_have(self):
        self.assertEqual(project.position_kind("source:pulpit"), ("source", "pulpit"))
        self.assertEqual(project.position_kind("Receiver: Bank 3.001"), ("receiver", "Bank_3_001"))
        self.assertIsNone(project.position_kind("resource: x"))
        self.assertEqual(project.surface_name(" oak  door "), "oak_door")

    def test_a_nan_is_no_absorption(self):
        self.assertEqual(project.chosen_value("wall", "nan"), '"nan"')
        self.assertEqual(project.chosen_value("wall", "0.25"), "0.25")
        self.assertIsNone(project.chosen_value("wall", ""))
        self.assertEqual(project.chosen_value("wall", "wool 50 mm 8 kPa s/m2, air 200 mm"),
                         '{build: "wool 50 mm 8 kPa s/m2, air 200 mm"}')
        self.assertEqual(project.chosen_value("wall", "audience 1 per m2"), '"audience 1 per m2"')
        self.assertEqual(project.chosen_value("wall", "0.3 +- 5 %"), '"0.3 +- 5 %"')
        self.assertEqual(project.without_bar("oak door +- 0.05"), "oak door")


def terminals():
    try:
        for end in pty.openpty():
            os.close(end)
        return True
    except OSError:
        return False


class Said(unittest.TestCase):
    def test_progress_of_two_variants_and_two_sources(self):
        line = "\r%s (%d of 2)   %d %%  70 Mnode/s  0:0%d left  level -7 dB\x1b[K"
        said = "variant base (1 of 2)\r\nspacing 0.3 m\r\n" + line % ("A", 1, 50, 2)
        self.assertEqual(program.progress(said), (0.125, "A 50 %, 0:02 left"))
        said += line % ("B", 2, 100, 0) + "\r\nvariant full (2 of 2)\r\n"
        self.assertEqual(program.progress(said)[0], 0.5)
        said += line % ("B", 2, 50, 1)
        self.assertEqual(program.progress(said)[0], 0.875)
        self.assertEqual(program.progress(job.without_rewritten(said)), program.progress(said))
        self.assertLess(len(job.without_rewritten(said)), len(said))
        self.assertIsNone(program.progress("of its 84 m2, 59.99 m2 face the air\n  3 % is left\n")[0])

    def test_a_failure_is_its_sentence(self):
        said = "x.obj: OBJ\ntransept: warning: guessed: roof\ntransept: no material `fur`:\n  it has stone\n"
        self.assertEqual(program.sentence(said, 2), "no material `fur`:   it has stone")
        said = 'x.obj: OBJ\n{"warning":{"message":"guessed"}}\n{"error":{"message":"no absorption","advice":%s}}\n'
        self.assertEqual(program.sentence(said % '"give one"', 2), "no absorption; give one")
        self.assertEqual(program.sentence(said % "null", 2), "no absorption")
        self.assertIn("status 3", program.sentence("", 3))

    @unittest.skipUnless(terminals(), "this machine gives no terminal, as in a bare chroot")
    def test_the_program_can_be_ended_and_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            started = job.Job("x", ["sh", "-c", "trap 'echo ended >&2; exit 130' INT; echo on >&2; while :; do sleep .05; done"],
                              folder)
            self.assertFalse(started.wait(0.5))
            self.assertIn("on", started.said)
            started.cancel()
            self.assertTrue(started.wait(20))
            self.assertEqual((started.status, started.output()), (130, ""))
            self.assertIn("ended", started.said)

    @unittest.skipUnless(terminals(), "this machine gives no terminal, as in a bare chroot")
    def test_much_output_stops_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            started = job.Job("x", ["sh", "-c", "seq 100000; seq 100000 >&2; exit 3"], folder)
            self.assertTrue(started.wait(60))
            self.assertEqual(started.status, 3)
            self.assertTrue(started.output().endswith("100000\n") and started.said.endswith("100000\n"))

    def test_the_add_on_has_the_version_of_the_program(self):
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.assertEqual(".".join(map(str, bl_info["version"])), said)
        with open(os.path.join(HERE, "../../tools/blender/transept/blender_manifest.toml"), encoding="utf-8") as file:
            self.assertIn('\nversion = "%s"\n' % said, file.read())

    def test_what_is_no_json_is_none(self):
        self.assertIsNone(program.read_json("[1]"))
        self.assertIsNone(program.read_json("{"))

    def test_every_surface_of_the_library_has_eight_octaves(self):
        asked = subprocess.run(program.materials_command(PROGRAM), capture_output=True, check=True)
        library = program.library(json.loads(asked.stdout))
        self.assertGreater(len(library), 100)
        self.assertEqual({len(of) for octaves, bars in library.values() for of in (octaves, bars)}, {8})
        self.assertRegex(program.absorption_words(*library["limestone wall"]), r"absorbs 0\.02 ± 0\.\d\d, ")


class Rays(unittest.TestCase):
    def test_octaves_from_rays_are_apart_and_have_their_error(self):
        run = {"receiver": "R1", "nominal_hz": [125, 250], "from": ["waves", "rays"], "sti": 0.5,
               "t30_s": [2.0, 1.0], "t30_s_error": [None, 0.1], "c80_db": [1.0, None], "c80_db_error": [None, None]}
        other = {**run, "receiver": "R2", "t30_s": [3.0, 2.0], "t30_s_error": [None, 0.3], "sti": None}
        point = {"position_m": [1, 1, 1]}
        self.assertEqual(program.figure_words([run, other, point]),
                         ["125 Hz: T30 2.50 s, C80 1.0 dB", "250 Hz, rays: T30 1.50 ± 0.20 s", "STI 0.50"])
        look = {"receiver": "R1", "nominal_hz": [125], "t30_s": [2.0], "c80_db": [1.0],
                "error": {"t30_s": [0.2], "c80_db": [0.5]}}
        self.assertEqual(program.figure_words([look]), ["125 Hz, rays: T30 2.00 ± 0.20 s, C80 1.0 ± 0.5 dB"])
        self.assertEqual(program.figure_words([]), [])

    def test_maps_of_octaves_from_rays_say_so(self):
        rays = program.rays_from({"rays": {"octave_hz": 501.19}})
        self.assertEqual([map_table.title("t30_s", o, rays)[9:] for o in ("500", "1000", "single")],
                         ["500 Hz octave", "1000 Hz octave, rays", "mean of 500 and 1000 Hz, rays"])
        self.assertNotIn("rays", map_table.title("t30_s", "1000", program.rays_from({})))

    def test_the_quick_look_answers_without_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "room.obj"), "w", encoding="utf-8") as file:
                file.write(project.obj_text([("room", CORNERS, BOX)]))
            path = os.path.join(folder, "room.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(project.project_text(
                    "room.obj", {n for n, _ in BOX}, {"stone_floor": "", "Müll: \"Wand\"": "0.2"},
                    [("S1", (1, 1, 1.5))], [("R1", (4, 2, 1.2))], SETTINGS))
            asked = subprocess.run(program.rays_command(PROGRAM, path), capture_output=True, text=True, check=False)
        if "this build has no rays" in asked.stderr:
            self.skipTest("the program is built without Embree")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        lines = program.figure_words(program.read_json(asked.stdout)["responses"])
        self.assertEqual(len(lines), 10, asked.stderr)
        self.assertTrue(all(", rays: T30 " in line and " ± " in line for line in lines[:9]), lines)


class Maps(unittest.TestCase):
    def test_a_scale_holds_its_values_in_round_steps(self):
        for values in ([-11.1, 13.1], [0.27, 0.17], [5.0, 5.0], [0.0, 0.0], [1, 8], [99.9, 100.1]):
            low, step, classes = map_table.scale(values)
            self.assertLessEqual(low, min(values) + 1e-9)
            self.assertGreaterEqual(low + classes * step, max(values) - 1e-9)
            self.assertLessEqual(classes, map_table.MOST)
        self.assertIsNone(map_table.scale([None, float("nan")]))

    def test_a_place_finds_the_point_of_its_square_and_floor(self):
        cells = map_table.Cells([(0.5, 0.5, 1.2), (1.5, 0.5, 1.2), (0.5, 0.5, 5.2)], 1, 1.2)
        self.assertEqual(cells.find((0.9, 0.1, 0.0)), 0)
        self.assertEqual(cells.find((1.1, 0.1, 0.3)), 1)
        self.assertEqual(cells.find((0.1, 0.9, 4.1)), 2)
        self.assertIsNone(cells.find((2.1, 0.1, 0.0)))
        self.assertIsNone(cells.find((1.1, 0.1, 4.0)))
        self.assertEqual(cells.cuts(0, 0.2, 2.0), [1.0, 2.0])

    def test_what_a_run_does_not_determine_is_grey(self):
        self.assertEqual(map_table.colour(None, (0, 1, 3)), map_table.GREY)
        self.assertNotEqual(map_table.colour(0.5, (0, 1, 3)), map_table.colour(1.5, (0, 1, 3)))

    def test_columns_are_figures_and_octaves(self):
        columns = {"edt_s_63": [1.0], "edt_s_single": [None], "distance_m": [1.0], "c80_db_125": [2.0]}
        self.assertEqual(map_table.figures(columns), {"edt_s": ["63"], "c80_db": ["125"]})


if __name__ == "__main__":
    told = unittest.main(exit=False).result
    # The words by which tools/plant-faults counts claims.
    print("addon_words: Synthesis: Tested: %d, of which %d do not hold"
          % (told.testsRun, len(told.failures) + len(told.errors)))
    sys.exit(0 if told.wasSuccessful() else 1)
