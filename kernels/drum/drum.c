#include "kernels/drum/drum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "kernels/engine/engine_port.h"

#define PI      3.14159265358979323846
#define CORNERS MEMBRANE_CORNERS
#define MARGIN  (1 + 0x1p-10) /* factor on the right side of the condition of a port */

enum side { BELOW, ABOVE, SIDES };

/* One system of a port of the engine. */
struct drum {
    const struct drums *all;
    struct drum_site site;
    struct membrane membrane;
    struct membrane_joint *joint[SIDES]; /* (membrane.nodes) */
    size_t first, ports[SIDES];          /* its ports among those of all drums: below, then above */
    double spare;
    double *before, *pressure; /* (ports) u of the step before; p [Pa] */
    size_t mallets;
    const struct drum_strike **strike; /* (mallets) those on it, and .. */
    struct membrane_mallet *mallet;    /* .. where they act */
    struct membrane_plan plan;
    uint64_t steps;
    double figure[MEMBRANE_FIGURES]; /* but the steps */
};

struct drums {
    size_t count, ports;
    struct drum *drum;
    struct drum_strike *strike; /* of all */
    int64_t (*node)[3];         /* (ports) */
    double *air;                /* (2, ports) drum.before, drum.pressure */
    double k, density;          /* [s], of the air [kg/m3] */
};

static size_t ports_of(const struct drum *drum)
{
    return drum->ports[BELOW] + drum->ports[ABOVE];
}

/* ---- ports --------------------------------------------------------------------------------------------- */

/* The nodes of a plane below or above a membrane that may be ports. */
struct deck {
    const struct block_grid *grid;
    int64_t low[2], size[2], plane;
    double *spare; /* (size) left side of the condition at a node; < 0: not a port */
    double *area;  /* (size) A_i [m2] */
};

/* Index of a node that a wall divides from the membrane; UINT64_MAX for any other. */
static uint64_t node_at_membrane(const struct block_grid *grid, const int64_t node[3], enum side side)
{
    const uint64_t index = block_grid_index(grid, node);
    if (index == UINT64_MAX)
        return index;
    const block_id b = (block_id)(index / BLOCK_NODES);
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    const unsigned towards = side == BELOW ? DIRECTION_ZP : DIRECTION_ZM;
    return block_is_air(grid, b, slot) && (grid->tile[grid->block[b].tile][slot] >> towards & 1) == 0
               ? index
               : UINT64_MAX;
}

static size_t deck_places(const struct deck *deck)
{
    return (size_t)(deck->size[0] * deck->size[1]);
}

static void deck_free(struct deck *deck)
{
    free(deck->spare);
    free(deck->area);
    *deck = (struct deck){0};
}

/* The deck of a side: nodes above the membrane, or below it within the kettle. */
static int lay_deck(const struct block_grid *grid, const struct drum_site *site, double lambda2,
                    enum side side, struct deck *out, struct failure *failure)
{
    double at[3];
    const double h = grid->lattice.spacing;
    lattice_coordinate(&grid->lattice, site->centre, at);
    out->grid = grid;
    out->plane = (int64_t)floor(at[2]) + (side == ABOVE);
    const double deep = fabs(at[2] - (double)out->plane) * h;
    const double share = side == BELOW && site->depth > 0 ? 1 - pow(deep / site->depth, 2) : 1;
    const double radius = site->kind.radius / h * sqrt(fmax(share, 0));
    for (int axis = 0; axis < 2; ++axis) {
        out->low[axis] = (int64_t)ceil(at[axis] - radius) - 1;
        out->size[axis] = (int64_t)floor(at[axis] + radius) + 2 - out->low[axis];
    }
    out->spare = calloc(deck_places(out), sizeof *out->spare);
    out->area = calloc(deck_places(out), sizeof *out->area);
    uint64_t *const node = calloc(deck_places(out), sizeof *node);
    int code = 0;
    if (out->spare == NULL || out->area == NULL || node == NULL)
        code = failure_memory(failure, deck_places(out) * sizeof *out->spare, "a membrane's air");
    for (size_t n = 0; code == 0 && n < deck_places(out); ++n) {
        const int64_t place[3] = {out->low[0] + (int64_t)n % out->size[0],
                                  out->low[1] + (int64_t)n / out->size[0], out->plane};
        const double x = (double)place[0] - at[0], y = (double)place[1] - at[1];
        node[n] = x * x + y * y < radius * radius ? node_at_membrane(grid, place, side) : UINT64_MAX;
    }
    if (code == 0)
        code = cut_masses_surplus(grid, lambda2, deck_places(out), node, out->spare, failure);
    for (size_t n = 0; code == 0 && n < deck_places(out); ++n)
        out->spare[n] /= lambda2;
    free(node);
    return code;
}

