#include "src/base/options/film_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/sorted_doubles.h"
#include "src/base/options/option_values.h"

#define LATEST     9.9  /* four digits of milliseconds in file names [s] */
#define EVERY_AUTO 1e-3 /* [s] */

static const char *const file_words[] = {"png", "vtkhdf", "both", NULL};
static const char *const scale_words[] = {"db", "linear", NULL};

static const struct option_spec film_option_table[] = {
    {.name = "slice",
     .kind = OPTION_TEXTS,
     .value = "AXIS=LENGTH",
     .at = offsetof(struct film_options, slice),
     .group = "Pictures",
     .help =
         "a plane to draw: z=1.2 is horizontal, at a height of 1.2 m; x=.. and y=.. are vertical; repeatable "
         "(default, unless --field is given: z=.. at the height of the source, or y=.. through the first "
         "drum)"},
    {.name = "every",
     .kind = OPTION_TIME,
     .may_be_auto = true,
     .above_low = true,
     .low = 0,
     .high = LATEST,
     .value = "TIME|auto",
     .standard = "auto",
     .at = offsetof(struct film_options, every),
     .help = "time between pictures of a slice; auto: 1 ms, or a step of the run if that is longer"},
    {.name = "from",
     .kind = OPTION_TIME,
     .low = 0,
     .high = LATEST,
     .value = "TIME",
     .standard = "0s",
     .at = offsetof(struct film_options, from),
     .help = "time of the first picture of a slice; at 0 the crest of the pulse leaves the source"},
    {.name = "until",
     .kind = OPTION_TIME,
     .low = 0,
     .high = LATEST,
     .value = "TIME",
     .standard = "100ms",
     .at = offsetof(struct film_options, until),
     .help = "time of the last picture"},
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
     .help = "file formats of a slice"},
    {.name = "scale",
     .kind = OPTION_WORD,
     .value = "WORD",
     .standard = "db",
     .words = scale_words,
     .at = offsetof(struct film_options, scale),
     .help = "colour scale of all pictures; db: 40 dB from white to full colour, for either sign; linear: "
             "proportional to the pressure"},
    {.name = "full",
     .kind = OPTION_NUMBER,
     .above_low = true,
     .low = 0,
     .high = 1000,
     .value = "X",
     .standard = "0.3",
     .at = offsetof(struct film_options, full),
     .help = "pressure with full colour; the crest of the pulse in free field is 1 at 1 m, and 0.1 at 10 m; "
             "of drums in Pa"},
    {.name = "plain",
     .kind = OPTION_FLAG,
     .at = offsetof(struct film_options, plain),
     .help = "pictures without the strip below that shows time, plane, scale bar and colours"},
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
    option_texts_free(&own->slice);
    free(own->slice_time);
    free(own->field_time);
    *own = (struct film_options){0};
}

static int read_slices(struct film_options *own, struct failure *failure)
{
    static const struct option_spec length = {.name = "slice", .kind = OPTION_LENGTH};
    if (own->slice.count > FILM_SLICES_MAX)
        return failure_set(failure, FAILURE_INPUT, "--slice: a film has at most %d slices", FILM_SLICES_MAX);
    for (size_t s = 0; s < own->slice.count; s++) {
        const char *text = own->slice.text[s], *letter = text[0] != '\0' ? strchr("xyz", text[0]) : NULL;
        struct failure inner = {0};
        if (letter == NULL || text[1] != '=' ||
            option_read_value(&length, text + 2, &own->plane[s].position, &inner) != 0)
            return failure_set(failure, FAILURE_INPUT,
                               "--slice %s is not x, y or z, an equals sign and a length (z=1.2, y=650cm)",
                               text);
        own->plane[s].axis = *letter - 'x';
    }
    return 0;
}

static int make_times(double **time, size_t count, struct failure *failure)
{
    *time = malloc(count * sizeof **time);
    return *time != NULL ? 0 : failure_memory(failure, count * sizeof **time, "the times of a film");
}

static int read_slice_times(struct film_options *own, struct failure *failure)
{
    if (own->slice.count == 0 && own->field != NULL)
        return 0;
    if (!(own->until >= own->from))
        return failure_set(failure, FAILURE_INPUT, "--until %.6g s is before --from %.6g s", own->until,
                           own->from);
    const double every = own->every > 0.0 ? own->every : EVERY_AUTO;
    const double pictures = floor((own->until - own->from) / every * (1.0 + 1e-9)) + 1.0;
    if (!(pictures <= FILM_TIMES_MAX))
        return failure_set(
            failure, FAILURE_INPUT,
            "--every %.6g s from %.6g to %.6g s is %.0f pictures of a slice, and the limit is %d: give a "
            "longer --every or an earlier --until",
            every, own->from, own->until, pictures, FILM_TIMES_MAX);
    TRY(make_times(&own->slice_time, (size_t)pictures, failure));
    own->slice_times = (size_t)pictures;
    for (size_t i = 0; i < own->slice_times; i++)
        own->slice_time[i] = own->from + (double)i * every;
    return 0;
}

static int read_field_times(struct film_options *own, struct failure *failure)
{
    static const struct option_spec moment = {.name = "field", .kind = OPTION_TIME, .low = 0, .high = LATEST};
    if (own->field != NULL)
        TRY(make_times(&own->field_time, FILM_TIMES_MAX, failure));
    for (const char *at = own->field; at != NULL;) {
        char piece[64];
        const size_t length = strcspn(at, ",");
        if (length >= sizeof piece || own->field_times == FILM_TIMES_MAX)
            return failure_set(failure, FAILURE_INPUT,
                               "--field takes at most %d times joined by commas (10ms,20ms)", FILM_TIMES_MAX);
        memcpy(piece, at, length);
        piece[length] = '\0';
        TRY(option_read_value(&moment, piece, &own->field_time[own->field_times++], failure));
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    if (own->field_times > 0)
        sort_doubles(own->field_time, own->field_times);
    for (size_t i = 1; i < own->field_times; i++)
        if (own->field_time[i] == own->field_time[i - 1])
            return failure_set(failure, FAILURE_INPUT, "--field names %.6g s twice", own->field_time[i]);
    return 0;
}

int film_options_read(struct film_options *own, struct failure *failure)
{
    TRY(read_field_times(own, failure));
    TRY(read_slice_times(own, failure));
    return read_slices(own, failure);
}
