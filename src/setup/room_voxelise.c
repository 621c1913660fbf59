#include "src/setup/room_voxelise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/plaquettes.h"
#include "geometry/leak/narrow.h"
#include "geometry/mesh/mesh_extend.h"
#include "geometry/room/largest_space.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/coplanar.h"
#include "kernels/scheme/layer_law.h"
#include "rooms/text/table_text.h"
#include "src/base/interrupt.h"
#include "src/base/progress_line.h"
#include "src/base/words/words.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_areas.h"
#include "src/setup/room_leak.h"
#include "src/setup/room_receiver_grids.h"
#include "src/setup/room_space.h"
#include "src/setup/room_walls.h"

/* ---- points without a given position ---- */

/* Find the clearest place of the largest enclosed cavity. An open scene also encloses the air around the
 * room, which may be larger than the room. There, use the model's largest space, if it has one. */
static int find_cavity(const struct room_setup *setup, double position[3], struct failure *failure)
{
    struct voxelise_options voxelise = room_voxelise_options(&setup->request, &setup->model);
    struct voxel_cavity cavity = {0};
    size_t found = 0;
    if (voxelise.open) {
        struct largest_space largest;
        voxelise.open = false;
        TRY(largest_space_find(&setup->model.mesh, &voxelise, NULL, 0, 0, &largest, failure));
        memcpy(position, largest.position, sizeof largest.position);
        voxelise.open = true;
        if (largest.volume > 0)
            return 0;
    }
    TRY(voxel_cavities(&setup->model.mesh, &setup->grid.lattice, &voxelise, 1, &cavity, &found, failure));
    memcpy(position, cavity.position, sizeof cavity.position);
    return 0;
}

/* Without a source, place one there, before the receivers. If the run's own grid has no cavity, the path out
 * of the model's largest space is reported. */
static int place_in_cavity(struct room_setup *setup, bool own, struct failure *failure)
{
    struct room_points *points = &setup->points;
    double position[3];
    if (points->sources > 0 && !points->source_is_cavity)
        return 0;
    const int code = find_cavity(setup, position, failure);
    if (code != 0)
        return own && code == FAILURE_INPUT ? room_space_refuse_none(setup, failure) : code;
    if (!points->source_is_cavity) {
        memmove(points->point + 1, points->point, points->receivers * sizeof *points->point);
        points->sources = 1;
        points->source_is_cavity = true;
    }
    points->point[0] = (struct room_point){.kind = SEED_SOURCE, .name = "S1"};
    memcpy(points->point[0].position, position, sizeof position);
    return 0;
}

/* Choose the places that were not given, now that the air is known: the source of a cavity, so far at its
 * clearest place, and a requested receiver. */
static int place_points(struct room_setup *setup, struct failure *failure)
{
    struct room_points *points = &setup->points;
    const struct block_grid *grid = &setup->grid.packed;
    struct voxel_findings *findings = &setup->grid.findings;
    const bool receiver =
        points->receiver_is_placed || (setup->request.points.place_receiver && points->receivers == 0);
    if (!receiver && !points->source_is_cavity)
        return 0;
    const size_t count = points->sources + (receiver ? 1 : points->receivers);
    int64_t(*node)[3] = realloc(findings->seed_node, count * sizeof *node);
    if (node == NULL)
        return failure_memory(failure, count * sizeof *node, "positions");
    findings->seed_node = node;
    struct clearance tree = {0};
    TRY(clearance_make(&setup->model.mesh, &tree, failure));
    struct automatic_wish wish = {.height = AUTOMATIC_SOURCE_HEIGHT,
                                  .share = 1.0 / 3,
                                  .inside = setup->request.grid.open,
                                  .from_too = points->source_is_cavity};
    struct automatic_place place;
    int code = 0;
    memcpy(wish.from, points->point[0].position, sizeof wish.from);
    if (points->source_is_cavity && (code = automatic_place_find(grid, &tree, &wish, &place, failure)) == 0) {
        memcpy(points->point[0].position, place.position, sizeof place.position);
        memcpy(node[0], place.node, sizeof place.node);
        memcpy(wish.from, place.position, sizeof wish.from);
        points->source_clearance = place.clearance;
    }
    wish.height = AUTOMATIC_RECEIVER_HEIGHT;
    wish.share = 0.5;
    wish.apart = 2 * grid->lattice.spacing;
    wish.from_too = false;
    if (code == 0 && receiver && (code = automatic_place_find(grid, &tree, &wish, &place, failure)) == 0) {
        struct room_point *point = &points->point[points->sources];
        *point = (struct room_point){.kind = SEED_RECEIVER, .name = "R1"};
        memcpy(point->position, place.position, sizeof place.position);
        memcpy(node[points->sources], place.node, sizeof place.node);
        points->receiver_clearance = place.clearance;
        points->receivers = 1;
        points->receiver_is_placed = true;
    }
    clearance_free(&tree);
    return code;
}

