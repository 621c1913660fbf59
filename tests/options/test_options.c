#include <malloc.h>

#include "src/cli/commands.h"
#include "src/base/options/failure_text.h"
#include "src/base/options/options.h"
#include "src/base/options/scheme_options.h"
#include "tests/support/outcome.h"

#define ARGUMENTS(...) (char *[]){__VA_ARGS__}, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *))

static int parse(enum command_bit command, char **argv, int argc, struct options *out, struct failure *why)
{
    *why = (struct failure){0};
    return options_parse(command, "command", "ROOM", argc, argv, NULL, out, why);
}

/* Is the command line refused with status 2 and a sentence that holds `words`? */
static void expect_refusal(enum command_bit command, char **argv, int argc, const char *words)
{
    struct options options;
    const int code = parse(command, argv, argc, &options, &failure);
    options_free(&options);
    cr_assert(eq(int, code, FAILURE_INPUT), "%s is not refused; expected: %s", argv[argc - 1], words);
    char text[FAILURE_TEXT_MAX];
    cr_assert(strstr(failure_text(&failure, text), words) != NULL, "\"%s\" does not say \"%s\"", text, words);
}

#define REFUSED(words, ...) expect_refusal(COMMAND_SIMULATE, ARGUMENTS("a.obj", __VA_ARGS__), words)

Test(options, defaults_are_those_of_the_design_and_say_that_nothing_was_given)
{
    struct options options;
    MUST(parse(COMMAND_SIMULATE, ARGUMENTS("a.obj"), &options, &failure));
    const struct room_request *request = &options.request;
    cr_assert(eq(str, (char *)options.subject, "a.obj"));
    cr_assert(eq(ptr, (void *)request->model.file, (void *)options.subject));
    cr_assert(request->grid.scheme == scheme_of_word(SCHEME_OF_CHOICE) &&
              request->grid.quality == QUALITY_STANDARD);
    cr_assert(request->grid.fmax == 0 && request->grid.points_per_wavelength == 0 &&
              request->grid.spacing == 0 && request->plan.duration == 0);
    cr_assert(request->plan.budget == 600 && request->model.air.temperature == 20);
    cr_assert(request->engine.interpolation == 0 && request->engine.layout == 0 &&
              request->engine.precision == 0);
    cr_assert(isnan(request->surfaces.audience) && !request->force);
    cr_assert(options_given(&options, "quality") == false && !request->grid.quality_given &&
              !request->points.grid_spacing_given && !request->points.by_hand);
    options_free(&options);
    MUST(parse(COMMAND_SIMULATE,
               ARGUMENTS("a.obj", "--quality=standard", "--grid-spacing", "1", "--source", "1,1,1"), &options,
               &failure));
    cr_assert(options_given(&options, "quality") && request->grid.quality_given &&
              request->points.grid_spacing_given && request->points.by_hand);
    options_free(&options);
}

