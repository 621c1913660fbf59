"""The tab "transept" in the sidebar of the 3D viewport, from the room to its sound."""

import os
import textwrap

import bpy

from . import program, project, result_operators, scene_room, state

LETTER = 7  # width of a letter at a scale of 1, rather more than less [pixels]
ICONS = {"unfit": "CANCEL", "doubtful": "ERROR", "harmless": "INFO"}


def say(layout, sentence, icon="NONE"):
    """A sentence in as many lines as the sidebar's width makes of it."""
    column, region = layout.column(align=True), bpy.context.region
    width = (region.width if region else 300) / bpy.context.preferences.system.ui_scale
    room = max(12, int((width - 40 - (20 if icon != "NONE" else 0)) / LETTER))
    for n, line in enumerate(textwrap.wrap(sentence, room)):
        column.label(text=line, icon=icon if n == 0 else ("NONE" if icon == "NONE" else "BLANK1"))


class Panel(bpy.types.Panel):
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "transept"


class TRANSEPT_PT_room(Panel):
    bl_label = "Surfaces"

    def draw(self, context):
        layout, library = self.layout, state.library()
        if not library:
            say(layout, "transept is not found: give its path in the add-on's preferences", "ERROR")
        else:
            say(layout, "Absorption at 125, 500 and 2000 Hz")
        known = program.covered(state.check) if state.check else {}
        for material in shown_materials(context.scene):
            box = layout.column(align=True)
            box.label(text=material.name, icon="MATERIAL")
            box.prop(material.transept, "library", text="")
            name, chosen = project.surface_name(material.name), project.without_bar(material.transept.library)
            where, octaves, area, bars = known.get(name, known.get(name + project.AUDIENCE, ("", None, None, None)))
            if chosen in library and where != chosen:
                where, (octaves, bars) = chosen, library[chosen]
            elif chosen and where != chosen:
                where, octaves = chosen, None
            if octaves and where != chosen:
                say(box, "by its name: " + where)
            if octaves:
                box.label(text=program.absorption_words(octaves, bars))
            elif not chosen:
                say(box, "not known by its name" if {name, name + project.AUDIENCE} & set(known) else "known by its name? See Check")


def shown_materials(scene):
    """Materials on visible meshes; quick, since every redraw calls it."""
    drawn = scene_room.drawn_objects()
    found = {slot.material for ob in scene.objects if ob.type in scene_room.SOLID and ob not in drawn
             and ob.visible_get() and not project.position_kind(ob.name)
             for slot in ob.material_slots if slot.material}
    return sorted(found, key=lambda m: m.name)


class TRANSEPT_PT_places(Panel):
    bl_label = "Source, receivers, audience"

    def draw(self, context):
        layout, settings = self.layout, context.scene.transept
        row = layout.row(align=True)
        row.operator("transept.position", text="Source", icon="ADD").kind = "source"
        row.operator("transept.position", text="Receiver", icon="ADD").kind = "receiver"
        for _, _, ob, place in scene_room.positions(context.scene):
            row = layout.row()
            row.prop(ob, "name", text="")
            row.label(text="%.1f, %.1f, %.1f" % place)
        layout.label(text="Audience: faces, in edit mode")
        row = layout.row(align=True)
        row.operator("transept.audience", text="People sit here").sits = True
        row.operator("transept.audience", text="Nobody").sits = False
        layout.prop(settings, "ear_height")
        layout.prop(settings, "grid_spacing")


class TRANSEPT_PT_variants(Panel):
    bl_label = "Variants"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout = self.layout
        for v, variant in enumerate(context.scene.transept.variants):
            box = layout.box()
            row = box.row()
            row.prop(variant, "name", text="")
            self.button(row, "remove", v, 0, "X")
            row = box.row()
            row.prop(variant, "people")
            if variant.people:
                row.prop(variant, "audience", slider=True)
            for c, change in enumerate(variant.changes):
                row = box.row(align=True)
                row.prop(change, "material", text="")
                row.prop(change, "library", text="")
                self.button(row, "remove_change", v, c, "X")
            self.button(box, "add_change", v, 0, "ADD", "Another surface")
        self.button(layout, "add", 0, 0, "ADD", "Variant")

    @staticmethod
    def button(layout, action, variant, change, icon, text=""):
        made = layout.operator("transept.variant", text=text, icon=icon)
        made.action, made.variant, made.change = action, variant, change


class TRANSEPT_PT_run(Panel):
    bl_label = "Check and simulate"

    def draw(self, context):
        layout, settings = self.layout, context.scene.transept
        row = layout.row(align=True)
        row.prop(settings, "fmax", text="")
        row.prop(settings, "quality", text="")
        layout.prop(settings, "rays")
        layout.prop(settings, "seal")
        for names in (("check", "plan"), ("rays", "simulate")):
            row = layout.row(align=True)
            for name in names:
                row.operator("transept." + name)
        if state.job is not None:
            self.draw_progress(layout)
        elif state.message:
            say(layout, state.message)
        if state.plan:
            for line in program.plan_words(state.plan):
                layout.label(text=line)
        for line in program.figure_words(state.look["responses"]) if state.look else []:
            layout.label(text=line)
        for severity, sentence, advice, places in program.findings(state.check) if state.check else []:
            self.draw_finding(layout.box(), severity, sentence, advice, places)

    @staticmethod
    def draw_progress(layout):
        share, words = state.job.progress()
        text = "%s: %s" % (state.job.kind, words or "at work")
        if share is not None and hasattr(layout, "progress"):  # from Blender 4.0
            layout.progress(factor=share, text=text)
        else:
            say(layout, text if share is None else "%.0f %%  %s" % (100 * share, text), "SORTTIME")
        layout.operator("transept.cancel", icon="CANCEL")

    @staticmethod
    def draw_finding(box, severity, sentence, advice, places):
        say(box, sentence, ICONS.get(severity, "INFO"))
        if advice and severity != "harmless":
            say(box, advice)
        row = box.row(align=True)
        for n, place in enumerate(places[:8]):
            made = row.operator("transept.show_place", text=str(n + 1), icon="VIEWZOOM")
            made.place, made.sentence = place, sentence


class TRANSEPT_PT_results(Panel):
    bl_label = "Results"

    def draw(self, context):
        layout, scene = self.layout, context.scene
        settings = scene.transept
        if not state.runs(scene):
            layout.label(text="Nothing has been simulated yet")
            return
        layout.prop(settings, "run")
        for line in state.figure_words(scene, settings.run):
            layout.label(text=line)
        layout.prop(settings, "source")
        layout.prop(settings, "figure")
        layout.operator("transept.map", icon="COLOR")
        layout.operator("transept.clear", icon="X")
        layout.operator("transept.report", icon="TEXT")
        layout.prop(settings, "dry")
        layout.operator("transept.auralise", icon="SOUND")
        column = layout.column(align=True)
        for path in result_operators.sounds(scene):
            column.operator("transept.play", text=os.path.basename(path)[7:-4], icon="PLAY").file = path
        if result_operators.sounds(scene):
            column.operator("transept.play", text="Stop", icon="PAUSE").file = ""


CLASSES = (TRANSEPT_PT_room, TRANSEPT_PT_places, TRANSEPT_PT_variants, TRANSEPT_PT_run, TRANSEPT_PT_results)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
