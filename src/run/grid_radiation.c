#include "src/run/grid_radiation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/fitted_stencil.h"
#include "src/run/receiver_map.h"
#include "src/setup/radiation/pattern_drive.h"

#define PI 3.14159265358979323846

/* Least relative root mean square error of a multipole's taps that is reported. */
#define MISFIT_TOLD 0.06

struct grid_radiation {
    size_t channels;
    struct stencil *tap; /* (channels) owned */
};

void grid_radiation_free(struct grid_run *run)
{
    if (run->radiation != NULL)
        free(run->radiation->tap);
    free(run->radiation);
    run->radiation = NULL;
}

/* ---- taps ---------------------------------------------------------------------------------------------- */

/* The centre of all receivers, including receiver grids. */
static void middle_of_receivers(const struct grid_run *run, double middle[3])
{
    const struct room_points *points = &run->setup->points;
    double count = (double)points->receivers;
    for (int k = 0; k < 3; k++)
        middle[k] = 0.0;
    for (size_t r = 0; r < points->receivers; r++)
        for (int k = 0; k < 3; k++)
            middle[k] += points->point[points->sources + r].position[k];
    for (size_t g = 0; g < run->grid->receiver_grids; g++) {
        const struct receiver_grid *grid = &run->grid->receiver_grid[g];
        count += (double)grid->count;
        for (size_t i = 0; i < grid->count; i++)
            for (int k = 0; k < 3; k++)
                middle[k] += grid->position[i][k];
    }
    for (int k = 0; k < 3; k++)
        middle[k] /= fmax(count, 1.0);
}

static const struct source_direction *direction_of(const struct grid_run *run, size_t source)
{
    return &run->setup->directions.of[source];
}

static int place_source(struct grid_run *run, size_t source, struct failure *failure)
{
    const struct source_direction *direction = direction_of(run, source);
    const struct room_point *point = &run->setup->points.point[source];
    struct stencil *tap = run->radiation->tap + grid_radiation_first(run, source);
    double worst = 0.0;
    if (direction->members > 0)
        return 0;
    tap[0] = run->stencil[source];
    for (size_t i = 1; i < source_channels(direction); i++) {
        double misfit;
        TRY(stencil_make_multipole(&run->grid->packed, point->position, run->grid->findings.seed_node[source],
                                   2.0 * PI / run->grid->points_per_wavelength, (int)i, &tap[i], &misfit,
                                   failure));
        worst = fmax(worst, misfit);
    }
    if (worst > MISFIT_TOLD)
        room_warn(run->notices,
                  "source %s is so near walls or objects that its directivity is wrong by up to %.0f %%: "
                  "move it away from them, or use a finer grid",
                  point->name, 100.0 * worst);
    return 0;
}

int grid_radiation_place(struct grid_run *run, struct failure *failure)
{
    const size_t sources = run->setup->points.sources;
    double middle[3];
    struct grid_radiation *radiation = run->radiation = calloc(1, sizeof *radiation);
    if (radiation == NULL)
        return failure_memory(failure, sizeof *radiation, "the taps of sources");
    radiation->channels = source_first_channel(&run->setup->directions, sources);
    radiation->tap = calloc(radiation->channels + 1, sizeof *radiation->tap);
    if (radiation->tap == NULL)
        return failure_memory(failure, radiation->channels * sizeof *radiation->tap, "the taps of sources");
    middle_of_receivers(run, middle);
    for (size_t s = 0; s < sources; s++) {
        struct source_direction *direction = &run->setup->directions.of[s];
        source_front(direction, run->setup->points.point[s].position, middle, direction->front);
        direction->placed = true;
        TRY(place_source(run, s, failure));
    }
    return 0;
}

size_t grid_radiation_channels(const struct grid_run *run)
{
    return run->radiation->channels;
}

const struct stencil *grid_radiation_taps(const struct grid_run *run)
{
    return run->radiation->tap;
}

size_t grid_radiation_first(const struct grid_run *run, size_t source)
{
    return source_first_channel(&run->setup->directions, source);
}

size_t grid_radiation_longer(const struct grid_run *run, size_t source)
{
    return source_longer_lead(&run->setup->directions, source, &run->grid->step, run->grid->fmax);
}

/* The members of a source; of one that sounds alone itself, into `alone`. */
static size_t members_of(const struct grid_run *run, size_t source, struct source_member *alone,
                         const struct source_member **member)
{
    const struct source_direction *direction = direction_of(run, source);
    *alone = (struct source_member){.source = source, .gain = 1.0};
    *member = direction->members > 0 ? direction->member : alone;
    return direction->members > 0 ? direction->members : 1;
}

