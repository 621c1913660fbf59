#include "src/base/wrapped_text.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/setup/project/project.h"

#include <string.h>

static const struct command commands[] = {
    {"simulate", COMMAND_SIMULATE, "ROOM", "impulse responses of a room as WAV files",
     "Simulates sound in ROOM. For every source and receiver it writes a WAV file at 48 kHz, "
     "ir_<source>_<receiver>.wav, and run.json, into the folder DIR. ROOM is a model (.obj .gltf .glb .ply "
     ".stl .dae .fbx .3ds .dxf .ifc) or a project (.yaml, see `new`); `-` reads a project from standard "
     "input. Positions come from --source and --receiver, or from objects of the model called `source:NAME` "
     "and `receiver:NAME`. The absorption of a surface is looked up by the name of its material: first in "
     "--absorption, then in --materials, then in the library (`transept materials`). After Ctrl-C the "
     "results so far are kept.",
     NULL, command_simulate, "-o DIR", NULL},
    {"new", COMMAND_NEW, "ROOM", "write a first project: one commented YAML file for the whole run",
     "Writes a project for ROOM, a mesh or a built-in room (cube, sphere, cross, church). The project has "
     "the materials with their areas and a guess of their absorption. It has the positions of the model, or "
     "else a source and two receivers in the largest enclosed space. Its highest frequency is one that this "
     "machine simulates in about a minute. Spaces within furniture are ignored. If a larger space is open, "
     "the leak path is shown. The project can be run unchanged: `transept simulate FILE.yaml`. Guesses are "
     "marked until you remove the mark. Every command accepts a project as its ROOM.",
     command_new, NULL, "-o FILE.yaml", NULL},
    {"plan", COMMAND_PLAN, "ROOM", "cost of a simulation: nodes, bytes, time, the highest frequency",
     "Predicts the cost of `simulate` before anything large is allocated: nodes, bytes of both layouts, "
     "steps, time (from a measurement of 0.3 s) and the highest --fmax that this machine can simulate. "
     "Without a source it uses the largest enclosed cavity, and warns if a larger space is open. Surfaces of "
     "unknown absorption get 0.1.",
     command_plan, NULL, "", NULL},
    {"check", COMMAND_CHECK, "ROOM", "check a model: leaks, cavities, edges, materials, narrow openings",
     "Lists the faults of the model ROOM, the most important first, and how to correct them. It checks units "
     "and axes, leaks and their paths, cavities, edges, faces, surfaces without air in front, materials and "
     "their areas, and openings that are too narrow for the spacing. The exit status is 1 if the model "
     "cannot be simulated as it is.",
     command_check, NULL, "", NULL},
    {"compare", COMMAND_COMPARE, "ROOM|RUN|IR.wav..",
     "compare runs, responses, or both storage layouts of a room",
     "Given runs (folders that `simulate` wrote, or their run.json), compares each of the others with the "
     "first. It prints each figure of each common response, by octave and in just noticeable differences "
     "(JND), the differences of the set-up, and what a listener would notice. Given responses, it compares "
     "these likewise: two places of a run, or a measured response with its simulation. FILE.wav@7 is channel "
     "7 of a file, such as a point of a receiver grid. Given a run and responses that were measured in the "
     "room, or with --sweep or --mls recordings, it pairs each with a response of the run: by the names of "
     "source and receiver in the file's name, or as FILE.wav=SOURCE,NAME or FILE.wav=[SOURCE,]x,y,z says. "
     "The exit status is 0 even if they differ. Given a "
     "ROOM, simulates it in both layouts, blocks and bounding box, from the same noise "
     "on every node and with all sources at once. It compares every pressure (by a hash of the whole field "
     "every 100 steps) and every output sample, and prints bytes and time per step of both. The exit status "
     "is 1 if one bit differs. Without a source it uses the largest enclosed cavity; without a receiver it "
     "places one. Surfaces of unknown absorption get 0.1.",
     command_compare, NULL, "", NULL},
    {"bench", COMMAND_BENCH, "[ROOM]", "speed in node updates per second, compared with the memory bandwidth",
     "Measures the memory bandwidth of this machine. It then simulates cube, sphere, cross and church, or "
     "ROOM, in both layouts and both precisions. The shapes have first-order walls, ROOM those of --walls. "
     "On a CUDA device (--backend cuda, or auto if there is one) the bandwidth is the copy rate of its "
     "memory. Walls then absorb, one source is driven, sixteen receivers are read, and small rooms are "
     "included. The kernels with which the block layout was first published are timed for comparison. Every "
     "case is checked before it is timed; the exit status is 1 if a value is wrong. The options of "
     "resolution, surfaces and model apply to ROOM.",
     NULL, command_bench, "", NULL},
    {"auralise", COMMAND_AURALISE, "IR.wav|DIR..", "hear a dry sound in the room, through its responses",
     "Convolves a dry sound with responses (of a run, of several runs or variants, or WAV files) and writes "
     "listen_<source>_<receiver>.wav, at 48 kHz and 24 bits. One common gain makes the sounds comparable. It "
     "also writes the dry sound in free field at the distance of the nearest receiver: at full bandwidth, "
     "and low-passed to the band of the responses. The dry sound is --dry, or the last argument if it is a "
     "file, or a clap. Its channels are averaged, since a source is one point. A wet sound has as many "
     "channels as its response. listen.json has bands, gains, loudness (EBU R 128) and peaks. With --walk a "
     "listener moves through one run, and walk_<source>.wav and walk.json are written. The sound of a walk "
     "is made from the responses along the path. With --stepped the room (of the run, a project or a model) "
     "is simulated again.",
     command_auralise, NULL, "", NULL},
    {"analyse", COMMAND_ANALYSE, "IR.wav|DIR..", "room acoustic figures of responses (ISO 3382-1), by octave",
     "Computes the figures of ISO 3382-1 by octave: EDT, T20, T30, C50, C80, D50, Ts and, if the level of "
     "the source is known, G. It prints their mean and spread over all responses, and the single numbers. "
     "Responses are WAV files of at most 120 s, of which every channel is a receiver, or DIR, the folder of "
     "a run. If a response is too short, too noisy or too low in frequency for a figure, the figure is "
     "absent and the reason is printed below. Decays with two slopes (coupled rooms) are printed with both "
     "times. For speech there is the modulation transfer of each octave (IEC 60268-16, male) and, from "
     "responses up to 11300 Hz, STI. --speech-level and --noise-level add noise, masking and the threshold "
     "of hearing. With --sweep or --mls the files are recordings, of which the responses are made first; "
     "with "
     "--reference G is known.",
     command_analyse, NULL, "", NULL},
    {"modes", COMMAND_MODES, "DIR",
     "the modes of a simulated room: frequency, Q, likely mode of its bounding box",
     "Finds the modes of the room in the responses of a run (DIR, the folder that `simulate` wrote). It "
     "prints frequency, Q, reverberation time and level of each, and the corresponding mode of the bounding "
     "box of the air, which is a guess unless the room is a box. Modes of the same frequency and decay count "
     "as one. The search ends where modes are wider than their distance (overlap 1). Use several receivers, "
     "and none in the middle of the room: a single one may miss a mode.",
     command_modes, NULL, "", NULL},
    {"binaural", COMMAND_BINAURAL, "AMBIX.wav", "binaural response from an ambisonic one, for headphones",
     "Converts a first-order AmbiX file (four channels W, Y, Z, X, SN3D, as simulate --ambisonics writes "
     "them) into the signals at the two ears of a measured head (--head, a SOFA file). The sample rate is "
     "that of the file. The head is at the receiver's position and faces its front, unless --yaw, --pitch "
     "and --roll turn it. In a diffuse field the levels are those of the file. `auralise` plays dry sounds "
     "through the result.",
     command_binaural, NULL, "", NULL},
    {"rays", COMMAND_RAYS, "ROOM", "figures of a room in seconds, by energy along rays, 63 Hz to 16 kHz",
     "Traces energy along rays in ROOM and prints the figures of ISO 3382-1 in all octaves, with STI: a "
     "first look at a model, before a simulation. Diffraction and room modes are left out, so that low "
     "octaves are less reliable than those of `simulate`. Walls reflect as in `simulate`. How surfaces "
     "scatter sound is rarely known; therefore the rays are traced again with half and with twice the "
     "scattering, and the change of each figure is printed in just noticeable differences.",
     command_rays, NULL, "", NULL},
    {"calibrate", COMMAND_CALIBRATE, "PROJECT|IR.wav..",
     "the absorption that gives the reverberation times measured in a room",
     "Simulates PROJECT, compares its reverberation times with the measured ones (--measured FILE, or "
     "several "
     "files) and finds the smallest changes of absorption, by material and octave, that give them. Each "
     "change counts in units of the standard uncertainty of the absorption. The account of where the sound "
     "of "
     "a run went says what a change does. Two to four runs, in DIR/run_1, DIR/run_2, .., are simulated to "
     "355 "
     "Hz as a draft, with rays above, unless --fmax and --quality are given. Then a variant with the new "
     "absorption is added to PROJECT, with comments that say what was changed and why; nothing else in that "
     "file changes. Sheets, and walls given by layers or branches, stay as they are. A measurement that asks "
     "for what no surface could absorb is refused.",
     NULL, command_calibrate, "-o DIR", NULL},
    {"film", COMMAND_FILM, "ROOM", "pictures of the waves: slices as PNG, slices and fields for ParaView",
     "Runs one source of ROOM with a short pulse and writes pictures of the pressure. Slices are PNG frames, "
     "all in one colour scale (blue negative, red positive, walls dark). --files and --field write VTKHDF "
     "for ParaView: slices, or the whole field in its blocks. The pulse is one crest between two troughs, up "
     "to --fmax; pressure 1 is that crest at 1 m in free field. Surfaces of unknown absorption get 0.1. "
     "Without a source it uses the largest enclosed cavity. With --score or --drum drums are struck instead, "
     "as "
     "by `play`; pressures are then in Pa, and vertical slices show the membranes. Files of `simulate` are "
     "not "
     "changed.",
     NULL, command_film, "-o DIR", NULL},
    {"play", COMMAND_PLAY, "ROOM", "timpani in a room: the sound of their strokes at every receiver",
     "Places drums in ROOM, each a membrane over a kettle, and strikes them according to a score (--score, "
     "YAML) or once each (--drum). Membranes, the air in the kettles and that of the room are one "
     "simulation. The sound at every receiver is written as heard_<receiver>.wav, 48 kHz, 32-bit float, full "
     "scale 1 Pa. play.json has the drums, their tuning, the strokes and levels. It runs on the CPU "
     "unless --backend cuda or --devices is given.",
     NULL, command_play, "-o DIR", NULL},
    {"report", COMMAND_REPORT, "DIR..", "report of a run as one page, to read, hear and send: report.html",
     "Writes report.html into the folder DIR of a run: one self-contained page with the room, the figures, "
     "drawings, sounds and everything that is needed to repeat the run. It loads nothing from elsewhere, so "
     "it can be sent. With more folders it begins with a table: which runs meet which recommendations, and "
     "what that costs against the first run. Then it shows the first run and the best other one side by side "
     "on one scale, also for blind listening, and their differences in just noticeable differences. It "
     "contains no path of this machine. No file of a run is replaced.",
     command_report, NULL, "", NULL},
    {"export", COMMAND_EXPORT, "DIR", "responses of a run for other programs: SOFA, HDF5",
     "Writes the responses of a run (DIR, the folder that `simulate` wrote) into one file. FILE.sofa (AES69) "
     "has the responses of receivers with their positions. They are spherical harmonics if the run has "
     "ambisonic responses, otherwise the pressure. FILE.dae (COLLADA) beside it is the room. FILE.h5 (HDF5) "
     "has the responses of receiver grids, at their own sample rate, bit for bit as the run stores them. The "
     "run is not changed.",
     command_export, NULL, "-o FILE", NULL},
    {"memory", COMMAND_MEMORY, "SHAPE", "memory of both layouts for simple shapes, as CSV",
     "Prints the memory table of the block layout for cube, sphere or cross (several joined by commas), in "
     "MiB: the block struct as first published (8728 bytes), the bounding box (17 bytes a node), this "
     "program's blocks in single and double precision, and the air alone (17 bytes a node). The last column "
     "is "
     "what the box has more than the air alone, as a multiple of what the published blocks have more.",
     command_memory, NULL, "--nodes N[,N..]", NULL},
    {"materials", COMMAND_MATERIALS, "[NAME]", "the material library: absorption per octave, and its sources",
     "Lists the library by kind, with random-incidence absorption in the octaves 63 Hz to 8 kHz and the "
     "document that it comes from. With NAME it prints everything about that material. Case, _ and - are "
     "ignored, and so are a counter like .001 and brackets around a name.",
     command_materials, NULL, "", NULL},
    {"room", COMMAND_ROOM, "SHAPE", "write a parametric room as OBJ or glTF",
     "Writes a parametric room with named materials and positions, and prints what it wrote. The dimensions "
     "of a shape are options: `transept room church --help` lists those of the church.",
     NULL, command_room, "-o FILE", NULL},
    {"studio", COMMAND_STUDIO, "[FOLDER|MODEL|PROJECT]", "work on a room in the browser",
     "Serves a page on this machine alone and prints its address: models, projects and runs of FOLDER, or of "
     "the folder of MODEL or PROJECT. Without any, or with the word demo, it opens the built-in church, "
     "ready to "
     "run, in ~/.local/share/transept/church, where it stays. The page runs the other commands and shows "
     "each "
     "of them. It keeps everything in the project and in the folders of runs. The address holds a "
     "password; give it to nobody. It ends with Ctrl-C. Commands that run go on, and the next studio of that "
     "folder finds them.",
     NULL, command_studio, "", NULL},
};

