/** Finds leaks on the run's grid and on finer grids, with all openings of the room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/fine_leak.h"
#include "geometry/leak/leak.h"
#include "geometry/room/openings.h"
#include "kernels/machine/machine_memory.h"
#include "rooms/text/table_text.h"
#include "src/base/interrupt.h"
#include "src/check/room_check.h"
#include "src/setup/room_leak.h"

/* Most bytes of a search on a finer grid. They also limit its time to about 8 s of one processor. */
#define FINER_BYTES UINT64_C(500000000)
/* Longest search for openings [s]. */
#define OPENINGS_SECONDS 15.0

/* ---- one leak ---- */

/* In the units and axes of the model; the path itself stays in metres. */
static int write_path(struct room_check *check, struct check_leak *leak, struct check_finding *finding,
                      struct failure *failure)
{
    struct voxel_leak turned = leak->leak;
    struct failure why = {0};
    const size_t bytes = turned.point_count * sizeof *turned.point;
    turned.point = malloc(bytes);
    if (turned.point == NULL)
        return failure_memory(failure, bytes, "the path of a leak");
    memcpy(turned.point, leak->leak.point, bytes);
    const bool written = room_write_leak(&check->setup, &turned, leak->file, &why);
    free(turned.point);
    if (!written)
        leak->file[0] = '\0';
    if (!written && check->setup.request.grid.leak != NULL)
        return failure_wrap(failure, &why, "the path of the leak could not be written: ");
    if (finding->what.note[0] != '\0')
        text_append(finding->what.note, sizeof finding->what.note, ". ");
    text_append(finding->what.note, sizeof finding->what.note,
                written ? "The leak path is drawn in %s: open it together with the model"
                        : "The leak path could not be written: %s",
                written                   ? leak->file
                : why.sentence[0] != '\0' ? why.sentence
                                          : "no name for it is free");
    return 0;
}

/* Add the leak with its finding, and write its path to a file unless one was written before. Takes the
 * path over. */
static int add_leak(struct room_check *check, struct check_leak *leak, struct failure *failure)
{
    struct check_report *report = &check->report;
    const struct voxel_leak *found = &leak->leak;
    char gap[LEAK_WIDTH_MAX], spacing[CHECK_LENGTH_MAX], run[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    struct check_finding *finding;
    room_place(found->gap, place);
    leak_width(found->gap_size, gap);
    if (leak->finer && leak->spacing == 0)
        finding = check_report_add(report, CHECK_DOUBTFUL, CHECK_LEAK_FINER,
                                   "the room is closed on the run's grid of %s, but has a crack about %s "
                                   "wide at %s that a fine grid may leak through",
                                   check_length(report->spacing, run), gap, place);
    else if (leak->finer)
        finding = check_report_add(
            report, CHECK_DOUBTFUL, CHECK_LEAK_FINER,
            "the room is closed on the run's grid of %s but not on another of %s: from %s a path leads out "
            "of the model through a gap about %s wide at %s. Runs on such a grid will stop there",
            check_length(report->spacing, run), check_length(leak->spacing, spacing), leak->from, gap, place);
    else
        finding = check_report_add(
            report, CHECK_UNFIT, CHECK_LEAK,
            "the room is not closed: from %s a path leads out of the model through a gap about %s wide at %s",
            leak->from, gap, place);
    finding->value = found->gap_size;
    check_finding_place(finding, found->gap, found->gap_size);
    const struct mesh *const mesh = &check->setup.model.mesh;
    uint16_t sheet;
    if (leak_through_sheet(mesh, found, &sheet)) {
        leak->through_sheet = true;
        leak_fix_sheet(0, mesh, sheet, &finding->what);
    } else {
        failure_fix(0, &finding->what,
                    "close it in the model: a closed door or window must be a face, with a material");
        if (leak->seal > 0)
            failure_advise(0, &finding->what, ADVICE_SEAL, leak->seal);
    }
    if (report->leak_count == 0 && found->point_count > 0)
        TRY(write_path(check, leak, finding, failure));
    return check_report_add_leak(report, leak, failure);
}

/* True if it is the gap of a known leak. */
static bool is_known(const struct check_report *report, const struct voxel_leak *leak)
{
    for (size_t i = 0; i < report->leak_count; i++)
        if (vector_distance(report->leak[i].leak.gap, leak->gap) <=
            larger(2 * report->spacing, leak->gap_size))
            return true;
    return false;
}

/* ---- all openings ---- */

static void show_search(void *context, double share)
{
    struct room_check *const check = context;
    (void)check->progress(check->context, check, "looking for openings",
                          check->share[0] + share * (check->share[1] - check->share[0]), NULL);
}

static int find_openings(struct room_check *check, const double place[3], struct openings *openings,
                         struct failure *failure)
{
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = ""};
    const uint64_t available = machine_memory_available() / 2;
    const struct openings_limits limits = {.memory_bytes = available < FINER_BYTES ? available : FINER_BYTES,
                                           .seconds = OPENINGS_SECONDS,
                                           .progress = show_search,
                                           .context = check};
    memcpy(seed.position, place, sizeof seed.position);
    return openings_find(&check->setup.model.mesh, &check->setup.grid.lattice, &seed, &check->voxelise,
                         &limits, openings, failure);
}

