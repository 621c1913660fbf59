/** `transept check` while it works: its bar, what it tells before its end, and what Ctrl-C leaves. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp, posix_openpt */
#include "tests/support/checked_model.h"
#include "tests/support/test_support.h"

TestSuite(check_progress, .init = enter_folder, .fini = leave_folder);

/* A hall of 30 x 20 x 10 m with 80 windows that no seal closes, and a surface that is not read. All openings
 * take minutes of one thread, and the limit of their search is 15 s. */
static void write_windowed_hall(const char *path)
{
    static const double size[3] = {30, 20, 10}, pitch = 1.5, pillar = 0.7, sill = 1.2, top = 2;
    struct model model = model_open(path);
    model_material(&model, "wall");
    for (int side = 0; side < 2; side++) {
        model_panel(&model, 2, side * size[2], 0, 0, size[0], size[1]);
        model_panel(&model, 0, side * size[0], 0, 0, size[1], size[2]);
        for (int row = 0; row < 2; row++) {
            model_panel(&model, 1, side * size[1], 0, row * top, size[0], row * top + sill);
            for (int n = 0; n < 20; n++)
                model_panel(&model, 1, side * size[1], n * pitch, row * top + sill, n * pitch + pillar,
                            (row + 1) * top);
        }
        model_panel(&model, 1, side * size[1], 0, 2 * top, size[0], size[2]);
    }
    fputs("cstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 4\nend\n", model.file);
    fclose(model.file);
}

#define CHECK_HALL                                                                                           \
    TEST_PROGRAM, "check", "hall.obj", "--spacing", "0.1", "--absorption", "0.1", PLACES, "--threads", "1"

/* SIGINT as soon as `words` are on standard error. */
static void interrupt_at(const char *words, const char *const *command)
{
    bool told = false;
    time_limit = 300;
    const pid_t child = start(NULL, command);
    while (!told && waitpid(child, NULL, WNOHANG) == 0) {
        char *text = exists("err") ? read_text("err") : NULL;
        told = text != NULL && strstr(text, words) != NULL;
        free(text);
        nanosleep(&(const struct timespec){.tv_nsec = 2000000}, NULL);
    }
    cr_assert(told, "it ended without \"%s\"", words);
    cr_assert(eq(int, kill(child, SIGINT), 0));
    expect_status(finish(child), 130);
    expect_words("out", "Interrupted: there may be other findings, and there is no verdict");
}

Test(check_progress, a_long_check_tells_findings_as_they_come_and_prints_them_on_ctrl_c)
{
    write_windowed_hall("hall.obj");
    interrupt_at("found: 1 free-form surface", (const char *const[]){CHECK_HALL, NULL});
    expect_words("out", "1 free-form surface (`surf`) was left out");
    expect_words("out", "a path leads out of the model through a gap about 80");
    expect_words("out", "The search was not finished: there may be others");
}

/* The leak by which it began is one. */
Test(check_progress, a_search_that_is_ended_at_once_has_an_opening)
{
    write_windowed_hall("hall.obj");
    interrupt_at("\"looking for openings\"",
                 (const char *const[]){CHECK_HALL, "--quiet", "--progress", "json", NULL});
    expect_no_words("out", "0 opening");
    expect_words("out", "At least 1 opening, as seen on the run's grid: 80");
}

/* On a terminal one line is drawn over and over, and never goes back. */
Test(check_progress, one_bar_goes_from_nothing_to_all)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) {
        fprintf(stderr, "SKIPPED: this machine gives no terminal (/dev/ptmx, as in a bare chroot)\n");
        return;
    }
    cr_assert(grantpt(master) == 0 && unlockpt(master) == 0);
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    cr_assert(terminal >= 0 && fcntl(master, F_SETFL, O_NONBLOCK) == 0);
    write_hall("hall.obj");
    expect_status(
        run(NULL, (const char *const[]){"/bin/sh", "-c",
                                        "exec \"$0\" check hall.obj --absorption 0.1 --fmax 355 2>$1",
                                        TEST_PROGRAM, ptsname(master), NULL}),
        0);
    char text[20000];
    ssize_t length = 0;
    for (ssize_t more; (more = read(master, text + length, sizeof text - 1 - (size_t)length)) > 0;)
        length += more;
    cr_assert(length > 0);
    text[length] = '\0';
    double before = -1;
    int pictures = 0;
    for (char *at = strchr(text, '['); at != NULL; at = strstr(at + 1, "\r[")) {
        char bar[21];
        double percent;
        at += *at == '\r';
        cr_assert(sscanf(at, "[%20[#.]] %lf %%", bar, &percent) == 2, "%s", at);
        cr_assert(percent >= before && percent <= 100, "%g %% after %g: %s", percent, before, text);
        cr_assert(test_near((double)strspn(bar, "#"), percent / 5, 0.6), "%s", at);
        cr_assert(before >= 0 || percent == 0);
        before = percent;
        pictures++;
    }
    cr_assert(pictures >= 5 && before >= 70, "%s", text); /* cracks are the last three tenths */
    cr_assert(strchr(text, '\n') == text + length - 1, "%s", text);
    cr_assert(strstr(text, "\rdone") != NULL, "%s", text);
    (void)close(terminal);
    (void)close(master);
}
