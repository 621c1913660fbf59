#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "geometry/base/whole_file.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/analysis_list.h"
#include "src/cli/commands.h"
#include "src/base/options/options.h"
#include "src/setup/project/project.h"
#include "src/present/report/report_data.h"
#include "src/present/report/report_title.h"
#include "src/present/report/sections/report_page.h"
#include "src/present/report/sections/report_tables.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"
#include "src/base/words/words.h"

/* Everything a report is made from, and where it goes. */
struct making {
    const struct options *options;
    struct run_folder *folder; /* as many as are given; owned */
    struct report report;
    struct report_sounds sounds;
    char *path;                  /* of the page; owned */
    struct report_tables kept;   /* for --tables */
    struct output_folder tables; /* where they go */
    struct record_page *page;    /* of --project; owned */
};

static void making_free(struct making *making)
{
    report_sounds_free(&making->sounds);
    report_free(&making->report);
    for (size_t r = 0; making->folder != NULL && r < making->options->subjects.count; r++)
        run_folder_free(&making->folder[r]);
    free(making->folder);
    free(making->path);
    report_tables_free(&making->kept);
    output_folder_undo(&making->tables);
    if (making->page != NULL)
        json_free_members(&record_page_table, making->page);
    free(making->page);
}

static bool ends_as_page(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0);
}

/* Is `path` in this folder, by any route? False if either cannot be found. */
static bool lies_in(const char *path, const struct run_folder *folder)
{
    char *parent = path_folder(path);
    const bool same = parent != NULL && whole_file_replaces(parent, folder->path);
    free(parent);
    return same;
}

/* A page replaces no file of a run, with or without --force. */
static int spare_runs(const struct making *making, struct failure *failure)
{
    for (size_t r = 0; r < making->options->subjects.count; r++)
        if (!ends_as_page(making->path) && lies_in(making->path, &making->folder[r]))
            return failure_set(failure, FAILURE_INPUT,
                               "%s would be written among the files of a run: give an -o that ends in .html",
                               making->path);
    return 0;
}

/* report.html in the folder; of two runs, in the first one and named after the second; of more, likewise as
 * report_variants.html. */
static int choose_path(struct making *making, struct failure *failure)
{
    const struct options *options = making->options;
    const char *folder = making->folder[0].path;
    making->path = options->output != NULL        ? strdup(options->output)
                   : options->subjects.count == 1 ? path_in(folder, "report.html")
                   : options->subjects.count == 2 ? path_in(folder, "report_%s.html", making->folder[1].name)
                                                  : path_in(folder, "report_variants.html");
    if (making->path == NULL)
        return failure_memory(failure, 100, "a path");
    TRY(spare_runs(making, failure));
    return command_refuse_existing(making->path, options->request.force, failure);
}

/* Title, language and letterhead of the page: those of --project, else of the first run that has any. */
static int choose_page(struct making *making, const struct record_page **page, struct failure *failure)
{
    const struct options *options = making->options;
    struct project *project = NULL;
    for (size_t r = options->subjects.count; r-- > 0;)
        if (making->folder[r].model.page != NULL)
            *page = making->folder[r].model.page;
    if (options->page_project != NULL) {
        TRY(project_open(options->page_project, NULL, &project, failure));
        const bool filled = record_fill_page(&making->page, project);
        project_close(project);
        if (!filled)
            return failure_memory(failure, sizeof **page, "a letterhead");
        *page = making->page;
    }
    words_set(options_given(options, "language")
                  ? (enum words_language)options->language
                  : words_language_of(*page != NULL ? (*page)->language : NULL));
    return 0;
}

static int add_head(struct making *making, const struct record_page *page, struct failure *failure)
{
    making->report.page = page;
    return report_title_add(&making->report, making->options->title, failure);
}

