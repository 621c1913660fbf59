/** run.json as structs: what is written is read again, what every version wrote is read still, and what is
 * wrong in a file is absent. */
#define _XOPEN_SOURCE 700
#include "src/base/json_memory.h"
#include "src/record/run_folder.h"
#include "src/record/run_read.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(run_model, .init = enter_folder, .fini = leave_folder);

/* A file of tests/data/run_json, owned by the caller. */
static cJSON *record_of(const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "tests/data/run_json/%s.json", name);
    char *text = read_text(test_source_file(path));
    cJSON *record = cJSON_Parse(text);
    cr_assert(record != NULL, "%s", path);
    return record;
}

/* ---- every version ---- */

/* NaN, NULL and 0 where a version did not tell it; figures are those at 125 Hz. */
struct past {
    const char *name;
    double t30, g, g_spread, c80, lf, mti;
    double mean_t30, map_c80;
    double cells_volume, absorbed, area_exposed;
    const char *project, *backend_asked, *volume_from;
    size_t branches, leaks;
    bool larger_known;
};

static const struct past past[] = {
    {"first", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, NULL, 0, 0, false},
    {"moved_grid", NAN, 7.5, 0.46875, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, NULL, 0, 0, false},
    {"times", 2.5, 7.5, 0.46875, NAN, NAN, NAN, 2.5, NAN, NAN, NAN, NAN, NULL, "auto", NULL, 0, 0, false},
    {"surfaces", 2.5, 7.5, 0.46875, NAN, NAN, NAN, 2.5, NAN, NAN, 0.25, 35.5, NULL, "auto", NULL, 1, 0,
     false},
    {"octave_strength", 2.5, 7.5, 0.46875, NAN, 0.25, NAN, 2.5, NAN, NAN, 0.25, 35.5, "room.yaml", "auto",
     NULL, 1, 0, false},
    {"figures", 2.5, 7.5, 0.46875, 3.25, 0.25, NAN, 2.5, NAN, NAN, 0.25, 35.5, "room.yaml", "auto", NULL, 1,
     0, false},
    {"grids", 2.5, 7.5, 0.46875, 3.25, 0.25, NAN, 2.5, 3.25, NAN, 0.25, 35.5, "room.yaml", "auto", NULL, 1, 0,
     false},
    {"speech", 2.5, 7.5, 0.46875, 3.25, 0.25, 0.625, 2.5, 3.25, NAN, 0.25, 35.5, "room.yaml", "auto", NULL, 1,
     0, false},
    {"leaks", 2.5, 7.5, 0.46875, 3.25, 0.25, 0.625, 2.5, 3.25, NAN, 0.25, 35.5, "room.yaml", "auto", NULL, 1,
     2, false},
    {"volumes", 2.5, 7.5, 0.46875, 3.25, 0.25, 0.625, 2.5, 3.25, 26.5, 0.25, 35.5, "room.yaml", "auto",
     "walls", 1, 2, false},
    {"larger_space", 2.5, 7.5, 0.46875, 3.25, 0.25, 0.625, 2.5, 3.25, 26.5, 0.25, 35.5, "room.yaml", "auto",
     "walls", 1, 2, true},
    {"complete", 2.5, 7.5, 0.46875, 3.25, 0.25, 0.625, 2.5, 3.25, 26.5, 0.25, 35.5, "room.yaml", "auto",
     "walls", 1, 2, true},
};
#define PAST (sizeof past / sizeof past[0])

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* A claim of one version. */
#define HOLDS(claim) cr_assert(claim, "%s", of->name)

static void expect_past(const struct past *of, const struct run_model *run)
{
    const struct record_response *response = &run->responses.item[0];
    const struct record_material *material = &run->room.materials.item[0];
    const struct record_run *source = &run->runs.item[0];
    HOLDS(run->responses.count == 1 && run->room.materials.count == 2 && run->runs.count == 1);
    HOLDS(strcmp(run->room.command, "simulate") == 0 && run->room.fmax == 177 &&
          run->room.mesh->triangles == 12 && strcmp(material->name, "plaster") == 0 &&
          run->points.sources.item[0].position[2] == 1.5 &&
          strcmp(run->points.receivers.item[0].name, "R1") == 0 && source->steps == 6200);
    HOLDS(strcmp(response->file, "ir_S1_R1.wav") == 0 && response->distance == 1.4375 &&
          response->direct_path_clear && response->figures.single[FIGURE_STRENGTH] == 11.5);
    const struct figure_values *figures = &response->figures;
    HOLDS(same_number(figure_values_octave(figures, FIGURE_T30, 1), of->t30));
    HOLDS(isnan(figure_values_octave(figures, FIGURE_T30, 0)));
    HOLDS(same_number(figure_values_octave(figures, FIGURE_G, 1), of->g));
    HOLDS(same_number(figure_values_octave(&response->spread, FIGURE_G, 1), of->g_spread));
    HOLDS(same_number(figure_values_octave(figures, FIGURE_C80, 1), of->c80));
    HOLDS(same_number(figure_values_octave(figures, FIGURE_LF, 1), of->lf));
    HOLDS(same_number(figure_values_octave(figures, FIGURE_MTI, 1), of->mti));
    HOLDS(same_number(run->means != NULL ? figure_values_octave(&run->means->mean, FIGURE_T30, 1) : NAN,
                      of->mean_t30));
    HOLDS(same_number(run->grids.count > 0
                          ? figure_values_octave(&run->grids.item[0].maps.item[0].mean, FIGURE_C80, 1)
                          : NAN,
                      of->map_c80));
    HOLDS(same_number(run->size.cells_volume, of->cells_volume));
    HOLDS(
        same_number(source->energy != NULL ? json_number_of(&source->energy->absorbed.item[0].share, 1) : NAN,
                    of->absorbed));
    HOLDS(same_number(material->area_exposed, of->area_exposed));
    HOLDS(same_text(run->room.project != NULL ? run->room.project->file : NULL, of->project));
    HOLDS(same_text(run->room.backend.asked, of->backend_asked));
    HOLDS(same_text(run->size.air_volume_from, of->volume_from));
    HOLDS(material->branches.count == of->branches && run->leaks.count == of->leaks &&
          run->room.larger_space_known == of->larger_known);
    /* Records with branches say how walls are made, most of them in the former word for staircases. */
    const bool last = of == &past[PAST - 1];
    HOLDS(same_text(run->room.walls, last ? "conformal" : of->branches > 0 ? "staircase" : "first-order"));
    HOLDS(same_number(run->room.courant_share, last ? 1 : NAN));
    /* Versions with one scheme had no word for it. */
    HOLDS(same_text(run->room.scheme, last ? "isotropic" : "standard"));
    HOLDS(same_text(run->room.quality, last ? "fine" : NULL));
    HOLDS(last ? run->size.cut_cells->lenders == 480 : run->size.cut_cells == NULL);
}