/* Find the opening of a leak. */
static const struct voxel_leak *opening_at(const struct openings *openings, const struct voxel_leak *leak,
                                           double spacing)
{
    const struct voxel_leak *nearest = NULL;
    double least = 0;
    for (size_t n = 0; n < openings->count; n++) {
        const struct voxel_leak *const opening = &openings->opening[n];
        const double beyond = vector_distance(opening->gap, leak->gap) - opening->gap_length / 2 -
                              1.5 * larger(opening->gap_size, leak->gap_size) - 2 * spacing;
        if (beyond <= least) {
            least = beyond;
            nearest = opening;
        }
    }
    return nearest;
}

/* Give the leak the place and width of its opening. */
static void take_opening(struct check_leak *leak, const struct voxel_leak *opening)
{
    if (opening == NULL)
        return;
    memcpy(leak->leak.gap, opening->gap, sizeof leak->leak.gap);
    leak->leak.gap_size = opening->gap_size;
    leak->leak.gap_length = opening->gap_length;
}

/* Add the spacing of the search, since it may have missed openings. */
static void say_fineness(const struct check_report *report, const struct openings *openings,
                         struct check_finding *finding)
{
    char unseen[CHECK_LENGTH_MAX];
    text_append(finding->what.note, sizeof finding->what.note,
                "%sAt edges of a single face cracks of any width are found; elsewhere those narrower than "
                "about %s may be missed",
                openings->ended ? "The search was not finished: there may be others. " : "",
                check_length(2 * (openings->finer > 0 ? openings->finer : report->spacing), unseen));
}

/* The search ended before a seal was tried. */
static void say_untried_seal(const struct openings *openings, struct check_finding *finding)
{
    const double seal = leak_seal_centimetres(openings->opening[0].gap_size) / 100;
    if (seal <= OPENINGS_SEAL)
        failure_advise(0, &finding->what, ADVICE_SEAL_UNTRIED, seal);
    else
        failure_fix(0, &finding->what, "close %s in the model, and check again",
                    openings->count == 1 ? "it" : "them");
}

static int list_openings(struct room_check *check, struct openings *openings, enum check_severity severity,
                         const char *from, struct failure *failure)
{
    struct check_report *const report = &check->report;
    char width[LEAK_WIDTH_MAX], where[ROOM_PLACE_MAX], spacing[CHECK_LENGTH_MAX], length[CHECK_LENGTH_MAX];
    const bool all = openings->closed && !openings->ended;
    struct check_finding *const finding = check_report_add(
        report, severity, CHECK_OPENINGS, "%s%zu opening%s, as seen on %s%s:", all ? "" : "at least ",
        openings->count, openings->count == 1 ? "" : "s",
        openings->finer > 0 ? "a grid of " : "the run's grid",
        openings->finer > 0 ? check_length(openings->finer, spacing) : "");
    finding->value = (double)openings->count;
    for (size_t n = 0; n < openings->count; n++) {
        struct check_leak leak = {
            .leak = openings->opening[n], .spacing = report->spacing, .finer = severity != CHECK_UNFIT};
        check_finding_say(finding, "%s %s", n > 0 ? ";" : "", leak_width(leak.leak.gap_size, width));
        if (leak.leak.gap_length > 0)
            check_finding_say(finding, " wide and %s long", check_length(leak.leak.gap_length, length));
        check_finding_say(finding, " at %s", room_place(leak.leak.gap, where));
        check_finding_place(finding, leak.leak.gap, leak.leak.gap_size);
        finding->length[finding->place_count - 1] = leak.leak.gap_length > 0 ? leak.leak.gap_length : NAN;
        if (is_known(report, &leak.leak))
            continue;
        openings->opening[n] = (struct voxel_leak){0};
        snprintf(leak.from, sizeof leak.from, "%s", from);
        TRY(check_report_add_leak(report, &leak, failure));
    }
    if (report->leak_count > 0 && report->leak[0].through_sheet)
        failure_fix(0, &finding->what, "close %s in the model, with other faces than sheets",
                    openings->count == 1 ? "it" : "them");
    else if (isfinite(openings->seal_width))
        failure_advise(0, &finding->what, ADVICE_SEAL_ALL, openings->seal_width);
    else if (openings->rest > 0)
        failure_advise(0, &finding->what, ADVICE_SEAL_REST, openings->rest);
    else if (openings->ended)
        say_untried_seal(openings, finding);
    else
        failure_fix(0, &finding->what, "close %s in the model: seals up to %g m do not close it",
                    openings->count == 1 ? "it" : "them", OPENINGS_SEAL);
    say_fineness(report, openings, finding);
    return 0;
}

