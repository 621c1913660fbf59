/* Sheets, the layer behind open faces and losses of the air of an engine on an OpenCL device: passes around a
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/opencl_engine.h"
#include "kernels/scheme/layer_tables.h"
#include "kernels/scheme/sheet_tables.h"

#define FLOW_PLANES   4 /* V, w, u_i - u_j - V, loss */
#define SHEET_OUTPUTS 5

static struct opencl_engine *of(struct device_engine *device)
{
    return (struct opencl_engine *)device;
}

static double value_at(const struct opencl_engine *engine, const void *values, uint64_t n)
{
    return engine->real == sizeof(float) ? (double)((const float *)values)[n] : ((const double *)values)[n];
}

/* The end of the arguments of a pass that pushes walls. */
static void argue_pushed_walls(struct opencl_engine *engine, enum opencl_pass_id id, opencl_memory held)
{
    opencl_argue_memory(engine, id, engine->wall_row);
    opencl_argue_walls(engine, id);
    OPENCL_ARGUE(engine, id, engine->loss, engine->material, held);
}

/* A pass that holds values of nodes. */
static int make_hold(struct opencl_engine *engine, enum opencl_pass_id id, const char *kernel, uint64_t nodes,
                     opencl_memory node, opencl_memory held, struct failure *failure)
{
    TRY(opencl_begin_pass(engine, id, kernel, nodes, failure));
    opencl_argue_memory(engine, id, node);
    opencl_argue_walls(engine, id);
    opencl_argue_memory(engine, id, held);
    return 0;
}

/* ---- sheets -------------------------------------------------------------------------------------------- */

/* Which links have a sheet with an effect. */
static int send_laws(struct opencl_engine *engine, const struct engine_sheets *sheets, opencl_memory *out,
                     struct failure *failure)
{
    uint8_t *const there = calloc(sheets->links + 1, 1);
    if (there == NULL)
        return failure_memory(failure, sheets->links, "sheets");
    for (uint64_t n = 0; n < sheets->links; ++n)
        there[n] = sheet_law_holds(&sheets->law[n]);
    const int code = opencl_make(engine, sheets->links, there, "sheets", out, failure);
    free(there);
    return code;
}

/* A pass before or after losses of the air. */
static int make_shift(struct opencl_engine *engine, enum opencl_pass_id id, const char *kernel,
                      opencl_memory there, struct failure *failure)
{
    TRY(opencl_begin_pass(engine, id, kernel, engine->links, failure));
    OPENCL_ARGUE(engine, id, engine->ends, there, engine->flows);
    return 0;
}

int opencl_set_sheets(struct device_engine *device, const struct engine_sheets *sheets,
                      struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const uint64_t links = sheets->links, term = engine->real == sizeof(float)
                                                     ? sizeof(struct scheme_sheet_f32)
                                                     : sizeof(struct scheme_sheet_f64);
    opencl_memory terms = NULL, there = NULL, node = NULL, use = NULL, weight = NULL, held = NULL;
    TRY(opencl_make(engine, links * sizeof *sheets->end, sheets->end, "sheets", &engine->ends, failure));
    TRY(opencl_make(engine, links * term, sheets->terms, "sheets", &terms, failure));
    TRY(send_laws(engine, sheets, &there, failure));
    TRY(opencl_make(engine, FLOW_PLANES * links * engine->real, NULL, "sheets", &engine->flows, failure));
    TRY(opencl_make(engine, (sheets->nodes + 1) * sizeof *sheets->node, sheets->node, "sheets", &node,
                    failure));
    TRY(opencl_make(engine, sheets->uses * sizeof *sheets->use, sheets->use, "sheets", &use, failure));
    TRY(opencl_make(engine, sheets->uses * engine->real, sheets->weight, "sheets", &weight, failure));
    TRY(opencl_make(engine, (sheets->helds + 1) * engine->real, NULL, "sheets", &held, failure));
    engine->links = links;

    TRY(opencl_begin_pass(engine, PASS_FLOW_SHEETS, "flow_sheets", links, failure));
    OPENCL_ARGUE(engine, PASS_FLOW_SHEETS, engine->ends, terms, there, engine->flows);
    TRY(make_shift(engine, PASS_KEEP_SHEETS, "keep_sheets", there, failure));
    TRY(make_shift(engine, PASS_SHIFT_SHEETS, "shift_sheets", there, failure));
    TRY(make_hold(engine, PASS_HOLD_SHEETS, "hold_sheets", sheets->nodes, node, held, failure));
    TRY(opencl_begin_pass(engine, PASS_PUSH_SHEETS, "push_sheets", sheets->nodes, failure));
    OPENCL_ARGUE(engine, PASS_PUSH_SHEETS, node, use, weight, engine->flows);
    opencl_argue_u64(engine, PASS_PUSH_SHEETS, links);
    argue_pushed_walls(engine, PASS_PUSH_SHEETS, held);
    return 0;
}

