#include "src/options/failure_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COARSER "use a lower --fmax or a larger --spacing"
#define FAULT   "but this is a fault of the program: please report it"

/* All that the program says of options to mend the failure of a library. "%s" stands for the value, in
 * centimetres. A colon in front takes the place of the semicolon after the sentence. */
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
    [ADVICE_GIVE_SOURCE_OR_OPEN] = "give a --source inside the room to see the leak path, or use --open",
    [ADVICE_CLOSED_ROOM] =
        "the model encloses no air at this spacing: check that it is a closed room and that "
        "--units is right, or use --open",
    [ADVICE_OPEN_OR_SEAL] = "close cracks of that width with --seal %s, or accept an open scene with --open",
    [ADVICE_SEAL] = "close cracks of that width with --seal %s",
    [ADVICE_LARGER_SEAL] = "give a larger --seal",
    [ADVICE_UNITS] = "check --units and --up",
    [ADVICE_OTHER_OUTPUT] = ":give another -o",
    [ADVICE_OTHER_OUTPUT_OR_REPLACE] = ":give another -o, or --force to replace the results in it",
    [ADVICE_PROCESSORS] = "use --backend cpu",
    [ADVICE_COARSER_OR_PROCESSORS] = ":use a lower --fmax or --backend cpu",
    [ADVICE_LESS_ON_DEVICE] = ":use a lower --fmax, a larger --spacing, or --backend cpu",
    [ADVICE_LESS_ON_DEVICE_OR_SINGLE] =
        ":use a lower --fmax, a larger --spacing, --precision single, or --backend cpu",
    [ADVICE_STEADIER] = "a lower --courant or --precision double may help, " FAULT,
    [ADVICE_STEADIER_OR_SHORTER] = "--precision double or a shorter --duration may help, " FAULT,
    /* run, bench */
    [ADVICE_DOUBLE_OR_REPORT] = "use --precision double, and report it if that does not help",
    [ADVICE_DOUBLE_OR_SHORTER] = "use --precision double or a shorter --duration",
    [ADVICE_SMALLER_SHAPES] = ":use a smaller --nodes",
    [ADVICE_SMALLER_SHAPES_OR_ONE] = ":use a smaller --nodes, or one --shape",
    [ADVICE_SMALLER_SHAPES_OR_BLOCKS] =
        ":use a smaller --nodes, a larger --spacing, --precision single or --layout blocks",
};
_Static_assert(sizeof words / sizeof words[0] == ADVICES, "every advice has its words");

const char *advice_text(enum failure_advice advice, double value, char text[ADVICE_TEXT_MAX])
{
    char width[32];
    const char *sentence = words[advice] + (words[advice][0] == ':');
    if (advice == ADVICE_OPEN_OR_SEAL && value <= 0)
        sentence = "accept an open scene with --open";
    const char *mark = strstr(sentence, "%s");
    (void)snprintf(width, sizeof width, "%.1fcm", 100 * value);
    if (mark != NULL)
        (void)snprintf(text, ADVICE_TEXT_MAX, "%.*s%s%s", (int)(mark - sentence), sentence, width, mark + 2);
    else
        (void)snprintf(text, ADVICE_TEXT_MAX, "%s", sentence);
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
    char where[sizeof failure->file + 32] = "", line[32] = "";
    if (failure->line > 0)
        (void)snprintf(line, sizeof line, "%sline %zu", failure->file[0] != '\0' ? ", " : "", failure->line);
    if (failure->file[0] != '\0' || failure->line > 0)
        (void)snprintf(where, sizeof where, "%s%s: ", failure->file, line);
    failure_fix_text(failure, fix);
    const bool colon = failure->fix[0] == '\0' && words[failure->advice][0] == ':',
               note = failure->note[0] != '\0';
    (void)snprintf(text, FAILURE_TEXT_MAX, "%s%s%s%s%s%s%s", where, failure->sentence,
                   fix[0] == '\0' ? ""
                   : colon        ? ": "
                                  : "; ",
                   fix, note ? " (" : "", failure->note, note ? ")" : "");
    return text;
}
