#include "src/base/options/option_values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"

#define NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- numbers, with the units of their quantity ---- */

/* A suffix of a number, and its value in the unit. */
struct suffix {
    const char *text;
    double factor;
};

/* The kinds that are quantities; the first suffix is the unit. */
static const struct quantity {
    const char *wanted;
    struct suffix suffix[6]; /* ended by one without text */
} quantities[] = {
    [OPTION_NUMBER] = {"a number", {{NULL, 0}}},
    [OPTION_FREQUENCY] = {"a frequency (500 in hertz, 1.4kHz)", {{"Hz", 1}, {"kHz", 1000}}},
    [OPTION_LENGTH] = {"a length (2cm, 20mm, 0.02 in metres)",
                       {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}}},
    [OPTION_TIME] = {"a time (1.5 in seconds, 10min, 1h)",
                     {{"s", 1}, {"ms", 0.001}, {"min", 60}, {"h", 3600}}},
};

const char *option_unit_of(const struct option_spec *spec)
{
    const bool quantity = (size_t)spec->kind < NUMBER_OF(quantities);
    const char *unit = quantity && quantities[spec->kind].suffix[0].text != NULL
                           ? quantities[spec->kind].suffix[0].text
                           : spec->unit;
    return unit != NULL ? unit : "";
}

/* A strict decimal number at the start of `text`: sign, digits, point, exponent, nothing else (no hex, NaN,
 * infinity, blanks). `*rest` is the text after it. False if absent or not finite. */
static bool read_number(const char *text, double *value, const char **rest)
{
    const char *p = text;
    if (*p == '+' || *p == '-')
        p++;
    const char *digits = p;
    while (isdigit((unsigned char)*p))
        p++;
    size_t count = (size_t)(p - digits);
    if (*p == '.') {
        const char *fraction = ++p;
        while (isdigit((unsigned char)*p))
            p++;
        count += (size_t)(p - fraction);
    }
    if (count == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        if (*exponent == '+' || *exponent == '-')
            exponent++;
        if (isdigit((unsigned char)*exponent)) {
            while (isdigit((unsigned char)*exponent))
                exponent++;
            p = exponent;
        }
    }
    /* strtod alone would also accept "0x1p3", so it gets only the text scanned above. */
    const size_t length = (size_t)(p - text);
    char copy[128];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, NULL);
    *rest = p;
    return isfinite(*value) != 0;
}

/* A sentence about the option and its text. */
static int bad_value(struct failure *failure, const struct option_spec *spec, const char *text,
                     const char *wanted)
{
    return failure_set(failure, FAILURE_INPUT, "--%s %s is not %s", spec->name, text[0] ? text : "''",
                       wanted);
}

static int check_limits(const struct option_spec *spec, const char *text, double value,
                        struct failure *failure)
{
    if (spec->low == 0 && spec->high == 0)
        return 0;
    const bool low_fine = spec->above_low ? value > spec->low : value >= spec->low;
    if (low_fine && value <= spec->high)
        return 0;
    const char *unit = option_unit_of(spec), *gap = unit[0] != '\0' ? " " : "";
    return failure_set(failure, FAILURE_INPUT,
                       "--%s %s is out of range: it must be %s %.6g%s%s and at most %.6g%s%s", spec->name,
                       text, spec->above_low ? "above" : "at least", spec->low, gap, unit, spec->high, gap,
                       unit);
}

bool option_is_percent(const struct option_spec *spec, const char *text, double *share)
{
    const char *rest = text;
    double percent = 0;
    if (spec->share_at == 0 || !read_number(text, &percent, &rest) || strcmp(rest, "%") != 0)
        return false;
    *share = percent / 100;
    return true;
}

/* A number, or in its place a share of its most. */
static int read_share(const struct option_spec *spec, const char *text, double share, double *value,
                      double *out, struct failure *failure)
{
    if (!(share > 0 && share <= 1))
        return failure_set(failure, FAILURE_INPUT,
                           "--%s %s is out of range: it must be above 0 %% and at most 100 %%", spec->name,
                           text);
    *out = share;
    *value = 0;
    return 0;
}

