"""transept in Blender: check, plan and simulate the sound of a room. All acoustics are the program's."""

bl_info = {
    "name": "transept: sound of rooms",
    "author": "the authors of transept",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D viewport > Sidebar > transept",
    "description": "Hear a room before it is built: checks, simulates and maps it with the program transept",
    "category": "3D View",
}


def register():
    from . import operators, panels, result_operators, settings
    for module in (settings, operators, result_operators, panels):
        module.register()


def unregister():
    from . import operators, panels, result_operators, settings
    for module in (panels, result_operators, operators, settings):
        module.unregister()
