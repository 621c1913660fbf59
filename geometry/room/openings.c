#include "geometry/room/openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/fine_leak.h"
#include "geometry/leak/leak.h"
#include "geometry/leak/seal.h"

#define ROUNDS       100 /* a long opening takes several plugs */
#define WIDER        1.25
#define FINER_ROUNDS 20
#define NARROW_PLUGS 16 /* then cracks are all over the model */

/* In whole millimetres, as it is told. */
static double wider(double seal)
{
    return ceil(1000 * WIDER * seal) / 1000;
}

static double seal_for(double gap)
{
    return leak_seal_centimetres(gap) / 100;
}

void openings_free(struct openings *openings)
{
    for (size_t n = 0; n < openings->count; ++n)
        voxel_leak_free(&openings->opening[n]);
    free(openings->opening);
    *openings = (struct openings){0};
}

struct search {
    const struct mesh *walls; /* the model */
    const struct lattice *lattice;
    const struct voxel_seed *source;
    struct voxelise_options options; /* without a seal */
    double seal;                     /* so far [m] */
    struct mesh closed;              /* the model with ribbons of that, and plugs */
    struct mesh plug;                /* these alone */
    struct clearance clearance;      /* of the model; made when first needed */
    size_t plugs;                    /* how many */
    size_t narrow_plugs;             /* of these, for what a seal would close as well */
    struct openings found;
};

/* The opening that a place is in, or beside as far as a plug reaches; NULL. */
static const struct voxel_leak *known_at(const struct search *search, const struct voxel_leak *leak)
{
    for (size_t n = 0; n < search->found.count; ++n) {
        const struct voxel_leak *known = &search->found.opening[n];
        const double reach =
            larger(1.5 * larger(known->gap_size, leak->gap_size), 2 * search->lattice->spacing);
        if (vector_distance(known->gap, leak->gap) <= reach)
            return known;
    }
    return NULL;
}

/* Takes its path over. */
static void add(struct search *search, struct voxel_leak *leak)
{
    if (search->found.count < OPENINGS_MAX && known_at(search, leak) == NULL) {
        search->found.opening[search->found.count++] = *leak;
        *leak = (struct voxel_leak){0};
    }
}

/* ---- closed ---- */

static int append(const struct mesh *from, struct mesh *to, struct failure *failure)
{
    const uint32_t before = (uint32_t)to->vertex_count;
    for (size_t n = 0; n < from->vertex_count; ++n)
        TRY(mesh_add_vertex(to, from->vertex[n], NULL, failure));
    for (size_t n = 0; n < from->triangle_count; ++n) {
        const uint32_t *const corner = from->triangle[n];
        TRY(mesh_add_triangle(to,
                              (const uint32_t[3]){before + corner[0], before + corner[1], before + corner[2]},
                              from->triangle_material[n], failure));
    }
    return 0;
}

/* The model with ribbons and plugs, anew. */
static int close_model(struct search *search, struct failure *failure)
{
    mesh_free(&search->closed);
    TRY(search->seal > 0 ? seal_mesh(search->walls, search->seal, &search->closed, failure)
                         : mesh_copy(search->walls, &search->closed, failure));
    return append(&search->plug, &search->closed, failure);
}

static int plug_leak(struct search *search, const struct voxel_leak *leak, double width, bool *closed,
                     struct failure *failure)
{
    if (search->clearance.node_count == 0)
        TRY(clearance_make(search->walls, &search->clearance, failure));
    TRY(seal_plug(&search->clearance, leak, width, search->lattice->spacing, &search->plug, closed, failure));
    search->plugs += *closed;
    search->narrow_plugs += *closed && width > search->seal && width <= OPENINGS_SEAL;
    return 0;
}

/* By a plug of its own, which leaves all others as they are, where the grid sees how wide it is, or where it
 * is what ribbons or the plug of a window have left; by sealing wider what is narrower than that, or too long
 * for a plug. Between ribbons and plugs a gap is narrower than between walls. */
static int close_leak(struct search *search, const struct voxel_leak *leak, bool *closed,
                      struct failure *failure)
{
    const struct voxel_leak *const known = known_at(search, leak);
    const double gap = leak->gap_size, wanted = larger(seal_for(gap), wider(search->seal));
    const bool of_window = known != NULL && known->gap_size > OPENINGS_SEAL;
    const bool resolved =
        gap > search->lattice->spacing && known == NULL && search->narrow_plugs < NARROW_PLUGS;
    *closed = gap > search->seal && !resolved && !of_window && wanted <= OPENINGS_SEAL;
    if (*closed)
        search->seal = wanted;
    else
        TRY(plug_leak(search, leak, seal_for(larger(of_window ? known->gap_size : gap, search->seal)), closed,
                      failure));
    return close_model(search, failure);
}

/* The room with what has been closed so far: tight, or there is one more. */
static int round_of(struct search *search, bool *again, struct failure *failure)
{
    struct voxels voxels = {0};
    struct voxel_leak leak = {0};
    struct failure why = {0};
    int code = voxelise(&search->closed, search->lattice, search->source, 1, &search->options, &voxels, NULL,
                        &leak, &why);
    *again = false;
    search->found.closed = code == 0;
    if (leak.point_count > 0) {
        code = close_leak(search, &leak, again, failure);
        add(search, &leak);
    } else if (code != 0 && code != FAILURE_INPUT) {
        (void)failure_forward(failure, &why);
    } else {
        code = 0; /* a plug may stand where the source is: what was found until then is told */
    }
    voxel_leak_free(&leak);
    voxels_free(&voxels);
    return code;
}

