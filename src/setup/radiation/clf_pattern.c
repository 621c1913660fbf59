#include "src/setup/radiation/clf_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/regular_file.h"
#include "rooms/text/table_text.h"

#define PI 3.14159265358979323846

#define ARCS_MOST   72
#define POINTS_MOST 37 /* of an arc */
#define CELLS_MOST  64 /* of a line; more are not read */
#define BANDS_MOST  64

/* Arcs that are given, of `arcs` all around. */
enum symmetry { SYMMETRY_NONE, SYMMETRY_HORIZONTAL, SYMMETRY_FULL, SYMMETRY_ROTATIONAL, SYMMETRIES };
static const char *const symmetry_word[SYMMETRIES] = {"<none>", "<horizontal>", "<full>", "<rotational>"};

struct reading {
    const char *path; /* for sentences */
    size_t line;
    int type; /* of CLF: 1 or 2; 0: not known yet */
    size_t arcs, points;
    enum symmetry symmetry;
    bool reversed, in_band;
    size_t bands, rows;                 /* rows of the last band */
    double frequency[BANDS_MOST], last; /* last: the band that ends it, <MAXBAND>; 0: none is named [Hz] */
    size_t begun[BANDS_MOST], given[BANDS_MOST]; /* line of each band, and its arcs */
    double (*level)[ARCS_MOST][POINTS_MOST];     /* (BANDS_MOST) owned [dB] */
};

#define REFUSE(reading, ...)                                                                                 \
    failure_at(failure_set(failure, FAILURE_INPUT, __VA_ARGS__), failure, (reading)->path, (reading)->line)

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Split a line in place at its tabs, to its end or a comment; empty cells at its end do not count. */
static size_t split_line(char *text, char *cell[CELLS_MOST])
{
    size_t count = 0, filled = 0;
    for (char *rest = text; rest != NULL && count < CELLS_MOST;) {
        const char *from = rest;
        char *const tab = strchr(rest, '\t');
        size_t length = tab != NULL ? (size_t)(tab - rest) : strlen(rest);
        text_trim(&from, &length);
        if (length > 0 && *from == '#')
            break;
        cell[count] = rest + (from - rest);
        cell[count++][length] = '\0';
        filled = length > 0 ? count : filled;
        rest = tab != NULL ? tab + 1 : NULL;
    }
    return filled;
}

static bool is_word(const char *text, const char *word)
{
    return text != NULL && strcasecmp(text, word) == 0;
}

/* A number with a point or a comma. */
static bool read_number(char *text, double *value)
{
    char *const comma = strchr(text, ',');
    if (comma != NULL)
        *comma = '.';
    return text_number(text, strlen(text), value) && isfinite(*value);
}

static size_t arcs_of(const struct reading *reading)
{
    return reading->symmetry == SYMMETRY_ROTATIONAL ? 1
           : reading->symmetry == SYMMETRY_NONE
               ? reading->arcs
               : reading->arcs / (reading->symmetry == SYMMETRY_FULL ? 4 : 2) + 1;
}

static int end_band(struct reading *reading, struct failure *failure)
{
    if (reading->bands == 0)
        return 0;
    const size_t band = reading->bands - 1, rows = reading->rows;
    double(*const level)[POINTS_MOST] = reading->level[band];
    reading->in_band = false;
    reading->given[band] = rows;
    reading->line = reading->begun[band];
    if (rows != reading->arcs && rows != arcs_of(reading))
        return REFUSE(reading, "the band of %g Hz has %zu arcs; with the symmetry %s there are %zu",
                      reading->frequency[band], rows, symmetry_word[reading->symmetry], arcs_of(reading));
    for (size_t a = 1; a < rows; a++)
        if (!(fabs(level[a][0] - level[0][0]) <= CLF_AXIS_WITHIN &&
              fabs(level[a][reading->points - 1] - level[0][reading->points - 1]) <= CLF_AXIS_WITHIN))
            return REFUSE(
                reading,
                "at %g Hz arcs 1 and %zu differ by more than %g dB on the axis or behind, where all "
                "meet: each line is an arc from 0 to 180 degrees",
                reading->frequency[band], a + 1, CLF_AXIS_WITHIN);
    return 0;
}

