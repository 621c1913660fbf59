/** The options of the program: what there is, its limits and default, and which commands take it. */
#include "kernels/scheme/scheme.h"
#include "src/options/options.h"
#include "src/options/scheme_options.h"

#define ROOMS                                                                                                \
    (COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_CHECK | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY)
/* What makes a grid of a model. */
#define MODELS (ROOMS | COMMAND_BENCH)
/* Steps a room, or says what that takes. */
#define STEPS   (PLANNED | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY)
#define PLANNED (COMMAND_SIMULATE | COMMAND_PLAN)

#define OPTION(kind, name, commands_, member, ...)                                                           \
    OPTION_ENTRY(kind, name, struct options, member, .commands = commands_, __VA_ARGS__)

#define TEXT_(value) #value
#define TEXT(value)  TEXT_(value)

/* Node updates go with the fourth power of the points. */
#define QUALITY_HELP                                                                                                               \
    "grid points per wavelength at fmax: draft " TEXT(ISOTROPIC_POINTS_DRAFT) ", standard " TEXT(ISOTROPIC_POINTS) ", fine " TEXT( \
        ISOTROPIC_POINTS_FINE) " of the isotropic scheme, a third, one "                                                           \
                               "and twice the work; " TEXT(STANDARD_POINTS_DRAFT) ", " TEXT(                                       \
                                   STANDARD_POINTS) " and " TEXT(STANDARD_POINTS_FINE) " of the standard "                         \
                                                                                       "one, a quarter, "                          \
                                                                                       "one and four times "                       \
                                                                                       "the work, for 2, 1 "                       \
                                                                                       "and "                                      \
                                                                                       "0.5 % of phase "                           \
                                                                                       "error in the worst "                       \
                                                                                       "direction"

const char *const option_use_words[] = {"church",   "worship",   "concerts", "music", "speech",
                                        "teaching", "inclusive", "sport",    NULL};

