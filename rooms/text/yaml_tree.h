/** A YAML file as a tree in which every value knows its line, so that a sentence about it can name that.
 *
 * Read by libyaml: one document with a mapping at its top. Projects (src/project) and the material library
 * (rooms/materials/material_library.h) are such files.
 *
 *   yaml_tree_read()     bytes -> tree
 *   yaml_spot_entry()    from a list or mapping to what is in it; yaml_find_keys() for keys known by name
 *   yaml_read_number()   and others: the value of a scalar, or a sentence with file, line and key
 */
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
    const void *node;         /* NULL: there is no such value */
    size_t line;              /* of its key, or of itself in a list */
    const char *key;          /* what it is called in its mapping; NULL in a list and at the top */
    char path[YAML_PATH_MAX]; /* from the top: "materials.pews.absorption", "sources[2].name" */
};

/** What a file is, for sentences. */
struct yaml_form {
    const char *what;  /* "a project" */
    const char *begin; /* where the file is empty: how one begins */
    const char *top;   /* where there is no mapping at the top: what one is made of */
    bool no_alias;     /* *names of &values are refused */
};

/** Read the `count` bytes of the file `path`, which sentences name. FAILURE_INPUT with the line for what is
 * no YAML, more than 100 open brackets, a second document, or no mapping at the top; FAILURE_CAPACITY. `*out`
 * is the caller's, yaml_tree_free(); NULL on failure. */
int yaml_tree_read(const char *bytes, size_t count, const char *path, const struct yaml_form *form,
                   struct yaml_tree **out, struct failure *failure);
void yaml_tree_free(struct yaml_tree *tree); /* NULL is accepted */

/** The whole. */
struct yaml_spot yaml_tree_top(const struct yaml_tree *tree);

enum yaml_kind yaml_spot_kind(const struct yaml_spot *spot);

/** Entries of a list or mapping; 0 of a scalar. */
size_t yaml_spot_count(const struct yaml_spot *spot);

/** The entry of a list or mapping at `index` below the count. FAILURE_INPUT for a key that is no text. */
int yaml_spot_entry(const struct yaml_spot *spot, size_t index, struct yaml_spot *entry,
                    struct failure *failure);

/** FAILURE_INPUT where a mapping has a key twice, in any case of its letters: names of surfaces are looked up
 * so. O(n log n). */
int yaml_refuse_twice(const struct yaml_spot *spot, struct failure *failure);

/** The values of the keys `known` (`count` names) of a mapping into `found`, `node` NULL for those that are
 * not there, and the first key that is none of them into `unknown`, `node` NULL for none. FAILURE_INPUT for a
 * key that is there twice. */
int yaml_find_keys(const struct yaml_spot *spot, const char *const *known, size_t count,
                   struct yaml_spot *found, struct yaml_spot *unknown, struct failure *failure);

/** The text of a scalar, "" of anything else. */
const char *yaml_spot_text(const struct yaml_spot *spot);

/** FAILURE_INPUT at the value's file and line: "materials.pews.absorption " and what `format` says. */
__attribute__((format(printf, 3, 4))) int yaml_refuse(const struct yaml_spot *spot, struct failure *failure,
                                                      const char *format, ...);

/** The same: "materials.pews.absorption is 1.5; expected WANTED", whatever kind the value has. */
int yaml_refuse_value(const struct yaml_spot *spot, const char *wanted, struct failure *failure);

/** FAILURE_INPUT unless it has that kind (and, of lists and mappings, an entry); `wanted` is in words what
 * should be there. */
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
    const char *unit; /* "Hz", or "", or more to say behind them in brackets */
};
int yaml_read_number(const struct yaml_spot *spot, const struct yaml_limits *limits, double *out,
                     struct failure *failure);
int yaml_read_bool(const struct yaml_spot *spot, bool *out, struct failure *failure);

/** A list of `count` numbers. */
int yaml_read_numbers(const struct yaml_spot *spot, const struct yaml_limits *limits, size_t count,
                      const char *wanted, double *out, struct failure *failure);

#endif
