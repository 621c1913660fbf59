#include "src/base/options/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/name_distance.h"
#include "src/base/options/option_values.h"

#define NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))

bool options_given(const struct options *options, const char *name)
{
    for (size_t i = 0; i < option_table_count; i++)
        if (options->given[i] && strcmp(option_table[i].name, name) == 0)
            return true;
    return false;
}

void options_set_given(struct options *options, const struct option_spec *spec)
{
    options->given[spec - option_table] = true;
    if (spec->given_at != 0)
        *(bool *)((char *)options + spec->given_at) = true;
}

/* --source, --receiver and --receiver-grid. */
static bool places_points(const struct option_spec *spec)
{
    return spec->kind == OPTION_PLACES || spec->kind == OPTION_GRIDS;
}

/* ---- names ---- */

const char *options_nearest(const char *text, const char *const *candidate, size_t count)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t d = name_distance(text, candidate[i]);
        if (d < least) {
            least = d;
            nearest = candidate[i];
        }
    }
    const size_t allowed = strlen(text) / 3 > 2 ? strlen(text) / 3 : 2;
    return least <= allowed && least < strlen(text) ? nearest : NULL;
}

/* An entry of the table or of `extra`. */
struct found {
    const struct option_spec *spec;
    bool extra;
};

static struct found find_name(enum command_bit command, const char *name, size_t length,
                              const struct option_set *extra)
{
    for (size_t i = 0; i < option_table_count; i++)
        if ((option_table[i].commands & command) != 0 && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return (struct found){&option_table[i], false};
    for (size_t i = 0; extra != NULL && i < extra->count; i++)
        if (strlen(extra->spec[i].name) == length && memcmp(extra->spec[i].name, name, length) == 0)
            return (struct found){&extra->spec[i], true};
    return (struct found){NULL, false};
}

static struct found find_argument(enum command_bit command, const char *argument,
                                  const struct option_set *extra)
{
    if (argument[1] == '-')
        return find_name(command, argument + 2, strcspn(argument + 2, "="), extra);
    for (size_t i = 0; argument[2] == '\0' && i < option_table_count; i++)
        if ((option_table[i].commands & command) != 0 && option_table[i].letter == argument[1])
            return (struct found){&option_table[i], false};
    return (struct found){NULL, false};
}

/* Add the option, as it was typed, to the failure that was just set. */
static int about_option(int code, const char *argument, struct failure *failure)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    return failure_about(code, failure, SUBJECT_OPTION, name);
}

static int unknown_option(enum command_bit command, const char *command_name, const char *argument,
                          const struct option_set *extra, struct failure *failure)
{
    const char *candidate[2 * OPTIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < option_table_count; i++)
        if ((option_table[i].commands & command) != 0)
            candidate[count++] = option_table[i].name;
    for (size_t i = 0; extra != NULL && i < extra->count && count < NUMBER_OF(candidate); i++)
        candidate[count++] = extra->spec[i].name;
    char name[64];
    const char *start = argument + strspn(argument, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    for (size_t i = 0; i < option_table_count; i++)
        if (strcmp(option_table[i].name, name) == 0)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "--%s is an option of other commands, not of %s", name,
                                           command_name),
                               failure, "transept %s --help lists its own", command_name);
    const char *nearest = options_nearest(name, candidate, count);
    const int code = failure_set(failure, FAILURE_INPUT, "%s has no option %s", command_name, argument);
    return nearest != NULL ? failure_fix(code, failure, "did you mean --%s?", nearest)
                           : failure_fix(code, failure, "transept %s --help lists them", command_name);
}

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

const char *options_find_subject(enum command_bit command, int argc, char **argv,
                                 bool (*is_wanted)(const char *text))
{
    for (int i = 0; i < argc; i++) {
        if (!is_option(argv[i])) {
            if (is_wanted(argv[i]))
                return argv[i];
            continue;
        }
        const struct found found = find_argument(command, argv[i], NULL);
        if (found.spec != NULL && found.spec->kind != OPTION_FLAG && strchr(argv[i], '=') == NULL)
            i++;
    }
    return NULL;
}