Test(run_model, what_every_version_wrote_is_read_into_its_place)
{
    for (size_t p = 0; p < PAST; p++) {
        cJSON *record = record_of(past[p].name);
        struct run_model run;
        cr_assert(json_read(&run_model_table, record, &run), "%s", past[p].name);
        expect_past(&past[p], &run);
        run_model_free(&run);
        cJSON_Delete(record);
    }
}

/* By both who read folders: those who listen and analyse, and those who compare and report. */
Test(run_model, the_folder_of_every_version_is_that_of_a_run)
{
    cr_assert(mkdir("run", 0700) == 0);
    for (size_t p = 0; p < PAST; p++) {
        cJSON *record = record_of(past[p].name);
        char *text = cJSON_Print(record);
        struct run_model run;
        struct run_losses losses;
        struct run_folder read = {0};
        const char *file[RUN_RESPONSE_FILES];
        write_text("run/run.json", text);
        cr_assert(run_model_read("run", &run, &failure) == 0, "%s: %s", past[p].name, failure.sentence);
        cr_assert(run_model_find(&run, "ir_S1_R1.wav") == &run.responses.item[0], "%s", past[p].name);
        cr_assert(run_response_files(&run.responses.item[0], file) >= 1 && file[0][0] == 'i');
        cr_assert(run.size.cells_volume == 26.5, "%s: %g", past[p].name, run.size.cells_volume);
        cr_assert(run.room.sound_speed == 343.2);
        MUST(run_losses_make(&run, &losses, &failure));
        cr_assert(losses.lossy == (run.air != NULL) && losses.air.humidity == 50);
        cr_assert(losses.surface_count == (past[p].branches > 0 ? 2 : 0), "%s", past[p].name);
        run_losses_free(&losses);
        run_model_free(&run);
        cr_assert(run_folder_read("run", &read, &failure) == 0, "%s: %s", past[p].name, failure.sentence);
        expect_past(&past[p], &read.model);
        run_folder_free(&read);
        cJSON_free(text);
        cJSON_Delete(record);
    }
}

/* ---- what is written ---- */

Test(run_model, a_complete_record_is_written_as_it_was_read)
{
    cJSON *record = record_of("complete"), *written = cJSON_CreateObject();
    struct run_model run;
    cr_assert(json_read(&run_model_table, record, &run) && json_write(&run_model_table, &run, written));
    char *wanted = cJSON_Print(record), *text = cJSON_Print(written);
    cJSON *again = cJSON_Parse(text); /* NaN is null in a file */
    cr_assert(cJSON_Compare(record, again, true), "%s\n---\n%s", wanted, text);
    cJSON_free(wanted);
    cJSON_free(text);
    cJSON_Delete(again);
    cJSON_Delete(written);
    cJSON_Delete(record);
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
    cJSON *record = record_of("complete");
    struct run_model run;
    cr_assert(cJSON_AddStringToObject(record, "of_a_later_version", "something") != NULL);
    cr_assert(cJSON_AddNumberToObject(cJSON_GetObjectItem(record, "room"), "FMAX_HZ", 5) != NULL);
    cr_assert(json_read(&run_model_table, record, &run));
    expect_past(&past[PAST - 1], &run);
    run_model_free(&run);
    cJSON_Delete(record);
}

static cJSON *array_of(cJSON *first, cJSON *second)
{
    cJSON *array = cJSON_CreateArray();
    cr_assert(cJSON_AddItemToArray(array, first) && cJSON_AddItemToArray(array, second));
    return array;
}

Test(run_model, what_is_of_another_kind_is_absent)
{
    cJSON *record = record_of("complete"),
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
    cJSON_Delete(record);
    record = cJSON_CreateArray();
    cr_assert(json_read(&run_model_table, record, &run) && isnan(run.room.fmax));
    run_model_free(&run);
    cJSON_Delete(record);
}

/* ---- without memory ---- */

static long until; /* that many allocations from here there is none, once */

static void *refuse_one(size_t bytes)
{
    return until-- == 1 ? NULL : malloc(bytes);
}

Test(run_model, without_memory_it_is_neither_read_nor_written_and_that_is_reported)
{
    cJSON *record = record_of("complete");
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
    cJSON_Delete(record);
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
    cJSON *record = record_of("complete"), *written = cJSON_CreateObject();
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
    cJSON_Delete(written);
    cJSON_Delete(record);
}
