"""transept: hear a church before it is built. The program's library for Python.

    import transept

    run = transept.run("church.obj", "church", fmax=355, source="pulpit", progress=print)
    for response in run.responses:
        print(response.receiver, response.figures["t30_s"])     # by octave: response.nominal_hz
        x = response.samples                                    # numpy, 48 kHz, calibrated

    room = transept.Room(transept.Mesh.box((5, 4, 3), "hard"), spacing=0.1, absorption=0, precision="double")
    with room.engine(receivers=[(4, 3, 2)]) as engine:          # by hand
        engine.add_source((1, 1, 1))
        heard = engine.step(1000, drive=[[1.0] + 999 * [0.0]])
        u = engine.field()                                      # (blocks + 1, 8, 8, 8), without a copy

Contents:
    Mesh                              a room as triangles: read, built in, or from arrays
    Project                           a whole run in one file or dict, with variants
    materials(), write_materials()    the library of surfaces with their absorption; a file of your own
    run(), Run, Response, Map         a whole run, its responses, figures and record
    rays(), Rays                      figures in all octaves in seconds, without a run
    plan(), check_model(), analyse(), compare(), report(), export()
                                      the other commands; their results as dicts
    Room, Grid                        a room on its grid, and its blocks
    Engine                            time steps by hand, with access to the field
    read_wav(), write_png()           sounds and pictures
    errors                            InputError and the other exceptions; RoomWarning

Units are SI, positions are in metres with z up, octaves have their nominal frequencies (63, 125, ..), and unknown
values are NaN or None. Keywords that are not explained are options of the program: ``transept simulate --help``.
"""
from . import errors
from ._calls import Progress
from ._library import call as _call, text as _text
from .engines import Engine
from .errors import AnswerNo, CapacityError, InputError, Interrupted, OutputError, RoomWarning, SimulationError, \
    TranseptError
from .meshes import Mesh
from .pictures import write_png
from .projects import Project
from .rooms import Grid, Room
from .runs import Map, Rays, Response, Run, analyse, check_model, compare, export, materials, plan, rays, \
    read_wav, report, run, write_materials

__version__ = _text(_call.version())

__all__ = ["AnswerNo", "CapacityError", "Engine", "Grid", "InputError", "Interrupted", "Map", "Mesh", "OutputError",
           "Progress", "Project", "Rays", "Response", "Room", "RoomWarning", "Run", "SimulationError", "TranseptError",
           "analyse", "check_model", "compare", "errors", "export", "materials", "plan", "rays", "read_wav", "report",
           "run", "write_materials", "write_png"]
