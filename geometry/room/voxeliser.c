#include "geometry/room/voxeliser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air/air_pack.h"
#include "geometry/air/air_volume.h"
#include "geometry/air/exposure.h"
#include "geometry/cell/air_cells.h"
#include "geometry/leak/leak_paths.h"
#include "geometry/leak/narrow.h"
#include "geometry/leak/room_cuts.h"
#include "geometry/leak/seal.h"
#include "geometry/leak/seed_check.h"

/** Continue the flood into nooks that ribbons closed although they lead nowhere, and into those behind these.
 */
static int flood_pockets(const struct room_cuts *room, double seal_width, struct flood *flood,
                         struct failure *failure)
{
    size_t seeds;
    int result;
    do {
        struct voxels air = {0};
        int64_t(*seed)[3] = NULL;
        seeds = 0;
        result = air_pack(room->mesh, NULL, flood, &room->plain, room->threads, &air, failure);
        if (result == 0)
            result = seal_pockets(&room->plain, &room->field, &air, seal_width, &seed, &seeds, failure);
        for (size_t i = 0; i < seeds && result == 0; i++)
            result = flood_from(flood, seed[i], NULL, failure);
        free(seed);
        voxels_free(&air);
    } while (seeds > 0 && result == 0);
    return result;
}

static int find_findings(const struct room_cuts *room, double seal_width, const struct voxels *voxels,
                         struct voxel_findings *findings, struct failure *failure)
{
    for (size_t i = 0; i < voxels->contact_count; i++)
        findings->open_face_links += voxels->contact[i].material == VOXELS_OPEN_FACE;
    if (room->mesh == &room->sealed)
        TRY(seal_places(&room->plain, &room->field, room->mesh, seal_width, voxels, &findings->sealed,
                        &findings->sealed_count, &findings->sealed_links, failure));
    findings->narrow = calloc(NARROW_LISTED_MAX, sizeof *findings->narrow);
    if (findings->narrow == NULL)
        return failure_memory(failure, NARROW_LISTED_MAX * sizeof *findings->narrow, "narrow openings");
    return narrow_find(voxels, room->threads, findings->narrow, &findings->narrow_count, failure);
}

/** Volume of the air in cells, up to the walls [m3]. */
static double volume_of_cells(const struct voxels *voxels)
{
    const double h = voxels->lattice.spacing;
    double volume = (double)(voxels->air_nodes - voxels->cell_count);
    for (size_t i = 0; i < voxels->cell_count; i++)
        volume += (double)voxels->cell[i].volume;
    for (size_t i = 0; i < voxels->piece_count; i++)
        volume += (double)voxels->piece[i].cell.volume;
    return volume * h * h * h;
}

/** Exposed area of the walls, and the volume of the air up to them. */
static int find_walls(const struct room_cuts *room, const struct flood *flood, const struct voxels *voxels,
                      struct voxel_findings *findings, struct failure *failure)
{
    const double h = voxels->lattice.spacing, cells = (double)voxels->air_nodes * h * h * h;
    const size_t bytes = (room->walls->material_count + 1) * sizeof *findings->exposure;
    struct contact_face *face = NULL;
    struct seen_face *seen = NULL;
    findings->exposure = malloc(bytes);
    if (findings->exposure == NULL)
        return failure_memory(failure, bytes, "what the air sees of the walls");
    int result = contact_faces_make(room->mesh, &flood->field->lattice, NULL, &face, failure);
    if (result == 0)
        result = seen_faces_find(room->mesh, flood, face, room->threads, &seen, failure);
    if (result == 0) {
        exposure_measure(room->walls, flood->field, face, seen, findings->exposure);
        result = air_volume_measure(room->mesh, flood, face, seen, cells, &findings->air_volume, failure);
    }
    findings->air_volume_is_cells = !isfinite(findings->air_volume);
    if (findings->air_volume_is_cells)
        findings->air_volume = cells;
    free(face);
    free(seen);
    return result;
}

