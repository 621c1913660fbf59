#include "src/base/options/failure_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/options/options.h"
#include "src/base/words/words.h"

#define COARSER "use a lower --fmax or a larger --spacing"
#define PLACE                                                                                                \
    SAID("give --source and --receiver (or objects source:NAME and receiver:NAME in the model) in the "      \
         "space that is meant")
#define SEAL_OR_PLACE                                                                                        \
    SAID("close cracks of that width with --seal %s, or accept an open scene with --open, or %s")
#define FAULT "but this is a fault of the program: please report it"

/* Advice about options after a failure of a library. "%s" is replaced by the value: a width in centimetres, a
 * unit by its name; "%f" by the unchanged value. A leading colon replaces the semicolon after the
 * sentence. */
static const char *const words[] = {
    [ADVICE_NONE] = "",
    [ADVICE_COARSER_GRID] = COARSER,
    [ADVICE_COARSER_GRID_OR_UNITS] = ":use a larger --spacing or a lower --fmax, or check --units",
    [ADVICE_LARGER_SPACING] = "use a larger --spacing",
    [ADVICE_SMALLER_SPACING] = "use a smaller --spacing",
    [ADVICE_BLOCKS_OR_COARSER] = "use the block layout or a larger --spacing",
    [ADVICE_LESS_MEMORY] = COARSER ", or a machine with more memory",
    [ADVICE_LESS_MEMORY_OR_SINGLE] =
        "use a lower --fmax, a larger --spacing, --precision single, or a machine with more memory",
    [ADVICE_LOWER_FMAX_OR_FINER] = "lower --fmax or use a finer --spacing",
    [ADVICE_OTHER_FMAX] = ":change --fmax",
    [ADVICE_GIVE_SOURCE] = ":give at least one --source",
    [ADVICE_GIVE_SOURCE_OR_OPEN] =
        SAID("give a --source inside the room to see the leak path, or use --open"),
    [ADVICE_CLOSED_ROOM] =
        "the model encloses no air at this spacing: check that it is a closed room and that --units is "
        "right, or use --open",
    [ADVICE_OPEN_OR_SEAL] = "close cracks of that width with --seal %s, or accept an open scene with --open",
    [ADVICE_SEAL] = SAID("close cracks of that width with --seal %s"),
    [ADVICE_SEAL_ALL] = "close those that are meant to be closed in the model; --seal %s closes all",
    [ADVICE_SEAL_REST] = ":close the wide ones in the model; --seal %s then closes the rest",
    [ADVICE_SEAL_UNTRIED] =
        "close them in the model, and check again; --seal %s may close them, which was not tried",
    [ADVICE_LARGER_SEAL] = "give a larger --seal",
    [ADVICE_UNITS] = "check --units and --up",
    [ADVICE_OTHER_OUTPUT] = ":give another -o",
    [ADVICE_NO_CHECKPOINT] = "give another -o, or --checkpoint 0 for none",
    [ADVICE_OTHER_OUTPUT_OR_REPLACE] = ":give another -o, or --force to replace the results in it",
    [ADVICE_PROCESSORS] = "use --backend cpu",
    [ADVICE_ANY_BITS] = "use --backend cpu, or --bits any for a simulation with other last digits",
    [ADVICE_COARSER_OR_PROCESSORS] = ":use a lower --fmax or --backend cpu",
    [ADVICE_LESS_ON_DEVICE] = ":use a lower --fmax, a larger --spacing, or --backend cpu",
    [ADVICE_LESS_ON_DEVICE_OR_SINGLE] =
        ":use a lower --fmax, a larger --spacing, --precision single, or --backend cpu",
    [ADVICE_OWN_MPIRUN] = ":start them with the mpirun of that MPI, or with srun --mpi=pmix (Open MPI) or "
                          "--mpi=pmi2 (MPICH)",
    [ADVICE_STEADIER] = "a lower --courant or --precision double may help, " FAULT,
    [ADVICE_STEADIER_OR_SHORTER] = "--precision double or a shorter --duration may help, " FAULT,
    [ADVICE_UNIT] = SAID("if that is it, give --units %s"),
    [ADVICE_UNIT_OR_FAR_PART] =
        "check --units, and whether something far from the room, like terrain, is part of the model",
    /* setup, plan, rooms */
    [ADVICE_FINER_GRID] = SAID("a smaller --spacing or a higher --fmax avoids this"),
    [ADVICE_FMAX] = ":use --fmax %f",
    [ADVICE_WALLS_OR_STANDARD] = ":take --walls conformal or staircase, or --scheme standard",
    [ADVICE_FMAX_OR_BLOCKS] = ":use --fmax %f or --layout blocks",
    [ADVICE_FMAX_OR_PROCESSORS] = ":use --fmax %f or --backend cpu",
    [ADVICE_FMAX_OR_HOSTS] = ":use --fmax %f or more hosts",
    [ADVICE_GIVE_ABSORPTION] =
        ":let `transept new ROOM -o PROJECT.yaml` write a project with a guess for each, or give "
        "--absorption NAME=A for each, --absorption A for all that have no other, or --materials FILE, or "
        "rename them in the model to names that `transept materials` lists; typical values are 0.03 for bare "
        "stone, 0.08 for plaster and wood, 0.25 for full pews",
    [ADVICE_PLACE_SOURCE] =
        ":give --source x,y,z[,name] in metres, or an object called `source:NAME` in the model",
    [ADVICE_PLACE_RECEIVER] =
        ":give --receiver x,y,z[,name] in metres, an object called `receiver:NAME` in the model, or "
        "--receiver-grid NAME=MATERIAL with a material that people sit or walk on",
    [ADVICE_PLACE_BOTH] = PLACE,
    [ADVICE_OPEN_SEAL_OR_PLACE] =
        "close cracks of that width with --seal %s, or accept an open scene with --open, or " PLACE,
    [ADVICE_GIVE_HEAD] = ":give --head FILE.sofa",
    [ADVICE_DIRECTIONAL] = ":add --ambisonics",
    [ADVICE_NAME_LEAK] = ":give it a name with --leak",
    [ADVICE_RESOLVE_AT_FMAX] =
        "use --fmax %f to be sure that all of them are resolved (their widths are known to about half a grid "
        "point)",
    [ADVICE_CLOSE_OR_SEAL] = "close it (a crack: with --seal)",
    [ADVICE_CHECK_AT_FMAX] = "before a run on a finer grid than that, check with its --fmax",
    [ADVICE_UP_Y] = "if so, repeat with --up y",
    [ADVICE_UP_Z] = "if so, repeat with --up z",
    [ADVICE_FMAX_THAT_FITS] = "choose an --fmax that this machine can run",
    [ADVICE_SOURCE_IN_ROOM] = "give a --source x,y,z in the space that is meant",
    [ADVICE_GIVE_SOURCE_OR_UNITS] =
        "give a --source x,y,z inside the room to see the leak path; check --units",
    [ADVICE_GIVE_POSITIONS] = "give --source and --receiver",
    [ADVICE_NAME_DRY] = ":name the dry sound with --dry (clap, organ or a file)",
    [ADVICE_LEAVE_OUT_FMAX] = ":leave out --fmax",
    [ADVICE_GIVE_OUTPUT] = ":give -o DIR or -o WET.wav",
    [ADVICE_LONGER_DURATION] = "simulate with a longer --duration",
    /* src/setup/project */
    [ADVICE_OUTPUT_ANYWHERE] = "-o DIR writes anywhere",
    /* run, bench */
    [ADVICE_DOUBLE_OR_REPORT] = "use --precision double, and report it if that does not help",
    [ADVICE_DOUBLE_OR_SHORTER] = SAID("use --precision double or a shorter --duration"),
    [ADVICE_SMALLER_SHAPES] = ":use a smaller --nodes",
    [ADVICE_SMALLER_SHAPES_OR_ONE] = ":use a smaller --nodes, or one --shape",
    [ADVICE_SMALLER_SHAPES_OR_BLOCKS] =
        ":use a smaller --nodes, a larger --spacing, --precision single or --layout blocks",
};
_Static_assert(sizeof words / sizeof words[0] == ADVICES, "every advice has its words");

