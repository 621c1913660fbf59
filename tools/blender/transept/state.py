"""The current job of the program, its messages, and where results are. Not saved."""

import atexit
import os
import subprocess

import bpy

from . import map_table, program
from .job import Job

POLL = 0.2  # [s]

job = None      # the program while it runs
message = ""    # the last thing to say
check = None    # the last answer of `check --json`
plan = None     # of `plan --json`
look = None     # of `rays --json`
_library = {}   # program -> name -> octaves
_runs = {}      # folder -> (time of change, run.json)
_tables = {}    # path -> (time of change, points, columns)


class Trouble(Exception):
    """A problem, as a sentence for the user."""


def find_program():
    path = bpy.context.preferences.addons[__package__].preferences.program
    found = program.find_program(bpy.path.abspath(path) if path.startswith("//") else path)
    if found is None:
        raise Trouble("There is no program \"%s\": give its path in the add-on's preferences" % path)
    return found


def library():
    """name -> (absorption in octaves, error bars); empty where the program cannot be asked."""
    try:
        path = find_program()
    except Trouble:
        return {}
    if path not in _library:
        try:
            asked = subprocess.run(program.materials_command(path), capture_output=True, text=True, timeout=20,
                                   stdin=subprocess.DEVNULL, check=False)
            _library[path] = program.library(program.read_json(asked.stdout) or {})
        except (OSError, subprocess.SubprocessError):
            _library[path] = {}
    return _library[path]


def folder():
    """Where this Blender file's rooms and results are."""
    if not bpy.data.filepath:
        raise Trouble("Save the Blender file first: the room and its results go into a folder beside it")
    return os.path.splitext(bpy.data.filepath)[0] + "_transept"


def results(scene):
    return os.path.join(folder(), "results_" + bpy.path.clean_name(scene.name))


def runs(scene):
    try:
        return program.runs_in(results(scene))
    except Trouble:
        return []


def _run(scene, name):
    if not name or name not in runs(scene):
        return None, ""
    place = os.path.join(results(scene), name)
    changed = os.stat(os.path.join(place, "run.json")).st_mtime_ns
    if _runs.get(place, (None,))[0] != changed:
        _runs[place] = (changed, program.read_run(place))
    return _runs[place][1], place


def map_sources(scene, name):
    run, _ = _run(scene, name)
    grids = run.get("grids", []) if run else []
    return list(dict.fromkeys(m["source"] for g in grids for m in g.get("maps", [])))


def figure_words(scene, name):
    """The figures of a run, a line for each octave."""
    run, _ = _run(scene, name)
    return program.figure_words(run.get("responses", [])) if run else []


def table(path):
    """read_table() of a file, remembered as long as it does not change."""
    changed = os.stat(path).st_mtime_ns
    if _tables.get(path, (None,))[0] != changed:
        _tables[path] = (changed, *map_table.read_table(path))
    return _tables[path][1:]


def maps(scene, name, source):
    """[(grid, points, columns)] of a run's source."""
    run, place = _run(scene, name)
    found = []
    for grid, path in map_table.maps_of(run, place, source) if run else []:
        if os.path.isfile(path):
            found.append((grid, *table(path)))
    return found


def map_figures(scene, name, source):
    """[(column, words)] of what can be drawn."""
    found, rays = {}, program.rays_from(_run(scene, name)[0])
    for _, _, columns in maps(scene, name, source):
        for figure, octaves in map_table.figures(columns).items():
            if figure in map_table.TITLES:
                found.update({figure + "_" + o: map_table.title(figure, o, rays) for o in octaves})
    return list(found.items())


def start(kind, command, done):
    """Starts the program; done(job) when it has ended. It is polled by a timer, and the window stays responsive."""
    global job, message
    if job is not None:
        raise Trouble("The program is still running: wait for it, or cancel it")
    os.makedirs(folder(), exist_ok=True)
    job = Job(kind, command, folder(), done)
    message = ""
    if not bpy.app.timers.is_registered(step):
        bpy.app.timers.register(step, first_interval=POLL, persistent=True)


def step():
    """Polls the job, for the timer. None once the job has ended."""
    global job, message
    if job is None:
        return None
    running = job.poll()
    if not running:
        ended, job = job, None
        try:
            message = ended.done(ended) or ""
        except Trouble as trouble:
            message = str(trouble)
    redraw()
    return POLL if running else None


def redraw():
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()


@atexit.register
def end():
    """When Blender ends, the program ends too and keeps its results so far."""
    if job is not None:
        job.cancel()
    if bpy.app.timers.is_registered(step):
        bpy.app.timers.unregister(step)
