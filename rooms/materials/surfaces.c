#include "rooms/materials/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/materials/absorption.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/materials/material_words.h"
#include "rooms/text/table_text.h"

_Static_assert(FIT_OCTAVES == MATERIAL_OCTAVES, "a material has the octaves that are fitted");
_Static_assert(FIT_BRANCHES_MAX <= WALL_BRANCHES_MAX, "a fit is a wall");

const char *surface_origin_name(enum surface_origin origin)
{
    static const char *const name[] = {"option",  "file",     "project", "library",
                                       "program", "fallback", "assumed"};
    return name[origin];
}

const char *surface_words(const struct surface *surface, char text[SURFACE_WORDS_MAX])
{
    (void)snprintf(text, SURFACE_WORDS_MAX, "%s", surface_origin_name(surface->origin));
    if (surface->material != NULL)
        text_append(text, SURFACE_WORDS_MAX, ": %.100s", surface->material->name);
    if (!isnan(surface->audience))
        text_append(text, SURFACE_WORDS_MAX, ", %.3g %% of the seats taken", 100 * surface->audience);
    if (surface->guessed)
        text_append(text, SURFACE_WORDS_MAX, ", guessed");
    if (surface->is_sheet)
        text_append(text, SURFACE_WORDS_MAX, ", sound goes through");
    if (surface->form == SURFACE_BRANCHES)
        text_append(text, SURFACE_WORDS_MAX, ", %zu branch%s", surface->branches,
                    surface->branches == 1 ? "" : "es");
    return text;
}

/* ---- names ---- */

#define LISTED 12

/* The materials of the mesh as a list: `"oak", "glass" and 3 more`. */
static void list_materials(const struct mesh *mesh, char *list, size_t capacity)
{
    for (size_t m = 0; m < mesh->material_count && m < LISTED; ++m)
        text_append(list, capacity, "%s\"%.100s\"", m > 0 ? ", " : "", mesh->material[m]);
    if (mesh->material_count > LISTED)
        text_append(list, capacity, " and %zu more", mesh->material_count - LISTED);
}

int surface_refuse_name(const struct mesh *mesh, const char *name, struct failure *failure)
{
    char wanted[MATERIAL_NAME_MAX], known[MATERIAL_NAME_MAX], nearest[140] = "";
    const bool named = material_name_fold(name, strlen(name), wanted);
    size_t least = strlen(wanted) / 3 + 1;
    for (size_t m = 0; named && m < mesh->material_count; m++) {
        const char *own = mesh->material[m];
        const size_t apart =
            material_name_fold(own, strlen(own), known) ? name_distance(wanted, known) : least;
        if (apart >= least)
            continue;
        least = apart;
        (void)snprintf(nearest, sizeof nearest, " (did you mean \"%.100s\"?)", own);
    }
    return failure_set(failure, FAILURE_INPUT,
                       "no surface of the model is called \"%.200s\"%s; `transept check` lists them", name,
                       nearest);
}

void surface_append_nearest(const struct surface_table *table, const struct material_library *library,
                            const char *name, char *list, size_t capacity)
{
    enum { NEAR = 3 };
    const struct material *near[2 * NEAR];
    size_t count = material_library_nearest(&table->own, name, near, NEAR);
    count += material_suggest(library, name, near + count, NEAR);
    for (size_t n = 0; n < count && n < NEAR; n++)
        text_append(list, capacity, "%s\"%.60s\"", n > 0 ? ", " : "; known: ", near[n]->name);
}

int surface_refuse_material(const struct surface_table *table, const struct material_library *library,
                            const char *name, struct failure *failure)
{
    char list[400] = "";
    surface_append_nearest(table, library, name, list, sizeof list);
    return failure_set(failure, FAILURE_INPUT,
                       "there is no material \"%.100s\" in the library%s; `transept materials` lists them",
                       name, list);
}

static int list_unknown(const struct surface_table *table, const struct material_library *library,
                        const struct mesh *mesh, const double *area, const struct surface *surface,
                        struct failure *failure)
{
    char list[1300] = "";
    size_t unknown = 0, listed = 0;
    for (size_t m = 0; m < mesh->material_count; ++m) {
        if (surface[m].origin != SURFACE_ASSUMED)
            continue;
        /* Append whole entries only; a full list ends with the number of the others. */
        char entry[400] = "";
        text_append(entry, sizeof entry, "%s\"%.100s\" (%.4g m2", unknown > 0 ? ", " : "", mesh->material[m],
                    area[m]);
        surface_append_nearest(table, library, mesh->material[m], entry, sizeof entry);
        text_append(entry, sizeof entry, ")");
        if (listed == unknown && listed < LISTED && strlen(list) + strlen(entry) < sizeof list) {
            text_append(list, sizeof list, "%s", entry);
            listed++;
        }
        ++unknown;
    }
    if (unknown > listed)
        text_append(list, sizeof list, " and %zu more", unknown - listed);
    const int code = failure_set(failure, FAILURE_INPUT, "no absorption is known for %s", list);
    for (size_t m = 0; m < mesh->material_count; ++m)
        if (surface[m].origin == SURFACE_ASSUMED)
            failure_about(code, failure, SUBJECT_MATERIAL, mesh->material[m]);
    return failure_advise(code, failure, ADVICE_GIVE_ABSORPTION, 0);
}

