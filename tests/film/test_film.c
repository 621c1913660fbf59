/** transept film: what a user gets, and when; what is refused, and in which words. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/run/film/film.h"

#include <png.h>

#include "src/response/signal/wav_file.h"
#include "tests/support/json_path.h"
#include "tests/support/hdf5_read.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(film, .init = enter_folder, .fini = leave_folder);

#define HALL              "hall.obj", "--fmax", "300", "--absorption", "0.1"
#define FILM(status, ...) expect_status(RUN("film", __VA_ARGS__), status)

static void write_hall(void)
{
    write_box("hall.obj", 8, 7, 6, true);
}

Test(film, the_crest_leaves_the_source_at_0_and_passes_at_its_time_with_its_level)
{
    write_hall();
    FILM(0, HALL, "--source", "3,3.5,3", "--slice", "z=3", "--every", "4.5ms", "--until", "5ms", "--files",
         "both", "-o", "film");
    struct amr first = amr_read("film/slice_z3.00_00000.vtkhdf");
    const double h = first.spacing[0];
    const size_t across = (size_t)first.box[1] + 1;
    size_t best = 0;
    for (size_t i = 0; i < first.cells; i++)
        if (first.pressure[i] > first.pressure[best])
            best = i;
    cr_assert(test_near(first.origin[0] + ((double)(best % across) + 0.5) * h, 3.0, h));
    cr_assert(test_near(first.origin[1] + ((double)(best / across) + 0.5) * h, 3.5, h));
    amr_free(&first);
    /* No wall is nearer than 3 m, and back from there it has not come. */
    struct amr later = amr_read("film/slice_z3.00_00001.vtkhdf");
    cJSON *record = read_json("film/film.json");
    const cJSON *film = cJSON_GetObjectItem(record, "film");
    const double time = number(cJSON_GetArrayItem(cJSON_GetObjectItem(film, "pictures"), 1), "time_s");
    const double r = 343.2 * time;
    const float *row = later.pressure + (size_t)llround((3.5 - later.origin[1]) / h - 0.5) * across;
    /* Times the distance, for the front falls as 1/r and would be largest a little behind its crest. */
    double distance = 0, crest = 0;
    for (size_t x = 0; x < across; x++) {
        const double away = fabs(later.origin[0] + ((double)x + 0.5) * h - 3.0);
        if (row[x] * away > crest) {
            crest = row[x] * away;
            distance = away;
        }
    }
    cr_assert(test_near(distance, r, h), "%g m instead of %g", distance, r);
    cr_assert(test_near(crest, 1.0, 0.08), "%g", crest);
    amr_free(&later);
}

/* A sphere of sound has passed 30 m by then, and loses the more the higher it is. */
Test(film, the_air_loses_sound_while_it_is_filmed_unless_it_is_off)
{
    double loudest[2];
    write_hall();
    for (int off = 0; off < 2; off++) {
        const char *const into = off ? "off" : "on";
        FILM(0, HALL, "--source", "3,3.5,3", "--field", "90ms", "--humidity", "10", "--air",
             off ? "off" : "fast", "--backend", "cpu", "-o", into);
        char path[40];
        snprintf(path, sizeof path, "%s/field_00000.vtkhdf", into);
        struct amr field = amr_read(path);
        loudest[off] = 0;
        for (size_t i = 0; i < field.cells; i++)
            loudest[off] += (double)field.pressure[i] * (double)field.pressure[i];
        amr_free(&field);
        snprintf(path, sizeof path, "%s/film.json", into);
        cJSON *record = read_json(path);
        cr_assert_str_eq(
            cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(record, "film"), "air_losses")),
            off ? "none" : "within the steps");
        cJSON_Delete(record);
    }
    cr_assert(test_above(loudest[1], loudest[0]));
}

