"""Engines that are stepped and looked into; the grid that they step."""
import gc
import os
import signal
import threading
import time
import unittest
import warnings

import numpy

import transept

HARD = {"scheme": "standard", "walls": "staircase", "absorption": 0}


def hard_box(size=(1.6, 1.2, 0.8), spacing=0.1, **options):
    return transept.Room(transept.Mesh.box(size, "hard"), spacing=spacing, **{**HARD, "precision": "double", **options})


def churchlike(**options):
    """A cross, whose blocks fill little of their box."""
    return transept.Room(transept.Mesh.shape("cross"),
                         **{"spacing": 0.5, "scheme": "standard", "absorption": 0.2, **options})


class Physics(unittest.TestCase):
    def test_a_mode_of_a_hard_box_swings_at_its_discrete_frequency(self):
        # sin^2(w T / 2) = lambda^2 sum sin^2(pi n / 2 N): exact for a box of whole cells.
        room = hard_box()
        counts, order = numpy.array([16, 12, 8]), numpy.array([2, 1, 3])
        at = (room.grid.positions() - room.grid.origin) / room.spacing + 0.5
        mode = numpy.prod(numpy.cos(numpy.pi * order * numpy.nan_to_num(at) / counts), axis=-1)
        turn = 2 * numpy.arcsin(numpy.sqrt(room.lambda2 * numpy.sum(numpy.sin(numpy.pi * order / 2 / counts) ** 2)))
        engine = room.engine(sources=[])
        engine.set_field(mode, mode * numpy.cos(turn))
        for _ in range(5):
            engine.step(400)
            error = engine.field() - numpy.where(room.grid.air, mode * numpy.cos(turn * (engine.steps)), 0)
            self.assertLess(numpy.abs(error).max(), 1e-10)

    def test_steps_in_one_go_and_one_by_one_are_the_same_bits(self):
        room, drive = churchlike(), numpy.random.default_rng(7).normal(size=(1, 40))
        receiver = [next(iter(room.sources.values())) + (1, 0.5, 0)]
        whole, parts = room.engine(receivers=receiver), room.engine(receivers=receiver)
        heard = whole.step(40, drive)
        numpy.testing.assert_array_equal(
            heard, numpy.concatenate([parts.step(1, drive[:, n:n + 1]) for n in range(40)], axis=1))
        self.assertEqual(whole.hash, parts.hash)


class Field(unittest.TestCase):
    def test_a_view_is_the_engines_own_memory(self):
        engine = hard_box().engine(sources=[])
        engine.set_field(numpy.random.default_rng(3).normal(size=engine.field().shape))
        view = engine.field()
        self.assertEqual(view.ctypes.data, engine.field().ctypes.data)
        before = view.copy()
        engine.step(2)  # the two levels change places with every step
        self.assertFalse(numpy.array_equal(view, before))
        numpy.testing.assert_array_equal(view, engine.field())
        engine.step(1)
        numpy.testing.assert_array_equal(view, engine.field(level=1))
        with self.assertRaises(ValueError):
            view[0] = 1

    def test_precision_is_that_of_the_run(self):
        self.assertEqual(hard_box(precision="single").engine().field().dtype, numpy.float32)
        self.assertEqual(hard_box().engine().field().dtype, numpy.float64)

    def test_blocks_and_box_have_the_same_field_and_planes(self):
        rooms = [churchlike(layout=layout) for layout in ("blocks", "box")]
        engines = [room.engine() for room in rooms]
        for engine in engines:
            engine.step(drive=numpy.hanning(30))
        self.assertEqual(engines[0].hash, engines[1].hash)
        for axis, at in (("x", 6.0), ("y", 0.5), ("z", 2.0)):
            of_blocks, of_box = (engine.plane(axis, at) for engine in engines)
            for one, other in zip(of_blocks, of_box):
                numpy.testing.assert_array_equal(one, other)
            self.assertGreater(numpy.nanmax(numpy.abs(of_blocks[0])), 0)

    def test_a_plane_and_points_of_it_have_the_same_pressures(self):
        room = churchlike()
        engine = room.engine()
        engine.step(drive=numpy.hanning(30))
        values, x, y = engine.plane("z", 1.0)
        z = room.grid.origin[2] + room.spacing * numpy.rint((1.0 - room.grid.origin[2]) / room.spacing)
        there = numpy.argwhere(~numpy.isnan(values))[::7]
        places = numpy.array([(x[column], y[row], z) for row, column in there])
        numpy.testing.assert_allclose(engine.pressure(places), values[there[:, 0], there[:, 1]], atol=1e-7)
        self.assertTrue(numpy.isnan(engine.pressure([(1e3, 0, 0), (numpy.nan, 0, 0)])).all())

    def test_a_field_is_put_where_air_is_and_nowhere_else(self):
        room = churchlike()
        engine = room.engine()
        engine.set_field(numpy.ones(engine.field().shape))
        numpy.testing.assert_array_equal(engine.field() == 1, room.grid.air)
        numpy.testing.assert_array_equal(engine.field(1) == 1, room.grid.air)
        for bad in (numpy.ones(7), numpy.full(engine.field().shape, numpy.nan)):
            with self.assertRaises(transept.InputError):
                engine.set_field(bad)
        numpy.testing.assert_array_equal(engine.field() == 1, room.grid.air)


