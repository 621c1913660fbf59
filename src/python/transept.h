/** The library of transept, for the Python package (transept/) and other languages.
 *
 * A small interface, unlike the program's own headers, which are not stable. Objects are opaque. Arrays are
 * borrowed from them, in the layout of the headers named here. A failed call fills a `struct failure` of the
 * caller with one sentence. Every call returns an enum failure_code (an exit status of the program) unless it
 * says otherwise. No call prints or ends the process (except for a GPU that hangs:
 * src/run/watch/batch_watch.h). Arguments must not be NULL unless stated.
 *
 * Threads: transept_command(), transept_project_read() and transept_room_open() use what belongs to the
 * process (interruption, progress, a project in memory), so the caller must run only one of them at a time.
 * All others may be called by several threads for different objects, and those that take a const object for
 * the same one. */
#ifndef SRC_PYTHON_TRANSEPT_H
#define SRC_PYTHON_TRANSEPT_H

#include <stdint.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/base/listener.h"

#define TRANSEPT_API __attribute__((visibility("default")))

struct mesh;
struct transept_room;
struct transept_engine;

/* ---- the library ---- */

/** "0.1.0", and the CUDA toolkit that it was built with, or NULL. Static storage. */
TRANSEPT_API const char *transept_version(void);
TRANSEPT_API const char *transept_cuda(void);

/** Bytes of a struct failure, which starts zeroed, and of its text. */
TRANSEPT_API size_t transept_failure_bytes(void);
TRANSEPT_API size_t transept_failure_text_bytes(void);
/** As a line of JSON (src/base/options/messages.h), and as the sentence that the program prints; into `text`.
 */
TRANSEPT_API void transept_failure_json(const struct failure *failure, char *text);
TRANSEPT_API void transept_failure_sentence(const struct failure *failure, char *text);

/** Free a text returned to the caller; NULL is accepted. */
TRANSEPT_API void transept_text_free(char *text);

/* ---- commands of the program ---- */

/** Run a command: argument[0] is its name, then its arguments. It is quiet and answers in JSON if it has
 * these options. `project` (may be NULL) is the text of standard input, the room `-`. FAILURE_INPUT also for
 * help and for a run that is to be resumed in another folder (repeat the same command to continue it).
 * FAILURE_ANSWER_NO is a result; its object was reported. */
TRANSEPT_API int transept_command(int count, char **argument, const char *project,
                                  const struct listener *listener, struct failure *failure);

/** Stop the running command as after Ctrl-C; from any thread, any number of times. A command that has not
 * quite begun ignores it: repeat the call until the command ends. */
TRANSEPT_API void transept_interrupt(void);

/** Read and check a project with all its variants: `path`, or PROJECT_INPUT with its `text`. `*json` has its
 * `variants` and its `title`: transept_text_free(). FAILURE_INPUT as project_open(). */
TRANSEPT_API int transept_project_read(const char *path, const char *text, const struct listener *listener,
                                       char **json, struct failure *failure);

/* ---- meshes: geometry/mesh/mesh.h ---- */

/** @param metres_per_unit 0: from the file, else metres. @param up 0: by its format; 1 y; 2 z */
TRANSEPT_API int transept_mesh_read(const char *path, double metres_per_unit, int up, struct mesh **out,
                                    struct failure *failure);
/** A built-in room; `count` of its options by name and value, as texts. */
TRANSEPT_API int transept_mesh_shape(const char *shape, size_t count, const char *const *name,
                                     const char *const *value, struct mesh **out, struct failure *failure);
/** From arrays, which are copied: (vertices, 3), (triangles, 3), (triangles), (materials). FAILURE_INPUT as
 * mesh_check(). */
TRANSEPT_API int transept_mesh_make(size_t vertices, const double *vertex, size_t triangles,
                                    const uint32_t *triangle, const uint16_t *triangle_material,
                                    size_t materials, const char *const *material, struct mesh **out,
                                    struct failure *failure);
TRANSEPT_API void transept_mesh_free(struct mesh *mesh);

/** @param receiver 0 for a source */
TRANSEPT_API int transept_mesh_mark(struct mesh *mesh, int receiver, const char *name,
                                    const double position[3], struct failure *failure);
TRANSEPT_API int transept_mesh_write(const struct mesh *mesh, const char *path, struct failure *failure);

/** Counts: vertices, triangles, materials, markers. */
TRANSEPT_API void transept_mesh_counts(const struct mesh *mesh, size_t count[4]);
TRANSEPT_API const double *transept_mesh_vertices(const struct mesh *mesh);
TRANSEPT_API const uint32_t *transept_mesh_triangles(const struct mesh *mesh);
TRANSEPT_API const uint16_t *transept_mesh_triangle_materials(const struct mesh *mesh);
TRANSEPT_API const char *transept_mesh_material(const struct mesh *mesh, size_t material);
/** Returns its name; `*receiver` as above. */
TRANSEPT_API const char *transept_mesh_marker(const struct mesh *mesh, size_t marker, int *receiver,
                                              double position[3]);
