/** Stepping a room: one object for every back end, layout and precision.
 *
 * State: u (step n) and u_old (step n-1), zero at the start. One step computes u of step n+1: it updates all
 * air nodes (scheme.h; walls with their block), then adds the drive. Drive sample q[n] adds to u[n+1] at tap
 * node s
 *
 *   weight lambda2 / h q[n] (1 - q_s) / mass_s        1 - q_s = 1/(1+kappa_s)
 *
 * so u discretises u_tt = c^2 (Laplacian u + delta q). With q[0] = 1 the output is the digital Green's
 * function, and its sum is 1/(4 pi r). Output sample n is u[n], before that step, as sum(weight u) in double
 * in the order of the stencil.
 */
#ifndef KERNELS_ENGINE_H
#define KERNELS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "kernels/scheme/air_loss.h"
#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/stencil.h"
#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_material.h"

struct engine_back_ends;
struct engine;

/** Make an engine for a room. It steps one layout. `blocks` is always needed; `box` only for LAYOUT_BOX, else
 * NULL. Both are borrowed and must outlive the engine.
 * @param admittance (material_count) specific admittance g >= 0 by mesh material; VOXELS_OPEN_FACE has g = 1,
 *        VOXELS_NO_MATERIAL g = 0
 * @return FAILURE_INPUT for a material index past the table, for an invalid g, or for a grid with conformal
 * walls whose masses are for another lambda2 (cut_masses_make()). FAILURE_CAPACITY with the bytes, before
 * large allocations, if they exceed machine_memory_available() or the free memory of the device; the same
 * code without a device (device.h). */
int engine_create(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                  const struct time_step *step, const double *admittance, size_t material_count,
                  const struct engine_options *options, struct failure *failure);

/** The same with walls whose admittance depends on frequency: material m of the mesh is walls->material[m].
 * VOXELS_OPEN_FACE is one branch with E = 1; VOXELS_NO_MATERIAL is rigid. Without inertance, ledger and
 * branches with D or F this is engine_create() with the sums of 1/E. FAILURE_INPUT as there; also for a
 * branch whose D, E, F are not finite, negative or all 0, for too many branches, and for inertance with
 * conformal walls. States take 2 reals for each wall entry and each branch of the material with most
 * branches. `walls` is not kept. */
int engine_create_walls(struct engine **out, const struct block_grid *blocks, const struct box_grid *box,
                        const struct time_step *step, const struct wall_materials *walls,
                        const struct engine_options *options, struct failure *failure);

/** The same, of settings by name. */
struct engine_settings {
    const struct engine_back_ends *back_ends; /* NULL: back_ends_built (engine_back_ends.h) */
    const struct block_grid *blocks;
    const struct box_grid *box;
    const struct time_step *step;
    size_t materials;
    const double *admittance;           /* (materials), as for engine_create(); or NULL and .. */
    const struct wall_materials *walls; /* .. these, as for engine_create_walls() */
    const struct engine_options *options;
    unsigned card;     /* of a device: which steps it */
    bool any_rounding; /* BACKEND_OPENCL: also on a device that rounds otherwise than C */
    bool open;         /* this is a part of a room with open faces, here or in another part */
};
int engine_create_with(struct engine **out, const struct engine_settings *settings, struct failure *failure);

void engine_free(struct engine *engine);

/** Bytes on the host for each wall entry: share or q, states, loss. Without the entry itself (8 bytes in
 * blocks) and without branches of open faces, which are few. `walls` NULL: of engine_create(). */
uint64_t engine_wall_entry_bytes(const struct wall_materials *walls, enum precision precision);

/** Copied; counted from 0 in order of calls. */
int engine_add_source(struct engine *engine, const struct stencil *stencil, struct failure *failure);
int engine_add_receiver(struct engine *engine, const struct stencil *stencil, struct failure *failure);

/** Let the air lose sound while the room is stepped (kernels/scheme/air_loss.h), from step 0: the engine is
 * reset. A response of this engine must not be filtered for losses of the air again. Needs loss->states more
 * reals a stored node; 0 states: no losses. FAILURE_INPUT for losses that are not stable; FAILURE_CAPACITY
 * with the bytes: the engine then has no losses. */
int engine_set_air(struct engine *engine, const struct air_loss *loss, struct failure *failure);
/** Those losses; NULL: none. */
const struct air_loss *engine_air_loss(const struct engine *engine);

/** Number of sources and receivers: rows of `drive` and of `output`. */
size_t engine_sources(const struct engine *engine);
size_t engine_receivers(const struct engine *engine);

/** Advance `steps` steps. `drive` is (sources, steps) row by row; NULL: no drive. `output` is (receivers,
 * steps) row by row; NULL: not stored. On a CPU it does not fail. For a device see
 * engine_failed(). */
void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output);

/** Steps that this engine makes in a pass over its blocks (kernels/cpu/step_fronts.h), or tries to:
 * engine_run() is fastest for multiples of it. */
unsigned engine_pass(const struct engine *engine);
/** Set it to 1 .. 3; 0: by trial in the first ENGINE_TRIAL_STEPS steps. An engine that can only make single
 * steps ignores it. */
