"""Meshes as arrays."""
import gc
import os
import tempfile
import unittest

import numpy

import transept


class Mesh(unittest.TestCase):
    def test_arrays_that_are_given_come_back_as_they_were(self):
        vertices = numpy.random.default_rng(1).uniform(-5, 5, (30, 3))
        triangles = numpy.arange(30).reshape(10, 3)
        of = numpy.arange(10) % 3
        mesh = transept.Mesh(vertices, triangles, of, ["a", "b", "Stück c"])
        numpy.testing.assert_array_equal(mesh.vertices, vertices)
        numpy.testing.assert_array_equal(mesh.triangles, triangles)
        numpy.testing.assert_array_equal(mesh.triangle_materials, of)
        self.assertEqual(mesh.materials, ["a", "b", "Stück c"])

    def test_a_box_is_closed_and_has_its_areas(self):
        mesh = transept.Mesh.box((5, 4, 3), origin=(-1, 2, 0.5))
        self.assertEqual(mesh.census(), {"degenerate": 0, "duplicate": 0, "open_edges": 0, "nonmanifold_edges": 0})
        self.assertEqual(mesh.areas, {"floor": 20, "ceiling": 20, "west": 12, "east": 12, "south": 15, "north": 15})
        numpy.testing.assert_array_equal(mesh.vertices.min(axis=0), (-1, 2, 0.5))
        numpy.testing.assert_array_equal(mesh.vertices.max(axis=0), (4, 6, 3.5))

    def test_a_view_outlives_its_mesh_and_cannot_be_written_to(self):
        vertices = transept.Mesh.box((2, 2, 2), "wall").vertices
        gc.collect()
        self.assertEqual(vertices.sum(), 24)
        with self.assertRaises(ValueError):
            vertices[0, 0] = 1

    def test_a_file_holds_what_was_written(self):
        mesh = transept.Mesh.box((5, 4, 3), ("a b", "c", "c", "c", "c", "c"))
        mesh.add_source("pulpit", (1, 1, 1))
        mesh.add_receiver("pew", (4, 3, 1.25))
        for ending in ("obj", "gltf", "glb"):
            with tempfile.TemporaryDirectory() as folder, self.subTest(ending):
                path = os.path.join(folder, "hall." + ending)
                mesh.write(path)
                read = transept.Mesh.read(path)
                self.assertEqual(read.areas, mesh.areas)
                numpy.testing.assert_allclose(read.sources["pulpit"], (1, 1, 1), atol=1e-6)
                numpy.testing.assert_allclose(read.receivers["pew"], (4, 3, 1.25), atol=1e-6)

    def test_a_built_in_room_takes_its_measures(self):
        long, short = (transept.Mesh.shape("church", nave_length=length) for length in (40, 30))
        self.assertAlmostEqual(numpy.ptp(long.vertices[:, 0]) - numpy.ptp(short.vertices[:, 0]), 10)
        self.assertIn("pulpit", long.sources)

    def test_what_no_mesh_can_be_is_refused_in_one_sentence(self):
        box = transept.Mesh.box((1, 1, 1), "wall")
        bad = {
            "index": lambda: transept.Mesh(box.vertices, box.triangles + 1, box.triangle_materials, ["wall"]),
            "negative": lambda: transept.Mesh(box.vertices, -box.triangles.astype(int), box.triangle_materials, ["a"]),
            "fraction": lambda: transept.Mesh(box.vertices, box.triangles * 1.5, box.triangle_materials, ["a"]),
            "nan": lambda: transept.Mesh(box.vertices * numpy.nan, box.triangles, box.triangle_materials, ["a"]),
            "shape": lambda: transept.Mesh(box.vertices.ravel(), box.triangles, box.triangle_materials, ["a"]),
            "material": lambda: transept.Mesh(box.vertices, box.triangles, box.triangle_materials + 1, ["a"]),
            "twice": lambda: transept.Mesh(box.vertices, box.triangles, box.triangle_materials, ["a", "a"]),
            "few": lambda: transept.Mesh(box.vertices, box.triangles, box.triangle_materials[:3], ["a"]),
            "zero": lambda: transept.Mesh.read("a\0b.obj"),
            "missing": lambda: transept.Mesh.read("/nowhere/hall.obj"),
            "ending": lambda: box.write("hall.xyz"),
            "shape name": lambda: transept.Mesh.shape("teapot"),
            "measure": lambda: transept.Mesh.shape("church", nave_length=-3),
            "units": lambda: transept.Mesh.read("hall.obj", units="yards"),
        }
        for what, make in bad.items():
            with self.subTest(what), self.assertRaises(transept.InputError) as caught:
                make()
            self.assertEqual((caught.exception.kind, caught.exception.status), ("input", 2))
            self.assertGreater(len(str(caught.exception)), 10)
            self.assertIsInstance(caught.exception, ValueError)


if __name__ == "__main__":
    unittest.main()
