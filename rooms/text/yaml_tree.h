/** A YAML file as a tree in which every value has its line, for sentences about it.
 *
 * Read by libyaml: one document with a mapping at its top. Projects (src/setup/project) and the material
 * library (rooms/materials/material_library.h) are such files.
 *
 *   yaml_tree_read()     bytes -> tree
 *   yaml_spot_entry()    from a list or mapping to its entries; yaml_find_keys() for keys known by name
 *   yaml_read_number()   and others: the value of a scalar, or a sentence with file, line and key */
#ifndef ROOMS_YAML_TREE_H
#define ROOMS_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** A file that was read; opaque. */
struct yaml_tree;

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

#define YAML_PATH_MAX 400

/** A value somewhere in the tree. Pointers belong to the tree. */
struct yaml_spot {
    const struct yaml_tree *tree;
    const void *node;         /* NULL: missing */
    size_t line;              /* of its key, or of itself in a list */
    const char *key;          /* its key in its mapping; NULL in a list and at the top */
    char path[YAML_PATH_MAX]; /* from the top: "materials.pews.absorption", "sources[2].name" */
};

/** The kind of a file, for sentences. */
struct yaml_form {
    const char *what;  /* "a project" */
    const char *begin; /* for an empty file: how to begin one */
    const char *top;   /* without a mapping at the top: what it should contain */
    bool no_alias;     /* *names of &values are refused */
};

/** Read the `count` bytes of the file `path`, which sentences name. FAILURE_INPUT with the line for invalid
 * YAML, more than 100 open brackets, a second document, or no mapping at the top; FAILURE_CAPACITY. `*out` is
 * the caller's, yaml_tree_free(); NULL on failure. */
int yaml_tree_read(const char *bytes, size_t count, const char *path, const struct yaml_form *form,
                   struct yaml_tree **out, struct failure *failure);
void yaml_tree_free(struct yaml_tree *tree); /* NULL is accepted */

/** The whole. */
struct yaml_spot yaml_tree_top(const struct yaml_tree *tree);

enum yaml_kind yaml_spot_kind(const struct yaml_spot *spot);

/** Entries of a list or mapping; 0 for a scalar. */
size_t yaml_spot_count(const struct yaml_spot *spot);

/** The entry of a list or mapping at `index` below the count. FAILURE_INPUT for a key that is not a text. */
int yaml_spot_entry(const struct yaml_spot *spot, size_t index, struct yaml_spot *entry,
                    struct failure *failure);

/** FAILURE_INPUT if a mapping has a key twice, ignoring case, as in look-ups of names of surfaces. O(n log
 * n). */
int yaml_refuse_twice(const struct yaml_spot *spot, struct failure *failure);

/** Find the values of the keys `known` (`count` names) of a mapping into `found`, `node` NULL for missing
 * ones, and the first unknown key into `unknown`, `node` NULL without one. FAILURE_INPUT for a duplicate key.
 */
int yaml_find_keys(const struct yaml_spot *spot, const char *const *known, size_t count,
                   struct yaml_spot *found, struct yaml_spot *unknown, struct failure *failure);

/** The text of a scalar, "" for any other value. */
const char *yaml_spot_text(const struct yaml_spot *spot);

/** FAILURE_INPUT at the value's file and line: "materials.pews.absorption " and the formatted text. */
__attribute__((format(printf, 3, 4))) int yaml_refuse(const struct yaml_spot *spot, struct failure *failure,
                                                      const char *format, ...);

/** The same: "materials.pews.absorption is 1.5; expected WANTED", for any kind of value. */
int yaml_refuse_value(const struct yaml_spot *spot, const char *wanted, struct failure *failure);

/** FAILURE_INPUT unless it has that kind (and, for lists and mappings, an entry); `wanted` describes the
 * expected value in words. */
int yaml_expect(const struct yaml_spot *spot, enum yaml_kind kind, const char *wanted,
                struct failure *failure);

/** Scalars: a text that is not empty; a plain decimal number within low..high (low itself excluded with
 * `above_low`); true or false. `wanted` as above, without limits. */
int yaml_read_text(const struct yaml_spot *spot, const char *wanted, const char **out,
                   struct failure *failure);
struct yaml_limits {
    double low, high; /* both 0: any finite number */
    bool above_low;   /* low itself is refused */
    bool whole;       /* whole numbers only */
    const char *unit; /* "Hz", or "", or further text for the brackets behind them */
};
int yaml_read_number(const struct yaml_spot *spot, const struct yaml_limits *limits, double *out,
                     struct failure *failure);
int yaml_read_bool(const struct yaml_spot *spot, bool *out, struct failure *failure);

/** A list of `count` numbers. */
int yaml_read_numbers(const struct yaml_spot *spot, const struct yaml_limits *limits, size_t count,
                      const char *wanted, double *out, struct failure *failure);

#endif