/* The place of the port nearest to (x, y), in lattice units. */
static size_t nearest_port(const struct deck *deck, double x, double y)
{
    size_t found = SIZE_MAX;
    double least = INFINITY;
    for (size_t n = 0; n < deck_places(deck); ++n) {
        const double dx = (double)(deck->low[0] + (int64_t)n % deck->size[0]) - x,
                     dy = (double)(deck->low[1] + (int64_t)n / deck->size[0]) - y;
        if (deck->spare[n] >= 0 && dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            found = n;
        }
    }
    return found;
}

/* J of one node of the membrane: bilinear among the ports around it, or the nearest port. `port` has places
 * of the deck. False if the deck has no port. */
static bool find_ports(const struct deck *deck, double x, double y, struct membrane_joint *out)
{
    const double low[2] = {floor(x), floor(y)}, part[2] = {x - low[0], y - low[1]};
    double sum = 0;
    *out = (struct membrane_joint){0};
    for (unsigned c = 0; c < CORNERS; ++c) {
        const int64_t at[2] = {(int64_t)low[0] + (c & 1) - deck->low[0],
                               (int64_t)low[1] + (c >> 1) - deck->low[1]};
        const double weight =
            ((c & 1) != 0 ? part[0] : 1 - part[0]) * ((c >> 1) != 0 ? part[1] : 1 - part[1]);
        if (at[0] < 0 || at[1] < 0 || at[0] >= deck->size[0] || at[1] >= deck->size[1] ||
            !(deck->spare[at[1] * deck->size[0] + at[0]] >= 0))
            continue;
        out->port[c] = (uint32_t)(at[1] * deck->size[0] + at[0]);
        out->weight[c] = weight;
        sum += weight;
    }
    if (sum > 1e-3) {
        for (unsigned c = 0; c < CORNERS; ++c)
            out->weight[c] /= sum;
        return true;
    }
    const size_t nearest = nearest_port(deck, x, y);
    *out = (struct membrane_joint){.port = {nearest == SIZE_MAX ? 0 : (uint32_t)nearest}, .weight = {1}};
    return nearest != SIZE_MAX;
}

static bool join_all(const struct drum *drum, struct deck *deck, struct membrane_joint *joint)
{
    const struct membrane *const membrane = &drum->membrane;
    const double h = deck->grid->lattice.spacing, g2 = membrane->pitch * membrane->pitch;
    double at[3];
    lattice_coordinate(&deck->grid->lattice, drum->site.centre, at);
    memset(deck->area, 0, deck_places(deck) * sizeof *deck->area);
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t place = membrane->node[n];
        const double x = ((double)(place % membrane->side) - (double)membrane->middle) * membrane->pitch / h,
                     y = ((double)(place / membrane->side) - (double)membrane->middle) * membrane->pitch / h;
        if (!find_ports(deck, at[0] + x, at[1] + y, &joint[n]))
            return false;
        for (unsigned c = 0; c < CORNERS; ++c)
            deck->area[joint[n].port[c]] += g2 * joint[n].weight[c];
    }
    return true;
}

