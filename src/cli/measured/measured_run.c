#include "src/cli/measured/measured_run.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/base/path_text.h"
#include "src/cli/compared_response.h"
#include "src/run_folder/figure_record.h"

#define NINE_OF_TEN 1.645 /* standard deviations */
#define DECAYS      10.0  /* averaged ones that the decay of an impulse response is worth (ISO 3382-2) */
#define NAMES_MAX   600

/* ---- arguments ---- */

static bool is_table(const char *path)
{
    return path_ends_with(path, ".csv") || path_ends_with(path, ".CSV");
}

/* The `=` behind a file; NULL without one. */
static const char *pairing_of(const char *subject)
{
    const char *at = strrchr(subject, '=');
    char *path = at != NULL ? strndup(subject, (size_t)(at - subject)) : NULL;
    const bool is = path != NULL && (compared_is_response(path) || is_table(path));
    free(path);
    return is ? at : NULL;
}

bool measured_is_file(const char *subject)
{
    return compared_is_response(subject) || is_table(subject) || pairing_of(subject) != NULL;
}

static bool is_boundary(char c)
{
    return !isalnum((unsigned char)c);
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); length > 0 && at != NULL; at = strstr(at + 1, word))
        if ((at == text || is_boundary(at[-1])) && is_boundary(at[length]))
            return true;
    return false;
}

static void list_pairs(const struct run_model *run, char text[NAMES_MAX])
{
    text[0] = '\0';
    for (size_t r = 0; r < run->responses.count; r++)
        text_append(text, NAMES_MAX, "%s%s,%s", r > 0 ? " " : "", run->responses.item[r].source,
                    run->responses.item[r].receiver);
}

static bool has_one_source(const struct run_model *run)
{
    for (size_t r = 1; r < run->responses.count; r++)
        if (strcmp(run->responses.item[r].source, run->responses.item[0].source) != 0)
            return false;
    return true;
}

/* ---- pairing ---- */

/* The longest names win: `front_left` is no `left`. */
static int pair_by_words(const struct run_model *run, const char *path, const struct record_response **out,
                         struct failure *failure)
{
    const char *name = path_name(path);
    const bool alone = has_one_source(run);
    size_t best = 0, equal = 0;
    *out = NULL;
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        if (!has_word(name, response->receiver) || (!alone && !has_word(name, response->source)))
            continue;
        const size_t score = strlen(response->receiver) + (alone ? 0 : strlen(response->source));
        equal = score > best ? 1 : equal + (score == best);
        if (score > best) {
            best = score;
            *out = response;
        }
    }
    if (equal == 1)
        return 0;
    char names[NAMES_MAX];
    list_pairs(run, names);
    return failure_fix(failure_set(failure, FAILURE_INPUT,
                                   "%s: its name has the names of %s source and receiver of the run: %s",
                                   path, *out == NULL ? "no" : "more than one", names),
                       failure, "say which it is, like %s=%s,%s", path, run->responses.item[0].source,
                       run->responses.item[0].receiver);
}

static const struct record_response *find_response(const struct run_model *run, const char *source,
                                                   size_t length, const char *receiver)
{
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        if ((source == NULL ||
             (strlen(response->source) == length && strncmp(response->source, source, length) == 0)) &&
            strcmp(response->receiver, receiver) == 0)
            return response;
    }
    return NULL;
}

static bool read_position(const char *text, double position[3])
{
    char *end = (char *)text;
    for (int axis = 0; axis < 3; axis++) {
        const char *from = axis == 0 ? text : end + 1;
        position[axis] = strtod(from, &end);
        if (end == from || *end != (axis < 2 ? ',' : '\0') || !isfinite(position[axis]))
            return false;
    }
    return true;
}

static int pair_by_position(const struct run_model *run, const char *path, const double position[3],
                            const char *source, size_t length, struct measured_file *out,
                            struct failure *failure)
{
    const struct record_point *nearest = NULL;
    out->distance = INFINITY;
    for (size_t p = 0; p < run->points.receivers.count; p++) {
        const struct record_point *point = &run->points.receivers.item[p];
        const double distance = vector_distance(point->position, position);
        if (distance < out->distance) {
            nearest = point;
            out->distance = distance;
        }
    }
    if (nearest == NULL || !(out->distance <= MEASURED_NEAR))
        return failure_set(
            failure, FAILURE_INPUT,
            "%s: the receiver nearest to %g, %g, %g m is %s, %.3g m away; at most %g m are one place", path,
            position[0], position[1], position[2], nearest != NULL ? nearest->name : "none", out->distance,
            MEASURED_NEAR);
    out->response = find_response(run, source, length, nearest->name);
    if (out->response == NULL || (source == NULL && !has_one_source(run)))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: the run has %s source for receiver %s: give its name before the position",
                           path, out->response == NULL ? "no such" : "more than one", nearest->name);
    return 0;
}