static int begin_band(struct reading *reading, char *text, struct failure *failure)
{
    double frequency = 0.0;
    if (text == NULL || !read_number(text, &frequency) || !(frequency > 0.0))
        return REFUSE(reading, "expected <BAND> and its frequency in Hz");
    if (reading->bands > 0 && !(frequency > reading->frequency[reading->bands - 1]))
        return REFUSE(reading, "the band of %g Hz follows that of %g Hz; bands rise", frequency,
                      reading->frequency[reading->bands - 1]);
    if (reading->bands == BANDS_MOST)
        return REFUSE(reading, "there are more than %d bands", BANDS_MOST);
    reading->begun[reading->bands] = reading->line;
    reading->frequency[reading->bands++] = frequency;
    reading->rows = 0;
    reading->in_band = true;
    return 0;
}

static int read_arc(struct reading *reading, size_t cells, char *const cell[], struct failure *failure)
{
    const size_t band = reading->bands - 1;
    if (reading->rows == reading->arcs)
        return REFUSE(reading, "the band of %g Hz has more than %zu arcs", reading->frequency[band],
                      reading->arcs);
    if (cells != reading->points)
        return REFUSE(reading, "the arc has %zu levels; CLF%d has %zu, from 0 to 180 degrees", cells,
                      reading->type, reading->points);
    for (size_t p = 0; p < cells; p++) {
        double *const level = &reading->level[band][reading->rows][p];
        if (!read_number(cell[p], level) || !(fabs(*level) <= CLF_LEVEL_MOST))
            return REFUSE(reading, "\"%.40s\" is not a level from %g to %g dB", cell[p], -CLF_LEVEL_MOST,
                          CLF_LEVEL_MOST);
    }
    reading->rows++;
    return 0;
}

/* A line of a tag; `value` is NULL without one. */
static int read_tag(struct reading *reading, const char *tag, char *value, struct failure *failure)
{
    double number = 0.0;
    if (is_word(tag, "<BAND>"))
        return begin_band(reading, value, failure);
    if (value == NULL)
        return 0;
    if (is_word(tag, "<VERSION>") && (!read_number(value, &number) || number != 1.0))
        return REFUSE(reading, "its version is %.40s; version 1 of CLF is taken, which has no phases", value);
    if (is_word(tag, "<MAXBAND>") && (!read_number(value, &reading->last) || !(reading->last > 0.0)))
        return REFUSE(reading, "its last band is %.40s, which is not a frequency in Hz", value);
    if (is_word(tag, "<RADIATION>") && !is_word(value, "<fullsphere>"))
        return REFUSE(reading, "it was measured over %.40s; a source has data all around it, <fullsphere>",
                      value);
    if (is_word(tag, "<SIGN>") && !is_word(value, "<actual>"))
        return REFUSE(reading, "the sign of its levels is %.40s; <actual> is taken", value);
    if (is_word(tag, "<ROTATE>") && (!read_number(value, &number) || number != 0.0))
        return REFUSE(reading, "its arcs are rotated by %.40s; they must begin at the top", value);
    if (is_word(tag, "<BALLOON-ARC-ORDER>")) {
        reading->reversed = is_word(value, "<reversed>");
        if (!reading->reversed && !is_word(value, "<default>"))
            return REFUSE(reading, "the order of arcs is %.40s; <default> or <reversed> is taken", value);
    }
    if (is_word(tag, "<BALLOON-SYMMETRY>")) {
        reading->symmetry = SYMMETRY_NONE;
        while (reading->symmetry < SYMMETRIES && !is_word(value, symmetry_word[reading->symmetry]))
            reading->symmetry++;
        if (reading->symmetry == SYMMETRIES)
            return REFUSE(reading,
                          "its symmetry is %.40s; <none>, <horizontal>, <full> and <rotational> are taken",
                          value);
    }
    return 0;
}

static int read_line(struct reading *reading, char *text, struct failure *failure)
{
    char *cell[CELLS_MOST];
    const size_t cells = split_line(text, cell);
    if (cells == 0)
        return 0;
    if (reading->type == 0) {
        reading->type = is_word(cell[0], "<CLF1>") ? 1 : 2;
        if (reading->type == 2 && !is_word(cell[0], "<CLF2>"))
            return REFUSE(reading, "is not a text of CLF, which begins with <CLF1> or <CLF2>");
        reading->arcs = reading->type == 1 ? 36 : 72;
        reading->points = reading->arcs / 2 + 1;
        return 0;
    }
    if (cell[0][0] != '<' || is_word(cell[0], "<nodata>"))
        return reading->in_band ? read_arc(reading, cells, cell, failure) : 0;
    if (reading->in_band)
        TRY(end_band(reading, failure));
    /* A line may have several tags: <BALLOON-REF> <relative> <SIGN> <actual>. */
    for (size_t c = 0; c < cells; c += 2)
        TRY(read_tag(reading, cell[c], c + 1 < cells ? cell[c + 1] : NULL, failure));
    return 0;
}

