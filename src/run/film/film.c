#include "src/run/film/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/table/number_text.h"
#include "src/base/disk_space.h"
#include "src/run/instruments/play.h"
#include "src/run/plan/estimate.h"

void film_free(struct film *film)
{
    for (size_t s = 0; s < film->slices; s++) {
        picture_plane_free(&film->slice[s].plane);
        free(film->slice[s].curve);
    }
    response_drive_free(&film->pulse);
    free(film->frame);
    free(film->step);
    *film = (struct film){0};
}

const char *film_in_own_time(const struct film *film)
{
    return film->setup->grid.step.scheme == SCHEME_ISOTROPIC
               ? "that of the grid: high frequencies arrive late in pictures, but not in responses"
               : NULL;
}

const char *film_unit(const struct film *film)
{
    return film->play != NULL ? "1 Pa" : "the crest of the pulse at 1 m in free field";
}

double film_time(const struct film *film, uint64_t step)
{
    return ((double)step - (double)film->pulse.lead) / film->setup->grid.step.rate;
}

/* ---- planes ---- */

static int add_slice(struct film *film, int axis, double position, struct failure *failure)
{
    struct film_slice *slice = &film->slice[film->slices];
    TRY(picture_plane_make(&film->setup->grid.packed, axis, position, &slice->plane, failure));
    film->slices++;
    slice->paint = (struct picture_paint){.scale = (enum paint_scale)film->own->scale,
                                          .full = film->own->full,
                                          .zoom = picture_zoom(slice->plane.size[0], PAINT_LEAST)};
    slice->legend = (struct picture_legend){.metre = slice->paint.zoom / film->setup->grid.step.spacing};
    snprintf(slice->legend.line[1], LEGEND_TEXT, "%c = %.2f m", "xyz"[axis], slice -> plane.position);
    picture_legend_ticks(&slice->paint, &slice->legend);
    slice->paint.legend = film->own->plain ? NULL : &slice->legend;
    TRY(film_draw_drums(film, slice, failure));
    snprintf(slice->name, sizeof slice->name, "slice_%c%.2f", "xyz"[axis], position);
    for (size_t s = 0; s + 1 < film->slices; s++) {
        const struct film_slice *other = &film->slice[s];
        if (other->plane.axis == axis &&
            (other->plane.layer == slice->plane.layer || strcmp(other->name, slice->name) == 0))
            return failure_set(
                failure, FAILURE_INPUT,
                "two slices at about %c = %.6g m would show the same layer of nodes or have the same name: "
                "the spacing is %.3g m, and names have centimetres",
                "xyz"[axis], position, film -> setup -> grid.step.spacing);
    }
    return 0;
}

static int find_slices(struct film *film, struct failure *failure)
{
    const struct film_options *own = film->own;
    for (size_t s = 0; s < own->slice.count; s++)
        TRY(add_slice(film, own->plane[s].axis, own->plane[s].position, failure));
    const int across = film->play != NULL ? 1 : 2; /* through a membrane, or level at a source */
    if (own->slice.count == 0 && own->field == NULL)
        return add_slice(film, across, film->setup->points.point[0].position[across], failure);
    return 0;
}

/* ---- times ---- */

/* Fewest decimals, 1 to 3, that distinguish all times of slices. */
static int digits_of(const double *time, size_t count)
{
    int digits = 1;
    for (size_t i = 0; i < count; i++)
        for (; digits < 3; digits++) {
            const double shown = time[i] * 1000.0 * pow(10.0, digits);
            if (fabs(shown - round(shown)) < 1e-6)
                break;
        }
    return digits;
}

static void add_frames(struct film *film, const double *time, size_t count, bool field)
{
    for (size_t i = 0; i < count; i++)
        film->frame[film->frames++] = (struct film_frame){
            .asked = time[i],
            .step = film->pulse.lead + (uint64_t)llround(time[i] * film->setup->grid.step.rate),
            .slices = !field,
            .field = field,
            .index = field ? 0 : i,
            .field_index = field ? i : 0};
}