static int find_pair(const struct run_model *run, const char *subject, struct measured_file *out,
                     struct failure *failure)
{
    const char *at = pairing_of(subject);
    out->distance = NAN;
    out->path = at != NULL ? strndup(subject, (size_t)(at - subject)) : strdup(subject);
    if (out->path == NULL)
        return failure_memory(failure, strlen(subject), "a path");
    if (at == NULL)
        return pair_by_words(run, out->path, &out->response, failure);
    const char *text = at + 1, *comma = strchr(text, ',');
    const size_t length = comma != NULL ? (size_t)(comma - text) : 0;
    double position[3];
    if (read_position(text, position))
        return pair_by_position(run, out->path, position, NULL, 0, out, failure);
    if (comma != NULL && read_position(comma + 1, position))
        return pair_by_position(run, out->path, position, text, length, out, failure);
    out->response = comma != NULL ? find_response(run, text, length, comma + 1) : NULL;
    if (out->response != NULL)
        return 0;
    char names[NAMES_MAX];
    list_pairs(run, names);
    return failure_set(failure, FAILURE_INPUT, "%s: the run has no response %s; it has %s", out->path, text,
                       names);
}

/* ---- uncertainty ---- */

/* Standard deviation of a time by ISO 3382-2. */
static double time_deviation(double factor, double more, double time, double centre)
{
    return factor * time * sqrt((1.0 + more / DECAYS) / (0.71 * centre * time));
}

static bool bar_times(struct record_response *record)
{
    double t20[OCTAVE_BANDS_MAX], t30[OCTAVE_BANDS_MAX];
    const size_t bands = record->octaves.count;
    for (size_t b = 0; b < bands; b++) {
        const double centre = record->octaves.value[b];
        t20[b] = NINE_OF_TEN *
                 time_deviation(0.88, 1.90, figure_values_octave(&record->figures, FIGURE_T20, b), centre);
        t30[b] = NINE_OF_TEN *
                 time_deviation(0.55, 1.52, figure_values_octave(&record->figures, FIGURE_T30, b), centre);
    }
    return json_numbers_set(&record->error.octave[FIGURE_T20], t20, bands) &&
           json_numbers_set(&record->error.octave[FIGURE_T30], t30, bands);
}

/* The values of the files of pair `pair` become their mean in its first one, with its error bar. */
static bool average_octaves(const struct measured_run *of, size_t pair, struct record_response *record)
{
    double mean[OCTAVE_BANDS_MAX], error[OCTAVE_BANDS_MAX];
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        const size_t bands = record->octaves.count;
        for (size_t b = 0; b < bands; b++) {
            struct figure_mean values = {0};
            for (size_t i = 0; i < of->files; i++)
                if (of->file[i].response == of->file[of->first[pair]].response)
                    figure_mean_add(&values,
                                    figure_values_octave(&of->file[i].analysis.response[0].record.figures,
                                                         (enum figure)f, b));
            mean[b] = figure_mean_of(&values);
            error[b] = NINE_OF_TEN * figure_mean_deviation(&values) / sqrt((double)values.count);
        }
        if (record->figures.octave[f].value != NULL &&
            (!json_numbers_set(&record->error.octave[f], error, bands) ||
             !json_numbers_set(&record->figures.octave[f], mean, bands)))
            return false;
    }
    return true;
}

static void average_singles(const struct measured_run *of, size_t pair, struct record_response *record)
{
    for (int f = 0; f < ALL_FIGURES; f++) {
        struct figure_mean values = {0};
        for (size_t i = 0; i < of->files; i++)
            if (of->file[i].response == of->file[of->first[pair]].response)
                figure_mean_add(&values, of->file[i].analysis.response[0].record.figures.single[f]);
        if (record->figures.single_there[f])
            record->figures.single[f] = figure_mean_of(&values);
    }
}

static size_t count_repetitions(const struct measured_run *of, size_t pair)
{
    size_t count = 0;
    for (size_t i = 0; i < of->files; i++)
        count += of->file[i].response == of->file[of->first[pair]].response;
    return count;
}

/* ---- the run ---- */

void measured_run_free(struct measured_run *measured)
{
    for (size_t i = 0; i < measured->files; i++) {
        free(measured->file[i].path);
        analysis_list_free(&measured->file[i].analysis);
    }
    free(measured->file);
    free(measured->item);
    free(measured->first);
    free(measured->shown.name);
    measured_table_free(&measured->table);
    *measured = (struct measured_run){0};
}

