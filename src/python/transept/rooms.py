"""A room on its grid, from which an engine is made, and its blocks."""
import contextlib
import json
import os

import numpy

from . import errors
from ._calls import arguments, run_long
from ._library import Handle, byref, c_uint64, c_void_p, call, check, encoded, exception_of, numbers, pointer_of, \
    rows_of_three, taken, texts, view, whole_numbers
from .meshes import Mesh
from .projects import Project

EDGE = 8  # nodes of a block along an axis
NO_AIR = numpy.uint64(2**64 - 1)

# blocks/block_layout.h
BLOCK = numpy.dtype([("neighbour", "u4", 6), ("tile", "u4"), ("place", "i4", 3)])
WALL = numpy.dtype([("slot", "u2"), ("material", "u2"), ("weight", "f4")])
CUT = numpy.dtype([("open", "u1", 6), ("volume", "u1"), ("reserved", "u1")])
MARKS = numpy.dtype([("cut", "u8", 8), ("wall", "u8", 8)])
NO_PLACE = -2**31


def room_words(room):
    """The word of a room on a command line, the text of its project or None, and its mesh or None."""
    if isinstance(room, Mesh):
        return b"a mesh in memory", None, room
    if isinstance(room, Project):
        return room.word, room.text, None
    if isinstance(room, (str, os.PathLike)):
        word = encoded(room)
        if word == b"-":
            raise errors.InputError("standard input is the program's: make a transept.Project of the text")
        return word, None, None
    raise errors.InputError(f"{room!r} is not a room: give the path of a model or project, a Project, or a Mesh")


def _indices(what, values, count):
    """What numpy takes to choose among `count` rows: numbers of them, or a mask."""
    array = numpy.asarray(values)
    if array.dtype == bool:
        if array.shape != (count,):
            raise errors.InputError(f"a mask of {what} has the shape {array.shape}, and there are {count}")
        return array
    array = whole_numbers(what, values)
    if array.size > 0 and not (-count <= array.min() and array.max() < count):
        raise errors.InputError(f"{what} are numbered from 0 to {count - 1}, and {values!r} is not among them")
    return numpy.atleast_1d(array)