class Grid(unittest.TestCase):
    def test_neighbours_look_back_and_links_agree_across_blocks(self):
        grid = churchlike(spacing=0.2).grid
        neighbour, links = grid.blocks["neighbour"], grid.links
        self.assertGreater(len(grid.blocks), 10)
        for direction in range(6):
            has = numpy.flatnonzero(neighbour[:, direction])
            numpy.testing.assert_array_equal(neighbour[neighbour[has, direction], direction ^ 1], has)
            axis = 3 - direction // 2  # of (b, z, y, x)
            near, far = (-1, 0) if direction % 2 else (0, -1)
            mine = numpy.take(links[has], near, axis) >> direction & 1
            theirs = numpy.take(links[neighbour[has, direction]], far, axis) >> (direction ^ 1) & 1
            numpy.testing.assert_array_equal(mine, theirs)
            alone = numpy.flatnonzero(neighbour[:, direction] == 0)
            self.assertFalse((numpy.take(links[alone], near, axis) >> direction & 1).any())

    def test_counts_are_those_of_the_arrays(self):
        for options in ({}, {"scheme": "isotropic"}, {"walls": "conformal"}):
            room = churchlike(**options)
            grid = room.grid
            self.assertEqual(grid.air.sum(), grid.air_nodes)
            self.assertEqual(room.record["blocks"], len(grid.blocks) - 1)
            self.assertEqual(grid.wall_first[-1], len(grid.walls))
            self.assertEqual(len(grid.cuts), len(grid.gains))
            self.assertEqual(len(grid.edges), len(grid.blocks) if room.scheme == "isotropic" else 0)
            self.assertAlmostEqual(grid.occupancy, 512 * (len(grid.blocks) - 1) / room.record["box_nodes"])

    def test_places_nodes_and_indices_agree(self):
        grid = churchlike().grid
        there = numpy.argwhere(grid.air)[::11]
        places = grid.positions()[tuple(there.T)]
        nodes = grid.nearest(places)
        numpy.testing.assert_allclose(grid.origin + grid.spacing * nodes, places)
        flat = numpy.ravel_multi_index(tuple(there.T), (len(grid.blocks), 8, 8, 8))
        numpy.testing.assert_array_equal(grid.index(nodes), flat)
        self.assertEqual(grid.index([(-10**6, 0, 0)])[0], 2**64 - 1)

    def test_a_cube_of_whole_cells_holds_them(self):
        room = hard_box((3, 3, 3), 0.1)
        self.assertEqual(room.grid.air_nodes, 27000)
        links = room.grid.links
        self.assertEqual(numpy.unpackbits(links).sum(), 6 * 27000 - 6 * 900)  # a link for each face, less the walls'


