"""Buttons before and during a run: positions, audience, variants, check, plan, simulate, cancel."""

import os

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatVectorProperty, IntProperty, StringProperty

from . import program, scene_draw, scene_room, state


class Button(bpy.types.Operator):
    """A button that reports a problem as a sentence in the window's corner. work(context) returns words or None."""
    bl_options = {"REGISTER"}

    def execute(self, context):
        try:
            said = self.work(context)
        except (state.Trouble, OSError) as trouble:
            state.message = str(trouble)
            self.report({"WARNING"}, str(trouble))
            return {"CANCELLED"}
        if said:
            self.report({"INFO"}, said)
        return {"FINISHED"}


class Job(Button):
    """A button that starts the program."""
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context):
        return state.job is None


class TRANSEPT_OT_position(Button):
    """Places a source or a receiver at the 3D cursor: a mouth at 1.5 m, ears of seated people at 1.2 m"""
    bl_idname, bl_label = "transept.position", "Add a position"
    bl_options = {"REGISTER", "UNDO"}
    kind: EnumProperty(items=[("source", "Source", ""), ("receiver", "Receiver", "")])

    def work(self, context):
        scene = context.scene
        taken = {name for kind, name, _, _ in scene_room.positions(scene) if kind == self.kind}
        number = next(n for n in range(1, len(taken) + 2) if self.kind[0].upper() + str(n) not in taken)
        ob = bpy.data.objects.new("%s:%s%d" % (self.kind, self.kind[0].upper(), number), None)
        ob.empty_display_type = "SPHERE" if self.kind == "source" else "PLAIN_AXES"
        ob.empty_display_size, ob.show_name = 0.3 / scene_room.metres(scene), True
        ob.location = scene.cursor.location
        scene.collection.objects.link(ob)


class TRANSEPT_OT_audience(Button):
    """Marks the selected faces as places where people sit, which maps cover, or unmarks them"""
    bl_idname, bl_label = "transept.audience", "Audience"
    bl_options = {"REGISTER", "UNDO"}
    sits: BoolProperty(default=True)

    @classmethod
    def poll(cls, context):
        return context.mode == "EDIT_MESH"

    def work(self, context):
        count = scene_room.mark_audience(context, self.sits)
        return "%d faces %s the audience" % (count, "are of" if self.sits else "are no longer of")


class TRANSEPT_OT_variant(Button):
    """Adds or removes a variant of the room, or one of its changes"""
    bl_idname, bl_label = "transept.variant", "Variant"
    bl_options = {"REGISTER", "UNDO"}
    action: EnumProperty(items=[(a, a, "") for a in ("add", "remove", "add_change", "remove_change")])
    variant: IntProperty()
    change: IntProperty()

    def work(self, context):
        variants = context.scene.transept.variants
        if self.action == "add":
            names = {v.name for v in variants}
            variants.add().name = next(n for n in ("variant%d" % i for i in range(1, 10000)) if n not in names)
        elif self.action == "remove":
            variants.remove(self.variant)
        elif self.action == "add_change":
            variants[self.variant].changes.add()
        else:
            variants[self.variant].changes.remove(self.change)


class TRANSEPT_OT_check(Job):
    """Checks whether the room can be simulated, and draws where sound escapes"""
    bl_idname, bl_label = "transept.check", "Check"

    def work(self, context):
        scene, leak = context.scene, os.path.join(state.folder(), "leak.obj")
        path, name, ended = state.find_program(), scene.name, self.ended  # the operator is gone when it ends
        state.start("check", program.check_command(path, scene_room.write(scene), leak),
                    lambda job: ended(job, name))

    @staticmethod
    def ended(job, scene):
        state.check = program.read_json(job.output())
        if state.check is None:
            raise state.Trouble(program.sentence(job.said, job.status))
        if scene in bpy.data.scenes:
            scene_draw.leaks(bpy.data.scenes[scene], program.leaks(state.check))
        why = state.check.get("why", "")
        return "The room is %s%s" % (state.check.get("verdict", "?"), ": " + why if why else "")


class TRANSEPT_OT_plan(Job):
    """Predicts time and memory of the run"""
    bl_idname, bl_label = "transept.plan", "Plan"

    def work(self, context):
        path = state.find_program()
        state.start("plan", program.plan_command(path, scene_room.write(context.scene)), self.ended)

    @staticmethod
    def ended(job):
        state.plan = program.read_json(job.output())
        if state.plan is None:
            raise state.Trouble(program.sentence(job.said, job.status))
        return ", ".join(program.plan_words(state.plan)[1:2])


class TRANSEPT_OT_rays(Job):
    """Figures in all octaves within seconds, by rays, without a simulation"""
    bl_idname, bl_label = "transept.rays", "Quick look"

    def work(self, context):
        path = state.find_program()
        state.start("rays", program.rays_command(path, scene_room.write(context.scene)), self.ended)

    @staticmethod
    def ended(job):
        state.look = program.read_json(job.output())
        if state.look is None:
            raise state.Trouble(program.sentence(job.said, job.status))
        return "By rays, noise 3 %: means of all receivers"


class TRANSEPT_OT_simulate(Job):
    """Simulates the room and all its variants, beside Blender. Earlier results stay until the new ones are complete"""
    bl_idname, bl_label = "transept.simulate", "Simulate"

    def work(self, context):
        scene = context.scene
        path, folder = state.find_program(), state.results(scene)
        yaml = scene_room.write(scene)
        os.makedirs(folder, exist_ok=True)
        state.start("simulate", program.simulate_command(path, yaml, folder, len(scene.transept.variants) > 0),
                    self.ended)

    @staticmethod
    def ended(job):
        if job.status == 130:
            return "Ended early; what was computed by then is kept"
        if job.status != 0:
            raise state.Trouble(program.sentence(job.said, job.status))
        return "Simulated: results are below"


class TRANSEPT_OT_cancel(Button):
    """Ends the program. Results so far are kept and marked as partial; the third call kills it"""
    bl_idname, bl_label = "transept.cancel", "Cancel"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context):
        return state.job is not None

    def work(self, _context):
        if state.job is not None:
            state.job.cancel()


class TRANSEPT_OT_show_place(Button):
    """Moves the 3D cursor and the view there"""
    bl_idname, bl_label = "transept.show_place", "Show"
    bl_options = {"INTERNAL"}
    place: FloatVectorProperty(size=3)
    sentence: StringProperty()

    @classmethod
    def description(cls, _context, properties):
        return properties.sentence or cls.__doc__

    def work(self, context):
        unit = scene_room.metres(context.scene)
        context.scene.cursor.location = [c / unit for c in self.place]
        if context.region_data is not None:
            context.region_data.view_location = context.scene.cursor.location


CLASSES = (TRANSEPT_OT_position, TRANSEPT_OT_audience, TRANSEPT_OT_variant, TRANSEPT_OT_check, TRANSEPT_OT_plan,
           TRANSEPT_OT_rays, TRANSEPT_OT_simulate, TRANSEPT_OT_cancel, TRANSEPT_OT_show_place)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