static int check_seeds(const struct voxel_seed *seed, size_t seed_count, struct failure *failure)
{
    size_t sources = 0;
    for (size_t i = 0; i < seed_count; i++) {
        sources += seed[i].kind == SEED_SOURCE;
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(seed[i].position[axis]))
                return failure_set(failure, FAILURE_INPUT,
                                   "%s \"%.150s\" is at (%g, %g, %g) m, which is not finite",
                                   seed[i].kind == SEED_SOURCE ? "source" : "receiver",
                                   seed[i].name != NULL ? seed[i].name : "", seed[i].position[0],
                                   seed[i].position[1], seed[i].position[2]);
    }
    if (sources == 0)
        return failure_advise(failure_set(failure, FAILURE_INPUT,
                                          "no source is given, so it is unknown which air is the room's"),
                              failure, ADVICE_GIVE_SOURCE, 0);
    return 0;
}

int voxelise(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *seed,
             size_t seed_count, const struct voxelise_options *options, struct voxels *out,
             struct voxel_findings *findings, struct voxel_leak *leak, struct failure *failure)
{
    struct room_cuts room = {0};
    struct flood flood = {0};
    struct voxels voxels = {0};
    struct voxel_findings found = {0};
    struct voxel_leak path = {0};
    double(*position)[3] = NULL;
    int result = check_seeds(seed, seed_count, failure);
    if (result != 0)
        goto done;
    found.seed_node = calloc(seed_count, sizeof *found.seed_node);
    position = malloc(seed_count * sizeof *position);
    if (found.seed_node == NULL || position == NULL) {
        result = failure_memory(failure, seed_count * (sizeof *found.seed_node + sizeof *position),
                                "the nodes of sources and receivers");
        goto done;
    }
    for (size_t i = 0; i < seed_count; i++)
        memcpy(position[i], seed[i].position, sizeof position[i]);
    if ((result = room_cuts_make(mesh, lattice, options, (const double(*)[3])position, seed_count, &room,
                                 failure)) != 0 ||
        (result = flood_start(&room.field, options->open, &flood, failure)) != 0 ||
        (result = seeds_flood(&room, seed, seed_count, &flood, found.seed_node, &path, failure)) != 0)
        goto done;
    const bool sealed = room.mesh == &room.sealed;
    if (sealed && (result = flood_pockets(&room, options->seal_width, &flood, failure)) != 0)
        goto done;
    if ((result = seeds_place_receivers(&room, seed, seed_count, &flood, found.seed_node, failure)) != 0 ||
        (result = air_pack(room.mesh, options->back_material, &flood, sealed ? &room.plain : NULL,
                           room.threads, &voxels, failure)) != 0)
        goto done;
    if (findings != NULL && (result = find_walls(&room, &flood, &voxels, &found, failure)) != 0)
        goto done;
    if (!options->cells)
        flood_free(&flood);
    if (findings != NULL) {
        if ((result = find_findings(&room, options->seal_width, &voxels, &found, failure)) != 0)
            goto done;
        if (options->find_leak_paths && (options->open || sealed) &&
            (result = leak_paths_find(&room, seed, seed_count, &voxels, &found, failure)) != 0)
            goto done;
    }
    if (options->cells) { /* findings are by links between nodes in any case */
        voxels_free(&voxels);
        if ((result = air_cells_make(&room, options->back_material, &flood, &voxels, failure)) != 0)
            goto done;
        if (found.air_volume_is_cells) /* the walls do not determine the volume: these cells end at walls */
            found.air_volume = volume_of_cells(&voxels);
    }
    if (findings != NULL) {
        *findings = found;
        found = (struct voxel_findings){0};
    }
    *out = voxels;
    voxels = (struct voxels){0};
done:
    if (leak != NULL && result != 0) {
        *leak = path;
        path = (struct voxel_leak){0};
    }
    free(position);
    voxel_leak_free(&path);
    voxel_findings_free(&found);
    voxels_free(&voxels);
    flood_free(&flood);
    room_cuts_free(&room);
    return result;
}
