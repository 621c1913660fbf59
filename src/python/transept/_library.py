"""The shared library beside this file, through ctypes, which is part of Python, needs no compiler, and releases the GIL
during every call. One build of the library works with every version of Python."""
import contextlib
import ctypes
import json
import operator
import os
import pathlib
import threading
import weakref
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint, c_uint16, c_uint32, \
    c_uint64, c_void_p

import numpy

from . import errors

_PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_double, c_double, c_char_p, c_char_p)
_WARNING = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
_ANSWER = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Listener(ctypes.Structure):
    """struct listener of src/base/listener.h."""
    _fields_ = [("progress", _PROGRESS), ("warning", _WARNING), ("answer", _ANSWER), ("context", c_void_p)]


def text(data):
    """A text of the library; names from files may hold any bytes."""
    return None if data is None else data.decode("utf-8", "surrogateescape")


def make_listener(progress, warning, answer):
    """Of three Python functions; to be kept as long as the library has it."""
    return Listener(
        _PROGRESS(lambda _, phase, fraction, left, variant, source:
                  progress(text(phase), fraction, left, text(variant), text(source))),
        _WARNING(lambda _, message, advice: warning(text(message), text(advice) or None)),
        _ANSWER(lambda _, answered: answer(text(answered))), None)


@contextlib.contextmanager
def _idle_threads_asleep():
    """Idle threads of OpenMP would take processor time from working ones (main.c does the same);
    OpenMP reads it when it is loaded."""
    name, chosen = "OMP_WAIT_POLICY", {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(os.environ)
    if chosen:
        yield
        return
    os.environ[name] = "passive"
    try:
        yield
    finally:
        del os.environ[name]


with _idle_threads_asleep():
    library = ctypes.CDLL(str(pathlib.Path(__file__).resolve().with_name("libtransept.so")))

_doubles, _texts = POINTER(c_double), POINTER(c_char_p)
_out, _failure = POINTER(c_void_p), c_void_p
_arguments = [c_int, _texts]

# transept.h, in its order: what a function gives, and what it takes.
_SIGNATURES = {
    "version": (c_char_p, []),
    "cuda": (c_char_p, []),
    "failure_bytes": (c_size_t, []),
    "failure_text_bytes": (c_size_t, []),
    "failure_json": (None, [_failure, c_char_p]),
    "failure_sentence": (None, [_failure, c_char_p]),
    "text_free": (None, [c_void_p]),
    "command": (c_int, _arguments + [c_char_p, POINTER(Listener), _failure]),
    "interrupt": (None, []),
    "project_read": (c_int, [c_char_p, c_char_p, POINTER(Listener), _out, _failure]),
    "mesh_read": (c_int, [c_char_p, c_double, c_int, _out, _failure]),
    "mesh_shape": (c_int, [c_char_p, c_size_t, _texts, _texts, _out, _failure]),
    "mesh_make": (c_int, [c_size_t, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, _texts, _out, _failure]),
    "mesh_free": (None, [c_void_p]),
    "mesh_mark": (c_int, [c_void_p, c_int, c_char_p, _doubles, _failure]),
    "mesh_write": (c_int, [c_void_p, c_char_p, _failure]),
    "mesh_counts": (None, [c_void_p, POINTER(c_size_t)]),
    "mesh_vertices": (c_void_p, [c_void_p]),
    "mesh_triangles": (c_void_p, [c_void_p]),
    "mesh_triangle_materials": (c_void_p, [c_void_p]),
    "mesh_material": (c_char_p, [c_void_p, c_size_t]),
    "mesh_marker": (c_char_p, [c_void_p, c_size_t, POINTER(c_int), _doubles]),
    "mesh_areas": (None, [c_void_p, _doubles]),
    "mesh_census": (c_int, [c_void_p, POINTER(c_size_t), _failure]),
    "folder_finish": (c_int, [c_char_p, _failure]),
    "wav_read": (c_int, [c_char_p, POINTER(POINTER(c_float)), POINTER(c_size_t), POINTER(c_int), POINTER(c_int),
                         _failure]),
    "samples_free": (None, [c_void_p]),
    "room_open": (c_int, _arguments + [c_void_p, c_char_p, POINTER(Listener), _out, _failure]),
    "room_free": (None, [c_void_p]),
    "room_record": (c_void_p, [c_void_p]),
    "room_array": (c_int, [c_void_p, c_char_p, _out, POINTER(c_uint64), _failure]),
    "room_index": (None, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "engine_make": (c_int, [c_void_p, _out, _failure]),
    "engine_free": (None, [c_void_p]),
    "engine_add": (c_int, [c_void_p, c_int, _doubles, _failure]),
    "engine_add_point": (c_int, [c_void_p, c_int, c_size_t, _failure]),
    "engine_add_node": (c_int, [c_void_p, c_int, POINTER(c_int64), _failure]),
    "engine_counts": (None, [c_void_p, POINTER(c_size_t)]),
    "engine_run": (c_int, [c_void_p, c_uint64, c_void_p, c_void_p, _failure]),
    "engine_steps": (c_uint64, [c_void_p]),
    "engine_reset": (None, [c_void_p]),
    "engine_see": (c_int, [c_void_p, c_int, _out, POINTER(c_uint64), POINTER(c_uint), _failure]),
    "engine_put": (c_int, [c_void_p, c_int, c_uint64, c_void_p, _failure]),
    "engine_sample": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, _failure]),
    "engine_energy": (c_int, [c_void_p, _doubles, _failure]),
    "engine_hash": (c_uint64, [c_void_p]),
    "engine_bytes": (c_uint64, [c_void_p]),
    "engine_description": (c_char_p, [c_void_p]),
}