int check_leak(struct room_check *check, struct check_leak *leak, const double place[3],
               struct failure *failure)
{
    struct openings openings = {0};
    char from[sizeof leak->from];
    memcpy(from, leak->from, sizeof from);
    if (is_known(&check->report, &leak->leak))
        return 0;
    if (check->report.leak_count > 0) /* all openings are listed with the first */
        return add_leak(check, leak, failure);
    int code = find_openings(check, place, &openings, failure);
    if (code == 0 && openings.count == 0) { /* the search ended before the first */
        openings.opening[openings.count++] = (struct voxel_leak){.gap_size = leak->leak.gap_size};
        memcpy(openings.opening[0].gap, leak->leak.gap, sizeof openings.opening[0].gap);
    }
    if (code == 0) {
        take_opening(leak, opening_at(&openings, &leak->leak, check->report.spacing));
        code = add_leak(check, leak, failure);
    }
    if (code == 0)
        code = list_openings(check, &openings, CHECK_UNFIT, from, failure);
    openings_free(&openings);
    return code;
}

/* ---- finer grids ---- */

static void report_unsearched(struct check_report *report, const struct openings *openings)
{
    const double value = openings->finer > 0 ? openings->finer : report->spacing;
    char to[CHECK_LENGTH_MAX];
    struct check_finding *finding = check_report_add(
        report, CHECK_HARMLESS, CHECK_FINER_UNKNOWN,
        "the room is closed down to a grid of %s; finer grids were not searched, to save time",
        check_length(value, to));
    finding->value = value;
    failure_advise(0, &finding->what, ADVICE_CHECK_AT_FMAX, 0);
    say_fineness(report, openings, finding);
}

/* Find the path that leads out on a finer grid; without one the leak has no path. */
static int find_path(struct room_check *check, const struct openings *openings, struct check_leak *leak,
                     struct failure *failure)
{
    const struct fine_leak_options options = {
        .spacing = OPENINGS_FINER,
        .coarse = check->report.spacing,
        .memory_bytes = FINER_BYTES,
        .seal_width = check->setup.request.grid.seal,
        .threads = (int)check->setup.request.engine.threads,
        .interrupted = &interrupt_seen,
    };
    struct fine_leak found = {0};
    struct failure why = {0};
    const int code =
        fine_leak_find(&check->setup.model.mesh, check->seed, check->seed_count, &options, &found, &why);
    /* A position within a sub-step of a wall can be in the wall on one grid and outside of it on another. */
    if (code != 0 && code != FAILURE_INPUT && code != FAILURE_INTERRUPTED)
        return failure_forward(failure, &why);
    leak->leak = openings->opening[0];
    leak->leak.point = NULL;
    leak->leak.point_count = 0;
    if (found.leaks) {
        const struct voxel_leak *const opening = opening_at(openings, &found.leak, found.spacing);
        leak->leak = found.leak;
        leak->spacing = found.spacing;
        found.leak = (struct voxel_leak){0};
        take_opening(leak, opening);
        if (check->setup.points.sources > 0)
            snprintf(leak->from, sizeof leak->from, "source \"%s\"", check->seed[found.source].name);
    }
    fine_leak_free(&found);
    return 0;
}

int check_finer(struct room_check *check, struct failure *failure)
{
    struct check_report *const report = &check->report;
    struct openings openings = {0};
    if (check->setup.request.grid.open)
        return 0;
    TRY(find_openings(check, check->seed[0].position, &openings, failure));
    report->spacing_finer = openings.finer < report->spacing ? openings.finer : 0;
    int code = 0;
    if (openings.count > 0) {
        struct check_leak leak = {.finer = true, .from = "the middle of the room"};
        if (isfinite(openings.seal_width))
            leak.seal = openings.seal_width;
        code = find_path(check, &openings, &leak, failure);
        char from[sizeof leak.from];
        memcpy(from, leak.from, sizeof from);
        if (code == 0)
            code = add_leak(check, &leak, failure);
        voxel_leak_free(&leak.leak);
        if (code == 0)
            code = list_openings(check, &openings, CHECK_DOUBTFUL, from, failure);
    } else if (openings.ended || !(openings.finer <= OPENINGS_FINER * (1 + 1e-9)) || openings.finer == 0) {
        report_unsearched(report, &openings);
    }
    openings_free(&openings);
    return code;
}
