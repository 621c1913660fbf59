#include "src/setup/area/audience_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/words/words.h"

#define RAISED        0.1  /* [m] */
#define RAISED_MOST   1.6  /* [m]: of a stage over the floor before it */
#define SEAT_HIGH     0.6  /* [m]: of a seat over its floor */
#define WIDER         8    /* samples with all neighbours, of which a seat has fewer */
#define STANDS_BELOW  2.5  /* [m]: a source hangs that is higher over any floor */
#define STANDS_BESIDE 1.5  /* [m]: a source over furniture stands on the floor this near to it */
#define SEATED        0.25 /* part of a stage with seats, from which on people sit there */
#define NEARER        0.6  /* times as far, or less */
#define MOUTH         2.0  /* [m]: a source or the top of an altar is no higher over its floor */
#define ROW           4.0  /* [m2] of seats that are a row, or a tenth of all: fewer may be a priest's */
#define PLACES        6    /* on the main floor from which other levels are looked for */

#define NONE SIZE_MAX

static double apart_in_plan(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* ---- the main floor ---- */

/* The source may be under a gallery. */
static void look_from_main(struct audience_levels *levels)
{
    const struct audience_level *main = &levels->level[levels->main];
    double place[PLACES][3];
    size_t met = 0, count = 0;
    for (size_t i = main->first; met < main->count; i++) {
        const double *at = levels->samples->point[i].position;
        if (levels->of[i] == levels->main && met++ % (main->count / PLACES + 1) == main->count / PLACES / 2)
            memcpy(place[count++], (double[3]){at[0], at[1], at[2] + AUDIENCE_EARS}, sizeof place[0]);
    }
    (void)audience_levels_look(levels, count, (const double(*)[3])place);
}

/* The big level on which a source stands. */
static size_t level_below(const struct audience_levels *levels, const double source[3])
{
    size_t below = NONE;
    double nearest = STANDS_BESIDE;
    for (size_t i = 0; i < levels->samples->count; i++) {
        const double *at = levels->samples->point[i].position, apart = apart_in_plan(at, source);
        if (levels->level[levels->of[i]].big && apart < nearest && at[2] <= source[2] &&
            at[2] >= source[2] - STANDS_BELOW) {
            nearest = apart;
            below = levels->of[i];
        }
    }
    return below;
}

/* Settle the levels on which sources stand and that are raised, if the other low floors hold as many people.
 */
static void find_stages(struct audience_levels *levels)
{
    for (size_t n = 0; n < levels->air->sources; n++) {
        const size_t below = level_below(levels, levels->air->source[n]);
        double others = 0;
        bool raised = false;
        if (below == NONE)
            continue;
        levels->level[below].stood = true;
        for (size_t l = 0; l < levels->count; l++)
            if (l != below && levels->level[l].seen && levels->level[l].low < levels->air->source[n][2])
                others += levels->level[l].area;
        for (size_t s = 0; s < levels->steps; s++)
            raised |= levels->of[levels->step[s].high] == below && levels->of[levels->step[s].low] != below &&
                      levels->step[s].rise > RAISED && levels->step[s].rise <= RAISED_MOST;
        if (raised && others >= levels->level[below].area)
            levels->level[below].verdict = AUDIENCE_STAGE;
    }
}

/* In the open, and higher than another floor? */
static bool is_roof(const struct audience_levels *levels, size_t number)
{
    bool higher = false;
    for (size_t l = 0; l < levels->count; l++)
        higher |= levels->level[l].seen && levels->level[number].low > levels->level[l].high + RAISED_MOST;
    return higher && !levels->level[number].stood && audience_level_is_open(levels, number);
}

/* The largest floor that is no stage with a source, no gallery over all of them, and no roof. */
static void find_main(struct audience_levels *levels)
{
    double top = levels->air->sources > 0 ? -INFINITY : INFINITY;
    for (size_t s = 0; s < levels->air->sources; s++)
        top = fmax(top, levels->air->source[s][2]);
    levels->main = NONE;
    for (int attempt = 0; attempt < 2 && levels->main == NONE; attempt++)
        for (size_t l = 0; l < levels->count; l++) {
            const struct audience_level *level = &levels->level[l];
            if (level->seen &&
                (attempt == 1 ||
                 (level->verdict == AUDIENCE_UNJUDGED && level->low <= top && !is_roof(levels, l))) &&
                (levels->main == NONE || level->area > levels->level[levels->main].area))
                levels->main = l;
        }
    levels->level[levels->main].verdict = AUDIENCE_SITS;
}

/* ---- verdicts ---- */

/* Height of a level over the main one, where that is nearest. */
static double rise_over_main(const struct audience_levels *levels, const struct audience_level *level)
{
    double nearest = INFINITY, height = 0;
    for (size_t i = 0; i < levels->samples->count; i++) {
        const double *at = levels->samples->point[i].position, apart = apart_in_plan(at, level->middle);
        if (levels->of[i] == levels->main && apart < nearest) {
            nearest = apart;
            height = at[2];
        }
    }
    return level->middle[2] - height;
}

/* Is the level's middle much nearer to that of the main floor than to every source? */
static bool is_far(const struct audience_levels *levels, const struct audience_level *level)
{
    const double to_main = apart_in_plan(level->middle, levels->level[levels->main].middle);
    for (size_t s = 0; s < levels->air->sources; s++)
        if (apart_in_plan(level->middle, levels->air->source[s]) < 1.25 * to_main)
            return false;
    return true;
}

static enum audience_verdict judge(const struct audience_levels *levels, size_t number)
{
    const struct audience_level *level = &levels->level[number];
    const double up = rise_over_main(levels, level), seated = (double)level->seats / (double)level->count;
    bool goes_on = false, tier = false; /* a step up or down from or to another level */
    if (!level->big)
        return fabs(up) <= RAISED ? AUDIENCE_SITS
                                  : AUDIENCE_OBJECT; /* a piece of the floor, between furniture */
    if (!level->seen)
        return AUDIENCE_HIDDEN;
    if (up <= RAISED)
        return AUDIENCE_SITS;
    for (size_t s = 0; s < levels->steps; s++) {
        const size_t low = levels->of[levels->step[s].low], high = levels->of[levels->step[s].high],
                     other = low == number ? high : low;
        const struct audience_level *beside = &levels->level[other];
        if ((low == number) == (high == number) || levels->step[s].rise > AUDIENCE_STEP || !beside->big)
            continue;
        goes_on |= beside->verdict == AUDIENCE_SITS;
        tier |= other != levels->main;
    }
    if (up <= RAISED_MOST) {
        const bool large = levels->air->sources > 0 && level->area >= levels->level[levels->main].area / 4;
        return seated >= SEATED || (is_far(levels, level) && (tier || large)) ? AUDIENCE_SITS
                                                                              : AUDIENCE_STAGE;
    }
    const enum surface_use *use = levels->air->use;
    return goes_on || seated > SEATED ||
                   (use != NULL &&
                    (use[level->material] == SURFACE_FLOOR || use[level->material] == SURFACE_SEATS)) ||
                   (!surface_use_is_named(levels->air->tree->mesh->material[level->material]) &&
                    audience_level_hangs(levels, number))
               ? AUDIENCE_SITS
               : AUDIENCE_OBJECT;
}

/* From the lowest to the highest, since tiers go on from lower ones. */
static void judge_all(struct audience_levels *levels)
{
    for (size_t l = 0; l < levels->count; l++)
        if (!levels->level[l].big)
            levels->level[l].verdict = judge(levels, l);
    for (size_t next = 0; next != NONE;) {
        next = NONE;
        for (size_t l = 0; l < levels->count; l++)
            if (levels->level[l].verdict == AUDIENCE_UNJUDGED &&
                (next == NONE || levels->level[l].low < levels->level[next].low))
                next = l;
        if (next != NONE)
            levels->level[next].verdict = judge(levels, next);
    }
}

/* ---- seats without a name, and parts ---- */

/* The level where people sit in the squares around a sample of an object that is as high as a seat over it;
 * or its own. */
static uint32_t level_beneath(const struct audience_levels *levels, size_t i)
{
    struct floor_point *point = &levels->samples->point[i];
    const struct audience_level *own = &levels->level[levels->of[i]];
    for (int n = 0; n < 25 && own->verdict == AUDIENCE_OBJECT && !own->goes_on_up && own->wide < WIDER; n++) {
        const uint32_t row = point->row + (uint32_t)(n / 5 - 2),
                       column = point->column + (uint32_t)(n % 5 - 2);
        for (size_t j = audience_samples_from(levels->samples, row, column);
             audience_samples_in(levels->samples, j, row, column); j++) {
            const double floor = levels->samples->point[j].position[2];
            if (levels->level[levels->of[j]].verdict == AUDIENCE_SITS &&
                point->face - floor >= AUDIENCE_SEAT && point->face - floor <= SEAT_HIGH) {
                point->position[2] = floor;
                return levels->of[j];
            }
        }
    }
    return levels->of[i];
}

/* Give objects that are seats to the floors beneath them. */
static void find_seats(struct audience_levels *levels)
{
    const size_t count = levels->samples->count;
    for (size_t i = 0; i < count; i++)
        levels->parent[i] = level_beneath(levels, i);
    memcpy(levels->of, levels->parent, count * sizeof *levels->of);
}

/* ---- the places of sources and altars ---- */

/* Of a sample, in levels->parent: */
#define SOMEBODY     1u
#define SEATED_THERE 2u
#define OF_PLACE     4u

/* Mark the floor without seats that is NEARER to a place than the audience is: its nearest row of
 * seats, or the middle of it if there are none. This is a circle (of Apollonius) that reaches 3/8 of the way
 * towards the audience, and behind the place half as far again as the audience is. */
static void mark_place(const struct audience_levels *levels, const double at[3], unsigned audience)
{
    const struct audience_samples *samples = levels->samples;
    const double wide = 1 / (1 - NEARER * NEARER);
    double middle[2] = {0, 0}, centre[2];
    size_t count = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (levels->parent[i] & audience) {
            count++;
            for (int axis = 0; axis < 2; axis++)
                middle[axis] += (samples->point[i].position[axis] - middle[axis]) / (double)count;
        }
    const double away = apart_in_plan(at, middle),
                 row = fmin((double)count / 10, ROW / (samples->spacing * samples->spacing));
    double far = audience == SEATED_THERE ? 0 : away;
    for (double more = 1024; audience == SEATED_THERE && more > samples->spacing / 2; more /= 2) {
        size_t within = 0;
        for (size_t i = 0; i < samples->count; i++)
            within +=
                levels->parent[i] & audience && apart_in_plan(samples->point[i].position, at) <= far + more;
        far += (double)within < row ? more : 0;
    }
    for (int axis = 0; axis < 2; axis++)
        centre[axis] = at[axis] + (at[axis] - middle[axis]) / fmax(away, samples->spacing) * far * NEARER *
                                      NEARER * wide;
    for (size_t i = 0; i < samples->count; i++) {
        const double *floor = samples->point[i].position;
        if (levels->parent[i] == SOMEBODY && floor[2] <= at[2] && floor[2] >= at[2] - MOUTH &&
            apart_in_plan(floor, centre) <= far * NEARER * wide)
            levels->parent[i] |= OF_PLACE;
    }
}

/* An altar is an object called so that is higher than a seat. */
static bool is_altar(const struct audience_levels *levels, const struct audience_level *level)
{
    const enum surface_use *use = levels->air->use;
    return level->verdict == AUDIENCE_OBJECT && level->count > 0 && use != NULL &&
           use[level->material] == SURFACE_ALTAR && rise_over_main(levels, level) >= SEAT_HIGH;
}

/* The places become levels of their own, unless they are most of all. */
static void find_places(struct audience_levels *levels)
{
    const struct audience_samples *samples = levels->samples;
    size_t all = 0, seats = 0, marked = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const struct floor_point *point = &samples->point[i];
        const bool sits = levels->level[levels->of[i]].verdict == AUDIENCE_SITS,
                   seat = sits && (point->face > point->position[2] ||
                                   audience_is_seats(levels->air, point->material));
        levels->parent[i] = seat ? SOMEBODY | SEATED_THERE : sits ? SOMEBODY : 0;
        all += sits;
        seats += seat;
    }
    const unsigned audience = seats * 20 >= all ? SEATED_THERE : SOMEBODY;
    for (size_t s = 0; s < levels->air->sources; s++)
        mark_place(levels, levels->air->source[s], audience);
    for (size_t l = 0; l < levels->count; l++)
        if (is_altar(levels, &levels->level[l]))
            mark_place(levels, levels->level[l].middle, audience);
    for (size_t i = 0; i < samples->count; i++)
        marked += (levels->parent[i] & OF_PLACE) != 0;
    for (size_t i = samples->count; i-- > 0;) {
        struct audience_level *level = &levels->level[levels->of[i]];
        if (levels->parent[i] & OF_PLACE && 2 * marked <= all) {
            if (!level->big)
                level = &levels->level[levels->main];
            if (level->twin == 0) {
                level->twin = levels->count++;
                levels->level[level->twin] = (struct audience_level){.verdict = AUDIENCE_PLACE, .big = true};
            }
            levels->of[i] = (uint32_t)level->twin;
        }
        levels->level[levels->of[i]].first = i;
    }
}

