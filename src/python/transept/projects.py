"""Projects: everything about a run in one file, with variants."""
import json
import os

from . import errors
from ._calls import run_long
from ._library import byref, c_void_p, call, encoded, exception_of, path_of, taken


class Project:
    """A project, from its file or from a dict with the keys of rooms/PROJECT.md.

    A dict need not be written anywhere: paths in it are taken from the current folder, and a run of it keeps its text
    in ``run.json``. A project is accepted wherever a room is.

    Args:
        content: the path of a .yaml, or a dict: ``Project({"room": "hall.obj", "materials": {"wall": 0.1}})``.

    Raises:
        InputError: invalid JSON; an unknown or repeated key, or a wrong value, with file, line and key; further mistakes
            are in ``notes``. Only mistakes that need the room itself are found later.
    """

    def __init__(self, content):
        if isinstance(content, (str, os.PathLike)):
            self.path, self.content = os.fsdecode(content), None
            if not self.path.lower().endswith((".yaml", ".yml")):
                raise errors.InputError(f"{self.path} is not a project: its name must end in .yaml or .yml")
        else:
            try:
                self.path, self.content = None, json.loads(json.dumps(content, default=_plain))
            except (TypeError, ValueError, RecursionError) as reason:
                if isinstance(reason, errors.InputError):
                    raise
                raise errors.InputError(f"this is not the content of a project: {reason}") from None
        self._facts = json.loads(self._read())

    def _read(self):
        out = c_void_p()
        status, failure, _, _ = run_long(
            lambda listener, failure: (call.project_read(self.word, self.text, listener, byref(out), failure), None))
        if status != 0:
            raise exception_of(status, failure)
        return taken(out.value)

    @property
    def word(self):
        """Its argument on a command line."""
        return encoded(self.path) if self.path is not None else b"-"

    @property
    def text(self):
        """The content of standard input, as bytes; None for a file."""
        return None if self.content is None else json.dumps(self.content).encode()

    @property
    def title(self):
        """Title of its page, or None."""
        return self._facts["title"]

    @property
    def variants(self):
        """Their names, a list; ``variant="base"`` is the project without any."""
        return list(self._facts["variants"])

    def write(self, path):
        """Write a project that was made from a dict, as JSON, which is YAML too. Paths in it are taken from its folder
        from then on.

        Raises:
            InputError: there is a file of that name, or the project is one already.
            OutputError: it cannot be written.
        """
        if self.content is None:
            raise errors.InputError(f"this project is a file already: {self.path}")
        try:
            with open(path_of(path), "x", encoding="utf-8") as file:
                file.write(json.dumps(self.content, indent=2, ensure_ascii=False) + "\n")
        except FileExistsError:
            raise errors.InputError(f"{os.fspath(path)} exists") from None
        except OSError as reason:
            raise errors.OutputError(f"{os.fspath(path)} could not be written: {reason.strerror}") from None

    def __repr__(self):
        name = repr(self.path) if self.path is not None else "of a dict"
        return f"<transept.Project {name}: {len(self.variants)} variants>"


def _plain(value):
    """Arrays and their numbers, paths, meshes' names, as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return path_of(value)
