/* What surfaces are made of by the words of their names, as modellers, their libraries and languages have
 * them. */
#include <math.h>
#include <stdio.h>

#include "rooms/materials/material_words.h"
#include "tests/support/outcome.h"

static struct material_library library;

static void load(void)
{
    MUST(material_library_load(&library, &failure));
}

static void unload(void)
{
    material_library_free(&library);
}

TestSuite(material_words, .init = load, .fini = unload);

Test(material_words, names_split_at_blanks_figures_capitals_and_lose_their_accents)
{
    static const char *const split[][2] = {
        {"Translucent_Glass_Gray", "translucent glass gray"},
        {"[Brick_Rough_Tan].001", "brick rough tan 001"},
        {"WoodFloor043", "wood floor 043"},
        {"Bricks075A", "bricks 075 a"},
        {"OSBPlatte", "osb platte"},
        {"Concrete - Cast-in-Place Concrete - 35 MPa", "concrete cast in place concrete 35 m pa"},
        {"Brick, Common", "brick common"},
        {"T\xc3\x9cR", "tuer"},
        {"T\xc3\xbcr", "tuer"},
        {"wei\xc3\x9f"
         "eEiche",
         "weisse eiche"},
        {"ch\xc3\xaane", "chene"},
        {"HORMIG\xc3\x93N", "hormigon"},
        {"", ""},
        {"_ 7", "7"},
        {"\xc3", "\xc3"},
        {"\xe6\x9c\xa8", "\xe6\x9c\xa8"},
    };
    for (size_t s = 0; s < sizeof split / sizeof *split; s++) {
        char words[MATERIAL_WORDS_MAX];
        material_words_split(split[s][0], words);
        cr_assert(eq(str, words, (char *)split[s][1]));
    }
}

Test(material_words, a_name_of_any_length_is_cut_and_not_split_wrong)
{
    char name[2000], words[MATERIAL_WORDS_MAX];
    memset(name, 0, sizeof name);
    for (size_t length = 0; length + 3 < sizeof name; length += 2) {
        memcpy(name + length, "\xc3\xbc", 2);
        material_words_split(name, words);
        cr_assert(eq(sz, strlen(words), length + 2 < MATERIAL_WORDS_MAX ? length + 2 : strlen(words)));
        cr_assert(strspn(words, "ue") == strlen(words) && strlen(words) < MATERIAL_WORDS_MAX);
    }
}

/* ---- the table of names ---- */

enum verdict { RIGHT, UNKNOWN, WRONG, VERDICTS };

/* Mean over 125 to 4000 Hz. */
static double mean_absorption(const struct material *material)
{
    double sum = 0;
    for (size_t o = 1; o < 7; o++)
        sum += material->absorption[o];
    return sum / 6;
}

/* Compare the guess for `name` with its `entries`; `*effect` is the least distance of mean absorption, 1
 * where only `unknown` is right. */
static enum verdict judge(const char *name, char *entries, double *effect)
{
    const struct material *guess = material_guess(&library, name);
    bool may_miss = false;
    *effect = 1;
    for (char *rest, *entry = strtok_r(entries, "|", &rest); entry != NULL;
         entry = strtok_r(NULL, "|", &rest)) {
        const struct material *right = material_library_find(&library, entry);
        may_miss |= strcmp(entry, "unknown") == 0;
        cr_assert(right != NULL || may_miss, "%s: the library has no %s", name, entry);
        if (guess != NULL && right != NULL)
            *effect =
                fmin(*effect, right == guess ? 0 : fabs(mean_absorption(right) - mean_absorption(guess)));
        if (guess != NULL && right == guess)
            return RIGHT;
    }
    return guess != NULL ? WRONG : may_miss ? RIGHT : UNKNOWN;
}

Test(material_words, a_table_of_names_is_guessed_and_no_guess_is_wrong_by_a_tenth)
{
    char line[1000];
    size_t count[VERDICTS] = {0};
    FILE *file = fopen(test_source_file("tests/rooms/material_names.csv"), "r");
    cr_assert(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        char *rest, *name = strtok_r(line, ";", &rest), *set = strtok_r(NULL, ";", &rest);
        double effect;
        const enum verdict verdict = judge(name, strtok_r(NULL, "", &rest), &effect);
        count[verdict]++;
        cr_expect(verdict != UNKNOWN, "%s (%s) is left unknown", name, set);
        cr_expect(verdict != WRONG || test_at_most(effect, 0.1), "%s (%s) is wrong by %.2f", name, set,
                  effect);
    }
    (void)fclose(file);
    cr_expect(eq(sz, count[RIGHT], 583));
    cr_expect(eq(sz, count[UNKNOWN], 0));
    cr_expect(eq(sz, count[WRONG], 0));
}

Test(material_words, what_lies_beneath_is_denied_doubtful_or_strange_is_no_guess)
{
    static const char *const guess[][2] = {
        {"Fliesen auf Estrich", "ceramic tiles"},
        {"Carpet on felt", "carpet on hair felt or foam"}, /* the library has both words */
        {"Wooden chairs without cushion", "wooden chairs empty"},
        {"Zuschauersitze", "upholstered seats empty"}, /* not those who sit there */
        {"Wand Nord EG", "plaster on masonry"},
        {"Fussbodenheizung", NULL}, /* a heating */
        {"Wall Autex Cube", NULL},
        {"stoen wall", "limestone wall"}, /* misspelt */
        {"Timber frame, mineral wool", NULL},
    };
    for (size_t g = 0; g < sizeof guess / sizeof *guess; g++) {
        const struct material *material = material_guess(&library, guess[g][0]);
        if (guess[g][1] == NULL)
            cr_expect(material == NULL, "%s: %s", guess[g][0], material->name);
        else
            cr_expect(eq(str, (char *)material->name, (char *)guess[g][1]), "%s", guess[g][0]);
    }
}

Test(material_words, suggestions_begin_with_what_the_words_stand_for_and_name_nothing_twice)
{
    const struct material *near[4];
    cr_assert(eq(sz, material_suggest(&library, "eiche", near, 4), 1));
    cr_assert(eq(str, (char *)near[0]->name, "wooden lining"));
    cr_assert(eq(sz, material_suggest(&library, "eiche", near, 0), 0));
    cr_assert(eq(sz, material_suggest(&library, "Grass", near, 1), 1)); /* one letter from glass */
    const size_t count = material_suggest(&library, "Brick_Common", near, 4);
    cr_assert(test_at_least((double)count, 3)); /* one of the near ones is what it means */
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < n; m++)
            cr_assert(near[n] != near[m]);
}

Test(material_words, a_name_without_a_guess_is_offered_what_has_its_qualities)
{
    const struct material *near[40];
    const size_t count = material_suggest(&library, "Lochplatte", near, 40);
    cr_assert(test_at_least((double)count, 5));
    for (size_t n = 0; n < count; n++)
        cr_expect(strstr(near[n]->name, "perforated") != NULL, "%s", near[n]->name);
}

Test(material_words, every_name_of_the_library_with_a_remark_behind_it_is_still_that_material)
{
    for (size_t m = 0; m < library.count; m++) {
        char name[100];
        (void)snprintf(name, sizeof name, "%s, 2nd", library.material[m].name);
        const struct material *guess = material_guess(&library, name);
        cr_expect(guess == &library.material[m], "%s: %s", name, guess != NULL ? guess->name : "nothing");
    }
}
