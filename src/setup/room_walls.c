#include "src/setup/room_walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/materials/absorption.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/text/table_text.h"
#include "src/base/byte_hash.h"
#include "src/project/project.h"

/* ---- words ---- */

/* Blanks that fill `name`, in UTF-8, up to `width` letters. */
static int padding(const char *name, int width)
{
    int letters = 0;
    for (; *name != '\0'; name++)
        letters += ((unsigned char)*name & 0xC0) != 0x80;
    return letters < width ? width - letters : 0;
}

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
        (void)snprintf(text, ROOM_LIMITED_MAX,
                       "an absorption of %.3g%s%s is more than a locally reacting surface reaches; %.4g is "
                       "used",
                       most, octaves, octaves[0] != '\0' ? " Hz" : "", used);
    return text;
}

/* The octave in which the branches are furthest from what was asked for. */
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

static void print_surface(const struct room_setup *setup, size_t m)
{
    enum { HZ_125 = 1, HZ_500 = 3, HZ_2000 = 5 };
    const struct surface *surface = &setup->surface[m];
    char absorption[60], words[SURFACE_WORDS_MAX];
    if (surface->form == SURFACE_NUMBER)
        (void)snprintf(absorption, sizeof absorption, "%-23.3g", surface->octave[0]);
    else
        (void)snprintf(absorption, sizeof absorption, "%-7.3g %-7.3g %-7.3g", surface->octave[HZ_125],
                       surface->octave[HZ_500], surface->octave[HZ_2000]);
    room_say(setup, "  %s%*s %9.2f m2   absorption %s %s", setup->mesh.material[m],
             padding(setup->mesh.material[m], 24), "", setup->area[m], absorption,
             surface_words(surface, words));
}

static void warn_of_surface(struct room_setup *setup, size_t m)
{
    const struct surface *surface = &setup->surface[m];
    char limited[ROOM_LIMITED_MAX];
    if (room_surface_limited(surface, limited)[0] != '\0')
        room_warn(setup, "%s: %s", setup->mesh.material[m], limited);
    if (surface->worst > 1) {
        const size_t o = worst_octave(surface);
        room_warn(setup,
                  "%s: the wall that was fitted misses what is asked for; in the octave of %u Hz it absorbs "
                  "%.3g, not %.3g",
                  setup->mesh.material[m], material_octave[o], surface->used[o], surface->octave[o]);
    }
}

/* Entries of a file that mean no surface of the room. A file may serve many rooms, so that is a fact and no
 * warning; but a slip of the pen in a name would else go unseen where the library knows the surface. */
static void tell_unused(const struct room_setup *setup)
{
    enum { LISTED = 6 };
    char text[800] = "";
    size_t unused = 0;
    for (size_t e = 0; e < setup->table.count; e++) {
        const struct surface_entry *entry = &setup->table.entry[e];
        bool used = entry->giver == SURFACE_BY_OPTION || entry->name == NULL;
        for (size_t m = 0; !used && m < setup->mesh.material_count; m++)
            used = surface_name_means(entry->name, setup->mesh.material[m]);
        if (!used && ++unused <= LISTED)
            text_append(text, sizeof text, "%s\"%.100s\"", unused > 1 ? ", " : "", entry->name);
    }
    if (unused > LISTED)
        text_append(text, sizeof text, " and %zu more", unused - LISTED);
    if (unused > 0)
        room_say(setup, "  no surface of this room is called %s", text);
}

static void warn_of_guesses(struct room_setup *setup)
{
    enum { LISTED = 12 };
    char text[800] = "";
    size_t guessed = 0;
    for (size_t m = 0; m < setup->mesh.material_count; m++)
        if (setup->surface[m].guessed && ++guessed <= LISTED)
            text_append(text, sizeof text, "%s%.100s", guessed > 1 ? ", " : "", setup->mesh.material[m]);
    if (guessed > LISTED)
        text_append(text, sizeof text, " and %zu more", guessed - LISTED);
    if (guessed > 0)
        room_warn(setup, "guessed: %s; look at what the project says of them and take `guessed` away", text);
}

