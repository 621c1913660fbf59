/* The distance of names as typed: a metric by its definition, on small and random words. */
#include "geometry/base/name_distance.h"
#include "tests/support/test_support.h"

Test(name_distance, counts_insertions_deletions_changes_and_swaps)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } known[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"stone", "stone", 0},
                 {"stone", "stones", 1},
                 {"stone", "tone", 1},
                 {"stone", "stoke", 1},
                 {"stone", "sotne", 1},
                 {"kitten", "sitting", 3},
                 {"marbel", "marble", 1},
                 {"ab", "ba", 1},
                 {"Stone", "stone", 1}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        cr_assert(eq(sz, name_distance(known[k].a, known[k].b), known[k].distance), "%s %s", known[k].a,
                  known[k].b);
        cr_assert(eq(sz, name_distance(known[k].b, known[k].a), known[k].distance), "%s %s", known[k].b,
                  known[k].a);
    }
}

Test(name_distance, random_words_are_at_most_the_longer_and_at_least_the_difference_apart)
{
    uint64_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        char word[2][NAME_DISTANCE_MAX];
        size_t length[2];
        for (int w = 0; w < 2; w++) {
            length[w] = (size_t)test_uniform(&seed, 0, NAME_DISTANCE_MAX);
            for (size_t i = 0; i < length[w]; i++)
                word[w][i] = (char)('a' + (int)test_uniform(&seed, 0, 3));
            word[w][length[w]] = '\0';
        }
        const size_t longer = length[0] > length[1] ? length[0] : length[1];
        const size_t d = name_distance(word[0], word[1]);
        cr_assert(eq(sz, d, name_distance(word[1], word[0])));
        cr_assert(test_at_most((double)d, (double)longer));
        cr_assert(test_at_least((double)d, (double)(longer - (length[0] + length[1] - longer))));
        cr_assert(eq(int, d == 0, strcmp(word[0], word[1]) == 0));
    }
}

Test(name_distance, words_too_long_are_far)
{
    char longest[NAME_DISTANCE_MAX + 1];
    memset(longest, 'a', NAME_DISTANCE_MAX);
    longest[NAME_DISTANCE_MAX] = '\0';
    cr_assert(eq(sz, name_distance(longest, longest), NAME_DISTANCE_MAX));
    longest[NAME_DISTANCE_MAX - 1] = '\0';
    cr_assert(eq(sz, name_distance(longest, longest), 0));
}