/* Remove the ports that do not meet the condition and return their number; find the least spare of the
 * others. */
static size_t drop_ports(struct drum *drum, const struct deck *deck, double density)
{
    const struct membrane *const membrane = &drum->membrane;
    const double asked =
        density / (2 * membrane->kind.density * deck->grid->lattice.spacing * membrane->slack);
    size_t dropped = 0;
    for (size_t n = 0; n < deck_places(deck); ++n) {
        if (deck->spare[n] < 0 || deck->area[n] == 0)
            continue;
        const double spare = deck->spare[n] / (asked * deck->area[n]);
        if (spare >= MARGIN) {
            drum->spare = fmin(drum->spare, spare);
        } else {
            deck->spare[n] = -1;
            dropped++;
        }
    }
    return dropped;
}

static int refuse_light(const struct drum *drum, const struct deck *deck, struct failure *failure)
{
    return failure_set(
        failure, FAILURE_INPUT,
        "the membrane of %s, %.3g kg/m2, is too light for a grid of %.3g m: too few of the "
        "nodes next to it can be joined to it stably; take a finer grid, a shorter time step or more mass",
        drum->site.name, drum->site.kind.density, deck->grid->lattice.spacing);
}

/* Number the ports of a side from drums->ports on, and make J. */
static int join_side(struct drums *drums, struct drum *drum, struct deck *deck, enum side side,
                     struct failure *failure)
{
    struct membrane_joint *const joint = drum->joint[side];
    size_t first = 0, dropped = 0, now;
    for (size_t n = 0; n < deck_places(deck); ++n)
        first += deck->spare[n] >= 0;
    if (first == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "the membrane of %s at %.4g, %.4g, %.4g m has no air %s it: place it in the room, "
                           "%.3g m or more from its surfaces",
                           drum->site.name, drum->site.centre[0], drum->site.centre[1], drum->site.centre[2],
                           side == ABOVE ? "above" : "below", deck->grid->lattice.spacing);
    do {
        drum->spare = side == BELOW ? INFINITY : drum->spare;
        if (!join_all(drum, deck, joint))
            return refuse_light(drum, deck, failure);
        dropped += now = drop_ports(drum, deck, drums->density);
    } while (now > 0);
    if (3 * dropped > first)
        return refuse_light(drum, deck, failure);
    int64_t(*node)[3] = realloc(drums->node, (drums->ports + first) * sizeof *node);
    uint32_t *number = calloc(deck_places(deck), sizeof *number);
    if (node != NULL)
        drums->node = node;
    if (node == NULL || number == NULL) {
        free(number);
        return failure_memory(failure, (drums->ports + first) * sizeof *node, "a membrane's air");
    }
    for (size_t n = 0; n < deck_places(deck); ++n) {
        if (deck->spare[n] < 0 || deck->area[n] == 0)
            continue;
        number[n] = (uint32_t)(drums->ports - drum->first);
        node[drums->ports][0] = deck->low[0] + (int64_t)n % deck->size[0];
        node[drums->ports][1] = deck->low[1] + (int64_t)n / deck->size[0];
        node[drums->ports++][2] = deck->plane;
        drum->ports[side]++;
    }
    for (size_t n = 0; n < drum->membrane.nodes; ++n)
        for (unsigned c = 0; c < CORNERS; ++c)
            joint[n].port[c] = joint[n].weight[c] != 0 ? number[joint[n].port[c]]
                                                       : (uint32_t)(drums->ports - drum->first - 1);
    free(number);
    return 0;
}

/* ---- made ---------------------------------------------------------------------------------------------- */