/* ---- all of it ---- */

void audience_floor_free(struct audience_floor *floor)
{
    free(floor->samples.point);
    free(floor->part);
    free(floor->part_of);
    *floor = (struct audience_floor){0};
}

int audience_floor_find(const struct receiver_air *air, struct audience_floor *out, struct failure *failure)
{
    struct audience_floor floor = {0};
    struct audience_levels levels = {0};
    TRY(audience_samples_take(air, &floor.samples, failure));
    int code = audience_levels_find(air, &floor.samples, &levels, failure);
    if (code == 0) {
        if (!audience_levels_look(&levels, air->sources, air->source)) /* one in a cupboard, or none */
            for (size_t l = 0; l < levels.count; l++)
                levels.level[l].seen = levels.level[l].big;
        find_stages(&levels);
        find_main(&levels);
        look_from_main(&levels);
        judge_all(&levels);
        find_seats(&levels);
        find_places(&levels);
        code = audience_levels_join(&levels, failure);
    }
    if (code == 0) {
        while (floor.parts < levels.count && levels.level[floor.parts].verdict != AUDIENCE_OBJECT)
            floor.parts++;
        floor.part = levels.level;
        floor.part_of = levels.of;
        levels.level = NULL;
        levels.of = NULL;
        *out = floor;
    } else
        audience_floor_free(&floor);
    audience_levels_free(&levels);
    return code;
}

