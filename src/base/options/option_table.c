/** The options of the program: what there is, its limits and default, and which commands take it. */
#include "kernels/scheme/scheme.h"
#include "src/base/options/device_choice.h"
#include "src/base/options/options.h"
#include "src/base/options/scheme_options.h"

#define ROOMS                                                                                                \
    (COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_CHECK | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY)
/* Commands that make a grid of a model. */
#define MODELS (ROOMS | COMMAND_BENCH)
/* Commands that step a room, or print the cost of it. */
#define STEPS   (PLANNED | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY)
#define PLANNED (COMMAND_SIMULATE | COMMAND_PLAN)
/* Also what traces rays: surfaces, air and model; sources and receivers; and what it prints. */
#define SURFACED (MODELS | COMMAND_RAYS)
#define SOUNDED  (PLANNED | COMMAND_RAYS)
#define AIRED    (PLANNED | COMMAND_FILM | COMMAND_PLAY)

#define OPTION(kind, name, commands_, member, ...)                                                           \
    OPTION_ENTRY(kind, name, struct options, member, .commands = commands_, __VA_ARGS__)

#define TEXT_(value) #value
#define TEXT(value)  TEXT_(value)

/* Node updates go with the fourth power of the points. */
#define POINTS_HELP(SCHEME)                                                                                  \
    "draft " TEXT(SCHEME##_POINTS_DRAFT) ", standard " TEXT(SCHEME##_POINTS) ", fine " TEXT(                 \
        SCHEME##_POINTS_FINE)
#define QUALITY_HELP                                                                                         \
    "grid points per wavelength at fmax. Isotropic scheme: " POINTS_HELP(                                    \
        ISOTROPIC) "; the work is a third, one and two times that of standard. Standard "                    \
                   "scheme: " POINTS_HELP(STANDARD) "; the work is a quarter, one and four times, and "      \
                                                    "phase errors are 2, 1 and 0.5 % in the worst "          \
                                                    "direction. Drums need those in either scheme"

#define RESUME_HELP(further)                                                                                 \
    "resume the unfinished run in DIR with its original options; only --backend, --devices, --threads, "     \
    "--checkpoint, --discard, " further "--json, --quiet and --progress may be added. The original "         \
    "command resumes it too. The results are those of an uninterrupted run"

const char *const option_use_words[] = {"church", "worship",  "concerts",  "organ", "choir", "music",
                                        "speech", "teaching", "inclusive", "sport", NULL};

/* The low-pass ends 15 % above fmax and must stay below half of 48 kHz, hence the limit of 20 kHz. */
const struct option_spec option_table[] = {
    OPTION(TEXT, "score", COMMAND_PLAY | COMMAND_FILM, play.score, .group = "Drums", .value = "FILE.yaml",
           .help = "drums and strokes: a list `drums` and a list `strikes`"),
    OPTION(PLACES, "drum", COMMAND_PLAY | COMMAND_FILM, play.drum, .value = "X,Y,Z[,NAME]",
           .help = "a timpano of 65 cm tuned to 110 Hz, with the centre of its membrane at this point, "
                   "struck once; repeatable, one stroke per second"),
    OPTION(FLAG, "linear", COMMAND_PLAY | COMMAND_FILM, play.linear,
           .help = "keep the tension of every membrane constant, however hard it is struck: the pitch does "
                   "not glide, and twice the force is twice the sound pressure"),
    OPTION(TIME, "duration", COMMAND_PLAY, play.duration, .may_be_auto = true, .low = 0.001, .high = 600,
           .value = "TIME|auto", .standard = "auto",
           .help = "duration of the sound; auto: until 3 s after the last stroke"),
    OPTION(TEXT, "output", COMMAND_SIMULATE, output, .group = "Output", .letter = 'o', .value = "DIR",
           .help = "folder for the responses and run.json; it must be new or empty, unless --force is given"),
    OPTION(TEXT, "output", COMMAND_CALIBRATE, output, .letter = 'o', .value = "DIR",
           .help = "folder for the runs, run_1, run_2, ..; it must be new or empty"),
    OPTION(TEXT, "output", COMMAND_NEW, output, .letter = 'o', .value = "FILE.yaml",
           .help = "the project to write"),
    OPTION(TEXT, "output", COMMAND_ROOM, output, .letter = 'o', .value = "FILE",
           .help = "the file to write: .obj (with an .mtl beside it), .gltf or .glb"),
    OPTION(TEXT, "output", COMMAND_BINAURAL, output, .letter = 'o', .value = "OUT.wav",
           .help = "the two-channel file to write"),
    OPTION(FLAG, "force", COMMAND_SIMULATE, request.force,
           .help = "write into a folder that is not empty; this replaces only files of a run (ir_*.wav, "
                   "map_*, run.json, room.glb, blocks.json) and removes files that were made from the "
                   "earlier responses (report*.html, listen_*.wav, listen.json)"),
    OPTION(TIME, "checkpoint", COMMAND_SIMULATE | COMMAND_PLAY, checkpoint, .high = 604800, .value = "TIME",
           .help = "interval between checkpoints in DIR, from which another process can resume the run; 0: "
                   "none (default: every 10 min if the run is predicted to take longer, or less often if "
                   "saving takes more than 1 % of the time)"),
    OPTION(TEXT, "resume", COMMAND_SIMULATE, resume, .value = "DIR",
           .help = RESUME_HELP("--layout, --watch, ")),
    OPTION(TEXT, "resume", COMMAND_PLAY, resume, .value = "DIR", .help = RESUME_HELP("")),
    OPTION(FLAG, "discard", COMMAND_SIMULATE | COMMAND_PLAY, discard,
           .help = "if the run is interrupted (Ctrl-C, SIGTERM), keep nothing of it: no folder, no results, "
                   "no checkpoint. Files that were there before stay"),
    OPTION(FLAG, "watch", COMMAND_SIMULATE, watch,
           .help = "while a source is stepped, write DIR/wave.png twice a second: the wave in a plan at the "
                   "height of the source, coloured over 40 dB. It takes less than 2 % of the time"),
    OPTION(TEXT, "output", COMMAND_FILM, output, .letter = 'o', .value = "DIR",
           .help = "folder for the pictures and film.json; it must be new or empty, unless --force is given"),
    OPTION(FLAG, "force", COMMAND_FILM, request.force,
           .help = "write into a folder that is not empty; only an earlier film in it is replaced"),
    OPTION(TEXT, "output", COMMAND_PLAY, output, .letter = 'o', .value = "DIR",
           .help = "folder for the sounds and play.json; it must be new or empty, unless --force is given"),
    OPTION(FLAG, "force", COMMAND_PLAY, request.force,
           .help = "write into a folder that is not empty; only the files of an earlier `play` are replaced"),
    OPTION(
        WORD, "maps", COMMAND_SIMULATE, request.points.maps, OPTION_WORDS("main", "all"), .standard = "main",
        .help = "octaves to draw of a receiver grid; main: one map per figure, of the mean of 500 and 1000 "
                "Hz, or of the highest octave if the run ends below 1420 Hz; all: a map of every octave"),
    OPTION(TEXT, "voxels", COMMAND_CHECK, voxels, .value = "FILE.ply",
           .help = "write the walls of the grid, of the kind that --walls selects, for a viewer"),
    OPTION(TEXT, "seats", COMMAND_CHECK, seats, .value = "FILE.svg",
           .help = "draw where people sit, and where nobody does and why, in plan"),
    OPTION(TEXT, "mesh", COMMAND_CHECK, mesh, .value = "FILE.glb",
           .help = "write the model as it is read: in metres, with its materials and positions. The file is "
                   "there as soon as the model is read"),
    OPTION(TEXT, "materials", COMMAND_MATERIALS, request.surfaces.materials, .value = "FILE",
           .help = "list the materials of this CSV or YAML instead, as a run takes them"),
    OPTION(FLAG, "fit", COMMAND_MATERIALS, fit,
           .help = "also fit a passive wall to the absorption of NAME, and print its branches of inertance, "
                   "resistance and stiffness and the error of the fit"),
    OPTION(WORD, "bands", COMMAND_MATERIALS, request.plan.bands, OPTION_WORDS("octave", "third"),
           .standard = "octave",
           .help =
               "third: the thirds of a file of --materials that gives them, or the mean of a fit over each"),
    OPTION(
        TEXT, "build", COMMAND_MATERIALS, build, .value = "LAYERS",
        .help =
            "the absorption of a wall from its layers, from the room on: \"perforated plate 12 mm holes 8 mm "
            "15 %, fleece 60 Pa s/m, mineral wool 50 mm 8 kPa s/m2, air 200 mm\", and its fit"),
    OPTION(TEXT, "output", COMMAND_MATERIALS, output, .letter = 'o', .value = "FILE.svg",
           .help = "draw the fit"),
    OPTION(FLAG, "force",
           COMMAND_ROOM | COMMAND_NEW | COMMAND_BINAURAL | COMMAND_CHECK | COMMAND_MATERIALS |
               COMMAND_EXPORT | COMMAND_ANALYSE | COMMAND_COMPARE,
           request.force, .help = "replace an existing file"),
    OPTION(TEXT, "output", COMMAND_AURALISE, output, .letter = 'o', .value = "DIR|WET.wav",
           .help = "folder for all sounds, or one file whose name begins the names of the others (default: "
                   "the folder of the run)"),
    OPTION(FLAG, "force", COMMAND_AURALISE, request.force,
           .help = "replace the files of an earlier call, listen_*.wav and listen.json, but no other file"),
    OPTION(TEXT, "output", COMMAND_EXPORT, output, .letter = 'o', .value = "FILE.sofa|FILE.h5",
           .help =
               "the file to write: .sofa for the responses of receivers, with the room as FILE.dae beside "
               "it; .h5 for those of receiver grids"),
    OPTION(WORD, "convention", COMMAND_EXPORT, convention,
           OPTION_WORDS("SingleRoomSRIR", "SingleRoomMIMOSRIR"), .standard = "SingleRoomSRIR",
           .help = "convention of a SOFA file; SingleRoomSRIR: one measurement for every response; "
                   "SingleRoomMIMOSRIR: one for every receiver, with an emitter for every source"),
    OPTION(TEXT, "output", COMMAND_REPORT, output, .letter = 'o', .value = "FILE.html",
           .help = "the page (default: report.html in the run's folder; for two runs report_<second>.html in "
                   "the first's, for more report_variants.html)"),
    OPTION(TEXT, "title", COMMAND_REPORT, title, .value = "TEXT",
           .help = "title of the page (default: the room and the folder of the run)"),
    OPTION(WORD, "use", COMMAND_REPORT, use, .value = "WORD", .words = option_use_words, .standard = "church",
           .help =
               "use of the room, which selects the recommendations to compare with: worship, concerts, "
               "organ, choir, or one of DIN 18041:2016 with its limits by octave: music (A1), speech (A2), "
               "teaching (A3), inclusive teaching (A4), sport (A5); church: the first six and clarity"),
    OPTION(WORD, "language", COMMAND_REPORT | COMMAND_COMPARE, language, OPTION_WORDS("en", "de"),
           .help = "English or German, with that language's decimal sign, of the page, or of what `compare "
                   "--json` finds (default: of a page as in the project, otherwise English)"),
    OPTION(TEXT, "project", COMMAND_REPORT, page_project, .value = "FILE.yaml",
           .help = "take title, language and letterhead from this project (default: the project of the run)"),
    OPTION(TEXT, "tables", COMMAND_REPORT, tables, .value = "FOLDER",
           .help =
               "also write every table of the page as CSV into this folder, with tables.csv as their list"),
    OPTION(
        FLAG, "force", COMMAND_REPORT, request.force,
        .help =
            "replace an existing page, and the tables of an earlier page in their folder, but no other file"),
    OPTION(
        FLAG, "json",
        COMMAND_BINAURAL | COMMAND_AURALISE | ROOMS | COMMAND_ROOM | COMMAND_BENCH | COMMAND_MATERIALS |
            COMMAND_MODES | COMMAND_ANALYSE | COMMAND_NEW | COMMAND_REPORT | COMMAND_EXPORT | COMMAND_RAYS |
            COMMAND_CALIBRATE,
        json,
        .help =
            "one JSON object on standard output, and nothing else there; failures and warnings are lines of "
            "JSON on standard error"),
    OPTION(FLAG, "quiet",
           COMMAND_BINAURAL | COMMAND_AURALISE | ROOMS | COMMAND_ROOM | COMMAND_NEW | COMMAND_BENCH |
               COMMAND_REPORT | COMMAND_EXPORT | COMMAND_RAYS | COMMAND_CALIBRATE,
           request.quiet, .help = "print only warnings and errors"),
    OPTION(WORD, "progress",
           COMMAND_AURALISE | ROOMS | COMMAND_NEW | COMMAND_BENCH | COMMAND_REPORT | COMMAND_MODES |
               COMMAND_ANALYSE | COMMAND_RAYS | COMMAND_CALIBRATE,
           progress, OPTION_WORDS("line", "json"), .standard = "line",
           .help = "progress on standard error; line: for people, in place on a terminal; json: for "
                   "programs, also with --quiet: one JSON object per line with phase, fraction (0 to 1), "
                   "seconds_left, variant and source"),
    OPTION(PLACES, "source", (ROOMS & ~(unsigned)COMMAND_PLAY) | COMMAND_RAYS, request.points.source,
           .group = "Positions", .value = "X,Y,Z[,NAME]|NAME",
           .help = "a source, in metres in room axes (z up), or the name of one in the model; repeatable; "
                   "replaces the sources of the model; names are S1, S2.. unless given"),
    OPTION(PLACES, "receiver", (ROOMS & ~(unsigned)COMMAND_FILM) | COMMAND_RAYS, request.points.receiver,
           .value = "X,Y,Z[,NAME]|NAME",
           .help = "a receiver, given in the same way; repeatable; replaces the receivers of the model; "
                   "names are R1, R2.. unless given"),
    OPTION(TEXTS, "directivity", SOUNDED, request.radiation.directivity,
           .value = "NAME=omni|voice|cardioid|FILE.sofa|FILE.tab",
           .help =
               "pattern of that source: omni (the default), voice (measured speech), cardioid, or a "
               "measured source: SOFA (.sofa: AES69, FreeFieldDirectivityTF) or a text of CLF (.tab, .txt, "
               ".clf); the level on its axis is that of an omnidirectional source; repeatable"),
    OPTION(TEXTS, "aim", SOUNDED, request.radiation.aim, .value = "NAME=AZIMUTH[,ELEVATION]|X,Y,Z|RECEIVER",
           .help = "direction of a source with a directivity: degrees from +x towards +y, and up; a point in "
                   "metres; or a receiver; repeatable (default: the centre of all receivers)"),
    OPTION(TEXTS, "together", SOUNDED, request.radiation.together, .value = "NAME=SOURCE[:GAIN[:DELAY]],..",
           .help =
               "sources that sound at once, in one run, each with its gain in dB and delay in ms: a line "
               "array, a choir; they have common responses called NAME, and none of their own; repeatable"),
    OPTION(TEXTS, "array", SOUNDED, request.radiation.array, .value = "NAME=FILE.csv",
           .help = "an array of loudspeakers that sound at once, a row each: x, y, z in metres, and name, "
                   "azimuth, elevation, gain_db, delay_ms, directivity; repeatable"),
    OPTION(FLAG, "ambisonics", COMMAND_PLAY, request.listening.ambisonics,
           .help =
               "also heard_<receiver>_ambix.wav, with the direction of sound (AmbiX: W, Y, Z, X; front X, "
               "left Y, up Z)"),
    OPTION(TEXTS, "look", COMMAND_PLAY, request.listening.look, .value = "NAME=DRUM|DEGREES",
           .help = "direction in which that receiver or dummy head faces: towards a drum, or an azimuth from "
                   "+x towards +y; repeatable (default: the first drum)"),
    OPTION(TEXT, "head", COMMAND_PLAY, request.listening.head, .value = "FILE.sofa",
           .help = "a measured head (AES69): also heard_<receiver>_binaural.wav, for headphones; implies "
                   "--ambisonics"),
    OPTION(FLAG, "ambisonics", PLANNED, request.listening.ambisonics,
           .help =
               "responses with the direction of sound: a four-channel ir_<source>_<receiver>_ambix.wav for "
               "every receiver (AmbiX: W, Y, Z, X; front X, left Y, up Z), and the figures LF, LFC and LJ"),
    OPTION(TEXTS, "look", PLANNED, request.listening.look, .value = "NAME=SOURCE|DEGREES",
           .help = "direction in which that receiver (with --ambisonics) or dummy head faces: towards a "
                   "source, or an azimuth from +x towards +y; repeatable (default: a receiver faces the "
                   "source of the response, a dummy head the first source)"),
    OPTION(TEXTS, "dummy-head", COMMAND_PLAY, request.listening.dummy_head, .value = "NAME[=RADIUS|FILE]",
           .help =
               "place a head in the room at that receiver: a rigid sphere, or a mesh, as for simulate; "
               "heard_NAME_left.wav and heard_NAME_right.wav are at its ears, and heard_NAME_binaural.wav "
               "has both; repeatable"),
    OPTION(TEXTS, "dummy-head", PLANNED, request.listening.dummy_head, .value = "NAME[=RADIUS|FILE]",
           .help = "place a head in the room at that receiver: a rigid sphere of 8.75 cm radius, or of "
                   "RADIUS, or a mesh with its front along +x, its top along +z and positions receiver:left "
                   "and receiver:right; its ears, NAME_left and NAME_right, replace the receiver, and "
                   "ir_<source>_NAME_binaural.wav has both; repeatable"),
    OPTION(TEXT, "head", PLANNED | COMMAND_BINAURAL, request.listening.head, .value = "FILE.sofa",
           .help = "a measured head (AES69) for binaural responses, made from the ambisonic ones: "
                   "ir_<source>_<receiver>_binaural.wav, for headphones; implies --ambisonics"),
    OPTION(NUMBER, "yaw", PLANNED | COMMAND_BINAURAL | COMMAND_PLAY, request.listening.yaw, .low = -360,
           .high = 360, .unit = "degrees", .value = "DEGREES", .standard = "0",
           .help = "rotation of the head to the left of the front"),
    OPTION(NUMBER, "pitch", PLANNED | COMMAND_BINAURAL | COMMAND_PLAY, request.listening.pitch, .low = -360,
           .high = 360, .unit = "degrees", .value = "DEGREES", .standard = "0",
           .help = "rotation of its nose upwards, after --yaw"),
    OPTION(NUMBER, "roll", PLANNED | COMMAND_BINAURAL | COMMAND_PLAY, request.listening.roll, .low = -360,
           .high = 360, .unit = "degrees", .value = "DEGREES", .standard = "0",
           .help = "inclination to the right, after --pitch"),
    OPTION(GRIDS, "receiver-grid", SOUNDED, request.points.receiver_grid, .value = "audience|NAME=AREA|none",
           .help = "receivers over an area, for maps: where people sit, over floors and seats (audience: the "
                   "default if there is no receiver); the upward faces of a material; or a polygon on the "
                   "floor, x,y,z;x,y,z;x,y,z..; repeatable; NAME goes into file names"),
    OPTION(LENGTH, "grid-spacing", SOUNDED, request.points.grid_spacing,
           .given_at = offsetof(struct options, request.points.grid_spacing_given), .above_low = true,
           .high = 1000, .value = "LENGTH", .standard = "1m",
           .help = "distance between the points of receiver grids; for the audience the default is the "
                   "smallest distance of at least 1 m that gives at most 200 points"),
    OPTION(LENGTH, "grid-height", SOUNDED, request.points.grid_height, .above_low = true, .high = 100,
           .value = "LENGTH", .standard = "1.2m",
           .help = "height of the points of receiver grids, the ears, above the floor"),
    OPTION(TEXTS, "dry", COMMAND_AURALISE, dry, .group = "Sound",
           .value = "FILE|SOURCE=FILE|clap|organ|click",
           .help = "the sound of the source: a sound file of any rate, or one that the program makes "
                   "(default: the last argument if it is a file, otherwise clap); with SOURCE=, repeatable: "
                   "each receiver of a run hears these sources at once, in their own proportion"),
    OPTION(WORD, "level", COMMAND_AURALISE, level, OPTION_WORDS("normalised", "true"),
           .standard = "normalised",
           .help = "normalised: the highest true peak of all sounds is at -1 dBFS; true: the source has the "
                   "level of the dry sound at 1 m, or less if a peak would exceed -1 dBFS. All sounds have "
                   "one gain in either case"),
    OPTION(FREQUENCY, "fmax", COMMAND_AURALISE, request.grid.fmax, .above_low = true, .low = 20,
           .high = 20000, .value = "HZ",
           .help = "highest frequency of responses without a run.json; for a walk with --stepped, that of "
                   "the new simulation instead of the run's"),
    OPTION(TEXT, "walk", COMMAND_AURALISE, walk, .group = "Walk", .value = "X,Y,Z;X,Y,Z..",
           .help =
               "hear the room while walking through these points, in metres in room axes: walk_<source>.wav, "
               "from the responses of a run with receivers or a receiver grid within 2 m of the path; a dry "
               "sound that is too short is repeated; with one point the listener does not move"),
    OPTION(NUMBER, "speed", COMMAND_AURALISE, speed, .low = 0.05, .high = 30, .unit = "m/s", .value = "M/S",
           .standard = "1.2", .help = "speed of the listener"),
    OPTION(TEXT, "source-walk", COMMAND_AURALISE, source_walk, .value = "X,Y,Z;X,Y,Z..",
           .help = "with --stepped, the source walks through these points instead of standing at its place, "
                   "from the same moment as the listener; the room must have one source, or --source names "
                   "the one that walks"),
    OPTION(NUMBER, "source-speed", COMMAND_AURALISE, source_speed, .low = 0.05, .high = 30, .unit = "m/s",
           .value = "M/S", .standard = "1.2", .help = "speed of the source"),
    OPTION(TEXT, "source", COMMAND_AURALISE, sounding, .value = "NAME",
           .help = "only this source of the run or room (default: one walk for each source)"),
    OPTION(TEXT, "look", COMMAND_AURALISE, facing, .value = "ahead|SOURCE|DEGREES", .standard = "ahead",
           .help = "direction in which the listener looks, for --head: along the walk, at a source, or to an "
                   "azimuth from +x towards +y"),
    OPTION(FLAG, "ambisonics", COMMAND_AURALISE, request.listening.ambisonics,
           .help = "also walk_<source>_ambix.wav (AmbiX: W, Y, Z, X; X is the room's +x, Y its +y), from "
                   "responses with four channels"),
    OPTION(TEXT, "head", COMMAND_AURALISE, request.listening.head, .value = "FILE.sofa",
           .help = "also walk_<source>_binaural.wav, through this measured head (AES69); for headphones"),
    OPTION(
        FLAG, "stepped", COMMAND_AURALISE, stepped,
        .help =
            "simulate the room of the run again, or that of a project or model, with the 7-point scheme, "
            "while the source plays the dry sound and the listener moves through the field: no receivers "
            "are needed, and nothing is interpolated between responses; on a device without air absorption"),
    OPTION(FREQUENCY, "fmax", MODELS | COMMAND_CALIBRATE, request.grid.fmax, .group = "Resolution",
           .may_be_auto = true, .above_low = true, .low = 20, .high = 20000, .value = "HZ|auto",
           .standard = "auto",
           .help = "highest frequency; auto: the highest of 177, 355, 710, 1420, 2840, 5680, 11300 Hz that "
                   "fits memory and --budget"),
    OPTION(FREQUENCY, "fmax", COMMAND_ANALYSE, request.grid.fmax, .group = "Responses", .may_be_auto = true,
           .above_low = true, .low = 20, .high = 100000, .value = "HZ|auto", .standard = "auto",
           .help = "highest frequency of the responses, the limit of their figures; auto: that of the "
                   "run.json beside them, otherwise where the spectrum of a file ends"),
    OPTION(TIME, "onset", COMMAND_ANALYSE, onset, .may_be_auto = true, .above_low = true, .high = 1000,
           .value = "TIME|auto", .standard = "auto",
           .help = "time of the direct sound, from the first sample; auto: as in the run.json beside the "
                   "files, otherwise the first sample within 20 dB of the largest"),
    OPTION(TEXT, "channel", COMMAND_ANALYSE, channel, .value = "N|all",
           .help = "number of one channel of the file, from 1, or all, each as a receiver (default: all; for "
                   "files of a run the first, which is the pressure)"),
    OPTION(FLAG, "calibrated", COMMAND_ANALYSE, calibrated,
           .help = "the files are calibrated like those of a run: |X| is 1/r at r metres in free field. "
                   "Strength G is then computed; otherwise only files of a run have it"),
    OPTION(TEXT, "sweep", COMMAND_ANALYSE | COMMAND_COMPARE, sweep, .value = "FILE.wav",
           .help = "the files are recordings of this sweep, and become responses. Of an exponential one the "
                   "harmonics of the loudspeaker are set aside"),
    OPTION(TEXT, "mls", COMMAND_ANALYSE | COMMAND_COMPARE, mls, .value = "ORDER|FILE.wav",
           .help =
               "the files are recordings of this maximum length sequence, of its order (8 to 22) or as it "
               "was played, two periods or more"),
    OPTION(TEXT, "reference", COMMAND_ANALYSE | COMMAND_COMPARE, reference, .value = "FILE.wav",
           .help =
               "a response, or likewise a recording, of the same source and gain near it: G is then known"),
    OPTION(LENGTH, "reference-distance", COMMAND_ANALYSE | COMMAND_COMPARE, reference_distance,
           .above_low = true, .high = 1000, .value = "LENGTH",
           .help = "distance of the reference from the source"),
    OPTION(TIME, "reference-gate", COMMAND_ANALYSE | COMMAND_COMPARE, reference_gate, .above_low = true,
           .high = 10, .value = "TIME",
           .help = "leave out what the reference has later than this after its direct sound, such as "
                   "reflections (default: nothing)"),
    OPTION(TEXT, "output", COMMAND_ANALYSE, output, .letter = 'o', .value = "FILE.wav",
           .help = "with --sweep or --mls, the response of the one recording, in 32-bit float"),
    OPTION(TEXT, "output", COMMAND_COMPARE, output, .letter = 'o', .value = "FILE.html",
           .help = "of a run with measured responses: a page that draws the decays of both"),
    OPTION(FLAG, "ears", COMMAND_ANALYSE, ears,
           .help =
               "the two channels of a file are the left and the right ear of a head, as `binaural` writes "
               "them: IACC is computed"),
    OPTION(OCTAVES, "speech-level", COMMAND_ANALYSE, speech_level, .low = -50, .high = 150, .unit = "dB",
           .value = "L125,..,L8000",
           .help = "level of speech at the listener in the octaves 125 Hz to 8 kHz, seven numbers in dB SPL; "
                   "modulation transfer and STI then include masking and the threshold of hearing (default: "
                   "they do not)"),
    OPTION(OCTAVES, "noise-level", COMMAND_ANALYSE, noise_level, .low = -50, .high = 150, .unit = "dB",
           .value = "L125,..,L8000",
           .help = "level of noise in the same octaves, with --speech-level (default: none)"),
    OPTION(WORD, "scheme", COMMAND_PLAY, request.grid.scheme, .group = "Resolution", .value = "WORD",
           .words = scheme_words, .standard = SCHEME_OF_CHOICE,
           .help =
               "isotropic: 19 points, with a dispersion that is nearly the same in all directions; standard: "
               "7 points, with shorter time steps"),
    OPTION(WORD, "scheme", (MODELS & ~(unsigned)COMMAND_PLAY) | COMMAND_NEW | COMMAND_MEMORY,
           request.grid.scheme, .group = "Resolution", .value = "WORD", .words = scheme_words,
           .standard = SCHEME_OF_CHOICE,
           .help =
               "isotropic: 19 points, with a dispersion that is nearly the same in all directions and is "
               "corrected in the responses, so that fewer points per wavelength suffice; standard: 7 points"),
    OPTION(WORD, "quality", (MODELS & ~(unsigned)COMMAND_PLAY) | COMMAND_NEW | COMMAND_CALIBRATE,
           request.grid.quality, .given_at = offsetof(struct options, request.grid.quality_given),
           .value = "WORD", .words = quality_words, .standard = "standard", .help = QUALITY_HELP),
    OPTION(NUMBER, "points-per-wavelength", MODELS, request.grid.points_per_wavelength,
           .low = ISOTROPIC_POINTS_LEAST, .high = 100, .value = "N",
           .help = "grid points per wavelength at fmax, instead of --quality; the least is " TEXT(
               ISOTROPIC_POINTS_LEAST) ", or " TEXT(STANDARD_POINTS_LEAST) " in the standard scheme"),
    OPTION(
        LENGTH, "spacing", MODELS, request.grid.spacing, .above_low = true, .high = 10, .value = "LENGTH",
        .help =
            "grid spacing, instead of --quality or --points-per-wavelength. Without --fmax, the spacing and "
            "--quality standard determine the highest frequency; a given --fmax sets only the low-pass"),
    OPTION(TIME, "budget", ROOMS, request.plan.budget, .above_low = true, .high = 1e8, .value = "TIME",
           .standard = "10min", .help = "computing time that --fmax auto allows"),
    OPTION(NUMBER, "courant", STEPS, request.grid.courant, .above_low = true,
           .high = SCHEME_ISOTROPIC_COURANT_LIMIT,
           .share_at = offsetof(struct options, request.grid.courant_share), .value = "SHARE%|C",
           .help =
               "time step, as a share of the stability limit of the scheme (89%), or as the Courant number "
               "itself, like `courant` in run.json; 100% is 0.86603, or 0.57735 in the standard scheme "
               "(default: the largest of 89, 84, 77 and 71%, with drums of 77 and 71%, that adds at most "
               "0.01 % of volume at cut cells; in the standard scheme of 95, 92, 89 and 84%, and 99.9% for "
               "staircases)"),
    OPTION(POINT, "grid-origin", MODELS, request.grid.origin, .value = "X,Y,Z",
           .help =
               "place a grid point at X,Y,Z (default: half a spacing inside the corner of the bounding box)"),
    OPTION(TIME, "duration", PLANNED, request.plan.duration, .may_be_auto = true, .low = 0.001, .high = 120,
           .value = "TIME|auto", .standard = "auto",
           .help =
               "length of the responses; auto: until every octave has 45 dB of decay, which T30 needs, at "
               "every receiver, 15 s at most"),
    OPTION(WORD, "interpolation", COMMAND_SIMULATE | COMMAND_COMPARE | COMMAND_FILM | COMMAND_PLAY,
           request.engine.interpolation, OPTION_WORDS("cubic", "linear"), .standard = "cubic",
           .help = "interpolation between grid points at sources and receivers; cubic: six points per axis, "
                   "with weights fitted to plane waves and their reflections in nearby walls; in the "
                   "standard scheme four points, or two near a wall; linear: two points"),
    OPTION(
        TEXT, "materials", SURFACED, request.surfaces.materials, .group = "Surfaces and air", .value = "FILE",
        .help =
            "CSV with a header `material,<octaves in Hz>..` (absorption, 63 to 8000 Hz) or `material,D,E,F` "
            "(branches), both with or without `scattering`, or `frequency,<materials>..`, or a library in "
            "YAML; "
            "its materials take precedence over the program's"),
    OPTION(TEXTS, "absorption", SURFACED, request.surfaces.absorption, .value = "[NAME=]A",
           .help = "random-incidence absorption, 0 to 1, at all frequencies; with NAME: of that material; "
                   "without: of all surfaces that have no other value; repeatable"),
    OPTION(TEXTS, "scattering", SURFACED, request.surfaces.scattering, .value = "[NAME=]S",
           .help =
               "random-incidence scattering coefficient, 0 to 1, at all frequencies, for rays; with NAME: of "
               "that material; without: of all surfaces that have no other value (0.1); repeatable"),
    OPTION(NUMBER, "audience", SURFACED, request.surfaces.audience, .high = 1, .value = "SHARE",
           .help = "occupied share of the seats and pews, 0 to 1, for those that the library lists both "
                   "empty and occupied (default: as the name of the material says)"),
    OPTION(WORD, "walls", STEPS | COMMAND_BENCH | COMMAND_CHECK, request.engine.walls,
           OPTION_WORDS("conformal", "staircase", "first-order"), .standard = "conformal",
           .help = "conformal: where the model has them, with cut cells; staircase: along the faces of "
                   "cells, with areas corrected to those of the model, and in the standard scheme with the "
                   "half cell of air in front as part of the wall; first-order: along the faces of cells "
                   "without corrections, as in most published schemes, with --scheme standard only"),
    OPTION(TEXTS, "two-sided", SURFACED, request.surfaces.two_sided, .value = "NAME=BACK",
           .help = "the material NAME has BACK on its back, the side from which the corners of a face run "
                   "clockwise; repeatable"),
    OPTION(NUMBER, "temperature", SURFACED, request.model.air.temperature, .low = -50, .high = 100,
           .unit = "C", .value = "CELSIUS", .standard = "20",
           .help = "temperature of the air; sets the speed of sound, 343.2 m/s at 20 C"),
    OPTION(NUMBER, "humidity", AIRED | COMMAND_RAYS, request.model.air.humidity, .high = 100, .unit = "%",
           .value = "PERCENT", .standard = "50",
           .help = "relative humidity of the air; with temperature and pressure it sets the air absorption "
                   "(ISO 9613-1)"),
    OPTION(NUMBER, "pressure", AIRED | COMMAND_RAYS, request.model.air.pressure, .low = 30, .high = 200,
           .unit = "kPa", .value = "KPA", .standard = "101.325", .help = "absolute pressure of the air"),
    OPTION(WORD, "air", PLANNED, request.model.air_method, OPTION_WORDS("modal", "fast", "off"),
           .standard = "modal",
           .help = "air absorption of the responses; modal: every frequency decays at its own rate; fast: "
                   "the same within 0.03 dB, in less time; off: none"),
    OPTION(WORD, "air", COMMAND_FILM | COMMAND_PLAY | COMMAND_AURALISE, request.model.air_method,
           OPTION_WORDS("modal", "fast", "off"), .standard = "modal",
           .help = "air absorption while the room is stepped; modal and fast: within 5 % of "
                   "ISO 9613-1 from 125 Hz; off: none. A walk takes it from the run or project"),
    OPTION(TEXT, "variant", COMMAND_SIMULATE, variant, .group = "Model", .value = "NAME|all",
           .help = "simulate that variant of a project (.yaml); all: the project itself and every variant, "
                   "one after the other, into DIR/base and DIR/NAME"),
    OPTION(TEXT, "variant", SURFACED & ~COMMAND_SIMULATE, variant, .value = "NAME",
           .help = "use that variant of a project (.yaml)"),
    OPTION(WORD, "units", SURFACED | COMMAND_NEW, request.model.units,
           OPTION_WORDS("auto", "m", "cm", "mm", "in", "ft"), .standard = "auto",
           .help = "unit of the model file; auto: the unit that an OBJ states, otherwise metres; positions "
                   "are always in metres"),
    OPTION(WORD, "up", SURFACED | COMMAND_NEW, request.model.up, OPTION_WORDS("auto", "y", "z"),
           .standard = "auto",
           .help = "axis of the model file that points up; auto: y for glTF, z for other formats"),
    OPTION(LENGTH, "seal", SURFACED | COMMAND_NEW, request.grid.seal, .above_low = true, .high = 0.5,
           .value = "LENGTH", .help = "close cracks up to this width, and list them"),
    OPTION(FLAG, "open", SURFACED | COMMAND_NEW, request.grid.open,
           .help = "accept a model that is not closed: a layer eight cells deep behind the open faces of its "
                   "bounding box absorbs the sound that leaves"),
    OPTION(TEXT, "leak", SURFACED, request.grid.leak, .value = "FILE",
           .help = "where to write the leak path as OBJ, to import beside the model (default: leak.obj "
                   "beside the model)"),
    OPTION(WORD, "backend", COMMAND_PLAY, request.engine.backend, .group = "Computing",
           OPTION_WORDS("auto", "cuda", "opencl", "cpu", "reference"), .standard = "auto",
           .help = "back end of the simulation; auto: the CPU"),
    OPTION(WORD, "backend",
           (STEPS & ~(unsigned)COMMAND_PLAY) | COMMAND_BENCH | COMMAND_AURALISE | COMMAND_CALIBRATE,
           request.engine.backend, .group = "Computing",
           OPTION_WORDS("auto", "cuda", "opencl", "cpu", "reference"), .standard = "auto",
           .help = "back end of the simulation; auto: a CUDA GPU if one has enough memory for the run, else "
                   "a GPU by OpenCL if it also is faster in a trial, otherwise the CPU"),
    OPTION(TEXT, "devices", COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_BENCH | COMMAND_AURALISE | COMMAND_PLAY,
           request.engine.devices, .value = "all|N|I,J..",
           .help = "CUDA GPUs that share the room, one part each: all, the first N, or a list of the "
                   "driver's numbers, from 0 (default: the first)"),
    OPTION(COUNT, "device", COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_BENCH | COMMAND_AURALISE | COMMAND_PLAY,
           request.engine.device, .high = DEVICES_MOST - 1, .value = "N",
           .help = "the GPU that simulates, by its number in --version, from 0 (default: the first)"),
    OPTION(WORD, "bits", COMMAND_SIMULATE | COMMAND_PLAN | COMMAND_BENCH | COMMAND_AURALISE | COMMAND_PLAY,
           request.engine.bits, OPTION_WORDS("same", "any"), .standard = "same",
           .help =
               "on a GPU by OpenCL; same: refuse one whose results differ from those of the CPU, since it "
               "rounds otherwise; any: use it nevertheless"),
    OPTION(WORD, "layout", PLANNED, request.engine.layout, OPTION_WORDS("blocks", "box"),
           .standard = "blocks",
           .help = "storage of the field: only blocks that contain air, or the whole bounding box"),
    OPTION(WORD, "precision", STEPS, request.engine.precision, OPTION_WORDS("single", "double"),
           .standard = "single", .help = "precision of the sound pressure"),
    OPTION(COUNT, "threads", ROOMS | COMMAND_BENCH | COMMAND_RAYS | COMMAND_CALIBRATE, request.engine.threads,
           .low = 1, .high = 1024, .value = "N", .help = "number of threads (default: all cores)"),
    OPTION(COUNT, "steps", COMMAND_COMPARE, request.plan.steps, .low = 1, .high = 1000000, .value = "N",
           .standard = "500", .help = "number of steps to compare"),
    OPTION(NUMBER, "ray-noise", SOUNDED | COMMAND_CALIBRATE, request.plan.ray_noise, .above_low = true,
           .low = 0.1, .high = 50, .unit = "%", .value = "PERCENT", .standard = "1",
           .help =
               "trace rays until the statistical error of G (as energy) and of T30 is this small: rms of the "
               "octaves 125 Hz to 4 kHz, at the median receiver; half of it takes four times as long"),
    OPTION(WORD, "rays", PLANNED, request.plan.rays, OPTION_WORDS("auto", "on", "off"), .standard = "auto",
           .help = "on: responses and figures of receivers to 16 kHz, simulated up to --fmax and from rays "
                   "above it; the difference of the two in the octave where they are joined is printed; "
                   "auto: likewise where rays can be joined, otherwise waves alone, with the reason"),
    OPTION(FLAG, "waves-only", PLANNED, request.plan.waves_only, .help = "the same as --rays off"),
    OPTION(WORD, "bands", PLANNED | COMMAND_ANALYSE | COMMAND_REPORT | COMMAND_COMPARE, request.plan.bands,
           OPTION_WORDS("octave", "third"), .standard = "octave",
           .help =
               "third: figures also in third octaves, 50 Hz to 20 kHz or as far as the waves of a run reach"),
    OPTION(FLAG, "repeat-shifted", PLANNED, request.plan.repeat_shifted,
           .help = "repeat the run on a grid offset by half a cell in each axis; the difference is the grid "
                   "uncertainty of every figure"),
    OPTION(COUNTS, "nodes", COMMAND_MEMORY, nodes, .group = "Size", .low = 1, .high = 1000,
           .value = "N[,N..]", .help = "grid points along an edge or a diameter, 1 to 1000"),
    OPTION(COUNT, "port", COMMAND_STUDIO, port, .group = "Server", .low = 1, .high = 65535, .value = "N",
           .help = "port of 127.0.0.1, as for an ssh tunnel (default: one that is free)"),
    OPTION(FLAG, "no-browser", COMMAND_STUDIO, no_browser,
           .help = "only print the address; otherwise xdg-open shows it where there is a desktop"),
    OPTION(FLAG, "help", ~0u, help, .group = "Help", .letter = 'h', .help = "this text"),
};

_Static_assert(sizeof option_table / sizeof option_table[0] <= OPTIONS_MAX,
               "struct options remembers OPTIONS_MAX options");
const size_t option_table_count = sizeof option_table / sizeof option_table[0];