static int make_drum(struct drums *drums, struct drum *drum, const struct block_grid *grid,
                     const struct time_step *step, struct failure *failure)
{
    struct failure inner = {0};
    struct membrane_kind kind = drum->site.kind;
    kind.density += drums->density * step->spacing;
    kind.loss *= drum->site.kind.density / kind.density;
    kind.high_loss *= drum->site.kind.density / kind.density;
    drum->all = drums;
    drum->first = drums->ports;
    if (membrane_make(&kind, step->period, 0, &drum->membrane, &inner) != 0)
        return failure_wrap(failure, &inner, "%s: ", drum->site.name);
    for (enum side side = BELOW; side < SIDES; ++side) {
        struct deck deck = {0};
        int code = 0;
        drum->joint[side] = calloc(drum->membrane.nodes, sizeof *drum->joint[side]);
        if (drum->joint[side] == NULL)
            code = failure_memory(failure, drum->membrane.nodes * sizeof *drum->joint[side], "a membrane");
        if (code == 0)
            code = lay_deck(grid, &drum->site, step->lambda2, side, &deck, failure);
        if (code == 0)
            code = join_side(drums, drum, &deck, side, failure);
        deck_free(&deck);
        if (code != 0)
            return code;
    }
    return 0;
}

static int add_mallet(struct drums *drums, const struct drum_strike *strike, struct failure *failure)
{
    struct drum *const drum = &drums->drum[strike->drum];
    const struct membrane *const membrane = &drum->membrane;
    const double away = hypot(strike->place[0], strike->place[1]);
    if (!(strike->time >= 0) || !isfinite(strike->time) || !isfinite(strike->force) ||
        !(strike->contact >= 2 * drums->k) || !isfinite(strike->contact))
        return failure_set(failure, FAILURE_INPUT,
                           "a blow on %s at %.4g s of %.4g N for %.4g s: it must begin at 0 or later and "
                           "last two time steps (%.3g s) or longer",
                           drum->site.name, strike->time, strike->force, strike->contact, 2 * drums->k);
    if (!(away < drum->site.kind.radius - membrane->pitch))
        return failure_set(failure, FAILURE_INPUT,
                           "a blow on %s is %.4g m from its centre, and the membrane ends at %.4g m: strike "
                           "it within %.4g m",
                           drum->site.name, away, drum->site.kind.radius,
                           drum->site.kind.radius - membrane->pitch);
    double at[2], sum = 0;
    for (int axis = 0; axis < 2; ++axis)
        at[axis] = strike->place[axis] / membrane->pitch + (double)membrane->middle;
    const size_t x = (size_t)at[0], y = (size_t)at[1];
    struct membrane_mallet *const out = &drum->mallet[drum->mallets];
    for (unsigned c = 0; c < CORNERS; ++c) {
        const double weight =
            fabs(1 - (c & 1) - (at[0] - (double)x)) * fabs(1 - (c >> 1) - (at[1] - (double)y));
        out->place[c] = (uint32_t)((y + (c >> 1)) * membrane->side + x + (c & 1));
        out->weight[c] = weight * membrane->there[out->place[c]];
        sum += out->weight[c];
    }
    for (unsigned c = 0; c < CORNERS; ++c)
        out->weight[c] /= sum;
    drum->strike[drum->mallets++] = strike;
    return 0;
}

/* ---- stepped ------------------------------------------------------------------------------------------- */

/* Force of a mallet at the start of a step, downwards [N]. */
static double force_at(const struct drum *drum, size_t mallet, uint64_t step)
{
    const struct drum_strike *const strike = drum->strike[mallet];
    const double since = (double)step * drum->all->k - strike->time;
    return since > 0 && since < strike->contact
               ? strike->force / 2 * (1 - cos(2 * PI * since / strike->contact))
               : 0;
}

/* membrane_plan.strike */
static uint32_t list_forces(const void *context, uint64_t first, uint64_t steps, uint32_t *mallet,
                            double *force)
{
    const struct drum *const drum = context;
    uint32_t found = 0;
    for (size_t m = 0; m < drum->mallets; ++m) {
        bool acts = false;
        for (uint64_t n = 0; n < steps; ++n)
            acts |= (force[found * steps + n] = force_at(drum, m, first + n)) != 0;
        mallet[found] = (uint32_t)m;
        found += acts;
    }
    return found;
}

