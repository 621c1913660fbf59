"""Whole runs, and the other commands of the program."""
import contextlib
import csv
import ctypes
import json
import os
import pathlib

import numpy

from . import errors
from ._calls import arguments, command
from ._library import POINTER, byref, c_float, c_int, c_size_t, call, check, encoded, numbers, path_of, write_whole
from .meshes import Mesh
from .rooms import room_words

_FORMAT = 1  # of a run.json: RUN_FORMAT in src/run_folder/run_model.h

# ---- sounds ----


def read_wav(path):
    """Read a WAV file of any form that the program reads.

    Returns:
        (samples, rate): float32, (frames,) of one channel and (frames, channels) of more, full scale 1; rate [Hz].

    Raises:
        InputError: no such file, no WAV, cut off, a sample that is not finite.
    """
    sample, frames, channels, rate = POINTER(c_float)(), c_size_t(), c_int(), c_int()
    check(call.wav_read, encoded(path), byref(sample), byref(frames), byref(channels), byref(rate))
    try:
        samples = numpy.ctypeslib.as_array(sample, (frames.value, channels.value)).copy()
    finally:
        call.samples_free(ctypes.cast(sample, ctypes.c_void_p))
    return (samples[:, 0] if channels.value == 1 else samples), rate.value


# ---- what a run leaves ----

FIGURES = ("edt_s", "t20_s", "t30_s", "c50_db", "c80_db", "d50", "ts_s", "g_db")


_BARS = ("_scattering", "_error", "_absorption")  # of figures, in run.json


def _numbers(values):
    return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)


def _figures(entry):
    """Every value by octave of an object of run.json but for _bars(); figures first."""
    count = len(entry["octaves_hz"])
    named = [*FIGURES, *(name for name in entry if name not in FIGURES)]
    return {name: _numbers(entry[name]) for name in named
            if isinstance(entry.get(name), list) and len(entry[name]) == count and
            all(value is None or isinstance(value, (int, float)) for value in entry[name])
            and name not in ("octaves_hz", "nominal_hz") and not name.endswith(_BARS)}


def _bars(entry, ending):
    """{figure: (octaves,)} of its members whose names end so."""
    return {name[:-len(ending)]: _numbers(values) for name, values in entry.items()
            if name.endswith(ending) and isinstance(values, list)}


@contextlib.contextmanager
def _record_of(folder):
    """Refuses a run.json with missing members or wrong types."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as reason:
        if isinstance(reason, errors.InputError):
            raise
        raise errors.InputError(f"{folder / 'run.json'} is not the record of a run: {reason!r}") from None
    except OSError as reason:
        raise errors.InputError(f"{reason.filename} cannot be read: {reason.strerror}") from None


def _file_in(folder, name):
    """A file that run.json names, which is in the folder of the run and nowhere else."""
    if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\0" in name:
        raise errors.InputError(f"{folder / 'run.json'} names the file {name!r}, which is not in its folder")
    return folder / name


class Response:
    """The sound of one source at one receiver.

    Attributes:
        source, receiver: their names.
        path: of the WAV file.
        nominal_hz: (octaves,) names of the octaves that ``figures`` have: 63, 125, ..
        figures: {name: (octaves,) float64}, NaN where the response is too short, too noisy or too low in frequency:
            edt_s, t20_s, t30_s, c50_db, c80_db, d50, ts_s, g_db (ISO 3382-1), and further values by octave.
        from_: (octaves,) texts, "waves" or "rays": where figures are from.
        errors: {name: (octaves,)} error bars of figures: nine of ten responses are within; NaN where there is none.
        scattering: the same, of rays alone, NaN of waves; by how much figures change with half or twice the
            scattering, a part of the error. Empty for a run without rays.
        why: reasons for the absent ones, as run.json has them.
        distance: between the two [m]; onset: when sound arrives [s].
        record: all of it, as it is in run.json: a dict.
    """

    def __init__(self, folder, entry):
        self.record = entry
        self.source, self.receiver = entry["source"], entry["receiver"]
        self.path = _file_in(folder, entry["file"])
        self.nominal_hz = numpy.array(entry["nominal_hz"])
        self.figures, self.why = _figures(entry), entry["why"]
        self.from_ = numpy.array(entry.get("from", ["waves"] * len(self.nominal_hz)), dtype=str)
        self.errors, self.scattering = _bars(entry, "_error"), _bars(entry, "_scattering")
        self.distance, self.onset = entry["distance_m"], entry["onset_s"]
        self._sound = None

    def _read(self):
        if self._sound is None:
            self._sound = read_wav(self.path)
        return self._sound

    @property
    def samples(self):
        """(n,) float32, read once and kept. Sample 0 is the emission. Calibrated: in free field at r metres the
        magnitude of sum x[n] exp(-2 pi i f n / rate) is 1 / r from 30 Hz to the run's ``highest``."""
        return self._read()[0]

    @property
    def rate(self):
        """Of the samples [Hz]: 48000."""
        return self._read()[1]

    def __repr__(self):
        return f"<transept.Response: {self.source} at {self.receiver}, {self.distance:.3g} m>"