class Grid:
    """The block grid of a room: the air in 8x8x8 blocks, as blocks/block_layout.h draws it.

    Arrays that are views are memory of the room and cannot be written to. Nodes have whole coordinates
    (i, j, k); node (0, 0, 0) is at ``origin``, and they are ``spacing`` apart. In arrays of a block's nodes the axes
    are z, y, x: ``field[b, z, y, x]``.
    """

    def __init__(self, handle, record):
        self._handle, self._record = handle, record
        self._grid = record["grid"]

    def _array(self, name, dtype, *shape):
        data, count = c_void_p(), c_uint64()
        check(call.room_array, self._handle.pointer, name.encode(), byref(data), byref(count))
        return view(self._handle, data.value, (count.value, *shape), dtype)

    @property
    def spacing(self):
        """From node to node [m]."""
        return self._grid["spacing_m"]

    @property
    def origin(self):
        """(3,) position of node (0, 0, 0) [m]."""
        return numpy.array(self._grid["origin_m"])

    @property
    def air_low(self):
        """(3,) lowest node of the box of the air."""
        return numpy.array(self._grid["air_low"], dtype=numpy.int64)

    @property
    def air_high(self):
        """(3,) highest node of it, inclusive."""
        return numpy.array(self._grid["air_high"], dtype=numpy.int64)

    @property
    def blocks(self):
        """(blocks + 1,) structured view: ``neighbour`` (6,) ids of the blocks at -x +x -y +y -z +z, 0 where there is
        none; ``tile``, a row of tiles; ``place`` (3,), the first node of block b is 8 place (-2**31 for blocks of
        further pieces of air, which have no place). Row 0 is the empty block."""
        return self._array("block", BLOCK)

    @property
    def tiles(self):
        """(tiles, 8, 8, 8) uint8 view: link bytes; bit d is set where the link in direction d is uncut, so that K is
        their number. Blocks with equal links share one."""
        return self._array("tile", numpy.uint8, EDGE, EDGE, EDGE)

    @property
    def links(self):
        """(blocks + 1, 8, 8, 8) uint8: the link byte of every node; a copy."""
        return self.tiles[self.blocks["tile"]]

    @property
    def walls(self):
        """(walls,) structured view: ``slot`` (x + 8 y + 64 z, and 0x8000 for a further entry of the same node),
        ``material``, ``weight`` (area in spacings squared). Block b has entries wall_first[b] to wall_first[b + 1]."""
        return self._array("wall", WALL)

    @property
    def wall_first(self):
        """(blocks + 2,) uint64 view."""
        return self._array("wall_first", numpy.uint64)

    @property
    def cuts(self):
        """(cuts,) structured view of the nodes that walls cut: ``open`` (6,) and ``volume``, in parts of 200; empty of
        staircases of the standard scheme. Block b has records cut_first[b] to cut_first[b + 1], by rising slot."""
        return self._array("cut", CUT)

    @property
    def cut_first(self):
        """(blocks + 2,) uint64 view; empty without records."""
        return self._array("cut_first", numpy.uint64)

    @property
    def gains(self):
        """(cuts,) float32 view: lambda^2 over (200 times the node's mass), a sixth of it for the isotropic scheme."""
        return self._array("gain", numpy.float32)

    @property
    def edges(self):
        """(blocks + 1, 12) uint32 view: ids of the blocks across the edges, of the isotropic scheme; else empty."""
        return self._array("edge", numpy.uint32, 12)

    @property
    def air(self):
        """(blocks + 1, 8, 8, 8) bool: which nodes are air; a copy. A node without open links may still be air: it has a
        record."""
        return self.air_of_tiles(self.blocks["tile"])

    def air_of_tiles(self, tiles):
        """(n, 8, 8, 8) bool: the same of rows of ``tiles``."""
        tiles = _indices("tiles", tiles, len(self.tiles))
        is_air = self.tiles[tiles] != 0
        marks = self._array("marks", MARKS)
        if len(marks) > 0:
            bit = numpy.arange(64, dtype=numpy.uint64).reshape(1, 1, EDGE, EDGE)
            is_air |= (marks["cut"][tiles][:, :, None, None] >> bit & numpy.uint64(1)).astype(bool)
        return is_air

    @property
    def occupancy(self):
        """Nodes stored in blocks over nodes of the box of the air."""
        return self._record["occupancy"]

    @property
    def air_nodes(self):
        """Nodes that are air."""
        return int(self._grid["air_nodes"])

    @property
    def bytes(self):
        """{"blocks", "walls", "box", "ideal", "seed_blocks": bytes} of two levels of pressure, as ``plan`` has them."""
        return {name: int(self._record["bytes_" + name]) for name in ("blocks", "walls", "box", "ideal",
                                                                      "seed_blocks")}

    def positions(self, blocks=None):
        """(b, 8, 8, 8, 3) where nodes are [m]; NaN for blocks without a place.

        Args:
            blocks: ids; all of them by default, which takes 24 bytes a node.
        """
        chosen = self.blocks if blocks is None else self.blocks[_indices("blocks", blocks, len(self.blocks))]
        place = chosen["place"].astype(float)
        place[place[:, 0] == NO_PLACE] = numpy.nan
        if blocks is None:
            place[0] = numpy.nan
        z, y, x = numpy.mgrid[:EDGE, :EDGE, :EDGE]
        within = numpy.stack([x, y, z], axis=-1)
        return self.origin + self.spacing * (EDGE * place[:, None, None, None, :] + within)

    def nearest(self, positions):
        """(n, 3) int64: the nodes nearest to places (n, 3) [m], which need not be air."""
        node = numpy.rint((rows_of_three("positions", numbers("positions", positions)) - self.origin) / self.spacing)
        if not numpy.all(numpy.abs(node) < 2.0**63):  # nor NaN
            raise errors.InputError("positions have values that are not finite, or too far for a grid")
        return node.astype(numpy.int64)

    def index(self, nodes):
        """(n,) uint64: where nodes (n, 3) are in a field that is laid flat, block * 512 + slot; NO_AIR (2**64 - 1)
        for those outside the air. O(1) each."""
        node = rows_of_three("nodes", whole_numbers("coordinates of nodes", nodes))
        found = numpy.empty(len(node), numpy.uint64)
        call.room_index(self._handle.pointer, len(node), pointer_of(node), pointer_of(found))
        return found

    def __repr__(self):
        return f"<transept.Grid: {len(self.blocks) - 1} blocks, {self.air_nodes} air nodes, {self.spacing:.4g} m>"


