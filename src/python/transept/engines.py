"""Time steps of a room by hand, with access to its field."""
import threading
import time

import numpy

from . import errors
from ._library import Handle, byref, c_double, c_int64, c_size_t, c_uint, c_uint64, c_void_p, call, check, listed, \
    number, numbers, pointer_of, position, rows_of_three, text, view, whole, whole_numbers
from .rooms import EDGE

_SOURCE, _RECEIVER, _GRADIENT = 0, 1, 2
_SLICE = 0.05  # [s] of stepping between two looks for Ctrl-C
_AXES = {"x": 0, "y": 1, "z": 2}


def _axis(word):
    if not isinstance(word, str) or word not in _AXES:
        raise errors.InputError(f"axis is {word!r}: give x, y or z")
    return _AXES[word]


class Engine:
    """A room that is stepped. Made by ``room.engine()``; as ``with room.engine() as engine:`` it is closed at the end.

    The state is the pressure u at step n and u_old at step n - 1, both 0 at first. A step makes u the field of step
    n + 1: all nodes of the air are updated with their walls, then the sources are added. With drive q, ``q[0] = 1``
    alone, the output is the digital Green's function: the sum of u over all steps is 1 / (4 pi r) in free field.
    Outputs are u[n] before the step.

    Two threads may share an engine: each call waits for the one before. Arrays that view it stay valid, even if the
    engine is closed or deleted first.
    """

    def __init__(self, room, sources=None, receivers=None):
        out = c_void_p()
        check(call.engine_make, room._handle.pointer, byref(out))
        self._engine = Handle(out.value, call.engine_free, room._handle)
        self._room, self._lock, self._pace = room, threading.RLock(), 0.0
        named = len(room.sources)
        for point in range(named) if sources is None else ():
            check(call.engine_add_point, self._pointer, _SOURCE, point)
        for point in range(len(room.receivers)) if receivers is None else ():
            check(call.engine_add_point, self._pointer, _RECEIVER, named + point)
        for places, add in ((sources, self.add_source), (receivers, self.add_receiver)):
            for place in () if places is None else listed("places", places):
                add(place)

    @property
    def _pointer(self):
        if self._engine is None:
            raise errors.InputError("this engine is closed")
        return self._engine.pointer

    def close(self):
        """Free its memory as soon as no array views it. Everything but ``close`` raises InputError from then on."""
        with self._lock:
            self._engine = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def room(self):
        """The Room that it was made from."""
        return self._room

    # ---- sources and receivers ----

    def _add(self, kind, place, node):
        with self._lock:
            pointer = self._pointer
            if (place is None) == (node is None):
                raise errors.InputError("give a place in metres, or node=(i, j, k)")
            if node is not None:
                at = whole_numbers("coordinates of a node", node)
                if at.shape != (3,):
                    raise errors.InputError(f"node is {node!r}: give three whole numbers, (i, j, k)")
                check(call.engine_add_node, pointer, kind, (c_int64 * 3)(*at))
            else:
                check(call.engine_add, pointer, kind, position(place))
            count = (c_size_t * 2)()
            call.engine_counts(pointer, count)
            return count[0 if kind == _SOURCE else 1] - 1

    def add_source(self, place=None, node=None):
        """Add a source at a place (x, y, z) [m], interpolated among nodes, or at one node of the air. Returns its
        number, its row of ``drive``.

        A place belongs to the nearest air node among the corners of its cell. Within a cell of a wall that is thinner
        than a cell, this node may be behind the wall. Places that are given to the room as sources stay on their side
        of walls.

        Raises:
            InputError: no corner of its cell is air; no such node.
        """
        return self._add(_SOURCE, place, node)

    def add_receiver(self, place=None, node=None):
        """Likewise; its number is its row of the output."""
        return self._add(_RECEIVER, place, node)

    def add_gradient(self, place, axis):
        """A receiver of the derivative of the pressure along "x", "y" or "z" [1/m]."""
        return self._add(_GRADIENT + _axis(axis), place, None)

    # ---- stepping ----

    def step(self, steps=1, drive=None):
        """Advance by so many steps; returns the samples of the receivers, (receivers, steps) float64.

        Args:
            steps: how many.
            drive: the signals of the sources, (sources, steps), or (steps,) for a single one, whose length is then the
                number of steps: ``engine.step(drive=pulse)``. None: the sources are silent.

        Ctrl-C ends it after a twentieth of a second with whole steps done (``steps`` has their number); their output is
        lost, the field is not.

        Raises:
            InputError: a drive of another shape or that is not finite.
            OutputError, CapacityError: a GPU failed; the engine is lost.
        """
        with self._lock:
            pointer, count = self._pointer, (c_size_t * 2)()
            call.engine_counts(pointer, count)
            sources, receivers = count
            if drive is not None:
                drive = numpy.ascontiguousarray(numpy.atleast_2d(numbers("values of drive", drive)))
                if steps == 1:
                    steps = drive.shape[1]
                if drive.shape != (sources, steps):
                    raise errors.InputError(f"drive has the shape {drive.shape}, and there are {sources} sources and "
                                            f"{steps} steps")
                self._expect_finite("drive", drive)
            steps = whole("the number of steps", steps, 0, 2**62)
            try:
                output = numpy.zeros((receivers, steps))
            except (MemoryError, ValueError):
                raise errors.CapacityError(f"{steps} steps of {receivers} receivers do not fit into memory") from None
            self._run(pointer, steps, drive, output)
            return output

    def _run(self, pointer, steps, drive, output):
        """In slices, between which Python sees Ctrl-C."""
        done = 0
        while done < steps:
            part = min(steps - done, max(1, int(_SLICE / self._pace)) if self._pace > 0 else 1)
            some = None if drive is None else numpy.ascontiguousarray(drive[:, done:done + part])
            heard = numpy.empty((output.shape[0], part)) if output.shape[0] > 0 else None
            began = time.perf_counter()
            check(call.engine_run, pointer, part, None if some is None or some.size == 0 else pointer_of(some),
                  None if heard is None else pointer_of(heard))
            self._pace = max((time.perf_counter() - began) / part, 1e-9)
            if heard is not None:
                output[:, done:done + part] = heard
            done += part

    @property
    def steps(self):
        """Number of steps since it was made or reset."""
        with self._lock:
            return call.engine_steps(self._pointer)

    @property
    def time(self):
        """Time of the present field: steps over the room's rate [s]."""
        return self.steps / self._room.rate

    def reset(self):
        """Back to silence and step 0; sources and receivers stay."""
        with self._lock:
            call.engine_reset(self._pointer)

    # ---- the field ----

    def _expect_finite(self, name, values):
        """Also where they are rounded to the precision of the run."""
        with numpy.errstate(over="ignore"):
            rounded = values.astype(self._see(0)[2])
        if not numpy.all(numpy.isfinite(rounded)):
            raise errors.InputError(f"{name} has values that are not finite, or too large for the precision of the run")

    def _see(self, level):
        level = whole("level", level, 0, 1)
        value, length, real = c_void_p(), c_uint64(), c_uint()
        check(call.engine_see, self._pointer, level, byref(value), byref(length), byref(real))
        return value.value, length.value, numpy.dtype(f"f{real.value}")

    def _shape(self, length):
        if self._room.record["layout"] == "blocks":
            return length // EDGE**3, EDGE, EDGE, EDGE
        x, y = (int(n) + 2 for n in self._room.grid.air_high[:2] - self._room.grid.air_low[:2] + 1)
        return length // (x * y), y, x

    def field(self, level=0):
        """The pressure of all nodes, a read-only view without a copy on CPUs; on a GPU a copy, which the caller owns.

        (blocks + 1, 8, 8, 8) of the layout of blocks, by block, z, y, x as ``room.grid.blocks`` has them (block 0 is
        empty); of a box (planes, y, x) with a halo of one node around. float32, float64 with precision "double"; 0
        where there is no air.

        Args:
            level: 0 for u, 1 for u_old.

        The two levels are swapped in every step, so call it again after a step. An old view shows the other level, and
        the field itself again after an even number of steps. It keeps the engine's memory, even if the engine is
        closed.
        """
        with self._lock:
            address, length, dtype = self._see(level)
            field = view(self._engine, address, self._shape(length), dtype)
            return field.copy() if self._room.record["backend"] in ("cuda", "opencl") else field

    def set_field(self, u, u_old=None):
        """Set the field: arrays of the shape of ``field()``. Values at nodes outside the air are ignored;
        they are rounded to the precision of the run. Without u_old it is u: a field at rest. States of walls are not
        changed; after a reset they are 0.

        Raises:
            InputError: another shape, a value that is not finite.
        """
        with self._lock:
            pointer = self._pointer
            shape = self._shape(self._see(0)[1])
            levels = [numbers("values of a field", values) for values in (u, u if u_old is None else u_old)]
            for values in levels:
                if values.shape != shape:
                    raise errors.InputError(f"a field of this engine has the shape {shape}, not {values.shape}")
                self._expect_finite("the field", values)
            for level, values in enumerate(levels):
                check(call.engine_put, pointer, level, values.size, pointer_of(values))

    def pressure(self, places):
        """(n,) pressure now at places (n, 3) [m], interpolated as a receiver does it; NaN outside the air. About thirty
        microseconds a place; use receivers for places that are read in every step."""
        with self._lock:
            place = rows_of_three("places", numbers("places", places))
            value = numpy.empty(len(place))
            check(call.engine_sample, self._pointer, len(place), pointer_of(place), pointer_of(value))
            return value

    def plane(self, axis, at, level=0):
        """The field on the plane of nodes nearest to ``at``.

        Args:
            axis: "x", "y" or "z", across the plane.
            at: where on that axis [m].
            level: as of ``field``.

        Returns:
            (values, first, second): values (n, m) over the box of the air, rows along the second of the two other axes
            in the order x, y, z, NaN outside the air; and the coordinates of the columns (m,) and rows (n,) [m].
            ``values, x, y = engine.plane("z", 1.7)``. O(blocks), and a copy.

        Raises:
            InputError: the plane is beyond the air.
        """
        grid, across, at = self._room.grid, _axis(axis), number("the place of a plane", at)
        if not numpy.isfinite(at):
            raise errors.InputError(f"the place of a plane is {at!r}: give a number of metres")
        first, second = (a for a in range(3) if a != across)
        low, high = grid.air_low, grid.air_high
        node = int(numpy.rint((at - grid.origin[across]) / grid.spacing))
        if not low[across] <= node <= high[across]:
            raise errors.InputError(f"{axis} = {at:g} m is beyond the air, which is from "
                                    f"{grid.origin[across] + grid.spacing * low[across]:.4g} to "
                                    f"{grid.origin[across] + grid.spacing * high[across]:.4g} m")
        shape = high[second] - low[second] + 1, high[first] - low[first] + 1
        values = self._plane_of_blocks(across, first, second, node, low, shape, level) \
            if self._room.record["layout"] == "blocks" else self._plane_of_box(across, node, low, level)
        at_first, at_second = (grid.origin[a] + grid.spacing * numpy.arange(low[a], high[a] + 1)
                               for a in (first, second))
        return values, at_first, at_second

    def _plane_of_blocks(self, across, first, second, node, low, shape, level):
        grid, field = self._room.grid, self.field(level)
        place, tile = grid.blocks["place"], grid.blocks["tile"]
        found = numpy.flatnonzero(place[:, across] == node // EDGE)
        found = found[found > 0]
        # z, y, x: the axis across is taken out, and of the two that stay the second comes first.
        cut = [slice(None), slice(None), slice(None), slice(None)]
        cut[3 - across] = node % EDGE
        pressure = field[found][tuple(cut)].astype(float)
        pressure[~grid.air_of_tiles(tile[found])[tuple(cut)]] = numpy.nan
        start = EDGE * place[found][:, (second, first)] - low[[second, first]]
        margin = numpy.full((shape[0] + 2 * EDGE, shape[1] + 2 * EDGE), numpy.nan)
        for values, (row, column) in zip(pressure, start):
            margin[row + EDGE:row + 2 * EDGE, column + EDGE:column + 2 * EDGE] = values
        return margin[EDGE:EDGE + shape[0], EDGE:EDGE + shape[1]].copy()

    def _plane_of_box(self, across, node, low, level):
        grid = self._room.grid
        counts = grid.air_high - low + 1
        box = self.field(level)[1:counts[2] + 1, 1:-1, 1:-1]
        cut = [slice(None)] * 3
        cut[2 - across] = node - low[across]
        values = box[tuple(cut)].astype(float)
        axes = [low[a] + numpy.arange(counts[a]) if a != across else numpy.array([node]) for a in range(3)]
        z, y, x = numpy.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        index = grid.index(numpy.stack([x, y, z], axis=-1).reshape(-1, 3))
        values[(index == numpy.uint64(2**64 - 1)).reshape(values.shape)] = numpy.nan
        return values

    @property
    def energy(self):
        """Energy of the field and stored in walls, in units in which (joules) = energy h^3 / (rho c^2) for pressures in
        pascals. Between rigid walls without a source it is constant. O(stored nodes)."""
        with self._lock:
            value = c_double()
            check(call.engine_energy, self._pointer, byref(value))
            return value.value

    @property
    def hash(self):
        """A hash of u over the air: equal for every layout, back end and number of threads. O(stored nodes)."""
        with self._lock:
            return call.engine_hash(self._pointer)

    @property
    def bytes(self):
        """Its memory [bytes]."""
        with self._lock:
            return call.engine_bytes(self._pointer)

    @property
    def description(self):
        """"cpu avx512, blocks, single, 2 threads"."""
        with self._lock:
            return text(call.engine_description(self._pointer))

    def __repr__(self):
        return "<transept.Engine: closed>" if self._engine is None else \
            f"<transept.Engine: {self.description}, step {self.steps}>"
