/** A project file as a tree in which every value knows its line, so that whatever is wrong can be told with
 * it.
 *
 * YAML is read by libyaml, which libcyaml stands on: a project has mappings whose keys are the user's (names
 * of materials and variants), and its mistakes are told after reading too (a value out of range, a name that
 * no surface has); libcyaml takes only keys that it knows, and keeps no line.
 */
#ifndef SRC_PROJECT_TEXT_H
#define SRC_PROJECT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

#define PROJECT_KIBIBYTES_MAX 1024

/** A file that was read; opaque. */
struct project_text;

enum project_kind { PROJECT_SCALAR, PROJECT_LIST, PROJECT_MAP };

#define PROJECT_KEY_MAX 400

/** A value somewhere in the tree. Pointers belong to the text. */
struct project_spot {
    const struct project_text *text;
    const void *node;
    size_t line;                /* of its key, or of itself in a list */
    const char *key;            /* what it is called in its mapping; NULL in a list and at the top */
    char path[PROJECT_KEY_MAX]; /* from the top: "materials.pews.absorption", "sources[2].name" */
};

/** Read a file of at most PROJECT_KIBIBYTES_MAX; never waits (geometry/base/regular_file.h). FAILURE_INPUT names
 * file, line and what is wrong with the YAML, or that there is no mapping at the top; FAILURE_CAPACITY.
 * @param hash FNV-1a of its bytes */
int project_text_open(const char *path, struct project_text **out, uint64_t *hash, struct failure *failure);
void project_text_close(struct project_text *text); /* NULL is accepted */

/** The whole. */
struct project_spot project_text_top(const struct project_text *text);

enum project_kind project_spot_kind(const struct project_spot *spot);

/** Entries of a list or mapping; 0 of a scalar. */
size_t project_spot_count(const struct project_spot *spot);

/** The entry of a list or mapping at `index` below the count. FAILURE_INPUT for a key that is no text. */
int project_spot_entry(const struct project_spot *spot, size_t index, struct project_spot *entry,
                       struct failure *failure);

/** FAILURE_INPUT where a mapping has a key twice, in any case of its letters: names of surfaces are looked up
 * so. O(n log n). */
int project_refuse_twice(const struct project_spot *spot, struct failure *failure);

/** The text of a scalar, "" of anything else. */
const char *project_spot_text(const struct project_spot *spot);

/** "FILE, line 12: materials.pews.absorption " and what `format` says, as FAILURE_INPUT. */
__attribute__((format(printf, 3, 4))) int project_refuse(const struct project_spot *spot,
                                                         struct failure *failure, const char *format, ...);

/** "FILE, line 12: materials.pews.absorption is 1.5; expected WANTED", whatever kind the value has. */
int project_refuse_value(const struct project_spot *spot, const char *wanted, struct failure *failure);

/** FAILURE_INPUT unless it has that kind (and, of lists and mappings, an entry); `wanted` says in words what
 * should stand there. */
int project_expect(const struct project_spot *spot, enum project_kind kind, const char *wanted,
                   struct failure *failure);

/** Scalars: a text that is not empty; a plain decimal number within low..high (low itself excluded with
 * `above_low`); true or false; one of `words` (NULL-ended), as its index. `wanted` as above, without limits.
 */
int project_read_text(const struct project_spot *spot, const char *wanted, const char **out,
                      struct failure *failure);
struct project_limits {
    double low, high; /* both 0: any finite number */
    bool above_low;   /* low itself is refused */
    bool whole;       /* whole numbers only */
    const char *unit; /* "Hz", or "" */
};
int project_read_number(const struct project_spot *spot, const struct project_limits *limits, double *out,
                        struct failure *failure);
int project_read_bool(const struct project_spot *spot, bool *out, struct failure *failure);
int project_read_word(const struct project_spot *spot, const char *const *words, int *out,
                      struct failure *failure);

/** A list of `count` numbers. */
int project_read_numbers(const struct project_spot *spot, const struct project_limits *limits, size_t count,
                         const char *wanted, double *out, struct failure *failure);

#endif