class Room:
    """A room that was read, voxelised and packed: it makes engines, and has its grid and its predicted cost.

    Args:
        room: a model's path, a project's path, a Project, or a Mesh (which is copied).
        progress: called with a Progress some five times a second, in this thread; False or an exception stops.
        **options: those of ``transept plan``, by their names: ``fmax=355``, ``spacing=0.1``, ``scheme="standard"``,
            ``walls="staircase"``, ``courant=0.5``, ``precision="double"``, ``layout="box"``, ``backend="cpu"``,
            ``threads=2``, ``source=(1, 2, 1.5, "pulpit")`` or a list of these, ``receiver=..``,
            ``absorption={"roof": 0.3}`` or ``absorption=0.1`` for all other surfaces, ``materials="file.csv"``,
            ``open=True``, ``seal=0.02``.

    Without a source the largest enclosed cavity is taken, as ``plan`` does; a surface of unknown absorption gets 0.1,
    and a RoomWarning says so.

    Raises:
        InputError: as the program refuses it: options, a broken model, a leak, a position in a wall.
        CapacityError: more than this machine has, with the bytes, before they are allocated.
        Interrupted, KeyboardInterrupt: it was stopped; nothing is left.

    A process makes one room or run at a time; other threads wait. A room does not change: several engines and
    threads may use it at once.
    """

    def __init__(self, room, progress=None, **options):
        word, project, mesh = room_words(room)
        words = arguments(options) + [b"--", word]
        argument = texts(words)

        def work(listener, failure):
            out = c_void_p()
            status = call.room_open(len(words), argument, mesh._handle.pointer if mesh is not None else None, project,
                                    listener, byref(out), failure)
            return status, Handle(out.value, call.room_free) if status == 0 else None

        with mesh._lock if mesh is not None else contextlib.nullcontext():  # nothing is added to it meanwhile
            status, failure, self._handle, _ = run_long(work, progress)
        if status != 0:
            raise exception_of(status, failure)
        self._record = json.loads(taken(call.room_record(self._handle.pointer)))

    @property
    def record(self):
        """The object of ``plan --json`` for it, a dict: model, materials, resolution, sizes and bytes, air, expected
        reverberation (the manual's page machine.md); with ``grid``, its counts."""
        return self._record

    @property
    def grid(self):
        """Its Grid."""
        return Grid(self._handle, self._record)

    @property
    def spacing(self):
        """Of the grid [m]."""
        return self._record["spacing_m"]

    @property
    def rate(self):
        """Steps a second [Hz]."""
        return self._record["rate_hz"]

    @property
    def courant(self):
        """c T / h (-)."""
        return self._record["courant"]

    @property
    def lambda2(self):
        """Its square, as the steps use it: exactly a multiple of 2**-20 (of the isotropic scheme 6 times one of
        2**-22)."""
        return self._record["lambda2"]

    @property
    def sound_speed(self):
        """[m/s]."""
        return self._record["sound_speed_m_s"]

    @property
    def scheme(self):
        """"isotropic" or "standard"."""
        return self._record["scheme"]

    @property
    def sources(self):
        """{name: (3,) [m]}, in order."""
        return {point["name"]: numpy.array(point["position_m"]) for point in self._record["sources"]}

    @property
    def receivers(self):
        """Likewise."""
        return {point["name"]: numpy.array(point["position_m"]) for point in self._record["receivers"]}

    @property
    def materials(self):
        """List of dicts: ``name``, ``area_m2``, ``absorption_octaves`` asked for, ``absorption_used_octaves`` of the
        wall, ``origin``, ``library_name``, ``branches``; octaves in ``record["material_octaves_hz"]``. Where scattering
        is given ``scattering_octaves``, in ``record["scattering_octaves_hz"]``."""
        return self._record["materials"]

    @property
    def air_volume(self):
        """[m3]."""
        return self._record["air_volume_m3"]

    @property
    def warnings(self):
        """Warnings of the program, a list of texts."""
        return self._record["warnings"]

    def engine(self, sources=None, receivers=None):
        """A new Engine, at rest. With the sources and receivers of the room, or those given (see Engine.add_source):
        ``room.engine(sources=[], receivers=[])`` has none."""
        from .engines import Engine
        return Engine(self, sources, receivers)

    def __repr__(self):
        return f"<transept.Room: {self.grid.air_nodes} air nodes, {self.spacing:.4g} m, {self.scheme} scheme>"
