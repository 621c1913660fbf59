"""From keywords to the program's options, and long calls in a thread of their own, so that Ctrl-C and callbacks work
meanwhile."""
import collections
import math
import os
import queue
import sys
import threading
import warnings

import numpy

from . import errors
from ._library import byref, call, encoded, exception_of, make_listener, new_failure, texts

Progress = collections.namedtuple("Progress", "phase fraction seconds_left variant source")
Progress.__doc__ = """How far a command has come: what a progress callback is given.

phase: a word: "model", "survey", "grid", "engine", "steps", "responses", "maps", "record" ..
fraction: 0 to 1 of the phase; never falls within one.
seconds_left: of the phase, or None if unknown.
variant, source: whose it is, or None.
"""

# ---- options ----


def _number(value):
    return isinstance(value, (int, float, numpy.number)) and not isinstance(value, (bool, numpy.bool_))


def _list(value):
    return isinstance(value, (list, tuple, numpy.ndarray))


def _word(name, value):
    """One value as it would be typed."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, numpy.integer)) and not isinstance(value, bool):
        return str(int(value))
    if _number(value):
        return repr(float(value))
    if _list(value) and len(value) > 0 and all(_list(item) for item in value):  # the corners of an area
        return ";".join(_word(name, item) for item in value)
    if _list(value) and len(value) > 0:
        return ",".join(_word(name, item) for item in value)
    raise errors.InputError(f"{name}={value!r}: give a number, a text, a tuple of numbers, a list of these, or a dict")


def _values(name, value):
    """Each time that the option is given."""
    if isinstance(value, dict):
        return [f"{key}={_word(name, item)}" for key, item in value.items()]
    if _list(value) and len(value) > 0 and not _number(value[0]):
        return [_word(name, item) for item in value]
    if _list(value) and len(value) == 0:
        return []
    return [_word(name, value)]


def arguments(options):
    """{"grid_spacing": 0.5} -> [b"--grid-spacing=0.5"].

    True is an option without a value; None and False leave it out. A tuple or list of numbers (a name may end it) is
    one value, a position; a list of anything else is the option given once for each; so is a dict, as KEY=VALUE.
    """
    given = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            given.append(encoded(option))
            continue
        given += [encoded(f"{option}={word}") for word in _values(name, value)]
    return given


# ---- calls that take long ----

# The interruption, the progress and the project in memory are of the process (transept.h), so is this.
_one_at_a_time = threading.Lock()
_within = threading.local()  # a callback of this thread is at work


def refuse_within_callback(deed):
    if getattr(_within, "callback", False):
        raise RuntimeError(f"a progress callback must not {deed}: a call is still running")


class _Interruption(Exception):
    """A callback returned False."""


def _report(progress, state):
    if progress is None:
        return
    _within.callback = True
    try:
        answer = progress(state)
    finally:
        _within.callback = False
    if answer is False:
        raise _Interruption


def _level_of_caller():
    """For warnings: the number of frames of this package on the stack."""
    frame, level = sys._getframe(1), 1
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        frame, level = frame.f_back, level + 1
    return level


def _hear(heard, progress, answers, stop=None):
    """Handles the messages of the other thread until it has ended. Callbacks run here, in the caller's thread."""
    while True:
        if stop is not None:
            stop()
        try:
            kind, content = heard.get(timeout=0.2)  # Ctrl-C is seen at least so often, whatever thread it came to
        except queue.Empty:
            continue
        if kind == "ended":
            return content
        if kind == "progress":
            _report(progress, content)
        elif kind == "warning":
            warnings.warn(content, stacklevel=_level_of_caller())
        else:
            answers.append(content)


def run_long(work, progress=None):
    """Run `work(listener, failure)`, which gives a status and a result, in a thread of its own.

    Returns (status, failure, result, texts of JSON that it printed). KeyboardInterrupt, and whatever `progress`
    raises, first stop the work, which keeps its results so far, and are raised when it has ended. If `progress` returns
    False, the status is that of an interruption, unless the work ended before it could stop.
    """
    refuse_within_callback("start another run or room")
    heard, answers = queue.SimpleQueue(), []
    guard, at_work, stopped = threading.Lock(), False, False
    failure = new_failure()
    listener = make_listener(
        lambda phase, fraction, left, variant, source:
        heard.put(("progress", Progress(phase, fraction, None if math.isnan(left) else left, variant, source))),
        lambda message, advice: heard.put(("warning", errors.RoomWarning(message, advice))),
        lambda answer: heard.put(("answer", answer)))

    def begins():
        nonlocal at_work
        with guard:
            at_work = not stopped
            return at_work

    def run():
        nonlocal at_work
        ended = (-1, None)
        try:
            with _one_at_a_time:  # Ctrl-C comes to another thread: whatever it cuts short, the lock is given back
                try:
                    if begins():
                        ended = work(byref(listener), failure)
                finally:
                    with guard:
                        at_work = False
        finally:
            heard.put(("ended", ended))

    def stop():
        nonlocal stopped
        with guard:
            stopped = True
            if at_work:  # else it would be another one that is stopped
                call.interrupt()

    worker = threading.Thread(target=run, name="transept")
    try:
        worker.start()
        status, result = _hear(heard, progress, answers)
    except BaseException as reason:
        stop()
        if worker.ident is None:  # it has not begun, and finds nothing to do if it does
            raise
        status, result = _hear(heard, None, answers, stop)
        if isinstance(reason, _Interruption):
            return status, failure, result, answers
        if status > 0 and hasattr(reason, "add_note"):
            reason.add_note(str(exception_of(status, failure)))
        raise
    return status, failure, result, answers


def command(words, project=None, progress=None):
    """Run a command of the program. Returns its JSON object as text, or None without one."""
    argument = texts(words)

    def work(listener, failure):
        return call.command(len(words), argument, project, listener, failure), None

    status, failure, _, answers = run_long(work, progress)
    if status not in (0, 1) or (status == 1 and not answers):
        raise exception_of(status, failure)
    return answers[-1] if answers else None
