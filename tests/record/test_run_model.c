/** run.json as structs: what is written is read again, another version is refused, and what is wrong in a
 * file is absent. */
#define _XOPEN_SOURCE 700
#include "src/base/json_memory.h"
#include "src/run_folder/run_folder.h"
#include "src/run_folder/run_read.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(run_model, .init = enter_folder, .fini = leave_folder);

/* A run.json with every value, kept. */
static cJSON *complete_record(void)
{
    char *text = read_text(test_source_file("tests/data/run.json"));
    cJSON *record = test_keep(cJSON_Parse(text));
    return record;
}

static double at_125(const struct figure_values *figures, enum figure figure)
{
    return figure_values_octave(figures, figure, 1);
}

static void expect_complete(const struct run_model *run)
{
    const struct record_response *response = &run->responses.item[0];
    const struct record_room *room = &run->room;
    const struct record_material *material = &room->materials.item[0];
    const struct record_run *source = &run->runs.item[0];
    cr_assert(run->responses.count == 1 && room->materials.count == 2 && run->runs.count == 1);
    cr_assert(strcmp(room->command, "simulate") == 0 && room->fmax == 177 && room->mesh->triangles == 12);
    cr_assert(strcmp(room->walls, "conformal") == 0 && strcmp(room->scheme, "isotropic") == 0 &&
              strcmp(room->quality, "fine") == 0 && room->courant_share == 1);
    cr_assert(strcmp(room->project->file, "room.yaml") == 0 && strcmp(room->backend.asked, "auto") == 0);
    cr_assert(strcmp(material->name, "plaster") == 0 && material->area_exposed == 35.5 &&
              material->branches.count == 1);
    cr_assert(run->points.sources.item[0].position[2] == 1.5 &&
              strcmp(run->points.receivers.item[0].name, "R1") == 0);
    cr_assert(source->steps == 6200 && json_number_of(&source->energy->absorbed.item[0].share, 1) == 0.25);
    cr_assert(run->size.cells_volume == 26.5 && strcmp(run->size.air_volume_from, "walls") == 0 &&
              run->size.cut_cells->lenders == 480 && run->leaks.count == 2);
    cr_assert(strcmp(response->file, "ir_S1_R1.wav") == 0 && response->distance == 1.4375 &&
              response->direct_path_clear && response->figures.single[FIGURE_STRENGTH] == 11.5);
    cr_assert(isnan(figure_values_octave(&response->figures, FIGURE_T30, 0)));
    cr_assert(at_125(&response->figures, FIGURE_T30) == 2.5 && at_125(&response->figures, FIGURE_G) == 7.5 &&
              at_125(&response->figures, FIGURE_C80) == 3.25 &&
              at_125(&response->figures, FIGURE_LF) == 0.25 &&
              at_125(&response->figures, FIGURE_MTI) == 0.625);
    cr_assert(at_125(&response->spread, FIGURE_G) == 0.46875 &&
              at_125(&run->means->mean, FIGURE_T30) == 2.5 &&
              at_125(&run->grids.item[0].maps.item[0].mean, FIGURE_C80) == 3.25);
}

/* By both who read folders: those who listen and analyse, and those who compare and report. */
Test(run_model, a_folder_is_read_alike_by_both_readers)
{
    struct run_model run;
    struct run_losses losses;
    struct run_folder read = {0};
    const char *file[RUN_RESPONSE_FILES];
    char *text = read_text(test_source_file("tests/data/run.json"));
    cr_assert(mkdir("run", 0700) == 0);
    write_text("run/run.json", text);
    MUST(run_model_read("run", &run, &failure));
    expect_complete(&run);
    cr_assert(run_model_find(&run, "ir_S1_R1.wav") == &run.responses.item[0]);
    cr_assert(run_response_files(&run.responses.item[0], file) >= 1 && file[0][0] == 'i');
    cr_assert(run.room.sound_speed == 343.2);
    MUST(run_losses_make(&run, &losses, &failure));
    cr_assert(losses.lossy && losses.air.humidity == 50 && losses.surface_count == 2);
    run_losses_free(&losses);
    run_model_free(&run);
    MUST(run_folder_read("run", &read, &failure));
    expect_complete(&read.model);
    run_folder_free(&read);
}