static int read_quantity(const struct option_spec *spec, const char *text, void *base,
                         struct failure *failure)
{
    double *const value = (double *)((char *)base + spec->at), share = 0;
    if (spec->may_be_auto && strcmp(text, "auto") == 0) {
        *value = 0;
        return 0;
    }
    if (option_is_percent(spec, text, &share))
        return read_share(spec, text, share, value, (double *)((char *)base + spec->share_at), failure);
    if (spec->share_at != 0)
        *(double *)((char *)base + spec->share_at) = 0;
    const char *rest = text;
    const struct quantity *quantity = &quantities[spec->kind];
    const struct suffix *suffix = quantity->suffix;
    if (!read_number(text, value, &rest))
        return bad_value(failure, spec, text, quantity->wanted);
    while (*rest != '\0' && suffix->text != NULL && strcmp(rest, suffix->text) != 0)
        suffix++;
    if (*rest != '\0') {
        if (suffix->text == NULL)
            return bad_value(failure, spec, text, quantity->wanted);
        *value *= suffix->factor;
    }
    return check_limits(spec, text, *value, failure);
}

static int read_count(const struct option_spec *spec, const char *text, size_t length, int64_t *value,
                      struct failure *failure)
{
    char copy[32];
    bool fine = length > 0 && length < 16;
    for (size_t i = 0; fine && i < length; i++)
        fine = isdigit((unsigned char)text[i]) != 0 || (i == 0 && length > 1 && text[0] == '-');
    if (!fine)
        return bad_value(failure, spec, text, "a whole number");
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtoll(copy, NULL, 10);
    return check_limits(spec, copy, (double)*value, failure);
}

static int read_counts(const struct option_spec *spec, const char *text, struct option_counts *counts,
                       struct failure *failure)
{
    size_t commas = 0;
    for (const char *p = text; *p != '\0'; p++)
        commas += *p == ',';
    int64_t *value = malloc((commas + 1) * sizeof *value);
    if (value == NULL)
        return failure_memory(failure, (commas + 1) * sizeof *value, "a list of numbers");
    free(counts->value);
    counts->value = value;
    counts->count = 0;
    for (const char *p = text;;) {
        const size_t length = strcspn(p, ",");
        if (length == 0)
            return bad_value(failure, spec, text, "a list of whole numbers joined by commas");
        TRY(read_count(spec, p, length, &value[counts->count], failure));
        counts->count++;
        if (p[length] == '\0')
            return 0;
        p += length + 1;
    }
}

static int read_octaves(const struct option_spec *spec, const char *text, struct option_octaves *octaves,
                        struct failure *failure)
{
    static const char wanted[] =
        "seven numbers joined by commas, for 125, 250, 500, 1000, 2000, 4000 and 8000 Hz";
    const char *p = text;
    for (int i = 0; i < OPTION_OCTAVES_COUNT; i++) {
        const char *number = p;
        if (!read_number(p, &octaves->value[i], &p) || *p != (i + 1 < OPTION_OCTAVES_COUNT ? ',' : '\0'))
            return bad_value(failure, spec, text, wanted);
        char copy[32];
        snprintf(copy, sizeof copy, "%.*s", (int)(p - number), number);
        TRY(check_limits(spec, copy, octaves->value[i], failure));
        p++;
    }
    octaves->given = true;
    return 0;
}

/* ---- words, names, positions, texts ---- */

static int read_word(const struct option_spec *spec, const char *text, void *base, struct failure *failure)
{
    int *const value = (int *)((char *)base + spec->at);
    for (int i = 0; spec->words[i] != NULL; i++)
        if (strcmp(spec->words[i], text) == 0) {
            *value = i;
            return 0;
        }
    char list[200] = "";
    for (int i = 0; spec->words[i] != NULL; i++)
        text_append(list, sizeof list, "%s%s", i > 0 ? ", " : "", spec->words[i]);
    return failure_set(failure, FAILURE_INPUT, "--%s %s is not one of: %s", spec->name, text, list);
}

bool option_name_is_valid(const char *name)
{
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        const unsigned char c = (unsigned char)name[length];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-')
            return false;
    }
    return length > 0 && length < OPTION_NAME_MAX;
}

static int bad_name(struct failure *failure, const struct option_spec *spec, const char *text)
{
    return failure_set(
        failure, FAILURE_INPUT,
        "--%s %.300s: a name is 1 to %d letters, digits, _ or -, because it goes into file names", spec->name,
        text, OPTION_NAME_MAX - 1);
}