Test(options, values_take_the_units_of_their_quantity)
{
    static const struct {
        char *option, *text;
        size_t at;
        double value;
    } cases[] = {
        {"--spacing", "2cm", offsetof(struct options, request.grid.spacing), 0.02},
        {"--spacing", "0.02", offsetof(struct options, request.grid.spacing), 0.02},
        {"--spacing", "20mm", offsetof(struct options, request.grid.spacing), 0.02},
        {"--spacing", "1in", offsetof(struct options, request.grid.spacing), 0.0254},
        {"--seal", "1e-2m", offsetof(struct options, request.grid.seal), 0.01},
        {"--budget", "2h", offsetof(struct options, request.plan.budget), 7200},
        {"--budget", "90", offsetof(struct options, request.plan.budget), 90},
        {"--budget", "1.5min", offsetof(struct options, request.plan.budget), 90},
        {"--duration", "auto", offsetof(struct options, request.plan.duration), 0},
        {"--duration", "250ms", offsetof(struct options, request.plan.duration), 0.25},
        {"--fmax", "1.4kHz", offsetof(struct options, request.grid.fmax), 1400},
        {"--fmax", "355Hz", offsetof(struct options, request.grid.fmax), 355},
        {"--fmax", "auto", offsetof(struct options, request.grid.fmax), 0},
        {"--courant", "0.5", offsetof(struct options, request.grid.courant), 0.5},
        {"--courant", "0.8", offsetof(struct options, request.grid.courant), 0.8},
        {"--courant", "50%", offsetof(struct options, request.grid.courant_share), 0.5},
        {"--courant", "50%", offsetof(struct options, request.grid.courant), 0},
        {"--courant", "0.5", offsetof(struct options, request.grid.courant_share), 0},
        {"--courant", "100%", offsetof(struct options, request.grid.courant_share), 1},
        {"--temperature", "-5", offsetof(struct options, request.model.air.temperature), -5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        const int code =
            parse(COMMAND_SIMULATE, ARGUMENTS("a.obj", cases[i].option, cases[i].text), &options, &failure);
        cr_assert(eq(int, code, 0), "%s %s: %s", cases[i].option, cases[i].text, failure.sentence);
        const double value = *(double *)((char *)&options + cases[i].at);
        cr_assert(test_near(value, cases[i].value, 1e-12 * fabs(cases[i].value)), "%s %s gives %g",
                  cases[i].option, cases[i].text, value);
        options_free(&options);
    }
}

Test(options, a_share_is_refused_beyond_its_limit_and_where_there_is_none)
{
    REFUSED("--courant 101% is out of range: it must be above 0 % and at most 100 %", "--courant", "101%");
    REFUSED("--courant 0% is out of range", "--courant", "0%");
    REFUSED("--courant % is not a number", "--courant", "%");
    REFUSED("--temperature 50% is not a number", "--temperature", "50%");
}

Test(options, the_later_of_a_courant_number_and_a_share_counts)
{
    struct options options;
    MUST(parse(COMMAND_SIMULATE, ARGUMENTS("a.obj", "--courant", "90%", "--courant", "0.5"), &options,
               &failure));
    cr_assert(options.request.grid.courant == 0.5 && options.request.grid.courant_share == 0);
    options_free(&options);
    MUST(parse(COMMAND_SIMULATE, ARGUMENTS("a.obj", "--courant", "0.5", "--courant", "90%"), &options,
               &failure));
    cr_assert(options.request.grid.courant == 0 && test_near(options.request.grid.courant_share, 0.9, 1e-15));
    options_free(&options);
}

Test(options, schemes_and_qualities_are_words_of_all_that_makes_a_grid)
{
    static const enum command_bit commands[] = {COMMAND_SIMULATE, COMMAND_PLAN, COMMAND_CHECK,
                                                COMMAND_COMPARE,  COMMAND_FILM, COMMAND_BENCH,
                                                COMMAND_NEW};
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++)
        for (int scheme = 0; scheme < SCHEMES; scheme++)
            for (int quality = 0; quality < QUALITIES; quality++) {
                struct options options;
                MUST(parse(commands[c],
                           ARGUMENTS("a.obj", "--scheme", (char *)scheme_words[scheme], "--quality",
                                     (char *)quality_words[quality]),
                           &options, &failure));
                cr_assert(scheme == (int)options.request.grid.scheme &&
                          quality == (int)options.request.grid.quality);
                options_free(&options);
            }
    REFUSED("--scheme cubic is not one of: standard, isotropic", "--scheme", "cubic");
    REFUSED("--quality best is not one of: draft, standard, fine", "--quality", "best");
}

Test(options, the_help_of_the_qualities_has_the_points_of_the_table)
{
    for (size_t i = 0; i < option_table_count; i++)
        for (int scheme = 0; strcmp(option_table[i].name, "quality") == 0 && scheme < SCHEMES; scheme++) {
            char text[OPTION_TEXT_MAX];
            options_describe(&option_table[i], text);
            for (int quality = 0; quality < QUALITIES; quality++) {
                char points[20];
                (void)snprintf(points, sizeof points, " %g", scheme_points[scheme][quality]);
                cr_assert(strstr(text, points) != NULL, "%s is not in: %s", points, text);
                cr_assert(quality == 0 ||
                          scheme_points[scheme][quality] > scheme_points[scheme][quality - 1]);
            }
            cr_assert(test_at_least(scheme_points[scheme][QUALITY_DRAFT], scheme_points_least[scheme]));
        }
}

Test(options, walls_are_known_by_their_words_alone)
{
    static char *const word[] = {[WALLS_CONFORMAL] = "conformal",
                                 [WALLS_STAIRCASE] = "staircase",
                                 [WALLS_FIRST_ORDER] = "first-order"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        struct options options;
        MUST(parse(COMMAND_SIMULATE, ARGUMENTS("a.obj", "--walls", word[i]), &options, &failure));
        cr_assert(i == options.request.engine.walls, "%s", word[i]);
        options_free(&options);
    }
    REFUSED("--walls stairs is not one of: conformal, staircase, first-order", "--walls", "stairs");
}

