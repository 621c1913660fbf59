/* Names out of files of any origin. */
#include "geometry/base/name_text.h"
#include "tests/support/test_support.h"

static const char *made(const char *name)
{
    static char text[NAME_TEXT_GROWTH * 100 + 1];
    memset(text, 'x', sizeof text);
    name_text(name, text);
    return text;
}

Test(name_text, what_is_utf8_stays_as_it_is)
{
    static const char *const name[] = {"",
                                       "stone",
                                       "caf\xc3\xa9",
                                       "\xe6\x97\xa5\xe6\x9c\xac",
                                       "\xf0\x9f\x98\x80",
                                       "a\xc2\xa0"
                                       "b"};
    for (size_t n = 0; n < sizeof name / sizeof name[0]; n++)
        cr_expect(eq(str, (char *)made(name[n]), (char *)name[n]));
}

Test(name_text, what_is_no_utf8_is_read_as_latin_1)
{
    static const char *const row[][2] = {
        {"caf\xe9", "caf\xc3\xa9"}, /* an old exporter's */
        {"Fu\xdf"
         "boden",
         "Fu\xc3\x9f"
         "boden"},
        {"\xff\xfe", "\xc3\xbf\xc3\xbe"},
        {"\xc0\xaf", "\xc3\x80\xc2\xaf"},             /* an overlong form of / */
        {"\xed\xa0\xbd", "\xc3\xad\xc2\xa0\xc2\xbd"}, /* half of a surrogate pair */
        {"\xf5\xa0\xa0\xa0", "\xc3\xb5\xc2\xa0\xc2\xa0\xc2\xa0"},
        {"a\xc3", "a\xc3\x83"}, /* cut off */
        {"\xc3\xa9\xe9", "\xc3\x83\xc2\xa9\xc3\xa9"},
    };
    for (size_t r = 0; r < sizeof row / sizeof row[0]; r++)
        cr_expect(eq(str, (char *)made(row[r][0]), (char *)row[r][1]));
}

Test(name_text, what_cannot_be_seen_becomes_a_question_mark)
{
    static const char *const name[] = {"\x1b",         "\x7f",         "\n",           "\xc2\x85",
                                       "\xc2\x9b",     "\xe2\x80\xa8", "\xe2\x80\xae", "\xef\xbb\xbf",
                                       "\xef\xbf\xbf", "\x9b"};
    for (size_t n = 0; n < sizeof name / sizeof name[0]; n++)
        cr_expect(eq(str, (char *)made(name[n]), "?"), "%zu", n);
}

Test(name_text, sentences_are_made_visible_in_place)
{
    static const char *const row[][2] = {
        {"caf\xc3\xa9 \xe2\x80\x9cx\xe2\x80\x9d", "caf\xc3\xa9 \xe2\x80\x9cx\xe2\x80\x9d"},
        {"caf\xe9", "caf?"},
        {"a\x1b[31m\nb", "a?[31m\nb"},
        {"\xc2\x9b"
         "31m\xe2\x80\xae.",
         "?31m?."},
        {"cut \xe2\x80", "cut ??"},
    };
    for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
        char text[64];
        snprintf(text, sizeof text, "%s", row[r][0]);
        blot_all_but(text, "\n");
        cr_expect(eq(str, text, (char *)row[r][1]));
    }
}
