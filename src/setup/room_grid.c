/** The air of a room: spacing and lattice from the options, voxelising, packing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "geometry/leak/narrow.h"
#include "geometry/voxel/clearance.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_setup.h"
#include "src/setup/room_space.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int room_setup_lattice(const struct room_setup *setup, double spacing, struct lattice *out,
                       struct failure *failure)
{
    const struct option_point *origin = &setup->options->grid_origin;
    return lattice_fit(setup->low, setup->high, spacing, origin->given ? origin->position : NULL, out,
                       failure);
}

#define FMAX_LEAST 20.0
#define FMAX_MOST  20000.0

int room_setup_resolution(struct room_setup *setup, double fmax, struct failure *failure)
{
    const struct options *options = setup->options;
    const double c = setup->sound_speed;
    double spacing = options->spacing;
    if (spacing > 0) {
        if (options_given(options, "points-per-wavelength"))
            return failure_set(
                failure, FAILURE_INPUT,
                "--spacing and --points-per-wavelength both set the spacing: give one of them");
        const double carries = c / (ROOM_POINTS * spacing);
        if (fmax == 0)
            fmax = carries < FMAX_MOST ? carries : FMAX_MOST;
        if (!(fmax > FMAX_LEAST))
            return failure_set(failure, FAILURE_INPUT,
                               "--spacing %.4g m carries only %.3g Hz; at least %.0f Hz need %.4g m or less",
                               spacing, carries, FMAX_LEAST, c / (ROOM_POINTS * FMAX_LEAST));
        if (c / (fmax * spacing) < ROOM_POINTS_LEAST)
            return failure_set(
                failure, FAILURE_INPUT,
                "--spacing %.4g m gives %.3g points per wavelength at --fmax %.5g Hz, and fewer than "
                "%.0f carry no sound: use --spacing %.4g or --fmax %.5g",
                spacing, c / (fmax * spacing), fmax, ROOM_POINTS_LEAST, c / (ROOM_POINTS_LEAST * fmax),
                c / (ROOM_POINTS_LEAST * spacing));
    } else {
        spacing = c / (options->points * fmax);
    }
    setup->fmax = fmax;
    setup->points = c / (fmax * spacing);
    TRY(time_step_choose(spacing, c, options->courant, &setup->step, failure));
    return room_setup_lattice(setup, spacing, &setup->lattice, failure);
}

/* ---- filling ---- */

/* Places that must be air: all points but a receiver that was placed on an earlier grid. */
static size_t seed_count(const struct room_setup *setup)
{
    return setup->sources + (setup->receiver_is_placed ? 0 : setup->receivers);
}

static struct voxel_seed *make_seeds(const struct room_setup *setup)
{
    const size_t count = seed_count(setup);
    struct voxel_seed *seed = calloc(count + 1, sizeof *seed);
    for (size_t i = 0; seed != NULL && i < count; i++) {
        seed[i].kind = setup->point[i].kind;
        seed[i].name = setup->point[i].name;
        memcpy(seed[i].position, setup->point[i].position, sizeof seed[i].position);
    }
    return seed;
}

/* A source at the clearest place of the largest enclosed cavity, put before the receivers. Where the run's
 * own grid has none, the way out of the model's largest space is told. */
static int place_in_cavity(struct room_setup *setup, const struct lattice *lattice, bool own,
                           struct failure *failure)
{
    const struct voxelise_options voxelise = room_voxelise_options(setup);
    struct voxel_cavity cavity = {0};
    size_t found = 0;
    const int code = voxel_cavities(&setup->mesh, lattice, &voxelise, 1, &cavity, &found, failure);
    if (code != 0)
        return own && code == FAILURE_INPUT ? room_space_refuse_none(setup, failure) : code;
    if (!setup->source_is_cavity) {
        memmove(setup->point + 1, setup->point, setup->receivers * sizeof *setup->point);
        setup->sources = 1;
        setup->source_is_cavity = true;
    }
    setup->point[0] = (struct room_point){.kind = SEED_SOURCE, .name = "S1"};
    memcpy(setup->point[0].position, cavity.position, sizeof cavity.position);
    return 0;
}

/* Take the places that nobody named, now that the air is known: the source of a cavity, which so far stands
 * where the cavity is clearest, and a receiver that was asked for. */