class Rooms(unittest.TestCase):
    def test_a_mesh_and_its_file_give_the_same_grid(self):
        mesh = transept.Mesh.shape("cross")
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cross.obj")
            mesh.write(path)
            of_file = transept.Room(path, spacing=0.5, absorption=0.2)
        of_mesh = transept.Room(mesh, spacing=0.5, absorption=0.2)
        numpy.testing.assert_array_equal(of_mesh.grid.blocks, of_file.grid.blocks)
        numpy.testing.assert_array_equal(of_mesh.grid.tiles, of_file.grid.tiles)
        self.assertEqual(of_mesh.record["grid"], of_file.record["grid"])
        self.assertEqual(list(of_mesh.sources), list(mesh.sources))
        for name, place in mesh.sources.items():
            numpy.testing.assert_allclose(of_mesh.sources[name], place)
            numpy.testing.assert_allclose(of_file.sources[name], place, atol=1e-5)

    def test_a_mesh_that_leaks_is_refused_and_no_file_is_left(self):
        box = transept.Mesh.box((3, 3, 3), "wall")
        open_box = transept.Mesh(box.vertices, box.triangles[2:], box.triangle_materials[2:], ["wall"])
        before = set(os.listdir("."))
        with self.assertRaises(transept.InputError) as caught:
            transept.Room(open_box, spacing=0.2, source=(1, 1, 1), absorption=0.1)
        self.assertIn("not closed", str(caught.exception))
        self.assertEqual(set(os.listdir(".")), before)

    def test_wrong_options_are_refused_by_name(self):
        mesh = transept.Mesh.box((3, 3, 3), "wall")
        for options, word in (({"spacin": 0.1}, "spacin"), ({"spacing": -1}, "spacing"), ({"help": True}, "help"),
                              ({"scheme": "cubist"}, "scheme"), ({"spacing": object()}, "spacing"),
                              ({"source": (9, 9, 9), "spacing": 0.3}, "source")):
            with self.subTest(options), self.assertRaises(transept.InputError) as caught:
                transept.Room(mesh, absorption=0.1, **options)
            self.assertIn(word, str(caught.exception))

    def test_a_source_with_a_direction_is_no_engines_and_is_not_made_a_point(self):
        name, place = next(iter(transept.Mesh.shape("cross").sources.items()))
        room = churchlike(directivity={name: "cardioid"}, aim={name: 90})
        with self.assertRaises(transept.InputError) as caught:
            room.engine()
        self.assertIn("omnidirectional", str(caught.exception))
        self.assertEqual(room.engine(sources=[place], receivers=[place]).step(3).shape, (1, 3))

    def test_warnings_are_pythons(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            room = transept.Room(transept.Mesh.box((3, 3, 3), "unheard of"), spacing=0.3)
        told = [one for one in caught if issubclass(one.category, transept.RoomWarning)]
        self.assertTrue(told)
        self.assertEqual({one.filename for one in told}, {__file__})  # of who called
        self.assertTrue(room.warnings)

    def test_walls_absorb_what_a_file_of_materials_says(self):
        import tempfile
        asked = {"floor": numpy.linspace(0.1, 0.45, 8), "wall": 0.2}
        mesh = transept.Mesh.box((3, 3, 3), ("floor", "wall", "wall", "wall", "wall", "wall"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "own.csv")
            scatters = {"wall": [.1, .2, .3, .4, .5, .6, .7, .8, .9]}
            transept.write_materials(path, asked, scatters)
            room = transept.Room(mesh, spacing=0.1, materials=path)
            for wrong in ({"wall": [1, 2]}, {"wall": 1.1}, {"wall": numpy.nan}, {"roof": 0.1}, 3):
                with self.assertRaises(transept.InputError):
                    transept.write_materials(path, asked, wrong)
            for wrong in ({"a": [1, 2]}, {"a,b": 0.1}, {"a": numpy.nan}, {"": 0.1}):
                with self.assertRaises(transept.InputError):
                    transept.write_materials(path, wrong)
        for told in room.materials:
            numpy.testing.assert_allclose(told["absorption_octaves"], numpy.broadcast_to(asked[told["name"]], 8))
            self.assertEqual(told.get("scattering_octaves"), scatters.get(told["name"]))
            numpy.testing.assert_allclose(told["absorption_used_octaves"], told["absorption_octaves"], rtol=0.08)

    def test_memory_that_is_not_there_is_said_before_it_is_taken(self):
        with self.assertRaises(transept.CapacityError) as caught:
            transept.Room(transept.Mesh.box((1000, 1000, 300), "wall"), spacing=0.02, absorption=0.1)
        self.assertEqual(caught.exception.kind, "capacity")
        self.assertIsInstance(caught.exception, MemoryError)


class Devices(unittest.TestCase):
    def test_a_gpu_has_the_field_of_the_processors(self):
        try:
            room = churchlike(spacing=0.2, backend="cuda")
        except transept.CapacityError as why:
            self.skipTest(str(why))
        processors = churchlike(spacing=0.2, backend="cpu").engine()
        device = room.engine()
        start = numpy.random.default_rng(3).normal(size=device.field().shape).astype(numpy.float32)
        for engine in (processors, device):
            engine.set_field(start, 0.5 * start)
            engine.step(7, numpy.ones((1, 7)))
        early = device.field()
        numpy.testing.assert_array_equal(early, processors.field())
        numpy.testing.assert_array_equal(device.field(1), processors.field(1))
        numpy.testing.assert_array_equal(device.plane("z", 1)[0], processors.plane("z", 1)[0])
        self.assertEqual(device.hash, processors.hash)
        kept = early.copy()
        device.close()
        numpy.testing.assert_array_equal(early, kept)


class Lifetimes(unittest.TestCase):
    def test_a_view_keeps_what_it_looks_into(self):
        room = churchlike()
        engine = room.engine()
        engine.step(drive=numpy.hanning(20))
        view, blocks = engine.field(), room.grid.blocks
        sum_before, ids = float(numpy.abs(view).sum()), blocks["neighbour"].sum()
        engine.close()
        del room, engine
        gc.collect()
        filler = [numpy.full(view.shape, 1.0) for _ in range(20)]  # what was freed would be taken by these
        self.assertEqual(float(numpy.abs(view).sum()), sum_before)
        self.assertEqual(blocks["neighbour"].sum(), ids)
        del filler

    def test_an_engine_outlives_the_name_of_its_room(self):
        engine = churchlike().engine()
        gc.collect()
        engine.step(5)
        self.assertEqual(engine.steps, 5)

    def test_a_closed_engine_raises_and_never_crashes(self):
        engine = churchlike().engine()
        engine.close()
        engine.close()
        for use in (engine.step, engine.field, engine.reset, lambda: engine.energy, lambda: engine.hash,
                    lambda: engine.bytes, lambda: engine.steps, lambda: engine.description,
                    lambda: engine.plane("z", 1), lambda: engine.pressure([(1, 1, 1)]),
                    lambda: engine.set_field(numpy.zeros(3)), lambda: engine.add_source((1, 1, 1))):
            with self.assertRaises(transept.InputError):
                use()
        self.assertIn("closed", repr(engine))

    def test_cycles_are_collected_in_any_order(self):
        for _ in range(20):
            room = hard_box(spacing=0.2)
            engine = room.engine()
            ring = [room, engine, engine.field()]
            ring.append(ring)
            del room, engine, ring
        gc.collect()

    def test_places_without_air_and_wrong_drives_are_refused(self):
        engine = hard_box().engine(sources=[(0.5, 0.5, 0.5)])
        for wrong in (lambda: engine.add_source((99, 0, 0)), lambda: engine.add_source((numpy.nan, 0, 0)),
                      lambda: engine.add_source((1, 2)), lambda: engine.add_receiver(node=(-1, 0, 0)),
                      lambda: engine.add_source(), lambda: engine.add_gradient((0.5, 0.5, 0.5), "w"),
                      lambda: engine.step(3, numpy.zeros((2, 3))), lambda: engine.step(3, [[1, numpy.inf, 0]]),
                      lambda: engine.step(-1), lambda: engine.step(1.5), lambda: engine.plane("z", 99)):
            with self.assertRaises(transept.InputError):
                wrong()
        self.assertEqual(engine.steps, 0)


class Threads(unittest.TestCase):
    def test_engines_beside_each_other_have_the_bits_of_one_alone(self):
        room = churchlike(threads=1)
        alone = room.engine()
        alone.step(drive=numpy.hanning(60))
        engines = [room.engine() for _ in range(4)]
        workers = [threading.Thread(target=engine.step, kwargs={"drive": numpy.hanning(60)}) for engine in engines]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual({engine.hash for engine in engines}, {alone.hash})

    def test_threads_may_share_an_engine(self):
        engine = churchlike().engine()
        workers = [threading.Thread(target=lambda: [engine.step() for _ in range(25)]) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(engine.steps, 100)

    def test_python_goes_on_while_a_room_is_stepped(self):
        engine, counted, done = hard_box((3, 3, 3), 0.05).engine(sources=[]), 0, threading.Event()
        worker = threading.Thread(target=lambda: (engine.step(3000), done.set()))
        worker.start()
        while not done.is_set():
            counted += 1
            time.sleep(0.001)
        worker.join()
        self.assertGreater(counted, 20)

    def test_ctrl_c_ends_steps_within_a_second_with_whole_ones_done(self):
        engine = hard_box((3, 3, 3), 0.05).engine(sources=[])
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            engine.step(10**7)
        self.assertLess(time.monotonic() - began, 1.5)
        done = engine.steps
        self.assertGreater(done, 0)
        engine.step(3)
        self.assertEqual(engine.steps, done + 3)


# A shell starts what runs behind it with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

if __name__ == "__main__":
    unittest.main()
