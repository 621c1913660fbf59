"""What a person sets: the program's path, materials, and a scene's run. Saved with the Blender file."""

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty,
                       StringProperty)

from . import state

FREQUENCIES = ("auto", "177", "355", "710", "1420", "2840", "5680", "11300")


def library_search(_self, _context, text):
    return [name for name in state.library() if text.lower() in name.lower()]


class TranseptPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(name="Program", subtype="FILE_PATH", default="transept",
                            description="The program transept: its path, or its name where it is on the search path")

    def draw(self, _context):
        self.layout.prop(self, "program")


class TranseptMaterial(bpy.types.PropertyGroup):
    library: StringProperty(
        name="Surface", search=library_search,
        description="A surface of the library or its absorption from 0 to 1, with +- 0.05 behind it for how well it is "
        "known, or its layers from the room on (wool 50 mm 8 kPa s/m2, air 200 mm); empty: known by the material's own "
        "name")


class TranseptChange(bpy.types.PropertyGroup):
    material: PointerProperty(name="Material", type=bpy.types.Material)
    library: StringProperty(name="Becomes", search=library_search,
                            description="A surface of the library, its absorption from 0 to 1, or its layers")


class TranseptVariant(bpy.types.PropertyGroup):
    name: StringProperty(name="Name", default="variant")
    people: BoolProperty(name="Seats occupied", description="Some of the seats and pews are occupied")
    audience: FloatProperty(name="Share", min=0, max=1, default=0.8, subtype="FACTOR")
    changes: CollectionProperty(type=TranseptChange)


# Blender keeps no reference to what a function of choices returns.
_kept = {}


def choices(key, names):
    _kept[key] = [(n, words, "") for n, words in names] or [("none", "none yet", "")]
    return _kept[key]


def run_choices(self, _context):
    return choices("run", [(n, n) for n in state.runs(self.id_data)])


def source_choices(self, _context):
    return choices("source", [(n, n) for n in state.map_sources(self.id_data, self.run)])


def figure_choices(self, _context):
    return choices("figure", state.map_figures(self.id_data, self.run, self.source))


class TranseptScene(bpy.types.PropertyGroup):
    fmax: EnumProperty(name="To", default="355", description="Highest frequency [Hz]; auto: the highest that this machine can simulate",
                       items=[(f, f if f == "auto" else f + " Hz", "") for f in FREQUENCIES])
    quality: EnumProperty(name="Quality", default="standard",
                          items=[(q, q.capitalize(), "") for q in ("draft", "standard", "fine")])
    rays: EnumProperty(name="Above", default="auto", description="What is above the highest frequency",
                       items=[("auto", "Rays", "Figures and sound to 16 kHz, by rays where they can be joined"),
                              ("off", "Nothing", "Only what is simulated by waves")])
    seal: FloatProperty(name="Seal cracks [cm]", min=0, max=50, default=0, precision=1,
                        description="Cracks up to this width are closed")
    grid_spacing: FloatProperty(name="Places apart [m]", min=0.1, max=20, default=1, precision=2)
    ear_height: FloatProperty(name="Ears above [m]", min=0, max=5, default=1.2, precision=2,
                              description="Height of ears above the faces of the audience")
    variants: CollectionProperty(type=TranseptVariant)
    variant_shown: IntProperty(default=0)
    run: EnumProperty(name="Run", items=run_choices)
    source: EnumProperty(name="Source", items=source_choices)
    figure: EnumProperty(name="Figure", items=figure_choices)
    dry: StringProperty(name="Dry sound", default="organ", subtype="FILE_PATH",
                        description="clap, organ, or a sound file without reverberation")


CLASSES = (TranseptPreferences, TranseptMaterial, TranseptChange, TranseptVariant, TranseptScene)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Material.transept = PointerProperty(type=TranseptMaterial)
    bpy.types.Scene.transept = PointerProperty(type=TranseptScene)


def unregister():
    state.end()
    del bpy.types.Scene.transept
    del bpy.types.Material.transept
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