#define COORDINATE_MAX 1e6 /* [m], as mesh_check() has it */
#define PLACE          "three coordinates x,y,z in metres, joined by commas"

/* x,y,z; `*rest` is the text after the third number. */
static int read_point(const struct option_spec *spec, const char *text, double position[3], const char **rest,
                      struct failure *failure)
{
    const char *p = text;
    for (int axis = 0; axis < 3; axis++) {
        if ((axis > 0 && *p++ != ',') || !read_number(p, &position[axis], &p))
            return bad_value(failure, spec, text, PLACE);
        if (fabs(position[axis]) > COORDINATE_MAX)
            return failure_set(failure, FAILURE_INPUT,
                               "--%s %s has a coordinate of %g m: it must lie between -%g and %g m",
                               spec->name, text, position[axis], COORDINATE_MAX, COORDINATE_MAX);
    }
    *rest = p;
    return 0;
}

static int read_place(const struct option_spec *spec, const char *text, struct option_places *places,
                      struct failure *failure)
{
    struct option_place place = {0};
    const char *rest = text;
    double number = 0;
    place.of_model = strchr(text, ',') == NULL && option_name_is_valid(text) &&
                     !(read_number(text, &number, &rest) && *rest == '\0');
    if (place.of_model) {
        memcpy(place.name, text, strlen(text) + 1);
        rest = "";
    } else {
        rest = text;
        TRY(read_point(spec, text, place.position, &rest, failure));
    }
    if (*rest == ',') {
        if (!option_name_is_valid(rest + 1))
            return bad_name(failure, spec, text);
        memcpy(place.name, rest + 1, strlen(rest + 1) + 1);
    } else if (*rest != '\0') {
        return bad_value(failure, spec, text, "three coordinates x,y,z in metres and perhaps a name");
    }
    struct option_place *grown = realloc(places->place, (places->count + 1) * sizeof place);
    if (grown == NULL)
        return failure_memory(failure, (places->count + 1) * sizeof place, "a list of positions");
    places->place = grown;
    grown[places->count++] = place;
    return 0;
}

/* x,y,z;x,y,z;.. up to the end. A last corner equal to the first is dropped: the polygon is closed anyway. */
static int read_corners(const struct option_spec *spec, const char *text, const char *list,
                        struct option_grid *grid, struct failure *failure)
{
    size_t most = 1;
    for (const char *p = list; *p != '\0'; p++)
        most += *p == ';';
    grid->corner = calloc(most, sizeof *grid->corner);
    if (grid->corner == NULL)
        return failure_memory(failure, most * sizeof *grid->corner, "the corners of a polygon");
    for (const char *p = list;;) {
        struct failure inner = {0};
        if (read_point(spec, p, grid->corner[grid->corners], &p, &inner) != 0 || (*p != ';' && *p != '\0'))
            return failure_set(failure, FAILURE_INPUT,
                               "--%s %.300s: corner %zu is not x,y,z in metres, between -%g and %g, or is "
                               "not followed by `;`",
                               spec->name, text, grid->corners + 1, COORDINATE_MAX, COORDINATE_MAX);
        grid->corners++;
        if (*p++ == '\0')
            break;
    }
    if (grid->corners > 1 &&
        memcmp(grid->corner[0], grid->corner[grid->corners - 1], sizeof *grid->corner) == 0)
        grid->corners--;
    return 0;
}

/* True if the text after the name is a polygon. A material may have any name but a list of places. */
static bool is_polygon(const char *text)
{
    double number = 0;
    return strchr(text, ';') != NULL || (read_number(text, &number, &text) && *text == ',');
}

