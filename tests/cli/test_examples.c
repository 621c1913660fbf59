/** Every example of the pages that users read: a line that calls the program is one that it takes, what is
 * small is run, and every piece of a project is one. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp, wordexp, glob */
#include <glob.h>
#include <wordexp.h>

#include "src/cli/commands.h"
#include "src/setup/project/project.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(examples, .init = enter_folder, .fini = leave_folder);

typedef void for_page(const char *page, const char *text);

/* Returns how many pages there are. */
static size_t each_page(for_page *look)
{
    static const char *const pattern[] = {"README.md", "rooms/*.md", "src/manual/*.md", "src/*/README.md"};
    size_t count = 0;
    for (size_t p = 0; p < sizeof pattern / sizeof pattern[0]; p++) {
        glob_t found;
        cr_assert(eq(int, glob(test_source_file(pattern[p]), 0, NULL, &found), 0), "%s", pattern[p]);
        for (size_t i = 0; i < found.gl_pathc; i++, count++) {
            char *text = read_text(found.gl_pathv[i]);
            look(found.gl_pathv[i], text);
        }
        globfree(&found);
    }
    return count;
}

/* ---- lines ---- */

static size_t lines;

/* Rooms are built; of the others nothing is run that a page means for a machine of its own. */
static void expect_taken(const char *page, char *line, char **word, int count)
{
    const char *nearest = NULL;
    const struct command *command = command_find(word[1], &nearest);
    cr_assert(command != NULL, "%s: %s", page, line);
    if (command->bit == COMMAND_ROOM) {
        char *argument[64] = {(char *)TEST_PROGRAM};
        memcpy(argument + 1, word + 1, (size_t)(count - 1) * sizeof *argument);
        argument[count] = (char *)"--force";
        cr_assert(eq(int, run(NULL, (const char *const *)argument), 0), "%s: %s", page, line);
    }
    if (command->start != NULL && command->bit != COMMAND_SIMULATE)
        return; /* options of its own */
    struct options options;
    bool resumed = false;
    for (int w = 2; w < count; w++)
        resumed = resumed || strcmp(word[w], "--resume") == 0;
    const int code = options_parse(command->bit, command->name, resumed ? NULL : command->subject, count - 2,
                                   word + 2, NULL, &options, &failure);
    options_free(&options);
    cr_assert(code == 0, "%s: %s: %s", page, line, failure.sentence);
}

/* One that begins with the program's name, with those that a backslash joins to it. */
static void look_at_line(const char *page, const char *at)
{
    char line[1000] = "";
    for (bool goes_on = true; goes_on;) {
        size_t length = strcspn(at, "\n");
        const char *next = at + length;
        goes_on = length > 0 && at[length - 1] == '\\';
        strncat(line, at, length - goes_on);
        at = *next != '\0' ? next + 1 : next;
    }
    /* What a script has of its own. */
    char *const background = strstr(line, " &");
    if (background != NULL)
        *background = '\0';
    for (char *own; (own = strstr(line, "$1")) != NULL;)
        memcpy(own, "S1", 2);
    setenv("SLURM_CPUS_PER_TASK", "2", 1);
    wordexp_t words;
    cr_assert(eq(int, wordexp(line, &words, WRDE_NOCMD), 0), "%s: %s", page, line);
    size_t count = 0;
    while (count < words.we_wordc && words.we_wordv[count][0] != '#')
        count++;
    cr_assert(count >= 2 && count < 64, "%s: %s", page, line);
    lines++;
    expect_taken(page, line, words.we_wordv, (int)count);
    wordfree(&words);
}

static void look_at_lines(const char *page, const char *text)
{
    bool fenced = false;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *begin = at + strspn(at, " ");
        if (strncmp(begin, "```", 3) == 0)
            fenced = !fenced;
        else if (fenced && strncmp(begin, "transept ", 9) == 0 && begin[9] != '-' &&
                 strchr("abcdefghijklmnopqrstuvwxyz", begin[9]) != NULL)
            look_at_line(page, begin);
    }
}

Test(examples, every_line_that_calls_the_program_is_one_that_it_takes)
{
    cr_assert(gt(sz, each_page(look_at_lines), 20));
    cr_assert(gt(sz, lines, 40), "%zu lines", lines);
}

/* ---- pieces of projects ---- */

static size_t pieces;

/* Variants and grids are put to the tutorial's project, in place of its own. */
static void open_with(const char *page, const char *piece, size_t length)
{
    char *base = read_text(test_source_file("rooms/examples/tutorial/chapel.yaml"));
    char *own = strstr(base, "\nreceiver_grids:");
    cr_assert(own != NULL);
    FILE *file = fopen("piece.yaml", "w");
    cr_assert(file != NULL);
    fwrite(base, (size_t)(own - base), 1, file);
    fputc('\n', file);
    fwrite(piece, length, 1, file);
    fclose(file);
    struct project *project = NULL;
    cr_assert(project_open("piece.yaml", NULL, &project, &failure) == 0, "%s: %s", page, failure.sentence);
    pieces++;
    project_close(project);
}

static void look_at_pieces(const char *page, const char *text)
{
    for (const char *at = text; (at = strstr(at, "```yaml\n")) != NULL;) {
        at += 8;
        const size_t length = (size_t)(strstr(at, "```") - at);
        if (strncmp(at, "variants:", 9) == 0 || strncmp(at, "receiver_grids:", 15) == 0)
            open_with(page, at, length);
    }
}

Test(examples, every_piece_of_a_project_is_one)
{
    each_page(look_at_pieces);
    cr_assert(ge(sz, pieces, 2), "%zu", pieces);
}

/* ---- the way that README shows, on a small room ---- */

#define QUICK "--spacing", "0.5", "--fmax", "60", "--duration", "0.05", "--backend", "cpu"

Test(examples, the_way_from_a_model_to_a_page_plays_the_sound_that_was_chosen)
{
    const char *chapel = test_source_file("rooms/examples/tutorial/chapel.yaml");
    expect_status(RUN("simulate", chapel, "--variant", "all", "-o", "chapel", QUICK), 0);
    expect_status(RUN("auralise", "chapel/base", "--dry", "organ"), 0);
    expect_status(RUN("auralise", "chapel/full", "--dry", "organ"), 0);
    expect_status(RUN("compare", "chapel/base", "chapel/full"), 0);
    expect_status(RUN("report", "chapel/base", "chapel/full"), 0);
    expect_words("chapel/base/report_full.html", "organ");
    char *tutorial = read_text(test_source_file("rooms/TUTORIAL.md"));
    cr_assert(strstr(tutorial, "\ntransept auralise chapel/base --dry organ\n") != NULL &&
                  strstr(tutorial, "\ntransept auralise chapel/full --dry organ\n") != NULL,
              "the report of the tutorial has a clap");
}
