"""A picture of the church with the map on its floor: without roof and south walls, drawn by Cycles on the processor."""

import bpy
from mathutils import Vector


def draw(path):
    scene = bpy.context.scene
    church = bpy.data.objects["church"]
    church.data = church.data.copy()
    import bmesh
    mesh = bmesh.new()
    mesh.from_mesh(church.data)
    cut = [f for f in mesh.faces if f.material_index == 1 or (f.material_index == 2 and f.calc_center_median().y < 7
                                                              and f.calc_center_median().x < 23.9)]
    bmesh.ops.delete(mesh, geom=cut, context="FACES")
    mesh.to_mesh(church.data)
    mesh.free()
    for name, colour in (("Stone Floor", (.3, .3, .3)), ("Putz innen", (.75, .72, .66)), ("pews", (.25, .13, .06)),
                         ("limestone wall", (.6, .55, .45)), ("Window Glass", (.3, .5, .7))):
        made = bpy.data.materials[name]
        made.use_nodes = True
        made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    for instance in ("south pillars", "glass"):
        bpy.data.objects[instance].hide_render = True
    ball = bpy.data.meshes.new("ball")
    mesh = bmesh.new()
    bmesh.ops.create_uvsphere(mesh, u_segments=24, v_segments=12, radius=0.3)
    mesh.to_mesh(ball)
    mesh.free()
    red = bpy.data.materials.new("red")
    red.use_nodes = True
    red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (.8, .05, .02, 1)
    ball.materials.append(red)
    for ob in [o for o in scene.objects if o.name.startswith("source:")]:
        shown = bpy.data.objects.new("shown", ball)
        shown.location = ob.location
        scene.collection.objects.link(shown)
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 2.0, (0.5, -0.4, 0)
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("day")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    words = bpy.data.materials["transept words"]
    words.node_tree.nodes["Emission"].inputs["Color"].default_value = (0, 0, 0, 1)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location = (12, -25, 24)
    camera.rotation_euler = (Vector((12, 6.2, 0.9)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = 42
    scene.camera = camera
    scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 64, "CPU"
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.filepath = 900, 540, path
    bpy.ops.render.render(write_still=True)