/* u at both ends of every link, of a level. */
static int read_ends(struct opencl_engine *engine, unsigned level, opencl_memory found, void *values,
                     struct failure *failure)
{
    TRY(opencl_begin_pass(engine, PASS_READ_ENDS, "read_nodes", 2 * engine->links, failure));
    OPENCL_ARGUE(engine, PASS_READ_ENDS, engine->ends, found);
    opencl_argue_u64(engine, PASS_READ_ENDS, 0);
    TRY(opencl_launch(engine, PASS_READ_ENDS, level, failure));
    return opencl_read(engine, found, 0, 2 * engine->links * engine->real, values, failure);
}

int opencl_read_sheets(struct device_engine *device, double (*out)[SHEET_OUTPUTS], struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const uint64_t links = engine->links;
    opencl_memory found = NULL;
    char *const values = calloc((FLOW_PLANES + 4) * links + 1, engine->real);
    if (values == NULL)
        return failure_memory(failure, (FLOW_PLANES + 4) * links * engine->real, "sheets");
    char *const ends = values + FLOW_PLANES * links * engine->real;
    int code = opencl_make(engine, 2 * links * engine->real, NULL, "sheets", &found, failure);
    for (unsigned level = 0; code == 0 && level < 2; ++level)
        code = read_ends(engine, level, found, ends + level * 2 * links * engine->real, failure);
    if (code == 0)
        code = opencl_read(engine, engine->flows, 0, FLOW_PLANES * links * engine->real, values, failure);
    for (uint64_t n = 0; code == 0 && n < links; ++n) {
        for (unsigned level = 0; level < 2; ++level)
            out[n][level] = value_at(engine, ends, 2 * (level * links + n)) -
                            value_at(engine, ends, 2 * (level * links + n) + 1);
        out[n][2] = value_at(engine, values, n);
        out[n][3] = value_at(engine, values, links + n);
        out[n][4] = value_at(engine, values, 3 * links + n);
    }
    opencl_drop(engine, &found);
    free(values);
    return code;
}

int opencl_write_sheets(struct device_engine *device, const double (*in)[3], struct failure *failure)
{
    static const uint64_t plane[3] = {0, 1, 3};
    struct opencl_engine *const engine = of(device);
    const uint64_t bytes = engine->links * engine->real;
    void *const one = calloc(engine->links + 1, engine->real);
    int code = one != NULL ? 0 : failure_memory(failure, bytes, "sheets");
    for (int p = 0; code == 0 && p < 3; ++p) {
        for (uint64_t n = 0; n < engine->links; ++n)
            if (engine->real == sizeof(float))
                ((float *)one)[n] = (float)in[n][p];
            else
                ((double *)one)[n] = in[n][p];
        code = opencl_write(engine, engine->flows, plane[p] * bytes, bytes, one, failure);
    }
    free(one);
    return code;
}

int opencl_forget_sheet_losses(struct device_engine *device, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const uint64_t bytes = engine->links * engine->real;
    return opencl_zero(engine, engine->flows, 3 * bytes, bytes, failure);
}

/* ---- the layer behind open faces ----------------------------------------------------------------------- */

