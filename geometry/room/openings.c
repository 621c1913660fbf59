#include "geometry/room/openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "geometry/base/vector.h"
#include "geometry/leak/edge_gaps.h"
#include "geometry/leak/fine_leak.h"
#include "geometry/leak/leak.h"
#include "geometry/leak/seal.h"
#include "geometry/room/room_gaps.h"

#define ROUNDS       100 /* a long opening takes several plugs */
#define WIDER        1.25
#define FINER_ROUNDS 20
#define NARROW_PLUGS 16  /* then cracks are all over the model */
#define FEWER        4.0 /* if there are too many cracks, only those narrower by this factor are considered */
#define JUDGE_NODES  4e6 /* nodes in the box of the grid on which cracks beside edges are judged */
#define LIST_NODES   3e7 /* nodes in the box of the grid on which cracks closed by the seal are listed */

/* In whole millimetres, as reported. */
static double wider_seal(double seal)
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
    const struct openings_limits *limits;
    double until[2];         /* end by time_of() [s] */
    double first_seal, seal; /* initial, and so far [m] */
    struct mesh closed;      /* the model with ribbons of that seal, plugs, and closed cracks beside edges */
    struct mesh plug;        /* plugs alone */
    struct clearance clearance; /* of the model */
    struct edge_gaps gaps;
    bool *gap_closed;       /* (gaps.gap_count) in `closed` */
    double low[3], high[3]; /* of the model */
    size_t plugs;           /* how many */
    size_t narrow_plugs;    /* of these, for gaps that a seal would also close */
    struct openings found;
};

static const clockid_t clocks[2] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID};

