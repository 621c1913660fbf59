#include "kernels/engine_walls.h"

#include <math.h>

static double admittance_of(uint16_t material, const double *admittance)
{
    if (material == VOXELS_OPEN_FACE)
        return 1.0;
    if (material == VOXELS_NO_MATERIAL)
        return 0.0;
    return admittance[material];
}

static bool wall_continues(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? (box->wall[wall].node & BOX_WALL_CONTINUES) != 0
                       : (engine->room.blocks->wall[wall].slot & WALL_CONTINUES) != 0;
}

uint64_t engine_wall_count(const struct engine *engine)
{
    return engine->room.box != NULL ? engine->room.box->walls : engine->room.blocks->walls;
}

static uint16_t wall_material(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return box != NULL ? box->wall[wall].material : engine->room.blocks->wall[wall].material;
}

static double wall_weight(const struct engine *engine, uint64_t wall)
{
    const struct box_grid *box = engine->room.box;
    return (double)(box != NULL ? box->wall[wall].weight : engine->room.blocks->wall[wall].weight);
}

void engine_fill_wall_q(struct engine *engine, const double *admittance)
{
    const uint64_t walls = engine_wall_count(engine);
    uint64_t next;
    for (uint64_t wall = 0; wall < walls; wall = next) {
        double sum = 0.0;
        next = wall;
        do {
            sum += wall_weight(engine, next) * admittance_of(wall_material(engine, next), admittance);
            if (engine->real_bytes == sizeof(float))
                ((float *)engine->wall_q)[next] = 0.0f;
            else
                ((double *)engine->wall_q)[next] = 0.0;
            ++next;
        } while (next < walls && wall_continues(engine, next));
        const double kappa = 0.5 * engine->step.courant * sum, q = kappa / (1.0 + kappa);
        if (engine->real_bytes == sizeof(float))
            ((float *)engine->wall_q)[wall] = (float)q;
        else
            ((double *)engine->wall_q)[wall] = q;
    }
}

double engine_wall_q_at(const struct engine *engine, uint64_t index)
{
    uint64_t wall, end;
    if (engine->room.box != NULL) {
        const struct box_grid *box = engine->room.box;
        wall = step_box_wall_from(box, index);
        if (wall == box->walls || box->wall[wall].node != index)
            return 0.0;
        return engine_value(engine, engine->wall_q, wall);
    }
    const struct block_grid *grid = engine->room.blocks;
    end = grid->wall_first[index / BLOCK_NODES + 1];
    for (wall = grid->wall_first[index / BLOCK_NODES]; wall < end; ++wall)
        if (grid->wall[wall].slot == index % BLOCK_NODES)
            return engine_value(engine, engine->wall_q, wall);
    return 0.0;
}

int engine_check_materials(const struct engine *engine, const double *admittance, size_t material_count,
                           struct failure *failure)
{
    for (size_t m = 0; m < material_count; ++m)
        if (!(admittance[m] >= 0.0 && isfinite(admittance[m])))
            return failure_set(
                failure, FAILURE_INPUT,
                "material %zu has the specific admittance %g: it must be finite and not negative", m,
                admittance[m]);
    const uint64_t walls = engine_wall_count(engine);
    for (uint64_t wall = 0; wall < walls; ++wall) {
        const uint16_t material = wall_material(engine, wall);
        if (material < VOXELS_NO_MATERIAL && material >= material_count)
            return failure_set(failure, FAILURE_INPUT,
                               "wall entry %llu names material %u, but the table of admittances has %zu",
                               (unsigned long long)wall, (unsigned)material, material_count);
    }
    return 0;
}
