/** The pages of man(1) against what --help prints, word for word, and what reads them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "rooms/shapes/room_shape.h"
#include "src/cli/installed/manual.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(manual, .init = enter_folder, .fini = leave_folder);

/* Words with one blank between them, in place. */
static char *one_blank(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}

/* A page as it is read: requests gone, escapes as what they stand for. */
static char *read_page(const char *path)
{
    static const struct {
        const char *escape, *means;
    } escapes[] = {{"\\-", "-"},   {"\\e", "\\"},  {"\\&", ""},  {"\\(aq", "'"}, {"\\(ga", "`"},
                   {"\\(ha", "^"}, {"\\(ti", "~"}, {"\\fB", ""}, {"\\fR", ""}};
    char *page = read_text(path), *to = page;
    for (const char *from = page; *from != '\0';) {
        if (*from == '.' && (from == page || from[-1] == '\n')) {
            from += strcspn(from, "\n");
            continue;
        }
        size_t i = 0;
        while (i < sizeof escapes / sizeof *escapes &&
               (*from != '\\' || strncmp(from, escapes[i].escape, strlen(escapes[i].escape)) != 0))
            i++;
        if (i < sizeof escapes / sizeof *escapes) {
            from += strlen(escapes[i].escape);
            to = stpcpy(to, escapes[i].means);
        } else {
            cr_assert(ne(chr, *from, '\\'), "%s: unknown escape %.5s", path, from);
            *to++ = *from++;
        }
    }
    *to = '\0';
    return one_blank(page);
}

/* Every part of a help text: an option with its words, the description, the statuses. Returns how many. */
static size_t expect_parts(const char *path, const char *page)
{
    char *help = read_text("out"), *line = help + strcspn(help, "\n") + 1; /* behind "Usage: .." */
    size_t parts = 0;
    while (*line != '\0') {
        char part[4000] = "";
        do {
            const size_t length = strcspn(line, "\n") + 1;
            cr_assert(lt(sz, strlen(part) + length, sizeof part));
            strncat(part, line, length);
            line += length;
        } while (*line != '\0' && *line != '\n' && strncmp(line, "  -", 3) != 0 &&
                 strncmp(line, "      --", 8) != 0);
        one_blank(part);
        const size_t length = strlen(part);
        if (length == 0 || part[length - 1] == ':') /* a heading, which is a request in the page */
            continue;
        const char *words = strncmp(part, "Exit status: ", 13) == 0 ? part + 13 : part;
        if (strncmp(part, "Shapes:", 7) == 0)
            continue;
        cr_assert(strstr(page, words) != NULL, "%s does not say: %s", path, words);
        parts++;
    }
    return parts;
}

Test(manual, pages_say_what_help_says_word_for_word)
{
    size_t count = 0, shapes = 0;
    const struct command *commands = commands_table(&count);
    const struct room_shape *shape = room_shapes(&shapes);
    MUST(manual_write(".", &failure));
    for (size_t i = 0; i < count; i++) {
        char path[80];
        snprintf(path, sizeof path, "transept-%s.1", commands[i].name);
        char *page = read_page(path);
        expect_status(RUN(commands[i].name, "--help"), 0);
        cr_assert(ge(sz, expect_parts(path, page), 3), "%s", path); /* description, --help, statuses */
        cr_assert(strstr(page, commands[i].summary) != NULL, "%s", path);
        for (size_t s = 0; commands[i].bit == COMMAND_ROOM && s < shapes; s++) {
            expect_status(RUN("room", shape[s].name, "--help"), 0);
            cr_assert(gt(sz, expect_parts(path, page), shape[s].parameter_count));
            cr_assert(strstr(page, shape[s].description) != NULL, "%s", shape[s].name);
        }
        free(page);
    }
    char *overview = read_page("transept.1");
    for (size_t i = 0; i < count; i++)
        cr_assert(strstr(overview, commands[i].summary) != NULL, "%s", commands[i].name);
    for (size_t i = 0; help_words.first_room[i] != NULL; i++)
        cr_assert(strstr(overview, help_words.first_room[i]) != NULL, "%s", help_words.first_room[i]);
    free(overview);
    cr_assert(eq(sz, count_entries(".", ".1"), count + 1));
}

/* What a reader of pages complains of, in the file `complaints`; false where that reader is not here. */
static bool ask(const char *name, const char *command)
{
    char line[400];
    snprintf(line, sizeof line,
             "command -v %s >/dev/null || exit 9; (for page in *.1; do %s; done) >complaints 2>&1", name,
             command);
    const int status = WEXITSTATUS(system(line));
    if (status == 9)
        printf("SKIPPED: %s is not here\n", name);
    return status != 9;
}

Test(manual, pages_are_read_without_a_complaint)
{
    MUST(manual_write(".", &failure));
    static const char *const readers[][2] = {
        {"groff", "groff -man -ww -z $page"},
        /* A date would be that of the build, and pages of one version are to be the same everywhere. */
        {"mandoc", "mandoc -T lint -W warning $page | grep -v 'missing date'"},
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (!ask(readers[i][0], readers[i][1]))
            continue;
        char *complaints = read_text("complaints");
        cr_assert(eq(str, complaints, ""));
    }
}

Test(manual, lines_that_begin_like_requests_stay_words)
{
    const struct command command = {.name = "none",
                                    .bit = COMMAND_MATERIALS,
                                    .summary = "nothing",
                                    .output = "",
                                    .description = ".mtl files, 'quoted' and ~home, C:\\rooms and x^2"};
    FILE *page = fopen("page", "w");
    cr_assert(page != NULL);
    MUST(manual_command(page, &command, &failure));
    fclose(page);
    expect_words("page", "\n\\&.mtl files, \\(aqquoted\\(aq and \\(tihome, C:\\erooms and x\\(ha2\n");
    char *text = read_page("page");
    cr_assert(strstr(text, command.description) != NULL, "%s", text);
    free(text);
}

Test(manual, a_folder_that_is_missing_is_reported)
{
    MUST_FAIL(manual_write("nowhere", &failure), FAILURE_OUTPUT, "nowhere/");
}