static void tell(struct room_setup *setup)
{
    const struct options *options = setup->options;
    const size_t count = setup->mesh.material_count;
    bool mixed = false;
    if (setup->table.source[0] != '\0')
        room_say(setup, "absorption from %s", setup->table.source);
    tell_unused(setup);
    room_say(setup, "materials, with their absorption (at 125, 500 and 2000 Hz where it is not one number):");
    for (size_t m = 0; m < count; m++) {
        print_surface(setup, m);
        mixed |= !isnan(setup->surface[m].audience);
    }
    for (size_t m = 0; m < count; m++)
        warn_of_surface(setup, m);
    warn_of_guesses(setup);
    if (options_given(options, "audience") && !mixed)
        room_warn(setup,
                  "--audience %.3g changes nothing: no material of the room is one of the library's seats or "
                  "pews that are known both empty and occupied",
                  options->audience);
    if (setup->uncovered > 0)
        room_warn(
            setup,
            "%zu of %zu materials have no absorption and count as %.2g: see --absorption and --materials",
            setup->uncovered, count, ROOM_MISSING_ABSORPTION);
}

/* ---- reading ---- */

static int read_tables(struct room_setup *setup, struct failure *failure)
{
    const struct options *options = setup->options;
    TRY(material_library_load(&setup->library, failure));
    if (options->materials != NULL) {
        TRY(surface_table_read(&setup->table, options->materials, failure));
        TRY(hash_file(options->materials, &setup->materials_hash, failure));
    }
    setup->table.file_first = options->project != NULL && options->project->material.file_first;
    for (size_t e = 0; options->project != NULL && e < options->project->material.count; e++) {
        const struct surface_entry *entry = &options->project->material.entry[e];
        TRY(surface_table_append(&setup->table, entry, entry->name,
                                 entry->name != NULL ? strlen(entry->name) : 0, failure));
    }
    for (size_t i = 0; i < options->absorption.count; i++)
        TRY(surface_table_add(&setup->table, options->absorption.text[i], failure));
    return 0;
}

int room_walls_read(struct room_setup *setup, bool strict, struct failure *failure)
{
    const struct options *options = setup->options;
    const size_t count = setup->mesh.material_count;
    const double audience = options_given(options, "audience") ? options->audience : NAN;
    TRY(read_tables(setup, failure));
    setup->area = calloc(count + 1, sizeof *setup->area);
    setup->surface = calloc(count + 1, sizeof *setup->surface);
    setup->wall = calloc(count + 1, sizeof *setup->wall);
    if (setup->area == NULL || setup->surface == NULL || setup->wall == NULL)
        return failure_memory(failure, (count + 1) * (sizeof *setup->surface + sizeof *setup->wall),
                              "materials");
    mesh_material_areas(&setup->mesh, setup->area);
    room_two_sided_areas(setup);
    TRY(surfaces_resolve(&setup->table, &setup->library, &setup->mesh, setup->area, audience,
                         strict ? NAN : ROOM_MISSING_ABSORPTION, setup->surface, failure));
    setup->uncovered = 0;
    for (size_t m = 0; m < count; m++) {
        const struct surface *surface = &setup->surface[m];
        setup->uncovered += surface->origin == SURFACE_ASSUMED;
        setup->wall[m].branches = surface->branches;
        memcpy(setup->wall[m].branch, surface->branch, sizeof surface->branch);
    }
    tell(setup);
    return 0;
}

void room_walls_free(struct room_setup *setup)
{
    surface_table_free(&setup->table);
    material_library_free(&setup->library);
    free(setup->area);
    free(setup->surface);
    free(setup->wall);
}

/* ---- for engines ---- */

double *room_plain_walls(const struct room_setup *setup)
{
    enum { HZ_500 = 3 };
    double *admittance = calloc(setup->mesh.material_count + 1, sizeof *admittance);
    for (size_t m = 0; admittance != NULL && m < setup->mesh.material_count; m++)
        admittance[m] = admittance_from_absorption(setup->surface[m].used[HZ_500], NULL);
    return admittance;
}

bool room_walls_hard(const struct room_setup *setup)
{
    bool hard = !setup->options->open;
    for (size_t m = 0; m < setup->mesh.material_count; m++)
        hard = hard && setup->wall[m].branches == 0;
    return hard;
}

size_t room_ledger_surfaces(const struct room_setup *setup)
{
    return room_walls_hard(setup) ? 0 : setup->mesh.material_count + 1;
}

struct wall_materials room_wall_materials(const struct room_setup *setup, bool ledger)
{
    return (struct wall_materials){
        .count = setup->mesh.material_count,
        .material = setup->wall,
        .inertance = setup->options->walls == WALLS_INERTANCE,
        .ledger = ledger && !room_walls_hard(setup),
    };
}

int room_engine_create(struct engine **out, const struct room_setup *setup, const struct block_grid *grid,
                       const struct box_grid *box, const struct engine_options *options, bool ledger,
                       struct failure *failure)
{
    const struct wall_materials walls = room_wall_materials(setup, ledger);
    return engine_create_walls(out, grid, box, &setup->step, &walls, options, failure);
}
