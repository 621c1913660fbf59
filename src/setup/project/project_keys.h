/** Reads mappings, lists and words of a project by their keys. */
#ifndef SRC_PROJECT_KEYS_H
#define SRC_PROJECT_KEYS_H

#include "rooms/text/yaml_tree.h"
#include "src/setup/project/project_content.h"

/** Passed to every reader of a key. */
struct project_reader {
    const struct yaml_tree *tree;
    struct project *project; /* result */
    bool of_variant;         /* the values of a variant replace the existing ones */
    bool other_room;         /* the variant has a room of its own */
};

/** One of `words` (NULL-ended), as its index. */
int project_read_word(const struct yaml_spot *spot, const char *const *words, int *out,
                      struct failure *failure);

/** Limits and unit of an option. */
struct yaml_limits project_limits_of(const struct option_spec *option);

/** Refuse anything but a mapping without duplicate keys, or a list, of at most so many entries. */
int project_expect(const struct yaml_spot *spot, enum yaml_kind kind, size_t most, const char *wanted,
                   struct failure *failure);

/** Refuse a key that is not in `known` (names, NULL-ended), and suggest the nearest. */
int project_refuse_key(const struct yaml_spot *spot, const char *const *known, struct failure *failure);

/** The values of the keys `known` (names, NULL-ended) of a mapping into `found`, as yaml_find_keys() has
 * them; every other key is a mistake. */
int project_find_keys(const struct yaml_spot *spot, const char *const *known, struct yaml_spot *found,
                      struct failure *failure);

#endif