Test(film, air_outside_the_range_of_the_standard_is_told_once_where_it_loses_sound)
{
    write_hall();
    for (int off = 0; off < 2; off++) {
        FILM(0, HALL, "--source", "3,3.5,3", "--field", "1ms", "--temperature", "-21", "--air",
             off ? "off" : "fast", "--backend", "cpu", "-o", off ? "off" : "on");
        cr_assert(
            eq(sz, count_in("err", "ISO 9613-1 goes from -20 to 50 C, and it is -21 C"), 1 - (size_t)off));
    }
}

Test(film, pictures_are_named_by_the_time_asked_and_recorded_with_the_time_of_their_step)
{
    write_hall();
    FILM(0, HALL, "--source", "2,2,2", "--slice", "z=1.2", "--slice", "x=650cm", "--every", "2.5ms",
         "--until", "5ms", "--field", "1ms,5ms", "--files", "both", "-o", "film");
    static const char *const name[] = {
        "slice_z1.20_0000.0ms.png", "slice_z1.20_0002.5ms.png", "slice_z1.20_0005.0ms.png",
        "slice_x6.50_0002.5ms.png", "slice_z1.20_00002.vtkhdf", "slice_x6.50_00000.vtkhdf",
        "slice_z1.20.hdf.series",   "slice_x6.50.hdf.series",   "field_00000.vtkhdf",
        "field_00001.vtkhdf",       "field.hdf.series",         "film.json"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char path[100];
        snprintf(path, sizeof path, "film/%s", name[i]);
        cr_assert(exists(path), "%s", path);
    }
    cr_assert(eq(sz, count_entries("film", ""), 2 * 3 * 2 + 2 + 2 + 1 + 1));
    cJSON *record = read_json("film/film.json");
    const cJSON *film = cJSON_GetObjectItem(record, "film");
    const cJSON *list = cJSON_GetObjectItem(film, "pictures"), *entry;
    const double rate = number(record, "rate_hz"), lead = number(film, "steps_before_emission");
    static const double asked[] = {0, 0.001, 0.0025, 0.005};
    int i = 0;
    cr_assert(eq(int, cJSON_GetArraySize(list), 4));
    cJSON_ArrayForEach(entry, list)
    {
        cr_assert(test_near(number(entry, "asked_s"), asked[i], 1e-12));
        cr_assert(test_near(number(entry, "time_s"), (number(entry, "step") - lead) / rate, 1e-12));
        cr_assert(test_near(number(entry, "time_s"), asked[i], 0.5001 / rate));
        cr_assert(eq(int, cJSON_IsTrue(cJSON_GetObjectItem(entry, "field")), i == 1 || i == 3));
        i++;
    }
    cJSON *named = read_json("film/field.hdf.series");
    const cJSON *series = cJSON_GetObjectItem(named, "files");
    cr_assert(eq(int, cJSON_GetArraySize(series), 2));
    cr_assert(eq(str, (char *)text_of(cJSON_GetArrayItem(series, 1), "name"), "field_00001.vtkhdf"));
    cr_assert(test_near(number(cJSON_GetArrayItem(series, 1), "time"),
                        number(cJSON_GetArrayItem(list, 3), "time_s"), 1e-12));
    /* All that is stored, and only that. */
    struct amr field = amr_read("film/field_00001.vtkhdf");
    cr_assert(test_near((double)field.cells, number(record, "stored_nodes"), 0));
    amr_free(&field);
}

Test(film, a_film_of_nothing_in_particular_is_a_level_slice_at_the_source)
{
    write_hall();
    FILM(0, HALL, "--source", "2,2,1.7,altar", "--until", "0", "-o", "frames");
    cr_assert(eq(sz, count_entries("frames", ""), 2));
    cr_assert(exists("frames/slice_z1.70_0000.0ms.png"));
    expect_words("out", "ffmpeg -framerate 25");
}

