#include "geometry/leak/gap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/search_queue.h"
#include "geometry/base/vector.h"

#define HALF_SAMPLES_MAX 24 /* a window has at most 2 x 24 + 1 samples along an axis */
#define MOVES_MAX        8  /* moves of the first window after a saddle */
#define GUESSES_MAX      4  /* guesses of the clearance at the saddle, after the first */
#define NO_SAMPLE        UINT32_MAX

size_t gap_trough(const double *clearance, size_t count, double floor)
{
    size_t trough = count;
    double peak = 0, best = GAP_NARROWING;
    for (size_t n = 0; n < count; ++n) {
        peak = larger(peak, clearance[n]);
        const double ratio = (peak + floor) / (clearance[n] + floor);
        if (ratio > best) {
            best = ratio;
            trough = n;
        }
    }
    return trough;
}

/* Smallest clearance between a and b, whose own clearances are known; negative if a wall may be between.
 * Clearance changes no faster than position, so two balls that cover the segment prove it free. */
static double clearance_between(const struct clearance *tree, const double a[3], double clear_a,
                                const double b[3], double clear_b, double length, int depth)
{
    const double least = smaller(clear_a, clear_b);
    if (least >= 2 * length)
        return least;
    if (depth == 0)
        return clear_a + clear_b >= length ? least : -1;
    double middle[3];
    for (int axis = 0; axis < 3; ++axis)
        middle[axis] = 0.5 * (a[axis] + b[axis]);
    const double clear_middle = clearance_at(tree, middle, clear_a + length);
    const double first = clearance_between(tree, a, clear_a, middle, clear_middle, 0.5 * length, depth - 1);
    if (first < 0)
        return first;
    return smaller(first, clearance_between(tree, middle, clear_middle, b, clear_b, 0.5 * length, depth - 1));
}

#define BETWEEN_DEPTH 5

/* Samples around a centre, and the growth of the clearest path from one of them. */
struct window {
    const struct clearance *tree;
    double centre[3];
    double step;
    int half;
    size_t samples;
    float *clear;             /* (samples) negative: unknown */
    uint32_t *from;           /* (samples) NO_SAMPLE: not reached */
    float *width;             /* (samples) smallest clearance on the last step of the path */
    struct search_heap front; /* least key first: less the smallest clearance of the step */
};

static void window_free(struct window *window)
{
    free(window->clear);
    free(window->from);
    free(window->width);
    search_heap_free(&window->front);
}

static void sample_position(const struct window *window, uint32_t sample, double position[3])
{
    const uint32_t side = 2 * (uint32_t)window->half + 1;
    const uint32_t at[3] = {sample % side, sample / side % side, sample / side / side};
    for (int axis = 0; axis < 3; ++axis)
        position[axis] = window->centre[axis] + ((double)at[axis] - window->half) * window->step;
}

/* The sample nearest to a place, or NO_SAMPLE outside the window. */
static uint32_t sample_at(const struct window *window, const double position[3])
{
    const uint32_t side = 2 * (uint32_t)window->half + 1;
    uint32_t sample = 0;
    for (int axis = 2; axis >= 0; --axis) {
        const double at = round((position[axis] - window->centre[axis]) / window->step);
        if (!(fabs(at) <= window->half))
            return NO_SAMPLE;
        sample = sample * side + (uint32_t)((int)at + window->half);
    }
    return sample;
}

static double sample_clearance(struct window *window, uint32_t sample, const double position[3])
{
    if (window->clear[sample] < 0)
        window->clear[sample] = (float)clearance_at(window->tree, position, INFINITY);
    return window->clear[sample];
}

/* The step from one sample to the next is as wide as `width`. */
static int front_push(struct window *window, float width, uint32_t sample, uint32_t from,
                      struct failure *failure)
{
    return search_heap_push(&window->front, -(double)width, (uint64_t)sample << 32 | from,
                            "the search for a gap", failure);
}