/* Compute P from p and, with `blow`, from the mallets. */
static void press_membrane(const struct drum *drum, bool blow)
{
    const struct membrane *const membrane = &drum->membrane;
    for (size_t n = 0; n < membrane->nodes; ++n)
        membrane->pressure[membrane->node[n]] =
            membrane_press(&drum->joint[BELOW][n], &drum->joint[ABOVE][n], drum->pressure);
    for (size_t m = 0; blow && m < drum->mallets; ++m) {
        const double force = force_at(drum, m, drum->steps);
        for (unsigned c = 0; force != 0 && c < CORNERS; ++c)
            membrane->pressure[drum->mallet[m].place[c]] -=
                membrane_blow(&membrane->terms, force, drum->mallet[m].weight[c]);
    }
}

/* Work of the mallets in the last step; `struck`: whether any acts. */
static double sum_blows(const struct drum *drum, bool *struck)
{
    const struct membrane *const membrane = &drum->membrane;
    double work = 0;
    *struck = false;
    for (size_t m = 0; m < drum->mallets; ++m) {
        const double force = force_at(drum, m, drum->steps);
        const struct membrane_mallet *const at = &drum->mallet[m];
        *struck |= force != 0;
        for (unsigned c = 0; force != 0 && c < CORNERS; ++c)
            work -= membrane_work(force, at->weight[c], membrane->w[at->place[c]],
                                  membrane->w_older[at->place[c]]);
    }
    return work;
}

static void send_flows(const struct drum *drum, double *flow)
{
    const struct membrane *const membrane = &drum->membrane;
    memset(flow, 0, ports_of(drum) * sizeof *flow);
    for (size_t n = 0; n < membrane->nodes; ++n) {
        const size_t at = membrane->node[n];
        const double q = membrane_flow(&membrane->terms, membrane->w[at], membrane->w_old[at]);
        for (unsigned c = 0; c < CORNERS; ++c) {
            flow[drum->joint[BELOW][n].port[c]] -= drum->joint[BELOW][n].weight[c] * q;
            flow[drum->joint[ABOVE][n].port[c]] += drum->joint[ABOVE][n].weight[c] * q;
        }
    }
}

/* An engine_port_step: advances w from time `steps` k to the next. A device does the same
 * (../cuda/step/gpu_membranes.cuh). */
static void step_drum(void *context, const double *value, double *flow)
{
    struct drum *const drum = context;
    struct membrane *const membrane = &drum->membrane;
    double *const figure = drum->figure;
    bool struck;
    for (size_t n = 0; n < ports_of(drum); ++n) {
        drum->pressure[n] =
            membrane_port_pressure(drum->all->density, drum->all->k, value[n], drum->before[n]);
        drum->before[n] = value[n];
    }
    press_membrane(drum, true);
    membrane_step(membrane);
    send_flows(drum, flow);
    figure[MEMBRANE_WORK] += sum_blows(drum, &struck);
    figure[MEMBRANE_LOST] += membrane_lost(membrane);
    figure[MEMBRANE_MEAN] = membrane_mean(&membrane->terms, figure[MEMBRANE_MEAN], membrane->rise);
    if (!struck)
        figure[MEMBRANE_RISE] = fmax(figure[MEMBRANE_RISE], figure[MEMBRANE_MEAN]);
    drum->steps++;
}

/* ---- made of all --------------------------------------------------------------------------------------- */