Test(options, only_plain_decimal_numbers_are_numbers)
{
    static char *bad[] = {"nan", "NaN",  "inf", "-inf", "infinity", "0x10", "1e999", "",
                          " 1",  "1 ",   "1,5", "1..2", "+-1",      "1e",   "one",   ".",
                          "-",   "1mmm", "1 m", "1e5x", "0x1p3",    "-nan", "x",     "1x"};
    for (size_t i = 0; i < option_table_count; i++) {
        const enum option_kind kind = option_table[i].kind;
        if (kind != OPTION_NUMBER && kind != OPTION_LENGTH && kind != OPTION_TIME &&
            kind != OPTION_FREQUENCY && kind != OPTION_COUNT && kind != OPTION_COUNTS &&
            kind != OPTION_OCTAVES && kind != OPTION_POINT)
            continue;
        char name[64];
        snprintf(name, sizeof name, "--%s", option_table[i].name);
        for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++)
            if (kind != OPTION_COUNTS || strcmp(bad[b], "1,5") != 0) /* a list of two, there */
                expect_refusal((enum command_bit)(option_table[i].commands & -option_table[i].commands),
                               ARGUMENTS("a.obj", name, bad[b]), name);
    }
}

/* One number as a list of seven. */
static void repeat(char *text, size_t size)
{
    char one[8];
    snprintf(one, sizeof one, "%.7s", text);
    snprintf(text, size, "%s,%s,%s,%s,%s,%s,%s", one, one, one, one, one, one, one);
}

Test(options, every_limit_refuses_what_lies_beyond_it_and_is_named)
{
    size_t limits = 0;
    for (size_t i = 0; i < option_table_count; i++) {
        if (option_table[i].low == 0 && option_table[i].high == 0)
            continue;
        const bool whole = option_table[i].kind == OPTION_COUNT || option_table[i].kind == OPTION_COUNTS;
        const enum command_bit command =
            (enum command_bit)(option_table[i].commands & -option_table[i].commands);
        char name[64], below[64], above[64], limit[64];
        snprintf(name, sizeof name, "--%s", option_table[i].name);
        snprintf(below, sizeof below, whole ? "%.0f" : "%.17g",
                 option_table[i].above_low ? option_table[i].low : option_table[i].low - 1);
        snprintf(above, sizeof above, whole ? "%.0f" : "%.17g", option_table[i].high + 1);
        snprintf(limit, sizeof limit, option_table[i].above_low ? "above %.6g" : "at least %.6g",
                 option_table[i].low);
        if (option_table[i].kind == OPTION_OCTAVES) {
            repeat(below, sizeof below);
            repeat(above, sizeof above);
        }
        expect_refusal(command, ARGUMENTS("a.obj", name, below), limit);
        expect_refusal(command, ARGUMENTS("a.obj", name, above), "at most");
        snprintf(above, sizeof above, whole ? "%.0f" : "%.17g", option_table[i].high);
        if (option_table[i].kind == OPTION_OCTAVES)
            repeat(above, sizeof above);
        struct options options;
        MUST(parse(command, ARGUMENTS("a.obj", name, above), &options, &failure));
        options_free(&options);
        limits++;
    }
    cr_assert(test_above((double)(limits), (double)(8)));
}

Test(options, a_limit_is_reported_in_the_unit_of_its_quantity)
{
    static const struct {
        char *name, *text;
        const char *printed;
    } limit[] = {
        {"--pressure", "5", "--pressure 5 is out of range: it must be at least 30 kPa and at most 200 kPa"},
        {"--humidity", "101", "at least 0 % and at most 100 %"},
        {"--temperature", "101", "at least -50 C and at most 100 C"},
        {"--seal", "1", "above 0 m and at most 0.5 m"},
        {"--duration", "1us", "is not a time"},
        {"--duration", "0.1ms", "at least 0.001 s and at most "},
        {"--fmax", "1", "above 20 Hz and at most 20000 Hz"},
        {"--audience", "2", "at least 0 and at most 1"},
    };
    for (size_t k = 0; k < sizeof limit / sizeof *limit; k++)
        expect_refusal(COMMAND_SIMULATE, ARGUMENTS("a.obj", limit[k].name, limit[k].text), limit[k].printed);
}

Test(options, an_unknown_option_names_the_nearest)
{
    REFUSED("did you mean --receiver?", "--recevier", "1,2,3");
    REFUSED("did you mean --fmax?", "--fmaxx=3");
    REFUSED("did you mean --json?", "--jsno");
    REFUSED("--help lists them", "--xyzzy-plugh");
    REFUSED("has no option -x", "-x");
    expect_refusal(COMMAND_PLAN, ARGUMENTS("a.obj", "--force"), "option of other commands");
}