/* ---- voxelising and packing ---- */

/* Places that must be air: all points but a receiver that was placed on an earlier grid. */
static size_t seed_count(const struct room_points *points)
{
    return points->sources + (points->receiver_is_placed ? 0 : points->receivers);
}

static struct voxel_seed *make_seeds(const struct room_points *points, size_t count)
{
    const size_t named = room_points_named(points);
    struct voxel_seed *seed = calloc(count + 1, sizeof *seed);
    for (size_t i = 0; seed != NULL && i < count; i++) {
        seed[i].kind = points->point[i].kind;
        seed[i].name = points->point[i >= named && i < points->sources ? i - named : i].name;
        seed[i].noun = points->point[i].noun;
        memcpy(seed[i].position, points->point[i].position, sizeof seed[i].position);
    }
    return seed;
}

/* Give the masses for `step`, which the grid determines unless it was requested. */
static int give_masses(const struct room_setup *setup, bool settle, struct block_grid *packed,
                       struct time_step *step, struct cut_masses *out, struct failure *failure)
{
    const struct grid_request *grid = &setup->request.grid;
    if (settle && grid->courant == 0 && grid->courant_share == 0)
        return room_masses_settle(grid, packed, setup->model.sound_speed, step, out, failure);
    return cut_masses_make(packed, step->lambda2, out, failure);
}

/* Fit `plain` to an open scene, and make `grown` from it. Faces of the box that are not closed get a layer of
 * cells, `planes` by face of `grown`, into which the walls continue. It begins with the first cell wholly
 * beyond the box, so that it contains no area of the model. */
static int open_up(const struct room_model *model, struct lattice *plain, struct lattice *grown,
                   uint8_t planes[DIRECTIONS], int threads, struct mesh *out, struct failure *failure)
{
    bool open[DIRECTIONS];
    double by[DIRECTIONS] = {0};
    const double phase[3] = {plain->origin[0], plain->origin[1], plain->origin[2]};
    TRY(lattice_fit(model->low, model->high, plain->spacing, phase, plain, failure));
    mesh_open_faces(&model->mesh, model->low, model->high, open);
    *grown = *plain;
    for (int d = 0; d < DIRECTIONS; d++) {
        const int axis = d / 2;
        const double first = plain->origin[axis],
                     last = first + (double)(plain->nodes[axis] - 1) * plain->spacing,
                     beyond = d % 2 == 0 ? first - model->low[axis] : model->high[axis] - last;
        if (!open[d])
            continue;
        const int64_t added = LAYER_CELLS + (beyond > (0.5 + 1e-9) * plain->spacing);
        planes[d] = LAYER_CELLS;
        by[d] = (double)(added + 1) * plain->spacing;
        grown->nodes[axis] += added;
        if (d % 2 == 0)
            grown->origin[axis] -= (double)added * plain->spacing;
    }
    TRY(mesh_extend(&model->mesh, model->low, model->high, by, out, failure));
    return face_overlaps_find(out, threads, failure);
}

/* Replace the voxels of an open scene by those with its layer, and find the nodes of its positions there. */
static int with_layer(const struct mesh *carried, const struct lattice *grown, const struct voxel_seed *seed,
                      size_t seeds, const struct voxelise_options *asked, struct voxels *voxels,
                      struct voxel_findings *findings, struct failure *failure)
{
    struct voxelise_options options = *asked;
    struct voxel_findings found = {0};
    struct voxel_leak leak = {0};
    options.find_leak_paths = false;
    voxels_free(voxels);
    *voxels = (struct voxels){0};
    const int code = voxelise(carried, grown, seed, seeds, &options, voxels, &found, &leak, failure);
    if (code == 0 && findings != NULL) {
        free(findings->seed_node);
        findings->seed_node = found.seed_node;
        found.seed_node = NULL;
    }
    voxel_findings_free(&found);
    voxel_leak_free(&leak);
    return code;
}

/* Check that the grid has cells at the ears of every dummy head. */
static int check_heads(const struct room_setup *setup, struct failure *failure)
{
    const struct room_grid *grid = &setup->grid;
    const double scaled = setup->request.plan.scaled_to, spacing = scaled > 0 ? scaled : grid->step.spacing;
    for (size_t h = 0; h < setup->points.heads; h++) {
        const struct dummy_head *head = &setup->points.head[h];
        const double most = head->radius / DUMMY_HEAD_SPACINGS;
        if (spacing > most * (1 + 1e-9))
            return failure_set(
                failure, FAILURE_INPUT,
                "a grid of %.4g m is too coarse for the dummy head %s of %.3g m radius, whose ears would be "
                "off by more than 1 dB: it needs a spacing of %.4g m or less, at %.3g points per wavelength "
                "%.4g Hz or more",
                spacing, head->name, head->radius, most, grid->points_per_wavelength,
                setup->model.sound_speed / (grid->points_per_wavelength * most));
    }
    return 0;
}