/* Once all ports and mallets are known. */
static void make_plans(struct drums *drums)
{
    for (size_t d = 0; d < drums->count; ++d) {
        struct drum *const drum = &drums->drum[d];
        const struct membrane *const membrane = &drum->membrane;
        drum->before = drums->air + drum->first;
        drum->pressure = drums->air + drums->ports + drum->first;
        drum->plan = (struct membrane_plan){.terms = membrane->terms,
                                            .air_density = drums->density,
                                            .side = (uint32_t)membrane->side,
                                            .nodes = (uint32_t)membrane->nodes,
                                            .ports = (uint32_t)ports_of(drum),
                                            .mallets = (uint32_t)drum->mallets,
                                            .node = membrane->node,
                                            .diagonal = membrane->diagonal,
                                            .joint = {drum->joint[BELOW], drum->joint[ABOVE]},
                                            .mallet = drum->mallet,
                                            .strike = list_forces,
                                            .context = drum};
    }
}

/* Room for the mallets of every drum. */
static int count_mallets(struct drums *drums, size_t strikes, struct failure *failure)
{
    for (size_t d = 0; d < drums->count; ++d) {
        struct drum *const drum = &drums->drum[d];
        size_t count = 0;
        for (size_t m = 0; m < strikes; ++m)
            count += drums->strike[m].drum == d;
        drum->strike = calloc(count + 1, sizeof *drum->strike);
        drum->mallet = calloc(count + 1, sizeof *drum->mallet);
        if (drum->strike == NULL || drum->mallet == NULL)
            return failure_memory(failure, count * sizeof *drum->mallet, "drums");
    }
    return 0;
}

int drums_create(struct drums **out, const struct block_grid *grid, const struct time_step *step,
                 double air_density, const struct drum_site *site, size_t count,
                 const struct drum_strike *strike, size_t strikes, struct failure *failure)
{
    struct drums *const drums = calloc(1, sizeof *drums);
    int code = 0;
    if (drums == NULL)
        return failure_memory(failure, sizeof *drums, "drums");
    *drums = (struct drums){.k = step->period, .density = air_density};
    drums->drum = calloc(count + 1, sizeof *drums->drum);
    drums->strike = calloc(strikes + 1, sizeof *drums->strike);
    if (drums->drum == NULL || drums->strike == NULL)
        code = failure_memory(failure, strikes * sizeof *drums->strike, "drums");
    for (; code == 0 && drums->count < count; drums->count++) {
        drums->drum[drums->count].site = site[drums->count];
        code = make_drum(drums, &drums->drum[drums->count], grid, step, failure);
    }
    if (code == 0) {
        memcpy(drums->strike, strike, strikes * sizeof *strike);
        code = count_mallets(drums, strikes, failure);
    }
    for (size_t m = 0; code == 0 && m < strikes; m++)
        code = add_mallet(drums, &drums->strike[m], failure);
    if (code == 0) {
        drums->air = calloc(2 * drums->ports + 1, sizeof *drums->air);
        if (drums->air == NULL)
            code = failure_memory(failure, 2 * drums->ports * sizeof *drums->air, "drums");
        else
            make_plans(drums);
    }
    if (code == 0)
        *out = drums;
    else
        drums_free(drums);
    return code;
}

/* ---- joined -------------------------------------------------------------------------------------------- */

/* Copy a number of the state to `state`, or with `set` back; returns the next. */
static double *move_reals(bool set, double *state, double *of, size_t count)
{
    memcpy(set ? of : state, set ? state : of, count * sizeof *of);
    return state + count;
}

/* The state of a drum between steps, as struct membrane_plan has it. */
static void move_state(struct drum *drum, bool set, double *state)
{
    const struct membrane *const membrane = &drum->membrane;
    double *const level[2] = {membrane->w, membrane->w_old};
    drum->figure[MEMBRANE_STEPS] = (double)drum->steps;
    state = move_reals(set, state, drum->figure, MEMBRANE_FIGURES);
    const double steps = drum->figure[MEMBRANE_STEPS];
    drum->steps = steps >= 0 && steps < 0x1p53 ? (uint64_t)steps : 0; /* of a file, it may be anything */
    state = move_reals(set, state, drum->before, ports_of(drum));
    for (int l = 0; l < 2; ++l)
        for (size_t n = 0; n < membrane->nodes; ++n)
            state = move_reals(set, state, &level[l][membrane->node[n]], 1);
}