/** By material [m2]; `area` has space for all of them. */
TRANSEPT_API void transept_mesh_areas(const struct mesh *mesh, double *area);
/** degenerate, duplicate, open edges, edges of more than two: struct mesh_census. */
TRANSEPT_API int transept_mesh_census(const struct mesh *mesh, size_t census[4], struct failure *failure);

/* ---- runs ---- */

/** Put results in place that a killed command left in the folder of a run. */
TRANSEPT_API int transept_folder_finish(const char *path, struct failure *failure);

/* ---- sounds ---- */

/** Read a WAV file: (frames, channels) samples, to be freed by transept_samples_free(). */
TRANSEPT_API int transept_wav_read(const char *path, float **sample, size_t *frames, int *channels, int *rate,
                                   struct failure *failure);
TRANSEPT_API void transept_samples_free(float *sample);

/* ---- a room on its grid: src/setup/room_setup.h, blocks/block_layout.h ---- */

/** Read, voxelise and pack a room. The arguments, and the treatment of missing absorption and sources, are
 * those of `plan`. With `mesh` (may be NULL), which is copied, the room's name is ignored. `project` as
 * above. FAILURE_INTERRUPTED after transept_interrupt(). */
TRANSEPT_API int transept_room_open(int count, char **argument, const struct mesh *mesh, const char *project,
                                    const struct listener *listener, struct transept_room **out,
                                    struct failure *failure);
TRANSEPT_API void transept_room_free(struct transept_room *room);

/** The record of `plan --json` with `grid`: counts, the origin of node (0,0,0), the highest and lowest node
 * of the air. transept_text_free(); NULL without memory. */
TRANSEPT_API char *transept_room_record(const struct transept_room *room);

/** An array of the block grid by its name in struct block_grid: "block", "tile", "wall_first", "wall",
 * "marks", "cut_first", "cut", "gain", "extra_node", "extra_link", "list_voxel", "edge", "plaquette". If the
 * grid has none, `*data` is NULL and `*count` (rows) 0. FAILURE_INPUT for another name. */
TRANSEPT_API int transept_room_array(const struct transept_room *room, const char *name, const void **data,
                                     uint64_t *count, struct failure *failure);

/** Index into pressures of each of `count` nodes, (count, 3); UINT64_MAX without air. */
TRANSEPT_API void transept_room_index(const struct transept_room *room, size_t count, const int64_t *node,
                                      uint64_t *index);

/* ---- engines: kernels/engine/engine.h ---- */

/** An engine for the room, with its walls, back end, layout and precision. The room must outlive it; several
 * engines may share one. FAILURE_INPUT if the room is for several devices. */
TRANSEPT_API int transept_engine_make(const struct transept_room *room, struct transept_engine **out,
                                      struct failure *failure);
TRANSEPT_API void transept_engine_free(struct transept_engine *engine);

/** Add a source (receiver 0), a receiver (1), or a receiver of the derivative along x, y or z (2, 3, 4): at a
 * place [m], at point `point` of the room (sources, then receivers), or at one node with weight 1. A place
 * belongs to the nearest node of the air among the corners of its cell; FAILURE_INPUT if none is air, and for
 * sources of a room with directivities or simultaneous sources, which only runs drive. */
TRANSEPT_API int transept_engine_add(struct transept_engine *engine, int kind, const double position[3],
                                     struct failure *failure);
TRANSEPT_API int transept_engine_add_point(struct transept_engine *engine, int kind, size_t point,
                                           struct failure *failure);
TRANSEPT_API int transept_engine_add_node(struct transept_engine *engine, int kind, const int64_t node[3],
                                          struct failure *failure);
TRANSEPT_API void transept_engine_counts(const struct transept_engine *engine, size_t count[2]);

/** engine_run(): `drive` (sources, steps) and `output` (receivers, steps) may be NULL. */
TRANSEPT_API int transept_engine_run(struct transept_engine *engine, uint64_t steps, const double *drive,
                                     double *output, struct failure *failure);
TRANSEPT_API uint64_t transept_engine_steps(const struct transept_engine *engine);
TRANSEPT_API void transept_engine_reset(struct transept_engine *engine);

/** engine_field_see() and engine_field_put(). */
TRANSEPT_API int transept_engine_see(struct transept_engine *engine, int level, const void **value,
                                     uint64_t *length, unsigned *real_bytes, struct failure *failure);
TRANSEPT_API int transept_engine_put(struct transept_engine *engine, int level, uint64_t length,
                                     const double *value, struct failure *failure);

/** Pressure now at `count` places, (count, 3) [m], interpolated as at a receiver; NAN without air. O(216) a
 * place, and for a device a copy of its field. */
TRANSEPT_API int transept_engine_sample(struct transept_engine *engine, size_t count, const double *position,
                                        double *value, struct failure *failure);

/** engine_energy(), engine_hash(), engine_bytes(). */
TRANSEPT_API int transept_engine_energy(struct transept_engine *engine, double *energy,
                                        struct failure *failure);
TRANSEPT_API uint64_t transept_engine_hash(struct transept_engine *engine);
TRANSEPT_API uint64_t transept_engine_bytes(const struct transept_engine *engine);
/** Borrowed from the engine. */
TRANSEPT_API const char *transept_engine_description(const struct transept_engine *engine);

#endif
