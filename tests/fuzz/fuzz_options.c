/* The command line: any words give values within the limits of the table, or a sentence. The first byte
 * chooses the command, line breaks divide the arguments.
 *
 *   tools/fuzz 600 options    # build with clang and run for ten minutes */
#include "tests/fuzz/option_claims.h"

#define ARGUMENTS_MAX 64

static const struct {
    enum command_bit bit;
    const char *name, *subject;
} commands[] = {{COMMAND_SIMULATE, "simulate", "ROOM"},
                {COMMAND_PLAN, "plan", "ROOM"},
                {COMMAND_MEMORY, "memory", "SHAPE"},
                {COMMAND_ROOM, "room", "SHAPE"},
                {COMMAND_CHECK, "check", "ROOM"},
                {COMMAND_COMPARE, "compare", "ROOM|RUN|IR.wav.."},
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
                claim_value(&option_table[i], options.given[i], (const char *)&options + option_table[i].at);
        for (size_t i = 0; i < 2; i++)
            claim_value(&measure_table[i], false, (const char *)&measures + measure_table[i].at);
    }
    options_free(&options);
    free(text);
    return 0;
}
