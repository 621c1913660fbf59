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

Test(words, what_a_run_said_in_english_is_said_in_german)
{
    static const char *const said[][2] = {
        {"cpu avx512, blocks, single, 2 threads", "Prozessor (avx512), Bl\xC3\xB6"
                                                  "cke, einfache Genauigkeit, 2 Threads"},
        {"receiver nave front is 4.79 m from source pulpit, nearer than the 4.84 m of ISO 3382-1: its "
         "figures "
         "describe the direct sound more than the room",
         "Empf\xC3\xA4nger nave front ist 4,79 m von der Quelle pulpit entfernt, n\xC3\xA4her als die 4,84 m "
         "der "
         "ISO 3382-1: Seine Kenngr\xC3\xB6\xC3\x9F"
         "en beschreiben mehr den Direktschall als den Raum"},
        {"2 openings are under three grid points of 0.46 m wide, the narrowest 0.3 m at 1, 2.5, 3 m; others "
         "at "
         "4, 5, 6 m: the level behind them is off, by up to 0.7 dB at two points and 1.6 dB at one, and "
         "narrower ones may be closed; a smaller --spacing or a higher --fmax avoids this",
         "2 \xC3\x96"
         "ffnungen sind schmaler als drei Gitterpunkte von 0,46 m, die schmalste 0,3 m bei 1; 2,5; 3 m; "
         "weitere "
         "bei 4; 5; 6 m: Der Pegel dahinter weicht ab, bei zwei Punkten um bis zu 0,7 dB und bei einem um "
         "1,6 dB, und schmalere k\xC3\xB6"
         "nnen verschlossen sein; ein kleineres --spacing oder ein h\xC3\xB6heres "
         "--fmax "
         "vermeidet das"},
        {"EDT and T20: the sound decays by 3.5 dB before the response ends, and EDT needs 20 dB, T20 35 dB "
         "and T30 "
         "45 dB: a longer run is needed; G: the level of the source is not known",
         "EDT und T20: der Schall klingt um 3,5 dB ab, bevor die Raumimpulsantwort endet, und EDT braucht 20 "
         "dB, "
         "T20 35 dB und T30 45 dB: ein l\xC3\xA4ngerer Lauf ist n\xC3\xB6tig; G: der Pegel der Quelle ist "
         "nicht "
         "bekannt"},
        {"guessed: Putz, is and 3 more; check them in the project and remove `guessed`",
         "angenommen: Putz, is und 3 weitere; pr\xC3\xBC"
         "fen Sie diese im Projekt, und entfernen Sie `guessed`"},
        {"S1: no such sentence; 1.5 m", "S1: no such sentence; 1.5 m"},
    };
    words_set(WORDS_GERMAN);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        char *const german = words_of_said(said[i][0]);
        cr_expect(eq(str, german, (char *)said[i][1]));
        free(german);
    }
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