Test(run_model, a_run_of_another_version_is_refused_by_both_readers)
{
    static const double format[] = {NAN, RUN_FORMAT - 1, RUN_FORMAT + 1};
    cr_assert(mkdir("run", 0700) == 0);
    for (size_t f = 0; f < sizeof format / sizeof format[0]; f++) {
        cJSON *record = complete_record();
        struct run_model run;
        struct run_folder read = {0};
        cJSON_ReplaceItemInObject(record, "format", cJSON_CreateNumber(format[f]));
        char *text = test_keep(cJSON_Print(record));
        write_text("run/run.json", text);
        MUST_FAIL(run_model_read("run", &run, &failure), FAILURE_INPUT,
                  "run/run.json was written by another version of transept");
        MUST_FAIL(run_folder_read("run", &read, &failure), FAILURE_INPUT,
                  "run/run.json was written by another version of transept");
    }
}

/* ---- what is written ---- */

Test(run_model, a_complete_record_is_written_as_it_was_read)
{
    cJSON *record = complete_record(), *written = test_keep(cJSON_CreateObject());
    struct run_model run;
    cr_assert(json_read(&run_model_table, record, &run) && json_write(&run_model_table, &run, written));
    char *wanted = test_keep(cJSON_Print(record)), *text = test_keep(cJSON_Print(written));
    cJSON *again = test_keep(cJSON_Parse(text)); /* NaN is null in a file */
    cr_assert(cJSON_Compare(record, again, true), "%s\n---\n%s", wanted, text);
    run_model_free(&run);
}

/* `record` with `item`, which is taken over, in place of what is called so. */
static void replace(cJSON *record, const char *name, cJSON *item)
{
    cJSON_DeleteItemFromObjectCaseSensitive(record, name);
    cr_assert(cJSON_AddItemToObject(record, name, item));
}

Test(run_model, what_no_table_names_is_passed_over)
{
    cJSON *record = complete_record();
    struct run_model run;
    cr_assert(cJSON_AddStringToObject(record, "of_a_later_version", "something") != NULL);
    cr_assert(cJSON_AddNumberToObject(cJSON_GetObjectItem(record, "room"), "FMAX_HZ", 5) != NULL);
    cr_assert(json_read(&run_model_table, record, &run));
    expect_complete(&run);
    run_model_free(&run);
}

static cJSON *array_of(cJSON *first, cJSON *second)
{
    cJSON *array = cJSON_CreateArray();
    cr_assert(cJSON_AddItemToArray(array, first) && cJSON_AddItemToArray(array, second));
    return array;
}

Test(run_model, what_is_of_another_kind_is_absent)
{
    cJSON *record = complete_record(),
          *response = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0);
    struct run_model run;
    replace(record, "fmax_hz", cJSON_CreateString("177"));
    replace(record, "sound_speed_m_s", cJSON_CreateNumber(INFINITY));
    replace(record, "open", cJSON_CreateNumber(1));
    replace(record, "version", cJSON_CreateNumber(1));
    replace(record, "room", cJSON_CreateArray());
    replace(record, "air", cJSON_CreateString("modal"));
    replace(record, "runs", cJSON_CreateObject());
    replace(record, "grid_origin_m", array_of(cJSON_CreateNumber(1), cJSON_CreateNumber(2)));
    replace(record, "warnings", array_of(cJSON_CreateNumber(1), cJSON_CreateString("two")));
    replace(record, "sabine_s", array_of(cJSON_CreateString("1"), cJSON_CreateNumber(2)));
    replace(record, "sources", array_of(cJSON_CreateNumber(1), cJSON_CreateObject()));
    replace(response, "t30_s", cJSON_CreateNumber(2.5));
    replace(response, "strength_db", cJSON_CreateNumber(NAN));
    replace(response, "single_numbers", cJSON_CreateString("none"));
    cr_assert(json_read(&run_model_table, record, &run));
    cr_assert(isnan(run.room.fmax) && isnan(run.room.sound_speed) && !run.room.open);
    cr_assert(run.room.version == NULL && run.room.mesh == NULL && run.air == NULL);
    cr_assert(run.runs.item == NULL && run.runs.count == 0);
    cr_assert(isnan(run.room.grid_origin[0]) && isnan(run.room.grid_origin[2]));
    cr_assert(run.room.warnings.count == 2 && json_text_of(&run.room.warnings, 0) == NULL &&
              strcmp(json_text_of(&run.room.warnings, 1), "two") == 0);
    cr_assert(isnan(json_number_of(&run.sabine, 0)) && json_number_of(&run.sabine, 1) == 2 &&
              isnan(json_number_of(&run.sabine, 2)));
    cr_assert(run.points.sources.count == 2 && run.points.sources.item[1].name == NULL &&
              isnan(run.points.sources.item[0].position[0]));
    const struct figure_values *figures = &run.responses.item[0].figures;
    cr_assert(figures->octave[FIGURE_T30].value == NULL);
    cr_assert(figures->single_there[FIGURE_STRENGTH] && isnan(figures->single[FIGURE_STRENGTH]));
    cr_assert(eq(int, figures->single_there[FIGURE_C80], false));
    run_model_free(&run);
    record = test_keep(cJSON_CreateArray());
    cr_assert(json_read(&run_model_table, record, &run) && isnan(run.room.fmax));
    run_model_free(&run);
}