/* The low-pass ends 15 % above fmax and must stay below half of 48 kHz, hence the limit of 20 kHz. */
const struct option_spec option_table[] = {
    OPTION(TEXT, "output", COMMAND_SIMULATE, output, .group = "Output", .letter = 'o', .value = "DIR",
           .help = "folder for the responses and run.json; it must be new or empty, or see --force"),
    OPTION(TEXT, "output", COMMAND_NEW, output, .letter = 'o', .value = "FILE.yaml",
           .help = "the project to write"),
    OPTION(TEXT, "output", COMMAND_ROOM, output, .letter = 'o', .value = "FILE",
           .help = "the file to write: .obj (with an .mtl beside it), .gltf or .glb"),
    OPTION(TEXT, "output", COMMAND_BINAURAL, output, .letter = 'o', .value = "OUT.wav",
           .help = "the two-channel file to write"),
    OPTION(FLAG, "force", COMMAND_SIMULATE, force,
           .help =
               "write into a folder that is not empty; only what a run writes is replaced: ir_*.wav, map_*, "
               "run.json, room.glb, blocks.json; what was made from an earlier run's responses is "
               "removed: report*.html, listen_*.wav, listen.json"),
    OPTION(TIME, "checkpoint", COMMAND_SIMULATE, checkpoint, .high = 604800, .value = "TIME",
           .help = "how often the run is saved in DIR so that another process can go on with it; 0: never "
                   "(default: every 10 min of a run that is predicted to take longer, or less often where "
                   "that takes more than 1 % of the time)"),
    OPTION(TEXT, "resume", COMMAND_SIMULATE, resume, .value = "DIR",
           .help = "go on with the run in DIR that has not ended, with its own options; beside it only "
                   "--backend, --devices, --layout, --threads, --checkpoint, --discard, --json, --quiet and "
                   "--progress. The command that began it goes on too. Results are those of a run that was "
                   "never interrupted"),
    OPTION(FLAG, "discard", COMMAND_SIMULATE, discard,
           .help =
               "a run that is interrupted (Ctrl-C, SIGTERM) leaves nothing of its own: no folder, no result, "
               "no checkpoint. What was there before stays"),
    OPTION(TEXT, "output", COMMAND_FILM, output, .letter = 'o', .value = "DIR",
           .help = "folder for the pictures and film.json; it must be new or empty, or see --force"),
    OPTION(FLAG, "force", COMMAND_FILM, force,
           .help = "write into a folder that is not empty; only an earlier film in it is replaced"),
    OPTION(TEXT, "output", COMMAND_PLAY, output, .letter = 'o', .value = "DIR",
           .help = "folder for what is heard and play.json; it must be new or empty, or see --force"),
    OPTION(FLAG, "force", COMMAND_PLAY, force,
           .help = "write into a folder that is not empty; only what was played into it earlier is replaced"),
    OPTION(WORD, "maps", COMMAND_SIMULATE, maps, OPTION_WORDS("main", "all"), .standard = "main",
           .help =
               "which octaves of a receiver grid are drawn; main: every figure once, as the mean of 500 and "
               "1000 Hz, or of the highest octave where the run ends below; all: a drawing of every octave"),
    OPTION(TEXT, "voxels", COMMAND_CHECK, voxels, .value = "FILE.ply",
           .help = "write the surface of the stored air for a viewer, as --walls has it"),
    OPTION(FLAG, "fit", COMMAND_MATERIALS, fit,
           .help = "also fit a passive wall to the absorption of NAME: branches of inertance, resistance and "
                   "stiffness, and how near they come"),
    OPTION(TEXT, "output", COMMAND_MATERIALS, output, .letter = 'o', .value = "FILE.svg",
           .help = "draw the fit"),
    OPTION(FLAG, "force",
           COMMAND_ROOM | COMMAND_NEW | COMMAND_BINAURAL | COMMAND_CHECK | COMMAND_MATERIALS | COMMAND_EXPORT,
           force, .help = "replace an existing file"),
    OPTION(TEXT, "output", COMMAND_AURALISE, output, .letter = 'o', .value = "DIR|WET.wav",
           .help = "folder for all sounds, or one file that the others are named after (default: the folder "
                   "of the run)"),
    OPTION(FLAG, "force", COMMAND_AURALISE, force,
           .help = "replace what an earlier call wrote: listen_*.wav and listen.json, and nothing else"),
    OPTION(TEXT, "output", COMMAND_EXPORT, output, .letter = 'o', .value = "FILE.sofa|FILE.h5",
           .help =
               "the file to write: .sofa for the responses of receivers, with the room as FILE.dae beside "
               "it; .h5 for those of receiver grids"),
    OPTION(WORD, "convention", COMMAND_EXPORT, convention,
           OPTION_WORDS("SingleRoomSRIR", "SingleRoomMIMOSRIR"), .standard = "SingleRoomSRIR",
           .help =
               "of a SOFA file; SingleRoomSRIR: a measurement for every response; SingleRoomMIMOSRIR: one "
               "for every receiver, with an emitter for every source"),
    OPTION(TEXT, "output", COMMAND_REPORT, output, .letter = 'o', .value = "FILE.html",
           .help = "the page (default: report.html in the run's folder; of two runs report_<second>.html in "
                   "the first's)"),
    OPTION(TEXT, "title", COMMAND_REPORT, title, .value = "TEXT",
           .help = "what the page is called (default: the room and the folder of the run)"),
    OPTION(WORD, "use", COMMAND_REPORT, use, .value = "WORD", .words = option_use_words, .standard = "church",
           .help =
               "what the room is for, and so which recommendations it is held against: worship, concerts, "
               "or of DIN 18041:2016 music (A1), speech (A2), teaching (A3), inclusive teaching (A4), "
               "sport (A5), with what they allow in each octave; church: the first four and clarity"),
    OPTION(WORD, "language", COMMAND_REPORT, language, OPTION_WORDS("en", "de"),
           .help = "English or German, with that language's decimal sign (default: as the project says, else "
                   "English)"),
    OPTION(TEXT, "project", COMMAND_REPORT, page_project, .value = "FILE.yaml",
           .help = "take title, language and letterhead from this project (default: from that of the run)"),
    OPTION(TEXT, "tables", COMMAND_REPORT, tables, .value = "FOLDER",
           .help = "also write every table of the page as CSV into this folder, and tables.csv, their list"),
    OPTION(FLAG, "force", COMMAND_REPORT, force,
           .help =
               "replace an existing page, and the tables of an earlier one and nothing else in their folder"),
    OPTION(
        FLAG, "json",
        COMMAND_BINAURAL | COMMAND_AURALISE | ROOMS | COMMAND_ROOM | COMMAND_BENCH | COMMAND_MATERIALS |
            COMMAND_MODES | COMMAND_ANALYSE | COMMAND_NEW | COMMAND_REPORT | COMMAND_EXPORT,
        json,
        .help =
            "one JSON object on standard output, and nothing else there; failures and warnings are lines of "
            "JSON on standard error"),
    OPTION(FLAG, "quiet",
           COMMAND_BINAURAL | COMMAND_AURALISE | ROOMS | COMMAND_ROOM | COMMAND_NEW | COMMAND_BENCH |
               COMMAND_REPORT | COMMAND_EXPORT,
           quiet, .help = "print only warnings and errors"),
    OPTION(WORD, "progress",
           COMMAND_AURALISE | ROOMS | COMMAND_NEW | COMMAND_BENCH | COMMAND_REPORT | COMMAND_MODES |
               COMMAND_ANALYSE,
           progress, OPTION_WORDS("line", "json"), .standard = "line",
           .help =
               "how far the command has come, on standard error; line: for people, on a terminal in place; "
               "json: for programs, also with --quiet: one JSON object a line with phase, fraction (0 to 1), "
               "seconds_left, variant and source"),
    OPTION(PLACES, "source", ROOMS & ~(unsigned)COMMAND_PLAY, source, .group = "Positions",
           .value = "X,Y,Z[,NAME]|NAME",
           .help = "a source, in metres in room axes (z up), or the name of one in the model; repeatable; "
                   "replaces the sources of the model; names are S1, S2.. unless given"),
    OPTION(PLACES, "receiver", ROOMS & ~(unsigned)COMMAND_FILM, receiver, .value = "X,Y,Z[,NAME]|NAME",
           .help = "a receiver, likewise; repeatable; replaces the receivers of the model; names are R1, "
                   "R2.. unless given"),
    OPTION(TEXTS, "directivity", PLANNED, directivity, .value = "NAME=omni|voice|cardioid|FILE.sofa",
           .help =
               "how that source radiates: omni (the default), voice (measured speech), cardioid, or a "
               "measured source (AES69, FreeFieldDirectivityTF); level on its axis as without; repeatable"),
    OPTION(TEXTS, "aim", PLANNED, aim, .value = "NAME=AZIMUTH[,ELEVATION]|X,Y,Z|RECEIVER",
           .help = "where a source with a directivity points: degrees from +x towards +y, and up; a place in "
                   "metres; or a receiver; repeatable (default: the middle of all receivers)"),
    OPTION(TEXTS, "together", PLANNED, together, .value = "NAME=SOURCE[:GAIN[:DELAY]],..",
           .help = "sources that sound at once, in one run, each with its gain in dB and delay in ms: a line "
                   "array, a choir; their responses are called NAME, and they get none of their own; "
                   "repeatable"),
    OPTION(FLAG, "ambisonics", PLANNED, ambisonics,
           .help = "responses with the direction that sound comes from: a four-channel "
                   "ir_<source>_<receiver>_ambix.wav for every receiver (AmbiX: W, Y, Z, X; front X, left Y, "
                   "up Z), and the figures LF, LFC and LJ"),
    OPTION(TEXTS, "look", PLANNED, look, .value = "NAME=SOURCE|DEGREES",
           .help = "the front of that receiver with --ambisonics, or of that dummy head: the direction of a "
                   "source, or an azimuth from +x towards +y; repeatable; without it a receiver faces the "
                   "source of the response, a dummy head the first source"),
    OPTION(TEXTS, "dummy-head", PLANNED, dummy_head, .value = "NAME[=RADIUS|FILE]",
           .help =
               "a head stands in the room where that receiver is, and its ears are receivers instead, "
               "NAME_left and NAME_right, heard together in ir_<source>_NAME_binaural.wav: a rigid sphere, "
               "of 8.75 cm unless a radius is given, or a mesh with its front along +x, its top along +z "
               "and positions receiver:left and receiver:right; repeatable"),
    OPTION(TEXT, "head", PLANNED | COMMAND_BINAURAL, head, .value = "FILE.sofa",
           .help = "the measured head (AES69) through which two ears hear the ambisonic responses: "
                   "ir_<source>_<receiver>_binaural.wav; for headphones; implies --ambisonics"),
    OPTION(NUMBER, "yaw", PLANNED | COMMAND_BINAURAL, yaw, .low = -360, .high = 360, .unit = "degrees",
           .value = "DEGREES", .standard = "0", .help = "how far that head turns to the left of the front"),
    OPTION(NUMBER, "pitch", PLANNED | COMMAND_BINAURAL, pitch, .low = -360, .high = 360, .unit = "degrees",
           .value = "DEGREES", .standard = "0", .help = "how far its nose is lifted, after --yaw"),
    OPTION(NUMBER, "roll", PLANNED | COMMAND_BINAURAL, roll, .low = -360, .high = 360, .unit = "degrees",
           .value = "DEGREES", .standard = "0", .help = "how far it leans to the right, after --pitch"),
    OPTION(GRIDS, "receiver-grid", PLANNED, receiver_grid, .value = "audience|NAME=AREA|none",
           .help = "receivers all over an area, for maps: where people sit, over floors and seats (audience: "
                   "the default where there is no receiver); the upward faces of a material; or a polygon on "
                   "the floor, x,y,z;x,y,z;x,y,z..; repeatable; NAME goes into file names"),
    OPTION(LENGTH, "grid-spacing", PLANNED, grid_spacing, .above_low = true, .high = 1000, .value = "LENGTH",
           .standard = "1",
           .help = "distance between the points of receiver grids (of the audience unless given: from 1 m on "
                   "as coarse as leaves 200 points)"),
    OPTION(LENGTH, "grid-height", PLANNED, grid_height, .above_low = true, .high = 100, .value = "LENGTH",
           .standard = "1.2",
           .help = "height of the points of receiver grids above the floor: that of the ears"),
    OPTION(TEXT, "dry", COMMAND_AURALISE, dry, .group = "Sound", .value = "FILE|clap|organ",
           .help = "what the source plays: a sound file of any rate, or one that the program makes (default: "
                   "the last argument where that is a file, else clap)"),
    OPTION(WORD, "level", COMMAND_AURALISE, level, OPTION_WORDS("normalised", "true"),
           .standard = "normalised",
           .help = "normalised: the highest true peak of all is at -1 dBFS; true: the level of a source that "
                   "gives the dry sound at 1 m, lower only where a peak would pass -1 dBFS. One gain for all "
                   "in either case"),
    OPTION(FLAG, "extend", COMMAND_AURALISE, extend,
           .help = "also write mono responses filled above their highest frequency with a statistical tail, "
                   "listen_.._extended.wav, or of a walk walk_.._extended.wav: for listening, not "
                   "simulated"),
    OPTION(
        FREQUENCY, "fmax", COMMAND_AURALISE, fmax, .above_low = true, .low = 20, .high = 20000, .value = "HZ",
        .help = "highest frequency of responses that have no run.json beside them; of a walk with --stepped, "
                "instead of the run's"),
    OPTION(TEXT, "walk", COMMAND_AURALISE, walk, .group = "Walk", .value = "X,Y,Z;X,Y,Z..",
           .help = "hear the room while walking through these places, in metres in room axes: "
                   "walk_<source>.wav, from the responses of a run whose receivers or receiver grid stand "
                   "along the way, at most 2 m off; a dry sound that ends sooner begins again; one place: "
                   "stand there"),
    OPTION(NUMBER, "speed", COMMAND_AURALISE, speed, .low = 0.05, .high = 30, .unit = "m/s", .value = "M/S",
           .standard = "1.2", .help = "how fast the listener walks"),
    OPTION(TEXT, "source", COMMAND_AURALISE, sounding, .value = "NAME",
           .help = "walk with this source of the run or room alone (default: a walk with each)"),
    OPTION(TEXT, "look", COMMAND_AURALISE, facing, .value = "ahead|SOURCE|DEGREES", .standard = "ahead",
           .help = "which way the listener looks, for --head: along the walk, at a source, or to an azimuth "
                   "from +x towards +y"),
    OPTION(FLAG, "ambisonics", COMMAND_AURALISE, ambisonics,
           .help = "also walk_<source>_ambix.wav (AmbiX: W, Y, Z, X; X is the room's +x, Y its +y), from "
                   "responses with four channels"),
    OPTION(TEXT, "head", COMMAND_AURALISE, head, .value = "FILE.sofa",
           .help = "also walk_<source>_binaural.wav, through this measured head (AES69); for headphones"),
    OPTION(FLAG, "stepped", COMMAND_AURALISE, stepped,
           .help = "step the room of the run once more, or that of a project or model, with 7 points, the "
                   "source playing the dry sound and the listener moving through the field: no receivers are "
                   "needed, and nothing is interpolated between responses; without losses of the air"),
    OPTION(FREQUENCY, "fmax", MODELS, fmax, .group = "Resolution", .may_be_auto = true, .above_low = true,
           .low = 20, .high = 20000, .value = "HZ|auto", .standard = "auto",
           .help = "highest frequency; auto: the highest of 177, 355, 710, 1420, 2840, 5680, 11300 Hz that "
                   "fits memory and --budget"),
    OPTION(FREQUENCY, "fmax", COMMAND_ANALYSE, fmax, .group = "Responses", .may_be_auto = true,
           .above_low = true, .low = 20, .high = 100000, .value = "HZ|auto", .standard = "auto",
           .help = "highest frequency of the responses, below which there are figures; auto: as run.json "
                   "beside them says, else where the spectrum of a file ends"),
    OPTION(TIME, "onset", COMMAND_ANALYSE, onset, .may_be_auto = true, .above_low = true, .high = 1000,
           .value = "TIME|auto", .standard = "auto",
           .help = "when the direct sound arrives, after the first sample; auto: as run.json beside the "
                   "files says, else the first sample within 20 dB of the largest"),
    OPTION(TEXT, "channel", COMMAND_ANALYSE, channel, .value = "N|all",
           .help = "of files with several: one of them, from 1, or all, each as a receiver (default: all; of "
                   "a run's files the first, which is the pressure)"),
    OPTION(FLAG, "calibrated", COMMAND_ANALYSE, calibrated,
           .help = "the files are calibrated as those of a run: |X| is 1/r at r metres in free field. Then "
                   "they have a strength G; without it only files of a run have one"),
    OPTION(OCTAVES, "speech-level", COMMAND_ANALYSE, speech_level, .low = -50, .high = 150, .unit = "dB",
           .value = "L125,..,L8000",
           .help =
               "level of speech at the listener in octaves 125 Hz to 8 kHz, seven numbers in dB SPL: "
               "modulation transfer and STI with masking and the threshold of hearing (default: without)"),
    OPTION(OCTAVES, "noise-level", COMMAND_ANALYSE, noise_level, .low = -50, .high = 150, .unit = "dB",
           .value = "L125,..,L8000",
           .help = "level of noise likewise, beside --speech-level (default: none)"),
    OPTION(WORD, "scheme", (MODELS & ~(unsigned)COMMAND_PLAY) | COMMAND_NEW | COMMAND_MEMORY, scheme,
           .group = "Resolution", .value = "WORD", .words = scheme_words, .standard = SCHEME_OF_CHOICE,
           .help =
               "isotropic: 19 points, which err alike in all directions, so that responses are put right at "
               "the end and fewer points do; standard: 7 points, as runs of earlier versions"),
    OPTION(WORD, "quality", (MODELS & ~(unsigned)COMMAND_PLAY) | COMMAND_NEW, quality, .value = "WORD",
           .words = quality_words, .standard = "standard", .help = QUALITY_HELP),
    OPTION(NUMBER, "points-per-wavelength", MODELS, points, .low = ISOTROPIC_POINTS_LEAST, .high = 100,
           .value = "N",
           .help = "grid points per wavelength at fmax, instead of --quality; the standard scheme takes no "
                   "fewer than " TEXT(STANDARD_POINTS_LEAST)),
    OPTION(LENGTH, "spacing", MODELS, spacing, .above_low = true, .high = 10, .value = "LENGTH",
           .help = "grid spacing instead of --quality or --points-per-wavelength; --fmax then sets only the "
                   "low-pass and is by default what the spacing carries at the scheme's standard quality"),
    OPTION(TIME, "budget", ROOMS, budget, .above_low = true, .high = 1e8, .value = "TIME",
           .standard = "10min", .help = "computing time that --fmax auto may take"),
    OPTION(
        NUMBER, "courant", STEPS, courant, .above_low = true, .high = SCHEME_ISOTROPIC_COURANT_LIMIT,
        .share_at = offsetof(struct options, courant_share), .value = "SHARE%|C",
        .help =
            "time step, as a share of the longest that the scheme's grids can take (89%), or as the Courant "
            "number itself, of which 100% is 0.86603, and 0.57735 of the standard scheme; a number without "
            "% is always the latter, as `courant` in run.json (default: the largest of a few shares, from "
            "89% on, of the standard scheme from 95% on, for which cut cells need hardly any added volume; "
            "of standard staircases 99.9%)"),
    OPTION(
        POINT, "grid-origin", MODELS, grid_origin, .value = "X,Y,Z",
        .help =
            "a place that is a grid point (default: half a spacing inside the corner of the bounding box)"),
    OPTION(TIME, "duration", PLANNED, duration, .may_be_auto = true, .low = 0.001, .high = 120,
           .value = "TIME|auto", .standard = "auto",
           .help = "length of the responses; auto: until every octave has decayed by 50 dB at every "
                   "receiver, 15 s at most"),
    OPTION(
        WORD, "interpolation", COMMAND_SIMULATE | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY,
        interpolation, OPTION_WORDS("cubic", "linear"), .standard = "cubic",
        .help =
            "between grid points at sources and receivers; cubic: six points an axis, fitted to the waves of "
            "the band and their images in walls near by; of the standard scheme four, and two within two "
            "points of a wall; linear: two"),
    OPTION(TEXT, "materials", MODELS, materials, .group = "Surfaces and air", .value = "FILE",
           .help =
               "CSV with a header `material,<octaves in Hz>..` (absorption, 63 to 8000 Hz) or "
               "`material,D,E,F` (branches), or a library in YAML; its materials come before the program's"),
    OPTION(TEXTS, "absorption", MODELS, absorption, .value = "[NAME=]A",
           .help = "random-incidence absorption, 0 to 1, at all frequencies: of one material, or of all that "
                   "nothing else covers; repeatable"),
    OPTION(NUMBER, "audience", MODELS, audience, .high = 1, .value = "SHARE",
           .help = "share of the seats and pews that is taken, 0 to 1, where the library knows them empty "
                   "and occupied (default: as the material is named)"),
    OPTION(WORD, "walls", STEPS | COMMAND_BENCH | COMMAND_CHECK, walls,
           OPTION_WORDS("conformal", "staircase", "first-order"), .former = {"inertance", "staircase"},
           .former_at = offsetof(struct options, walls_inertance), .standard = "conformal",
           .help =
               "conformal: where the model has them, by cells that they cut; staircase: along the faces of "
               "cells, areas brought to the model's, of the standard scheme with half a cell of air in front "
               "as runs of earlier versions; first-order: without either, as most published schemes; needs "
               "--scheme standard"),
    OPTION(TEXTS, "two-sided", MODELS, two_sided, .value = "NAME=BACK",
           .help = "surfaces called NAME have the material BACK behind: on the side from which their corners "
                   "run clockwise; repeatable"),
    OPTION(NUMBER, "temperature", MODELS, temperature, .low = -50, .high = 100, .unit = "C",
           .value = "CELSIUS", .standard = "20",
           .help = "of the air; sets the speed of sound, 343.2 m/s at 20 C"),
    OPTION(NUMBER, "humidity", PLANNED, humidity, .high = 100, .unit = "%", .value = "PERCENT",
           .standard = "50",
           .help = "relative humidity of the air; with temperature and pressure it sets the losses of the "
                   "air (ISO 9613-1)"),
    OPTION(NUMBER, "pressure", PLANNED, pressure, .low = 30, .high = 200, .unit = "kPa", .value = "KPA",
           .standard = "101.325", .help = "absolute pressure of the air"),
    OPTION(WORD, "air", PLANNED, air, OPTION_WORDS("modal", "fast", "off"), .standard = "modal",
           .help = "losses of the air on the responses; off leaves them out, fast is right to 0.03 dB"),
    OPTION(TEXT, "variant", COMMAND_SIMULATE, variant, .group = "Model", .value = "NAME|all",
           .help = "run that variant of a project (.yaml); all: the project itself and every variant, one "
                   "after the other, into DIR/base and DIR/NAME"),
    OPTION(TEXT, "variant", MODELS & ~COMMAND_SIMULATE, variant, .value = "NAME",
           .help = "take that variant of a project (.yaml)"),
    OPTION(WORD, "units", MODELS | COMMAND_NEW, units, OPTION_WORDS("auto", "m", "cm", "mm", "in", "ft"),
           .standard = "auto",
           .help = "unit of the model file; auto: what an OBJ says of itself, as SketchUp's do, else metres; "
                   "positions stay in metres"),
    OPTION(WORD, "up", MODELS | COMMAND_NEW, up, OPTION_WORDS("auto", "y", "z"), .standard = "auto",
           .help = "axis of the model file that points up; auto: y for glTF, z for the others"),
    OPTION(LENGTH, "seal", MODELS | COMMAND_NEW, seal, .above_low = true, .high = 0.5, .value = "LENGTH",
           .help = "close cracks up to this width, and list them"),
    OPTION(
        FLAG, "open", MODELS | COMMAND_NEW, open,
        .help =
            "accept a model that is not closed: a layer of eight cells behind the open faces of its bounding "
            "box takes the sound that leaves"),
    OPTION(TEXT, "leak", MODELS, leak, .value = "FILE",
           .help = "where to write the leak path as OBJ, to be imported beside the model (default: "
                   "leak.obj beside the model)"),
    OPTION(WORD, "backend", COMMAND_PLAY, backend, .group = "Computing",
           OPTION_WORDS("auto", "cuda", "cpu", "reference"), .standard = "auto",
           .help = "what computes the steps; auto: the processors"),
    OPTION(WORD, "backend", (STEPS & ~(unsigned)COMMAND_PLAY) | COMMAND_BENCH | COMMAND_AURALISE, backend,
           .group = "Computing", OPTION_WORDS("auto", "cuda", "cpu", "reference"), .standard = "auto",
           .help = "what computes the steps; auto: a CUDA GPU where there is one that holds the run, else "
                   "the processors"),
    OPTION(TEXT, "devices", COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_BENCH | COMMAND_AURALISE, devices,
           .value = "all|N|I,J..",
           .help =
               "CUDA GPUs that step the room in parts, one each: all, the first N, or those that the driver "
               "numbers so, from 0 on (default: the first)"),
    OPTION(WORD, "layout", PLANNED, layout, OPTION_WORDS("blocks", "box"), .standard = "blocks",
           .help = "how the field is stored: the air only, or its whole box"),
    OPTION(WORD, "precision", STEPS, precision, OPTION_WORDS("single", "double"), .standard = "single",
           .help = "of the pressures"),
    OPTION(COUNT, "threads", ROOMS | COMMAND_BENCH, threads, .low = 1, .high = 1024, .value = "N",
           .help = "number of threads (default: all processors)"),
    OPTION(COUNT, "steps", COMMAND_COMPARE, steps, .low = 1, .high = 1000000, .value = "N", .standard = "500",
           .help = "how many steps to compare"),
    OPTION(FLAG, "repeat-shifted", PLANNED, repeat_shifted,
           .help = "the same run once more on a grid offset by half a cell in each axis: the difference is "
                   "the grid uncertainty of every figure"),
    OPTION(COUNTS, "nodes", COMMAND_MEMORY, nodes, .group = "Size", .low = 1, .high = 1000,
           .value = "N[,N..]", .help = "points along an edge or a diameter, 1 to 1000"),
    OPTION(FLAG, "help", ~0u, help, .group = "Help", .letter = 'h', .help = "this text"),
};

_Static_assert(sizeof option_table / sizeof option_table[0] <= OPTIONS_MAX,
               "struct options remembers OPTIONS_MAX options");
const size_t option_table_count = sizeof option_table / sizeof option_table[0];
