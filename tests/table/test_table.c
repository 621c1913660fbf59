/* One table in the forms that no page shows: columns of text and rows of JSON. CSV and HTML are with the
 * report. */
#define _XOPEN_SOURCE 700
#include "src/base/table/json_values.h"
#include "src/base/table/table_columns.h"
#include "src/base/table/table_csv.h"
#include "tests/support/test_support.h"

static struct table table;

static void make_table(void)
{
    table_begin(&table, "times");
    table_words(&table, "not in columns");
    TABLE_HEADS(&table, "place", "T30 [ms]", "EDT", "nodes");
    TABLE_ROW_WORDS(&table, "pew");
    table_cell(&table, NULL);
    table_value(&table, 1.3301, -3, 1e3);
    table_marks(&table, "cd");
    TABLE_VALUE_CELL(&table, NAN, 2, 1);
    TABLE_VALUE_CELL(&table, 7, 0, 1);
    TABLE_ROW_WORDS(&table, "choir");
    TABLE_VALUE_CELL(&table, 0.00004, 1, 1e3);
    TABLE_VALUE_CELL(&table, -0.004, 2, 1);
    TABLE_VALUE_CELL(&table, 8, 0, 1);
}

static void free_table(void)
{
    table_free(&table);
}

TestSuite(table, .init = make_table, .fini = free_table);

static void expect_written(void (*write)(FILE *out), const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(out);
    fclose(out);
    cr_assert(eq(str, text, (char *)expected));
    free(text);
}

static void write_columns(FILE *out)
{
    table_columns(out, &table, 4, (const int[]){-8, 10, 6, COLUMN_HIDDEN});
}

Test(table, columns_are_aligned_and_say_what_is_absent)
{
    expect_written(write_columns, "place     T30 [ms]   EDT\n"
                                  "pew     1.33e+03cd     -\n"
                                  "choir          0.0  0.00\n");
}

static void write_csv(FILE *out)
{
    table_csv(out, &table);
}

/* The marks are words beside the number, so its column has texts. */
Test(table, csv_keeps_all_digits_of_columns_of_numbers)
{
    expect_written(write_csv, "place,T30 [ms],EDT,nodes\n"
                              "pew,1330cd,,7\n"
                              "choir,0.0,-0.004,8\n");
}

Test(table, rows_of_json_have_unscaled_values_by_name_and_null_for_what_is_absent)
{
    cJSON *const list = cJSON_CreateArray();
    table_json(list, &table, (const char *const[]){"name", "t30_s", "edt_s", NULL});
    char *text = cJSON_PrintUnformatted(list);
    cr_assert(eq(str, text,
                 "[{\"name\":\"pew\",\"t30_s\":1.3301,\"edt_s\":null},"
                 "{\"name\":\"choir\",\"t30_s\":4e-05,\"edt_s\":-0.004}]"));
    cJSON_free(text);
    cJSON_Delete(list);
}

Test(table, values_of_every_kind_are_members_in_the_order_of_their_list)
{
    cJSON *const object = cJSON_CreateObject();
    JSON_PUT(object, {"b", OF_NUMBER(2)}, {"a", OF_TEXT("x")}, {"n", OF_NUMBER(INFINITY)},
             {"t", OF_TEXT(NULL)}, {"i", NULL}, {"y", OF_TRUTH(1 < 2)},
             {"p", OF_POINT(((const double[]){1, 2, 3}))});
    char *text = cJSON_PrintUnformatted(object);
    cr_assert(
        eq(str, text, "{\"b\":2,\"a\":\"x\",\"n\":null,\"t\":null,\"i\":null,\"y\":true,\"p\":[1,2,3]}"));
    cJSON_free(text);
    cJSON_Delete(object);
}
