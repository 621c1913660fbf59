#include "src/film/film_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/draw/picture_paint.h"
#include "src/options/option_values.h"

#define LATEST 9.9 /* four digits of milliseconds in file names [s] */

static const char *const file_words[] = {"png", "vtkhdf", "both", NULL};
static const char *const scale_words[] = {"db", "linear", NULL};

static const struct option_spec film_option_table[] = {
    {.name = "slice",
     .kind = OPTION_TEXTS,
     .value = "AXIS=LENGTH",
     .at = offsetof(struct film_options, slice),
     .group = "Pictures",
     .help =
         "a plane to look at: z=1.2 is level, 1.2 m high; x=.. and y=.. are upright; repeatable (default, "
         "unless --field is given: z= the height of the source)"},
    {.name = "every",
     .kind = OPTION_TIME,
     .above_low = true,
     .low = 0,
     .high = LATEST,
     .value = "TIME",
     .standard = "1ms",
     .at = offsetof(struct film_options, every),
     .help = "from one picture of a slice to the next"},
    {.name = "from",
     .kind = OPTION_TIME,
     .low = 0,
     .high = LATEST,
     .value = "TIME",
     .standard = "0s",
     .at = offsetof(struct film_options, from),
     .help = "the first picture of a slice, counted from when the crest of the pulse leaves the source"},
    {.name = "until",
     .kind = OPTION_TIME,
     .low = 0,
     .high = LATEST,
     .value = "TIME",
     .standard = "100ms",
     .at = offsetof(struct film_options, until),
     .help = "the last one"},
    {.name = "field",
     .kind = OPTION_TEXT,
     .value = "TIME[,TIME..]",
     .at = offsetof(struct film_options, field),
     .help = "times at which the whole field is written as VTKHDF, for ParaView: 10ms,20ms,40ms"},
    {.name = "files",
     .kind = OPTION_WORD,
     .value = "WORD",
     .standard = "png",
     .words = file_words,
     .at = offsetof(struct film_options, files),
     .help = "what a slice is written as"},
    {.name = "scale",
     .kind = OPTION_WORD,
     .value = "WORD",
     .standard = "db",
     .words = scale_words,
     .at = offsetof(struct film_options, scale),
     .help = "of the colours; db: 40 dB from white to full colour on either side; the same in all pictures"},
    {.name = "full",
     .kind = OPTION_NUMBER,
     .above_low = true,
     .low = 0,
     .high = 1000,
     .value = "X",
     .standard = "0.3",
     .at = offsetof(struct film_options, full),
     .help = "pressure that is painted in full colour; 1 is the crest of the pulse at 1 m in free field, 0.1 "
             "at 10 m"},
};
#define OWN_OPTIONS (sizeof film_option_table / sizeof *film_option_table)

struct option_set film_option_set(struct film_options *own)
{
    return (struct option_set){.count = OWN_OPTIONS, .spec = film_option_table, .base = own};
}

int film_options_default(struct film_options *own, struct failure *failure)
{
    *own = (struct film_options){0};
    for (size_t i = 0; i < OWN_OPTIONS; i++)
        if (film_option_table[i].standard != NULL)
            TRY(option_read_value(&film_option_table[i], film_option_table[i].standard, own, failure));
    return 0;
}

void film_options_free(struct film_options *own)
{
    free(own->slice.text);
    *own = (struct film_options){0};
}

int film_read_slice(const char *text, int *axis, double *position, struct failure *failure)
{
    static const struct option_spec length = {.name = "slice", .kind = OPTION_LENGTH};
    const char *const letter = text[0] != '\0' ? strchr("xyz", text[0]) : NULL;
    struct failure inner = {0};
    if (letter == NULL || text[1] != '=' || option_read_value(&length, text + 2, position, &inner) != 0)
        return failure_set(failure, FAILURE_INPUT,
                           "--slice %s is not x, y or z, an equals sign and a length (z=1.2, y=650cm)", text);
    *axis = *letter - 'x';
    return 0;
}

int film_slice_times(const struct film_options *own, double *time, size_t *count, struct failure *failure)
{
    if (!(own->until >= own->from))
        return failure_set(failure, FAILURE_INPUT, "--until %.6g s is before --from %.6g s", own->until,
                           own->from);
    const double pictures = floor((own->until - own->from) / own->every * (1.0 + 1e-9)) + 1.0;
    if (!(pictures <= FILM_TIMES_MAX))
        return failure_set(
            failure, FAILURE_INPUT,
            "--every %.6g s from %.6g to %.6g s is %.0f pictures of a slice, and the limit is %d: "
            "give a longer --every or an earlier --until",
            own->every, own->from, own->until, pictures, FILM_TIMES_MAX);
    *count = (size_t)pictures;
    for (size_t i = 0; i < *count; i++)
        time[i] = own->from + (double)i * own->every;
    return 0;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int film_field_times(const struct film_options *own, double *time, size_t *count, struct failure *failure)
{
    static const struct option_spec moment = {.name = "field", .kind = OPTION_TIME, .low = 0, .high = LATEST};
    *count = 0;
    for (const char *at = own->field; at != NULL;) {
        char piece[64];
        const size_t length = strcspn(at, ",");
        if (length >= sizeof piece || *count == FILM_TIMES_MAX)
            return failure_set(failure, FAILURE_INPUT,
                               "--field takes at most %d times joined by commas (10ms,20ms)", FILM_TIMES_MAX);
        memcpy(piece, at, length);
        piece[length] = '\0';
        TRY(option_read_value(&moment, piece, &time[*count], failure));
        (*count)++;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    qsort(time, *count, sizeof *time, rising);
    for (size_t i = 1; i < *count; i++)
        if (time[i] == time[i - 1])
            return failure_set(failure, FAILURE_INPUT, "--field names %.6g s twice", time[i]);
    return 0;
}
