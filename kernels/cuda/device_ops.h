/** The operations of an engine on a device, one declaration each. They return 0 or a code; the device comes
 * before these arguments.
 *
 * A new operation is a line here and a definition in device_operations.cuh. From this list follow the members
 * of struct device_ops (device_engine.h), the methods of the engine (engine_on_device.cuh) and their table
 * (device_stepper.cu). Engines call them by ENGINE_ASK() (../engine/engine_ask.h). Include this file with
 * OPERATION(name, ...) defined; it is undefined at the end, and there is no include guard. */

/** All sources and receivers, in place of those before. Copied. FAILURE_CAPACITY with the bytes. */
OPERATION(set_taps, size_t sources, const struct engine_tap *source, size_t receivers,
          const struct engine_tap *receiver, struct failure *failure);

/** As engine_run(), after `begun` steps. Samples and drives travel in batches; no allocation, copy to the
 * host or wait per step. FAILURE_OUTPUT when the device fails; then every later call fails too. */
OPERATION(run, uint64_t begun, uint64_t steps, const double *drive, double *output, struct failure *failure);

/** Both levels to zero, and the states and losses of walls and the states of the air. */
OPERATION(reset, struct failure *failure);

/** The losses of the air between steps (../engine/engine_air.c), in place of those before, to be reset; there
 * may be none. A room with them does not stay on the chip. FAILURE_CAPACITY: there are none then. */
OPERATION(set_air, const struct air_loss *loss, struct failure *failure);

/** Level 0 is u, 1 u_old, 2 on the states of the air's losses; `values` holds request.length reals. */
OPERATION(read, int level, void *values, struct failure *failure);
OPERATION(write, int level, const void *values, struct failure *failure);
/** `count` values of a level from index `first` on; first + count is at most request.length. */
OPERATION(read_part, int level, uint64_t first, uint64_t count, void *values, struct failure *failure);
/** The same to the device, of blocks alone. */
OPERATION(write_part, int level, uint64_t first, uint64_t count, const void *values, struct failure *failure);

/** Sum of squares, sum, largest and first bad index over u, as engine_health() needs them. The same sums
 * at every call for the same field: the order of summation is fixed. */
OPERATION(measure, struct engine_partial *found, struct failure *failure);
/** As engine_energy(), of the field alone. */
OPERATION(energy, double *energy, struct failure *failure);
/** As engine_hash(). */
OPERATION(hash, uint64_t *hash, struct failure *failure);
/** As engine_fill(). */
OPERATION(fill, uint64_t seed, struct failure *failure);

/** Energy that all frequency-dependent walls hold, in the units of engine_energy(). The weight of an entry is
 * computed from its share, so in single precision it is known to (1 + kappa) of its node roundings. The same
 * sum at every call for the same states. O(wall entries).
 * @param terms by row as step_wall_row() counts
 * @param courant of the step; `inertance` as in wall_terms_make() */
OPERATION(wall_energy, const struct wall_terms *terms, double courant, bool inertance, double *energy,
          struct failure *failure);
/** With step_walls.ledger: add what each material has absorbed since the last call to absorbed[]
 * (step_walls.materials + 1), in the units of engine_absorbed(); then clear the losses. Weights and order as
 * above. O(materials x wall nodes). */
OPERATION(add_absorbed, const struct wall_terms *terms, double courant, double *absorbed,
          struct failure *failure);
/** The states of `count` entries from `first` on, in the run's real, as after the last step, sources
 * included: plane after plane as step_walls.state has them, `stride` reals apart. */
OPERATION(read_states, uint64_t first, uint64_t count, void *state, uint64_t stride, struct failure *failure);
/** With step_walls.ledger: the losses that scheme_wall_keep() has added up since the last call, (wall
 * entries) reals; they start from 0 again. For tests. */
OPERATION(take_losses, void *loss, struct failure *failure);

/** States of the wall entries first .. first+count-1, plane by plane in the run's real: (2 branches, count)
 * ordered as step_walls.state and, with step_walls.ledger, (count) losses, which are kept. */
OPERATION(read_entries, uint64_t first, uint64_t count, void *values, struct failure *failure);
OPERATION(write_entries, uint64_t first, uint64_t count, const void *values, struct failure *failure);

/** Copy all levels and the states of wall entries within the device, in place of the copy before. Its memory
 * stays until the engine is freed and is not in bytes(). `*made` false: the device holds none, or steps a box
 * or a part of a room. Takes the time to read and write that much there. */
OPERATION(copy, bool *made, struct failure *failure);
/** From that copy, as read_part() and read_entries(): while another thread makes
 * any other call but the one above and free(). */
OPERATION(read_copied_part, int level, uint64_t first, uint64_t count, void *values, struct failure *failure);
OPERATION(read_copied_entries, uint64_t first, uint64_t count, void *values, struct failure *failure);

/** The sheets of the room (../engine/engine_sheets.h), once; tables are copied, states are 0.
 * FAILURE_CAPACITY. */
OPERATION(set_sheets, const struct engine_sheets *sheets, struct failure *failure);
/** For every link: u_i - u_j of both levels, newest first, V, w, and its loss. */
OPERATION(read_sheets, double (*out)[5], struct failure *failure);
/** V, w, loss of every link, which fit the run's real. */
OPERATION(write_sheets, const double (*in)[3], struct failure *failure);
OPERATION(forget_sheet_losses, struct failure *failure);

/** The layer behind its open faces (../engine/engine_layer.h), once; and its states and losses in the
 * run's real, each NULL or the host's, from the device or to it. FAILURE_CAPACITY, FAILURE_OUTPUT. */
OPERATION(set_layer, const struct engine_layer *layer, struct failure *failure);
OPERATION(move_layer, void *state, void *loss, bool write, struct failure *failure);
/** A port of an engine (../engine/engine_port.h): from now on every step also steps the membrane of `plan`,
 * which is at the nodes `index` (each in one port) and adds `weight` times its flow there. After join().
 * FAILURE_CAPACITY. */
OPERATION(add_port, uint64_t count, const uint64_t *index, const double *weight,
          const struct membrane_plan *plan, struct failure *failure);
/** The state of a port, counted from 0 (membrane_state()): to the device, or with `back` from it. */
OPERATION(move_port, uint64_t port, double *state, bool back, struct failure *failure);

/** One part of a room: from now on every step exchanges values as engine_halo.h says, and taps are to be
 * set again. Blocks alone, not twice; `halo` is borrowed. FAILURE_CAPACITY with the bytes,
 * FAILURE_OUTPUT. */
OPERATION(join, const struct engine_halo *halo, struct failure *failure);
/** As engine_exchange(). */
OPERATION(exchange, int level, struct failure *failure);

#undef OPERATION
