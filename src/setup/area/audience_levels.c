#include "src/setup/area/audience_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_AREA 6.0 /* [m2]: of a big level, or a quarter of the largest */
#define LEAST_WIDE 8   /* samples, or as many as in the widest */
#define LOOKS      48  /* samples of a level that are asked what they see */
#define SEEN       0.2 /* least part of a level */
#define SKY        60  /* [m] over a floor without a roof */

/* ---- groups of samples ---- */

static uint32_t first_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t *parent, uint32_t one, uint32_t other)
{
    const uint32_t a = first_of(parent, one), b = first_of(parent, other);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* ---- levels ---- */

/* All pairs of samples in squares side by side. */
static int find_steps(struct audience_levels *levels, struct failure *failure)
{
    const struct audience_samples *samples = levels->samples;
    size_t capacity = 0;
    for (size_t n = 0; n < 2 * samples->count; n++) {
        const size_t i = n / 2;
        const struct floor_point *at = &samples->point[i];
        const uint32_t row = at->row + n % 2, column = at->column + 1 - n % 2;
        for (size_t j = audience_samples_from(samples, row, column);
             audience_samples_in(samples, j, row, column); j++) {
            if (levels->steps == capacity) {
                capacity = 2 * capacity + 4096;
                struct audience_step *grown = realloc(levels->step, capacity * sizeof *grown);
                if (grown == NULL)
                    return failure_memory(failure, capacity * sizeof *grown, "steps of the floor");
                levels->step = grown;
            }
            const double rise = samples->point[j].position[2] - at->position[2];
            levels->step[levels->steps++] = (struct audience_step){(uint32_t)(rise < 0 ? j : i),
                                                                   (uint32_t)(rise < 0 ? i : j), fabs(rise)};
        }
    }
    return 0;
}

static void add_sample(struct audience_levels *levels, size_t i)
{
    const struct floor_point *at = &levels->samples->point[i];
    struct audience_level *level = &levels->level[levels->of[i]];
    if (level->count++ == 0) {
        level->first = i;
        level->low = level->high = at->position[2];
    }
    if (level->votes == 0)
        level->material = at->material;
    level->votes += level->material == at->material ? 1 : (size_t)-1;
    level->seats += audience_is_seats(levels->air, at->material);
    for (int axis = 0; axis < 3; axis++)
        level->middle[axis] += (at->position[axis] - level->middle[axis]) / (double)level->count;
    level->low = fmin(level->low, at->position[2]);
    level->high = fmax(level->high, at->position[2]);
    level->area = (double)level->count * levels->samples->spacing * levels->samples->spacing;
}

/* Number the groups in the order of their first samples, and measure them. */
static int number_groups(struct audience_levels *levels, struct failure *failure)
{
    const size_t count = levels->samples->count;
    struct audience_level *old = levels->level, *level = calloc(2 * count + 1, sizeof *level);
    if (level == NULL)
        return failure_memory(failure, 2 * count * sizeof *level, "levels of the floor");
    levels->level = level;
    levels->count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = first_of(levels->parent, (uint32_t)i);
        if (first == i) {
            level[levels->count].verdict = old != NULL ? old[levels->of[i]].verdict : AUDIENCE_UNJUDGED;
            levels->of[i] = (uint32_t)levels->count++;
        }
        levels->of[i] = levels->of[first];
        add_sample(levels, i);
    }
    free(old);
    return 0;
}

/* In a closet the largest is more than furniture. */
static void choose_big(struct audience_levels *levels)
{
    uint32_t *beside = levels->parent; /* neighbours of the same level; the groups are done with */
    double largest = 0;
    size_t widest = 0;
    memset(beside, 0, levels->samples->count * sizeof *beside);
    for (size_t s = 0; s < levels->steps; s++) {
        const struct audience_step *step = &levels->step[s];
        struct audience_level *low = &levels->level[levels->of[step->low]];
        low->goes_on_up |= step->rise > AUDIENCE_LEVEL && step->rise <= AUDIENCE_SEAT;
        if (levels->of[step->low] == levels->of[step->high]) {
            low->wide += ++beside[step->low] == 4;
            low->wide += ++beside[step->high] == 4;
        }
    }
    for (size_t l = 0; l < levels->count; l++) {
        largest = fmax(largest, levels->level[l].area);
        widest = levels->level[l].wide > widest ? levels->level[l].wide : widest;
    }
    for (size_t l = 0; l < levels->count; l++)
        levels->level[l].big = levels->level[l].area >= fmin(LEAST_AREA, largest / 4) &&
                               levels->level[l].wide >= (widest < LEAST_WIDE ? widest : LEAST_WIDE);
}

void audience_levels_free(struct audience_levels *levels)
{
    free(levels->step);
    free(levels->of);
    free(levels->parent);
    free(levels->level);
    *levels = (struct audience_levels){0};
}

int audience_levels_find(const struct receiver_air *air, struct audience_samples *samples,
                         struct audience_levels *out, struct failure *failure)
{
    struct audience_levels levels = {.air = air,
                                     .sight = *air,
                                     .samples = samples,
                                     .of = calloc(samples->count + 1, sizeof *levels.of),
                                     .parent = calloc(samples->count + 1, sizeof *levels.parent)};
    levels.sight.use = NULL;
    int code = levels.of == NULL || levels.parent == NULL
                   ? failure_memory(failure, 2 * samples->count * sizeof *levels.of, "levels of the floor")
                   : find_steps(&levels, failure);
    for (size_t i = 0; code == 0 && i < samples->count; i++)
        levels.parent[i] = (uint32_t)i;
    for (size_t s = 0; code == 0 && s < levels.steps; s++) {
        const struct audience_step *step = &levels.step[s];
        const bool even = samples->point[step->low].level && samples->point[step->high].level;
        if (step->rise <= (even ? AUDIENCE_LEVEL : samples->spacing))
            join(levels.parent, step->low, step->high);
    }
    if (code == 0)
        code = number_groups(&levels, failure);
    if (code != 0) {
        audience_levels_free(&levels);
        return code;
    }
    choose_big(&levels);
    *out = levels;
    return 0;
}