Test(options, missing_and_superfluous_values_are_refused)
{
    REFUSED("--fmax needs a value", "--fmax");
    REFUSED("-o needs a value", "-o");
    REFUSED("takes no value", "--json=yes");
    REFUSED("takes one ROOM", "b.obj");
    expect_refusal(COMMAND_SIMULATE, ARGUMENTS("--json"), "needs a ROOM");
    REFUSED("blocks, box", "--layout", "bricks");
}

Test(options, a_command_that_takes_several_arguments_gets_all_of_them_in_order)
{
    struct options options;
    char *argv[] = {"b.wav", "--fmax", "355", "a.wav", "--", "-c.wav"};
    MUST(options_parse(COMMAND_SIMULATE, "command", "IR.wav..", 6, argv, NULL, &options, &failure));
    cr_assert(eq(sz, options.subjects.count, 3));
    cr_assert(eq(str, (char *)options.subject, "b.wav"));
    cr_assert(eq(str, (char *)options.subjects.text[1], "a.wav"));
    cr_assert(eq(str, (char *)options.subjects.text[2], "-c.wav"));
    options_free(&options);
    MUST_FAIL(options_parse(COMMAND_SIMULATE, "command", "IR.wav..", 0, argv, NULL, &options, &failure),
              FAILURE_INPUT, "needs at least one IR.wav");
    cr_assert(strstr(failure.sentence, "wav.") == NULL, "%s", failure.sentence);
    options_free(&options);
}

Test(options, positions_take_three_coordinates_and_a_name_for_files)
{
    struct options options;
    MUST(parse(COMMAND_SIMULATE,
               ARGUMENTS("--source", "-1,2.5,3e0", "--source=4,5,6,pul-pit_2", "--", "-a.obj"), &options,
               &failure));
    const struct option_place *place = options.request.points.source.place;
    cr_assert(eq(sz, options.request.points.source.count, 2));
    cr_assert(memcmp(place[0].position, (const double[3]){-1, 2.5, 3}, sizeof place[0].position) == 0);
    cr_assert(place[0].name[0] == '\0' && strcmp(place[1].name, "pul-pit_2") == 0);
    cr_assert(eq(str, (char *)options.subject, "-a.obj"));
    options_free(&options);
    static char longest[] = "1,2,3,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    static char *bad[] = {"1,2",     "1,2,3,",         "1,2,3,a b", "1,2,3,../x", "1,2,3,a/b",
                          "1,2,nan", "1;2;3",          "1,2,3,a,b", "1,2,1e7",    "1,2,3 ",
                          "x,y,z",   "1,2,3,\xc3\xa9", "1,,3",      longest};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        REFUSED("--source", "--source", bad[i]);
}

Test(options, a_list_of_counts_is_kept_in_order)
{
    struct options options;
    MUST(parse(COMMAND_MEMORY, ARGUMENTS("cube", "--nodes", "8,1000,1"), &options, &failure));
    cr_assert(options.nodes.count == 3 &&
              memcmp(options.nodes.value, (const int64_t[]){8, 1000, 1}, 3 * sizeof(int64_t)) == 0);
    options_free(&options);
    expect_refusal(COMMAND_MEMORY, ARGUMENTS("cube", "--nodes", "8,"), "whole number");
    expect_refusal(COMMAND_MEMORY, ARGUMENTS("cube", "--nodes", "8,1001"), "1001 is out of range");
}

static bool is_church(const char *text)
{
    return strcmp(text, "church") == 0;
}

Test(options, a_subject_is_found_behind_options_and_never_in_their_values)
{
    char **argv = (char *[]){"-o", "church", "--force", "--nave-length", "30", "church"};
    cr_assert(eq(ptr, (void *)options_find_subject(COMMAND_ROOM, 6, argv, is_church), argv[5]));
    cr_assert(eq(ptr, (void *)options_find_subject(COMMAND_ROOM, 5, argv, is_church), NULL));
}

Test(options, an_option_is_in_the_help_of_a_command_exactly_when_it_takes_it)
{
    size_t commands = 0;
    const struct command *command = commands_table(&commands);
    for (size_t c = 0; c < commands; c++) {
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);
        help_command(stream, &command[c], NULL);
        fclose(stream);
        for (const char *line = text; line != NULL; line = strchr(line, '\n'), line += line != NULL)
            cr_assert(test_at_most((double)(strcspn(line, "\n")), (double)(110)),
                      "a line of the help is too long: %.120s", line);
        for (size_t i = 0; i < option_table_count; i++) {
            bool takes = false; /* by this entry or by another of the same name */
            for (size_t j = 0; j < option_table_count; j++)
                takes |= strcmp(option_table[j].name, option_table[i].name) == 0 &&
                         (option_table[j].commands & command[c].bit) != 0;
            char name[64];
            snprintf(name, sizeof name, "  --%s", option_table[i].name);
            char with_letter[64];
            snprintf(with_letter, sizeof with_letter, ", --%s", option_table[i].name);
            const bool listed = strstr(text, name) != NULL || strstr(text, with_letter) != NULL;
            cr_assert(eq(int, listed, takes), "--%s in the help of %s", option_table[i].name,
                      command[c].name);
        }
        free(text);
    }
}

