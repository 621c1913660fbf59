#include "src/commands.h"

#include <string.h>

static const struct command commands[] = {
    {"simulate", COMMAND_SIMULATE, "ROOM", "from a room to impulse responses as WAV files",
     "Simulates sound in ROOM (.obj .gltf .glb .ply .stl) and writes one 48 kHz WAV per source and receiver, "
     "ir_<source>_<receiver>.wav, with run.json, into the folder DIR. Positions come from --source and "
     "--receiver or from objects of the model called `source:NAME` and `receiver:NAME`. Every surface needs "
     "an absorption. Ctrl-C keeps what was computed.",
     command_simulate},
    {"plan", COMMAND_PLAN, "ROOM", "what a simulation would take: nodes, bytes, time, the highest frequency",
     "Says what `simulate` would take before anything large is allocated: nodes, bytes of both layouts, "
     "steps, time (from a measurement of 0.3 s) and the highest --fmax that this machine affords. Without a "
     "source it takes the largest enclosed cavity. Surfaces without absorption count as 0.1.",
     command_plan},
    {"memory", COMMAND_MEMORY, "SHAPE", "memory of both layouts for simple shapes, as CSV",
     "Prints the memory table of the block layout for cube, sphere or cross (several joined by commas): the "
     "seed's block struct (8728 bytes), its bounding box (17 bytes a node), this program's blocks in single "
     "and double precision, and the air alone (17 bytes a node), in MiB.",
     command_memory},
    {"room", COMMAND_ROOM, "SHAPE", "write a parametric room as OBJ or glTF",
     "Writes a parametric room with named materials and positions, and prints what it wrote. The measures of "
     "a shape are options: `transept room church --help` lists those of the church.",
     command_room},
};

const struct command *commands_table(size_t *count)
{
    *count = sizeof commands / sizeof commands[0];
    return commands;
}

static void print_statuses(FILE *stream)
{
    fputs("\nExit status: 0 done; 2 bad usage or input; 3 does not fit this machine; 4 the simulation went "
          "wrong;\n"
          "5 output failed; 130 interrupted.\n",
          stream);
}

void help_overview(FILE *stream)
{
    fputs(
        "transept simulates sound in rooms, most of all in rooms that fill little of their bounding box.\n\n"
        "Usage: transept COMMAND [OPTION..] ARGUMENT\n\nCommands:\n",
        stream);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(stream, "  %-10s %-6s %s\n", commands[i].name, commands[i].subject, commands[i].summary);
    fputs("\n  transept COMMAND --help    the options of a command\n"
          "  transept --version         version, and whether it can use a GPU\n"
          "\nA first room:\n"
          "  transept room church -o church.obj\n"
          "  transept simulate church.obj --absorption 0.1 -o church\n",
          stream);
    print_statuses(stream);
}

void help_command(FILE *stream, const struct command *command, const struct option_set *extra)
{
    const char *output = command->bit == COMMAND_SIMULATE ? " -o DIR"
                         : command->bit == COMMAND_ROOM   ? " -o FILE"
                         : command->bit == COMMAND_MEMORY ? " --nodes N[,N..]"
                                                          : "";
    fprintf(stream, "Usage: transept %s %s%s [OPTION..]\n\n", command->name, command->subject, output);
    options_print_wrapped(stream, command->description, 0);
    options_print_help(stream, command->bit, extra);
    print_statuses(stream);
}