/* ---- walls ---- */

double surface_octave_mean(const struct wall_branch *branch, size_t count, int octave)
{
    enum { PARTS = 24 };
    double sum = 0;
    for (int p = 0; p < PARTS; p++) {
        const double part = (p + 0.5) / PARTS - 0.5; /* of an octave from its centre, in log f */
        const double frequency = fit_centre(octave) * pow(10, 0.3 * part);
        sum += wall_absorption_diffuse(wall_admittance_at(branch, count, frequency));
    }
    return sum / PARTS;
}

static void wall_of_number(struct surface *surface)
{
    bool clamped = false;
    const double admittance = admittance_from_absorption(surface->octave[0], &clamped);
    surface->branches = admittance > 0 ? 1 : 0;
    surface->branch[0] = (struct wall_branch){.E = admittance > 0 ? 1 / admittance : 0};
    surface->clamped = clamped ? (1u << MATERIAL_OCTAVES) - 1 : 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        surface->used[o] = absorption_from_admittance(admittance);
}

/* Its thirds where it has them. */
static const double *third_of(const struct surface *surface)
{
    return surface->in_thirds ? surface->third : NULL;
}

static int wall_of_octaves(struct surface *surface, struct failure *failure)
{
    struct branch_fit fit;
    TRY(branch_fit_seen(surface->octave, third_of(surface), FIT_BRANCHES_MAX, NULL, &fit, failure));
    surface->branches = fit.count;
    memcpy(surface->branch, fit.branch, fit.count * sizeof fit.branch[0]);
    memcpy(surface->used, fit.mean, sizeof surface->used);
    memcpy(surface->used_third, fit.mean_third, sizeof surface->used_third);
    surface->clamped = fit.clamped;
    surface->worst = branch_fit_worst(&fit);
    return 0;
}

/* Fit equal tables once: a model may have hundreds of names for a few materials. */
static const struct surface *find_equal(const struct surface *surface, size_t count,
                                        const struct surface *wanted)
{
    for (size_t m = count; m-- > 0;)
        if (surface[m].form == SURFACE_OCTAVES && !surface[m].is_sheet &&
            surface[m].in_thirds == wanted->in_thirds &&
            memcmp(surface[m].octave, wanted->octave, sizeof wanted->octave) == 0 &&
            memcmp(surface[m].third, wanted->third, sizeof wanted->third) == 0)
            return &surface[m];
    return NULL;
}

/* Of octaves without a stated one. What counts for all surfaces without another value is a guess. */
static void fill_uncertainty(struct surface *surface)
{
    const bool guessed =
        surface->guessed || surface->origin == SURFACE_OF_FALLBACK || surface->origin == SURFACE_ASSUMED;
    const bool stated = surface->uncertain == UNCERTAINTY_GIVEN;
    if (guessed && !stated)
        surface->uncertain = UNCERTAINTY_OF_GUESS;
    absorption_uncertainty_fill(surface->octave, stated, guessed, surface->uncertainty);
}

static int make_wall(struct surface *surface, size_t m, struct failure *failure)
{
    struct surface *made = &surface[m];
    if (made->is_sheet) {
        memcpy(made->used, made->octave, sizeof made->used);
        return 0;
    }
    if (made->form == SURFACE_NUMBER) {
        wall_of_number(made);
        return 0;
    }
    if (made->form == SURFACE_BRANCHES) {
        for (int o = 0; o < MATERIAL_OCTAVES; o++)
            made->octave[o] = made->used[o] = surface_octave_mean(made->branch, made->branches, o);
        return 0;
    }
    const struct surface *equal = find_equal(surface, m, made);
    if (equal == NULL)
        return wall_of_octaves(made, failure);
    const struct surface own = *made;
    *made = *equal;
    made->origin = own.origin;
    made->material = own.material;
    made->audience = own.audience;
    made->build = own.build;
    made->guessed = own.guessed;
    made->scattering = own.scattering;
    made->uncertain = own.uncertain;
    memcpy(made->uncertainty, own.uncertainty, sizeof made->uncertainty);
    return 0;
}

