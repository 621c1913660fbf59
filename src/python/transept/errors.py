"""Failures, as exceptions.

Each has the program's message: one sentence, the remedy, and the kind of its exit status (the manual's page
machine.md). Advice names options of the command line: ``--fmax`` is the keyword
``fmax`` here, ``--grid-spacing`` is ``grid_spacing``.
"""


class TranseptError(Exception):
    """Any failure of the library; the subclasses below are its kinds.

    Attributes:
        kind: ``"input"``, ``"capacity"``, ``"simulation"``, ``"output"``, ``"interrupted"`` or ``"no"``.
        status: the exit status that the program ends with for it (2, 3, 4, 5, 130, 1).
        message: what happened, one sentence.
        advice: the remedy, or None.
        fix: the remedy as a dict of a project's ``key`` and its ``value``, or None.
        notes: further facts, a list of texts.
        subject: its cause: a list of dicts with one of ``file`` (and ``line``), ``option``, ``material``,
            ``position``.
    """

    kind = "failed"
    status = None

    def __init__(self, sentence, message=None, advice=None, fix=None, notes=(), subject=()):
        super().__init__(sentence)
        self.message = sentence if message is None else message
        self.advice = advice
        self.fix = fix
        self.notes = list(notes)
        self.subject = list(subject)


class AnswerNo(TranseptError):
    """A negative result, without an object of details."""

    kind = "no"
    status = 1


class InputError(TranseptError, ValueError):
    """Wrong usage or input: a missing or broken file, a leak, a position in a wall, an option out of its limits."""

    kind = "input"
    status = 2


class CapacityError(TranseptError, MemoryError):
    """It does not fit this machine, or the device is missing; raised before anything large is allocated."""

    kind = "capacity"
    status = 3


class SimulationError(TranseptError):
    """The simulation went wrong: a field that is not finite, energy that grew."""

    kind = "simulation"
    status = 4


class OutputError(TranseptError):
    """Writing results failed, or the GPU failed."""

    kind = "output"
    status = 5


class Interrupted(TranseptError):
    """A progress callback returned False. (Ctrl-C is KeyboardInterrupt, and an exception of the callback itself.)"""

    kind = "interrupted"
    status = 130


class RoomWarning(UserWarning):
    """A warning of the program, through Python's ``warnings``; ``advice`` is the remedy, or None."""

    def __init__(self, message, advice=None):
        super().__init__(message if not advice else f"{message}; {advice}")
        self.advice = advice


BY_STATUS = {kind.status: kind for kind in (AnswerNo, InputError, CapacityError, SimulationError, OutputError,
                                            Interrupted)}