/* ---- without memory ---- */

static long until; /* that many allocations from here there is none, once */

static void *refuse_one(size_t bytes)
{
    return until-- == 1 ? NULL : malloc(bytes);
}

Test(run_model, without_memory_it_is_neither_read_nor_written_and_that_is_reported)
{
    cJSON *record = complete_record();
    long refused = 0, reading = 0;
    for (bool whole = false; !whole; refused++) {
        struct run_model run;
        until = refused + 1;
        json_memory_watch(refuse_one);
        bool read = json_read(&run_model_table, record, &run);
        cJSON *written = read ? cJSON_CreateObject() : NULL;
        whole = written != NULL && json_write(&run_model_table, &run, written);
        cr_assert(whole == (until > 0) && json_memory_ran_out() == !whole, "allocation %ld", refused + 1);
        reading += !read;
        run_model_free(&run);
        cr_assert(isnan(run.room.fmax) && run.responses.item == NULL);
        cJSON_Delete(written);
    }
    cr_assert(reading > 200 && refused > 2 * reading, "%ld of %ld", reading, refused);
}

/* ---- the tables ---- */

/* The names under which a table writes, those of its parts with them. */
struct names {
    size_t count;
    const char *name[200];
};

static void expect_unique(const struct json_table *table, struct names *names)
{
    for (size_t f = 0; f < table->count; f++) {
        const struct json_field *field = &table->field[f];
        if (field->kind == JSON_PART) {
            expect_unique(field->table, names);
            continue;
        }
        if (field->kind == JSON_OBJECT || field->kind == JSON_LIST)
            expect_unique(field->table, &(struct names){0});
        if (field->kind == JSON_OWN)
            continue;
        for (size_t n = 0; n < names->count; n++)
            cr_assert(strcmp(names->name[n], field->name) != 0, "%s twice in a table", field->name);
        names->name[names->count++] = field->name;
    }
}

Test(run_model, no_table_has_a_name_twice)
{
    expect_unique(&run_model_table, &(struct names){0});
}

/* Figures name themselves: neither they nor their suffixes collide with a name beside them, as what is
 * written has each name once. */
Test(run_model, no_object_that_is_written_has_a_name_twice)
{
    cJSON *record = complete_record(), *written = test_keep(cJSON_CreateObject());
    struct run_model run;
    cr_assert(json_read(&run_model_table, record, &run));
    struct figure_values *const values[] = {&run.responses.item[0].figures, &run.responses.item[0].spread,
                                            &run.means->mean, &run.means->deviation};
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
        for (int f = 0; f < ALL_FIGURES; f++)
            if (figure_kind[f].single != NULL)
                figure_values_single(values[v], (enum figure)f, 1);
    cr_assert(json_write(&run_model_table, &run, written));
    const cJSON *const objects[] = {written, cJSON_GetObjectItem(written, "means"),
                                    cJSON_GetArrayItem(cJSON_GetObjectItem(written, "responses"), 0)};
    for (size_t o = 0; o < sizeof objects / sizeof objects[0]; o++)
        for (const cJSON *item = objects[o]->child; item != NULL; item = item->next)
            cr_assert(cJSON_GetObjectItemCaseSensitive(objects[o], item->string) == item, "%s twice",
                      item->string);
    run_model_free(&run);
}