/* Voxelise and pack on `lattice`. With `out` the grid is to be run: `out` gets the findings, and with masses
 * the time step, and a leak is written to a file. Without, it is only for a plan. */
static int fill_grid(const struct room_setup *setup, const struct lattice *lattice, struct time_step *step,
                     struct room_grid *out, struct block_grid *packed, uint64_t *bytes,
                     struct failure *failure)
{
    struct cut_masses masses = {0};
    /* A receiver that was placed must be in the air of every later grid, too. */
    const bool beside = out != NULL && out != &setup->grid;
    /* On a grid to plan from, which may be coarse, ears may be in no air. */
    const size_t seeds = out == NULL && setup->points.heads > 0 ? setup->points.sources
                         : beside ? setup->points.sources + setup->points.receivers
                                  : seed_count(&setup->points);
    struct voxels voxels = {0};
    struct voxel_leak leak = {0};
    struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    options.find_leak_paths = setup->request.grid.find_leak_paths && out != NULL;
    options.cells = setup->request.engine.walls == WALLS_CONFORMAL;
    struct voxel_seed *seed = make_seeds(&setup->points, seeds);
    if (seed == NULL)
        return failure_memory(failure, seeds * sizeof *seed, "positions");
    struct lattice plain = *lattice, grown = plain; /* findings of an open scene are without its layer */
    struct mesh carried = {0};
    uint8_t planes[DIRECTIONS] = {0};
    const bool open = setup->request.grid.open;
    int code = open ? open_up(&setup->model, &plain, &grown, planes, options.threads, &carried, failure) : 0;
    if (code == 0 && (out != NULL || !open))
        code = voxelise(&setup->model.mesh, &plain, seed, seeds, &options, &voxels,
                        out != NULL ? &out->findings : NULL, &leak, failure);
    if (code == 0 && open)
        code = with_layer(&carried, &grown, seed, seeds, &options, &voxels,
                          out != NULL ? &out->findings : NULL, failure);
    if (code != 0) {
        if (out != NULL && leak.point_count > 0 && failure != NULL)
            room_note_leak(setup, &leak, failure);
        goto done;
    }
    *bytes = voxels_bytes(&voxels);
    const bool isotropic = setup->request.grid.scheme == SCHEME_ISOTROPIC;
    code = isotropic ? block_grid_pack_slabs(&voxels, packed, failure)
                     : block_grid_pack(&voxels, packed, failure);
    if (code != 0)
        goto done;
    voxels_free(&voxels);
    memcpy(packed->layer, planes, sizeof planes);
    code = room_sheets_hang(setup, &packed->lattice, packed, failure);
    if (code == 0 && isotropic)
        code = block_grid_widen(packed, failure);
    if (code == 0 && room_has_masses(&setup->request))
        code = give_masses(setup, out != NULL, packed, step, &masses, failure);
    if (code == 0)
        code = room_sheets_give(setup, step, packed, failure);
    if (code == 0 && out != NULL)
        code = room_rescale_areas(setup, packed, &out->findings, &out->areas, failure);
    if (code == 0 && out != NULL)
        room_sheets_measure(setup, packed, &out->areas);
    if (code != 0) {
        block_grid_free(packed);
    } else if (out != NULL) {
        out->masses = masses;
        out->lattice = packed->lattice;
    }
done:
    free(seed);
    mesh_free(&carried);
    voxels_free(&voxels);
    voxel_leak_free(&leak);
    return code;
}

int room_voxelise_survey(struct room_setup *setup, struct block_grid *packed, uint64_t *voxels_bytes_out,
                         struct failure *failure)
{
    TRY(place_in_cavity(setup, false, failure));
    return fill_grid(setup, &setup->grid.lattice, &setup->grid.step, NULL, packed, voxels_bytes_out, failure);
}

/* ---- printed findings ---- */