static double time_of(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Spacing of a grid with so many nodes in the model's box. */
static double spacing_of(const struct search *search, double nodes)
{
    double box = 1;
    for (int axis = 0; axis < 3; ++axis)
        box *= search->high[axis] - search->low[axis];
    return cbrt(box / nodes);
}

/* True if the search has to end. */
static bool must_end(struct search *search)
{
    const struct openings_limits *const limits = search->limits;
    if (limits->progress != NULL && limits->seconds > 0) {
        const double left = larger(0, search->until[0] - time_of(clocks[0]));
        limits->progress(limits->context, 1 - left / limits->seconds);
    }
    search->found.ended =
        search->found.ended ||
        (time_of(clocks[0]) >= search->until[0] && time_of(clocks[1]) >= search->until[1]) ||
        (search->options.interrupted != NULL && *search->options.interrupted != 0);
    return search->found.ended;
}

/* True if a leak, whose place is known to `slack`, is at a closed crack beside an edge and no wider. */
static bool is_of_edge(const struct search *search, const struct voxel_leak *leak, double slack)
{
    for (size_t n = 0; n < search->gaps.gap_count; ++n)
        if (search->gap_closed[n] && leak->gap_size <= 1.5 * search->gaps.gap[n].width + slack &&
            edge_gap_distance(&search->gaps, n, leak->gap) <= 1.5 * search->gaps.gap[n].width + slack)
            return true;
    return false;
}

/* Reopen narrower cracks near a leak that may only be its narrow ends. */
static bool open_ends(struct search *search, const struct voxel_leak *leak)
{
    bool opened = false;
    for (size_t n = 0; n < search->gaps.gap_count; ++n)
        if (search->gap_closed[n] && leak->gap_size > 1.5 * search->gaps.gap[n].width &&
            edge_gap_distance(&search->gaps, n, leak->gap) <= 2 * leak->gap_size) {
            search->gap_closed[n] = false;
            opened = true;
        }
    return opened;
}

/* The opening that contains a place, or is within a plug of it; NULL. */
static const struct voxel_leak *known_at(const struct search *search, const struct voxel_leak *leak)
{
    for (size_t n = 0; n < search->found.count; ++n) {
        const struct voxel_leak *known = &search->found.opening[n];
        const double reach =
            larger(1.5 * larger(known->gap_size, leak->gap_size), 2 * search->lattice->spacing);
        if (known->gap_length <= 0 && vector_distance(known->gap, leak->gap) <= reach)
            return known;
    }
    return NULL;
}

/* Moves the path out of `leak`. A place found on the grid is up to `slack` beside the crack. */
static void add_opening(struct search *search, struct voxel_leak *leak, double slack)
{
    if (search->found.count < OPENINGS_MAX && known_at(search, leak) == NULL &&
        !is_of_edge(search, leak, slack)) {
        search->found.opening[search->found.count++] = *leak;
        *leak = (struct voxel_leak){0};
    }
}

/* ---- closed ---- */

static int append_mesh(const struct mesh *from, struct mesh *to, struct failure *failure)
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

/* Make the model with ribbons and plugs again. */
static int close_model(struct search *search, struct failure *failure)
{
    mesh_free(&search->closed);
    TRY(search->seal > 0 ? seal_mesh(search->walls, search->seal, &search->closed, failure)
                         : mesh_copy(search->walls, &search->closed, failure));
    for (size_t n = 0; n < search->gaps.gap_count; ++n)
        if (search->gap_closed[n])
            TRY(edge_gap_close(&search->gaps, n, search->low, search->high, &search->closed, failure));
    return append_mesh(&search->plug, &search->closed, failure);
}

static int plug_leak(struct search *search, const struct voxel_leak *leak, double width, bool *closed,
                     struct failure *failure)
{
    TRY(seal_plug(&search->clearance, leak, width, search->lattice->spacing, &search->plug, closed, failure));
    search->plugs += *closed;
    search->narrow_plugs += *closed && width > search->seal && width <= OPENINGS_SEAL;
    return 0;
}

/* Close a leak. A plug leaves all others unchanged; it is used if the grid resolves the width, or if the gap
 * remains between ribbons or beside a window's plug, where it is narrower than between walls. Narrower gaps,
 * or gaps too long for a plug, are closed by a wider seal. */
static int close_leak(struct search *search, const struct voxel_leak *leak, bool *closed,
                      struct failure *failure)
{
    const struct voxel_leak *const known = known_at(search, leak);
    const double gap = leak->gap_size, wanted = larger(seal_for(gap), wider_seal(search->seal));
    const bool of_window = known != NULL && known->gap_size > OPENINGS_SEAL;
    const bool of_edge = known == NULL && is_of_edge(search, leak, 0); /* its strips left a corner open */
    const bool resolved =
        of_edge || (gap > search->lattice->spacing && known == NULL && search->narrow_plugs < NARROW_PLUGS);
    *closed = gap > search->seal && !resolved && !of_window && wanted <= OPENINGS_SEAL;
    if (*closed)
        search->seal = wanted;
    else
        TRY(plug_leak(search, leak, seal_for(larger(of_window ? known->gap_size : gap, search->seal)), closed,
                      failure));
    return close_model(search, failure);
}

/* Search the room with all closures so far: closed, or one more leak. */
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
        if (code == 0 && !*again &&
            open_ends(search, &leak)) { /* once its whole extent is known it can be closed */
            *again = true;
            code = close_model(search, failure);
        } else {
            add_opening(search, &leak, 0);
        }
    } else if (code != 0 && code != FAILURE_INPUT) {
        (void)failure_forward(failure, &why);
    } else {
        code = 0; /* a plug may block the source: the openings so far are returned */
    }
    voxel_leak_free(&leak);
    voxels_free(&voxels);
    return code;
}

static struct fine_leak_options fine_options(const struct search *search)
{
    return (struct fine_leak_options){.spacing = OPENINGS_FINER,
                                      .coarse = search->lattice->spacing,
                                      .memory_bytes = search->limits->memory_bytes,
                                      .threads = search->options.threads,
                                      .interrupted = search->options.interrupted};
}

/* The same on a finer grid. */
static int search_finer_grid(struct search *search, bool *again, struct failure *failure)
{
    const struct fine_leak_options options = fine_options(search);
    struct fine_leak found = {0};
    struct failure why = {0};
    *again = false;
    int code = fine_leak_find(&search->closed, search->source, 1, &options, &found, &why);
    if (code != 0) /* a plug or a wall may cover the source on that grid */
        return code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
    search->found.finer = found.spacing < search->lattice->spacing ? found.spacing : 0;
    if (found.leaks) {
        code = close_leak(search, &found.leak, again, failure);
        add_opening(search, &found.leak, 0);
    }
    fine_leak_free(&found);
    return code;
}

/* Without those that the initial seal closed. */
static void add_sealed(struct search *search, const struct voxel_findings *findings, double spacing)
{
    for (size_t n = 0; n < findings->sealed_count; ++n) {
        if (findings->sealed[n].width <= search->first_seal)
            continue;
        struct voxel_leak crack = {.gap_size = findings->sealed[n].width};
        memcpy(crack.gap, findings->sealed[n].position, sizeof crack.gap);
        add_opening(search, &crack, 2 * spacing);
    }
}

