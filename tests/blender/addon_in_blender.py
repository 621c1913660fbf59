"""The add-on in a headless Blender, on the church of flawed_church.py, from an open window to sounds.

   blender -b --factory-startup --python addon_in_blender.py -- TRANSEPT ADDON.zip FOLDER [PICTURE.png]"""

import csv
import json
import math
import os
import subprocess
import sys
import time
import traceback

import bmesh
import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flawed_church

PROGRAM, ARCHIVE, FOLDER, *PICTURE = sys.argv[sys.argv.index("--") + 1:]

RAYS = b"\nrays: no" not in subprocess.run([PROGRAM, "--version"], capture_output=True, check=True).stdout


def claim(holds, sentence):
    if not holds:
        raise AssertionError(sentence)
    print("ok:", sentence)


def state():
    return sys.modules["transept.state"]


def run(press, seconds=150, look=lambda job: None):
    """Presses a button and does what Blender's timer would until the program has ended; the message."""
    claim(press() == {"FINISHED"}, "a button starts the program (%s)" % state().message)
    job, began, longest = state().job, time.monotonic(), 0
    while True:
        before = time.thread_time()
        going = state().step() is not None
        if not going:
            break
        longest = max(longest, time.thread_time() - before)
        look(job)
        if time.monotonic() > began + seconds:
            job.cancel()
            raise AssertionError("%s has not ended after %g s: %s" % (job.kind, seconds, job.said[-500:]))
        time.sleep(0.05)
    claim(longest < 0.1, "no look at the program holds Blender up: %.1f ms" % (1e3 * longest))
    print("   %s took %.1f s: %s" % (job.kind, time.monotonic() - began, state().message))
    return job


def drawn(kind):
    return [ob for ob in bpy.data.objects if ob.get("transept") == kind]


def install():
    bpy.ops.preferences.addon_install(filepath=ARCHIVE)
    claim(bpy.ops.preferences.addon_enable(module="transept") == {"FINISHED"}, "the archive is an add-on")
    preferences = bpy.context.preferences.addons["transept"].preferences
    preferences.program = "/nowhere/transept"
    claim(bpy.ops.transept.check() == {"CANCELLED"} and "Save" in state().message, "an unsaved file has no folder")
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(FOLDER, "parish church.blend"))
    claim(bpy.ops.transept.check() == {"CANCELLED"} and "/nowhere/transept" in state().message,
          "a program that is not there is named")
    preferences.program = PROGRAM


def surfaces():
    listing = json.loads(subprocess.run([PROGRAM, "materials", "--json"], capture_output=True, check=True).stdout)
    claim(len(state().library()) == len(listing["materials"]), "the library is the program's")
    search = sys.modules["transept.settings"].library_search
    claim("carpet heavy on felt" in search(None, None, "Carpet"), "a part of a name finds surfaces")
    bpy.data.materials["Putz innen"].transept.library = "plaster on masonry"


def positions():
    cursor = bpy.context.scene.cursor
    for kind, place in (("source", (20, 7.5, 1.5)), ("receiver", (6, 5.5, 1.2)), ("receiver", (13, 13, 1.2))):
        cursor.location = place
        bpy.ops.transept.position(kind=kind)
    names = sorted(ob.name for ob in bpy.data.objects if ":" in ob.name)
    claim(names == ["receiver:R1", "receiver:R2", "source:S1"], "buttons put positions at the cursor")


def audience(ob, which):
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    mesh = bmesh.from_edit_mesh(ob.data)
    for face in mesh.faces:
        face.select = which(face)
    bmesh.update_edit_mesh(ob.data)
    bpy.ops.transept.audience(sits=True)
    return sum(f.select for f in mesh.faces)


