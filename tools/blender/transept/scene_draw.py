"""What the add-on draws into the scene: leaks, places of findings, and maps on the faces of the audience."""

import bmesh
import bpy
from mathutils import Vector

from . import map_table, project, scene_room

LIFT = 0.02  # of a map above its faces [m]


def collection(scene):
    """The add-on's collection in this scene, made if it is missing."""
    found = bpy.data.collections.get(scene_room.DRAWN) or bpy.data.collections.new(scene_room.DRAWN)
    if found.name not in scene.collection.children:
        scene.collection.children.link(found)
    return found


def clear(kind=None):
    """Removes what was drawn: all, or what is of a kind ("leak", "map")."""
    for ob in list(scene_room.drawn_objects()):
        if kind is None or ob.get("transept") == kind:
            data = ob.data
            bpy.data.objects.remove(ob)
            if isinstance(data, bpy.types.Mesh) and not data.users:
                bpy.data.meshes.remove(data)
            elif isinstance(data, bpy.types.Curve) and not data.users:
                bpy.data.curves.remove(data)


def add(scene, kind, name, data):
    ob = bpy.data.objects.new(name, data)
    ob["transept"] = kind
    ob.hide_select = kind == "map"
    collection(scene).objects.link(ob)
    return ob


def glowing(name, colour=None):
    """A material that shows its colour without light; without one, the colours of the faces' corners."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    light, out = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    links.new(light.outputs["Emission"], out.inputs["Surface"])
    if colour:
        light.inputs["Color"].default_value = (*colour, 1)
        material.diffuse_color = (*colour, 1)
    else:
        source = nodes.new("ShaderNodeAttribute")
        source.attribute_name = "transept"
        links.new(source.outputs["Color"], light.inputs["Color"])
    return material


def leaks(scene, found):
    """Draws lines along the leak paths, and a ring at every opening. Returns their number."""
    clear("leak")
    unit = scene_room.metres(scene)
    for place, width, path in found:
        words = "leak" if width is None else "leak %.3g m wide" % width
        if len(path) > 1:
            line = bpy.data.curves.new(words + ", path", "CURVE")
            line.dimensions, line.bevel_depth = "3D", 0.03 / unit
            spline = line.splines.new("POLY")
            spline.points.add(len(path) - 1)
            for point, at in zip(spline.points, path):
                point.co = (*(c / unit for c in at), 1)
            line.materials.append(glowing("transept leak", (1.0, 0.02, 0.01)))
            add(scene, "leak", words + ", path", line).show_in_front = True
        ring = add(scene, "leak", words, None)
        ring.empty_display_type, ring.empty_display_size = "SPHERE", max(width or 0, 0.2) / 2 / unit
        ring.location, ring.show_in_front, ring.show_name = [c / unit for c in place], True, True
    return len(found)


def seats():
    """surface -> (corners, triangles) of the faces where people sit."""
    found = {}
    for _, corners, faces in scene_room.bodies():
        for material, sits, face in faces:
            if sits:
                all_corners, triangles = found.setdefault(scene_room.surface(material, True), ([], []))
                triangles.append(range(len(all_corners), len(all_corners) + 3))
                all_corners += [corners[i] for i in face]
    return found


def cut(corners, triangles, cells):
    """The faces, in metres, cut along the squares of a map, as a bmesh."""
    mesh = bmesh.new()
    made = [mesh.verts.new(v) for v in corners]
    for triangle in triangles:
        mesh.faces.new([made[i] for i in triangle])
    for axis in (0, 1):
        normal = Vector((1, 0, 0)) if axis == 0 else Vector((0, 1, 0))
        low, high = min(v[axis] for v in corners), max(v[axis] for v in corners)
        for at in cells.cuts(axis, low, high):
            bmesh.ops.bisect_plane(mesh, geom=mesh.verts[:] + mesh.edges[:] + mesh.faces[:], dist=1e-5,
                                   plane_co=normal * at, plane_no=normal)
    return mesh


def shade_corners(mesh, shades):
    """A colour for each corner of its faces, in their order."""
    layer = mesh.color_attributes.new("transept", "FLOAT_COLOR", "CORNER")
    layer.data.foreach_set("color", [c for one in shades for c in one])
    mesh.color_attributes.active_color = layer


def map_on_faces(scene, maps, column):
    """A figure of a run on the audience's faces, with a legend; maps as state.maps() gives them.
    Returns (faces with a value, faces without, scale); the scale is None where there is nothing to draw."""
    clear("map")
    maps = [(grid, points, columns[column]) for grid, points, columns in maps if points and column in columns]
    legend = map_table.scale([v for _, _, values in maps for v in values])
    if legend is None:
        return 0, 0, None
    unit, there, known, unknown = scene_room.metres(scene), seats(), 0, 0
    for grid, points, values in maps:
        name = next((s for s in there if project.grid_name(s) == grid["name"]), None)
        if name is None:
            continue
        cells = map_table.Cells(points, grid["spacing_m"], grid["height_m"])
        corners, triangles = there[name]
        pieces = cut([v * unit for v in corners], triangles, cells)
        shades = []
        for face in pieces.faces:
            point = cells.find(face.calc_center_median())
            value = None if point is None else values[point]
            known, unknown = known + (value is not None), unknown + (value is None)
            shades += [(*map_table.colour(value, legend), 1)] * len(face.verts)
        for vertex in pieces.verts:
            vertex.co = (vertex.co + Vector((0, 0, LIFT))) / unit
        mesh = bpy.data.meshes.new("map " + grid["name"])
        pieces.to_mesh(mesh)
        pieces.free()
        shade_corners(mesh, shades)
        mesh.materials.append(glowing("transept map"))
        add(scene, "map", mesh.name, mesh)
    if known:
        draw_legend(scene, legend, column)
    return known, unknown, legend


def draw_legend(scene, legend, column):
    """A row of coloured squares with words, lying south of the map and as long as it."""
    unit = scene_room.metres(scene)
    corners = [v.co * unit for ob in scene_room.drawn_objects() if ob.type == "MESH" for v in ob.data.vertices]
    west, south, height = (min(c[a] for c in corners) for a in range(3))
    rows = map_table.legend_rows(legend)
    width = (max(c.x for c in corners) - west) / len(rows)
    size = min(width / 5, 0.6)  # of the words
    words(scene, map_table.title(*column.rsplit("_", 1)), (west, south - 2 * size, height), 1.3 * size, unit)
    for n, (colour, said) in enumerate(rows):
        left, top = west + n * width, south - 2.5 * size
        mesh = bpy.data.meshes.new("legend")
        square = [(left, top - size), (left + width, top - size), (left + width, top), (left, top)]
        mesh.from_pydata([(a / unit, b / unit, height / unit) for a, b in square], [], [(0, 1, 2, 3)])
        shade_corners(mesh, [(*colour, 1)] * 4)
        mesh.materials.append(glowing("transept map"))
        add(scene, "map", "legend", mesh)
        words(scene, said, (left + 0.1 * width, top - 2 * size, height), size, unit)


def words(scene, said, place, size, unit):
    text = bpy.data.curves.new("legend", "FONT")
    text.body, text.size = said, 0.8 * size / unit
    text.materials.append(glowing("transept words", (0.8, 0.8, 0.8)))
    add(scene, "map", "legend", text).location = [c / unit for c in place]
