"""A cross-shaped parish church, 24 m long, as people model one in Blender: with a window left open, flipped faces,
mirrored and scaled instances, pillars that run through floor and roof, and a lamp."""

import bpy

CROSS = [(0, 4), (10, 4), (10, 0), (16, 0), (16, 4), (24, 4), (24, 11), (16, 11), (16, 15), (10, 15), (10, 11), (0, 11)]
HEIGHT = 8.0
WINDOW = ((3.0, 4.0, 2.0), (4.2, 4.0, 5.0))  # low and high corner of the hole in the south wall [m]
PEW = (3.0, 1.5, 0.45)                       # of one block of seats [m]


def material(name):
    return bpy.data.materials.get(name) or bpy.data.materials.new(name)


def body(name, vertices, faces, materials):
    """A new object; faces are (number in materials, [corner])."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], [corners for _, corners in faces])
    for m in materials:
        mesh.materials.append(material(m))
    for polygon, (number, _) in zip(mesh.polygons, faces):
        polygon.material_index = number
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    return ob


def shell():
    n = len(CROSS)
    vertices = [(x, y, z) for z in (0.0, HEIGHT) for x, y in CROSS]
    faces = [(0, list(range(n))), (1, list(range(n, 2 * n)))]  # the floor looks up only by chance, the roof likewise
    for i in range(1, n):
        j = (i + 1) % n
        wall = [i, j, n + j, n + i]
        faces.append((2, wall[::-1] if i % 3 == 0 else wall))  # every third wall is flipped
    low, high = WINDOW  # the south wall of the nave, in four pieces around the window
    around = [(0, 10, 0, low[2]), (0, 10, high[2], HEIGHT), (0, low[0], low[2], high[2]), (high[0], 10, low[2], high[2])]
    for a, b, bottom, top in around:
        first = len(vertices)
        vertices += [(a, 4, bottom), (b, 4, bottom), (b, 4, top), (a, 4, top)]
        faces.append((2, [first, first + 1, first + 2, first + 3]))
    return body("church", vertices, faces, ["Stone Floor", "wood ceiling.001", "Putz innen"])


def box(name, surface):
    """A cube of 1 m, its corner at the origin."""
    vertices = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    faces = [(0, f) for f in ([0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5])]
    return body(name, vertices, faces, [surface])


def build():
    """The church, in an empty file. Returns (shell, glass, pews)."""
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    scene = bpy.context.scene
    church = shell()
    low, high = WINDOW
    glass = body("glass", [low, (high[0], 4, low[2]), high, (low[0], 4, high[2])], [(0, [3, 2, 1, 0])], ["Window Glass"])

    pews = []
    first = box("pew", "pews")
    first.scale, first.location = PEW, (2.0, 7.8, 0.0)  # never applied
    pews.append(first)
    for row in range(3):
        for side in (1, -1):
            if (row, side) != (0, 1):
                copy = first.copy()  # shares its mesh; on the south side it is mirrored
                copy.location = (2.0 + 3.5 * row, 7.5 + side * 0.3, 0.0)
                copy.scale = (PEW[0], side * PEW[1], PEW[2])
                scene.collection.objects.link(copy)
                pews.append(copy)

    group = bpy.data.collections.new("pillars")
    for x, y in ((11.0, 5.0), (15.0, 5.0)):
        pillar = box("pillar", "limestone wall")
        pillar.scale, pillar.location = (0.6, 0.6, HEIGHT + 1.0), (x, y, -0.5)  # through floor and roof
        scene.collection.objects.unlink(pillar)
        group.objects.link(pillar)
    for name, scale in (("south pillars", (1, 1, 1)), ("north pillars", (1, -1, 1))):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", group
        instance.scale = scale
        instance.location = (0, 0 if scale[1] == 1 else 15.0, 0)
        scene.collection.objects.link(instance)

    lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT"))
    lamp.location = (12, 7.5, 5)
    scene.collection.objects.link(lamp)
    return church, glass, pews