def check_leaks(glass):
    scene = bpy.context.scene
    glass.hide_viewport = True
    run(bpy.ops.transept.check)
    claim("unfit" in state().message, "a church with a window open is unfit")
    low, high = flawed_church.WINDOW
    rings = [ob for ob in drawn("leak") if ob.type == "EMPTY"]
    inside = [r for r in rings if low[0] - .5 <= r.location.x <= high[0] + .5 and abs(r.location.y - 4) < 0.6
              and low[2] - .5 <= r.location.z <= high[2] + .5]
    claim(inside, "a ring stands in the window: %s" % [tuple(r.location) for r in rings])
    lines = [ob for ob in drawn("leak") if ob.type == "CURVE"]
    claim(any(p.co.y < 4 for ob in lines for p in ob.data.splines[0].points), "a path leads out through it")
    count = len(drawn("leak"))
    run(bpy.ops.transept.check)
    claim(len(drawn("leak")) == count, "drawn once more, leaks are no walls and not doubled")
    glass.hide_viewport = False
    run(bpy.ops.transept.check)
    claim("fit" == state().check["verdict"], "closed, it is fit: " + state().message)
    claim(not drawn("leak"), "and nothing of the leak is left")
    area = {m["name"]: m["area_m2"] for m in state().check["materials"]}
    a, b, c = flawed_church.PEW
    pews = area["pews"] + area["pews_(audience)"]
    claim(math.isclose(pews, 6 * 2 * (a * b + b * c + c * a), rel_tol=1e-5), "scales and mirrors count: %g m2" % pews)
    claim(math.isclose(area["limestone_wall"], 4 * (4 * .6 * 9 + 2 * .36), rel_tol=1e-5), "instances of a group too")
    origin = {m["name"]: m["library_name"] for m in state().check["materials"]}
    claim(origin["Putz_innen"] == "plaster on masonry", "a material is the surface that was chosen for it")
    claim(scene.transept.fmax == "177", "at the frequency that was asked for")


def cancel():
    bpy.context.scene.transept.fmax = "710"
    pressed = []

    def look(job):
        share, _ = job.progress()
        if not pressed and share:
            pressed.append(time.monotonic())
            bpy.ops.transept.cancel()

    job = run(bpy.ops.transept.simulate, 150, look)
    claim(pressed and job.status == 130, "a run that shows its progress can be cancelled (status %d)" % job.status)
    print("   it ended %.1f s after that" % (time.monotonic() - pressed[0]))
    claim("kept" in state().message, "and what it computed is kept")
    bpy.context.scene.transept.fmax = "177"


def simulate():
    bpy.ops.transept.variant(action="add")
    variant = bpy.context.scene.transept.variants[0]
    variant.name = "carpet"
    bpy.ops.transept.variant(action="add_change", variant=0)
    claim(bpy.ops.transept.simulate() == {"CANCELLED"} and "nothing" in state().message,
          "a variant that changes nothing is refused: " + state().message)
    variant.changes[0].material = bpy.data.materials["Stone Floor"]
    variant.changes[0].library = "carpet heavy on felt"
    shares = []
    run(bpy.ops.transept.simulate, look=lambda job: shares.append(job.progress()[0] or 0))
    claim(state().runs(bpy.context.scene) == ["base", "carpet"], "room and variant are simulated: " + state().message)
    claim(shares == sorted(shares) and 0.5 < max(shares) <= 1, "progress went up, to %.2f" % max(shares))
    runs = [state()._run(bpy.context.scene, n)[0] for n in ("base", "carpet")]
    claim(not any(r["partial"] for r in runs), "the cancelled run is replaced by whole ones")
    words = state().figure_words(bpy.context.scene, "base")
    claim(not RAYS or any(line.startswith("250 Hz, rays: ") and "±" in line for line in words),
          "octaves above the waves are from rays, with their error: %s" % words)
    t30 = [r["means"]["t30_s"][1] for r in runs]
    claim(t30[1] < t30[0], "the carpet shortens T30 at 125 Hz: %.2f, %.2f s" % tuple(t30))