static int compare_levels(const void *a, const void *b)
{
    const struct audience_level *one = a, *other = b;
    if (one->verdict != other->verdict)
        return (int)one->verdict - (int)other->verdict;
    return (one->area < other->area) - (one->area > other->area);
}

int audience_levels_join(struct audience_levels *levels, struct failure *failure)
{
    const struct audience_level *level = levels->level;
    for (size_t i = 0; i < levels->samples->count; i++)
        levels->parent[i] = (uint32_t)level[levels->of[i]].first;
    for (size_t s = 0; s < levels->steps; s++) {
        const struct audience_step *step = &levels->step[s];
        const enum audience_verdict one = level[levels->of[step->low]].verdict,
                                    other = level[levels->of[step->high]].verdict;
        if (step->rise <= AUDIENCE_STEP && one == other && (one == AUDIENCE_SITS || one == AUDIENCE_PLACE))
            join(levels->parent, step->low, step->high);
    }
    for (size_t l = 0; l < levels->count; l++)
        if (!level[l].big && level[l].verdict == AUDIENCE_SITS && levels->of[level[l].first] == l)
            join(levels->parent, (uint32_t)level[l].first, (uint32_t)level[levels->main].first);
    TRY(number_groups(levels, failure));
    qsort(levels->level, levels->count, sizeof *levels->level, compare_levels);
    for (size_t l = 0; l < levels->count; l++)
        levels->parent[levels->of[levels->level[l].first]] = (uint32_t)l;
    for (size_t i = 0; i < levels->samples->count; i++)
        levels->of[i] = levels->parent[levels->of[i]];
    return 0;
}

/* ---- what is seen ---- */

static void place_ears(const struct floor_point *point, double ears[3])
{
    memcpy(ears, point->position, sizeof point->position);
    ears[2] += AUDIENCE_EARS;
}

static bool sees_any(const struct receiver_air *air, const struct floor_point *point, size_t count,
                     const double (*place)[3])
{
    double ears[3];
    place_ears(point, ears);
    for (size_t p = 0; p < count; p++)
        if (audience_sees(air, ears, place[p]))
            return true;
    return false;
}

bool audience_levels_look(struct audience_levels *levels, size_t count, const double (*place)[3])
{
    double at[5 * AUDIENCE_LOOKS][3];
    size_t places = 0;
    bool any = false;
    for (size_t p = 0; p < count && p < AUDIENCE_LOOKS; p++)
        for (double up = 0; up <= 8; up = up == 0 ? 1 : 2 * up) {
            memcpy(at[places], (double[3]){place[p][0], place[p][1], place[p][2] + up}, sizeof at[0]);
            if (up > 0 && !audience_sees(&levels->sight, at[places - 1], at[places]))
                break;
            places++;
        }
    for (size_t l = 0; l < levels->count; l++) {
        struct audience_level *level = &levels->level[l];
        const size_t every = level->count / LOOKS + 1;
        size_t asked = 0, met = 0, seen = 0;
        for (size_t i = level->first; level->big && !level->seen && met < level->count; i++)
            if (levels->of[i] == l && met++ % every == 0) {
                asked++;
                seen += sees_any(&levels->sight, &levels->samples->point[i], places, (const double(*)[3])at);
            }
        level->seen |= (double)seen >= SEEN * (double)asked && seen > 0;
        any |= level->seen;
    }
    return any;
}

bool audience_level_is_open(const struct audience_levels *levels, size_t number)
{
    size_t open = 0;
    for (size_t i = 0; i < levels->samples->count; i++) {
        double ears[3];
        place_ears(&levels->samples->point[i], ears);
        open += levels->of[i] == number && audience_sees_up(&levels->sight, ears, SKY);
    }
    return 2 * open > levels->level[number].count;
}

bool audience_level_hangs(const struct audience_levels *levels, size_t number)
{
    static const int side[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const struct audience_samples *samples = levels->samples;
    const double reach = 2 * samples->spacing;
    size_t all = 0, hung = 0, edges = 0, walls = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const struct floor_point *point = &samples->point[i];
        const double *at = point->position;
        double ears[3];
        place_ears(point, ears);
        if (levels->of[i] != number)
            continue;
        all++;
        hung += audience_is_air(levels->air, at[0], at[1], at[2] - 0.6) ||
                audience_is_air(levels->air, at[0], at[1], at[2] - 1) ||
                audience_is_air(levels->air, at[0], at[1], at[2] - 1.6);
        for (int s = 0; s < 4; s++) {
            const uint32_t row = point->row + (uint32_t)side[s][1],
                           column = point->column + (uint32_t)side[s][0];
            size_t j = audience_samples_from(samples, row, column);
            while (audience_samples_in(samples, j, row, column) && levels->of[j] != number)
                j++;
            if (audience_samples_in(samples, j, row, column))
                continue;
            edges++;
            walls += !audience_sees(
                &levels->sight, ears,
                (const double[3]){at[0] + reach * side[s][0], at[1] + reach * side[s][1], ears[2]});
        }
    }
    return 2 * hung >= all && 10 * walls >= edges && !audience_level_is_open(levels, number);
}
