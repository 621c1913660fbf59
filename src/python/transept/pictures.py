"""A picture of an array as PNG, with numpy and the standard library alone."""
import struct
import zlib

import numpy

from . import errors
from ._library import number, numbers, whole, write_whole

# Blue through white to red: ends and middle of ColorBrewer's RdBu.
_NEGATIVE, _MIDDLE, _POSITIVE, _ABSENT = (33, 102, 172), (247, 247, 247), (178, 24, 43), (70, 70, 70)


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path, values, limit=None, scale=1):
    """Write a picture of values around 0, such as a plane of pressures: blue below, red above, grey where NaN.

    Args:
        path: of the file; replaced.
        values: (rows, columns); row 0 is at the bottom, as y points up.
        limit: magnitude with full colour; the largest one by default.
        scale: pixels a value, each way.

    Raises:
        InputError: an array that is empty or not two-dimensional; a scale that is not a whole number from 1 on.
        OutputError: it cannot be written.
    """
    values = numbers("values of a picture", values)
    scale = whole("scale", scale, 1, 10000)
    if values.ndim != 2 or values.size == 0:
        raise errors.InputError(f"a picture is made of rows and columns, and these values have the shape "
                                f"{values.shape}")
    absent = numpy.isnan(values)
    limit = number("limit", numpy.max(numpy.abs(values[~absent]), initial=0) if limit is None else limit)
    if not limit >= 0:
        raise errors.InputError(f"limit is {limit!r}: give a number from 0 on")
    share = numpy.clip(numpy.where(absent, 0, values) / (limit or 1), -1, 1)[..., None]
    middle = numpy.array(_MIDDLE, float)
    colour = middle + numpy.abs(share) * (numpy.where(share > 0, _POSITIVE, _NEGATIVE) - middle)
    colour[absent] = _ABSENT
    pixel = numpy.rint(colour).astype(numpy.uint8)[::-1].repeat(scale, axis=0).repeat(scale, axis=1)
    height, width = pixel.shape[:2]
    rows = numpy.concatenate([numpy.zeros((height, 1), numpy.uint8), pixel.reshape(height, 3 * width)], axis=1)
    data = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + \
        _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + _chunk(b"IEND", b"")
    write_whole(path, data)
