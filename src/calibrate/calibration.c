#include "src/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/calibrate/least_change.h"
#include "src/run_folder/loss_account.h"

/* A change of the rate that is smaller tells nothing: runs have their noise. An effect is within these. */
#define PROMISE_LEAST (2 * CALIBRATION_NEAR)
#define EFFECT_LEAST  0.4
#define EFFECT_MOST   2.5
#define LEAST_STEP    5e-4 /* of absorption, as it is written with three decimals */

void calibration_free(struct calibration *calibration)
{
    for (size_t s = 0; s < calibration->surfaces; s++)
        free(calibration->surface[s].name);
    free(calibration->surface);
    *calibration = (struct calibration){0};
}

/* ---- surfaces ---- */

double calibration_low(const struct calibrated_surface *surface, int octave)
{
    return fmin(surface->start[octave],
                fmax(0.0, surface->start[octave] - CALIBRATION_REACH * surface->uncertainty[octave]));
}

double calibration_high(const struct calibrated_surface *surface, int octave)
{
    return fmax(surface->start[octave],
                fmin(ABSORPTION_ABOVE_ONE,
                     surface->start[octave] + CALIBRATION_REACH * surface->uncertainty[octave]));
}

bool calibrated_surface_changed(const struct calibrated_surface *surface)
{
    bool changed = false;
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        changed = changed || fabs(surface->value[o] - surface->start[o]) >= LEAST_STEP;
    return changed;
}

static bool is_same(const struct surface *a, const struct surface *b)
{
    return a->origin == b->origin && a->form == b->form && a->material == b->material &&
           a->material != NULL && memcmp(a->octave, b->octave, sizeof a->octave) == 0;
}

static int take_surface(struct calibration *calibration, const struct room_model *model, size_t m,
                        struct failure *failure)
{
    struct calibrated_surface *to = &calibration->surface[m];
    const struct surface *from = &model->surface[m];
    if ((to->name = strdup(model->mesh.material[m])) == NULL)
        return failure_memory(failure, strlen(model->mesh.material[m]), "a name");
    calibration->surfaces = m + 1;
    to->group = calibration->groups;
    for (size_t other = m; other-- > 0;)
        if (is_same(&model->surface[other], from))
            to->group = calibration->surface[other].group;
    calibration->groups += to->group == calibration->groups;
    to->stays = from->is_sheet || from->form == SURFACE_BRANCHES || from->origin == SURFACE_OF_PROGRAM;
    to->guessed = from->guessed;
    to->scattering = from->scattering;
    memcpy(to->start, from->octave, sizeof to->start);
    memcpy(to->value, from->octave, sizeof to->value);
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        to->uncertainty[o] = to->stays ? 0 : from->uncertainty[o];
    return 0;
}

/* ---- pairs ---- */

static int refuse_pair(const struct measured_row *row, const struct room_points *points,
                       struct failure *failure)
{
    char sources[ROOM_POINTS_LIST], receivers[ROOM_POINTS_LIST], pair[2 * MEASURED_NAME_MAX + 8];
    (void)snprintf(pair, sizeof pair, "%s%s%s", row->label[0] != '\0' ? row->label : row->source,
                   row->source[0] != '\0' && row->receiver[0] != '\0' ? ", " : "", row->receiver);
    return failure_set(failure, FAILURE_INPUT,
                       "%s: the project has no pair \"%s\"; its sources are %s, its receivers %s", row->place,
                       pair, room_points_list(points->point, points->sources, sources),
                       room_points_list(points->point + points->sources, points->receivers, receivers));
}

static int check_row(const struct measured_row *row, const struct room_points *points,
                     struct failure *failure)
{
    bool found = measured_row_is_of_all(row) || row->of_file;
    for (size_t s = 0; s < points->sources; s++)
        for (size_t r = 0; r < points->receivers; r++)
            found = found ||
                    (!points->point[s].member &&
                     measured_row_names(row, points->point[s].name, points->point[points->sources + r].name));
    return found ? 0 : refuse_pair(row, points, failure);
}