#define ENGINE_TRIAL_STEPS 96
void engine_set_pass(struct engine *engine, unsigned steps);
/** Of passes of that many steps which were made: the share of the steps of blocks that wait for the range of
 * another thread, and read their pressures from memory again; 0 of none. */
double engine_pass_late(const struct engine *engine, unsigned steps);
#define ENGINE_PASS_MOST 3
/** More steps a pass are worth it only if they take less than this part of the time: turns of a trial
 * scatter, and other programs slow passes of several steps more, since a list cannot be shared by threads as
 * a step can. */
#define ENGINE_PASS_GAIN 0.95
/** Steps until the way of stepping is chosen (kernels/engine/engine_passes.h); 0: it is. */
uint64_t engine_trial_left(const struct engine *engine);

/** 0, or why this engine is lost: FAILURE_OUTPUT if its device failed; FAILURE_CAPACITY if the host had no
 * memory for a copy of the field, or the device none for sources, receivers or measuring. An engine stays
 * lost: engine_run() fills `output` with NaN, energies are NaN, health is not finite, the hash is 0. Call it
 * after engine_run() and after reading the field. Always 0 for BACKEND_CPU and BACKEND_REFERENCE. */
int engine_failed(const struct engine *engine, struct failure *failure);

/** Prepare the field for engine_get() and engine_set() from several threads at once. The field of a device is
 * copied to the host (both levels), and back before the next step if a value was set. With one thread
 * engine_get() and engine_set() do this themselves. Does nothing on a CPU. */
void engine_map(struct engine *engine);

/** Evict the pressures and the states of walls from the caches (machine_memory_evict()), to time a step as in
 * a larger room. Changes no value. Does nothing for a device. */
void engine_evict(const struct engine *engine);

/** Steps done since creation or reset. */
uint64_t engine_steps(const struct engine *engine);

/** Back to zero pressure and step 0; taps stay. */
void engine_reset(struct engine *engine);

/** Read or set one node of u (level 0) or u_old (level 1); for tests. The node must be air. */
double engine_get(const struct engine *engine, int level, const int64_t node[3]);
void engine_set(struct engine *engine, int level, const int64_t node[3], double value);

/** Read u of one block, by slot; nodes that are not air are 0, as are nodes outside the box. A device copies
 * only this block. NaN if the engine is lost. For checks.
 * @param block 1 .. blocks */
void engine_read_block(const struct engine *engine, uint32_t block, double values[BLOCK_NODES]);
/** The same of u (level 0), u_old (level 1), or the states of losses of the air (level 2 on). False if the
 * engine is lost. */
bool engine_read_level(const struct engine *engine, int level, uint32_t block, double values[BLOCK_NODES]);

/** Whether every value is finite, and the level. O(stored nodes), threads. */
struct engine_health {
    bool finite;
    int64_t bad_node[3]; /* first node that is not finite, in storage order of the layout */
    double largest;      /* max |u| */
    double mean_square;  /* over air, nodes by their mass */
    double mean;         /* of u, likewise: the constant part, which the energy does not include */
};
struct engine_health engine_health(const struct engine *engine);

/** Discrete energy of the field and the walls (Bilbao, Hamilton, Botts, Savioja 2016; the inertance is in
 * wall_terms.h), summed in double:
 *
 *   H = 1/(2 lambda2) sum mass (u - u_old)^2 + 1/2 sum_links open (u_i - u_j)(u_old_i - u_old_j)
 *     + sum_entries s/(2 lambda) (sum_m (D/T V_m^2 + F T g_m^2) + [inertance] 1/(2 lambda) (sum_m V_m)^2)
 *
 * mass and open are 1 except at cut nodes. Walls only lower H. In joules the energy is H h^3 / (rho c^2)
 * (pressure scale)^2. O(stored nodes), threads; the number of threads changes no digit. */
double engine_energy(const struct engine *engine);

/** Energy that each material has absorbed since creation or reset, in the units of engine_energy(). It is
 * summed in double from the losses that each entry keeps, in the run's precision, between calls: call it
 * every few hundred steps. Only with walls->ledger. The energy that a source adds to a wall node within the
 * same step is left out.
 * @param absorbed (material_count + 1) by mesh material, then VOXELS_OPEN_FACE; overwritten. NaN when the
 * engine is lost. O(wall entries). */
void engine_absorbed(struct engine *engine, double *absorbed);

/** Hash of u over the air: equal for every layout, back end, SIMD width and thread count. */
uint64_t engine_hash(const struct engine *engine);

/** Bytes of both levels of pressure, of the arrays by wall entry (coefficients, states, losses) and of the
 * plan of steps (step_plan.h); BACKEND_CUDA: all bytes on the device. */
uint64_t engine_bytes(const struct engine *engine);

/** Precision of the pressures. */
enum precision engine_precision(const struct engine *engine);

/** "cpu avx512, blocks, single, 2 threads", "cuda NVIDIA H200 march, blocks, single". Owned by the engine. */
const char *engine_description(const struct engine *engine);

#endif