static const char *unit_word(double metres)
{
    return metres == 1 ? "m" : metres == 0.01 ? "cm" : "mm";
}

const char *advice_text(enum failure_advice advice, double value, char text[ADVICE_TEXT_MAX])
{
    char number[32];
    const char *sentence = words[advice] + (words[advice][0] == ':');
    const char *mark = strchr(sentence, '%');
    if (mark != NULL && mark[1] == 's' && value <= 0) { /* no width: without what takes it */
        sentence = mark + strlen("%s, or ");
        mark = NULL;
    }
    if (advice == ADVICE_UNIT)
        (void)snprintf(number, sizeof number, "%s", unit_word(value));
    else if (mark != NULL && mark[1] == 'f')
        (void)snprintf(number, sizeof number, value < 100 ? "%.3g" : "%.0f", value);
    else
        (void)snprintf(number, sizeof number, "%.1fcm", 100 * value);
    if (mark != NULL)
        (void)snprintf(text, ADVICE_TEXT_MAX, "%.*s%s%s", (int)(mark - sentence), sentence, number, mark + 2);
    else
        (void)snprintf(text, ADVICE_TEXT_MAX, "%s", sentence);
    return text;
}

bool advice_key(enum failure_advice advice, double value, struct advice_key *out)
{
    static const char seal[] = "seal_m", fmax[] = "fmax_hz";
    static const char *const keys[ADVICES] = {
        [ADVICE_OPEN_OR_SEAL] = seal, [ADVICE_OPEN_SEAL_OR_PLACE] = seal, [ADVICE_SEAL] = seal,
        [ADVICE_SEAL_REST] = seal,    [ADVICE_SEAL_ALL] = seal,           [ADVICE_SEAL_UNTRIED] = seal,
        [ADVICE_FMAX] = fmax,         [ADVICE_FMAX_OR_BLOCKS] = fmax,     [ADVICE_FMAX_OR_PROCESSORS] = fmax,
        [ADVICE_FMAX_OR_HOSTS] = fmax};
    *out = (struct advice_key){.key = keys[advice],
                               .number = keys[advice] == fmax ? floor(value) : rint(1000 * value) / 1000};
    if (advice == ADVICE_UP_Y || advice == ADVICE_UP_Z)
        *out = (struct advice_key){.key = "up", .word = advice == ADVICE_UP_Y ? "y" : "z"};
    else if (advice == ADVICE_UNIT)
        *out = (struct advice_key){.key = "units", .word = unit_word(value)};
    return out->key != NULL && (out->word != NULL || out->number > 0);
}

