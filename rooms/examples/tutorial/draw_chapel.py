"""Draws the chapel of rooms/TUTORIAL.md in Blender and exports it, as somebody would by hand.

    blender --background --python draw_chapel.py

writes chapel_open.glb (a doorway without a door), chapel.glb and, the same room as OBJ, chapel.obj into the folder it
is started in. The two .glb beside this file come from Blender 3.4.1 (Debian 12) with the exporter's own settings.
"""

import bmesh
import bpy

LENGTH, WIDTH, HEIGHT = 12.0, 7.0, 6.0
MATERIALS = ["stone floor", "plaster wall", "timber roof", "oak door", "window glass", "pews"]
WINDOWS = [(x, x + 1.2, 2.2, 4.6, "window glass") for x in (2.0, 5.4, 8.8)]
DOOR = (2.9, 4.1, 0.0, 2.2, "oak door")
DOORWAY = (2.9, 4.1, 0.0, 2.2, None)
POSITIONS = {
    "source:pulpit": (10.5, 2.2, 1.6),
    "receiver:front": (7.3, 2.1, 1.2),
    "receiver:back": (3.6, 5.2, 1.2),
}


def rectangle(drawing, axis, at, a, b, material):
    """A rectangle across `axis`, from a[0] to a[1] and b[0] to b[1] along the two others."""
    corners = []
    for u, v in ((a[0], b[0]), (a[1], b[0]), (a[1], b[1]), (a[0], b[1])):
        corner = [u, v]
        corner.insert(axis, at)
        corners.append(drawing.verts.new(corner))
    drawing.faces.new(corners).material_index = MATERIALS.index(material)


def wall(drawing, axis, at, length, parts):
    """An upright wall with doors and windows, cut where they begin and end; a part without material is a hole."""
    along = sorted({0.0, length, *(x for part in parts for x in part[:2])})
    up = sorted({0.0, HEIGHT, *(z for part in parts for z in part[2:4])})
    for a in zip(along, along[1:]):
        for b in zip(up, up[1:]):
            material = "plaster wall"
            for part in parts:
                if part[0] <= a[0] and a[1] <= part[1] and part[2] <= b[0] and b[1] <= part[3]:
                    material = part[4]
            if material is not None:
                rectangle(drawing, axis, at, a, b, material)


def draw(door):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    drawing = bmesh.new()
    rectangle(drawing, 2, 0.0, (0.0, LENGTH), (0.0, WIDTH), "stone floor")
    rectangle(drawing, 2, HEIGHT, (0.0, LENGTH), (0.0, WIDTH), "timber roof")
    wall(drawing, 1, 0.0, LENGTH, WINDOWS)
    wall(drawing, 1, WIDTH, LENGTH, WINDOWS)
    wall(drawing, 0, 0.0, WIDTH, [door])
    wall(drawing, 0, LENGTH, WIDTH, [])
    bmesh.ops.remove_doubles(drawing, verts=drawing.verts, dist=1e-5)
    mesh = bpy.data.meshes.new("Chapel")
    drawing.to_mesh(mesh)
    for name in MATERIALS:
        mesh.materials.append(bpy.data.materials.get(name) or bpy.data.materials.new(name))
    bpy.context.collection.objects.link(bpy.data.objects.new("Chapel", mesh))
    for name, y in (("Pews left", 2.0), ("Pews right", 5.0)):
        bpy.ops.mesh.primitive_cube_add(size=1, location=(6.0, y, 0.25))
        bpy.context.object.name = name
        bpy.context.object.scale = (6.0, 2.0, 0.5)
        bpy.context.object.data.materials.append(bpy.data.materials["pews"])
    for name, position in POSITIONS.items():
        bpy.ops.object.empty_add(location=position)
        bpy.context.object.name = name


def empties_as_balls():
    """OBJ knows no empties: a small ball of the same name does instead."""
    for thing in [thing for thing in bpy.data.objects if thing.type == "EMPTY"]:
        name, position = thing.name, thing.location.copy()
        bpy.data.objects.remove(thing)
        bpy.ops.mesh.primitive_ico_sphere_add(radius=0.1, location=position)
        bpy.context.object.name = name


bpy.ops.wm.read_factory_settings(use_empty=True)
draw(DOORWAY)
bpy.ops.export_scene.gltf(filepath="chapel_open.glb")
draw(DOOR)
bpy.ops.export_scene.gltf(filepath="chapel.glb")
empties_as_balls()
bpy.ops.wm.obj_export(filepath="chapel.obj", forward_axis="Y", up_axis="Z")