static void get_state(const void *context, double *state)
{
    move_state((struct drum *)(uintptr_t)context, false, state); /* only read */
}

static void rest_drum(struct drum *drum)
{
    const struct membrane *const membrane = &drum->membrane;
    drum->steps = 0;
    memset(drum->figure, 0, sizeof drum->figure);
    memset(drum->before, 0, ports_of(drum) * sizeof *drum->before);
    for (size_t n = 0; n < membrane->nodes; ++n)
        membrane->w[membrane->node[n]] = membrane->w_old[membrane->node[n]] = 0;
}

static void set_state(void *context, const double *state)
{
    if (state == NULL)
        rest_drum(context);
    else
        move_state(context, true, (double *)(uintptr_t)state); /* only read */
}

int drums_join(struct drums *drums, struct engine *engine, struct failure *failure)
{
    for (size_t d = 0; d < drums->count; ++d) {
        struct drum *const drum = &drums->drum[d];
        const struct engine_port_system system = {.step = step_drum,
                                                  .state = membrane_state(&drum->plan),
                                                  .get_state = get_state,
                                                  .set_state = set_state,
                                                  .context = drum,
                                                  .plan = &drum->plan};
        TRY(engine_add_port(engine, ports_of(drum), (const int64_t(*)[3])drums->node + drum->first, &system,
                            failure));
    }
    return 0;
}

void drums_free(struct drums *drums)
{
    if (drums == NULL)
        return;
    for (size_t d = 0; drums->drum != NULL && d <= drums->count; ++d) { /* the last one may be incomplete */
        membrane_free(&drums->drum[d].membrane);
        free(drums->drum[d].joint[BELOW]);
        free(drums->drum[d].joint[ABOVE]);
        free(drums->drum[d].strike);
        free(drums->drum[d].mallet);
    }
    free(drums->drum);
    free(drums->strike);
    free(drums->node);
    free(drums->air);
    free(drums);
}

/* ---- figures ------------------------------------------------------------------------------------------- */

struct drum_facts drums_facts(const struct drums *drums, size_t drum)
{
    const struct drum *const of = &drums->drum[drum];
    return (struct drum_facts){.nodes = of->membrane.nodes,
                               .above = of->ports[ABOVE],
                               .below = of->ports[BELOW],
                               .pitch = of->membrane.pitch,
                               .rise = of->figure[MEMBRANE_RISE],
                               .spare = of->spare};
}

const struct membrane *drums_membrane(const struct drums *drums, size_t drum)
{
    return &drums->drum[drum].membrane;
}

double drums_energy(const struct drums *drums, const struct engine *engine)
{
    double sum = 0;
    for (size_t d = 0; d < drums->count; ++d) {
        const struct drum *const drum = &drums->drum[d];
        const struct membrane *const membrane = &drum->membrane;
        double coupled = 0;
        for (size_t n = 0; n < ports_of(drum); ++n) {
            const int64_t *const node = drums->node[drum->first + n];
            drum->pressure[n] = membrane_port_pressure(drums->density, drums->k, engine_get(engine, 0, node),
                                                       engine_get(engine, 1, node));
        }
        press_membrane(drum, false);
        for (size_t n = 0; n < membrane->nodes; ++n)
            coupled += membrane_speed(membrane, membrane->node[n]) * membrane->pressure[membrane->node[n]];
        sum += membrane_energy(membrane) + drums->k / 2 * membrane->terms.area * coupled;
    }
    return sum;
}

static double sum_figure(const struct drums *drums, enum membrane_figure figure)
{
    double sum = 0;
    for (size_t d = 0; d < drums->count; ++d)
        sum += drums->drum[d].figure[figure];
    return sum;
}

double drums_work(const struct drums *drums)
{
    return sum_figure(drums, MEMBRANE_WORK);
}

double drums_lost(const struct drums *drums)
{
    return sum_figure(drums, MEMBRANE_LOST);
}