class Map:
    """Figures of the points of a receiver grid, of one source.

    Attributes:
        source, grid: names.
        positions: (points, 3) of the ears [m].
        nominal_hz: (octaves,).
        figures: {name: (points, octaves) float64}; NaN if absent.
        path: of the responses' WAV, a channel for each point; record: as in run.json.
    """

    def __init__(self, folder, grid, entry):
        self.record, self.source, self.grid = entry, entry["source"], grid["name"]
        self.path, self.nominal_hz = _file_in(folder, entry["file"]), numpy.array(entry["nominal_hz"])
        self.positions = numpy.array(grid["positions_m"], dtype=float).reshape(-1, 3)
        with open(_file_in(folder, entry["table"]), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.figures = {
            figure: numpy.array([[float(row[f"{figure}_{hz}"] or "nan") for hz in entry["nominal_hz"]] for row in rows])
            for figure in FIGURES if rows and f"{figure}_{entry['nominal_hz'][0]}" in rows[0]}

    def __repr__(self):
        return f"<transept.Map: {self.source} over {self.grid}, {len(self.positions)} points>"


class Run:
    """A finished run, from its folder: ``Run("church")``; what ``run`` returns.

    Attributes:
        folder: a Path.
        record: all of run.json, a dict: every parameter and figure, enough to repeat the run.

    Results that wait in the folder because their run was killed are moved into place first, as every command does.

    Raises:
        InputError: no folder of a run, or a record that names files elsewhere.
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(path_of(folder))
        check(call.folder_finish, encoded(folder))
        try:
            self.record = json.loads((self.folder / "run.json").read_text(encoding="utf-8", errors="surrogateescape"))
        except FileNotFoundError:
            raise errors.InputError(f"{self.folder} holds no run: it has no run.json") from None
        except OSError as reason:
            raise errors.InputError(f"{self.folder} holds no run that can be read: {reason.strerror}") from None
        except ValueError:
            raise errors.InputError(f"{self.folder / 'run.json'} is not JSON") from None
        if not isinstance(self.record, dict) or "responses" not in self.record:
            raise errors.InputError(f"{self.folder / 'run.json'} is not the record of a run")
        if self.record.get("format") != _FORMAT:
            raise errors.InputError(f"{self.folder / 'run.json'} was written by another version of transept")

    @property
    def responses(self):
        """List of Response, sources in order, within them receivers."""
        with _record_of(self.folder):
            return [Response(self.folder, entry) for entry in self.record["responses"]]

    def response(self, source, receiver):
        """The one of these two names.

        Raises:
            InputError: it does not exist; the existing ones are listed.
        """
        with _record_of(self.folder):
            for entry in self.record["responses"]:
                if (entry["source"], entry["receiver"]) == (source, receiver):
                    return Response(self.folder, entry)
            there = ", ".join(f"{entry['source']} at {entry['receiver']}" for entry in self.record["responses"])
        raise errors.InputError(f"{self.folder} has no response of {source} at {receiver}; it has {there or 'none'}")

    @property
    def maps(self):
        """List of Map: receiver grids, within them sources."""
        with _record_of(self.folder):
            return [Map(self.folder, grid, entry) for grid in self.record.get("grids", [])
                    for entry in grid.get("maps", [])]

    @property
    def means(self):
        """Mean figures of all responses, {name: (octaves,)}; octaves in ``nominal_hz``."""
        with _record_of(self.folder):
            return _figures(self.record["means"])

    @property
    def nominal_hz(self):
        """(octaves,) of ``means``."""
        with _record_of(self.folder):
            return numpy.array(self.record["means"]["nominal_hz"])

    @property
    def fmax(self):
        """Highest frequency [Hz]."""
        return self.record["fmax_hz"]

    @property
    def highest(self):
        """Highest frequency of the responses [Hz]: ``fmax``, or with rays the upper edge of the octave of 16 kHz."""
        return self.calibration["to_hz"]

    @property
    def rays(self):
        """How rays are joined to the waves, or None without rays: a dict with ``crossover_hz``, ``octave_hz``, in which
        both are known, and ``sources``, a list: each has ``source``, ``rays``, ``level_db`` and ``decay_jnd`` (of the
        rays over the waves, means), ``correction_db`` by octave."""
        return self.record.get("rays")

    @property
    def calibration(self):
        """What a sample means: a dict, with ``rate_hz``, ``from_hz``, ``to_hz``, ``time_zero``."""
        return self.record["calibration"]

    @property
    def partial(self):
        """True if it was stopped before its end."""
        return self.record["partial"]

    @property
    def warnings(self):
        """List of texts."""
        return self.record["warnings"]

    def __repr__(self):
        return f"<transept.Run {str(self.folder)!r}: {len(self.record['responses'])} responses to {self.fmax:g} Hz>"


# ---- commands ----


def _room_of_a_file(room):
    if isinstance(room, Mesh):
        raise errors.InputError("a run is of a model that can be read again: write the mesh to a file first, "
                                "mesh.write('hall.obj'), and run that")
    word, project, _ = room_words(room)
    return word, project


def _of_a_room(name, room, progress, options):
    word, project = _room_of_a_file(room)
    return json.loads(command([name, *arguments(options), b"--", word], project, progress), strict=False)


def run(room, output, progress=None, **options):
    """Simulate a room: what ``transept simulate`` does, in this process.

    Args:
        room: path of a model or a project, or a Project.
        output: the folder for the results, new or empty (or ``force=True``).
        progress: called with a Progress when a phase begins and ends and some five times a second between, in this
            thread. If it returns False or raises, the run stops within about half a second and keeps its results so
            far, as after Ctrl-C.
        **options: as of the command line, by their names: ``fmax=710``, ``source="pulpit"``, ``quality="draft"``,
            ``absorption={"timber_roof": 0.3}``, ``receiver_grid={"nave": "stone_floor"}``, ``duration=2``,
            ``variant="full"``, ``repeat_shifted=True`` ..: ``transept simulate --help`` has all. True is an option
            without a value.

    Returns:
        A Run; with ``variant="all"`` a dict of them by variant, "base" first.

    Raises:
        InputError, CapacityError: before anything is computed or the folder is made.
        SimulationError, OutputError: results so far are in the folder, marked partial.
        Interrupted: ``progress`` returned False. Results so far stay (``discard=True``: none do): ``Run(output)`` has
            them if responses were made, and the same call resumes it if there was a checkpoint.
        KeyboardInterrupt, and what ``progress`` raised: likewise.

    A process makes one run at a time, and other threads wait; use processes for several runs at once. A run uses all
    cores unless ``threads=..`` is given. Warnings are RoomWarning. A GPU that hangs ends the
    process with status 5, since no call to its driver would return.
    """
    if "o" in options or "output" in options:
        raise errors.InputError("the folder for results is the second argument")
    record = _of_a_room(b"simulate", room, progress, {"output": path_of(output), **options})
    if "variants" in record:
        return {name: Run(pathlib.Path(os.fspath(output)) / name) for name in record["variants"]}
    return Run(output)


def plan(room, progress=None, **options):
    """Memory and time of a run before it is made: the object of ``transept plan --json``, a dict with ``fits``,
    ``bytes_peak``, ``seconds_predicted``, ``affordable_fmax_hz``, ``sabine_s`` .. Options as of ``run``."""
    return _of_a_room(b"plan", room, progress, options)


class Rays:
    """Figures from energy along rays: of one source at a receiver or a point of a receiver grid.

    Attributes:
        source, receiver: names; receiver is None for a point of a grid.
        position: (3,) [m]; radius: of the sphere in which rays are counted, 0 if a surface is too near for figures [m].
        nominal_hz: (octaves,) 63 to 16000, empty without figures.
        figures: {name: (octaves,) float64} as of a Response.
        noise, scattering, errors: {name: (octaves,)} standard error by the number of rays; change with half or twice
            the scattering; error bar of a single response, which has both and interference.
        sti: speech transmission index; None without figures.
        record: all of it: a dict.
    """

    def __init__(self, entry):
        self.record, self.source, self.receiver = entry, entry["source"], entry.get("receiver")
        self.position, self.radius = numpy.array(entry["position_m"], dtype=float), entry["radius_m"]
        self.nominal_hz, self.sti = numpy.array(entry.get("nominal_hz", [])), entry.get("sti")
        self.figures = _figures(entry) if "octaves_hz" in entry else {}
        self.errors, self.scattering = _bars(entry, "_error"), _bars(entry, "_scattering")
        self.noise = {name: _numbers(values) for name, values in entry.get("noise", {}).items()}

    def __repr__(self):
        return f"<transept.Rays: {self.source} at {self.receiver or tuple(self.position)}>"


def rays(room, progress=None, **options):
    """Figures in all octaves within seconds, by energy along rays: what ``transept rays`` does, without a run.

    Args:
        room, progress: as of ``run``.
        **options: of ``transept rays``: ``ray_noise=3``, ``receiver_grid="audience"``, ``absorption={..}`` ..

    Returns:
        List of Rays: sources in order, within them receivers and points of receiver grids.

    Raises:
        CapacityError: the program was built without Embree.
    """
    return [Rays(entry) for entry in _of_a_room(b"rays", room, progress, options)["responses"]]


def check_model(room, progress=None, **options):
    """Is a model fit: the object of ``transept check --json``, a dict with ``verdict`` ("fit", ..), ``findings``,
    ``leaks``, ``cavities``, ``materials``. An unfit model raises no exception."""
    return _of_a_room(b"check", room, progress, options)


def analyse(*files, progress=None, **options):
    """Figures of ISO 3382-1 of any responses: the object of ``transept analyse --json``, a dict with ``responses``.

    Args:
        *files: WAV files, or folders of runs.
    """
    words = [encoded(file) for file in files]
    return json.loads(command([b"analyse", *arguments(options), b"--", *words], None, progress), strict=False)


def compare(*folders, progress=None, **options):
    """What a listener would notice between runs: the object of ``transept compare --json``, a dict with
    ``comparisons``: each with ``first``, ``second``, ``finding``, ``figures``."""
    words = [encoded(folder) for folder in folders]
    return json.loads(command([b"compare", *arguments(options), b"--", *words], None, progress), strict=False)


def report(*folders, progress=None, **options):
    """Write the page of one run or of several; the object of ``transept report --json``, a dict with ``page``, its
    path, and ``data``."""
    words = [encoded(folder) for folder in folders]
    return json.loads(command([b"report", *arguments(options), b"--", *words], None, progress), strict=False)


def export(folder, output, **options):
    """Write the responses of a run into one file, ``output``: .sofa (AES69, with the room as .dae next to it) for those
    of receivers, .h5 (HDF5) for those of receiver grids. The object of ``transept export --json``, a dict.

    Raises:
        InputError: there is a file of that name (``force=True`` replaces it), or the run has none of those responses.
    """
    words = [b"export", *arguments({"output": path_of(output), **options}), b"--", encoded(folder)]
    return json.loads(command(words), strict=False)


def materials():
    """The library of materials: {name: dict} with ``absorption``, (8,) float64 from 63 Hz to 8 kHz, ``kind``,
    ``aliases``, ``source`` (of ``sources`` in ``transept materials --json``), ``extended_hz``; where it is known
    ``scattering``, (9,) float64 from 63 Hz to 16 kHz."""
    library = json.loads(command([b"materials"]), strict=False)
    return {one["name"]: {key: numpy.array(value, dtype=float) if key in ("absorption", "scattering") else value
                          for key, value in one.items()}
            for one in library["materials"]}


OCTAVES = (63, 125, 250, 500, 1000, 2000, 4000, 8000)
SCATTERING_OCTAVES = (*OCTAVES, 16000)


def shares(what, name, values, octaves):
    """One number or one for each of ``octaves``, all from 0 to 1, as texts for all octaves."""
    value = numbers(f"{what} of {name}", values).reshape(-1)
    if len(value) not in (1, len(octaves)) or not numpy.all((value >= 0) & (value <= 1)):
        raise errors.InputError(f"{what} of {name} is {values!r}: give one number from 0 to 1, or one for each of "
                                f"{len(octaves)} octaves from 63 Hz to {octaves[-1] // 1000} kHz")
    return [repr(float(one)) for one in numpy.broadcast_to(value, len(octaves))]


def write_materials(path, absorptions, scattering=None):
    """Write a file of materials for ``materials=path`` of a run or room; it takes precedence over the
    program's library.

    Args:
        path: of the .csv; replaced.
        absorptions: {name of a material of the model: random-incidence absorption, one number or eight of them, from
            63 Hz to 8 kHz, 0 to 1}.
        scattering: {name of some of these: random-incidence scattering coefficient, one number or nine of them, from
            63 Hz to 16 kHz, 0 to 1}.

    Raises:
        InputError: another number of values, one that is not from 0 to 1, a name that a table cannot hold, scattering
            for a name without absorption.
        OutputError: it cannot be written.
    """
    rows, scattering = [], {} if scattering is None else scattering
    for what, given in (("absorptions", absorptions), ("scattering", scattering)):
        if not isinstance(given, dict):
            raise errors.InputError(f"{what} are {given!r}: give a dict of names")
    for name in scattering:
        if name not in absorptions:
            raise errors.InputError(f"scattering of {name!r} is given without absorption: a table needs both")
    for name, values in absorptions.items():
        row = shares("absorption", name, values, OCTAVES)
        if scattering:
            row += (shares("scattering", name, scattering[name], SCATTERING_OCTAVES) if name in scattering
                    else [""] * len(SCATTERING_OCTAVES))
        if not isinstance(name, str) or not name or any(letter in name for letter in ',"\r\n;'):
            raise errors.InputError(f"a material called {name!r} does not fit into a table: rename it in the model")
        rows.append([name, *row])
    heading = ["material", *map(str, OCTAVES), *(f"scattering {hz}" for hz in SCATTERING_OCTAVES if scattering)]
    lines = [",".join(row) + "\n" for row in [heading, *rows]]
    write_whole(path, "".join(lines).encode("utf-8", "surrogateescape"))