Test(film, a_project_is_filmed_in_blocks_whatever_layout_its_runs_have)
{
    write_text("cross.yaml", "room: {shape: cross, size: 4}\n"
                             "sources: [{name: here, position: [1, 6, 1.5]}]\n"
                             "receivers: [{name: there, position: [10, 6, 1.2]}]\n"
                             "fmax_hz: 200\n"
                             "computing: {layout: box}\n"
                             "outputs: {folder: runs, repeat_shifted: true}\n");
    FILM(2, "cross.yaml");
    expect_words("err", "film needs -o DIR"); /* the folder of the project is for its runs */
    FILM(0, "cross.yaml", "--until", "2ms", "--field", "2ms", "-o", "film");
    cr_assert(exists("film/slice_z1.50_0002.0ms.png") == false); /* --field alone is without a slice */
    cr_assert(exists("film/field_00000.vtkhdf"));
    cJSON *record = read_json("film/film.json");
    cr_assert(eq(str, (char *)text_of(record, "layout"), "blocks"));
}

Test(film, only_an_earlier_film_is_replaced)
{
    write_hall();
    FILM(0, HALL, "--source", "2,2,2", "--until", "1ms", "-o", "film");
    write_text("film/ir_S1_R1.wav", "kept");
    write_text("film/slice.txt", "kept");
    FILM(2, HALL, "--source", "2,2,2", "--until", "1ms", "-o", "film");
    expect_words("err", "--force");
    FILM(0, HALL, "--source", "2,2,2", "--slice", "y=3", "--until", "0", "-o", "film", "--force");
    cr_assert(exists("film/ir_S1_R1.wav") && exists("film/slice.txt"));
    cr_assert(exists("film/slice_y3.00_0000.0ms.png"));
    cr_assert(eq(sz, count_entries("film", ""), 4));
}

Test(film, a_picture_that_cannot_be_written_leaves_those_before_it_and_no_part_of_itself)
{
    write_hall();
    file_limit = 60000; /* the field is larger, the frames are not */
    FILM(5, HALL, "--source", "2,2,2", "--slice", "z=2", "--until", "3ms", "--field", "2ms", "-o", "film");
    file_limit = RLIM_INFINITY;
    expect_words("err", "field_00000.vtkhdf");
    cr_assert(eq(sz, count_entries("film", ".part"), 0));
    cr_assert(eq(sz, count_entries("film", "field"), 0));
    cr_assert(eq(sz, count_entries("film", ".png"), 3));
    cJSON *record = read_json("film/film.json");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(record, "partial")));
}

/* The lowest dark pixel of a picture without legend in a column, from `low` to `high` pixels above its lower
 * edge; `high`: none. */
static size_t lowest_dark(const char *path, size_t column, size_t low, size_t high)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&image, path) != 0);
    image.format = PNG_FORMAT_RGB;
    png_byte *const pixel = malloc(PNG_IMAGE_SIZE(image));
    cr_assert(pixel != NULL && png_image_finish_read(&image, NULL, pixel, 0, NULL) != 0);
    const png_byte *at;
    do {
        at = pixel + 3 * ((image.height - 1 - low) * (size_t)image.width + column);
    } while ((at[0] != 0x2d || at[1] != 0x2d) && ++low < high);
    free(pixel);
    return low;
}

