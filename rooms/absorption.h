/** How much sound a surface takes: absorption by material name, and the admittance that gives it. */
#ifndef ROOMS_ABSORPTION_H
#define ROOMS_ABSORPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh.h"

/** One number per material name; names match case-insensitively, the last entry of a name wins. */
struct absorption_entry {
    char *name;     /* NULL: the fallback for every surface that no name covers */
    double value;   /* random-incidence absorption coefficient, 0..1 (-) */
    bool from_file; /* a file's entry yields to one that --absorption gave, and may match nothing */
};

/** Owned, freed by absorption_table_free(); zeroed is empty. */
struct absorption_table {
    size_t count;
    struct absorption_entry *entry;
    char source[300]; /* empty, or what a file contributed: "materials.csv, its 500 Hz column" */
};
void absorption_table_free(struct absorption_table *table);

/** Add what `--absorption` says: "0.1" (fallback) or "NAME=0.1" (the last `=` divides). FAILURE_INPUT unless
 * 0 <= value <= 1. */
int absorption_table_add(struct absorption_table *table, const char *text, struct failure *failure);

/** Add a CSV with a header `material,<octave centres in Hz>...`: its 500 Hz column is taken, and `source`
 * says so. Comma-separated; names may stand in double quotes; a byte order mark, CRLF, blanks around fields,
 * empty lines and lines that begin with # are accepted. Entries that --absorption gave by name win over the
 * file whatever the order of calls; of two files the later wins. FAILURE_INPUT names file, line and value for
 * anything unreadable or outside 0..1, for a name that stands there twice with different values, or when
 * there is no 500 Hz column; likewise for what is no regular file, has more than 16 MiB, a line of 64 KiB or
 * more than 10,000 materials. The table is then as it was. */
int absorption_table_read(struct absorption_table *table, const char *path, struct failure *failure);

/** Absorption of every mesh material into `value` (material_count). Materials that nothing covers get
 * `missing` (when it is a number) and are counted in `*uncovered` (may be NULL); with `missing` NaN they are
 * FAILURE_INPUT, listing names with areas [m2] and typical values (0.03 bare stone, 0.08 plaster and wood,
 * 0.25 full pews). Entries that match no mesh material are FAILURE_INPUT too when given by --absorption
 * NAME=A, and ignored when from a file.
 */
int absorption_resolve(const struct absorption_table *table, const struct mesh *mesh, double missing,
                       double *value, size_t *uncovered, struct failure *failure);

/* The most that a real admittance absorbs in a diffuse field, and that admittance (the zero of the derivative
 * of Paris' formula, to 50 digits). */
#define ABSORPTION_MAX    0.95122201384441817352
#define ABSORPTION_MAX_AT 0.63819297689176335087

/** Real specific admittance g whose random-incidence absorption (Paris' formula,
 * 8 g [1 + g/(1+g) - 2 g ln((1+g)/g)], numerics.md section 1) is `absorption`; of the two that have it, the
 * smaller (the harder wall). The largest reachable value is ABSORPTION_MAX: above it `*clamped` (may be NULL)
 * is set and g is ABSORPTION_MAX_AT. The inverse is accurate to 1e-12 in absorption. */
double admittance_from_absorption(double absorption, bool *clamped);
double absorption_from_admittance(double admittance);

#endif
