#include "src/base/cut_text.h"
#include "src/setup/room_walls.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/coplanar.h"
#include "rooms/layers/wall_layers.h"
#include "rooms/materials/absorption.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/text/table_text.h"
#include "geometry/base/byte_hash.h"
#include "src/setup/head/dummy_head.h"
#include "src/base/options/option_values.h"
#include "src/base/path_text.h"
#include "src/base/words/words.h"
#include "src/setup/project/project.h"
#include "src/setup/two_sided.h"

/* ---- words ---- */

const char *room_surface_limited(const struct surface *surface, char text[ROOM_LIMITED_MAX])
{
    double most = 0, used = 0;
    char octaves[100] = "";
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        if ((surface->clamped & 1u << o) == 0)
            continue;
        if (surface->form != SURFACE_NUMBER)
            text_append(octaves, sizeof octaves, "%s%u", octaves[0] != '\0' ? ", " : " at ",
                        material_octave[o]);
        most = fmax(most, surface->octave[o]);
        used = surface->form == SURFACE_NUMBER ? surface->used[o] : FIT_ABSORPTION_MAX;
    }
    text[0] = '\0';
    if (most > 0)
        (void)snprintf(
            text, ROOM_LIMITED_MAX,
            SAID("an absorption of %.3g%s%s is more than a locally reacting surface reaches; %.4g is "
                 "used"),
            most, octaves, octaves[0] != '\0' ? " Hz" : "", used);
    return text;
}

/* The octave with the largest error of the branches. */
static size_t worst_octave(const struct surface *surface)
{
    size_t worst = 0;
    double most = -1;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        const double off = fabs(surface->used[o] - fmin(surface->octave[o], FIT_ABSORPTION_MAX));
        if (off > most) {
            most = off;
            worst = o;
        }
    }
    return worst;
}

static void print_surface(const struct room_model *model, const struct room_notices *notices, size_t m)
{
    enum { HZ_125 = 1, HZ_500 = 3, HZ_2000 = 5 };
    const struct surface *surface = &model->surface[m];
    char absorption[60], words[SURFACE_WORDS_MAX];
    if (surface->form == SURFACE_NUMBER)
        (void)snprintf(absorption, sizeof absorption, "%-23.3g", surface->octave[0]);
    else
        (void)snprintf(absorption, sizeof absorption, "%-7.3g %-7.3g %-7.3g", surface->octave[HZ_125],
                       surface->octave[HZ_500], surface->octave[HZ_2000]);
    room_say(notices, "  %s%*s %9.2f m2   absorption %s %s", model->mesh.material[m],
             cut_text_blanks(model->mesh.material[m], 24), "", model->area[m], absorption,
             surface_words(surface, words));
}

static void warn_of_surface(const struct room_model *model, struct room_notices *notices, size_t m)
{
    const struct surface *surface = &model->surface[m];
    char limited[ROOM_LIMITED_MAX];
    if (room_surface_limited(surface, limited)[0] != '\0')
        room_warn(notices, "%s: %s", model->mesh.material[m], limited);
    if (surface->worst > 1) {
        const size_t o = worst_octave(surface);
        room_warn(notices,
                  "%s: the fitted wall misses the given absorption: in the octave of %u Hz it absorbs %.3g, "
                  "not %.3g",
                  model->mesh.material[m], material_octave[o], surface->used[o], surface->octave[o]);
    }
}

/* Entries of a file that match no surface of the room. A file may serve many rooms, so this is a fact and no
 * warning. Without it a typing error in a name would go unseen if the library knows the surface. */
static void print_unused(const struct room_model *model, const struct room_notices *notices)
{
    enum { LISTED = 6 };
    char text[800] = "";
    size_t unused = 0;
    for (size_t e = 0; e < model->table.count; e++) {
        const struct surface_entry *entry = &model->table.entry[e];
        bool used = entry->giver == SURFACE_BY_OPTION || entry->giver == SURFACE_BY_SCATTERING_OPTION ||
                    entry->name == NULL;
        for (size_t m = 0; !used && m < model->mesh.material_count; m++)
            used = surface_name_means(entry->name, model->mesh.material[m]);
        if (!used && ++unused <= LISTED)
            text_append(text, sizeof text, "%s\"%.100s\"", unused > 1 ? ", " : "", entry->name);
    }
    if (unused > LISTED)
        text_append(text, sizeof text, " and %zu more", unused - LISTED);
    if (unused > 0)
        room_say(notices, "  no surface of this room is called %s", text);
}