int options_refuse_second(enum command_bit command, int argc, char **argv, const struct option_set *extra,
                          struct failure *failure)
{
    const char *first[OPTIONS_MAX] = {0};
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *option = argv[i], *equals = strchr(option, '=');
        const struct found found =
            is_option(option) ? find_argument(command, option, extra) : (struct found){0};
        if (found.spec == NULL || found.spec->kind == OPTION_FLAG)
            continue;
        const bool joined = option[1] == '-' && equals != NULL;
        const char *text = joined ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (found.extra || found.spec->kind != OPTION_TEXT || text == NULL)
            continue;
        const char **given = &first[found.spec - option_table];
        if (*given != NULL && strcmp(*given, text) != 0)
            return about_option(failure_set(failure, FAILURE_INPUT,
                                            "--%s is given twice, as %s and as %s: it takes one",
                                            found.spec->name, *given, text),
                                option, failure);
        *given = text;
    }
    return 0;
}

static int set_defaults(struct options *out, struct failure *failure)
{
    for (size_t i = 0; i < option_table_count; i++)
        if (option_table[i].standard != NULL)
            TRY(option_read_value(&option_table[i], option_table[i].standard, out, failure));
    return 0;
}

static bool takes_several(const char *subject)
{
    const size_t length = strlen(subject);
    return length > 2 && strcmp(subject + length - 2, "..") == 0;
}

int options_parse(enum command_bit command, const char *command_name, const char *subject, int argc,
                  char **argv, const struct option_set *extra, struct options *out, struct failure *failure)
{
    *out = (struct options){.own = extra != NULL ? extra->base : NULL,
                            .request = {.surfaces.audience = NAN, .argument_count = argc, .argument = argv}};
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            out->help = true;
            return 0;
        }
    TRY(set_defaults(out, failure));
    bool options_ended = false;
    for (int i = 0; i < argc; i++) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
            continue;
        }
        if (options_ended || !is_option(argv[i])) {
            if (subject == NULL)
                return failure_fix(failure_set(failure, FAILURE_INPUT,
                                               "%s takes only options, but %s was given", command_name,
                                               argv[i]),
                                   failure, "transept %s --help lists them", command_name);
            TRY(option_text_add(argv[i], &out->subjects, failure));
            if (out->subject != NULL && !takes_several(subject))
                return failure_set(failure, FAILURE_INPUT, "%s takes one %s, but both %s and %s were given",
                                   command_name, subject, out->subject, argv[i]);
            if (out->subject == NULL)
                out->subject = out->request.model.file = argv[i];
            continue;
        }
        const char *option = argv[i];
        const struct found found = find_argument(command, option, extra);
        if (found.spec == NULL)
            return about_option(unknown_option(command, command_name, argv[i], extra, failure), argv[i],
                                failure);
        const char *text = argv[i][1] == '-' ? strchr(argv[i], '=') : NULL;
        if (text != NULL)
            text++;
        if (found.spec->kind == OPTION_FLAG) {
            if (text != NULL)
                return about_option(failure_set(failure, FAILURE_INPUT,
                                                "--%s takes no value, but %s was given", found.spec->name,
                                                argv[i]),
                                    option, failure);
        } else if (text == NULL) {
            if (i + 1 == argc)
                return about_option(failure_set(failure, FAILURE_INPUT, "%s needs a value: %s %s", argv[i],
                                                argv[i], found.spec->value),
                                    option, failure);
            text = argv[++i];
        }
        const int code = option_read_value(found.spec, text, found.extra ? extra->base : out, failure);
        if (code != 0)
            return about_option(code, option, failure);
        if (found.extra)
            continue;
        options_set_given(out, found.spec);
        out->request.points.by_hand |= places_points(found.spec);
    }
    if (subject != NULL && subject[0] != '[' && out->subject == NULL)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s needs %s %.*s", command_name,
                                       takes_several(subject) ? "at least one" : "a",
                                       (int)strlen(subject) - (takes_several(subject) ? 2 : 0), subject),
                           failure, "see transept %s --help", command_name);
    return 0;
}

void options_free(struct options *options)
{
    struct room_request *request = &options->request;
    struct option_texts *const texts[] = {&options->subjects,
                                          &request->surfaces.absorption,
                                          &request->surfaces.scattering,
                                          &request->surfaces.two_sided,
                                          &request->listening.look,
                                          &request->listening.dummy_head,
                                          &request->radiation.array,
                                          &request->radiation.directivity,
                                          &request->radiation.aim,
                                          &request->radiation.together,
                                          &options->dry};
    for (size_t n = 0; n < NUMBER_OF(texts); n++)
        option_texts_free(texts[n]);
    free(request->points.source.place);
    free(request->points.receiver.place);
    free(options->play.drum.place);
    for (size_t i = 0; i < request->points.receiver_grid.count; i++)
        free(request->points.receiver_grid.grid[i].corner);
    free(request->points.receiver_grid.grid);
    free(options->nodes.value);
    *options = (struct options){0};
}
