"""Whole runs: what they give, what they say meanwhile, how they stop."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import numpy

import transept

PROGRAM = os.environ.get("TRANSEPT_PROGRAM", "transept")
RAYS = b"\nrays: no" not in subprocess.run([PROGRAM, "--version"], capture_output=True, check=False).stdout
SHORT = {"fmax": 200, "duration": 0.3, "rays": "off"}


class InFolder(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.hall = self.folder / "hall.obj"
        transept.Mesh.shape("cube").write(self.hall)

    def long_run(self, **options):
        """Of a minute or more, in a room that takes steps of milliseconds."""
        church = self.folder / "church.obj"
        transept.Mesh.shape("church").write(church)
        return transept.run(church, self.folder / "long", fmax=177, source="pulpit", duration=15, rays="off", **options)


class Results(InFolder):
    def test_a_run_gives_what_the_program_gives(self):
        run = transept.run(self.hall, self.folder / "here", **SHORT)
        subprocess.run([PROGRAM, "simulate", self.hall, "-o", self.folder / "there", "--fmax", "200", "--duration",
                        "0.3", "--rays", "off", "--quiet"], check=True)
        there = transept.Run(self.folder / "there")
        self.assertEqual(len(run.responses), 1)
        for mine, theirs in zip(run.responses, there.responses):
            self.assertEqual(mine.path.read_bytes(), theirs.path.read_bytes())
            self.assertEqual(mine.record, theirs.record)
        self.assertEqual(run.record["grid_hash"], there.record["grid_hash"])
        self.assertFalse(run.partial)

    def test_samples_are_those_of_the_file_with_its_rate(self):
        response = transept.run(self.hall, self.folder / "run", **SHORT).response("corner", "far")
        self.assertEqual(response.rate, 48000)
        self.assertEqual(response.samples.shape, (response.record["samples"],))
        raw = response.path.read_bytes()
        at = raw.index(b"data") + 8
        numpy.testing.assert_array_equal(numpy.frombuffer(raw[at:at + 4 * len(response.samples)], "<f4"),
                                         response.samples)

    def test_sound_arrives_after_its_way_at_its_level(self):
        # In the middle of a hall of 14 m it is free field until sound has gone 7 m more than straight there.
        transept.Mesh.box((14, 14, 14), "wall").write(self.folder / "large.obj")
        run = transept.run(self.folder / "large.obj", self.folder / "run", fmax=355, duration=0.06, rays="off",
                           absorption=0.3, source=(7, 7, 7, "middle"), receiver=[(9, 7, 7, "near"), (7, 3.5, 7, "far")])
        for response in run.responses:
            end, fade = (int(48000 * (response.distance + extra) / 343.2) for extra in (6.5, 1.5))
            first = response.samples[:end].astype(float)
            first[fade:] *= 0.5 + 0.5 * numpy.cos(numpy.pi * numpy.arange(end - fade) / (end - fade))
            for hertz in (80, 150, 250):
                turn = numpy.exp(-2j * numpy.pi * hertz * numpy.arange(end) / response.rate)
                self.assertAlmostEqual(abs(numpy.sum(first * turn)) * response.distance, 1, delta=0.05)
            self.assertAlmostEqual(response.onset, response.distance / 343.2, delta=1e-6)

    def test_figures_are_those_of_the_record_and_nan_where_there_is_none(self):
        run = transept.run(self.hall, self.folder / "run", **SHORT)
        response = run.responses[0]
        self.assertEqual(list(response.nominal_hz), [63, 125])
        self.assertTrue(numpy.isnan(response.figures["t30_s"]).all())
        self.assertTrue(response.why)
        self.assertEqual(set(transept.runs.FIGURES) - set(response.figures), set())
        self.assertEqual(run.calibration["rate_hz"], 48000)

    def test_a_map_has_a_row_for_every_point(self):
        run = transept.run(self.hall, self.folder / "run", fmax=355, duration=1.5, rays="off", receiver_grid={
            "floor": [(0, 0, 0), (3, 0, 0), (3, 3, 0), (0, 3, 0)]})
        self.assertEqual(len(run.maps), 1)
        one = run.maps[0]
        self.assertEqual(one.positions.shape, (9, 3))
        self.assertEqual(one.figures["t30_s"].shape, (9, len(one.nominal_hz)))
        self.assertTrue(numpy.isfinite(one.figures["c80_db"]).any())
        self.assertEqual(transept.read_wav(one.path)[0].shape, (one.record["samples"], 9))

    def test_a_project_of_a_dict_runs_with_its_variants(self):
        project = transept.Project({"room": str(self.hall), "fmax_hz": 200, "duration_s": 0.3,
                                    "outputs": {"rays": "off"}, "variants": {"soft": {"materials": {"plaster_wall": 0.4}}}})
        self.assertEqual(project.variants, ["soft"])
        runs = transept.run(project, self.folder / "runs", variant="all")
        self.assertEqual(list(runs), ["base", "soft"])
        energy = [numpy.sum(run.responses[0].samples.astype(float)[-2000:] ** 2) for run in runs.values()]
        self.assertLess(energy[1], 0.5 * energy[0])
        again = self.folder / "project.yaml"
        project.write(again)
        self.assertEqual(transept.Project(again).variants, ["soft"])
        self.assertIn("comparisons", transept.compare(self.folder / "runs/base", self.folder / "runs/soft"))

    def test_other_commands_answer_with_their_objects(self):
        self.assertTrue(transept.plan(self.hall, **SHORT)["fits"])
        self.assertIn("verdict", transept.check_model(self.hall, fmax=200))
        transept.run(self.hall, self.folder / "run", **SHORT)
        self.assertEqual(len(transept.analyse(self.folder / "run")["responses"]), 1)
        page = transept.report(self.folder / "run")["page"]
        self.assertTrue(os.path.exists(page))
        sofa = self.folder / "run.sofa"
        transept.export(self.folder / "run", sofa)
        self.assertEqual(sofa.read_bytes()[:4], b"\x89HDF")
        with self.assertRaises(transept.InputError):
            transept.export(self.folder / "run", sofa)
        self.assertEqual(transept.materials()["limestone wall"]["absorption"].shape, (8,))

    @unittest.skipUnless(RAYS, "the program is built without Embree")
    def test_octaves_from_rays_have_error_bars(self):
        run = transept.run(self.hall, self.folder / "run", **{**SHORT, "rays": "auto"})
        one = run.responses[0]
        self.assertEqual(list(one.nominal_hz), [63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000])
        self.assertEqual(list(one.from_), 2 * ["waves"] + 7 * ["rays"])
        for bars in (one.errors, one.scattering):
            self.assertEqual(set(bars), set(transept.runs.FIGURES))
            self.assertTrue((bars["g_db"][2:] >= 0).all())
        self.assertTrue(numpy.isnan(one.scattering["t30_s"][:2]).all())
        self.assertTrue((one.errors["g_db"][2:] > one.scattering["g_db"][2:]).all())
        self.assertFalse(any(name.endswith(("_error", "_absorption")) for name in one.figures))
        self.assertEqual(run.rays["sources"][0]["source"], one.source)
        self.assertGreater(run.highest, 16000)
        waves = transept.run(self.hall, self.folder / "waves", **SHORT)
        self.assertIsNone(waves.rays)
        self.assertEqual((list(waves.responses[0].from_), waves.responses[0].scattering), (2 * ["waves"], {}))

    @unittest.skipUnless(RAYS, "the program is built without Embree")
    def test_rays_alone_give_every_place_its_figures(self):
        floor = [(0, 0, 0), (3, 0, 0), (3, 3, 0), (0, 3, 0)]
        every = transept.rays(self.hall, ray_noise=10, receiver_grid={"floor": floor})
        named = [one for one in every if one.receiver is not None]
        self.assertEqual([one.receiver for one in named], ["far"])
        self.assertEqual(len(every), 10)
        for one in every:
            self.assertEqual({len(values) for kind in (one.figures, one.noise, one.scattering, one.errors)
                              for values in kind.values()}, {9})
            self.assertTrue(0 < one.sti < 1 and one.errors["g_db"][4] > one.noise["g_db"][4])

    def test_an_unfit_model_is_an_answer(self):
        box = transept.Mesh.box((3, 3, 3), "wall")
        transept.Mesh(box.vertices, box.triangles[2:], box.triangle_materials[2:], ["wall"]).write(self.hall)
        told = transept.check_model(self.hall, source=(1, 1, 1), fmax=200)
        self.assertNotEqual(told["verdict"], "fit")
        self.assertTrue(told["leaks"] or told["findings"])


class Failures(InFolder):
    def told_by_the_program(self, *words):
        done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, check=False)
        return json.loads([line for line in done.stderr.splitlines() if line.startswith('{"error"')][-1])["error"]

    def test_exceptions_say_what_the_program_says(self):
        out = str(self.folder / "run")
        for keywords, words in (
                ({"fmax": -3}, ["--fmax=-3"]),
                ({"sourc": "x"}, ["--sourc=x"]),
                ({"source": (9, 1, 1), "receiver": (2, 2, 2), "fmax": 200}, ["--source=9,1,1", "--receiver=2,2,2",
                                                                            "--fmax=200"]),
                ({"fmax": 200, "materials": "/nowhere.csv"}, ["--fmax=200", "--materials=/nowhere.csv"])):
            with self.subTest(keywords), self.assertRaises(transept.InputError) as caught:
                transept.run(self.hall, out, **keywords)
            told = self.told_by_the_program("simulate", str(self.hall), "-o", out, *words)
            raised = caught.exception
            self.assertEqual(
                {"kind": raised.kind, "status": raised.status, "message": raised.message, "advice": raised.advice,
                 "fix": raised.fix, "notes": raised.notes, "subject": raised.subject}, told)
            self.assertFalse(os.path.exists(out))

    def test_a_folder_that_is_not_empty_is_refused_without_force(self):
        transept.run(self.hall, self.folder / "run", **SHORT)
        with self.assertRaises(transept.InputError):
            transept.run(self.hall, self.folder / "run", **SHORT)
        transept.run(self.hall, self.folder / "run", force=True, **SHORT)

    def test_what_no_run_can_be_is_refused(self):
        for wrong in (lambda: transept.run(transept.Mesh.box((1, 1, 1), "a"), self.folder / "x"),
                      lambda: transept.run("-", self.folder / "x"), lambda: transept.run(3, self.folder / "x"),
                      lambda: transept.run(self.hall, self.folder / "x", help=True),
                      lambda: transept.run(self.hall, self.folder / "x", resume="y"),
                      lambda: transept.run(self.hall, self.folder / "x", o="y"),
                      lambda: transept.run(self.hall, "a\0b"), lambda: transept.Run(self.folder / "nowhere"),
                      lambda: transept.read_wav(self.hall), lambda: transept.Project("hall.obj"),
                      lambda: transept.Project({"room": "hall.obj", "nonsense": 1}),
                      lambda: transept.Project({"room": object()}), lambda: transept.run(self.hall, None),
                      lambda: transept.Run(3), lambda: transept.Run(self.hall), lambda: transept.read_wav(3),
                      lambda: transept.analyse(3), lambda: transept.export(3, "x.sofa"),
                      lambda: transept.Mesh.box((1, 2), "a"), lambda: transept.Mesh.box("abc", "a"),
                      lambda: transept.Mesh.box((1, 1, 1), 3), lambda: transept.Mesh("abc", [[0, 1, 2]], [0], ["a"]),
                      lambda: transept.Mesh([[0, 0], [1, 0, 0]], [[0, 1, 2]], [0], ["a"]),
                      lambda: transept.Mesh.shape(3), lambda: transept.write_materials(self.hall, 3),
                      lambda: transept.write_materials(self.hall, {3: 0.1}),
                      lambda: transept.write_materials(self.hall, {"a": "x"}),
                      lambda: transept.write_materials(self.hall, {"a": -1})):
            with self.assertRaises(transept.InputError):
                wrong()
        self.assertFalse((self.folder / "x").exists())

    def test_what_cannot_be_written_is_an_error_of_output(self):
        for wrong in (lambda: transept.write_materials(self.folder / "no" / "m.csv", {"a": 0.1}),
                      lambda: transept.Project({"room": str(self.hall)}).write(self.folder / "no" / "p.yaml")):
            with self.assertRaises(transept.OutputError):
                wrong()

    def test_a_failed_run_leaves_the_next_one_whole(self):
        with self.assertRaises(transept.InputError):
            transept.run(self.hall, self.folder / "a", source=(9, 9, 9), receiver=(1, 1, 1), **SHORT)
        self.assertEqual(len(transept.run(self.hall, self.folder / "b", **SHORT).responses), 1)

    def test_nothing_is_printed(self):
        script = ("import sys, warnings, transept; warnings.simplefilter('ignore')\n"
                  "hall, folder = sys.argv[1:]\n"
                  "transept.run(hall, folder + '/run', fmax=200, duration=0.3, rays='off')\n"
                  "transept.plan(hall, fmax=200); transept.check_model(hall, fmax=200)\n"
                  "transept.report(folder + '/run')\n"
                  "transept.analyse(folder + '/run'); transept.Room(hall, fmax=200).engine().step(10)\n"
                  "try: transept.run('nowhere.obj', folder + '/x')\n"
                  "except transept.InputError: pass\n")
        done = subprocess.run([sys.executable, "-c", script, self.hall, self.folder], capture_output=True, check=False)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"", 0))


class Progress(InFolder):
    def test_progress_tells_phases_in_order_and_never_falls_back(self):
        told, thread = [], set()
        transept.run(self.hall, self.folder / "run", progress=lambda one: (told.append(one),
                                                                           thread.add(threading.get_ident())), **SHORT)
        phases = list(dict.fromkeys(one.phase for one in told))
        self.assertEqual([phase for phase in phases if phase in ("model", "grid", "steps", "record")],
                         ["model", "grid", "steps", "record"])
        for phase in phases:
            fractions = [one.fraction for one in told if one.phase == phase]
            self.assertEqual((fractions[0], fractions[-1]), (0, 1))
            self.assertEqual(fractions, sorted(fractions))
        self.assertEqual({one.source for one in told if one.phase == "steps"}, {"corner"})
        self.assertEqual(thread, {threading.get_ident()})

    def test_what_a_failed_run_was_at_is_not_told_of_the_next(self):
        with self.assertRaises(transept.InputError):
            transept.run(self.hall, self.folder / "a", source=(9, 9, 9), receiver=(1, 1, 1), **SHORT)
        told = []
        transept.run(self.hall, self.folder / "b", progress=told.append, **SHORT)
        self.assertEqual((told[0].phase, told[0].fraction), ("model", 0))

    def test_false_stops_a_run_and_what_it_has_stays(self):
        began = time.monotonic()
        stopped = []

        def progress(one):
            if one.phase == "steps" and one.fraction > 0.01:
                stopped.append(time.monotonic())
                return False
            return None

        with self.assertRaises(transept.Interrupted) as caught:
            self.long_run(progress=progress)
        self.assertEqual((caught.exception.kind, caught.exception.status), ("interrupted", 130))
        self.assertIn("interrupted", str(caught.exception))
        self.assertLess(time.monotonic() - stopped[0], 5)
        self.assertGreater(stopped[0], began)
        if "before the first response was made" in str(caught.exception):  # on a machine that is too slow to make any in time
            self.assertTrue((self.folder / "long").exists())
        else:
            self.assertTrue(transept.Run(self.folder / "long").partial)

    def test_what_a_callback_raises_comes_out_and_the_run_is_stopped(self):
        def progress(one):
            if one.phase == "steps":
                raise KeyError("mine")

        with self.assertRaises(KeyError):
            self.long_run(progress=progress, discard=True)
        self.assertFalse((self.folder / "long").exists())
        self.assertEqual(len(transept.run(self.hall, self.folder / "next", **SHORT).responses), 1)

    def test_ctrl_c_stops_a_run(self):
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt) as caught:
            self.long_run()
        self.assertLess(time.monotonic() - began, 6)
        if sys.version_info >= (3, 11):
            self.assertIn("interrupted", "".join(caught.exception.__notes__))
        self.assertEqual(len(transept.run(self.hall, self.folder / "next", **SHORT).responses), 1)

    def test_ctrl_c_at_the_very_start_leaves_the_next_call_whole(self):
        start, died = threading.Thread.start, []

        def interrupted(thread):
            start(thread)
            raise KeyboardInterrupt

        with unittest.mock.patch.object(threading, "excepthook", died.append):
            with unittest.mock.patch.object(threading.Thread, "start", interrupted):
                with self.assertRaises(KeyboardInterrupt):
                    transept.materials()
            self.assertIn("limestone wall", transept.materials())
            for thread in threading.enumerate():
                if thread.name == "transept":
                    thread.join(20)
        self.assertEqual(died, [])

    def test_a_room_can_be_stopped_too(self):
        with self.assertRaises(transept.Interrupted):
            transept.Room(self.hall, progress=lambda one: False, spacing=0.01)

    def test_the_same_call_goes_on_after_an_interruption_with_the_same_bits(self):
        church = self.folder / "church.obj"
        transept.Mesh.shape("church").write(church)
        options = {"fmax": 120, "source": "pulpit", "duration": 1.5, "checkpoint": 1, "rays": "off"}
        with self.assertRaises(transept.Interrupted):
            transept.run(church, self.folder / "run",
                         progress=lambda one: not (one.phase == "steps" and one.fraction > 0.3), **options)
        run = transept.run(church, self.folder / "run", **options)
        whole = transept.run(church, self.folder / "whole", **options)
        self.assertEqual([one.path.read_bytes() for one in run.responses],
                         [one.path.read_bytes() for one in whole.responses])

    def test_runs_of_several_threads_wait_for_each_other(self):
        failed = []

        def work(name):
            try:
                transept.run(self.hall, self.folder / name, **SHORT)
            except transept.TranseptError as error:
                failed.append(error)

        workers = [threading.Thread(target=work, args=(f"run{n}",)) for n in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(failed, [])
        first = transept.Run(self.folder / "run0").responses[0].path.read_bytes()
        for name in ("run1", "run2"):
            self.assertEqual(transept.Run(self.folder / name).responses[0].path.read_bytes(), first)

    def test_a_mesh_is_not_changed_in_the_callback_of_a_room_that_reads_it(self):
        mesh = transept.Mesh.box((3, 4, 2.5))
        with self.assertRaisesRegex(RuntimeError, "must not change a mesh"):
            transept.Room(mesh, absorption=0.1, spacing=0.25, source=(1, 1, 1),
                          progress=lambda one: mesh.add_source("late", (1, 1, 1)))
        self.assertEqual(mesh.sources, {})

    def test_a_run_within_a_callback_is_refused_and_does_not_wait_for_itself(self):
        def progress(_):
            transept.plan(self.hall, **SHORT)

        with self.assertRaises(RuntimeError):
            transept.run(self.hall, self.folder / "run", progress=progress, **SHORT)


# A shell starts what runs behind it with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

if __name__ == "__main__":
    unittest.main()
