#include "src/present/report/sections/report_tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_memory.h"
#include "src/present/report/report_model.h"
#include "src/run_folder/result_file.h"
#include "src/base/table/table_csv.h"
#include "src/base/words/words.h"

#define NAME 100

/* A table as text by `write`, owned by the caller; NULL without memory. */
static char *write_text(const struct table *table, void (*write)(FILE *out, const struct table *table),
                        size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    write(out, table);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool is_used(const struct report_tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (strcmp(tables->file[i].name, name) == 0)
            return true;
    return false;
}

/* "table_means_b_2.csv". File names hold letters, digits, `_` and `-`. */
static void choose_name(const struct report_tables *tables, const struct table *table, int run, char *name,
                        size_t size)
{
    static const char *const mark[] = {"", "_a", "_b"};
    char base[NAME];
    const char *const blank = strrchr(table->class, ' ');
    snprintf(base, sizeof base, "%s",
             table->name != NULL ? table->name
             : blank != NULL     ? blank + 1
                                 : table->class);
    for (char *at = base; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && *at != '-')
            *at = '_';
    snprintf(name, size, "table_%s%s.csv", base, mark[run + 1]);
    for (int again = 2; is_used(tables, name); again++)
        snprintf(name, size, "table_%s%s_%d.csv", base, mark[run + 1], again);
}

void report_tables_add(struct report_tables *tables, const struct table *table, int run)
{
    struct report_table_file *const file = json_memory_take((tables->count + 1) * sizeof *file),
                                    *const added = file + tables->count;
    if (file == NULL)
        return;
    if (tables->count > 0)
        memcpy(file, tables->file, tables->count * sizeof *file);
    choose_name(tables, table, run, added->name, sizeof added->name);
    size_t size;
    added->data = write_text(table, table_csv, &added->size);
    added->caption = write_text(table, table_csv_caption, &size);
    free(tables->file);
    tables->file = file;
    tables->count++;
}

void report_tables_free(struct report_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        free(tables->file[i].data);
        free(tables->file[i].caption);
    }
    free(tables->file);
    *tables = (struct report_tables){0};
}

int report_tables_put(const struct report_tables *tables, struct output_folder *folder,
                      struct failure *failure)
{
    struct text_buffer list = {0};
    int code = text_print(&list, failure, "%s,%s\n", T("file"), T("table"));
    for (size_t i = 0; code == 0 && i < tables->count; i++) {
        const struct report_table_file *file = &tables->file[i];
        const struct text_buffer text = {.data = file->data, .size = file->size};
        if (file->data == NULL || file->caption == NULL)
            code = report_no_memory(failure);
        if (code == 0)
            code = result_put_text(folder, file->name, &text, failure);
        if (code == 0)
            code = text_print(&list, failure, "%s,%s\n", file->name, file->caption);
    }
    if (code == 0)
        code = result_put_text(folder, REPORT_TABLES_LIST, &list, failure);
    free(list.data);
    return code;
}

bool report_tables_name_is_ours(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, REPORT_TABLES_LIST) == 0 ||
           (strncmp(name, "table_", 6) == 0 && length > 10 && strcmp(name + length - 4, ".csv") == 0);
}