/* A value for all other surfaces, where every surface has its own. */
static void print_unused_fallback(const struct room_model *model, const struct room_notices *notices)
{
    const struct surface_entry *entry = surface_table_fallback(&model->table);
    bool used = entry == NULL || entry->giver != SURFACE_BY_OPTION;
    for (size_t m = 0; !used && m < model->mesh.material_count; m++)
        used = model->surface[m].origin == SURFACE_OF_FALLBACK;
    if (!used)
        room_say(notices,
                 "an absorption of %g for other materials has no effect: all materials of the room have one",
                 entry->absorption[0]);
}

/* "lab.csv, line 3: "panel" absorbs 1.08 at 500 Hz, and 4 others: WHAT". */
static void warn_of_note(const struct surface_note *note, const char *what, struct room_notices *notices)
{
    char others[40] = "";
    if (note->count > 1)
        (void)snprintf(others, sizeof others, " (and %zu more)", note->count - 1);
    if (note->count > 0)
        room_warn(notices, "%s%s; %s", note->first, others, what);
}

static void warn_of_coarse(const struct surface_table *table, struct room_notices *notices)
{
    if (table->coarse.count > 0)
        room_warn(
            notices,
            "%s reflects otherwise than its layers: its reflection factor is wrong by %.2f in the octave "
            "of %u Hz (such walls: %zu); a lower fmax, or a porous layer in its air, makes it truer",
            table->coarse.first, table->coarse_most, table->coarse_octave, table->coarse.count);
}

static void warn_of_guesses(const struct room_model *model, struct room_notices *notices)
{
    enum { LISTED = 12 };
    char text[800] = "";
    size_t guessed = 0;
    for (size_t m = 0; m < model->mesh.material_count; m++)
        if (model->surface[m].guessed && ++guessed <= LISTED)
            text_append(text, sizeof text, "%s%.100s", guessed > 1 ? ", " : "", model->mesh.material[m]);
    if (guessed > LISTED)
        text_append(text, sizeof text, " and %zu more", guessed - LISTED);
    if (guessed > 0)
        room_warn(notices, "guessed: %s; check them in the project and remove `guessed`", text);
}

static void print_walls(const struct room_model *model, const struct surface_request *request,
                        struct room_notices *notices)
{
    const size_t count = model->mesh.material_count;
    bool mixed = false;
    if (model->table.source[0] != '\0')
        room_say(notices, "absorption from %s", model->table.source);
    print_unused(model, notices);
    room_say(notices,
             "materials, with their absorption (at 125, 500 and 2000 Hz where it is not one number):");
    for (size_t m = 0; m < count; m++) {
        print_surface(model, notices, m);
        mixed |= !isnan(model->surface[m].audience);
    }
    print_unused_fallback(model, notices);
    for (size_t m = 0; m < count; m++)
        warn_of_surface(model, notices, m);
    warn_of_note(&model->table.above, SAID("values above 1 count as 0.95, the most that a wall absorbs"),
                 notices);
    warn_of_note(&model->table.missing, SAID("missing bands take the values of their neighbours"), notices);
    warn_of_note(&model->table.layered, SAID("walls are locally reacting here, and their layers are not"),
                 notices);
    warn_of_coarse(&model->table, notices);
    warn_of_guesses(model, notices);
    if (!isnan(request->audience) && !mixed)
        room_warn(
            notices,
            "an audience of %.3g changes nothing: no material of the room is one of the library's seats or "
            "pews that are known both empty and occupied",
            request->audience);
    if (model->uncovered > 0)
        room_warn_advise(notices, ADVICE_GIVE_ABSORPTION, 0,
                         "%zu of %zu materials have no absorption and count as %.2g", model->uncovered, count,
                         ROOM_MISSING_ABSORPTION);
}

/* Tables end at 4 kHz as a rule. */
#define HIGHEST_AS_A_RULE 4000