enum audience_verdict audience_floor_stand(const struct audience_floor *floor, struct floor_point *point)
{
    const struct audience_samples *samples = &floor->samples;
    const double x = round((point->position[0] - samples->first[0]) / samples->spacing),
                 y = round((point->position[1] - samples->first[1]) / samples->spacing);
    double nearest = 2 * samples->spacing;
    size_t found = NONE;
    for (int n = 0; n < 9; n++) {
        const double row = y + n / 3 - 1, column = x + n % 3 - 1;
        if (row < 0 || column < 0)
            continue;
        for (size_t j = audience_samples_from(samples, (uint32_t)row, (uint32_t)column);
             audience_samples_in(samples, j, (uint32_t)row, (uint32_t)column); j++) {
            const struct floor_point *at = &samples->point[j];
            const double across = fmin(fabs(at->face - point->face), fabs(at->position[2] - point->face)),
                         apart = apart_in_plan(at->position, point->position) + across;
            if (across <= (at->level && point->level ? AUDIENCE_LEVEL : samples->spacing) &&
                apart < nearest) {
                nearest = apart;
                found = j;
            }
        }
    }
    if (found == NONE || floor->part_of[found] >= floor->parts)
        return AUDIENCE_OBJECT;
    const struct floor_point *at = &samples->point[found];
    if (fabs(at->face - point->face) < fabs(at->position[2] - point->face)) /* on a seat */
        point->position[2] = at->position[2];
    return floor->part[floor->part_of[found]].verdict;
}