int opencl_set_layer(struct device_engine *device, const struct engine_layer *layer, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const struct box_grid *const box = engine->room->box;
    const uint64_t nodes = layer->nodes, row = box != NULL ? (uint64_t)box->nodes[0] + 2 : 0,
                   term = engine->real == sizeof(float) ? sizeof(struct scheme_layer_f32)
                                                        : sizeof(struct scheme_layer_f64);
    opencl_memory node = NULL, normal = NULL, place = NULL, code = NULL, terms = NULL, gain = NULL,
                  damp = NULL, held = NULL;
    static const char what[] = "the layer behind open faces";
    TRY(opencl_make(engine, (nodes + 1) * sizeof *layer->node, layer->node, what, &node, failure));
    TRY(opencl_make(engine, layer->normals * sizeof *layer->normal, layer->normal, what, &normal, failure));
    if (box == NULL) {
        TRY(opencl_make(engine, layer->places * sizeof *layer->place, layer->place, what, &place, failure));
        TRY(opencl_make(engine, 27 * BLOCK_NODES * sizeof *layer->around.code, layer->around.code, what,
                        &code, failure));
    }
    TRY(opencl_make(engine, LAYER_CELLS * term, layer->terms, what, &terms, failure));
    TRY(opencl_make(engine, nodes * engine->real, layer->gain, what, &gain, failure));
    TRY(opencl_make(engine, nodes * engine->real, layer->damp, what, &damp, failure));
    TRY(opencl_make(engine, LAYER_STATES * layer->normals * engine->real, NULL, what, &engine->filters,
                    failure));
    TRY(opencl_make(engine, nodes * engine->real, NULL, what, &engine->taken, failure));
    TRY(opencl_make(engine, (layer->helds + 1) * engine->real, NULL, what, &held, failure));
    engine->layer_nodes = nodes;
    engine->layer_normals = layer->normals;

    TRY(make_hold(engine, PASS_HOLD_LAYER, "hold_layer", nodes, node, held, failure));
    TRY(opencl_begin_pass(engine, PASS_PUSH_LAYER, "push_layer", nodes, failure));
    OPENCL_ARGUE(engine, PASS_PUSH_LAYER, node, normal, place, code);
    opencl_argue_u64(engine, PASS_PUSH_LAYER, row);
    opencl_argue_u64(engine, PASS_PUSH_LAYER, box != NULL ? row * ((uint64_t)box->nodes[1] + 2) : 0);
    OPENCL_ARGUE(engine, PASS_PUSH_LAYER, terms, gain, damp, engine->filters, engine->taken);
    argue_pushed_walls(engine, PASS_PUSH_LAYER, held);
    return 0;
}

int opencl_move_layer(struct device_engine *device, void *state, void *loss, bool write,
                      struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    const uint64_t states = LAYER_STATES * engine->layer_normals * engine->real,
                   losses = engine->layer_nodes * engine->real;
    if (state != NULL)
        TRY(write ? opencl_write(engine, engine->filters, 0, states, state, failure)
                  : opencl_read(engine, engine->filters, 0, states, state, failure));
    if (loss == NULL)
        return 0;
    return write ? opencl_write(engine, engine->taken, 0, losses, loss, failure)
                 : opencl_read(engine, engine->taken, 0, losses, loss, failure);
}

int opencl_zero_lists(struct opencl_engine *engine, struct failure *failure)
{
    const struct {
        opencl_memory buffer;
        uint64_t reals;
    } list[] = {{engine->flows, FLOW_PLANES * engine->links},
                {engine->filters, LAYER_STATES * engine->layer_normals},
                {engine->taken, engine->layer_nodes},
                {engine->air[0], engine->length},
                {engine->air[1], engine->length},
                {engine->air[2], engine->length}};
    for (unsigned n = 0; n < sizeof list / sizeof *list; ++n)
        if (list[n].buffer != NULL)
            TRY(opencl_zero(engine, list[n].buffer, 0, list[n].reals * engine->real, failure));
    return 0;
}

/* ---- losses of the air --------------------------------------------------------------------------------- */

int opencl_set_air(struct device_engine *device, const struct air_loss *loss, struct failure *failure)
{
    struct opencl_engine *const engine = of(device);
    float single[2 * AIR_LOSS_STATES] = {0};
    double twice[2 * AIR_LOSS_STATES] = {0};
    opencl_drop_copy(engine);
    for (unsigned s = 0; s < AIR_LOSS_STATES; ++s)
        opencl_drop(engine, &engine->air[s]);
    opencl_drop(engine, &engine->air_terms);
    engine->every = 0;
    if (loss->states == 0)
        return 0;
    for (unsigned s = 0; s < loss->states; ++s) {
        twice[2 * s] = loss->share[s] / 2.0;
        twice[2 * s + 1] = loss->follow[s];
        TRY(opencl_make(engine, engine->length * engine->real, NULL, "losses of the air", &engine->air[s],
                        failure));
    }
    for (unsigned n = 0; n < 2 * AIR_LOSS_STATES; ++n)
        single[n] = (float)twice[n];
    TRY(opencl_make(engine, 2 * AIR_LOSS_STATES * engine->real,
                    engine->real == sizeof(float) ? (const void *)single : (const void *)twice,
                    "losses of the air", &engine->air_terms, failure));
    const uint32_t states = loss->states;
    TRY(opencl_begin_pass(engine, PASS_AIR, "lose_in_air", engine->length, failure));
    opencl_argue(engine, PASS_AIR, sizeof states, &states);
    opencl_argue_memory(engine, PASS_AIR, engine->air_terms);
    for (unsigned s = 0; s < AIR_LOSS_STATES; ++s)
        opencl_argue_memory(engine, PASS_AIR, engine->air[s]);
    engine->every = loss->every;
    return 0;
}