void room_walls_say_highest(const struct room_model *model, const struct room_notices *notices)
{
    enum { LISTED = 8 };
    char text[800] = "";
    size_t low = 0;
    for (size_t m = 0; m < model->mesh.material_count; m++) {
        const unsigned highest = model->surface[m].highest;
        if (highest > 0 && highest < HIGHEST_AS_A_RULE && ++low <= LISTED)
            text_append(text, sizeof text, "%s%.80s (%u Hz)", low > 1 ? ", " : "", model->mesh.material[m],
                        highest);
    }
    if (low > LISTED)
        text_append(text, sizeof text, " and %zu more", low - LISTED);
    if (low > 0)
        room_say(notices, "absorption above the highest octave that is given is taken to stay as there: %s",
                 text);
}

/* ---- reading ---- */

static int add_values(struct surface_table *table, const struct option_texts *given,
                      int (*add)(struct surface_table *, const char *, struct failure *),
                      struct failure *failure)
{
    for (size_t i = 0; i < given->count; i++) {
        struct failure why = {0};
        if (add(table, given->text[i], &why) != 0)
            return option_text_refuse(given, i, &why, failure);
    }
    return 0;
}

/* Fit the branches of an entry's layers up to `top` [Hz], unless an earlier one has the same. */
static void build_wall(struct surface_table *table, struct surface_entry *entry, double top)
{
    struct wall_layers layers;
    struct layer_absorption absorbed;
    struct layer_fit fit;
    for (const struct surface_entry *same = table->entry; same < entry; same++)
        if (same->build != NULL && strcmp(same->build, entry->build) == 0) {
            entry->branches = same->branches;
            memcpy(entry->branch, same->branch, sizeof entry->branch);
            return;
        }
    const int code = wall_layers_read(entry->build, &layers, &(struct failure){0});
    assert(code == 0); /* the project was read */
    (void)code;
    wall_layers_absorption(&layers, &absorbed);
    wall_layers_fit(&layers, top, &fit);
    entry->branches = fit.fit.count;
    memcpy(entry->branch, fit.fit.branch, fit.fit.count * sizeof fit.fit.branch[0]);
    for (int o = 0; o < FIT_OCTAVES; o++)
        if (wall_layers_mislead(&absorbed, o) && table->layered.count++ == 0)
            (void)snprintf(table->layered.first, sizeof table->layered.first,
                           "%.100s, line %zu: \"%.100s\" absorbs %.2f at %u Hz instead of %.2f",
                           path_name(entry->file), entry->line, entry->name, absorbed.local[o],
                           material_octave[o], absorbed.diffuse[o]);
    if (fit.error > LAYERS_COARSE && table->coarse.count++ == 0) {
        const double octave = round(log2(fit.largest_at / material_octave[0]));
        (void)snprintf(table->coarse.first, sizeof table->coarse.first, "%.100s, line %zu: \"%.100s\"",
                       path_name(entry->file), entry->line, entry->name);
        table->coarse_octave = material_octave[(int)fmin(fmax(octave, 0), FIT_OCTAVES - 1)];
        table->coarse_most = fit.largest;
    }
}

static int read_tables(const struct room_request *request, struct room_model *model, struct failure *failure)
{
    const struct surface_request *asked = &request->surfaces;
    const struct project *project = request->model.project;
    const double top = request->grid.fmax > 0 ? fmin(request->grid.fmax, LAYERS_TOP) : LAYERS_TOP;
    TRY(material_library_load(&model->library, failure));
    if (asked->materials != NULL) {
        TRY(surface_table_read(&model->table, asked->materials, failure));
        TRY(hash_file(asked->materials, &model->materials_hash, failure));
    }
    if (project != NULL && model->table.above.count == 0)
        model->table.above = project->material.above;
    if (project != NULL && model->table.missing.count == 0)
        model->table.missing = project->material.missing;
    model->table.file_first = project != NULL && project->material.file_first;
    for (size_t e = 0; project != NULL && e < project->material.count; e++) {
        const struct surface_entry *entry = &project->material.entry[e];
        TRY(surface_table_append(&model->table, entry, entry->name,
                                 entry->name != NULL ? strlen(entry->name) : 0, failure));
        if (entry->build != NULL)
            build_wall(&model->table, &model->table.entry[model->table.count - 1], top);
    }
    if (request->listening.dummy_head.count > 0)
        TRY(surface_table_append(&model->table,
                                 &(struct surface_entry){.giver = SURFACE_BY_PROGRAM, .audience = NAN},
                                 DUMMY_HEAD_MATERIAL, strlen(DUMMY_HEAD_MATERIAL), failure));
    TRY(add_values(&model->table, &asked->absorption, surface_table_add, failure));
    return add_values(&model->table, &asked->scattering, surface_table_add_scattering, failure);
}

