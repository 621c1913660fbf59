#include "tests/accuracy/church_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks/wall_areas.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "kernels/scheme/stencil.h"

#define PLACES (1 + CHURCH_RECEIVERS)
#define BATCH  1000 /* steps */

struct room {
    struct mesh mesh;
    double place[PLACES][3]; /* the source first */
    struct block_grid grid;
    struct stencil tap[PLACES];
    struct wall_material *material;
    struct time_step step;
    struct engine *engine;
};

static void room_free(struct room *room)
{
    engine_free(room->engine);
    free(room->material);
    block_grid_free(&room->grid);
    mesh_free(&room->mesh);
}

void church_output_free(struct church_output *output)
{
    free(output->raw);
    *output = (struct church_output){0};
}

static int read_room(const struct church_case *wanted, struct room *room, struct failure *failure)
{
    static const struct mesh_import_options import = {.metres_per_unit = 1};
    char path[CHURCH_PATH_MAX];
    struct church_places places;
    (void)snprintf(path, sizeof path, "%s/church.obj", wanted->folder);
    TRY(mesh_import(path, &import, &room->mesh, NULL, failure));
    TRY(church_places_read(wanted->folder, &places, failure));
    memcpy(room->place[0], places.source, sizeof room->place[0]);
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        memcpy(room->place[1 + r], places.receiver[r], sizeof room->place[1 + r]);
    room->material = calloc(room->mesh.material_count, sizeof *room->material);
    if (room->material == NULL)
        return failure_memory(failure, room->mesh.material_count * sizeof *room->material, "walls");
    return church_walls_read(wanted->folder, wanted->walls, &room->mesh, room->material, failure);
}

static int rescale_areas(struct room *room, const struct voxel_findings *findings, struct failure *failure)
{
    const size_t materials = room->mesh.material_count;
    double *mesh_area = calloc(2 * materials, sizeof *mesh_area), *exposed = mesh_area + materials;
    struct wall_areas areas = {0};
    if (mesh_area == NULL)
        return failure_memory(failure, 2 * materials * sizeof *mesh_area, "the areas of materials");
    mesh_material_areas(&room->mesh, mesh_area);
    wall_areas_exposed(materials, mesh_area, findings->exposure, NULL, exposed);
    const int code = wall_areas_rescale(&room->grid, materials, exposed, &areas, failure);
    wall_areas_free(&areas);
    free(mesh_area);
    return code;
}

/* Air, blocks, and where source and receivers are joined to them. */
static int fill_room(const struct church_case *wanted, struct room *room, struct failure *failure)
{
    static const struct voxelise_options options = {0};
    static const char *const name[PLACES] = {"S1", "R1", "R2", "R3", "R4", "R5", "R6"};
    struct voxel_seed seed[PLACES];
    struct voxel_findings findings = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    double low[3], high[3];
    for (int p = 0; p < PLACES; ++p) {
        seed[p] = (struct voxel_seed){.kind = p == 0 ? SEED_SOURCE : SEED_RECEIVER, .name = name[p]};
        memcpy(seed[p].position, room->place[p], sizeof seed[p].position);
    }
    TRY(mesh_bounds(&room->mesh, low, high, failure));
    TRY(lattice_fit(low, high, wanted->spacing, wanted->node, &lattice, failure));
    TRY(voxelise(&room->mesh, &lattice, seed, PLACES, &options, &voxels, &findings, NULL, failure));
    int code = block_grid_pack(&voxels, &room->grid, failure);
    voxels_free(&voxels);
    if (code == 0 && wanted->rescaled)
        code = rescale_areas(room, &findings, failure);
    for (int p = 0; code == 0 && p < PLACES; ++p)
        code = stencil_make(&room->grid, room->place[p], findings.seed_node[p], INTERPOLATION_LINEAR,
                            &room->tap[p], failure);
    voxel_findings_free(&findings);
    return code;
}

static int make_engine(const struct church_case *wanted, struct room *room, struct failure *failure)
{
    const struct wall_materials walls = {
        .count = room->mesh.material_count, .material = room->material, .inertance = wanted->inertance};
    TRY(time_step_choose(SCHEME_STANDARD, wanted->spacing, CHURCH_SOUND_SPEED, wanted->courant, &room->step,
                         failure));
    TRY(engine_create_walls(&room->engine, &room->grid, NULL, &room->step, &walls, &wanted->engine, failure));
    for (int p = 0; p < PLACES; ++p)
        TRY(p == 0 ? engine_add_source(room->engine, &room->tap[p], failure)
                   : engine_add_receiver(room->engine, &room->tap[p], failure));
    return 0;
}

static int run(struct engine *engine, struct church_output *out, struct failure *failure)
{
    static const double first[BATCH] = {1.0, -1.0}, later[BATCH] = {0.0};
    double *piece = malloc(CHURCH_RECEIVERS * BATCH * sizeof *piece);
    out->raw = malloc(CHURCH_RECEIVERS * out->steps * sizeof *out->raw);
    if (piece == NULL || out->raw == NULL) {
        free(piece);
        return failure_memory(failure, CHURCH_RECEIVERS * out->steps * sizeof *out->raw, "responses");
    }
    struct timespec begin, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t done = 0; done < out->steps; done += BATCH) {
        const size_t steps = out->steps - done < BATCH ? out->steps - done : BATCH;
        engine_run(engine, steps, done == 0 ? first : later, piece);
        for (size_t r = 0; r < CHURCH_RECEIVERS; ++r)
            memcpy(out->raw + r * out->steps + done, piece + r * steps, steps * sizeof *piece);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    out->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    free(piece);
    return engine_failed(engine, failure);
}

int church_run(const struct church_case *wanted, struct church_output *out, struct failure *failure)
{
    struct room room = {0};
    struct church_output output = {0};
    int code = 0;
    if ((code = read_room(wanted, &room, failure)) || (code = fill_room(wanted, &room, failure)) ||
        (code = make_engine(wanted, &room, failure)))
        goto done;
    output.rate = room.step.rate;
    output.steps = (size_t)ceil(wanted->duration * output.rate);
    output.nodes = 512.0 * room.grid.blocks;
    (void)snprintf(output.description, sizeof output.description, "%s", engine_description(room.engine));
    code = run(room.engine, &output, failure);
done:
    room_free(&room);
    if (code != 0)
        church_output_free(&output);
    else
        *out = output;
    return code;
}