/* A slow blow, which the low-pass of what is heard hardly changes, and an ear on a node of the slice. */
Test(film, of_drums_shows_the_pressure_that_is_heard_and_the_membrane_going_down)
{
    enum { FRAMES = 6 };
    double seen[FRAMES], peak = 0, h = 0, at[3] = {0};
    write_hall();
    write_text("score.yaml", "drums:\n- {name: low, position: [3, 3.5, 2]}\n"
                             "strikes:\n- {drum: low, time_s: 0, at: 0, contact_s: 0.02}\n");
    FILM(0, HALL, "--score", "score.yaml", "--every", "4ms", "--until", "20ms", "--files", "both", "--plain",
         "-o", "film");
    cJSON *record = read_json("film/film.json");
    cr_assert(eq(str, (char *)record_at(record, "film.unit")->valuestring, (char *)"Pa"));
    at[1] = record_at(record, "film.slices.0.position_m")->valuedouble;
    cr_assert(test_near(at[1], 3.5, 0.06));
    for (int f = 0; f < FRAMES; f++) {
        char path[60];
        snprintf(path, sizeof path, "film/slice_y3.50_%05d.vtkhdf", f);
        struct amr amr = amr_read(path);
        const size_t across = (size_t)amr.box[1] + 1, x = (size_t)((4.5 - amr.origin[0]) / amr.spacing[0]),
                     z = (size_t)((2.5 - amr.origin[2]) / amr.spacing[2]);
        h = amr.spacing[0];
        at[0] = amr.origin[0] + ((double)x + 0.5) * h;
        at[2] = amr.origin[2] + ((double)z + 0.5) * h;
        seen[f] = (double)amr.pressure[z * across + x];
        peak = fmax(peak, fabs(seen[f]));
        if (f == 2) { /* half of the blow: sound goes out as rarefaction above, and into the kettle */
            const double zoom = record_at(record, "film.slices.0.pixels_a_node")->valuedouble;
            const size_t column = (size_t)((3 - amr.origin[0]) / h * zoom),
                         low = (size_t)((1.6 - amr.origin[2]) / h * zoom),
                         high = (size_t)((2.2 - amr.origin[2]) / h * zoom),
                         before = lowest_dark("film/slice_y3.50_0000.0ms.png", column, low, high),
                         after = lowest_dark("film/slice_y3.50_0008.0ms.png", column, low, high);
            cr_assert(before < high && after + 3 < before, "at %zu and %zu pixels", before, after);
        }
        amr_free(&amr);
    }
    char ear[80];
    snprintf(ear, sizeof ear, "%.9g,%.9g,%.9g,ear", at[0], at[1], at[2]);
    expect_status(
        RUN("play", HALL, "--score", "score.yaml", "--receiver", ear, "--duration", "30ms", "-o", "played"),
        0);
    struct wav_sound sound = {0};
    MUST(wav_sound_read("played/heard_ear.wav", &sound, &failure));
    cr_assert(peak > 0.01);
    for (int f = 0; f < FRAMES; f++) {
        char path[40];
        snprintf(path, sizeof path, "film.pictures.%d.time_s", f);
        const double heard = (double)sound.sample[llround(48000 * record_at(record, path)->valuedouble)];
        cr_assert(test_near(seen[f], heard, 0.05 * peak), "picture %d shows %g Pa, and %g Pa are heard", f,
                  seen[f], heard);
    }
    wav_sound_free(&sound);
}

Test(film, of_drums_has_no_other_source)
{
    write_hall();
    FILM(2, HALL, "--drum", "30,3,3", "--source", "1,1,1", "-o", "film");
    expect_words("err", "--source is not for a film of drums");
}

Test(film, files_that_the_disk_cannot_hold_are_refused_with_both_sizes)
{
    struct room_setup setup = {.grid = {.packed = {.blocks = 1000000}}};
    struct output_folder here = {.path = "."};
    struct film_options own = {0};
    struct film film = {.setup = &setup, .own = &own, .folder = &here};
    own.field_times = 1;
    cr_assert(test_near(film_bytes(&film), 2.58e9, 0.01e9)); /* 4 bytes of pressure and 1 a node */
    own.field_times = 1000000000;
    MUST_FAIL(film_refuse_full_disk(&film, &failure), FAILURE_OUTPUT, "the pictures take up to 2");
    own.field_times = 0;
    MUST(film_refuse_full_disk(&film, &failure));
}

