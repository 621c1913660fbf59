#include "kernels/scheme/wall_material.h"

size_t wall_materials_states(const struct wall_materials *walls)
{
    size_t most = 0;
    for (size_t m = 0; m < walls->count; ++m) {
        const struct wall_material *material = &walls->material[m];
        size_t states = 0;
        for (size_t b = 0; b < material->branches && b < WALL_BRANCHES_MAX; ++b)
            states += walls->inertance || material->branch[b].D > 0.0 || material->branch[b].F > 0.0;
        most = states > most ? states : most;
    }
    return most;
}