const struct command *commands_table(size_t *count)
{
    *count = sizeof commands / sizeof commands[0];
    return commands;
}

const struct command *command_find(const char *name, const char **nearest)
{
    const char *names[sizeof commands / sizeof commands[0]];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    }
    *nearest = options_nearest(name, names, sizeof names / sizeof names[0]);
    return NULL;
}

const struct help_words help_words = {
    .intro =
        "transept simulates sound in rooms. It computes only the parts of the bounding box that contain air.",
    .usage = "transept COMMAND [OPTION..] ARGUMENT",
    .of_a_command = "the options of a command",
    .version = "version, and whether it can use a GPU",
    .first_room = {"transept room church -o church.obj", "transept simulate church.obj -o church",
                   "transept auralise church", NULL},
    .statuses = {"0 done; 1 done, with a negative result (check, compare ROOM, bench);",
                 "2 wrong usage or input; 3 does not fit this machine; 4 the simulation went wrong;",
                 "5 output or the GPU failed; 130 interrupted; 141 the output was not read to its end.",
                 NULL},
};

static const char *subject_of(const struct command *command)
{
    return command->subject != NULL ? command->subject : "";
}

static void print_statuses(FILE *stream)
{
    fputs("\nExit status: ", stream);
    for (size_t i = 0; help_words.statuses[i] != NULL; i++)
        fprintf(stream, "%s\n", help_words.statuses[i]);
}