int surface_fit_seen(const struct surface *surface, const struct wall_view *view, struct branch_fit *fit,
                     struct failure *failure)
{
    if (surface->is_sheet) {
        *fit = (struct branch_fit){0};
        return 0;
    }
    if (surface->form != SURFACE_BRANCHES)
        return branch_fit_seen(surface->octave, third_of(surface), FIT_BRANCHES_MAX, view, fit, failure);
    branch_fit_again(surface->branch, surface->branches, view, fit);
    return 0;
}

/* ---- assignment to materials ---- */

static struct surface of_entry(const struct surface_entry *entry, enum surface_origin origin)
{
    struct surface surface = {.origin = origin,
                              .form = entry->form,
                              .audience = NAN,
                              .build = entry->build,
                              .guessed = entry->guessed,
                              .highest = entry->highest,
                              .uncertain = entry->stated ? UNCERTAINTY_GIVEN : UNCERTAINTY_OF_LABORATORY,
                              .branches = entry->branches};
    memcpy(surface.uncertainty, entry->uncertainty, sizeof surface.uncertainty);
    memcpy(surface.octave, entry->absorption, sizeof surface.octave);
    surface.in_thirds = entry->in_thirds;
    memcpy(surface.third, entry->third, sizeof surface.third);
    memcpy(surface.branch, entry->branch, sizeof surface.branch);
    surface.is_sheet = entry->form == SURFACE_SHEET;
    if (surface.is_sheet) {
        surface.form = SURFACE_OCTAVES;
        surface.sheet = entry->sheet;
        sheet_absorption(&entry->sheet, surface.octave);
    }
    return surface;
}

static struct surface of_material(const struct material *material, double audience,
                                  enum surface_origin origin)
{
    struct surface surface = {.origin = origin,
                              .form = SURFACE_OCTAVES,
                              .material = material,
                              .audience = material->pair != NULL ? audience : NAN};
    material_absorption(material, audience, surface.octave);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        if (!material_is_extended(material, o))
            surface.highest = material_octave[o];
    surface.is_sheet = material->kind == MATERIAL_SHEET;
    surface.sheet = material->sheet;
    return surface;
}

/* The material in a project's entry: of the file's library, else of the program's. */
static const struct material *named_material(const struct surface_table *table,
                                             const struct material_library *library,
                                             const struct surface_entry *entry)
{
    const struct material *own = material_library_find(&table->own, entry->library);
    return own != NULL ? own : material_library_find(library, entry->library);
}

/* Set a surface by a project's entry that passed check_entry(). */
static struct surface of_project(const struct surface_table *table, const struct material_library *library,
                                 const struct surface_entry *entry, double audience)
{
    if (entry->form != SURFACE_NAMED)
        return of_entry(entry, SURFACE_OF_PROJECT);
    struct surface surface =
        of_material(named_material(table, library, entry),
                    isnan(entry->audience) ? audience : entry->audience, SURFACE_OF_PROJECT);
    surface.guessed = entry->guessed;
    surface.uncertain = entry->stated ? UNCERTAINTY_GIVEN : UNCERTAINTY_OF_LABORATORY;
    memcpy(surface.uncertainty, entry->uncertainty, sizeof surface.uncertainty);
    return surface;
}

static struct surface look_up(const struct surface_table *table, const struct material_library *library,
                              const char *name, double audience, double missing)
{
    const struct surface_entry *entry, *of = surface_table_find(table, name, SURFACE_BY_PROJECT);
    const struct material *material;
    if ((entry = surface_table_find(table, name, SURFACE_BY_OPTION)) != NULL)
        return of_entry(entry, SURFACE_OF_OPTION);
    if (of != NULL && !table->file_first)
        return of_project(table, library, of, audience);
    if ((entry = surface_table_find(table, name, SURFACE_BY_FILE)) != NULL)
        return of_entry(entry, SURFACE_OF_FILE);
    if ((material = material_library_find(&table->own, name)) != NULL)
        return of_material(material, audience, SURFACE_OF_FILE);
    if (of != NULL)
        return of_project(table, library, of, audience);
    if ((material = material_library_find(library, name)) != NULL)
        return of_material(material, audience, SURFACE_OF_LIBRARY);
    if ((entry = surface_table_find(table, name, SURFACE_BY_PROGRAM)) != NULL)
        return of_entry(entry, SURFACE_OF_PROGRAM);
    if ((entry = surface_table_fallback(table)) != NULL)
        return of_entry(entry, SURFACE_OF_FALLBACK);
    struct surface assumed = {.origin = SURFACE_ASSUMED, .form = SURFACE_NUMBER, .audience = NAN};
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        assumed.octave[o] = missing;
    return assumed;
}