/* ---- from arcs to a pattern ---------------------------------------------------------------------------- */

/* The number of the given arc that stands for arc `a`, counted over the left, of all around. */
static size_t find_arc(const struct reading *reading, size_t band, size_t a)
{
    const size_t all = reading->arcs, given = reading->given[band];
    if (given == all)
        return reading->reversed ? (all - a) % all : a;
    const size_t right = a > all / 2 ? all - a : a; /* left as right */
    return given == 1 ? 0 : right < given ? right : all / 2 - right;
}

static int fit_bands(const struct reading *reading, struct pattern *out, struct failure *failure)
{
    enum { MOST = ARCS_MOST * POINTS_MOST };
    const size_t arcs = reading->arcs, points = reading->points, count = arcs * points;
    struct {
        double direction[MOST][3], weight[MOST];
        double complex value[MOST];
    } *const sphere = malloc(sizeof *sphere);
    if (sphere == NULL)
        return failure_memory(failure, sizeof *sphere, reading->path);
    int code = pattern_allocate(reading->bands, out, failure);
    for (size_t b = reading->bands; code == 0 && b-- > 0;) {
        double(*const level)[POINTS_MOST] = reading->level[b];
        for (size_t n = 0; n < count; n++) {
            const double step = PI / (double)(points - 1), angle = (double)(n % points) * step,
                         around = 2.0 * PI * (double)(n / points) / (double)arcs;
            sphere->direction[n][0] = cos(angle);
            sphere->direction[n][1] = sin(angle) * sin(around);
            sphere->direction[n][2] = sin(angle) * cos(around);
            sphere->weight[n] = cos(fmax(angle - step / 2, 0.0)) - cos(fmin(angle + step / 2, PI));
            sphere->value[n] =
                pow(10.0, (level[find_arc(reading, b, n / points)][n % points] - level[0][0]) / 20.0);
        }
        out->frequency[b] = reading->frequency[b];
        if (!pattern_fit(count, (const double(*)[3])sphere->direction, sphere->weight, sphere->value, 0,
                         out->harmonic[b]))
            out->carried = reading->frequency[b];
    }
    free(sphere);
    return code;
}

static int read_lines(struct reading *reading, char *text, struct failure *failure)
{
    for (char *rest = text; rest != NULL;) {
        char *const end = strchr(rest, '\n'), *const line = rest;
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        reading->line++;
        TRY(read_line(reading, line, failure));
    }
    if (reading->in_band)
        TRY(end_band(reading, failure));
    reading->line = 0;
    if (reading->bands == 0)
        return REFUSE(reading, "has no <BAND>: it is not a text of CLF, or was cut off");
    if (reading->frequency[reading->bands - 1] < reading->last)
        return REFUSE(reading, "ends with the band of %g Hz, though its last band is that of %g Hz",
                      reading->frequency[reading->bands - 1], reading->last);
    return 0;
}

int clf_pattern_read(const char *path, struct pattern *out, struct failure *failure)
{
    static const char binary[] = "\xBD\x0A";
    struct reading reading = {.path = path};
    char *text;
    size_t length;
    TRY(regular_file_read(path, CLF_BYTES_MAX, &text, &length, failure));
    reading.level = malloc(BANDS_MOST * sizeof *reading.level);
    int code = 0;
    if (reading.level == NULL)
        code = failure_memory(failure, BANDS_MOST * sizeof *reading.level, path);
    else if (length > 4 && (text[0] == 0x40 || text[0] == 0x41) && memcmp(text + 1, binary, 3) == 0)
        code = REFUSE(&reading,
                      "is the encoded form of CLF (CF1, CF2), which is not published: ask its maker for the "
                      "CLF text (.tab) that it was made from, or for a SOFA file");
    else if (strlen(text) < length)
        code = REFUSE(&reading, "is not a text");
    else
        code = read_lines(&reading, text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0), failure);
    if (code == 0)
        code = fit_bands(&reading, out, failure);
    free(reading.level);
    free(text);
    return code;
}
