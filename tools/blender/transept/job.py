"""One run of the program beside Blender, polled for its progress. Independent of Blender."""

import errno
import os
import pty
import select
import signal
import subprocess
import tempfile
import time

from . import program


def without_rewritten(said):
    """Only the last state of every line, so that hours of progress stay short."""
    lines = said.replace("\r\n", "\n").split("\n")
    return "\n".join(line if line.endswith("\r") else line.rsplit("\r", 1)[-1] for line in lines)


class Job:
    """Standard error is a terminal, to which the program writes its progress five times a second."""

    def __init__(self, kind, command, folder, done=None):
        self.kind, self.done = kind, done
        self.status, self.said, self.asked_to_end = None, "", 0
        self._output = tempfile.TemporaryFile()
        self._terminal, inner = pty.openpty()
        try:
            self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=self._output,
                                             stderr=inner, start_new_session=True)
        except OSError:
            os.close(self._terminal)
            raise
        finally:
            os.close(inner)

    def _listen(self):
        while self._terminal is not None and select.select([self._terminal], [], [], 0)[0]:
            try:
                piece = os.read(self._terminal, 65536)
            except OSError as error:
                if error.errno != errno.EIO:  # EIO: the program has closed its end
                    raise
                piece = b""
            if not piece:
                os.close(self._terminal)
                self._terminal = None
                return
            self.said = without_rewritten(self.said + piece.decode("utf-8", "replace"))

    def poll(self):
        """Reads new output; returns whether the program is still running."""
        ended = self._process.poll()
        self._listen()
        if ended is None:
            return True
        if self.status is None:
            self.status = ended if ended >= 0 else 128 - ended
            if self._terminal is not None:
                os.close(self._terminal)
                self._terminal = None
        return False

    def wait(self, seconds):
        """Waits at most so long; returns whether it has ended."""
        end = time.monotonic() + seconds
        while self.poll():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def cancel(self):
        """Like Ctrl-C: results so far are kept. The third call kills the program."""
        if self._process.poll() is None:
            self.asked_to_end += 1
            self._process.send_signal(signal.SIGINT if self.asked_to_end < 3 else signal.SIGKILL)

    def output(self):
        """Standard output, once the program has ended."""
        with self._output as file:
            file.seek(0)
            return file.read().decode("utf-8", "replace")

    def progress(self):
        return program.progress(self.said)