/* Take over the value of a material or an entry, unless an earlier one gave it. Either may be NULL. */
static void take_material_scattering(struct scattering *scattering, const struct material *material,
                                     double audience)
{
    if (scattering->given == 0 && material != NULL)
        *scattering = material_scattering(material, audience);
}

static void take_entry_scattering(struct scattering *scattering, const struct surface_table *table,
                                  const struct material_library *library, const struct surface_entry *entry,
                                  double audience)
{
    if (scattering->given != 0 || entry == NULL)
        return;
    *scattering = entry->scattering;
    if (entry->form == SURFACE_NAMED)
        take_material_scattering(scattering, named_material(table, library, entry),
                                 isnan(entry->audience) ? audience : entry->audience);
}

/* In the order of look_up(). */
static struct scattering look_up_scattering(const struct surface_table *table,
                                            const struct material_library *library, const char *name,
                                            double audience)
{
    const struct surface_entry *const project = surface_table_find(table, name, SURFACE_BY_PROJECT),
                                      *const before = table->file_first ? NULL : project;
    struct scattering found = {0};
    take_entry_scattering(&found, table, library,
                          surface_table_find(table, name, SURFACE_BY_SCATTERING_OPTION), audience);
    take_entry_scattering(&found, table, library, before, audience);
    take_entry_scattering(&found, table, library, surface_table_find(table, name, SURFACE_BY_FILE), audience);
    take_material_scattering(&found, material_library_find(&table->own, name), audience);
    take_entry_scattering(&found, table, library, project, audience);
    take_material_scattering(&found, material_library_find(library, name), audience);
    take_entry_scattering(&found, table, library, surface_table_fallback_scattering(table), audience);
    scattering_fill(&found);
    return found;
}

/* An entry with a name must mean a surface, unless it is of a file, so that a mistyped name is found.
 * `lists`: the sentence lists the surfaces. */
static int check_surface(const struct mesh *mesh, const struct surface_entry *entry, bool lists,
                         struct failure *failure)
{
    char list[1200] = "";
    bool found = entry->name == NULL || entry->giver == SURFACE_BY_FILE || entry->may_miss;
    for (size_t m = 0; !found && m < mesh->material_count; ++m)
        found = surface_name_means(entry->name, mesh->material[m]);
    if (found)
        return 0;
    if (lists)
        list_materials(mesh, list, sizeof list);
    return failure_set(failure, FAILURE_INPUT, "the room has no surface of that name%s%s",
                       lists ? "; it has " : "", list);
}

/* The material of a project's entry must exist, and must have seats if some are taken. */
static int check_material(const struct surface_table *table, const struct material_library *library,
                          const struct surface_entry *entry, struct failure *failure)
{
    if (entry->form != SURFACE_NAMED)
        return 0;
    const struct material *material = named_material(table, library, entry);
    if (material == NULL)
        return surface_refuse_material(table, library, entry->library, failure);
    if (!isnan(entry->audience) && material->pair == NULL)
        return failure_set(
            failure, FAILURE_INPUT,
            "an audience of %.3g changes nothing, because \"%.100s\" is not a kind of seats that "
            "the library has both empty and occupied",
            entry->audience, material->name);
    return 0;
}

/* Add to a failure the entry that caused it, if any. */
static int of_which(int code, const struct surface_entry *entry, struct failure *failure)
{
    if (code == 0)
        return 0;
    failure_wrap(failure, failure, "%.400s: ", entry->where != NULL ? entry->where : entry->name);
    return failure_at(code, failure, entry->file, entry->line);
}

int surfaces_resolve(const struct surface_table *table, const struct material_library *library,
                     const struct mesh *mesh, const double *area, double audience, double missing,
                     struct surface *surface, struct failure *failure)
{
    bool unknown = false;
    int code = 0;
    for (size_t e = 0; e < table->count; ++e) {
        const struct surface_entry *entry = &table->entry[e];
        ALSO(code, failure, of_which(check_surface(mesh, entry, code == 0, &next), entry, &next));
        ALSO(code, failure, of_which(check_material(table, library, entry, &next), entry, &next));
    }
    if (code != 0)
        return code;
    for (size_t m = 0; m < mesh->material_count; ++m) {
        surface[m] = look_up(table, library, mesh->material[m], audience, missing);
        surface[m].scattering = look_up_scattering(table, library, mesh->material[m], audience);
        unknown |= surface[m].origin == SURFACE_ASSUMED;
    }
    if (unknown && isnan(missing))
        return list_unknown(table, library, mesh, area, surface, failure);
    for (size_t m = 0; m < mesh->material_count; ++m) {
        TRY(make_wall(surface, m, failure));
        fill_uncertainty(&surface[m]);
    }
    return 0;
}
