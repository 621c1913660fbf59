"""The input of the program: a room as an OBJ file and a project as YAML. Independent of Blender."""

import json
import math
import re

AUDIENCE = "_(audience)"  # what the name of a surface ends with where people sit on it


def surface_name(name):
    """A material's name as an OBJ file can have it: without blanks."""
    return "_".join(name.split()) or "no_material"


def position_name(name):
    """The name of a position in file names: letters, digits, _ and -."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "P"


def position_kind(name):
    """("source", "pulpit") of an object called `source:pulpit`; None for an object that is not a position."""
    kind, colon, rest = name.partition(":")
    kind = kind.strip().lower()
    if not colon or kind not in ("source", "receiver"):
        return None
    return kind, position_name(rest)


def obj_text(bodies):
    """An OBJ file: metres, z up. Bodies are (name, vertices, faces), faces (surface, indices from 0)."""
    lines, first, current = [], 1, None
    for name, vertices, faces in bodies:
        lines.append("o " + surface_name(name).replace(":", "_"))
        lines += ["v %.9g %.9g %.9g" % tuple(v) for v in vertices]
        for surface, corners in faces:
            if surface != current:
                lines.append("usemtl " + surface)
                current = surface
            lines.append("f " + " ".join(str(first + i) for i in corners))
        first += len(vertices)
    return "\n".join(lines) + "\n"


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def is_build(chosen):
    """True of layers, which have a unit or a share that no name of the library has."""
    return "+-" not in chosen and any(mark in chosen for mark in ("/m", "%", ";"))


def without_bar(chosen):
    """ "oak door +- 0.05" without how well it is known."""
    return chosen.partition("+-")[0].strip()


def chosen_value(surface, chosen):
    """The value of a surface in a project: a number, layers, a library name, or (of an audience) the name of its
    material."""
    try:
        share = float(chosen)
    except ValueError:
        share = math.nan
    if math.isfinite(share):
        return "%.9g" % share
    if is_build(chosen):
        return "{build: %s}" % quoted(chosen)
    if not chosen and surface.endswith(AUDIENCE):
        chosen = surface[: -len(AUDIENCE)].replace("_", " ")
    return quoted(chosen) if chosen else None


def material_lines(surfaces, chosen, indent):
    lines = []
    for surface in sorted(surfaces):
        base = surface[: -len(AUDIENCE)] if surface.endswith(AUDIENCE) else surface
        value = chosen_value(surface, chosen[base]) if base in chosen else None
        if value is not None:
            lines.append("%s%s: %s" % (indent, quoted(surface), value))
    return lines


def position_lines(key, positions):
    if not positions:
        return []
    lines = [key + ":"]
    for name, place in positions:
        lines += ["- name: " + quoted(name), "  position: [%.6g, %.6g, %.6g]" % tuple(place)]
    return lines


def project_text(room, surfaces, chosen, sources, receivers, settings, variants=()):
    """A project. `surfaces`: names that the room has; `chosen`: surface -> library name, number,
    layers or "";
    `settings`: fmax, quality, rays, seal, grid_spacing, ear_height; `variants`: (name, audience or None, chosen)."""
    lines = ["# Written by the Blender add-on: the next command of it writes this file again.", "room: " + quoted(room)]
    if settings["seal"] > 0:
        lines.append("seal_m: %.6g" % settings["seal"])
    materials = material_lines(surfaces, chosen, "  ")
    if materials:
        lines += ["materials:"] + materials
    lines += position_lines("sources", sources) + position_lines("receivers", receivers)
    audience = sorted(s for s in surfaces if s.endswith(AUDIENCE))
    if audience:
        lines.append("receiver_grids:")
    for surface in audience:
        lines += ["- name: " + quoted(grid_name(surface)), "  material: " + quoted(surface),
                  "  spacing_m: %.6g" % settings["grid_spacing"], "  height_m: %.6g" % settings["ear_height"]]
    lines += ["fmax_hz: " + settings["fmax"], "quality: " + settings["quality"],
              "outputs: {rays: %s}" % quoted(settings["rays"])]
    if variants:
        lines.append("variants:")
    for name, share, changed in variants:
        changes = material_lines(surfaces, changed, "      ")
        if share is not None:
            changes = ["    audience: %.6g" % share] + (["    materials:"] + changes if changes else [])
        elif changes:
            changes = ["    materials:"] + changes
        lines += ["  %s:" % quoted(position_name(name))] + changes
    return "\n".join(lines) + "\n"


def grid_name(surface):
    """The receiver grid over the audience on a surface, as it is called in file names."""
    return position_name("audience_" + surface[: -len(AUDIENCE)])


def repeated(names):
    """Those names that occur more than once."""
    return sorted({n for n in names if list(names).count(n) > 1})