static int compare_frames(const void *a, const void *b)
{
    const struct film_frame *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

/* Frames at the same step become one. Two of a kind at one step would show the same: if their times were
 * not requested, the earlier is taken. */
static int join_frames(struct film *film, struct failure *failure)
{
    size_t kept = 0;
    qsort(film->frame, film->frames, sizeof *film->frame, compare_frames);
    for (size_t i = 0; i < film->frames; i++) {
        struct film_frame *last = kept > 0 ? &film->frame[kept - 1] : NULL, *frame = &film->frame[i];
        if (last == NULL || last->step != frame->step) {
            film->frame[kept++] = *frame;
            continue;
        }
        const bool auto_twice = last->slices && frame->slices && film->own->every == 0.0;
        if ((last->slices && frame->slices && !auto_twice) || (last->field && frame->field))
            return failure_set(
                failure, FAILURE_INPUT,
                "pictures at %.6g and %.6g s would show the same step: the run has one every %.3g s",
                last->asked, frame->asked, 1.0 / film->setup->grid.step.rate);
        if (frame->slices && (!last->slices || frame->index < last->index))
            last->index = frame->index;
        if (frame->field)
            last->field_index = frame->field_index;
        last->slices |= frame->slices;
        last->field |= frame->field;
    }
    film->frames = kept;
    size_t slices = 0;
    for (size_t i = 0; film->own->every == 0.0 && i < kept; i++)
        if (film->frame[i].slices)
            film->frame[i].index = slices++; /* without gaps */
    for (size_t i = 0; i < kept; i++)
        film->step[i] = film->frame[i].step;
    return 0;
}

int film_prepare(struct film *film, struct failure *failure)
{
    const struct room_setup *setup = film->setup;
    const struct film_options *own = film->own;
    const size_t times = own->slice_times + own->field_times;
    film->shown = (struct picture_pressure){.factor = FILM_PRESSURE};
    film->pulse.lead = 1;
    if (film->play != NULL)
        film->shown = (struct picture_pressure){film->play->air_density * setup->grid.step.rate, true};
    else
        TRY(film_pulse_make(setup->grid.step.rate, setup->grid.fmax, &film->pulse, failure));
    TRY(find_slices(film, failure));
    film->frame = calloc(times, sizeof *film->frame);
    film->step = calloc(times, sizeof *film->step);
    if (film->frame == NULL || film->step == NULL)
        return failure_memory(failure, times * sizeof *film->frame, "the times of a film");
    film->digits = digits_of(own->slice_time, own->slice_times);
    add_frames(film, own->slice_time, own->slice_times, false);
    add_frames(film, own->field_time, own->field_times, true);
    return join_frames(film, failure);
}

/* ---- room on the disk ---- */

double film_bytes(const struct film *film)
{
    const int files = film->own->files;
    const double block = 5.0 * BLOCK_NODES + 24.0, head = 1e4;
    double bytes = head + (double)film->own->field_times * (head + block * film->setup->grid.packed.blocks);
    for (size_t s = 0; s < film->slices; s++) {
        const struct film_slice *slice = &film->slice[s];
        const double nodes = (double)slice->plane.size[0] * (double)slice->plane.size[1];
        /* Pixels of a node are alike, so about a byte a node remains after compression. */
        const double picture =
            (files != FILM_VTKHDF ? head + 2.0 * nodes : 0) + (files != FILM_PNG ? head + 5.0 * nodes : 0);
        bytes += (double)film->own->slice_times * picture;
    }
    return bytes;
}

int film_refuse_full_disk(const struct film *film, struct failure *failure)
{
    char wanted[32], there[32];
    const double free_bytes = disk_free(film->folder->path), bytes = film_bytes(film);
    if (bytes <= free_bytes)
        return 0;
    (void)failure_set(failure, FAILURE_OUTPUT, "%s: the pictures take up to %s, and the disk has %s left",
                      film->folder->path, format_bytes(bytes, wanted), format_bytes(free_bytes, there));
    (void)failure_fix(FAILURE_OUTPUT, failure, "take fewer times or fewer slices");
    return failure_advise(FAILURE_OUTPUT, failure, ADVICE_COARSER_GRID, 0);
}
