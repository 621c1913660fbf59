/** Items found by their names, however many there are. */
#include "src/base/name_index.h"

#include "tests/support/outcome.h"

struct item {
    int other;
    const char *name;
};

Test(name_index, finds_the_first_of_a_name_and_no_item_without_one)
{
    const struct item item[] = {{0, "b"}, {0, "a"}, {0, NULL}, {0, "b"}, {0, ""}};
    struct name_index index = {0};
    MUST(name_index_make(&item[0].name, sizeof *item, 5, &index, &failure));
    cr_assert(eq(sz, name_index_find(&index, "a"), 1));
    cr_assert(eq(sz, name_index_find(&index, "b"), 0));
    cr_assert(eq(sz, name_index_find(&index, ""), 4));
    cr_assert(eq(sz, name_index_find(&index, "c"), NAME_INDEX_NONE));
    cr_assert(eq(sz, name_index_find(&index, NULL), NAME_INDEX_NONE));
    name_index_free(&index);
    cr_assert(eq(sz, name_index_find(&index, "a"), NAME_INDEX_NONE), "an empty one has no names");
}

Test(name_index, keeps_the_two_names_of_a_pair_apart)
{
    struct name_index index = {0};
    MUST(name_index_add_pair(&index, "a", "bc", 0, &failure));
    MUST(name_index_add_pair(&index, "ab", "c", 1, &failure));
    MUST(name_index_add_pair(&index, "ab", NULL, 2, &failure));
    MUST(name_index_add_pair(&index, "ab", "b", 3, &failure));
    name_index_sort(&index);
    cr_assert(eq(sz, name_index_find_pair(&index, "ab", "c"), 1));
    cr_assert(eq(sz, name_index_find_pair(&index, "a", "bc"), 0));
    cr_assert(eq(sz, name_index_find_pair(&index, "ab", "b"), 3));
    cr_assert(eq(sz, name_index_find_pair(&index, "ab", NULL), NAME_INDEX_NONE));
    name_index_free(&index);
}

/* 2e11 comparisons, half an hour, where each name is looked for from the start. */
Test(name_index, half_a_million_names_are_all_found, .timeout = 60)
{
    enum { NAMES = 500000 };
    char(*name)[12] = calloc(NAMES, sizeof *name);
    struct name_index index = {0};
    cr_assert(name != NULL);
    for (size_t n = 0; n < NAMES; n++) {
        snprintf(name[n], sizeof *name, "R%zu", n);
        MUST(name_index_add(&index, name[n], n, &failure));
    }
    name_index_sort(&index);
    for (size_t n = 0; n < NAMES; n++)
        cr_assert(name_index_find(&index, name[n]) == n);
    name_index_free(&index);
    free(name);
}