void help_overview(FILE *stream)
{
    fprintf(stream, "%s\n\nUsage: %s\n\nCommands:\n", help_words.intro, help_words.usage);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(stream, "  %-10s %-12s %s\n", commands[i].name, subject_of(&commands[i]),
                commands[i].summary);
    fprintf(stream,
            "\n  transept COMMAND --help    %s\n"
            "  transept --version         %s\n"
            "\nA first room:\n",
            help_words.of_a_command, help_words.version);
    for (size_t i = 0; help_words.first_room[i] != NULL; i++)
        fprintf(stream, "  %s\n", help_words.first_room[i]);
    print_statuses(stream);
}

void help_command(FILE *stream, const struct command *command, const struct option_set *extra)
{
    fprintf(stream, "Usage: transept %s%s%s%s%s [OPTION..]\n\n", command->name,
            command->subject != NULL ? " " : "", subject_of(command), command->output[0] != '\0' ? " " : "",
            command->output);
    print_wrapped(stream, command->description, 0);
    options_print_help(stream, command->bit, extra);
    print_statuses(stream);
}

int command_with_options(const struct command *command, int argc, char **argv, const struct option_set *extra,
                         command_run *run, struct failure *failure)
{
    struct options options;
    struct project *project = NULL;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, extra, &options, failure);
    options.request.engine.back_ends = command->back_ends;
    command_show_progress(&options);
    if (code == 0 && !options.help)
        code = options_refuse_second(command->bit, argc, argv, extra, failure);
    if (code == 0 && options.help)
        help_command(stdout, command, extra);
    else if (code == 0 && (code = command_take_project(&options, &project, failure)) == 0) {
        progress_json_variant(options.variant);
        code = run(&options, failure);
    }
    options_free(&options);
    project_close(project);
    return code;
}