/* Grow from `start`, the clearest step first, until `goal` is reached; *reached is true then. */
static int grow_to_goal(struct window *window, uint32_t start, uint32_t goal, int *reached,
                        struct failure *failure)
{
    const uint32_t side = 2 * (uint32_t)window->half + 1;
    const uint32_t stride[3] = {1, side, side * side};
    *reached = 0;
    TRY(front_push(window, INFINITY, start, start, failure));
    while (window->front.count > 0) {
        const struct keyed_entry front = search_heap_pop(&window->front);
        const uint32_t sample = (uint32_t)(front.entry >> 32);
        if (window->from[sample] != NO_SAMPLE)
            continue;
        window->from[sample] = (uint32_t)front.entry;
        window->width[sample] = (float)-front.key;
        if (sample == goal) {
            *reached = 1;
            return 0;
        }
        double position[3];
        sample_position(window, sample, position);
        const double clear = sample_clearance(window, sample, position);
        for (int axis = 0; axis < 3; ++axis) {
            const uint32_t at = sample / stride[axis] % side;
            for (int up = 0; up < 2; ++up) {
                if (up ? at + 1 == side : at == 0)
                    continue;
                const uint32_t next = up ? sample + stride[axis] : sample - stride[axis];
                if (window->from[next] != NO_SAMPLE)
                    continue;
                double there[3];
                sample_position(window, next, there);
                const double clear_there = sample_clearance(window, next, there);
                const double width = clearance_between(window->tree, position, clear, there, clear_there,
                                                       window->step, BETWEEN_DEPTH);
                if (width >= 0)
                    TRY(front_push(window, (float)width, next, sample, failure));
            }
        }
    }
    return 0;
}

/* A path through samples, with the smallest clearance of the step that leads to each. */
struct path {
    size_t count;
    double (*point)[3];
    double *width;
};

static void path_free(struct path *path)
{
    free(path->point);
    free(path->width);
    *path = (struct path){0};
}

/* The clearest path inside a window from one place to another; empty if there is none. */
static int clearest_path(const struct clearance *tree, const double from[3], const double to[3],
                         const double centre[3], double step, int half, struct path *out,
                         struct failure *failure)
{
    const size_t side = 2 * (size_t)half + 1;
    struct window window = {.tree = tree, .step = step, .half = half, .samples = side * side * side};
    int code = 0;
    memcpy(window.centre, centre, sizeof window.centre);
    path_free(out);
    window.clear = malloc(window.samples * sizeof *window.clear);
    window.from = malloc(window.samples * sizeof *window.from);
    window.width = malloc(window.samples * sizeof *window.width);
    if (window.clear == NULL || window.from == NULL || window.width == NULL) {
        code = failure_memory(failure, window.samples * 12, "the search for a gap");
        goto done;
    }
    for (size_t n = 0; n < window.samples; ++n) {
        window.clear[n] = -1;
        window.from[n] = NO_SAMPLE;
    }
    const uint32_t start = sample_at(&window, from), goal = sample_at(&window, to);
    int reached = 0;
    if (start == NO_SAMPLE || goal == NO_SAMPLE)
        goto done;
    if ((code = grow_to_goal(&window, start, goal, &reached, failure)) != 0 || !reached)
        goto done;
    size_t count = 1;
    for (uint32_t at = goal; at != start; at = window.from[at])
        ++count;
    out->point = malloc(count * sizeof *out->point);
    out->width = malloc(count * sizeof *out->width);
    if (out->point == NULL || out->width == NULL) {
        code = failure_memory(failure, count * 32, "the path through a gap");
        path_free(out);
        goto done;
    }
    out->count = count;
    uint32_t at = goal;
    for (size_t n = count; n-- > 0; at = window.from[at]) {
        sample_position(&window, at, out->point[n]);
        out->width[n] = n > 0 ? window.width[at] : window.clear[at];
    }
done:
    window_free(&window);
    return code;
}