/* All narrow openings in one warning: the narrowest, and where a few of the others are. */
static void warn_of_narrow(struct room_setup *setup)
{
    enum { OTHERS = 3 };
    const struct voxel_findings *findings = &setup->grid.findings;
    const size_t count =
        setup->request.plan.scaled_to > 0 ? 0 : findings->narrow_count; /* of the run's grid */
    char place[ROOM_PLACE_MAX], others[(ROOM_PLACE_MAX + 2) * OTHERS + 16] = "";
    size_t narrowest = 0, listed = 0;
    for (size_t i = 1; i < count; i++)
        if (findings->narrow[i].width < findings->narrow[narrowest].width)
            narrowest = i;
    for (size_t i = 0; i < count && listed < OTHERS; i++) {
        if (i != narrowest)
            text_append(others, sizeof others, "%s%s", listed++ == 0 ? "; others at " : "; ",
                        room_place(findings->narrow[i].position, place));
    }
    if (count > 0)
        room_warn_advise(
            &setup->notices, ADVICE_FINER_GRID, 0,
            "%zu%s opening%s under three grid points of %.3g m wide, the narrowest %.3g m at "
            "%s%s: the level behind them is off, by up to 0.7 dB at two points and 1.6 dB at one, and "
            "narrower ones may be closed",
            count, count == NARROW_LISTED_MAX ? SAID(" or more") : "",
            count == 1 ? SAID(" is") : SAID("s are"), setup->grid.step.spacing,
            findings->narrow[narrowest].width, room_place(findings->narrow[narrowest].position, place),
            others);
}

static void print_findings(struct room_setup *setup)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    char place[ROOM_PLACE_MAX];
    if (setup->request.grid.seal > 0 && findings->sealed_count == 0)
        room_say(&setup->notices, "no crack up to %.3g m wide had to be sealed on this grid",
                 setup->request.grid.seal);
    else if (setup->request.grid.seal > 0) {
        room_say(&setup->notices, "sealing up to %.3g m closed %zu crack%s, %llu links",
                 setup->request.grid.seal, findings->sealed_count, findings->sealed_count == 1 ? "" : "s",
                 (unsigned long long)findings->sealed_links);
        for (size_t i = 0; i < findings->sealed_count && i < 16; i++)
            room_say(&setup->notices, "  %.3g m wide at %s, %llu links", findings->sealed[i].width,
                     room_place(findings->sealed[i].position, place),
                     (unsigned long long)findings->sealed[i].links);
    }
    warn_of_narrow(setup);
    if (findings->open_face_links > 0)
        room_say(&setup->notices,
                 "open scene: sound that reaches the bounding box leaves it, through a layer of %d cells "
                 "behind its open faces",
                 LAYER_CELLS);
    if (setup->points.source_is_cavity)
        room_say(&setup->notices,
                 "no source: the largest enclosed cavity is taken, at %s, %.3g m from any surface",
                 room_place(setup->points.point[0].position, place), setup->points.source_clearance);
    if (setup->points.receiver_is_placed)
        room_say(&setup->notices, "no receiver: one is placed at %s, %.3g m from any surface",
                 room_place(setup->points.point[setup->points.sources].position, place),
                 setup->points.receiver_clearance);
    room_space_print(setup);
    room_print_areas(setup);
    room_sheets_print(setup);
}

/* ---- the run's grid, and the same room on another one ---- */

int room_voxelise(struct room_setup *setup, struct failure *failure)
{
    struct room_grid *grid = &setup->grid;
    const double start = progress_clock();
    room_grid_clear(grid);
    TRY(check_heads(setup, failure));
    TRY(place_in_cavity(setup, true, failure));
    TRY(fill_grid(setup, &grid->lattice, &grid->step, grid, &grid->packed, &grid->voxels_bytes, failure));
    const int code = place_points(setup, failure);
    if (code != 0) {
        block_grid_free(&grid->packed);
        return code;
    }
    TRY(room_walls_fit(&setup->request, &setup->model, &setup->notices, grid, failure));
    grid->fill_seconds = progress_clock() - start;
    TRY(room_space_judge(setup, failure));
    print_findings(setup);
    TRY(room_receiver_grids_make(setup, failure));
    return interrupt_stop(failure);
}

int room_voxelise_shifted(const struct room_setup *setup, struct room_grid *out, struct failure *failure)
{
    const struct room_grid *grid = &setup->grid;
    struct failure inner = {0};
    const double half = grid->step.spacing / 2, *at = grid->lattice.origin;
    const double origin[3] = {at[0] + half, at[1] + half, at[2] + half};
    const double start = progress_clock();
    *out = (struct room_grid){.fmax = grid->fmax,
                              .fmax_automatic = grid->fmax_automatic,
                              .points_per_wavelength = grid->points_per_wavelength,
                              .step = grid->step,
                              .larger = grid->larger};
    int code =
        lattice_fit(setup->model.low, setup->model.high, grid->step.spacing, origin, &out->lattice, &inner);
    if (code == 0)
        code = fill_grid(setup, &out->lattice, &out->step, out, &out->packed, &out->voxels_bytes, &inner);
    if (code == 0)
        code = room_walls_fit(&setup->request, &setup->model, NULL, out, &inner);
    if (code == 0)
        code = room_receiver_grids_move(grid, out, &inner);
    out->fill_seconds = progress_clock() - start;
    if (code != 0)
        failure_wrap(failure, &inner, "on the grid offset by half a cell: ");
    return code;
}