/* True if the model leaks on the finer grid with a seal of that width and no plugs. A corner between two
 * cracks may leak, since its diagonal is longer than either is wide. */
static int leaks_finer(struct search *search, double width, bool *leaks, struct failure *failure)
{
    const struct fine_leak_options options = fine_options(search);
    struct mesh sealed = {0};
    struct fine_leak found = {0};
    struct failure why = {0};
    TRY(seal_mesh(search->walls, width, &sealed, failure));
    const int code = fine_leak_find(&sealed, search->source, 1, &options, &found, &why);
    *leaks = code == 0 && found.leaks;
    fine_leak_free(&found);
    mesh_free(&sealed);
    /* A ribbon may block the source on that grid. */
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

/* The width that closes the model without plugs, and the other cracks that it closes. */
static int find_width(struct search *search, struct failure *failure)
{
    double width = search->seal;
    bool closes = false;
    for (size_t n = 0; n < search->found.count; ++n)
        width = larger(width, seal_for(search->found.opening[n].gap_size));
    for (; !closes && width <= OPENINGS_SEAL && !must_end(search); width = wider_seal(width)) {
        struct voxels voxels = {0};
        struct voxel_findings findings = {0};
        struct failure why = {0};
        search->options.seal_width = width;
        const int code = voxelise(search->walls, search->lattice, search->source, 1, &search->options,
                                  &voxels, &findings, NULL, &why);
        bool leaks = false;
        int finer = 0;
        if (code == 0 && width > 0 && search->found.finer > 0)
            finer = leaks_finer(search, width, &leaks, failure);
        closes = code == 0 && finer == 0 && !leaks;
        if (closes) {
            search->found.seal_width = width;
            add_sealed(search, &findings, search->lattice->spacing);
        }
        voxels_free(&voxels);
        voxel_findings_free(&findings);
        TRY(finer);
        if (code != 0 && code != FAILURE_INPUT)
            return failure_forward(failure, &why);
    }
    return 0;
}

/* Cracks closed by that seal but missed by the grid, on a grid that resolves the known ones. */
static int add_finer(struct search *search, struct failure *failure)
{
    double narrowest = INFINITY;
    struct lattice fine;
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    struct failure why = {0};
    for (size_t n = 0; n < search->found.count; ++n)
        if (search->found.opening[n].gap_length <= 0)
            narrowest = smaller(narrowest, search->found.opening[n].gap_size);
    const double spacing = larger(larger(search->found.finer, narrowest / 2), spacing_of(search, LIST_NODES));
    if (!(search->found.finer > 0 && spacing < search->lattice->spacing) || must_end(search) ||
        fine_leak_bytes(search->walls, spacing) > search->limits->memory_bytes)
        return 0;
    TRY(lattice_fit(search->low, search->high, spacing, NULL, &fine, failure));
    search->options.seal_width = search->found.seal_width;
    const int code =
        voxelise(search->walls, &fine, search->source, 1, &search->options, &voxels, &findings, NULL, &why);
    if (code == 0)
        add_sealed(search, &findings, spacing);
    voxels_free(&voxels);
    voxel_findings_free(&findings);
    /* A ribbon may block the source on that grid. */
    return code == 0 || code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
}

/* ---- cracks beside edges ---- */

/* Close all cracks that the seal leaves open; in a model with too many only the narrow ones. */
static int close_gaps(struct search *search, struct failure *failure)
{
    for (double width = OPENINGS_SEAL; !search->gaps.complete && width > EDGE_GAP_LEAST; width /= FEWER) {
        edge_gaps_free(&search->gaps);
        TRY(edge_gaps_find(&search->clearance, width, &search->gaps, failure));
    }
    const size_t bytes = (search->gaps.gap_count + 1) * sizeof *search->gap_closed;
    search->gap_closed = malloc(bytes);
    if (search->gap_closed == NULL)
        return failure_memory(failure, bytes, "cracks");
    for (size_t n = 0; n < search->gaps.gap_count; ++n)
        search->gap_closed[n] = search->gaps.gap[n].width > search->seal;
    return 0;
}

/* Keep cracks that are openings of the room: on a grid as fine as can be searched quickly, or on the run's if
 * a wall covers the source or the room leaks there. Without closed air no crack is kept. */
static int drop_false_gaps(struct search *search, struct failure *failure)
{
    struct lattice fine;
    bool judged = false;
    const double spacing = spacing_of(search, JUDGE_NODES);
    if (spacing > 0 && spacing < search->lattice->spacing) {
        TRY(lattice_fit(search->low, search->high, spacing, NULL, &fine, failure));
        TRY(room_gaps_judge(&search->closed, &fine, search->source->position, &search->options, &search->gaps,
                            search->gap_closed, &judged, failure));
    }
    if (!judged)
        TRY(room_gaps_judge(&search->closed, search->lattice, search->source->position, &search->options,
                            &search->gaps, search->gap_closed, &judged, failure));
    for (size_t n = 0; n < search->gaps.gap_count; ++n) {
        const struct edge_gap *const gap = &search->gaps.gap[n];
        struct voxel_leak *const opening = &search->found.opening[search->found.count];
        search->gap_closed[n] = search->gap_closed[n] && judged;
        if (!search->gap_closed[n] || search->found.count == OPENINGS_MAX)
            continue;
        *opening = (struct voxel_leak){.gap_size = gap->width, .gap_length = gap->length};
        memcpy(opening->gap, gap->position, sizeof opening->gap);
        search->found.count++;
    }
    return close_model(search, failure);
}

static int by_width(const void *a, const void *b)
{
    const struct voxel_leak *one = a, *other = b;
    return (one->gap_size < other->gap_size) - (one->gap_size > other->gap_size);
}

static int find_on_grid(struct search *search, struct failure *failure)
{
    bool again = true;
    for (int n = 0; again && n < ROUNDS && !must_end(search); ++n)
        TRY(round_of(search, &again, failure));
    return 0;
}

static int find_all(struct search *search, struct failure *failure)
{
    const size_t bytes = OPENINGS_MAX * sizeof *search->found.opening;
    search->found.opening = calloc(1, bytes);
    if (search->found.opening == NULL)
        return failure_memory(failure, bytes, "openings");
    for (size_t n = 0; n < search->walls->material_count; ++n)
        TRY(mesh_add_material(&search->plug, search->walls->material[n], NULL, failure));
    TRY(mesh_bounds(search->walls, search->low, search->high, failure));
    TRY(clearance_make(search->walls, &search->clearance, failure));
    TRY(close_gaps(search, failure));
    TRY(close_model(search, failure));
    TRY(find_on_grid(search, failure));
    TRY(drop_false_gaps(search, failure));
    TRY(find_on_grid(search, failure));
    bool again = search->found.closed && search->limits->memory_bytes > 0;
    for (int n = 0; again && n < FINER_ROUNDS && !must_end(search); ++n)
        TRY(search_finer_grid(search, &again, failure));
    search->found.rest = search->found.closed && !again ? search->seal : 0;
    search->found.finer = again ? 0 : search->found.finer;
    if (search->found.closed)
        TRY(find_width(search, failure));
    return isfinite(search->found.seal_width) ? add_finer(search, failure) : 0;
}

int openings_find(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *source,
                  const struct voxelise_options *options, const struct openings_limits *limits,
                  struct openings *out, struct failure *failure)
{
    struct search search = {.walls = mesh,
                            .lattice = lattice,
                            .source = source,
                            .options = *options,
                            .limits = limits,
                            .first_seal = options->seal_width,
                            .seal = options->seal_width,
                            .found.seal_width = NAN};
    struct failure why = {0};
    for (int n = 0; n < 2; ++n)
        search.until[n] = limits->seconds > 0 ? time_of(clocks[n]) + limits->seconds : INFINITY;
    search.options.cells = search.options.find_leak_paths = search.options.open = false;
    search.options.seal_width = 0;
    int code = find_all(&search, &why);
    if (code == FAILURE_INTERRUPTED) {
        search.found.ended = true;
        code = 0;
    }
    mesh_free(&search.closed);
    mesh_free(&search.plug);
    clearance_free(&search.clearance);
    edge_gaps_free(&search.gaps);
    free(search.gap_closed);
    if (code != 0) {
        openings_free(&search.found);
        return failure_forward(failure, &why);
    }
    qsort(search.found.opening, search.found.count, sizeof *search.found.opening, by_width);
    *out = search.found;
    return 0;
}