int calibration_begin(struct calibration *calibration, const struct room_setup *setup,
                      const struct measured_times *measured, struct failure *failure)
{
    const size_t count = setup->model.mesh.material_count;
    bool any = false;
    calibration->measured = measured;
    calibration->surface = calloc(count + 1, sizeof *calibration->surface);
    if (calibration->surface == NULL)
        return failure_memory(failure, count * sizeof *calibration->surface, "surfaces");
    for (size_t m = 0; m < count; m++) {
        TRY(take_surface(calibration, &setup->model, m, failure));
        any = any || !calibration->surface[m].stays;
    }
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        calibration->effect[o] = 1;
    int code = 0;
    for (size_t i = 0; i < measured->count; i++)
        ALSO(code, failure, check_row(&measured->row[i], &setup->points, &next));
    if (!any)
        ALSO(
            code, failure,
            failure_set(&next, FAILURE_INPUT,
                        "no surface of the room can be calibrated: all are sheets, layers or branches, which "
                        "stay as they are"));
    return code;
}

/* ---- a run ---- */

static bool names_any(const struct measured_row *row, const struct run_model *run)
{
    for (size_t n = 0; n < run->responses.count; n++)
        if (measured_row_names(row, run->responses.item[n].source, run->responses.item[n].receiver))
            return true;
    return false;
}

/* Means over the pairs of a row: `sum` and `count` (MATERIAL_OCTAVES). */
static void add_response(const struct record_response *response, enum figure figure, double *sum,
                         double *count)
{
    for (size_t b = 0; b < response->octaves.count; b++) {
        const int octave = measured_octave(json_number_of(&response->octaves, b));
        const double value = figure_values_octave(&response->figures, figure, b);
        if (octave >= 0 && isfinite(value)) {
            sum[octave] += value;
            count[octave] += 1;
        }
    }
}

void calibration_learn(struct calibration *calibration, int octave, double before)
{
    const double promised = calibration->promised[octave], rate = before / calibration->last[octave] - 1;
    calibration->promised[octave] = 0;
    if (isfinite(rate) && fabs(promised) >= PROMISE_LEAST)
        calibration->effect[octave] = fmin(fmax(rate / promised, EFFECT_LEAST), EFFECT_MOST);
}

static void compare_times(struct calibration *calibration, const struct run_model *run)
{
    const struct measured_times *measured = calibration->measured;
    double asked[MATERIAL_OCTAVES] = {0}, simulated[MATERIAL_OCTAVES] = {0}, rows[MATERIAL_OCTAVES] = {0};
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_row *row = &measured->row[i];
        const bool of_all = !names_any(row, run);
        double sum[MATERIAL_OCTAVES] = {0}, count[MATERIAL_OCTAVES] = {0};
        for (size_t n = 0; n < run->responses.count; n++)
            if (of_all ||
                measured_row_names(row, run->responses.item[n].source, run->responses.item[n].receiver))
                add_response(&run->responses.item[n], measured->figure, sum, count);
        for (int o = 0; o < MATERIAL_OCTAVES; o++)
            if (isfinite(row->seconds[o]) && count[o] > 0) {
                asked[o] += row->seconds[o];
                simulated[o] += sum[o] / count[o];
                rows[o] += 1;
            }
    }
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        calibration->asked[o] = rows[o] > 0 ? asked[o] / rows[o] : NAN;
        const double before = calibration->last[o];
        calibration->last[o] = rows[o] > 0 ? simulated[o] / rows[o] : NAN;
        calibration_learn(calibration, o, before);
        if (calibration->runs == 0)
            calibration->first[o] = calibration->last[o];
    }
}

static int take_weights(struct calibration *calibration, const struct run_model *run, struct failure *failure)
{
    struct loss_account account = {0};
    TRY(loss_account_make(run, &account, failure));
    for (size_t s = 0; s < calibration->surfaces; s++)
        for (int o = 0; o < MATERIAL_OCTAVES; o++)
            calibration->surface[s].weight[o] = s < account.materials && (size_t)o < account.octaves
                                                    ? -account.sensitivity[s * account.octaves + (size_t)o]
                                                    : NAN;
    loss_account_free(&account);
    return 0;
}

static bool is_measured(const struct calibration *calibration, int octave)
{
    for (size_t i = 0; i < calibration->measured->count; i++)
        if (isfinite(calibration->measured->row[i].seconds[octave]))
            return true;
    return false;
}