bool grid_radiation_at_wall(const struct grid_run *run, size_t source)
{
    struct source_member alone;
    const struct source_member *member;
    const size_t members = members_of(run, source, &alone, &member);
    bool touches = false;
    for (size_t m = 0; m < members; m++) {
        const size_t first = grid_radiation_first(run, member[m].source),
                     count = source_channels(direction_of(run, member[m].source));
        for (size_t c = first; c < first + count; c++)
            touches = touches || stencil_touches_wall(&run->grid->packed, &run->radiation->tap[c]);
    }
    return touches;
}

/* ---- paths --------------------------------------------------------------------------------------------- */

void grid_radiation_join_paths(struct grid_run *run)
{
    const struct room_points *points = &run->setup->points;
    const double speed = run->setup->model.sound_speed;
    for (size_t s = 0; s < points->sources; s++) {
        const struct source_direction *direction = direction_of(run, s);
        for (size_t m = 0; m < direction->members; m++) {
            const struct source_member *member = &direction->member[m];
            for (size_t r = 0; r < points->receivers; r++) {
                struct grid_pair *own = &run->pair[s * points->receivers + r];
                const struct grid_pair *other = &run->pair[member->source * points->receivers + r];
                const double length = other->path.length + speed * member->delay;
                if (m > 0 && !(length < own->path.length))
                    continue;
                own->path = other->path;
                own->path.length = length;
                own->distance = other->distance;
            }
            for (size_t g = 0; g < run->grid->receiver_grids; g++) {
                struct receiver_map *own = &run->map[s * run->grid->receiver_grids + g];
                const struct receiver_map *other = &run->map[member->source * run->grid->receiver_grids + g];
                for (size_t i = 0; i < own->points; i++) {
                    const double length = other->path[i].length + speed * member->delay;
                    if (m > 0 && !(length < own->path[i].length))
                        continue;
                    own->path[i] = other->path[i];
                    own->path[i].length = length;
                    own->distance[i] = other->distance[i];
                }
            }
        }
    }
}

/* ---- drives -------------------------------------------------------------------------------------------- */

void grid_drives_free(struct grid_drives *drives)
{
    for (size_t c = 0; drives->drive != NULL && c < drives->count; c++)
        response_drive_free(&drives->drive[c]);
    free(drives->drive);
    free(drives->channel);
    *drives = (struct grid_drives){0};
}

static int make_drives(const struct grid_run *run, size_t lead, const struct source_member *member,
                       size_t members, struct grid_drives *out, struct failure *failure)
{
    size_t made = 0;
    for (size_t m = 0; m < members; m++) {
        const size_t source = member[m].source, first = grid_radiation_first(run, source);
        const struct source_direction *direction = direction_of(run, source);
        struct response_drive drive[HARMONICS];
        struct pattern_drive of = {.step = run->grid->step,
                                   .fmax = run->grid->fmax,
                                   .pattern = &direction->pattern,
                                   .gain = member[m].gain,
                                   .delay = member[m].delay,
                                   .lead = lead};
        memcpy(of.front, direction->front, sizeof of.front);
        TRY(pattern_drive_make(&of, drive, failure));
        for (size_t i = 0; i < HARMONICS; i++) {
            if (i >= source_channels(direction)) {
                response_drive_free(&drive[i]);
                continue;
            }
            out->driven = drive[i].count > out->driven ? drive[i].count : out->driven;
            out->drive[made] = drive[i];
            out->channel[made] = (struct source_channel){
                .source = first + i,
                .drive = &out->drive[made],
                .push = stencil_push(&run->grid->packed, &run->radiation->tap[first + i]),
                .sum = i == 0 ? 1.0 : 0.0};
            made++;
        }
    }
    return 0;
}

int grid_radiation_drives(const struct grid_run *run, size_t source, struct grid_drives *out,
                          struct failure *failure)
{
    const struct source_direction *direction = direction_of(run, source);
    struct source_member alone;
    const struct source_member *member;
    const size_t members = members_of(run, source, &alone, &member);
    if (direction->members == 0 && !source_has_direction(direction))
        return 0;
    for (size_t m = 0; m < members; m++)
        out->count += source_channels(direction_of(run, member[m].source));
    out->drive = calloc(out->count, sizeof *out->drive);
    out->channel = calloc(out->count, sizeof *out->channel);
    if (out->drive == NULL || out->channel == NULL)
        return failure_memory(failure, out->count * sizeof *out->channel, "the drives of a source");
    return make_drives(run,
                       response_lead(&run->grid->step, run->grid->fmax) + grid_radiation_longer(run, source),
                       member, members, out, failure);
}
