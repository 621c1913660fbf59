/** `simulate --force` over the results of an earlier run, with every call that could cost them failing. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"

TestSuite(publishing, .init = enter_folder, .fini = leave_folder);

#define ROOM                                                                                                 \
    "cube.obj", "--fmax", "60", "--duration", "0.02", "--absorption", "0.1", "--threads", "1", "--quiet"
#define BEFORE "--source", "1,1,1", "--receiver", "2,2,2,a", "--receiver", "1,2,1,before"
#define AFTER  "--source", "1.2,1,1", "--receiver", "2,2,2,a", "--receiver", "1,2,1.2,after"

#define AGAIN                                                                                                \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        TEST_PROGRAM, "simulate", ROOM, AFTER, "-o", "run", "--force", NULL                                  \
    }

/* Folders `before` and `after`: what the earlier run left, and what the later one leaves. */
static void run_both(void)
{
    write_cube();
    expect_status(RUN("simulate", ROOM, BEFORE, "-o", "before"), 0);
    expect_status(RUN("simulate", ROOM, AFTER, "-o", "after"), 0);
}

static bool old_is_whole(void)
{
    return fault_holds("run", "before", NULL);
}

/* Times in run.json differ. */
static bool new_is_whole(void)
{
    if (!fault_holds("run", "after", "run.json") || !exists("run/run.json"))
        return false;
    cJSON *record = read_json("run/run.json");
    const cJSON *last = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "receivers"), 1);
    const bool after = strcmp(text_of(last, "name"), "after") == 0;
    return after;
}

/* Either all old results stand there, or whoever reads the folder finds all new ones. */
static void expect_one_of_both(const struct fault_call *call, const char *how)
{
    if (old_is_whole())
        return;
    expect_status(RUN("analyse", "run"), 0);
    cr_assert(new_is_whole(), "%s %d, %s: neither the old results are whole nor the new ones", call->name,
              call->number, how);
    cr_assert(eq(sz, count_entries("run", ".transept-ready-"), 0));
}

Test(publishing, whatever_call_fails_all_old_results_or_all_new_ones_are_whole)
{
    struct fault_call call[FAULT_CALLS_MAX];
    size_t old = 0, kept = 0;
    if (!fault_possible())
        return;
    run_both();
    fault_copy("before", "run");
    const size_t calls = fault_calls("openat,rename,renameat,fsync,unlinkat", "run", AGAIN, call);
    cr_assert(test_at_least((double)calls, 30.0));
    cr_assert(new_is_whole());
    for (size_t c = 0; c < calls; c++) {
        fault_copy("before", "run");
        const int status = fault_run(&call[c], "error=EIO", AGAIN);
        cr_assert(status == 0 || status == 5, "%s %d: status %d", call[c].name, call[c].number, status);
        cr_assert(status != 0 || new_is_whole(), "%s %d: status 0", call[c].name, call[c].number);
        old += old_is_whole();
        kept += status == 5 && !old_is_whole();
        expect_one_of_both(&call[c], "EIO");
    }
    cr_assert(test_at_least((double)old, 10.0));
    cr_assert(test_at_least((double)kept, 3.0));
}

Test(publishing, killed_at_any_call_all_old_results_or_all_new_ones_are_whole)
{
    struct fault_call call[FAULT_CALLS_MAX];
    if (!fault_possible())
        return;
    run_both();
    fault_copy("before", "run");
    const size_t calls = fault_calls("rename,renameat,fsync,unlinkat,write,getdents64", "run", AGAIN, call);
    cr_assert(test_at_least((double)calls, 50.0));
    /* The last 50: from the first file that waits to the last that goes. */
    for (size_t c = calls - 50; c < calls; c++) {
        fault_copy("before", "run");
        cr_assert(eq(int, fault_run(&call[c], "signal=KILL", AGAIN), 128 + SIGKILL));
        expect_one_of_both(&call[c], "killed");
    }
}

/* The one call of that name for that path fails: the status, with the earlier results in place before. */
static int forbid(const char *name, const char *path)
{
    struct fault_call call[FAULT_CALLS_MAX];
    run_both();
    fault_copy("before", "run");
    cr_assert(eq(sz, fault_calls(name, path, AGAIN, call), 1));
    fault_copy("before", "run");
    return fault_run(&call[0], "error=EPERM", AGAIN);
}

Test(publishing, a_result_that_cannot_be_replaced_is_named_and_taken_up_by_the_next_command)
{
    if (!fault_possible())
        return;
    cr_assert(eq(int, forbid("renameat", "\"ir_S1_a.wav\""), 5));
    expect_words("err", "run/ir_S1_a.wav cannot be moved into place: Operation not permitted");
    cr_assert(exists("run/.transept-ready-ir_S1_a.wav"));
    /* A later run does not take it for rubbish, whatever becomes of that run itself. */
    expect_status(RUN("simulate", ROOM, "--source", "9,9,9", "--receiver", "2,2,2", "-o", "run", "--force"),
                  2);
    cr_assert(exists("run/.transept-ready-ir_S1_a.wav"));
    expect_status(RUN("compare", "run", "after"), 0);
    expect_no_words("out", "before");
    cr_assert(new_is_whole());
}

Test(publishing, what_an_earlier_run_left_and_cannot_go_is_a_warning)
{
    if (!fault_possible())
        return;
    cr_assert(eq(int, forbid("unlinkat", "\"ir_S1_before.wav\""), 0));
    expect_words("err", "warning: run/ir_S1_before.wav of an earlier run stays: it cannot be removed");
    cr_assert(new_is_whole());
}
