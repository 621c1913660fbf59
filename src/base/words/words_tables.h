/** The tables of other languages, each for one part of a page. A text is in one of them. */
#ifndef SRC_WORDS_TABLES_H
#define SRC_WORDS_TABLES_H

#include <stddef.h>

struct words_pair {
    const char *english, *other;
};

struct words_table {
    const struct words_pair *pair;
    size_t count;
};

extern const struct words_table german_summary, german_figures, german_room, german_run, german_compare,
    german_glossary, german_script;

/** At the end of such a file. */
#define WORDS_TABLE(name, pairs) const struct words_table name = {pairs, sizeof pairs / sizeof pairs[0]}

#endif
