/* Files that appear whole or not at all, whatever fails and when. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include <signal.h>
#include <sys/resource.h>

#include "geometry/base/whole_file.h"
#include "tests/support/outcome.h"

TestSuite(whole_file, .init = enter_folder, .fini = leave_folder);

static void assert_holds(const char *path, const char *expected)
{
    char *text = read_text(path);
    cr_assert(eq(str, text, (char *)expected));
}

Test(whole_file, nothing_stands_there_before_commit_and_one_file_after)
{
    struct whole_file file = {0};
    struct stat about;
    (void)umask(022);
    MUST(whole_file_open(&file, "a.txt", &failure));
    cr_assert(fputs("new", file.stream) >= 0 && fflush(file.stream) == 0);
    cr_assert(access("a.txt", F_OK) != 0);
    cr_assert(eq(sz, count_entries(".", ""), 1));
    MUST(whole_file_commit(&file, &failure));
    assert_holds("a.txt", "new");
    cr_assert(eq(sz, count_entries(".", ""), 1));
    cr_assert(stat("a.txt", &about) == 0 && (about.st_mode & 0777) == 0644);
    cr_assert(file.stream == NULL && file.path == NULL && file.temporary == NULL);
    whole_file_abandon(&file);
    assert_holds("a.txt", "new");
}

Test(whole_file, abandoning_leaves_what_was_there)
{
    struct whole_file file = {0};
    whole_file_abandon(&file);
    (void)write_text("a.txt", "old");
    cr_assert(eq(int, whole_file_open(&file, "a.txt", NULL), 0));
    cr_assert(fputs("new", file.stream) >= 0);
    whole_file_abandon(&file);
    assert_holds("a.txt", "old");
    cr_assert(eq(sz, count_entries(".", ""), 1));
}

Test(whole_file, a_write_that_fails_leaves_what_was_there_and_no_temporary_file)
{
    static const char megabyte[1 << 20];
    const struct rlimit limit = {1 << 18, 1 << 18};
    for (int way = 0; way < 3; ++way) {
        struct whole_file file = {0};
        (void)write_text("a.txt", "old");
        cr_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
        MUST(whole_file_open(&file, "a.txt", &failure));
        cr_assert(eq(int, setrlimit(RLIMIT_FSIZE, &limit), 0));
        if (way < 2) /* the failure comes while writing */
            (void)fwrite(megabyte, 1, sizeof megabyte, file.stream);
        else { /* it comes when the buffer is flushed */
            cr_assert(eq(int, setvbuf(file.stream, NULL, _IOFBF, 1 << 20), 0));
            (void)fwrite(megabyte, 1, (1 << 18) + 100, file.stream);
        }
        const int status = way == 0 ? whole_file_settle(&file, &failure) : whole_file_commit(&file, &failure);
        cr_assert(eq(int, status, FAILURE_OUTPUT));
        cr_assert(strstr(failure.sentence, "a.txt") != NULL, "%s", failure.sentence);
        assert_holds("a.txt", "old");
        cr_assert(eq(sz, count_entries(".", ""), 1));
        cr_assert(file.path == NULL);
    }
}

Test(whole_file, a_rename_that_fails_leaves_no_temporary_file)
{
    struct whole_file file = {0};
    MUST(whole_file_open(&file, "a.txt", &failure));
    cr_assert(eq(int, mkdir("a.txt", 0700), 0)); /* meanwhile */
    MUST_FAIL(whole_file_commit(&file, &failure), FAILURE_OUTPUT, "put in place");
    cr_assert(eq(sz, count_entries(".", ""), 1));
}

Test(whole_file, a_caller_may_write_the_temporary_file_by_other_means)
{
    struct whole_file file = {0};
    cr_assert(eq(int, whole_file_open(&file, "a.wav", NULL), 0));
    cr_assert(eq(int, fclose(file.stream), 0));
    file.stream = NULL;
    (void)write_text(file.temporary, "by libsndfile");
    cr_assert(eq(int, whole_file_commit(&file, NULL), 0));
    assert_holds("a.wav", "by libsndfile");
    cr_assert(eq(int, whole_file_open(&file, "b.wav", NULL), 0));
    cr_assert(eq(int, fclose(file.stream), 0));
    file.stream = NULL;
    cr_assert(eq(int, unlink(file.temporary), 0));
    cr_assert(eq(int, whole_file_commit(&file, NULL), FAILURE_OUTPUT));
    cr_assert(eq(sz, count_entries(".", ""), 1));
}