# Numbers in text have a point, whatever locale the caller has set (LC_NUMERIC): in the calling thread, for a call.
_libc = ctypes.CDLL(None)
_libc.newlocale.restype = _libc.uselocale.restype = c_void_p
_libc.newlocale.argtypes, _libc.uselocale.argtypes = [c_int, c_char_p, c_void_p], [c_void_p]
_LC_NUMERIC_MASK = 1 << 1
_plain_numbers = _libc.newlocale(_LC_NUMERIC_MASK, b"C", None)


def _bind(name, gives, takes):
    function = getattr(library, "transept_" + name)
    function.restype, function.argtypes = gives, takes

    def with_plain_numbers(*arguments):
        before = _libc.uselocale(_plain_numbers)
        try:
            return function(*arguments)
        finally:
            _libc.uselocale(before)

    return with_plain_numbers


call = type("call", (), {name: staticmethod(_bind(name, *signature)) for name, signature in _SIGNATURES.items()})
_FAILURE_BYTES, _TEXT_BYTES = call.failure_bytes(), call.failure_text_bytes()


def exception_of(status, failure):
    """The exception for a status other than 0 and its struct failure."""
    line = ctypes.create_string_buffer(_TEXT_BYTES)
    call.failure_sentence(failure, line)
    sentence = text(line.value)
    call.failure_json(failure, line)
    report = json.loads(text(line.value), strict=False)["error"]
    kind = errors.BY_STATUS.get(status, errors.TranseptError)
    return kind(sentence, report["message"], report["advice"], report["fix"], report["notes"], report["subject"])


def new_failure():
    return ctypes.create_string_buffer(_FAILURE_BYTES)


def check(function, *arguments):
    """Call a function whose last argument is a failure; raises it as an exception."""
    failure = new_failure()
    status = function(*arguments, failure)
    if status != 0:
        raise exception_of(status, failure)


def taken(pointer):
    """A text that the library gives to its caller, or None."""
    if not pointer:
        return None
    try:
        return text(ctypes.string_at(pointer))
    finally:
        call.text_free(pointer)


def path_of(value):
    """A path as text or bytes."""
    try:
        return os.fspath(value)
    except TypeError:
        raise errors.InputError(f"{value!r} is not a name or a path") from None


def encoded(value):
    """A text or path as the library takes it; C would end it at a zero byte."""
    data = os.fsencode(path_of(value))
    if b"\0" in data:
        raise errors.InputError(f"{value!r} holds a zero byte, which no name and no path has")
    return data


def texts(values):
    """An array of C strings."""
    return (c_char_p * max(len(values), 1))(*values)