Test(film, of_a_run_with_long_steps_every_step_is_a_picture_unless_times_are_given)
{
    write_hall();
    FILM(0, "hall.obj", "--fmax", "60", "--absorption", "0.1", "--source", "3,3.5,3", "--until", "20ms",
         "--slice", "z=3", "--field", "10ms", "-o", "film");
    cJSON *record = read_json("film/film.json");
    const cJSON *pictures = cJSON_GetObjectItem(cJSON_GetObjectItem(record, "film"), "pictures"), *one;
    const double step = 1.0 / number(record, "rate_hz");
    double last = NAN;
    int slices = 0;
    cr_assert(test_above(step, 1e-3));
    cJSON_ArrayForEach(one, pictures)
    {
        if (!cJSON_IsTrue(cJSON_GetObjectItem(one, "slices")))
            continue;
        if (slices++ > 0)
            cr_assert(test_near(number(one, "time_s") - last, step, 1e-9));
        last = number(one, "time_s");
    }
    cr_assert(slices == (int)floor(0.02 / step + 0.5) + 1, "%d", slices);
    FILM(2, "hall.obj", "--fmax", "60", "--absorption", "0.1", "--source", "3,3.5,3", "--until", "20ms",
         "--every", "1ms", "-o", "other");
    expect_words("err", "would show the same step");
}

Test(film, what_cannot_be_filmed_is_refused_in_a_sentence)
{
    static const char *const refused[][3] = {
        {"--slice", "1.2", "--slice 1.2 is not x, y or z"},
        {"--slice", "w=1.2", "--slice w=1.2 is not"},
        {"--slice", "z=", "--slice z= is not"},
        {"--slice", "z=nan", "--slice z=nan is not"},
        {"--slice", "z=6.5", "z = 6.5 m does not meet the air, which reaches from "},
        {"--field", "10ms,", "--field '' is not a time"},
        {"--field", "10ms,-1ms", "out of range"},
        {"--field", "10ms,0.01", "names 0.01 s twice"},
        {"--field", "10ms,10.01ms", "would show the same step"},
        {"--every", "1us", "--every 1us is not a time"},
        {"--every", "0.02ms", "would show the same step"},
        {"--every", "0.001ms", "pictures of a slice, and the limit is 10000"},
        {"--every", "0", "out of range"},
        {"--from", "200ms", "before --from"},
        {"--full", "0", "out of range"},
        {"--files", "gif", "not one of: png, vtkhdf, both"},
    };
    write_hall();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        FILM(2, HALL, "--source", "2,2,2", refused[i][0], refused[i][1], "-o", "film");
        expect_words("err", refused[i][2]);
        cr_assert(not(exists("film")));
    }
    FILM(2, HALL, "--source", "2,2,2", "--slice", "z=2", "--slice", "z=2.01", "-o", "film");
    expect_words("err", "the same layer of nodes");
    FILM(2, HALL, "--source", "2,2,2");
    expect_words("err", "film needs -o DIR");
}

/* Bytes of memory that nobody wrote, and the time of day, would differ. */
Test(film, files_for_paraview_are_the_same_twice)
{
    static const char *const folder_of[] = {"one", "two"};
    static const char *const file[] = {"field_00000.vtkhdf", "field_00001.vtkhdf", "field.hdf.series",
                                       "slice_z3.00_00000.vtkhdf", "slice_z3.00.hdf.series"};
    write_hall();
    for (int i = 0; i < 2; i++) {
        setenv("MALLOC_PERTURB_", i == 0 ? "85" : "170", 1);
        FILM(0, HALL, "--source", "3,3.5,3", "--slice", "z=3", "--every", "4.5ms", "--until", "5ms",
             "--files", "vtkhdf", "--field", "1ms,3ms", "-o", folder_of[i], "--threads", i == 0 ? "1" : "2");
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 50000000}, NULL);
    }
    unsetenv("MALLOC_PERTURB_");
    for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
        char path[2][100];
        for (int i = 0; i < 2; i++)
            snprintf(path[i], sizeof path[i], "%s/%s", folder_of[i], file[f]);
        cr_assert(same_file(path[0], path[1]), "%s", file[f]);
    }
}
