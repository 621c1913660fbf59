/** The keys of a project: which there are, what each takes, and where its value goes. */
#ifndef SRC_PROJECT_SCHEMA_H
#define SRC_PROJECT_SCHEMA_H

#include "rooms/text/yaml_tree.h"
#include "src/setup/project/project_content.h"

/** What the readers of keys share. */
struct project_reader {
    const struct yaml_tree *tree;
    struct project *project; /* to be filled */
    bool of_variant;         /* values come from a variant and go over those that are there */
    bool other_room;         /* the variant has a room of its own */
};

/** All mistakes are reported, as failure_join() has them.
 *
 * Read the whole file into reader->project but for its variants; project_read_variant() puts one over it. */
int project_read_base(struct project_reader *reader, struct failure *failure);
int project_read_variant(struct project_reader *reader, const struct yaml_spot *variant,
                         struct failure *failure);

/** The mapping of the variants; `spot->node` is NULL where there is none. FAILURE_INPUT for one that is
 * empty, has more than PROJECT_VARIANTS_MAX, or names that are none. */
#define PROJECT_VARIANTS_MAX 64
/** What a variant is called everywhere, in folders too: its key with `_` for blanks. Into `name`, returned.
 */
const char *project_variant_name(const char *key, char name[OPTION_NAME_MAX]);
int project_find_variants(const struct yaml_tree *tree, struct yaml_spot *spot, struct failure *failure);

/** The readers of project_rooms.c: `room`, `materials`, `other_surfaces`, `two_sided`. */
int project_read_room(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
int project_read_materials(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_other_surfaces(struct project_reader *reader, const struct yaml_spot *spot,
                                struct failure *failure);
int project_read_two_sided(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);

/** Those of project_places.c: `sources`, `together`, `receivers`, `receiver_grids`; and a place [m], [x, y,
 * z]. */
int project_read_sources(struct project_reader *reader, const struct yaml_spot *spot,
                         struct failure *failure);
int project_read_receivers(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_together(struct project_reader *reader, const struct yaml_spot *spot,
                          struct failure *failure);
int project_read_grids(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure);
int project_read_vector(const struct yaml_spot *spot, double vector[3], struct failure *failure);

/** Those of project_page.c, of the keys beneath `report`. */
int project_read_page_title(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure);
int project_read_page_language(struct project_reader *reader, const struct yaml_spot *spot,
                               struct failure *failure);
int project_read_page_name(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);
int project_read_page_lines(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure);
int project_read_page_logo(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure);

/** One of `words` (NULL-ended), as its index. */
int project_read_word(const struct yaml_spot *spot, const char *const *words, int *out,
                      struct failure *failure);

/** Limits and unit of an option of `simulate`. */
struct yaml_limits project_limits_of(const char *option);

/** Demand a mapping, without a key that is there twice, or a list, of at most so many entries. */
int project_expect(const struct yaml_spot *spot, enum yaml_kind kind, size_t most, const char *wanted,
                   struct failure *failure);

/** Refuse a key that is none of `known` (names, NULL-ended), with the nearest. */
int project_refuse_key(const struct yaml_spot *spot, const char *const *known, struct failure *failure);

/** The values of the keys `known` (names, NULL-ended) of a mapping into `found`, as yaml_find_keys() has
 * them; every key that is none of them is a mistake. */
int project_find_keys(const struct yaml_spot *spot, const char *const *known, struct yaml_spot *found,
                      struct failure *failure);

/** Of a project that has mistakes: those among the names of the library in it, unless it has a file of
 * materials, which may be a library. */
int project_refuse_materials(const struct yaml_tree *tree, struct failure *failure);

#endif
