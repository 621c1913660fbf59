/** A record of a run from a text in a test. */
#ifndef TESTS_RECORD_OF_H
#define TESTS_RECORD_OF_H

#include "src/run_folder/run_model.h"
#include "tests/support/test_support.h"

/** Read `text`, JSON as in run.json; free with run_model_free(). The test fails on a mistake. */
static inline void record_of(const char *text, struct run_model *run)
{
    cJSON *record = cJSON_Parse(text);
    cr_assert(record != NULL && json_read(&run_model_table, record, run), "%s", text);
    cJSON_Delete(record);
}

#endif