Test(options, no_command_takes_two_options_of_one_name)
{
    for (size_t i = 0; i < option_table_count; i++)
        for (size_t j = i + 1; j < option_table_count; j++)
            cr_assert(strcmp(option_table[i].name, option_table[j].name) != 0 ||
                          (option_table[i].commands & option_table[j].commands) == 0,
                      "--%s", option_table[i].name);
}

/* Bytes that are allocated. A sanitizer counts none, and tells by itself of what is left. */
static size_t allocated(void)
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

Test(options, nothing_that_an_option_holds_is_left_once_they_are_freed)
{
    static char *const text[] = {[OPTION_COUNTS] = "1,2",
                                 [OPTION_TEXTS] = "a=0.5",
                                 [OPTION_PLACES] = "1,1,1,a",
                                 [OPTION_GRIDS] = "a=0,0,0;1,0,0;1,1,0"};
    for (size_t i = 0; i < option_table_count; i++) {
        const struct option_spec *spec = &option_table[i];
        const enum command_bit command = (enum command_bit)(spec->commands & -spec->commands);
        char option[80];
        size_t before = 0;
        if ((size_t)spec->kind >= sizeof text / sizeof *text || text[spec->kind] == NULL)
            continue;
        snprintf(option, sizeof option, "--%s", spec->name);
        for (int n = 0; n < 20; n++) { /* the first leave room that the allocator keeps */
            struct options options;
            before = n == 10 ? allocated() : before;
            MUST(parse(command, ARGUMENTS("a.obj", option, text[spec->kind]), &options, &failure));
            options_free(&options);
        }
        cr_assert(eq(sz, allocated(), before), "--%s", spec->name);
    }
}

Test(options, receiver_grids_are_a_material_or_a_polygon)
{
    struct options options;
    MUST(parse(COMMAND_SIMULATE,
               ARGUMENTS("a.obj", "--receiver-grid", "pews=oak pew=2", "--receiver-grid",
                         "nave=1,2,0;5,2,0.25;5,-8e0,.5;1,2,0", "--grid-height", "40cm",
                         "--receiver-grid=x=2"),
               &options, &failure));
    cr_assert(eq(sz, options.request.points.receiver_grid.count, 3));
    const struct option_grid *grid = options.request.points.receiver_grid.grid;
    cr_assert(eq(str, (char *)grid[0].name, "pews"));
    cr_assert(eq(str, (char *)grid[0].material, "oak pew=2"));
    cr_assert(eq(sz, grid[0].corners, 0));
    cr_assert(eq(str, (char *)grid[1].name, "nave"));
    cr_assert(eq(ptr, (void *)grid[1].material, NULL));
    cr_assert(eq(sz, grid[1].corners, 3), "the first corner again closes the polygon and is no other");
    const double wanted[3][3] = {{1, 2, 0}, {5, 2, 0.25}, {5, -8, 0.5}};
    cr_assert(memcmp(grid[1].corner, wanted, sizeof wanted) == 0);
    cr_assert(eq(str, (char *)grid[2].material, "2"), "a material may be called by a number");
    cr_assert(eq(dbl, grid[1].height, 0));
    cr_assert(eq(dbl, options.request.points.grid_height, 0.4));
    cr_assert(eq(dbl, options.request.points.grid_spacing, 1));
    options_free(&options);
    REFUSED("NAME=MATERIAL", "--receiver-grid", "pews");
    REFUSED("NAME=MATERIAL", "--receiver-grid", "pews=");
    REFUSED("file names", "--receiver-grid", "a/b=wood");
    REFUSED("file names", "--receiver-grid", "=wood");
    REFUSED("corner 2 is not x,y,z", "--receiver-grid", "a=0,0,0;1,0;1,1,0");
    REFUSED("corner 2 is not x,y,z", "--receiver-grid", "a=0,0,0;1,0,nan;1,1,0");
    REFUSED("corner 2 is not x,y,z", "--receiver-grid", "a=0,0,0;1,0,2e7;1,1,0");
    REFUSED("corner 3 is not x,y,z", "--receiver-grid", "a=0,0,0;1,0,0;");
}