/* The same on a finer grid. */
static int finer_round_of(struct search *search, uint64_t memory_bytes, bool *again, struct failure *failure)
{
    const struct fine_leak_options options = {.spacing = OPENINGS_FINER,
                                              .coarse = search->lattice->spacing,
                                              .memory_bytes = memory_bytes,
                                              .threads = search->options.threads,
                                              .interrupted = search->options.interrupted};
    struct fine_leak found = {0};
    struct failure why = {0};
    *again = false;
    int code = fine_leak_find(&search->closed, search->source, 1, &options, &found, &why);
    if (code != 0) /* a plug or a wall may stand at the source on that grid */
        return code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
    search->found.finer = found.spacing < search->lattice->spacing ? found.spacing : 0;
    if (found.leaks) {
        code = close_leak(search, &found.leak, again, failure);
        add(search, &found.leak);
    }
    fine_leak_free(&found);
    return code;
}

static void add_sealed(struct search *search, const struct voxel_findings *findings)
{
    for (size_t n = 0; n < findings->sealed_count; ++n) {
        struct voxel_leak crack = {.gap_size = findings->sealed[n].width};
        memcpy(crack.gap, findings->sealed[n].position, sizeof crack.gap);
        add(search, &crack);
    }
}

/* The width that closes the model without plugs, and what else it closes. */
static int find_width(struct search *search, struct failure *failure)
{
    double width = search->seal;
    bool closes = false;
    for (size_t n = 0; n < search->found.count; ++n)
        width = larger(width, seal_for(search->found.opening[n].gap_size));
    for (; !closes && width <= OPENINGS_SEAL; width = wider(width)) {
        struct voxels voxels = {0};
        struct voxel_findings findings = {0};
        struct failure why = {0};
        search->options.seal_width = width;
        const int code = voxelise(search->walls, search->lattice, search->source, 1, &search->options,
                                  &voxels, &findings, NULL, &why);
        closes = code == 0;
        if (closes) {
            search->found.seal_width = width;
            add_sealed(search, &findings);
        }
        voxels_free(&voxels);
        voxel_findings_free(&findings);
        if (code != 0 && code != FAILURE_INPUT)
            return failure_forward(failure, &why);
    }
    return 0;
}

/* What that seal closes of cracks that the grid passes by, on one that sees those that are known. */
static int add_finer(struct search *search, uint64_t memory_bytes, struct failure *failure)
{
    double low[3], high[3], narrowest = INFINITY;
    struct lattice fine;
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    struct failure why = {0};
    for (size_t n = 0; n < search->found.count; ++n)
        narrowest = smaller(narrowest, search->found.opening[n].gap_size);
    const double spacing = larger(search->found.finer, narrowest / 2);
    if (!(search->found.finer > 0 && spacing < search->lattice->spacing) ||
        fine_leak_bytes(search->walls, spacing) > memory_bytes)
        return 0;
    TRY(mesh_bounds(search->walls, low, high, failure));
    TRY(lattice_fit(low, high, spacing, NULL, &fine, failure));
    search->options.seal_width = search->found.seal_width;
    const int code =
        voxelise(search->walls, &fine, search->source, 1, &search->options, &voxels, &findings, NULL, &why);
    if (code == 0)
        add_sealed(search, &findings);
    voxels_free(&voxels);
    voxel_findings_free(&findings);
    /* A ribbon may stand at the source on that grid. */
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

static int by_width(const void *a, const void *b)
{
    const struct voxel_leak *one = a, *other = b;
    return (one->gap_size < other->gap_size) - (one->gap_size > other->gap_size);
}

static int find_all(struct search *search, uint64_t memory_bytes, struct failure *failure)
{
    const size_t bytes = OPENINGS_MAX * sizeof *search->found.opening;
    bool again = true;
    search->found.opening = calloc(1, bytes);
    if (search->found.opening == NULL)
        return failure_memory(failure, bytes, "openings");
    for (size_t n = 0; n < search->walls->material_count; ++n)
        TRY(mesh_add_material(&search->plug, search->walls->material[n], NULL, failure));
    TRY(close_model(search, failure));
    for (int n = 0; again && n < ROUNDS; ++n)
        TRY(round_of(search, &again, failure));
    again = search->found.closed && memory_bytes > 0;
    for (int n = 0; again && n < FINER_ROUNDS; ++n)
        TRY(finer_round_of(search, memory_bytes, &again, failure));
    search->found.rest = search->found.closed && !again ? search->seal : 0;
    search->found.finer = again ? 0 : search->found.finer;
    if (search->found.closed)
        TRY(find_width(search, failure));
    return isfinite(search->found.seal_width) ? add_finer(search, memory_bytes, failure) : 0;
}

int openings_find(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *source,
                  const struct voxelise_options *options, uint64_t memory_bytes, struct openings *out,
                  struct failure *failure)
{
    struct search search = {.walls = mesh,
                            .lattice = lattice,
                            .source = source,
                            .options = *options,
                            .seal = options->seal_width,
                            .found.seal_width = NAN};
    search.options.cells = search.options.find_leak_paths = search.options.open = false;
    search.options.seal_width = 0;
    const int code = find_all(&search, memory_bytes, failure);
    mesh_free(&search.closed);
    mesh_free(&search.plug);
    clearance_free(&search.clearance);
    if (code != 0) {
        openings_free(&search.found);
        return code;
    }
    qsort(search.found.opening, search.found.count, sizeof *search.found.opening, by_width);
    *out = search.found;
    return 0;
}