/* Checked before long work. Tables need a folder of their own, so that they replace no file of a run. */
static int choose_tables(struct making *making, struct failure *failure)
{
    const struct options *options = making->options;
    if (options->tables == NULL)
        return 0;
    for (size_t r = 0; r < options->subjects.count; r++)
        if (whole_file_replaces(options->tables, making->folder[r].path))
            return failure_set(failure, FAILURE_INPUT,
                               "%s is the folder of a run: give the tables a folder of their own",
                               options->tables);
    char *parent = path_folder(making->path);
    const bool meets = parent == NULL || whole_file_replaces(parent, options->tables) ||
                       whole_file_replaces(making->path, options->tables) ||
                       strcmp(making->path, options->tables) == 0;
    free(parent);
    if (meets)
        return failure_set(failure, FAILURE_INPUT,
                           "%s has or is the page: give the tables a folder of their own", options->tables);
    return output_folder_check(options->tables, options->request.force, failure);
}

static int write_tables(struct making *making, struct failure *failure)
{
    const struct options *options = making->options;
    if (options->tables == NULL)
        return 0;
    TRY(output_folder_make(&making->tables, options->tables, options->request.force, failure));
    making->tables.is_ours = report_tables_name_is_ours;
    TRY(report_tables_put(&making->kept, &making->tables, failure));
    return output_folder_publish(&making->tables, REPORT_TABLES_LIST, stderr, failure);
}

static int read_folders(struct making *making, struct failure *failure)
{
    const struct option_texts *given = &making->options->subjects;
    making->folder = calloc(given->count, sizeof *making->folder);
    if (making->folder == NULL)
        return failure_memory(failure, given->count * sizeof *making->folder, "folders of runs");
    for (size_t r = 0; r < given->count; r++)
        TRY(run_folder_read(given->text[r], &making->folder[r], failure));
    for (size_t r = 0; r < given->count; r++)
        TRY(analysis_thirds_add(making->options, &making->folder[r], failure));
    return 0;
}

/* Print the path of the page, and the data in it. */
static int print_object(const struct making *making, double bytes, struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"page", OF_TEXT(making->path)}, {"bytes", OF_NUMBER(bytes)},
             {"data", report_json(&making->report)});
    return print_json(object, failure);
}

/* Beside the page, where files can be written; the folder of the run may be read-only. */
static int make_sounds(struct making *making, struct failure *failure)
{
    struct run_folder shown[REPORT_RUNS_MOST]; /* copies that own nothing */
    for (size_t r = 0; r < making->report.runs; r++)
        shown[r] = *making->report.run[r].folder;
    char *scratch = path_folder(making->path);
    const int code = scratch == NULL
                         ? failure_memory(failure, strlen(making->path), "a path")
                         : report_sounds_make(&making->report, shown, scratch, &making->sounds, failure);
    free(scratch);
    return code;
}

static int write_page(struct making *making, struct failure *failure)
{
    struct whole_file file = {0};
    making->report.tables = making->options->tables != NULL ? &making->kept : NULL;
    int code = whole_file_open(&file, making->path, failure);
    if (code == 0)
        code = report_page_write(file.stream, &making->report, &making->sounds, failure);
    if (code == 0)
        code = whole_file_settle(&file, failure);
    struct stat there = {0};
    const bool known = code == 0 && stat(file.temporary, &there) == 0;
    if (code == 0)
        code = write_tables(making, failure);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    if (code == 0 && making->options->json)
        return print_object(making, (double)there.st_size, failure);
    if (code == 0 && known && !making->options->request.quiet)
        printf("%s: %.1f MB\n", PATH_SHOWN(making->path), (double)there.st_size / 1e6);
    return code;
}

int command_report(const struct options *options, struct failure *failure)
{
    struct making making = {.options = options};
    const struct record_page *page = NULL;
    interrupt_ends = 1;
    progress_json_begin("responses", NULL);
    int code = read_folders(&making, failure);
    if (code == 0)
        code = choose_page(&making, &page, failure);
    if (code == 0)
        code = choose_path(&making, failure);
    if (code == 0)
        code = choose_tables(&making, failure);
    if (code == 0)
        code = report_data_make(making.folder, options->subjects.count,
                                options->use > 0 ? option_use_words[options->use] : NULL, &making.report,
                                failure);
    if (code == 0)
        code = add_head(&making, page, failure);
    interrupt_ends = 0; /* sounds and the page are files */
    if (code == 0)
        progress_json_begin("sounds", NULL);
    if (code == 0)
        code = make_sounds(&making, failure);
    if (code == 0)
        progress_json_begin("page", NULL);
    if (code == 0)
        code = write_page(&making, failure);
    making_free(&making);
    return code;
}
