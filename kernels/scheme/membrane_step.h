/** The arithmetic of membranes, written once for C and CUDA (kernels/drum/membrane.h, drum.h), and the tables
 * that a device needs to step one.
 *
 * Sums over the nodes of a membrane have one order: lane l of MEMBRANE_LANES takes the nodes l, l + LANES ..
 * in this order, then lane i takes lane i + half for half = LANES / 2 .. 1. A thread of a device is a lane.
 */
#ifndef KERNELS_MEMBRANE_STEP_H
#define KERNELS_MEMBRANE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/scheme.h"

#define MEMBRANE_LANES     512
#define MEMBRANE_CORNERS   4
#define MEMBRANE_RISE_TIME 0.02 /* two periods of a low timpano [s] */

/** w+ = now w - old w- + push P + a L w - b L w- + c theta L w. */
struct membrane_terms {
    double now, old, push, a, b;
    double stretch, c;      /* Y / A; of theta, 0 for a constant tension */
    double k, area;         /* [s]; of a node [m2] */
    double loss, high_loss; /* s0 g^2, s1 */
    double lost;            /* of the sum of membrane_loss(): 2 sigma k */
};

/** The four ports of a node of a membrane on one side, numbered within the membrane's. */
struct membrane_joint {
    uint32_t port[MEMBRANE_CORNERS];
    double weight[MEMBRANE_CORNERS]; /* J, 0 if there are fewer ports */
};

/** A mallet, and the places that it acts on. */
struct membrane_mallet {
    uint32_t place[MEMBRANE_CORNERS];
    double weight[MEMBRANE_CORNERS]; /* their sum is 1 */
};

/** For a device: a membrane and the air at its ports. Borrowed. Its state is MEMBRANE_FIGURES, u at the ports
 * in the step before, w and w- at the nodes. */
enum membrane_figure {
    MEMBRANE_STEPS,
    MEMBRANE_WORK, /* of mallets [J] */
    MEMBRANE_LOST, /* [J] */
    MEMBRANE_MEAN, /* of the tension's rise over MEMBRANE_RISE_TIME [N/m] */
    MEMBRANE_RISE, /* the largest after a blow */
    MEMBRANE_FIGURES
};
struct membrane_plan {
    struct membrane_terms terms;
    double air_density; /* [kg/m3] */
    uint32_t side, nodes, ports, mallets;
    const uint32_t *node;                  /* (nodes) places on a square of `side` */
    const double *diagonal;                /* (side^2) */
    const struct membrane_joint *joint[2]; /* (nodes) below, above */
    const struct membrane_mallet *mallet;  /* (mallets) in the order in which they act */
    /** Forces [N] in the steps first .. first + steps - 1, (found, steps), of the mallets that act in any of
     * them: their numbers, rising. Returns how many. */
    uint32_t (*strike)(const void *context, uint64_t first, uint64_t steps, uint32_t *mallet, double *force);
    const void *context;
};

/** The sum over the lanes; they are overwritten. */
double membrane_sum_lanes(double lane[MEMBRANE_LANES]);

static inline uint64_t membrane_state(const struct membrane_plan *plan)
{
    return MEMBRANE_FIGURES + (uint64_t)plan->ports + 2 * (uint64_t)plan->nodes;
}

/** p at a port. */
SCHEME_FUNCTION double membrane_port_pressure(double air_density, double k, double u, double u_before)
{
    return air_density * (u - u_before) / k;
}

/** P of a node. */
SCHEME_FUNCTION double membrane_press(const struct membrane_joint *below, const struct membrane_joint *above,
                                      const double *pressure)
{
    double sum = 0;
    for (unsigned c = 0; c < MEMBRANE_CORNERS; ++c)
        sum += below->weight[c] * pressure[below->port[c]] - above->weight[c] * pressure[above->port[c]];
    return sum;
}

/** L x of a node and its neighbours, 0 where there is none. */
SCHEME_FUNCTION double membrane_laplacian(double xm, double xp, double ym, double yp, double diagonal,
                                          double x)
{
    return ((xm + xp) + (ym + yp)) - diagonal * x;
}

/** w+ without the stretch, and without b L w-. */
SCHEME_FUNCTION double membrane_next(const struct membrane_terms *terms, double w, double w_old,
                                     double pressure, double bent)
{
    return ((terms->now * w - terms->old * w_old) + terms->push * pressure) + terms->a * bent;
}