Test(whole_file, two_files_in_one_folder_do_not_meet)
{
    struct whole_file a = {0}, b = {0};
    cr_assert(eq(int, whole_file_open(&a, "x", NULL), 0));
    cr_assert(eq(int, whole_file_open(&b, "x", NULL), 0));
    cr_assert(strcmp(a.temporary, b.temporary) != 0);
    cr_assert(fputs("first", a.stream) >= 0 && fputs("second", b.stream) >= 0);
    cr_assert(eq(int, whole_file_settle(&a, NULL), 0));
    cr_assert(eq(int, whole_file_commit(&b, NULL), 0));
    assert_holds("x", "second");
    cr_assert(eq(int, whole_file_commit(&a, NULL), 0));
    assert_holds("x", "first");
    cr_assert(eq(sz, count_entries(".", ""), 1));
}

Test(whole_file, places_that_cannot_hold_a_file_are_refused_at_once)
{
    char long_name[400];
    struct whole_file file = {0};
    cr_assert(eq(int, mkdir("dir", 0700), 0));
    cr_assert(eq(int, mkfifo("pipe", 0600), 0));
    MUST_FAIL(whole_file_open(&file, "dir", &failure), FAILURE_OUTPUT, "a folder is there");
    MUST_FAIL(whole_file_open(&file, "pipe", &failure), FAILURE_OUTPUT, "not a regular file");
    cr_assert(eq(int, whole_file_open(&file, "/dev/null", &failure), FAILURE_OUTPUT));
    MUST_FAIL(whole_file_open(&file, "absent/a", &failure), FAILURE_OUTPUT, "No such file");
    cr_assert(eq(int, whole_file_open(&file, "new/", &failure), FAILURE_OUTPUT));
    cr_assert(eq(int, whole_file_open(&file, "", &failure), FAILURE_OUTPUT));
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    (void)memcpy(long_name, "/tmp/", 5);
    if (whole_file_open(&file, long_name, &failure) == 0)
        MUST_FAIL(whole_file_commit(&file, &failure), FAILURE_OUTPUT, "name too long");
    cr_assert(eq(sz, count_entries(".", ""), 2));
}

Test(whole_file, a_symbolic_link_is_replaced_and_what_it_leads_to_stays)
{
    struct whole_file file = {0};
    struct stat about;
    (void)write_text("target", "old");
    cr_assert(eq(int, symlink("target", "link"), 0));
    cr_assert(eq(int, whole_file_open(&file, "link", NULL), 0));
    cr_assert(fputs("new", file.stream) >= 0);
    cr_assert(eq(int, whole_file_commit(&file, NULL), 0));
    assert_holds("target", "old");
    assert_holds("link", "new");
    cr_assert(lstat("link", &about) == 0 && S_ISREG(about.st_mode));
    MUST_FAIL(whole_file_open(&file, "/proc/self/exe", &failure), FAILURE_OUTPUT, "could not be");
    cr_assert(eq(int, symlink("/proc/self/fd/1", "stdout"), 0));
    cr_assert(eq(int, whole_file_open(&file, "stdout", NULL), FAILURE_OUTPUT));
}

Test(whole_file, a_name_in_another_folder_is_written_there)
{
    struct whole_file file = {0};
    cr_assert(eq(int, mkdir("other", 0700), 0));
    cr_assert(eq(int, whole_file_open(&file, "other/there", NULL), 0));
    cr_assert(fputs("there", file.stream) >= 0);
    cr_assert(eq(sz, count_entries(".", ""), 1));
    cr_assert(eq(int, whole_file_commit(&file, NULL), 0));
    assert_holds("other/there", "there");
    cr_assert(eq(sz, count_entries("other", ""), 1));
}