class Handle:
    """An object of the library. It is freed when nothing needs it any more: no object of this package, and no array
    that views it. `keeps` are handles that must be freed later than this one."""

    def __init__(self, pointer, free, *keeps):
        self.pointer = pointer
        finalizer = weakref.finalize(self, Handle._free, free, pointer, keeps)
        finalizer.atexit = False  # arrays may still be looked at then, and the process gives everything back

    @staticmethod
    def _free(free, pointer, keeps):
        free(pointer)
        del keeps


class _Memory:
    """Memory in an object of the library, for numpy, which keeps this object and so the library's."""

    def __init__(self, handle, address, shape, dtype):
        self.handle = handle
        self.__array_interface__ = {"version": 3, "shape": tuple(shape), "data": (address, True),
                                    "typestr": dtype.str, "descr": dtype.descr}


def view(handle, address, shape, dtype):
    """An array of that memory, without a copy, that cannot be written to."""
    dtype = numpy.dtype(dtype)
    if not address:
        return numpy.zeros(shape, dtype)
    array = numpy.asarray(_Memory(handle, address, shape, dtype))
    return array if array.dtype == dtype else array.view(dtype).reshape(shape)


def write_whole(path, data):
    """Put bytes at a path, whole or not at all. A link there is replaced, and its target is not changed."""
    path = os.path.abspath(os.fsdecode(path_of(path)))
    temporary = os.path.join(os.path.dirname(path), f".transept-{os.getpid()}-{threading.get_ident()}.part")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(0, "it exists and is not a file")
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, path)
    except (OSError, ValueError) as reason:
        with contextlib.suppress(OSError, ValueError):
            os.unlink(temporary)
        why = reason.strerror if isinstance(reason, OSError) else reason
        raise errors.OutputError(f"{path} could not be written: {why}") from None


def pointer_of(array):
    return array.ctypes.data_as(c_void_p)


def numbers(what, value):
    """An array of float64."""
    try:
        if not numpy.iscomplexobj(value):
            return numpy.ascontiguousarray(value, dtype=numpy.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise errors.InputError(f"{what} are {value!r}: give numbers") from None


def number(what, value):
    """One of them."""
    array = numbers(what, value)
    if array.size != 1:
        raise errors.InputError(f"{what} is {value!r}: give one number")
    return float(array.reshape(-1)[0])


def listed(what, values):
    try:
        return list(values)
    except TypeError:
        raise errors.InputError(f"{what} are {values!r}: give a list") from None


def whole(what, value, low, high):
    """A whole number within limits."""
    try:
        number = operator.index(value)
    except TypeError:
        try:  # 3.0 is one, too
            number = int(value) if not isinstance(value, (str, bytes)) and int(value) == value else None
        except (TypeError, ValueError, OverflowError):
            number = None
    if number is None or not low <= number <= high:
        raise errors.InputError(f"{what} is {value!r}: give a whole number from {low} to {high}")
    return number


def whole_numbers(what, value):
    """An array of int64."""
    try:
        array = numpy.asarray(value)
        if array.size == 0 or numpy.can_cast(array.dtype, numpy.int64, "same_kind") and array.dtype != bool:
            return numpy.ascontiguousarray(array, dtype=numpy.int64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise errors.InputError(f"{what} are {value!r}: give whole numbers of 64 bits") from None


def rows_of_three(what, array):
    """(n, 3) of an array of any shape that has as many."""
    if array.size % 3 != 0 or (array.ndim > 1 and array.shape[-1] != 3):
        raise errors.InputError(f"{what} have the shape {array.shape}, not (n, 3)")
    return array.reshape(-1, 3)


def position(value):
    """Three coordinates as the library takes them."""
    place = numbers("coordinates", value)
    if place.shape != (3,) or not numpy.all(numpy.isfinite(place)):
        raise errors.InputError(f"{value!r} is not a position: give x, y and z in metres")
    return (c_double * 3)(*place)


__all__ = ["Handle", "call", "byref", "check", "c_double", "c_float", "c_int", "c_int64", "c_size_t", "c_uint",
           "c_uint16", "c_uint32", "c_uint64", "c_void_p", "POINTER"]