static int read_files(const struct options *options, const struct run_folder *run, const char *const *subject,
                      size_t count, struct measured_run *out, struct failure *failure)
{
    struct options plain = *options;
    plain.output = NULL; /* it is that of the comparison */
    out->file = calloc(count, sizeof *out->file);
    if (out->file == NULL)
        return failure_memory(failure, count * sizeof *out->file, "measured responses");
    for (size_t i = 0; i < count; i++) {
        struct measured_file *file = &out->file[out->files++];
        TRY(find_pair(&run->model, subject[i], file, failure));
        TRY(analysis_list_of(&plain, file->path, DECAY_TRACE_POINTS, &file->analysis, failure));
        if (file->analysis.count != 1)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "%s: has %zu channels, and one is compared", file->path,
                                           file->analysis.count),
                               failure, "give its number, like %s@1", file->path);
    }
    return 0;
}

static int show_as_run(const struct run_folder *run, double fmax, struct measured_run *out,
                       struct failure *failure)
{
    out->shown.path = NULL;
    out->shown.model = run->model;
    out->shown.model.responses.item = out->item;
    out->shown.model.responses.count = out->pairs;
    out->shown.model.grids.count = 0;
    out->shown.model.rays = NULL;
    out->shown.model.room.fmax = fmax;
    out->shown.model.room.project = NULL;
    out->shown.model.room.mesh = NULL;
    out->shown.name = strdup("measured");
    return out->shown.name == NULL ? failure_memory(failure, 9, "a name") : 0;
}

static int make_pairs(const struct run_folder *run, struct measured_run *out, struct failure *failure)
{
    double fmax = INFINITY;
    out->item = calloc(out->files, sizeof *out->item);
    out->first = calloc(out->files, sizeof *out->first);
    if (out->item == NULL || out->first == NULL)
        return failure_memory(failure, out->files * sizeof *out->item, "measured responses");
    for (size_t i = 0; i < out->files; i++) {
        bool known = false;
        fmax = fmin(fmax, out->file[i].analysis.response[0].fmax);
        for (size_t p = 0; p < out->pairs; p++)
            known = known || out->file[out->first[p]].response == out->file[i].response;
        if (!known)
            out->first[out->pairs++] = i;
    }
    for (size_t p = 0; p < out->pairs; p++) {
        struct record_response *record = &out->file[out->first[p]].analysis.response[0].record;
        if (count_repetitions(out, p) > 1 ? !average_octaves(out, p, record) : !bar_times(record))
            return failure_memory(failure, sizeof *record, "measured responses");
        if (count_repetitions(out, p) > 1)
            average_singles(out, p, record);
        out->item[p] = *record;
        out->item[p].source = out->file[out->first[p]].response->source;
        out->item[p].receiver = out->file[out->first[p]].response->receiver;
    }
    return show_as_run(run, fmax, out, failure);
}

/* The responses of the table that the run has. */
static int take_table(const struct run_folder *run, const char *subject, struct measured_run *out,
                      struct failure *failure)
{
    const char *at = pairing_of(subject);
    char *path = at != NULL ? strndup(subject, (size_t)(at - subject)) : strdup(subject);
    if (path == NULL)
        return failure_memory(failure, strlen(subject), "a path");
    int code = measured_table_read(path, at != NULL ? at + 1 : NULL, &out->table, failure);
    if (code == 0 && (out->item = calloc(out->table.count, sizeof *out->item)) == NULL)
        code = failure_memory(failure, out->table.count * sizeof *out->item, "measured responses");
    for (size_t r = 0; code == 0 && r < out->table.count; r++) {
        const struct record_response *measured = &out->table.item[r];
        if (find_response(&run->model, measured->source, strlen(measured->source), measured->receiver) !=
            NULL)
            out->item[out->pairs++] = *measured;
        else
            out->unknown++;
    }
    char names[NAMES_MAX];
    list_pairs(&run->model, names);
    if (code == 0 && out->pairs == 0)
        code =
            failure_set(failure, FAILURE_INPUT, "%s: has none of the responses of the run: %s", path, names);
    free(path);
    return code == 0 ? show_as_run(run, run_model_highest(&run->model), out, failure) : code;
}

int measured_run_read(const struct options *options, const struct run_folder *run, const char *const *subject,
                      size_t count, struct measured_run *out, struct failure *failure)
{
    *out = (struct measured_run){0};
    int code = 0;
    if (run->model.responses.count == 0)
        return failure_set(failure, FAILURE_INPUT, "%s: has no responses that could be measured", run->path);
    size_t tables = 0;
    for (size_t i = 0; i < count; i++) {
        const char *at = pairing_of(subject[i]);
        tables += is_table(subject[i]) ||
                  (at != NULL && at - subject[i] >= 4 && strncasecmp(at - 4, ".csv", 4) == 0);
    }
    if (tables > 0 && count > 1)
        return failure_set(failure, FAILURE_INPUT, "%s: a table of figures is compared by itself",
                           subject[0]);
    code = tables > 0 ? take_table(run, subject[0], out, failure)
                      : read_files(options, run, subject, count, out, failure);
    if (code == 0 && tables == 0)
        code = make_pairs(run, out, failure);
    if (code != 0)
        measured_run_free(out);
    return code;
}