static bool has_option(unsigned command, const char *name, size_t length)
{
    for (size_t i = 0; i < option_table_count; i++)
        if ((option_table[i].commands & command) != 0 && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return true;
    return false;
}

const char *advice_text_for(unsigned command, enum failure_advice advice, double value,
                            char text[ADVICE_TEXT_MAX])
{
    char others[100] = "";
    advice_text(advice, value, text);
    for (const char *at = command != 0 ? strstr(text, "--") : NULL; at != NULL; at = strstr(at, "--")) {
        at += 2;
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz-"), used = strlen(others);
        if (!has_option(command, at, length))
            (void)snprintf(others + used, sizeof others - used, "%s--%.*s", used > 0 ? ", " : "", (int)length,
                           at);
    }
    const size_t used = strlen(text);
    if (others[0] != '\0')
        (void)snprintf(text + used, ADVICE_TEXT_MAX - used, " (of `transept simulate`: %s)", others);
    return text;
}

const char *failure_fix_text(const struct failure *failure, char text[FAILURE_FIX_MAX])
{
    char advice[ADVICE_TEXT_MAX];
    advice_text(failure->advice, failure->advice_value, advice);
    (void)snprintf(text, FAILURE_FIX_MAX, "%s%s%s", failure->fix,
                   failure->fix[0] != '\0' && advice[0] != '\0' ? ", or " : "", advice);
    return text;
}

const char *failure_text(const struct failure *failure, char text[FAILURE_TEXT_MAX])
{
    char fix[FAILURE_FIX_MAX];
    char where[FAILURE_WHERE_MAX];
    failure_fix_text(failure, fix);
    const bool colon = failure->fix[0] == '\0' && words[failure->advice][0] == ':';
    const int note = (int)strcspn(failure->note, "\n"); /* behind it are further mistakes */
    (void)snprintf(text, FAILURE_TEXT_MAX, "%s%s%s%s%s%.*s%s%s", failure_where(failure, where),
                   failure->sentence,
                   fix[0] == '\0' ? ""
                   : colon        ? ": "
                                  : "; ",
                   fix, note > 0 ? " (" : "", note, failure->note, note > 0 ? ")" : "", failure->note + note);
    return text;
}
