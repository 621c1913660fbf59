/** What the air of a run is like: what it passes, what it touches, and whether a finer grid would leak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/leak/fine_leak.h"
#include "geometry/leak/narrow.h"
#include "geometry/room/reached.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/interrupt.h"
#include "src/check/room_check.h"

/* ---- openings ---- */

/* The lowest round frequency whose grid has NARROW_WIDTH nodes and a half over `width`: the width was
 * measured on a grid, to about half of one of its cells. */
static double resolving_fmax(const struct room_setup *setup, double width)
{
    const double points =
        setup->request.grid.spacing > 0 ? ROOM_POINTS : setup->request.grid.points_per_wavelength;
    const double exact = setup->model.sound_speed * (NARROW_WIDTH + 0.5) / (points * width);
    const double unit = pow(10, floor(log10(exact)) - 1);
    return ceil(exact / unit) * unit;
}

static int tell_narrow(struct room_check *check, const struct voxel_findings *found, struct failure *failure)
{
    enum { TOLD = 4 };
    const size_t count = found->narrow_count;
    if (count == 0 || check->report.spacing > check->report.spacing_asked)
        return 0;
    struct check_finding finding = check_finding_make(CHECK_DOUBTFUL, CHECK_NARROW);
    char width[CHECK_LENGTH_MAX], spacing[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    bool told[NARROW_LISTED_MAX] = {false};
    double narrowest = INFINITY;
    snprintf(finding.sentence, sizeof finding.sentence,
             "%zu%s opening%s less than three grid points of %s wide, so too little sound passes there:",
             count, count == NARROW_LISTED_MAX ? " or more" : "", count == 1 ? " is" : "s are",
             check_length(check->report.spacing, spacing));
    for (size_t n = 0; n < count; n++) { /* narrowest first */
        size_t next = count;
        for (size_t i = 0; i < count; i++)
            if (!told[i] && (next == count || found->narrow[i].width < found->narrow[next].width))
                next = i;
        told[next] = true;
        narrowest = fmin(narrowest, found->narrow[next].width);
        check_finding_place(&finding, found->narrow[next].position, found->narrow[next].width);
        if (n < TOLD)
            check_append(finding.sentence, sizeof finding.sentence, "%s about %s at %s", n > 0 ? ";" : "",
                         check_length(found->narrow[next].width, width),
                         room_place(found->narrow[next].position, place));
    }
    check_append(finding.sentence, sizeof finding.sentence, "%s", count > TOLD ? "; and others." : ".");
    finding.value = narrowest;
    const double fmax_wanted = resolving_fmax(&check->setup, narrowest);
    if (fmax_wanted <= 20000)
        snprintf(finding.advice, sizeof finding.advice,
                 "Use --fmax %.0f to be sure that all of them are resolved (their widths are known to about "
                 "half a grid point), or widen or close them in the model if they do "
                 "not matter.",
                 fmax_wanted);
    else
        snprintf(
            finding.advice, sizeof finding.advice,
            "No --fmax resolves the narrowest: widen it in the model, or close it (a crack: with --seal).");
    return check_report_add(&check->report, &finding, failure);
}

static int tell_sealed(struct room_check *check, const struct voxel_findings *found, struct failure *failure)
{
    enum { TOLD = 4 };
    char width[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    if (check->setup.request.grid.seal > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_SEALED);
        finding.value = (double)found->sealed_count;
        snprintf(finding.sentence, sizeof finding.sentence, "--seal %s closed %zu crack%s",
                 check_length(check->setup.request.grid.seal, width), found->sealed_count,
                 found->sealed_count == 1 ? "" : "s");
        for (size_t i = 0; i < found->sealed_count && i < CHECK_PLACES; i++) {
            check_finding_place(&finding, found->sealed[i].position, found->sealed[i].width);
            if (i < TOLD)
                check_append(finding.sentence, sizeof finding.sentence, "%s %s wide at %s", i > 0 ? ";" : ":",
                             check_length(found->sealed[i].width, width),
                             room_place(found->sealed[i].position, place));
        }
        check_append(finding.sentence, sizeof finding.sentence, ".");
        TRY(check_report_add(&check->report, &finding, failure));
    }
    if (check->setup.request.grid.open) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_OPEN_SCENE);
        finding.value = (double)found->open_face_links;
        snprintf(finding.sentence, sizeof finding.sentence,
                 "Open scene: what reaches the box around the model leaves it, over %llu links of the grid.",
                 (unsigned long long)found->open_face_links);
        TRY(check_report_add(&check->report, &finding, failure));
    }
    return 0;
}