/** theta, from the sums of (w+ + w-) (-L w) and |L w|^2. */
SCHEME_FUNCTION double membrane_theta(const struct membrane_terms *terms, double stretches, double square)
{
    return stretches / (2 + terms->c * square);
}

/** What a node loses in a step, from w+ - w- and L w+ - L w-. */
SCHEME_FUNCTION double membrane_loss(const struct membrane_terms *terms, double moved, double bent)
{
    const double m = moved / (2 * terms->k);
    return m * (terms->loss * m - terms->high_loss * (bent / (2 * terms->k)));
}

/** q of a node [m3/s]. */
SCHEME_FUNCTION double membrane_flow(const struct membrane_terms *terms, double w, double w_old)
{
    return terms->area * ((w - w_old) / terms->k);
}

/** The pressure of a mallet at one of its places [Pa], and its work there in the step from w- to w+ [J]. */
SCHEME_FUNCTION double membrane_blow(const struct membrane_terms *terms, double force, double weight)
{
    return force * weight / terms->area;
}
SCHEME_FUNCTION double membrane_work(double force, double weight, double w, double w_older)
{
    return force * weight * (w - w_older) / 2;
}

/** The mean of the rise after another step. */
SCHEME_FUNCTION double membrane_mean(const struct membrane_terms *terms, double mean, double rise)
{
    return mean + terms->k / MEMBRANE_RISE_TIME * (rise - mean);
}

/* ---- by tables ------------------------------------------------------------------------------------------
 *
 * How a device steps a membrane; every line is a phase, which starts once the one before it has ended:
 *
 *   membrane_hear     a port     p from u of the step's start
 *   membrane_load     a node     P from p
 *   membrane_hit      once       P from mallets
 *   membrane_predict  a node     w+ without the stretch; sums for theta
 *   membrane_bend     a node     c theta L w
 *   membrane_end      a node     q, and the sum of what is lost
 *   membrane_count    once       figures; then the next step may begin
 *   membrane_give     a port     its flow
 */

/** Arrays of the plan and the state, on the host or on a device. A neighbour that is not there has the number
 * `nodes`. */
struct membrane_tables {
    struct membrane_terms terms;
    double air_density;
    uint32_t nodes, ports, mallets, uses;
    uint32_t (*near)[MEMBRANE_CORNERS]; /* (nodes) -x +x -y +y */
    double *diagonal;                   /* (nodes) */
    struct membrane_joint *joint[2];    /* (nodes) */
    uint32_t *first;                    /* (ports + 1) of a port among .. */
    uint32_t *use;                      /* (uses) .. the nodes that move it, rising, and .. */
    double *use_weight;                 /* .. J, of a port below negative */
    struct membrane_mallet *mallet;     /* (mallets) `place` is a node */
    /* Of the state; all start at 0. */
    double *figure;        /* (MEMBRANE_FIGURES) */
    double *before;        /* (ports) */
    double *w;             /* (3, nodes) w, w- and w+ in the places `slot` and after it */
    uint32_t *slot;        /* (1) */
    double *pressure, *at; /* (ports) p; (nodes) P, then q */
    /* Of a batch of steps: mallets that act, steps in it, steps done, then the numbers of these mallets; and
     * (mallets, steps) their forces [N]. */
    uint32_t *blows; /* (MEMBRANE_BLOWS + mallets) */
    double *force;   /* (mallets, MEMBRANE_BATCH) */
};
#define MEMBRANE_BLOWS 3
#define MEMBRANE_BATCH 1024 /* steps */

/** Make those of the plan; those of the state are NULL. FAILURE_CAPACITY. Freed by membrane_tables_free(),
 * which accepts zeroed ones. */
int membrane_tables_make(const struct membrane_plan *plan, struct membrane_tables *out,
                         struct failure *failure);
void membrane_tables_free(struct membrane_tables *tables);

/** w (0), w- (1), w+ (2). */
SCHEME_FUNCTION double *membrane_level(const struct membrane_tables *m, unsigned level)
{
    return m->w + (size_t)((*m->slot + level) % 3) * m->nodes;
}

/** L x of node n. */
SCHEME_FUNCTION double membrane_bent(const struct membrane_tables *m, const double *x, uint32_t n)
{
    double at[MEMBRANE_CORNERS];
    for (unsigned side = 0; side < MEMBRANE_CORNERS; ++side)
        at[side] = m->near[n][side] < m->nodes ? x[m->near[n][side]] : 0;
    return membrane_laplacian(at[0], at[1], at[2], at[3], m->diagonal[n], x[n]);
}

