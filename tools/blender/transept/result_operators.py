"""Buttons after a run: maps on the faces, the report, and sounds."""

import os
import pathlib

import bpy
from bpy.props import StringProperty

from . import program, scene_draw, state
from .operators import Button, Job

_playing = None  # the sound that is heard, kept as long as it lasts


def run_folders(scene):
    """Folders of the runs to show: the chosen one after the unchanged room."""
    there = state.runs(scene)
    if not there:
        raise state.Trouble("Nothing has been simulated yet")
    chosen = scene.transept.run if scene.transept.run in there else there[0]
    names = list(dict.fromkeys([there[0], chosen]))
    return [os.path.join(state.results(scene), n) for n in names]


def show_colours(context):
    """In a viewport that draws without light and materials, too."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D" and area.spaces.active.shading.type == "SOLID":
                area.spaces.active.shading.color_type = "VERTEX"


class TRANSEPT_OT_map(Button):
    """Colours the faces of the audience by a figure of the run"""
    bl_idname, bl_label = "transept.map", "Map on the faces"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, context):
        scene = context.scene
        chosen = scene.transept
        maps = state.maps(scene, chosen.run, chosen.source)
        if not maps:
            raise state.Trouble("This run has no map: mark faces as audience, and simulate again")
        known, unknown, legend = scene_draw.map_on_faces(scene, maps, chosen.figure)
        if legend is None:
            raise state.Trouble("The run does not determine this figure anywhere")
        if known == 0:
            raise state.Trouble("None of the run's places lies on a face that is marked as audience now")
        show_colours(context)
        state.message = "%d pieces of faces; %d grey ones have no place of the run" % (known, unknown)
        return state.message


class TRANSEPT_OT_clear(Button):
    """Removes leaks, maps and legends that were drawn"""
    bl_idname, bl_label = "transept.clear", "Remove what is drawn"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, _context):
        scene_draw.clear()


class TRANSEPT_OT_report(Job):
    """Writes the page of a run, of a variant beside the unchanged room, and opens it"""
    bl_idname, bl_label = "transept.report", "Report"

    def work(self, context):
        scene = context.scene
        runs, folder = run_folders(scene), state.results(scene)
        page = os.path.join(folder, "report_%s.html" % os.path.basename(runs[-1]))
        ended = self.ended
        state.start("report", program.report_command(state.find_program(), runs, page),
                    lambda job: ended(job, page))

    @staticmethod
    def ended(job, page):
        if job.status != 0:
            raise state.Trouble(program.sentence(job.said, job.status))
        if not bpy.app.background:
            bpy.ops.wm.url_open(url=pathlib.Path(page).as_uri())
        return "Report: " + page


class TRANSEPT_OT_auralise(Job):
    """Makes sounds of the run, and of the unchanged room, with one gain for all"""
    bl_idname, bl_label = "transept.auralise", "Make sounds"

    def work(self, context):
        scene = context.scene
        dry = scene.transept.dry.strip() or "organ"
        dry = dry if dry in ("clap", "organ") else bpy.path.abspath(dry)
        folder = os.path.join(state.results(scene), "heard")
        state.start("auralise", program.auralise_command(state.find_program(), run_folders(scene), dry, folder),
                    self.ended)

    @staticmethod
    def ended(job):
        if job.status != 0:
            raise state.Trouble(program.sentence(job.said, job.status))
        return "Sounds are below"


class TRANSEPT_OT_play(Button):
    """Plays a sound, or stops it"""
    bl_idname, bl_label = "transept.play", "Play"
    bl_options = {"INTERNAL"}
    file: StringProperty()

    def work(self, _context):
        global _playing
        if _playing is not None:
            _playing.stop()
            _playing = None
        if self.file:
            import aud  # Blender's own; not in every build
            try:
                _playing = aud.Device().play(aud.Sound(self.file))
            except aud.error as trouble:
                raise state.Trouble("The sound cannot be played: %s" % trouble) from trouble


def sounds(scene):
    """Paths of the sounds that were made."""
    try:
        folder = os.path.join(state.results(scene), "heard")
        return [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".wav")]
    except (OSError, state.Trouble):
        return []


CLASSES = (TRANSEPT_OT_map, TRANSEPT_OT_clear, TRANSEPT_OT_report, TRANSEPT_OT_auralise, TRANSEPT_OT_play)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