int check_air(struct room_check *check, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&check->setup.request, &check->setup.model);
    struct voxel_findings *found = &check->setup.grid.findings; /* kept: the record tells of them */
    int code = voxelise(&check->setup.model.mesh, &check->setup.grid.lattice, check->seed, check->seed_count,
                        &options, &check->voxels, found, NULL, failure);
    /* Positions in walls are not among these seeds, so these are not the nodes of setup.points.point. */
    free(found->seed_node);
    found->seed_node = NULL;
    if (code == 0)
        code = tell_narrow(check, found, failure);
    if (code == 0)
        code = tell_sealed(check, found, failure);
    check->report.air_nodes = check->voxels.air_nodes;
    for (size_t i = 0; i < check->report.cavity_count && check->voxels.air_nodes > 0; i++)
        if (check->report.cavity[i].taken)
            check->report.cavity[i].volume = found->air_volume;
    return code;
}

/* ---- surfaces ---- */

/* Less than this share of the model's area that no air reaches is not worth a word. */
#define UNREACHED_SAID 1e-3

static int tell_unreached(struct room_check *check, const struct reached *reached, struct failure *failure)
{
    enum { TOLD = 6 };
    const struct mesh *mesh = &check->setup.model.mesh;
    double whole = 0, missed = 0;
    size_t told = 0;
    char area[64] = "";
    struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_UNREACHED);
    for (size_t m = 0; m < reached->material_count; m++) {
        whole += reached->material[m].area;
        missed += reached->material[m].area - reached->material[m].reached_area;
    }
    if (!(missed > UNREACHED_SAID * whole))
        return 0;
    finding.value = missed;
    snprintf(finding.sentence, sizeof finding.sentence,
             "The room's air does not reach %.4g of %.4g m2 of surface, which have no effect:", missed,
             whole);
    bool *done = calloc(reached->material_count + 1, sizeof *done);
    if (done == NULL)
        return failure_memory(failure, reached->material_count, "materials");
    for (;; told++) { /* largest first */
        size_t next = reached->material_count;
        double most = UNREACHED_SAID * missed;
        for (size_t m = 0; m < reached->material_count; m++)
            if (!done[m] && reached->material[m].area - reached->material[m].reached_area > most) {
                most = reached->material[m].area - reached->material[m].reached_area;
                next = m;
            }
        if (next == reached->material_count || told == TOLD)
            break;
        done[next] = true;
        char name[CHECK_NAME_MAX];
        snprintf(area, sizeof area, "%.4g m2", most);
        check_append(finding.sentence, sizeof finding.sentence, "%s %s of \"%s\"%s", told > 0 ? "," : "",
                     area, check_name(mesh->material[next], name),
                     reached->material[next].reached_triangles == 0 ? " (all of it)" : "");
    }
    free(done);
    check_append(finding.sentence, sizeof finding.sentence, "%s", told == TOLD ? " and others." : ".");
    for (size_t t = 0, listed = 0; t < reached->triangle_count && listed < 1; t++) {
        double middle[3];
        if (reached->triangle[t])
            continue;
        for (int axis = 0; axis < 3; axis++)
            middle[axis] =
                (mesh->vertex[mesh->triangle[t][0]][axis] + mesh->vertex[mesh->triangle[t][1]][axis] +
                 mesh->vertex[mesh->triangle[t][2]][axis]) /
                3;
        check_finding_place(&finding, middle, NAN);
        listed++;
    }
    snprintf(
        finding.advice, sizeof finding.advice,
        "Nothing, if they are outer faces, terrain or the inside of bodies; else look for a second surface "
        "in front of them.");
    return check_report_add(&check->report, &finding, failure);
}