void audience_floor_box(const struct audience_floor *floor, double low[2], double high[2])
{
    const double half = floor->samples.spacing / 2;
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (size_t i = 0; i < floor->samples.count; i++)
            if (floor->part_of[i] < floor->parts && floor->part[floor->part_of[i]].verdict == AUDIENCE_SITS) {
                low[axis] = fmin(low[axis], floor->samples.point[i].position[axis] - half);
                high[axis] = fmax(high[axis], floor->samples.point[i].position[axis] + half);
            }
    }
}

const char *audience_floor_words(const struct audience_floor *floor, const struct mesh *mesh,
                                 char words[AUDIENCE_WORDS_MAX])
{
    static const char *const why[] = {[AUDIENCE_STAGE] = T_LATER("raised like a stage"),
                                      [AUDIENCE_PLACE] = T_LATER("around a source or an altar"),
                                      [AUDIENCE_HIDDEN] = T_LATER("out of sight")};
    words[0] = '\0';
    for (size_t p = 0; p < floor->parts; p++) {
        const struct audience_level *part = &floor->part[p];
        const bool sits = part->verdict == AUDIENCE_SITS;
        const char *comma = p == 0                                       ? ""
                            : !sits && part[-1].verdict == AUDIENCE_SITS ? T("; nobody on ")
                                                                         : ", ";
        const struct words_number low = words_number("%.3g", part->low),
                                  high = words_number("%.3g", part->high),
                                  mean = words_number("%.3g", round(part->middle[2] * 100) / 100 + 0.0),
                                  area = words_number("%.3g", part->area);
        char height[120];
        if (part->high - part->low > AUDIENCE_LEVEL)
            (void)snprintf(height, sizeof height, T("%s to %s"), low.text, high.text);
        else
            (void)snprintf(height, sizeof height, "%s", mean.text);
        text_append(words, AUDIENCE_WORDS_MAX, T("%s%s m2 at %s m (%.60s%s%s)"), comma, area.text, height,
                    mesh->material[part->material], sits ? "" : ": ", sits ? "" : T(why[part->verdict]));
    }
    blot_control_characters(words);
    return words;
}
