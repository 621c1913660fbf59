/* Absorption: a CSV of any bytes gives a table of values from 0 to 1 or a sentence, and so does --absorption.
 *
 *   tools/fuzz 600 materials  # build with clang and run for ten minutes */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rooms/absorption.h"
#include "tests/fuzz/fuzz_claims.h"

static void claim_table(const struct absorption_table *table)
{
    for (size_t e = 0; e < table->count; e++) {
        const struct absorption_entry *entry = &table->entry[e];
        CLAIM(entry->value >= 0 && entry->value <= 1);
        CLAIM(entry->name != NULL ? entry->name[0] != '\0' : !entry->from_file);
        const double admittance = admittance_from_absorption(entry->value, NULL);
        CLAIM(isfinite(admittance) && admittance >= 0);
    }
    CLAIM(memchr(table->source, '\0', sizeof table->source) != NULL);
}

/* Two surfaces; every one gets a value, or the sentence says which does not. */
static void claim_resolution(const struct absorption_table *table)
{
    char stone[] = "stone", wall[] = "wall", *material[] = {stone, wall};
    const struct mesh mesh = {.material_count = 2, .material = material};
    for (int strict = 0; strict < 2; strict++) {
        struct failure failure = {0};
        double value[2] = {NAN, NAN};
        const int code = absorption_resolve(table, &mesh, strict ? NAN : 0.1, value, NULL, &failure);
        claim_outcome(code, &failure);
        for (int m = 0; code == 0 && m < 2; m++)
            CLAIM(value[m] >= 0 && value[m] <= 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct absorption_table table = {0};
    char path[64], *text = copy_of_input(data, size);
    const int file = memfd_create("materials.csv", MFD_CLOEXEC);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    int code = absorption_table_read(&table, path, &failure);
    claim_outcome(code, &failure);
    CLAIM(code == 0 ? table.count > 0 : table.count == 0 && table.source[0] == '\0');
    claim_table(&table);

    const size_t before = table.count;
    failure = (struct failure){0};
    code = absorption_table_add(&table, text, &failure);
    claim_outcome(code, &failure);
    CLAIM(table.count == before + (code == 0));
    claim_table(&table);
    claim_resolution(&table);

    absorption_table_free(&table);
    free(text);
    close(file);
    return 0;
}
