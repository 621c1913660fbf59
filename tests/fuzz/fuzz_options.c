/* The command line: any words give values within the limits of the table, or a sentence. The first byte
 * chooses the command, line breaks divide the arguments.
 *
 *   tools/fuzz 600 options    # build with clang and run for ten minutes */
#include <math.h>

#include "src/options/option_values.h"
#include "src/options/options.h"
#include "tests/fuzz/fuzz_claims.h"

#define ARGUMENTS_MAX 64

static const struct {
    enum command_bit bit;
    const char *name, *subject;
} commands[] = {{COMMAND_SIMULATE, "simulate", "ROOM"},
                {COMMAND_PLAN, "plan", "ROOM"},
                {COMMAND_MEMORY, "memory", "SHAPE"},
                {COMMAND_ROOM, "room", "SHAPE"},
                {COMMAND_CHECK, "check", "ROOM"},
                {COMMAND_COMPARE, "compare", "ROOM|RUN.."},
                {COMMAND_BENCH, "bench", NULL},
                {COMMAND_MATERIALS, "materials", NULL},
                {COMMAND_AURALISE, "auralise", "IR.wav|DIR.."},
                {COMMAND_MODES, "modes", "DIR"}};
#define COMMANDS (sizeof commands / sizeof commands[0])

/* Further options, as `room` has them by its shape. */
struct measures {
    double size;
    int roof;
};
static const char *const roofs[] = {"pitched", "vaulted", NULL};
static const struct option_spec measure_table[] = {
    {.name = "size",
     .kind = OPTION_LENGTH,
     .low = 0.1,
     .high = 100,
     .value = "M",
     .help = "",
     .at = offsetof(struct measures, size)},
    {.name = "roof",
     .kind = OPTION_WORD,
     .value = "WORD",
     .help = "",
     .words = roofs,
     .at = offsetof(struct measures, roof)},
};

static void claim_number(const struct option_spec *spec, double value)
{
    CLAIM(isfinite(value));
    if (spec->low == 0 && spec->high == 0)
        return;
    const bool none = value == 0; /* `auto`, or an option without a default that was not given */
    CLAIM(none || (value >= spec->low && value <= spec->high && !(spec->above_low && value == spec->low)));
}

static void claim_places(const struct option_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        const struct option_place *place = &places->place[i];
        CLAIM(place->name[0] == '\0' || option_name_is_valid(place->name));
        CLAIM(!place->of_model || place->name[0] != '\0');
        for (int axis = 0; axis < 3; axis++)
            CLAIM(fabs(place->position[axis]) <= 1e6);
    }
}

static void claim_grids(const struct option_grids *grids)
{
    for (size_t i = 0; i < grids->count; i++) {
        const struct option_grid *grid = &grids->grid[i];
        CLAIM(option_name_is_valid(grid->name));
        CLAIM(grid->material == NULL || grid->corners == 0);
        for (size_t c = 0; c < grid->corners; c++)
            for (int axis = 0; axis < 3; axis++)
                CLAIM(fabs(grid->corner[c][axis]) <= 1e6);
    }
}

static void claim_value(const struct option_spec *spec, const void *at)
{
    switch (spec->kind) {
    case OPTION_NUMBER:
    case OPTION_FREQUENCY:
    case OPTION_LENGTH:
    case OPTION_TIME:
        claim_number(spec, *(const double *)at);
        break;
    case OPTION_COUNT:
        claim_number(spec, (double)*(const int64_t *)at);
        break;
    case OPTION_COUNTS: {
        const struct option_counts *counts = at;
        for (size_t i = 0; i < counts->count; i++)
            CLAIM((double)counts->value[i] >= spec->low && (double)counts->value[i] <= spec->high);
        break;
    }
    case OPTION_WORD: {
        size_t words = 0;
        while (spec->words[words] != NULL)
            words++;
        CLAIM(*(const int *)at >= 0 && (size_t) * (const int *)at < words);
        break;
    }
    case OPTION_OCTAVES:
        for (int i = 0; i < OPTION_OCTAVES_COUNT; i++)
            claim_number(spec, ((const struct option_octaves *)at)->value[i]);
        break;
    case OPTION_POINT:
        for (int axis = 0; axis < 3; axis++)
            CLAIM(fabs(((const struct option_point *)at)->position[axis]) <= 1e6);
        break;
    case OPTION_PLACES:
        claim_places(at);
        break;
    case OPTION_GRIDS:
        claim_grids(at);
        break;
    case OPTION_FLAG:
    case OPTION_TEXT:
    case OPTION_TEXTS:
        break;
    }
}

static bool is_cube(const char *text)
{
    return strcmp(text, "cube") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const size_t c = data[0] % COMMANDS;
    char *text = copy_of_input(data + 1, size - 1), *argument[ARGUMENTS_MAX];
    int count = 0;
    for (char *at = text; at != NULL && count < ARGUMENTS_MAX; count++) {
        argument[count] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = '\0';
    }
    struct failure failure = {0};
    struct options options;
    struct measures measures = {3, 0};
    const struct option_set set = {2, measure_table, &measures};
    const bool has_set = commands[c].bit == COMMAND_ROOM &&
                         options_find_subject(commands[c].bit, count, argument, is_cube) != NULL;
    const int code = options_parse(commands[c].bit, commands[c].name, commands[c].subject, count, argument,
                                   has_set ? &set : NULL, &options, &failure);
    claim_outcome(code, &failure);
    if (code == 0 && !options.help) {
        CLAIM((options.subject != NULL) == (commands[c].subject != NULL));
        for (size_t i = 0; i < option_table_count; i++)
            if ((option_table[i].commands & (unsigned)commands[c].bit) != 0)
                claim_value(&option_table[i], (const char *)&options + option_table[i].at);
        for (size_t i = 0; i < 2; i++)
            claim_value(&measure_table[i], (const char *)&measures + measure_table[i].at);
    }
    options_free(&options);
    free(text);
    return 0;
}
