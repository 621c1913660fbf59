"""The room in a scene: its faces with their materials, positions, and the faces where people sit."""

import os

import bmesh
import bpy

from . import project, state

LAYER = "transept_audience"  # a face's number is 1 where people sit on it
DRAWN = "transept"           # the collection of what the add-on draws; no part of the room
SOLID = ("MESH", "CURVE", "SURFACE", "FONT", "META")


def metres(scene):
    """Metres of a unit of Blender."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else units.scale_length


def drawn_objects():
    collection = bpy.data.collections.get(DRAWN)
    return set(collection.all_objects) if collection else set()


def positions(scene):
    """[(kind, name, object, (x, y, z) in metres)] of visible objects called `source:..` or `receiver:..`."""
    found, unit = [], metres(scene)
    for ob in scene.objects:
        kind = project.position_kind(ob.name)
        if kind and ob.visible_get():
            found.append((*kind, ob, tuple(c * unit for c in ob.matrix_world.translation)))
    return found


def surface(material, audience):
    name = project.surface_name(material.name if material else "no_material")
    return name + project.AUDIENCE if audience else name


def bodies():
    """What is visible, as the modeller shows it, modifiers and instances too:
    [(name, [world corner], [(material or None, audience, [index])])], triangles."""
    for ob in bpy.context.objects_in_mode or ():
        ob.update_from_editmode()
    graph = bpy.context.evaluated_depsgraph_get()
    drawn, found = drawn_objects(), []
    for instance in graph.object_instances:
        ob = instance.object
        if not instance.show_self or ob.type not in SOLID or ob.original in drawn:
            continue
        if project.position_kind(ob.name):
            continue
        mesh = ob.to_mesh()
        if mesh is None:
            continue
        mesh.calc_loop_triangles()
        matrix = instance.matrix_world.copy()
        seats = mesh.attributes.get(LAYER)
        slots = [slot.material for slot in ob.material_slots] or list(mesh.materials)
        faces = []
        for triangle in mesh.loop_triangles:
            slot = min(triangle.material_index, len(slots) - 1)
            sits = seats is not None and seats.domain == "FACE" and seats.data[triangle.polygon_index].value > 0
            faces.append((slots[slot] if slot >= 0 else None, sits, list(triangle.vertices)))
        if faces:
            found.append((ob.name, [matrix @ v.co for v in mesh.vertices], faces))
        ob.to_mesh_clear()
    return found


def materials_of(found):
    """The materials of bodies, by name; None for faces without one is left out."""
    return sorted({m.original for _, _, faces in found for m, _, _ in faces if m}, key=lambda m: m.name)


def mark_audience(context, sits):
    """Of the selected faces in edit mode: do people sit on them? Their number."""
    count = 0
    for ob in context.objects_in_mode_unique_data:
        if ob.type != "MESH":
            continue
        mesh = bmesh.from_edit_mesh(ob.data)
        layer = mesh.faces.layers.int.get(LAYER) or mesh.faces.layers.int.new(LAYER)
        for face in mesh.faces:
            if face.select:
                face[layer] = 1 if sits else 0
                count += 1
        bmesh.update_edit_mesh(ob.data, loop_triangles=False, destructive=False)
    return count


def chosen_surfaces(materials):
    chosen = {}
    for material in materials:
        name = project.surface_name(material.name)
        value = material.transept.library.strip()
        if chosen.get(name, value) != value:
            raise state.Trouble("Two materials are called \"%s\" and are different surfaces: rename one" % name)
        chosen[name] = value
    return chosen


def variant(settings, surfaces):
    """A variant as project_text() takes it."""
    changes = {project.surface_name(c.material.name): c.library.strip() for c in settings.changes
               if c.material and c.library.strip()}
    for name in changes:
        if name not in surfaces and name + project.AUDIENCE not in surfaces:
            raise state.Trouble("Variant \"%s\" changes \"%s\", and no visible face has it" % (settings.name, name))
    if not changes and not settings.people:
        raise state.Trouble("Variant \"%s\" changes nothing: occupy seats in it, or change a surface" % settings.name)
    return settings.name, settings.audience if settings.people else None, changes


def write(scene):
    """Writes room and project into the folder of this file; the project's path."""
    bpy.context.view_layer.update()
    found, unit, settings = bodies(), metres(scene), scene.transept
    if not found:
        raise state.Trouble("Nothing visible is a wall: there is no room")
    surfaces = {surface(m, sits) for _, _, faces in found for m, sits, _ in faces}
    places = positions(scene)
    for kind in ("source", "receiver"):
        twice = project.repeated([name for k, name, _, _ in places if k == kind])
        if twice:
            raise state.Trouble("Two positions are called %s:%s: rename one" % (kind, twice[0]))
    names = project.repeated([project.position_name(v.name) for v in settings.variants] + ["base"])
    if names:
        raise state.Trouble("Two variants are called \"%s\" (\"base\" is the unchanged room): rename one" % names[0])
    variants = [variant(v, surfaces) for v in settings.variants]
    folder, stem = state.folder(), bpy.path.clean_name(scene.name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, stem + ".obj"), "w", encoding="utf-8") as file:
        file.write(project.obj_text([
            (name, [tuple(c * unit for c in v) for v in corners], [(surface(m, sits), f) for m, sits, f in faces])
            for name, corners, faces in found]))
    text = project.project_text(
        stem + ".obj", surfaces, chosen_surfaces(materials_of(found)),
        [(name, place) for kind, name, _, place in places if kind == "source"],
        [(name, place) for kind, name, _, place in places if kind == "receiver"],
        {"fmax": settings.fmax, "quality": settings.quality, "rays": settings.rays, "seal": settings.seal / 100,
         "grid_spacing": settings.grid_spacing, "ear_height": settings.ear_height}, variants)
    path = os.path.join(folder, stem + ".yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
