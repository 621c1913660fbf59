/** JSON for which memory ran out is not written as if it were whole. */
#define _XOPEN_SOURCE 700
#include "src/base/json_memory.h"
#include "src/base/print_json.h"
#include "src/present/report/sections/report_page.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(json_memory, .init = enter_folder, .fini = leave_folder);

static long until; /* that many allocations from here there is none, once */

static void *refuse_one(size_t bytes)
{
    return until-- == 1 ? NULL : malloc(bytes);
}

static cJSON *make_object(void)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "air_volume_m3", 27);
    cJSON_AddStringToObject(object, "air_volume_from", "walls");
    cJSON *origin = cJSON_CreateDoubleArray((const double[3]){0}, 3);
    if (!cJSON_AddItemToObject(object, "origin_m", origin))
        cJSON_Delete(origin);
    return object;
}

Test(json_memory, what_lacks_a_value_for_want_of_memory_is_not_written)
{
    long refused = 0;
    for (;; refused++) {
        struct whole_file file = {0};
        until = refused + 1;
        json_memory_watch(refuse_one);
        cJSON *object = make_object();
        const int code = json_stage(object, "run.json", &file, &failure);
        whole_file_abandon(&file);
        cJSON_Delete(object);
        if (until > 0) { /* all was given */
            cr_assert(eq(int, code, 0), "%s", failure.sentence);
            break;
        }
        cr_assert(eq(int, code, FAILURE_CAPACITY), "the %ld. allocation is missing", refused + 1);
    }
    cr_assert(refused > 10, "%ld", refused);
    cr_assert(eq(int, json_memory_ran_out(), false));
    cr_assert(eq(sz, count_entries(".", ".part"), 0));
}

Test(json_memory, what_lacks_a_value_for_want_of_memory_is_neither_printed_nor_a_page)
{
    struct report report = {.runs = 0};
    const struct report_sounds sounds = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    until = 3;
    json_memory_watch(refuse_one);
    cr_assert(eq(int, print_json(make_object(), &failure), FAILURE_CAPACITY));
    cr_assert(eq(int, report_page_write(page, &report, &sounds, &failure), FAILURE_CAPACITY));
    fclose(page);
    cr_assert(eq(sz, size, 0));
    free(text);
}