def show_map():
    scene = bpy.context.scene
    settings = scene.transept
    settings.run, settings.source, settings.figure = "base", "S1", "c80_db_125"
    claim(bpy.ops.transept.map() == {"FINISHED"}, "the map is drawn: " + state().message)
    folder = os.path.join(state().results(scene), "base")
    table = {}
    for name in ("audience_pews", "audience_Stone_Floor"):
        with open(os.path.join(folder, "map_S1_%s.csv" % name), newline="", encoding="utf-8") as file:
            table[name] = list(csv.DictReader(file))
    values = [float(r["c80_db_125"]) for rows in table.values() for r in rows]
    tools = sys.modules["transept.map_table"]
    scale = tools.scale(values)
    meshes = {ob.name: ob.data for ob in drawn("map") if ob.name.startswith("map ")}
    claim(len(meshes) == 2, "floor and seats have a map: %s" % sorted(meshes))
    for name, rows in table.items():
        mesh, off = meshes["map " + name], 0
        colours, right = mesh.color_attributes["transept"].data, 0
        for row in rows:
            x, y, z = (float(row[a]) for a in "xyz")
            faces = [p for p in mesh.polygons if abs(p.center.x - x) < 0.89 and abs(p.center.y - y) < 0.89
                     and abs(p.center.z - (z - settings.ear_height)) < .1]
            want = tools.colour(float(row["c80_db_125"]), scale)
            for face in faces:
                got = colours[face.loop_start].color
                off = max(off, max(abs(a - b) for a, b in zip(got, want)))
                right += 1
        claim(right >= len(rows) and off < 1e-6, "%d pieces around %d points of %s have their colours"
              % (right, len(rows), name))
    heights = {round(p.center.z, 2) for p in meshes["map audience_pews"].polygons}
    claim(heights == {round(flawed_church.PEW[2] + 0.02, 2)}, "the map lies on the seats: %s" % heights)
    before = len(drawn("map"))
    bpy.ops.transept.map()
    claim(len(drawn("map")) == before, "drawn again, it replaces itself")
    run(bpy.ops.transept.check)
    claim(state().check["verdict"] == "fit" and state().check["room"]["triangles"] == TRIANGLES[0],
          "and it is no part of the room")


def results():
    scene = bpy.context.scene
    scene.transept.run = "carpet"
    run(bpy.ops.transept.report)
    page = os.path.join(state().results(scene), "report_carpet.html")
    claim(os.path.getsize(page) > 10000, "the report compares the variant with the room: " + state().message)
    scene.transept.dry = "clap"
    run(bpy.ops.transept.auralise)
    found = sys.modules["transept.result_operators"].sounds(scene)
    claim(len(found) >= 4, "sounds of both at both receivers: %s" % [os.path.basename(f) for f in found])


TRIANGLES = []


def main():
    church, glass, pews = flawed_church.build()
    install()
    surfaces()
    positions()
    scene = bpy.context.scene
    scene.transept.fmax, scene.transept.quality = "177", "draft"
    scene.transept.grid_spacing = 1.8
    count = audience(church, lambda f: f.material_index == 0)
    claim(bpy.context.mode == "EDIT_MESH" and count == 1, "the floor is audience, still in edit mode")
    bpy.ops.object.mode_set(mode="OBJECT")
    audience(pews[0], lambda f: all(v.co.z == 1 for v in f.verts))
    bpy.ops.object.mode_set(mode="OBJECT")
    check_leaks(glass)
    TRIANGLES.append(state().check["room"]["triangles"])
    run(bpy.ops.transept.plan)
    claim(state().plan["fits"] and sum(g["points"] for g in state().plan["grids"]) > 40, "a plan: " + state().message)
    if RAYS:
        run(bpy.ops.transept.rays)
        words = sys.modules["transept.program"].figure_words(state().look["responses"])
        claim(any(line.startswith("4000 Hz, rays: T30 ") for line in words), "a quick look: %s" % words[-1])
    cancel()
    simulate()
    show_map()
    results()
    if PICTURE:
        import addon_picture
        addon_picture.draw(PICTURE[0])
    bpy.ops.wm.save_mainfile()
    bpy.ops.preferences.addon_disable(module="transept")
    claim(not hasattr(bpy.types.Scene, "transept"), "it leaves nothing behind")


try:
    main()
    print("PASSED: the add-on in Blender", bpy.app.version_string)
except Exception:
    traceback.print_exc()
    print("FAILED")
    sys.stdout.flush()
    os._exit(1)