static int read_grid(const struct option_spec *spec, const char *text, struct option_grids *grids,
                     struct failure *failure)
{
    struct option_grid grid = {0};
    const size_t length = strcspn(text, "=");
    const bool audience = strcmp(text, "audience") == 0, none = strcmp(text, "none") == 0;
    if (none || grids->none) {
        grids->none = true;
        return grids->count == 0 && none
                   ? 0
                   : failure_set(failure, FAILURE_INPUT, "--%s none excludes all others: leave them out",
                                 spec->name);
    }
    if (!audience && (text[length] == '\0' || text[length + 1] == '\0'))
        return bad_value(failure, spec, text, "audience, NAME=MATERIAL, NAME=x,y,z;x,y,z;x,y,z.. or none");
    if (length < sizeof grid.name)
        memcpy(grid.name, text, length);
    if (!option_name_is_valid(grid.name))
        return bad_name(failure, spec, text);
    struct option_grid *grown = realloc(grids->grid, (grids->count + 1) * sizeof grid);
    if (grown == NULL)
        return failure_memory(failure, (grids->count + 1) * sizeof grid, "a list of receiver grids");
    grids->grid = grown;
    grown[grids->count++] = grid;
    if (audience)
        return 0;
    if (is_polygon(text + length + 1))
        return read_corners(spec, text, text + length + 1, &grown[grids->count - 1], failure);
    grown[grids->count - 1].material = text + length + 1;
    return 0;
}

int option_text_add(const char *text, struct option_texts *texts, struct failure *failure)
{
    const char **grown = realloc(texts->text, (texts->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (texts->count + 1) * sizeof *grown, "a list of options");
    texts->text = grown;
    grown[texts->count++] = text;
    return 0;
}

int option_text_add_at(const char *text, const char *file, size_t line, struct option_texts *texts,
                       struct failure *failure)
{
    size_t *const grown = realloc(texts->line, (texts->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (texts->count + 1) * sizeof *grown, "a list of options");
    texts->line = grown;
    texts->file = file;
    grown[texts->count] = line;
    return option_text_add(text, texts, failure);
}

void option_texts_free(struct option_texts *texts)
{
    free(texts->text);
    free(texts->line);
    *texts = (struct option_texts){0};
}

int option_text_refuse(const struct option_texts *texts, size_t index, const struct failure *why,
                       struct failure *failure)
{
    if (why->code != FAILURE_INPUT)
        return failure_forward(failure, why);
    const int code = failure_wrap(failure, why, "%s%s%s%.300s: ", texts->option != NULL ? "--" : "",
                                  texts->option != NULL ? texts->option : "",
                                  texts->option != NULL ? " " : "", texts->text[index]);
    char name[80];
    (void)snprintf(name, sizeof name, "--%s", texts->option != NULL ? texts->option : "");
    if (texts->option != NULL)
        return failure_about(code, failure, SUBJECT_OPTION, name);
    return texts->line != NULL ? failure_at(code, failure, texts->file, texts->line[index]) : code;
}

/* What an empty text is not. */
static const char *what_text(const char *value)
{
    return strcmp(value, "TEXT") == 0         ? "a text"
           : strncmp(value, "NAME", 4) == 0   ? "a name"
           : strncmp(value, "X,Y,Z;", 6) == 0 ? "a walk: give places x,y,z;x,y,z;.. in metres"
                                              : "a file or folder";
}

/* ---- by kind ---- */

int option_read_value(const struct option_spec *spec, const char *text, void *base, struct failure *failure)
{
    void *at = (char *)base + spec->at;
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        return 0;
    case OPTION_NUMBER:
    case OPTION_FREQUENCY:
    case OPTION_LENGTH:
    case OPTION_TIME:
        return read_quantity(spec, text, base, failure);
    case OPTION_COUNT:
        return read_count(spec, text, strlen(text), at, failure);
    case OPTION_COUNTS:
        return read_counts(spec, text, at, failure);
    case OPTION_WORD:
        return read_word(spec, text, base, failure);
    case OPTION_TEXT:
        if (text[0] == '\0')
            return bad_value(failure, spec, text, what_text(spec->value));
        *(const char **)at = text;
        return 0;
    case OPTION_TEXTS:
        ((struct option_texts *)at)->option = spec->name;
        return option_text_add(text, at, failure);
    case OPTION_OCTAVES:
        return read_octaves(spec, text, at, failure);
    case OPTION_POINT: {
        struct option_point *point = at;
        const char *rest = text;
        TRY(read_point(spec, text, point->position, &rest, failure));
        if (*rest != '\0')
            return bad_value(failure, spec, text, PLACE);
        point->given = true;
        return 0;
    }
    case OPTION_PLACES:
        return read_place(spec, text, at, failure);
    case OPTION_GRIDS:
        return read_grid(spec, text, at, failure);
    }
    return 0;
}