/* Triangles of sheets are not walls. */
static int tell_sheets(struct room_model *model, struct failure *failure)
{
    const size_t count = model->mesh.material_count;
    bool any = false;
    bool *sheet = calloc(count + 1, sizeof *sheet);
    if (sheet == NULL)
        return failure_memory(failure, count * sizeof *sheet, "the sheets of the model");
    int code = 0;
    for (size_t m = 0; m < count; m++) {
        sheet[m] = model->surface[m].is_sheet;
        any = any || sheet[m];
        const uint16_t back = model->back_material != NULL ? model->back_material[m] : (uint16_t)m;
        if (code == 0 && back != m && (sheet[m] || model->surface[back].is_sheet))
            code = failure_set(failure, FAILURE_INPUT,
                               "\"%.100s\" is given the back \"%.100s\", but a sheet has none",
                               model->mesh.material[m], model->mesh.material[back]);
    }
    if (code == 0 && any)
        code = mesh_set_sheets(&model->mesh, sheet, failure);
    if (code == 0 && any && model->mesh.triangle_count == 0)
        code = failure_set(failure, FAILURE_INPUT,
                           "all surfaces of the model are sheets, which transmit sound: a room needs walls");
    free(sheet);
    return code;
}

int room_walls_read(const struct room_request *request, struct room_notices *notices,
                    struct room_model *model, struct failure *failure)
{
    const size_t count = model->mesh.material_count;
    TRY(read_tables(request, model, failure));
    model->area = calloc(count + 1, sizeof *model->area);
    model->surface = calloc(count + 1, sizeof *model->surface);
    model->wall = calloc(count + 1, sizeof *model->wall);
    model->use = calloc(count + 1, sizeof *model->use);
    if (model->area == NULL || model->surface == NULL || model->wall == NULL || model->use == NULL)
        return failure_memory(failure, (count + 1) * (sizeof *model->surface + sizeof *model->wall),
                              "materials");
    mesh_material_areas(&model->mesh, model->area);
    room_two_sided_areas(model);
    for (size_t m = 0; m < count; m++) /* by their names, even if given values are invalid */
        model->use[m] = surface_use_of(&model->library, model->mesh.material[m], NULL);
    TRY(surfaces_resolve(&model->table, &model->library, &model->mesh, model->area,
                         request->surfaces.audience, request->model.complete ? NAN : ROOM_MISSING_ABSORPTION,
                         model->surface, failure));
    model->uncovered = 0;
    for (size_t m = 0; m < count; m++) {
        const struct surface *surface = &model->surface[m];
        model->uncovered += surface->origin == SURFACE_ASSUMED;
        model->use[m] = surface_use_of(&model->library, model->mesh.material[m], surface->material);
        model->wall[m].branches = surface->branches;
        memcpy(model->wall[m].branch, surface->branch, sizeof surface->branch);
    }
    print_walls(model, &request->surfaces, notices);
    TRY(tell_sheets(model, failure));
    return face_overlaps_find(&model->mesh, (int)request->engine.threads, failure);
}

/* ---- as a grid sees them ---- */

static void sight_at(const void *grid, double frequency, struct wall_sight *sight)
{
    const struct grid_wall_sight at = grid_wall_at(grid, frequency);
    *sight = (struct wall_sight){at.numerical, at.factor, at.reactance};
}

struct wall_view room_wall_view(const struct grid_wall *wall)
{
    return (struct wall_view){sight_at, wall, wall->fmax};
}

static bool same_wall(const struct surface *a, const struct surface *b)
{
    return a->form == b->form && a->branches == b->branches &&
           memcmp(a->octave, b->octave, sizeof a->octave) == 0 && a->in_thirds == b->in_thirds &&
           memcmp(a->third, b->third, sizeof a->third) == 0 &&
           memcmp(a->branch, b->branch, a->branches * sizeof a->branch[0]) == 0;
}