static double farthest_axis(const double a[3], const double b[3])
{
    return larger(fabs(a[0] - b[0]), larger(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* The ends of the longest stretch around point[middle] that stays within `reach` of `centre` along every
 * axis. */
static void find_stretch(const double (*point)[3], size_t count, size_t middle, const double centre[3],
                         double reach, size_t *first, size_t *last)
{
    *first = *last = middle;
    for (int up = 0; up < 2; ++up) {
        size_t *end = up ? last : first;
        while (up ? *end + 1 < count : *end > 0) {
            const size_t next = up ? *end + 1 : *end - 1;
            if (farthest_axis(point[next], centre) > reach)
                break;
            *end = next;
        }
    }
}

/* Move a place by steps away from the nearest wall until another is as near, within `reach` of `centre` along
 * every axis. */
static void centre_between_walls(const struct clearance *tree, const double centre[3], double reach,
                                 double step, double place[3])
{
    double clear = clearance_at(tree, place, INFINITY), away[3];
    const double small = 0.01 * step;
    for (int axis = 0; axis < 3; ++axis) {
        double beside[2][3];
        for (int up = 0; up < 2; ++up) {
            memcpy(beside[up], place, sizeof beside[up]);
            beside[up][axis] += up ? small : -small;
        }
        away[axis] = clearance_at(tree, beside[1], INFINITY) - clearance_at(tree, beside[0], INFINITY);
    }
    const double length = vector_length(away);
    while (length > 0) {
        double next[3];
        vector_along(place, smaller(step, clear) / length, away, next); /* no wall is nearer than `clear` */
        const double clear_next = clearance_at(tree, next, INFINITY);
        if (!(clear_next > clear) || farthest_axis(next, centre) > reach)
            return;
        memcpy(place, next, sizeof next);
        clear = clear_next;
    }
}

/* The entry where the path narrows most relative to the wider of its two sides, with the largest min(peak
 * before, peak after) / width; the middle one if the path stays that narrow, as through a thick wall.
 * `before` and `after` are peaks beyond its ends. */
static size_t saddle_of(const struct path *path, double before, double after)
{
    size_t best = 0;
    double best_ratio = -1;
    for (size_t n = 0; n < path->count; ++n) {
        before = larger(before, path->width[n]);
        double ahead = after;
        for (size_t m = n; m < path->count; ++m)
            ahead = larger(ahead, path->width[m]);
        const double ratio = smaller(before, ahead) / larger(path->width[n], 1e-300);
        if (ratio > best_ratio) {
            best_ratio = ratio;
            best = n;
        }
    }
    const double alike = 1.02 * path->width[best];
    size_t first = best, last = best;
    while (last + 1 < path->count && path->width[last + 1] <= alike)
        ++last;
    while (first > 0 && path->width[first - 1] <= alike)
        --first;
    return first + (last - first) / 2;
}

/* The narrowest place of the given path itself within two points of `trough`. */
static void narrowest_of(const struct clearance *tree, const double (*point)[3], size_t count, size_t trough,
                         struct gap *out)
{
    enum { PARTS = 16 };
    out->size = INFINITY;
    const size_t first = trough > 2 ? trough - 2 : 0, last = trough + 2 < count ? trough + 2 : count - 1;
    for (size_t n = first; n <= last; ++n) {
        for (int part = 0; part < (n < last ? PARTS : 1); ++part) {
            double place[3];
            for (int axis = 0; axis < 3; ++axis)
                place[axis] =
                    point[n][axis] + (n < last ? part * (point[n + 1][axis] - point[n][axis]) / PARTS : 0.0);
            const double clear = clearance_at(tree, place, INFINITY);
            if (2 * clear < out->size) {
                out->size = 2 * clear;
                memcpy(out->position, place, sizeof place);
            }
        }
    }
}

static int refine_gap(const struct clearance *tree, const double (*point)[3], size_t count, size_t trough,
                      double spacing, double rough, struct gap *out, struct failure *failure)
{
    int code = 0;
    struct path path = {0}, finer = {0};
    narrowest_of(tree, point, count, trough, out);

    /* Steps are h/4, h/2, h, ..: the first window then has the points of the path among its samples. */
    const double reach = larger(2 * rough, rough + 3 * spacing);
    double step = 0.25 * spacing;
    while (reach > HALF_SAMPLES_MAX * step)
        step *= 2;
    int half = (int)ceil(reach / step);
    double centre[3];
    memcpy(centre, point[trough], sizeof centre);
    size_t first, last;
    find_stretch(point, count, trough, centre, half * step, &first, &last);
    double before = 0, after = 0, widest = 0;
    for (size_t n = 0; n <= first; ++n)
        before = larger(before, clearance_at(tree, point[n], INFINITY));
    for (size_t n = last; n < count; ++n)
        after = larger(after, clearance_at(tree, point[n], INFINITY));
    /* If the window ends within the gap, as in a thick wall, the path may end right beside a wall. */
    double end[2][3];
    for (int n = 0; n < 2; ++n) {
        memcpy(end[n], point[n == 0 ? first : last], sizeof end[n]);
        centre_between_walls(tree, centre, half * step, step, end[n]);
    }
    if ((code = clearest_path(tree, end[0], end[1], centre, step, half, &path, failure)) != 0)
        goto done;
    /* Follow an opening that widens beyond the window. */
    for (int moves = 0; moves < MOVES_MAX && path.count > 2; ++moves) {
        const size_t saddle = saddle_of(&path, before, after);
        if (farthest_axis(path.point[saddle], centre) <= 0.5 * half * step)
            break;
        memcpy(centre, path.point[saddle], sizeof centre);
        find_stretch((const double(*)[3])path.point, path.count, saddle, centre, half * step, &first, &last);
        if (first == saddle || last == saddle)
            break;
        if ((code = clearest_path(tree, path.point[first], path.point[last], centre, step, half, &finer,
                                  failure)) != 0)
            goto done;
        if (finer.count <= 2)
            break;
        path_free(&path);
        path = finer;
        finer = (struct path){0};
    }
    while (path.count > 2) {
        const size_t saddle = saddle_of(&path, before, after);
        if (2 * path.width[saddle] < widest)
            break; /* finer samples come closer to the saddle, so this is a different one */
        widest = 2 * path.width[saddle];
        memcpy(out->position, path.point[saddle], sizeof out->position);
        out->size = widest;
        if (step <= larger(0.01 * out->size, spacing / 32))
            break;
        half = 8;
        find_stretch((const double(*)[3])path.point, path.count, saddle, out->position,
                     (half + 0.5) * step / 4, &first, &last);
        if (first == saddle || last == saddle)
            break;
        step /= 4;
        if ((code = clearest_path(tree, path.point[first], path.point[last], out->position, step, half,
                                  &finer, failure)) != 0)
            goto done;
        path_free(&path);
        path = finer;
        finer = (struct path){0};
        /* The ends of a finer window are in the gap and may be narrower than its middle. */
        before = after = 0;
    }
done:
    path_free(&path);
    path_free(&finer);
    return code;
}

int gap_refine(const struct clearance *tree, const double (*point)[3], size_t count, size_t trough,
               double spacing, double rough, struct gap *out, struct failure *failure)
{
    TRY(refine_gap(tree, point, count, trough, spacing, rough, out, failure));
    /* A path along a wall of the gap is nearer to it than the middle: the guess was too small. */
    for (int n = 0; n < GUESSES_MAX && out->size / 2 > rough; ++n) {
        rough = 1.5 * out->size / 2 + spacing;
        TRY(refine_gap(tree, point, count, trough, spacing, rough, out, failure));
    }
    return 0;
}