static enum calibrated_octave judge(const struct calibration *calibration, int octave)
{
    const double asked = calibration->asked[octave], off = calibration->last[octave] / asked - 1;
    bool weighed = true;
    for (size_t s = 0; s < calibration->surfaces; s++)
        weighed = weighed && isfinite(calibration->surface[s].weight[octave]);
    if (!is_measured(calibration, octave))
        return CALIBRATION_UNMEASURED;
    if (!isfinite(off) || !weighed)
        return CALIBRATION_UNKNOWN;
    if (fabs(off) <= CALIBRATION_NEAR)
        return CALIBRATION_MET;
    return calibration->bound[octave] * off > 0 ? CALIBRATION_BOUND : CALIBRATION_OFF;
}

int calibration_take(struct calibration *calibration, const struct run_model *run, struct failure *failure)
{
    bool any = false;
    TRY(take_weights(calibration, run, failure));
    compare_times(calibration, run);
    calibration->runs++;
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        calibration->octave[o] = judge(calibration, o);
        any = any || calibration->octave[o] > CALIBRATION_UNKNOWN;
    }
    return any ? 0
               : failure_set(failure, FAILURE_INPUT,
                             "the run has no %s, or no account of its energy, in any of the measured octaves",
                             figure_kind[calibration->measured->figure].word);
}

bool calibration_is_met(const struct calibration *calibration)
{
    bool met = true;
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        met = met && calibration->octave[o] != CALIBRATION_OFF && calibration->octave[o] != CALIBRATION_BOUND;
    return met;
}

/* ---- the next change ---- */

static int refuse_octave(const struct calibration *calibration, int octave, struct failure *failure)
{
    char list[500] = "";
    const bool less = calibration->last[octave] < calibration->asked[octave]; /* absorption */
    for (size_t s = 0; s < calibration->surfaces; s++)
        if (!calibration->surface[s].stays)
            text_append(list, sizeof list, "%s%s %.2f", list[0] != '\0' ? ", " : "",
                        calibration->surface[s].name, calibration->surface[s].value[octave]);
    return failure_fix(
        failure_set(
            failure, FAILURE_INPUT,
            "at %u Hz %s of %.2f s was measured, and with every surface absorbing as %s as it can (%s) "
            "the room has %.2f s",
            material_octave[octave], figure_kind[calibration->measured->figure].word,
            calibration->asked[octave], less ? "little" : "much", list, calibration->last[octave]),
        failure,
        "check the model for surfaces that are missing or too many; an absorption moves by at most %g of its "
        "standard uncertainties, from 0 to %g",
        CALIBRATION_REACH, ABSORPTION_ABOVE_ONE);
}

/* The surfaces of a group as one value of the sum. */
static void join_group(const struct calibration *calibration, size_t group, int octave,
                       struct changed_value *of)
{
    *of = (struct changed_value){0};
    for (size_t s = 0; s < calibration->surfaces; s++) {
        const struct calibrated_surface *surface = &calibration->surface[s];
        if (surface->group != group)
            continue;
        of->start = surface->start[octave];
        of->uncertainty = surface->uncertainty[octave];
        of->low = calibration_low(surface, octave);
        of->high = calibration_high(surface, octave);
        of->value = surface->value[octave];
        of->weight += surface->weight[octave];
    }
}

static void change_octave(struct calibration *calibration, int octave, struct changed_value *of)
{
    for (size_t g = 0; g < calibration->groups; g++)
        join_group(calibration, g, octave, &of[g]);
    const double more = calibration->last[octave] / calibration->asked[octave] - 1; /* of the decay rate */
    const double now = least_change_sum(of, calibration->groups),
                 target = now + more / calibration->effect[octave];
    const enum least_change found = least_change_find(target, of, calibration->groups);
    calibration->promised[octave] = least_change_sum(of, calibration->groups) - now;
    calibration->bound[octave] = (found == LEAST_CHANGE_ABOVE) - (found == LEAST_CHANGE_BELOW);
    for (size_t s = 0; s < calibration->surfaces; s++)
        calibration->surface[s].value[octave] = of[calibration->surface[s].group].value;
}

int calibration_change(struct calibration *calibration, struct failure *failure)
{
    struct changed_value *of = calloc(calibration->groups + 1, sizeof *of);
    int code = 0;
    if (of == NULL)
        return failure_memory(failure, calibration->groups * sizeof *of, "surfaces");
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        if (calibration->octave[o] == CALIBRATION_BOUND)
            ALSO(code, failure, refuse_octave(calibration, o, &next));
        if (calibration->octave[o] == CALIBRATION_OFF)
            change_octave(calibration, o, of);
    }
    free(of);
    return code;
}