int check_reached(struct room_check *check, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&check->setup.request, &check->setup.model);
    struct reached reached = {0};
    size_t sources = 0;
    double(*position)[3] = malloc((check->seed_count + 1) * sizeof *position);
    if (position == NULL)
        return failure_memory(failure, check->seed_count * sizeof *position, "positions");
    for (size_t i = 0; i < check->seed_count; i++)
        if (check->seed[i].kind == SEED_SOURCE)
            memcpy(position[sources++], check->seed[i].position, sizeof *position);
    int code = reached_find(&check->setup.model.mesh, &check->setup.grid.lattice, &options,
                            (const double(*)[3])position, sources, &reached, failure);
    if (code == 0) {
        for (size_t m = 0; m < reached.material_count; m++) {
            /* A back has no triangles: it is reached with what it is behind. Of two sides each only where
             * air touches it. */
            const uint16_t *back = check->setup.model.back_material;
            const bool sides = back != NULL && back[m] != m;
            if (!sides || reached.material[m].touched_area > 0)
                check->report.material[m].reached += reached.material[m].reached_area;
            if (sides && reached.material[back[m]].touched_area > 0)
                check->report.material[back[m]].reached += reached.material[m].reached_area;
            check->report.material[m].touched = reached.material[m].touched_area;
        }
        check->report.reached_known = true;
        code = tell_unreached(check, &reached, failure);
    }
    reached_free(&reached);
    free(position);
    return code;
}

/* ---- tightness ---- */

#define FINER_SPACING 0.005 /* [m] */

/* What the search may hold. It is a measure of its time too: 480 MB for the Christ the King church at 5 mm,
 * in 5 s of one processor, 2.4 GB for the built-in one, in half a minute. */
#define FINER_BYTES UINT64_C(4000000000)

int check_finer(struct room_check *check, struct failure *failure)
{
    struct check_report *report = &check->report;
    const uint64_t available = machine_memory_available() / 2;
    const struct fine_leak_options options = {
        .spacing = FINER_SPACING,
        .coarse = report->spacing,
        .memory_bytes = available < FINER_BYTES ? available : FINER_BYTES,
        .seal_width = check->setup.request.grid.seal,
        .threads = (int)check->setup.request.engine.threads,
        .interrupted = &interrupt_seen,
    };
    struct fine_leak found = {0};
    struct failure why = {0};
    if (check->setup.request.grid.open || report->spacing <= FINER_SPACING)
        return 0;
    int code =
        fine_leak_find(&check->setup.model.mesh, check->seed, check->seed_count, &options, &found, &why);
    /* A position within a sub-step of a wall is in it on one grid and clear of it on another. */
    const bool too_close = code == FAILURE_INPUT;
    if (too_close)
        code = 0;
    if (code != 0) {
        failure_forward(failure, &why);
        goto done;
    }
    report->spacing_finer = found.spacing < report->spacing ? found.spacing : 0;
    if (found.leaks) {
        struct check_leak leak = {.leak = found.leak, .spacing = found.spacing, .finer = true};
        found.leak = (struct voxel_leak){0};
        if (check->seed[found.source].name[0] != '\0' && check->setup.points.sources > 0)
            snprintf(leak.from, sizeof leak.from, "source \"%s\"", check->seed[found.source].name);
        else
            snprintf(leak.from, sizeof leak.from, "the middle of the room");
        code = check_leak(check, &leak, failure);
        voxel_leak_free(&leak.leak);
    } else if (found.spacing == 0 || found.spacing > FINER_SPACING * (1 + 1e-9)) {
        char to[CHECK_LENGTH_MAX], finer[CHECK_LENGTH_MAX];
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_FINER_UNKNOWN);
        finding.value = found.spacing > 0 ? found.spacing : report->spacing;
        snprintf(finding.sentence, sizeof finding.sentence,
                 "The room is closed down to a grid of %s; a grid of %s was not searched, ",
                 check_length(finding.value, to), check_length(FINER_SPACING, finer));
        if (too_close)
            check_append(finding.sentence, sizeof finding.sentence,
                         "because a position is too close to a wall on it.");
        else
            check_append(finding.sentence, sizeof finding.sentence, "because that would take %.2g GB.",
                         (double)found.bytes_wished / 1e9);
        snprintf(finding.advice, sizeof finding.advice,
                 "Before a run on a finer grid than that, check with its --fmax.");
        code = check_report_add(report, &finding, failure);
    }
done:
    fine_leak_free(&found);
    return code;
}