static int place_points(struct room_setup *setup, const struct block_grid *grid,
                        struct voxel_findings *findings, struct failure *failure)
{
    const bool receiver = setup->receiver_is_placed || (setup->place_receiver && setup->receivers == 0);
    if (!receiver && !setup->source_is_cavity)
        return 0;
    const size_t count = setup->sources + (receiver ? 1 : setup->receivers);
    int64_t(*node)[3] = realloc(findings->seed_node, count * sizeof *node);
    if (node == NULL)
        return failure_memory(failure, count * sizeof *node, "positions");
    findings->seed_node = node;
    struct clearance tree = {0};
    TRY(clearance_make(&setup->mesh, &tree, failure));
    struct automatic_wish wish = {
        .height = AUTOMATIC_SOURCE_HEIGHT, .share = 1.0 / 3, .from_too = setup->source_is_cavity};
    struct automatic_place place;
    int code = 0;
    memcpy(wish.from, setup->point[0].position, sizeof wish.from);
    if (setup->source_is_cavity && (code = automatic_place_find(grid, &tree, &wish, &place, failure)) == 0) {
        memcpy(setup->point[0].position, place.position, sizeof place.position);
        memcpy(node[0], place.node, sizeof place.node);
        memcpy(wish.from, place.position, sizeof wish.from);
        setup->source_clearance = place.clearance;
    }
    wish.height = AUTOMATIC_RECEIVER_HEIGHT;
    wish.share = 0.5;
    wish.apart = 2 * grid->lattice.spacing;
    wish.from_too = false;
    if (code == 0 && receiver && (code = automatic_place_find(grid, &tree, &wish, &place, failure)) == 0) {
        struct room_point *point = &setup->point[setup->sources];
        *point = (struct room_point){.kind = SEED_RECEIVER, .name = "R1"};
        memcpy(point->position, place.position, sizeof place.position);
        memcpy(node[setup->sources], place.node, sizeof place.node);
        setup->receiver_clearance = place.clearance;
        setup->receivers = 1;
        setup->receiver_is_placed = true;
    }
    clearance_free(&tree);
    return code;
}

/* Voxelise and pack; with `findings` this is the run's own grid, and a leak is written down. */
static int fill(struct room_setup *setup, const struct lattice *lattice, struct block_grid *grid,
                struct voxel_findings *findings, uint64_t *bytes, struct failure *failure)
{
    struct voxels voxels = {0};
    struct voxel_leak leak = {0};
    struct voxel_seed *seed = NULL;
    int code = 0;
    if ((setup->sources == 0 || setup->source_is_cavity) &&
        (code = place_in_cavity(setup, lattice, findings != NULL, failure)) != 0)
        return code;
    struct voxelise_options voxelise_options = room_voxelise_options(setup);
    voxelise_options.find_ways = setup->find_ways && findings != NULL;
    seed = make_seeds(setup);
    if (seed == NULL) {
        code = failure_memory(failure, seed_count(setup) * sizeof *seed, "positions");
        goto done;
    }
    code = voxelise(&setup->mesh, lattice, seed, seed_count(setup), &voxelise_options, &voxels, findings,
                    &leak, failure);
    if (code != 0) {
        if (findings != NULL && leak.point_count > 0 && failure != NULL)
            room_setup_tell_leak(setup, &leak, failure);
        goto done;
    }
    *bytes = voxels_bytes(&voxels);
    code = block_grid_pack(&voxels, grid, failure);
    if (code == 0 && findings != NULL &&
        ((code = room_rescale_areas(setup, grid, findings, &setup->areas, failure)) != 0 ||
         (code = place_points(setup, grid, findings, failure)) != 0))
        block_grid_free(grid);
done:
    free(seed);
    voxels_free(&voxels);
    voxel_leak_free(&leak);
    return code;
}

int room_setup_fill_on(struct room_setup *setup, const struct lattice *lattice, struct block_grid *grid,
                       uint64_t *voxels_bytes_out, struct failure *failure)
{
    return fill(setup, lattice, grid, NULL, voxels_bytes_out, failure);
}

