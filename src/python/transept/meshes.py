"""Rooms as triangles."""
import threading

import numpy

from . import _calls, errors
from ._library import Handle, byref, c_double, c_int, c_size_t, c_void_p, call, check, encoded, listed, number, \
    numbers, pointer_of, position, text, texts, view

_UNITS = {"auto": 0.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
_UP = {"auto": 0, "y": 1, "z": 2}


def _chosen(name, word, words):
    if not isinstance(word, str) or word not in words:
        raise errors.InputError(f"{name} is {word!r}: give one of {', '.join(words)}")
    return words[word]


class Mesh:
    """A room as triangles: metres, z up, a material for every triangle, positions of sources and receivers.

    ``Mesh.read(path)`` reads a model, ``Mesh.shape("church")`` builds a built-in room, ``Mesh(..)`` takes arrays. Its
    arrays are views into it, which keep it; they cannot be written to. A mesh does not change, except for positions
    that are added.

    Args:
        vertices: (n, 3) floats, metres. Copied.
        triangles: (m, 3) whole numbers, indices into vertices; either winding.
        triangle_materials: (m,) indices into materials.
        materials: their names, a list of texts.

    Raises:
        InputError: an index out of range, a coordinate that is not finite or beyond 1e6 m, a name twice.
    """

    def __init__(self, vertices, triangles, triangle_materials, materials):
        corner = numbers("vertices", vertices)
        triangle = self._whole("triangles", triangles, numpy.uint32)
        material = self._whole("triangle_materials", triangle_materials, numpy.uint16)
        if corner.ndim != 2 or corner.shape[1] != 3:
            raise errors.InputError(f"vertices have the shape {corner.shape}, not (n, 3)")
        if triangle.ndim != 2 or triangle.shape[1] != 3:
            raise errors.InputError(f"triangles have the shape {triangle.shape}, not (m, 3)")
        if material.shape != triangle.shape[:1]:
            raise errors.InputError(f"triangle_materials have the shape {material.shape}, and there are "
                                    f"{len(triangle)} triangles")
        names = [encoded(name) for name in listed("materials", materials)]
        out = c_void_p()
        check(call.mesh_make, len(corner), pointer_of(corner), len(triangle), pointer_of(triangle),
              pointer_of(material), len(names), texts(names), byref(out))
        self._take(out)

    def _take(self, out):
        self._handle, self._lock = Handle(out.value, call.mesh_free), threading.RLock()

    @staticmethod
    def _whole(name, values, dtype):
        numbers(name, values)
        array, most = numpy.asarray(values), numpy.iinfo(dtype).max
        if array.size > 0 and (not numpy.issubdtype(array.dtype, numpy.integer) or array.min() < 0 or
                               array.max() > most):
            raise errors.InputError(f"{name} are not whole numbers from 0 to {most}")
        return numpy.ascontiguousarray(array, dtype=dtype)

    @classmethod
    def _of(cls, out):
        mesh = cls.__new__(cls)
        mesh._take(out)
        return mesh

    @classmethod
    def read(cls, path, units="auto", up="auto"):
        """Read a model: .obj .gltf .glb .ply .stl .dae .fbx .3ds .dxf .ifc. A separate process reads it, since its source
        may be unknown.

        Args:
            units: of its coordinates: auto (what the file states, else metres), m, cm, mm, in, ft.
            up: the axis that points up: auto (what the file states, else y for glTF, z for the others), y, z.

        Raises:
            InputError: missing, broken, of unknown kind, without triangles.
        """
        out = c_void_p()
        check(call.mesh_read, encoded(path), _chosen("units", units, _UNITS), _chosen("up", up, _UP), byref(out))
        return cls._of(out)

    @classmethod
    def shape(cls, name, **measures):
        """A built-in room: "church", "cube", "sphere", "cross", with options as ``transept room NAME --help`` lists
        them: ``Mesh.shape("church", nave_length=32, roof="vaulted")``. Positions come with it."""
        keys = [encoded(key.replace("_", "-")) for key in measures]
        values = [encoded(value if isinstance(value, str) else repr(number(key, value))) for key, value in measures.items()]
        out = c_void_p()
        check(call.mesh_shape, encoded(name), len(keys), texts(keys), texts(values), byref(out))
        return cls._of(out)

    @classmethod
    def box(cls, size, materials=("floor", "ceiling", "west", "east", "south", "north"), origin=(0, 0, 0)):
        """A box, closed.

        Args:
            size: (x, y, z) [m].
            materials: of the faces at z low, z high, x low, x high, y low, y high; or one name for all.
            origin: its low corner [m].
        """
        names = [materials] * 6 if isinstance(materials, str) else listed("materials", materials)
        if len(names) != 6:
            raise errors.InputError(f"a box has 6 faces, and {len(names)} materials were given")
        low, wide = numbers("coordinates of a corner", origin), numbers("sizes of a box", size)
        if low.shape != (3,) or wide.shape != (3,):
            raise errors.InputError(f"a box of {size!r} from {origin!r}: give x, y and z of each")
        corners = low + numpy.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]) * wide
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 2, 6, 4), (1, 5, 7, 3), (0, 4, 5, 1), (2, 3, 7, 6)]
        unique = list(dict.fromkeys(names))
        triangles = [part for a, b, c, d in faces for part in ((a, b, c), (a, c, d))]
        return cls(corners, triangles, [unique.index(name) for name in names for _ in (0, 1)], unique)

    def _counts(self):
        count = (c_size_t * 4)()
        call.mesh_counts(self._handle.pointer, count)
        return tuple(count)

    @property
    def vertices(self):
        """(n, 3) float64 [m]; a view."""
        return view(self._handle, call.mesh_vertices(self._handle.pointer), (self._counts()[0], 3), numpy.float64)

    @property
    def triangles(self):
        """(m, 3) uint32, indices into vertices; a view."""
        return view(self._handle, call.mesh_triangles(self._handle.pointer), (self._counts()[1], 3), numpy.uint32)

    @property
    def triangle_materials(self):
        """(m,) uint16, indices into materials; a view."""
        return view(self._handle, call.mesh_triangle_materials(self._handle.pointer), (self._counts()[1],),
                    numpy.uint16)

    @property
    def materials(self):
        """Names, a list."""
        return [text(call.mesh_material(self._handle.pointer, m)) for m in range(self._counts()[2])]

    @property
    def areas(self):
        """Area of each material, {name: m2}."""
        area = (c_double * max(self._counts()[2], 1))()
        call.mesh_areas(self._handle.pointer, area)
        return dict(zip(self.materials, area))

    def _markers(self, wanted):
        found, position_of, receiver = {}, (c_double * 3)(), c_int()
        with self._lock:
            for marker in range(self._counts()[3]):
                name = text(call.mesh_marker(self._handle.pointer, marker, byref(receiver), position_of))
                if receiver.value == wanted:
                    found[name] = numpy.array(position_of)
        return found

    def _add(self, receiver, name, place):
        _calls.refuse_within_callback("change a mesh, which a room may be reading")
        with self._lock:
            check(call.mesh_mark, self._handle.pointer, receiver, encoded(name), position(place))

    @property
    def sources(self):
        """Positions in the model, {name: (3,) [m]}."""
        return self._markers(0)

    @property
    def receivers(self):
        """Likewise."""
        return self._markers(1)

    def add_source(self, name, place):
        """Put a position into the model; rooms opened later have it."""
        self._add(0, name, place)

    def add_receiver(self, name, place):
        """Likewise."""
        self._add(1, name, place)

    def census(self):
        """Numbers of irregularities, {"degenerate", "duplicate", "open_edges", "nonmanifold_edges": count}; none of
        them stops a simulation. O(triangles log triangles)."""
        count = (c_size_t * 4)()
        check(call.mesh_census, self._handle.pointer, count)
        return dict(zip(("degenerate", "duplicate", "open_edges", "nonmanifold_edges"), count))

    def write(self, path):
        """As .obj (with its .mtl), .gltf or .glb, whole or not at all; an existing file is replaced. Its coordinates
        are
        rounded to float when the file is read again."""
        with self._lock:
            check(call.mesh_write, self._handle.pointer, encoded(path))

    def __repr__(self):
        vertices, triangles, materials, _ = self._counts()
        return f"<transept.Mesh: {triangles} triangles, {vertices} vertices, {materials} materials>"