/* An earlier kind of an equal surface at the same distance; `kind` if none. */
static size_t find_same(const struct room_model *model, const struct wall_kinds *kinds, size_t kind)
{
    const struct wall_kind *of = &kinds->kind[kind];
    for (size_t k = 0; k < kind; k++)
        if (kinds->kind[k].steps == of->steps && kinds->kind[k].reach == of->reach &&
            same_wall(&model->surface[kinds->kind[k].material], &model->surface[of->material]))
            return k;
    return kind;
}

/* The wall of a kind, as nodes of the grid see it. */
static struct grid_wall wall_of(const struct room_model *model, const struct room_grid *grid, size_t kind,
                                bool conformal)
{
    const struct wall_kind *of = &grid->kinds.kind[kind];
    const double along = (double)of->steps / WALL_KIND_STEPS, reach = (double)of->reach;
    return (struct grid_wall){grid->step, grid->fmax, conformal ? along : 0.5, conformal ? reach : 0.5,
                              of->steps == 0 && reach != 0 ? &model->wall[of->material] : NULL};
}

/* The result of the fit of a kind. */
struct kind_fit {
    int code;
    double worst;
    struct failure failure;
};

/* Kinds that are not like an earlier one, by threads: none depends on another. */
static void fit_kinds(const struct room_model *model, const struct room_grid *grid, bool conformal,
                      const size_t *same, int threads, struct kind_fit *out)
{
    const size_t kinds = grid->kinds.count;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t k = 0; k < kinds; k++) {
        const struct grid_wall seen = wall_of(model, grid, k, conformal);
        const struct wall_view view = room_wall_view(&seen);
        struct branch_fit fit;
        if (same[k] < k)
            continue;
        out[k].code =
            surface_fit_seen(&model->surface[grid->kinds.kind[k].material], &view, &fit, &out[k].failure);
        if (out[k].code != 0)
            continue;
        out[k].worst = branch_fit_worst(&fit);
        grid->wall[k].branches = fit.count;
        memcpy(grid->wall[k].branch, fit.branch, fit.count * sizeof fit.branch[0]);
    }
}

static void warn_of_missed(const struct room_model *model, size_t m, double worst,
                           struct room_notices *notices)
{
    if (notices != NULL && worst > 1 && !(model->surface[m].worst > 1))
        room_warn(notices, "%s: on this grid the error of the fitted wall is up to %.2g times the tolerance",
                  model->mesh.material[m], worst);
}

int room_walls_fit(const struct room_request *request, const struct room_model *model,
                   struct room_notices *notices, struct room_grid *grid, struct failure *failure)
{
    const size_t materials = model->mesh.material_count;
    const bool conformal = request->engine.walls == WALLS_CONFORMAL;
    if (grid->step.scheme != SCHEME_ISOTROPIC)
        return 0;
    TRY(wall_kinds_sort(&grid->packed, conformal, materials, &grid->kinds, failure));
    const size_t kinds = grid->kinds.count;
    grid->wall = calloc(kinds + 1, sizeof *grid->wall);
    size_t *same = calloc(kinds + 1, sizeof *same);
    struct kind_fit *fit = calloc(kinds + 1, sizeof *fit);
    int code = 0;
    if (grid->wall == NULL || same == NULL || fit == NULL) {
        code = failure_memory(failure, (kinds + 1) * (sizeof *grid->wall + sizeof *fit), "walls of the grid");
        goto done;
    }
    for (size_t k = 0; k < kinds; k++)
        same[k] = find_same(model, &grid->kinds, k);
    fit_kinds(model, grid, conformal, same,
              request->engine.threads > 0 ? (int)request->engine.threads : omp_get_max_threads(), fit);
    for (size_t k = 0; code == 0 && k < kinds; k++) {
        if (same[k] < k) {
            grid->wall[k] = grid->wall[same[k]];
            continue;
        }
        if (fit[k].code != 0)
            code = failure_forward(failure, &fit[k].failure);
        else
            warn_of_missed(model, grid->kinds.kind[k].material, fit[k].worst, notices);
    }
done:
    free(same);
    free(fit);
    return code;
}
