/* Texts of a page in another language. */
#include "src/base/pitch_name.h"
#include "src/present/compare/distinct_numbers.h"
#include "src/draw/html.h"
#include "src/base/words/words.h"
#include "tests/support/test_support.h"

static void be_english(void)
{
    words_set(WORDS_ENGLISH);
}

TestSuite(words, .fini = be_english);

/* What html_word() and html_number() write. */
static const char *written(const char *word, double number)
{
    static char text[400];
    FILE *page = fmemopen(text, sizeof text, "w");
    html_word(page, word, "runs.0.verdict");
    html_number(page, number, 2, 1, "runs.0.value");
    fclose(page);
    return text;
}

Test(words, a_text_is_itself_in_english_and_another_in_german)
{
    cr_assert(eq(str, (char *)T("no figure is in both runs"), "no figure is in both runs"));
    words_set(WORDS_GERMAN);
    cr_assert(eq(str, (char *)T("no figure is in both runs"), "keine Kenngröße ist in beiden Läufen"));
}

Test(words, a_text_without_an_entry_stays_as_it_is)
{
    const char *const own = "S1 of a model";
    words_set(WORDS_GERMAN);
    cr_assert(words_of(own) == own);
    cr_assert(words_of(NULL) == NULL);
}

Test(words, numbers_have_the_decimal_sign_of_the_language)
{
    cr_assert(eq(str, words_number("%.2f", 1.234).text, "1.23"));
    words_set(WORDS_GERMAN);
    cr_assert(eq(str, words_number("%.2f", 1.234).text, "1,23"));
    cr_assert(eq(str, distinct_digits(0.5, 0.25, 2).second, "0,25"));
    cr_assert(eq(str, distinct_digits(10, 20, 2).first, "10"), "no zero is taken from a whole number");
}

Test(words, the_data_keeps_its_words_and_its_points)
{
    words_set(WORDS_GERMAN);
    const char *const text = written("good", -1.5);
    cr_assert(strstr(text, "<data data-key=\"runs.0.verdict\" value=\"good\">gut</data>") != NULL, "%s",
              text);
    cr_assert(strstr(text, "value=\"-1.5\">\xE2\x88\x92"
                           "1,50</data>") != NULL,
              "%s", text);
    words_set(WORDS_ENGLISH);
    cr_assert(strstr(written("good", 1), "<span data-key=\"runs.0.verdict\">good</span>") != NULL);
}

Test(words, a_pitch_is_called_as_musicians_of_the_language_call_it)
{
    char text[PITCH_NAME_MAX];
    cr_assert(strncmp(pitch_name(493.88, text), "B4", 2) == 0, "%s", text);
    words_set(WORDS_GERMAN);
    cr_assert(strncmp(pitch_name(493.88, text), "H4", 2) == 0, "%s", text);
    cr_assert(strncmp(pitch_name(466.16, text), "B4", 2) == 0, "%s", text);
}

/* No translation is longer than what it is written into, as far as that has a limit: pitches. */
Test(words, every_pitch_fits_its_text)
{
    for (int language = 0; language < WORDS_LANGUAGES; language++) {
        words_set((enum words_language)language);
        for (double hz = 20; hz < 24000; hz *= 1.0594631) {
            char text[PITCH_NAME_MAX];
            cr_assert(strlen(pitch_name(hz, text)) + 1 < PITCH_NAME_MAX, "%s", text);
            cr_assert(strchr(text, 'C') != NULL && text[strlen(text) - 1] == 'C', "%s", text);
        }
    }
}
