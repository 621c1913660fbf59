/* Absorption: a table of any bytes gives absorption from 0 to 1, passive branches or a sentence, and so does
 * --absorption; every surface then has a passive wall.
 *
 *   tools/fuzz 600 materials  # build with clang and run for ten minutes */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rooms/materials/surfaces.h"
#include "rooms/materials/wall_branches.h"
#include "tests/fuzz/fuzz_claims.h"

static void claim_table(const struct surface_table *table)
{
    for (size_t e = 0; e < table->count; e++) {
        const struct surface_entry *entry = &table->entry[e];
        for (size_t o = 0; entry->form != SURFACE_BRANCHES && o < MATERIAL_OCTAVES; o++)
            CLAIM(entry->absorption[o] >= 0 && entry->absorption[o] <= 1);
        for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
            CLAIM(entry->scattering.octave[o] >= 0 && entry->scattering.octave[o] <= 1);
        CLAIM(entry->branches <= WALL_BRANCHES_MAX);
        CLAIM((entry->branches > 0) == (entry->form == SURFACE_BRANCHES));
        CLAIM(wall_branches_check(entry->branch, entry->branches, "any", NULL) == 0);
        CLAIM(entry->name != NULL ? entry->name[0] != '\0' : entry->giver != SURFACE_BY_FILE);
    }
    CLAIM(memchr(table->source, '\0', sizeof table->source) != NULL);
}

/* Two surfaces; every one gets a wall, or the sentence says which does not. */
static void claim_resolution(const struct surface_table *table)
{
    char stone[] = "stone", wall[] = "wall", *material[] = {stone, wall};
    const struct mesh mesh = {.material_count = 2, .material = material};
    const struct material_library none = {0};
    for (int strict = 0; strict < 2; strict++) {
        struct failure failure = {0};
        struct surface surface[2];
        const int code = surfaces_resolve(table, &none, &mesh, (double[2]){1, 2}, NAN, strict ? NAN : 0.1,
                                          surface, &failure);
        claim_outcome(code, &failure);
        for (int m = 0; code == 0 && m < 2; m++) {
            CLAIM(wall_branches_check(surface[m].branch, surface[m].branches, "any", NULL) == 0);
            for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
                CLAIM(surface[m].used[o] >= 0 && surface[m].used[o] <= 1);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct surface_table table = {0};
    char path[64], *text = copy_of_input(data, size);
    const int file = memfd_create("materials.csv", MFD_CLOEXEC);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    int code = surface_table_read(&table, path, &failure);
    claim_outcome(code, &failure);
    CLAIM(code == 0 ? table.count > 0 : table.count == 0 && table.source[0] == '\0');
    claim_table(&table);

    const size_t before = table.count;
    failure = (struct failure){0};
    code = surface_table_add(&table, text, &failure);
    claim_outcome(code, &failure);
    CLAIM(table.count == before + (code == 0));
    claim_table(&table);
    claim_resolution(&table);

    surface_table_free(&table);
    free(text);
    close(file);
    return 0;
}
