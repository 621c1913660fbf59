/* The plan of a processor's steps at cut nodes: what is in it, and how often. */
#include "kernels/cpu/step_plan.h"
#include "tests/support/lossy_room.h"

/* The plan of an isotropic room, of groups of `lanes` nodes. */
static struct step_plan plan_of(const struct lossy_room *wide, const struct box_grid *box, unsigned lanes)
{
    const struct step_room room = {.blocks = &wide->blocks, .box = box};
    struct step_plan plan;
    step_plan_count(&room, lanes, lanes, &plan);
    const uint64_t counted = plan.groups;
    MUST(step_plan_make(&room, &plan, &failure));
    cr_assert(plan.groups == counted && plan.distinct <= plan.groups);
    return plan;
}

/* Sums over all groups: gains, weights of faces, b of edges. */
struct sums {
    double gain;
    int64_t face, edge;
};

static struct sums sums_of(const struct step_plan *plan)
{
    struct sums sums = {0, 0, 0};
    for (uint64_t group = 0; group < plan->groups; group++) {
        const char *const values =
            (const char *)plan->values + plan->values_of[group] * STEP_GROUP_BYTES(plan->lanes);
        const float *const gain = (const float *)(const void *)values;
        const int16_t *const face = (const int16_t *)(const void *)(gain + plan->lanes);
        const uint8_t *const edge = (const uint8_t *)(face + 6 * plan->lanes);
        for (unsigned n = 0; n < plan->lanes; n++)
            sums.gain += (double)gain[n];
        for (unsigned n = 0; n < 6 * plan->lanes; n++)
            sums.face += face[n];
        for (unsigned n = 0; n < 12 * plan->lanes; n++)
            sums.edge += edge[n];
    }
    return sums;
}

Test(step_plan, groups_of_either_width_and_layout_have_every_record_once)
{
    struct lossy_room *room = room_ragged(61, 40, 33, 21, 0.1, 0.05, 20), *wide = room_widened(room, 0.0);
    struct sums whole = {0, 0, 0};
    for (uint64_t n = 0; n < wide->blocks.cuts; n++) {
        whole.gain += (double)wide->blocks.gain[n];
        for (int d = 0; d < DIRECTIONS; d++)
            whole.face += 6 * wide->blocks.cut[n].open[d];
        /* A plaquette lies on two links of its node. */
        for (int e = 0; e < EDGES; e++) {
            whole.face -= 2 * wide->blocks.plaquette[n][e];
            whole.edge += wide->blocks.plaquette[n][e];
        }
    }
    for (unsigned lanes = 8; lanes <= 16; lanes += 8)
        for (int box = 0; box < 2; box++) {
            struct step_plan plan = plan_of(wide, box ? &wide->box : NULL, lanes);
            const struct sums sums = sums_of(&plan);
            cr_assert(sums.face == whole.face && sums.edge == whole.edge, "%u lanes, box %d", lanes, box);
            cr_assert(test_near(sums.gain, whole.gain, 1e-9 * whole.gain));
            step_plan_free(&plan);
        }
    room_free(wide);
    room_free(room);
}

Test(step_plan, a_longer_room_has_no_more_distinct_values)
{
    uint64_t distinct[2];
    for (int longer = 0; longer < 2; longer++) {
        /* No node is taken from these boxes. */
        struct lossy_room *room = room_ragged(1, 32, 32, longer ? 160 : 96, 0.0, 0.0, 0),
                          *wide = room_widened(room, 0.0);
        struct step_plan plan = plan_of(wide, NULL, 8);
        cr_assert(plan.groups > 4 * plan.distinct);
        distinct[longer] = plan.distinct;
        step_plan_free(&plan);
        room_free(wide);
        room_free(room);
    }
    cr_assert(distinct[0] == distinct[1]);
}