SCHEME_FUNCTION void membrane_hear(const struct membrane_tables *m, uint32_t port, double u)
{
    m->pressure[port] = membrane_port_pressure(m->air_density, m->terms.k, u, m->before[port]);
    m->before[port] = u;
}

SCHEME_FUNCTION void membrane_load(const struct membrane_tables *m, uint32_t n)
{
    m->at[n] = membrane_press(&m->joint[0][n], &m->joint[1][n], m->pressure);
}

SCHEME_FUNCTION double membrane_force(const struct membrane_tables *m, uint32_t blow)
{
    return m->force[(size_t)blow * m->blows[1] + m->blows[2]];
}

SCHEME_FUNCTION void membrane_hit(const struct membrane_tables *m)
{
    for (uint32_t blow = 0; blow < m->blows[0]; ++blow) {
        const struct membrane_mallet *const mallet = &m->mallet[m->blows[MEMBRANE_BLOWS + blow]];
        const double force = membrane_force(m, blow);
        for (unsigned c = 0; force != 0 && c < MEMBRANE_CORNERS; ++c)
            if (mallet->place[c] < m->nodes)
                m->at[mallet->place[c]] -= membrane_blow(&m->terms, force, mallet->weight[c]);
    }
}

SCHEME_FUNCTION void membrane_predict(const struct membrane_tables *m, uint32_t n, double *stretches,
                                      double *square)
{
    const double *const w = membrane_level(m, 0), *const w_old = membrane_level(m, 1);
    const double bent = membrane_bent(m, w, n);
    double next = membrane_next(&m->terms, w[n], w_old[n], m->at[n], bent);
    if (m->terms.b > 0)
        next -= m->terms.b * membrane_bent(m, w_old, n);
    membrane_level(m, 2)[n] = next;
    *stretches -= (next + w_old[n]) * bent;
    *square += bent * bent;
}

SCHEME_FUNCTION void membrane_bend(const struct membrane_tables *m, uint32_t n, double theta)
{
    if (m->terms.c > 0)
        membrane_level(m, 2)[n] += m->terms.c * theta * membrane_bent(m, membrane_level(m, 0), n);
}

SCHEME_FUNCTION void membrane_end(const struct membrane_tables *m, uint32_t n, double *lost)
{
    const double *const w = membrane_level(m, 2), *const w_older = membrane_level(m, 1);
    *lost +=
        membrane_loss(&m->terms, w[n] - w_older[n], membrane_bent(m, w, n) - membrane_bent(m, w_older, n));
    m->at[n] = membrane_flow(&m->terms, w[n], membrane_level(m, 0)[n]);
}

SCHEME_FUNCTION void membrane_count(const struct membrane_tables *m, double theta, double lost)
{
    const double *const w = membrane_level(m, 2), *const w_older = membrane_level(m, 1);
    double work = 0, *const figure = m->figure;
    bool struck = false;
    for (uint32_t blow = 0; blow < m->blows[0]; ++blow) {
        const struct membrane_mallet *const mallet = &m->mallet[m->blows[MEMBRANE_BLOWS + blow]];
        const double force = membrane_force(m, blow);
        struck = struck || force != 0;
        for (unsigned c = 0; force != 0 && c < MEMBRANE_CORNERS; ++c)
            if (mallet->place[c] < m->nodes)
                work -=
                    membrane_work(force, mallet->weight[c], w[mallet->place[c]], w_older[mallet->place[c]]);
    }
    figure[MEMBRANE_STEPS] += 1;
    figure[MEMBRANE_WORK] += work;
    figure[MEMBRANE_LOST] += m->terms.lost * lost;
    figure[MEMBRANE_MEAN] =
        membrane_mean(&m->terms, figure[MEMBRANE_MEAN], m->terms.c > 0 ? m->terms.stretch * theta : 0);
    if (!struck && figure[MEMBRANE_MEAN] > figure[MEMBRANE_RISE])
        figure[MEMBRANE_RISE] = figure[MEMBRANE_MEAN];
    m->blows[2]++;
    *m->slot = (*m->slot + 2) % 3;
}

SCHEME_FUNCTION double membrane_give(const struct membrane_tables *m, uint32_t port)
{
    double flow = 0;
    for (uint32_t n = m->first[port]; n < m->first[port + 1]; ++n)
        flow += m->use_weight[n] * m->at[m->use[n]];
    return flow;
}

#endif
