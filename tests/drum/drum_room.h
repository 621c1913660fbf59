/** A box of air with drums in it, and what rings there. */
#ifndef TESTS_DRUM_ROOM_H
#define TESTS_DRUM_ROOM_H

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "geometry/room/voxeliser.h"
#include "kernels/drum/drum.h"
#include "kernels/parts/local_parts.h"
#include "rooms/materials/absorption.h"
#include "src/run/instruments/drum_mesh.h"
#include "tests/support/link_grids.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

#define DRUM_PI          3.14159265358979323846
#define DRUM_AIR_DENSITY 1.2
#define DRUM_SOUND_SPEED 343.2

/** The drumhead of a 65 cm timpano, with the tension of a measured one (test_drum_loading.c). */
static inline struct membrane_kind drum_head(double tension)
{
    return (struct membrane_kind){.radius = 0.328, .tension = tension, .density = 0.262};
}

struct drum_room {
    struct mesh mesh;
    struct time_step step;
    struct block_grid blocks;
    struct box_grid box;
    struct engine *engine;
    struct drums *drums;
};

/** A box `size` with drums in it; `room` is zeroed but for what its mesh has already. */
static inline void drum_room_make(struct drum_room *room, const double size[3], double spacing,
                                  enum scheme scheme, bool cells, const struct drum_site *site, size_t count)
{
    solid_box(&room->mesh, NULL, (const double[3]){0, 0, 0}, size, NULL, -1);
    struct voxel_seed seed[16] = {{.kind = SEED_SOURCE, .name = "room", .position = {0.1, 0.1, 0.1}}};
    for (size_t d = 0; d < count; d++) {
        MUST(drum_mesh_add(&room->mesh, &site[d], &failure));
        for (size_t above = 0; above < 2; above++) {
            struct voxel_seed *const at = &seed[2 * d + above + 1];
            *at = (struct voxel_seed){.kind = SEED_SOURCE, .name = above ? "above" : "below"};
            memcpy(at->position, site[d].centre, sizeof at->position);
            at->position[2] += above ? 0.1 : -0.1;
        }
    }
    const bool isotropic = scheme == SCHEME_ISOTROPIC;
    double low[3], high[3];
    struct lattice lattice;
    struct voxels voxels = {0};
    const struct voxelise_options voxelise_as = {.threads = 2, .cells = cells};
    MUST(mesh_bounds(&room->mesh, low, high, &failure));
    MUST(lattice_fit(low, high, spacing, NULL, &lattice, &failure));
    MUST(voxelise(&room->mesh, &lattice, seed, 2 * count + 1, &voxelise_as, &voxels, NULL, NULL, &failure));
    MUST((isotropic && cells ? block_grid_pack_slabs : block_grid_pack)(&voxels, &room->blocks, &failure));
    voxels_free(&voxels);
    MUST(time_step_choose(scheme, spacing, DRUM_SOUND_SPEED,
                          sqrt(isotropic ? DRUM_SHARE_MOST : 0.9) * time_step_limit(scheme), &room->step,
                          &failure));
    struct cut_masses masses;
    if (isotropic)
        MUST(block_grid_widen(&room->blocks, &failure));
    if (cells || isotropic)
        MUST(cut_masses_make(&room->blocks, room->step.lambda2, &masses, &failure));
    MUST(box_grid_from_blocks(&room->blocks, &room->box, &failure));
}

/** Its engine over a link to parts (NULL: in one engine) and drums, instead of those before. The box's walls
 * have one resistance E [rho c], or are rigid for 0; all else is rigid. */
static inline void drum_room_start_on(const struct part_link *link, const struct engine_back_ends *back_ends,
                                      struct drum_room *room, double E, const struct engine_options *options,
                                      const struct drum_site *site, size_t count,
                                      const struct drum_strike *strike, size_t strikes)
{
    engine_free(room->engine);
    drums_free(room->drums);
    struct wall_branch branch = {.E = E};
    struct wall_material wall[4] = {0};
    for (size_t m = 0; m < room->mesh.material_count; m++)
        if (E > 0 && strcmp(room->mesh.material[m], "wall") == 0)
            wall[m] = (struct wall_material){.branches = 1, .branch = {branch}};
    const struct wall_materials walls = {
        .count = room->mesh.material_count, .material = wall, .ledger = E > 0};
    if (link != NULL) {
        const struct part_setup setup = {
            .options = *options, .step = room->step, .walls = &walls, .back_ends = back_ends};
        MUST(engine_in_parts(&room->engine, &room->blocks, &setup, PARTITION_WALL_COST, link, &failure));
    } else {
        MUST(engine_create_walls(&room->engine, &room->blocks,
                                 options->layout == LAYOUT_BOX ? &room->box : NULL, &room->step, &walls,
                                 options, &failure));
    }
    MUST(drums_create(&room->drums, &room->blocks, &room->step, DRUM_AIR_DENSITY, site, count, strike,
                      strikes, &failure));
    MUST(drums_join(room->drums, room->engine, &failure));
}

/** The same in so many parts on processors; 0: in one engine. */
static inline void drum_room_start_in(unsigned parts, struct drum_room *room, double E,
                                      const struct engine_options *options, const struct drum_site *site,
                                      size_t count, const struct drum_strike *strike, size_t strikes)
{
    struct part_link link;
    if (parts > 0)
        MUST(local_parts(parts, &link, &failure));
    drum_room_start_on(parts > 0 ? &link : NULL, NULL, room, E, options, site, count, strike, strikes);
}

static inline void drum_room_start(struct drum_room *room, double E, const struct engine_options *options,
                                   const struct drum_site *site, size_t count,
                                   const struct drum_strike *strike, size_t strikes)
{
    drum_room_start_in(0, room, E, options, site, count, strike, strikes);
}

static inline void drum_room_free(struct drum_room *room)
{
    engine_free(room->engine);
    drums_free(room->drums);
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    mesh_free(&room->mesh);
}

#endif