/* All narrow openings in one warning: the narrowest, and where a few of the others are. */
static void warn_of_narrow(struct room_setup *setup)
{
    enum { OTHERS = 3 };
    const struct voxel_findings *findings = &setup->findings;
    const size_t count = findings->narrow_count;
    char place[ROOM_PLACE_MAX], others[(ROOM_PLACE_MAX + 2) * OTHERS + 16] = "";
    size_t narrowest = 0, listed = 0;
    for (size_t i = 1; i < count; i++)
        if (findings->narrow[i].width < findings->narrow[narrowest].width)
            narrowest = i;
    for (size_t i = 0; i < count && listed < OTHERS; i++) {
        const size_t used = strlen(others);
        if (i != narrowest)
            snprintf(others + used, sizeof others - used, "%s%s", listed++ == 0 ? "; others at " : "; ",
                     room_place(findings->narrow[i].position, place));
    }
    if (count > 0)
        room_warn(
            setup,
            "%zu%s opening%s under three grid points of %.3g m wide, the narrowest %.3g m at %s%s: what "
            "passes there is wrong; a smaller --spacing or a higher --fmax mends it",
            count, count == NARROW_LISTED_MAX ? " or more" : "", count == 1 ? " is" : "s are",
            setup->step.spacing, findings->narrow[narrowest].width,
            room_place(findings->narrow[narrowest].position, place), others);
}

static void tell_findings(struct room_setup *setup)
{
    const struct voxel_findings *findings = &setup->findings;
    char place[ROOM_PLACE_MAX];
    if (setup->options->seal > 0) {
        room_say(setup, "--seal %.3g m closed %zu crack%s, %llu links", setup->options->seal,
                 findings->sealed_count, findings->sealed_count == 1 ? "" : "s",
                 (unsigned long long)findings->sealed_links);
        for (size_t i = 0; i < findings->sealed_count && i < 16; i++)
            room_say(setup, "  %.3g m wide at %s, %llu links", findings->sealed[i].width,
                     room_place(findings->sealed[i].position, place),
                     (unsigned long long)findings->sealed[i].links);
    }
    warn_of_narrow(setup);
    if (findings->open_face_links > 0)
        room_say(setup, "open scene: %llu links at the faces of the box absorb",
                 (unsigned long long)findings->open_face_links);
    if (setup->source_is_cavity)
        room_say(setup, "no source: the largest enclosed cavity is taken, at %s, %.3g m from any surface",
                 room_place(setup->point[0].position, place), setup->source_clearance);
    if (setup->receiver_is_placed)
        room_say(setup, "no receiver: one is placed at %s, %.3g m from any surface",
                 room_place(setup->point[setup->sources].position, place), setup->receiver_clearance);
    room_space_tell(setup);
    room_tell_areas(setup);
}

int room_setup_fill(struct room_setup *setup, struct failure *failure)
{
    const double start = now();
    struct block_grid grid = {0};
    voxel_findings_free(&setup->findings);
    block_grid_free(&setup->grid);
    wall_areas_free(&setup->areas);
    TRY(fill(setup, &setup->lattice, &grid, &setup->findings, &setup->voxels_bytes, failure));
    setup->grid = grid;
    setup->fill_seconds = now() - start;
    TRY(room_space_judge(setup, failure));
    tell_findings(setup);
    TRY(room_receiver_grids_make(setup, failure));
    return room_interrupted(failure);
}

/* ---- the same room on another grid ---- */

int room_setup_shifted(const struct room_setup *setup, struct room_setup *out, struct failure *failure)
{
    struct failure inner = {0};
    const double half = setup->step.spacing / 2, *at = setup->lattice.origin;
    const double origin[3] = {at[0] + half, at[1] + half, at[2] + half};
    const double start = now();
    *out = *setup;
    out->findings = (struct voxel_findings){0};
    out->grid = (struct block_grid){0};
    out->areas = (struct wall_areas){0};
    out->receiver_grid = NULL;
    out->receiver_grids = out->grid_points = 0;
    out->warning = NULL;
    out->warning_count = 0;
    int code = lattice_fit(setup->low, setup->high, setup->step.spacing, origin, &out->lattice, &inner);
    if (code == 0)
        code = fill(out, &out->lattice, &out->grid, &out->findings, &out->voxels_bytes, &inner);
    if (code == 0)
        code = room_receiver_grids_move(setup, out, &inner);
    out->fill_seconds = now() - start;
    if (code != 0)
        failure_set(failure, (enum failure_code)code, "on the grid moved by half a cell: %s", inner.sentence);
    return code;
}

void room_setup_shifted_free(struct room_setup *shifted)
{
    voxel_findings_free(&shifted->findings);
    block_grid_free(&shifted->grid);
    wall_areas_free(&shifted->areas);
    room_receiver_grids_free(shifted);
    for (size_t i = 0; i < shifted->warning_count; i++)
        free(shifted->warning[i]);
    free(shifted->warning);
    *shifted = (struct room_setup){0};
}
