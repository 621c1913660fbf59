/* The page of a run: whole, by itself, true to its data, and safe from names. */
#define _XOPEN_SOURCE 700
#include "src/response/acoustics/acoustic_figures.h"
#include "src/listen/dry_sound.h"
#include "src/run_folder/run_folder.h"
#include "src/present/report/report_clap.h"
#include "src/response/signal/response.h"
#include "src/response/signal/sound_encode.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(report, .init = enter_folder, .fini = leave_folder);

#define EVIL "</script><script>alert('\"&1')</script>"

/* A run of a cube whose walls have two materials, one with a name that would be markup. */
static void make_run(const char *name, const char *absorption)
{
    FILE *file = fopen("hall.obj", "w");
    cr_assert(file != NULL);
    fprintf(file, "o room\nusemtl <script>a&b\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? 5.0 : 0, i & 2 ? 4.0 : 0, i & 4 ? 3.0 : 0);
    fprintf(file, "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nusemtl carpet\nf 2 4 8 6\nf 5 6 8 7\n");
    fclose(file);
    char path[120], output[120];
    snprintf(path, sizeof path, "%s/hall.obj", folder);
    snprintf(output, sizeof output, "%s/%s", folder, name);
    expect_status(RUN("simulate", path, "--fmax", "360", "--duration", "0.5", "--absorption", absorption,
                      "--source", "1,1,1.5,pulpit", "--receiver", "4,3,1.2,pew", "--receiver", "2,3,1.2",
                      "--receiver", "4,1,1.2", "--receiver-grid", "nave=1,1,0;4,1,0;4,3,0;1,3,0",
                      "--grid-spacing", "0.75", "-o", output, "--quiet"),
                  0);
}

/* What tests/accuracy/report_page_check finds. */
static void check_page(const char *page)
{
    char script[1000];
    snprintf(script, sizeof script, "%s", test_source_file("tests/accuracy/report_page_check"));
    const int status =
        run(NULL, (const char *const[]){"/usr/bin/env", "python3", script, page, folder, "<script>a", NULL});
    char *found = read_text("out");
    cr_assert(eq(int, status, 0), "%s", found);
}

/* The data of a page. */
static cJSON *read_data(const char *page)
{
    char *text = read_text(page);
    const char *begin = strstr(text, "id=\"transept-data\">");
    cr_assert(begin != NULL);
    begin += strlen("id=\"transept-data\">");
    cJSON *data = cJSON_ParseWithLength(begin, (size_t)(strstr(begin, "</script>") - begin));
    cr_assert(data != NULL);
    return data;
}

static void edit_record(void (*edit)(cJSON *record))
{
    cJSON *record = read_json("run/run.json");
    edit(record);
    char *text = cJSON_Print(record);
    write_text("run/run.json", text);
    cJSON_free(text);
}

/* The page of the run in `run`, checked; its data, the caller's. */
static cJSON *make_page(void)
{
    expect_status(RUN("report", "run", "--force"), 0);
    check_page("run/report.html");
    return read_data("run/report.html");
}

#define PAGE_HAS(words) expect_words("run/report.html", words)

/* Is `word` one of the words, between commas, of a heading of the glossary? */
static bool is_explained(const char *page, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(page, "<dt>"); at != NULL; at = strstr(at + 1, "<dt>")) {
        const char *end = strstr(at, "</dt>");
        for (const char *found = strstr(at, word); found != NULL && found < end;
             found = strstr(found + 1, word))
            if ((found[-1] == '>' || found[-1] == ' ') && (found[length] == ',' || found[length] == '<'))
                return true;
    }
    return false;
}

/* The lines of EDT, by octave; the curves themselves: test_decay_times.c. */
static void check_fits(const cJSON *response)
{
    int seen = 0;
    for (int b = 0; b < 3; b++) {
        const cJSON *decay = cJSON_GetArrayItem(cJSON_GetObjectItem(response, "decay"), b), *fit;
        const double edt =
            cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(response, "edt_s"), b));
        cJSON_ArrayForEach(fit, cJSON_GetObjectItem(decay, "fits"))
        {
            if (strcmp(record_text(fit, "figure"), "edt") != 0)
                continue;
            seen++;
            cr_assert(test_near(-60 / record_number(fit, "slope_db_per_s"), edt, 1e-3 * edt));
            cr_assert(lt(dbl, record_number(fit, "from_s"), record_number(fit, "to_s")));
        }
    }
    cr_assert(seen > 0);
}

Test(report, the_page_stands_by_itself_shows_what_its_data_holds_and_explains_every_figure)
{
    make_run("run", "0.1");
    cJSON *data = make_page(), *record = read_json("run/run.json");
    for (int i = 0; i < 3; i++) { /* the figures are run.json's own */
        char key[80];
        snprintf(key, sizeof key, "runs.0.responses.%d.edt_s.2", i);
        const double edt = record_number(record, key + strlen("runs.0."));
        cr_assert(isfinite(edt) && record_number(data, key) == edt);
    }
    cr_assert(eq(int, cJSON_GetArraySize(record_at(data, "runs.0.sounds")), 5),
              "three places and two dry sounds");
    cr_assert(record_at(data, "runs.0.maps.0.values.0") != NULL);
    cr_assert(eq(int, cJSON_GetArraySize(record_at(data, "runs.0.mesh.materials")), 2));
    cr_assert(test_near(record_number(data, "runs.0.blocks.edge_m"), 8 * record_number(record, "spacing_m"),
                        1e-12));
    check_fits(record_at(data, "runs.0.responses.0"));

    char words[120], *page = read_text("run/report.html");
    snprintf(words, sizeof words, "with 1 source and 3 places to listen at, and maps of %.0f more.",
             record_number(record, "grids.0.points"));
    const char *const expected[] = {"id=\"room-figure\"", "id=\"decay-figure\"", "id=\"spectrum-figure\"",
                                    words, "holds every pitch from 30&nbsp;Hz up to "};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert(strstr(page, expected[i]) != NULL, "%s", expected[i]);
    static const char *const other[] = {"JND", "FDTD", "fmax", "Hz", "dB"};
    for (int f = 0; f < ALL_FIGURES; f++)
        cr_assert(is_explained(page, figure_kind[f].word), "%s", figure_kind[f].word);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        cr_assert(is_explained(page, other[i]), "%s", other[i]);
    cr_assert(not(is_explained(page, "XYZ")));
    cJSON_Delete(data);
}

Test(report, two_runs_stand_side_by_side_with_their_differences)
{
    make_run("hard", "0.1");
    make_run("soft", "0.3");
    expect_status(RUN("report", "hard", "soft"), 0);
    check_page("hard/report_soft.html");
    cJSON *data = read_data("hard/report_soft.html");
    cr_assert(eq(dbl, record_number(data, "differences.matched"), 3));
    const cJSON *figure = NULL;
    cJSON_ArrayForEach(figure, record_at(data, "differences.figures")) if (strcmp(record_text(figure, "name"),
                                                                                  "edt_s") == 0) break;
    cr_assert(figure != NULL);
    const double first = record_number(figure, "first.2"), second = record_number(figure, "second.2");
    cr_assert(lt(dbl, second, first));
    cr_assert(test_near(record_number(figure, "jnds.2"), (second - first) / (0.05 * first), 2e-3));
    cJSON_Delete(data);
    expect_status(RUN("report", "hard", "soft", "hard"), 0);
    check_page("hard/report_variants.html");
}

static void rename_all(cJSON *record)
{
    cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses"))
    {
        cJSON_ReplaceItemInObject(entry, "source", cJSON_CreateString(EVIL));
        cJSON_ReplaceItemInObject(entry, "receiver", cJSON_CreateString(EVIL));
    }
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "sources"))
        cJSON_ReplaceItemInObject(entry, "name", cJSON_CreateString(EVIL));
    cJSON_AddItemToArray(cJSON_GetObjectItem(record, "warnings"), cJSON_CreateString(EVIL));
    cJSON_AddItemToArray(cJSON_GetObjectItem(record, "arguments"), cJSON_CreateString(EVIL));
    cJSON_ReplaceItemInObject(record, "engine", cJSON_CreateString(EVIL));
}

Test(report, no_name_becomes_markup)
{
    make_run("run", "0.1");
    edit_record(rename_all);
    cJSON *data = make_page();
    expect_no_words("run/report.html", "<script>alert");
    cr_assert(eq(str, (char *)record_text(data, "runs.0.responses.0.source"), EVIL));
    cr_assert(eq(str, (char *)record_text(data, "runs.0.run.materials.0.name"), "<script>a&b"));
    cJSON_Delete(data);
}

static void make_old(cJSON *record)
{
    cJSON *entry;
    static const char *const later[] = {"c50_db", "c80_db", "d50", "ts_s", "g_db"};
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses")) for (int i = 0; i < 5; i++)
        cJSON_DeleteItemFromObject(entry, later[i]);
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "runs"))
        cJSON_DeleteItemFromObject(entry, "energy");
    cJSON_DeleteItemFromObject(record, "air_volume_m3");
    cJSON_DeleteItemFromObject(record, "grids");
    cJSON_DeleteItemFromObject(record, "means");
}

Test(report, of_an_older_or_partial_run_the_page_says_what_is_absent)
{
    make_run("run", "0.1");
    cJSON *record = read_json("run/run.json");
    const double c80 = record_number(record, "responses.0.c80_db.2");
    edit_record(make_old);
    cr_assert(remove("run/room.glb") == 0 && remove("run/ir_pulpit_R2.wav") == 0);
    write_text("run/blocks.json", "{\"origin_m\": [0, 0, 0], \"edge_m\": 1, \"runs\": [[0, 0, 0]]}");
    cJSON *data = make_page();
    cr_assert(record_text(data, "runs.0.mesh_why") != NULL && record_text(data, "runs.0.blocks_why") != NULL);
    cr_assert(record_text(data, "runs.0.responses.1.why_no_curves") != NULL);
    PAGE_HAS("kept no account");
    /* What run.json lacked is measured again, and is the same. */
    cr_assert(test_near(record_number(data, "runs.0.responses.0.c80_db.2"), c80, 1e-3));
    cJSON_Delete(data);
}

Test(report, what_is_no_run_is_refused_in_one_sentence)
{
    expect_status(RUN("report", "nowhere"), 2);
    expect_words("err", "nowhere");
    cr_assert(eq(int, mkdir("empty", 0777), 0));
    expect_status(RUN("report", "empty"), 2);
    expect_words("err", "no run.json");
    static const char *const broken[] = {"",
                                         "{",
                                         "[]",
                                         "{\"command\": \"simulate\"}",
                                         "{\"command\": \"simulate\", \"fmax_hz\": 100, \"responses\": []}",
                                         "{\"command\": \"plan\", \"fmax_hz\": 100, \"responses\": []}"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        write_text("empty/run.json", broken[i]);
        expect_status(RUN("report", "empty"), 2);
        expect_words("err", "run.json");
    }
    cr_assert(not(exists("empty/report.html")));
}

Test(report, a_page_appears_whole_or_not_at_all_and_replaces_none_unasked)
{
    make_run("run", "0.1");
    write_text("run/report.html", "mine");
    expect_status(RUN("report", "run"), 2);
    expect_words("err", "--force");
    file_limit = 20000;
    const int status = RUN("report", "run", "--force");
    file_limit = RLIM_INFINITY;
    expect_status(status, 5);
    char *text = read_text("run/report.html");
    cr_assert(eq(str, text, "mine"));
    cr_assert(eq(sz, count_entries("run", ".part"), 0));
    expect_status(RUN("report", "run", "--force"), 0);
    PAGE_HAS("</html>");
    expect_status(RUN("report", "run", "-o", "other.html"), 0);
    cr_assert(exists("other.html"));
}

static double peak_of(const struct report_take *take)
{
    double peak = 0;
    for (size_t n = 0; n < take->sound.frames; n++)
        peak = fmax(peak, fabs((double)take->sound.sample[n]));
    return take->gain * peak;
}

/* A response of one sample of 0.01 beside the open air at r metres, 1/r: the dry sound alone would be
 * clipped. */
Test(report, all_sounds_have_one_gain)
{
    make_run("run", "0.1");
    static float sample[48000];
    sample[0] = 0.01F;
    static const char *const file[] = {"run/ir_pulpit_pew.wav", "run/ir_pulpit_R2.wav",
                                       "run/ir_pulpit_R3.wav"};
    for (int i = 0; i < 3; i++)
        write_sound(file[i], sample, 48000, 1, RESPONSE_RATE);
    struct run_folder run = {0};
    struct report_takes takes = {0};
    MUST(run_folder_read("run", &run, &failure));
    /* Where the folder of the run cannot be written to, they are made elsewhere. */
    MUST_FAIL(report_clap_take(&run, 1, "absent", &takes, &failure), FAILURE_OUTPUT, "absent");
    cr_assert(eq(int, mkdir("scratch", 0777), 0));
    MUST(report_clap_take(&run, 1, "scratch", &takes, &failure));
    cr_assert(eq(sz, count_entries("scratch", ""), 0));
    cr_assert(eq(sz, takes.count, 5));
    cr_assert(eq(str, (char *)takes.take[0].record.kind, "wet"));
    cr_assert(eq(str, (char *)takes.take[3].record.kind, "dry"));
    double nearest = INFINITY;
    for (int i = 0; i < 3; i++)
        nearest = fmin(nearest, run.model.responses.item[i].distance);
    const double wet = peak_of(&takes.take[0]), dry = peak_of(&takes.take[3]);
    cr_assert(test_near(dry / wet, 100 / nearest, 0.02 * 100 / nearest), "%g for %g", dry / wet,
              100 / nearest);
    cr_assert(lt(dbl, dry, 1.0));
    report_takes_free(&takes);
    run_folder_free(&run);
}

Test(report, a_compressed_sound_is_the_sound)
{
    enum { COUNT = 10000 };
    static float sample[COUNT];
    static double back[COUNT];
    const struct wav_sound sound = {.sample = sample, .frames = COUNT, .channels = 1, .rate = 48000};
    for (int n = 0; n < COUNT; n++)
        sample[n] = (float)(1.2 * sin(0.03 * n)); /* beyond full scale at gain 1 */
    for (int g = 0; g < 2; g++) {
        const double gain = g == 0 ? 0.5 : 1;
        unsigned char *data = NULL;
        size_t size = 0;
        MUST(sound_encode(&sound, gain, SOUND_FLAC, &data, &size, &failure));
        FILE *file = fopen("sound.flac", "wb");
        cr_assert(fwrite(data, 1, size, file) == size && fclose(file) == 0);
        free(data);
        struct dry_sound dry = {0};
        static const volatile sig_atomic_t never = 0;
        MUST(dry_sound_open("sound.flac", ".", &never, &dry, &failure));
        cr_assert(eq(int, (int)dry.frames, COUNT));
        MUST(dry_sound_read(&dry, 0, COUNT, back, &failure));
        for (int n = 0; n < COUNT; n++)
            cr_assert(test_near(back[n], fmax(-1, fmin(1, gain * (double)sample[n])), 1.0 / 16384), "%d", n);
        dry_sound_close(&dry);
    }
    unsigned char *data = NULL;
    size_t size = 0;
    MUST(sound_encode(&sound, 0.5, SOUND_OPUS, &data, &size, &failure));
    cr_assert(memcmp(data, "OggS", 4) == 0 && size < COUNT);
    free(data);
}

static void drop_means_and_octaves(cJSON *record)
{
    cJSON_ReplaceItemInObject(record, "means", cJSON_CreateNull());
}

Test(report, a_damaged_response_takes_no_other_with_it_and_is_named)
{
    make_run("run", "0.1");
    write_text("run/ir_pulpit_pew.wav", "no sound");
    edit_record(drop_means_and_octaves);
    cJSON *data = make_page();
    cr_assert(eq(int, cJSON_GetArraySize(record_at(data, "runs.0.sounds")), 4),
              "the two other places and two dry sounds");
    PAGE_HAS("Not drawn, not heard");
    expect_no_words("run/report.html", "Means over -"); /* a count that is absent is no number */
    cJSON_Delete(data);
}

Test(report, a_pipe_in_place_of_a_response_is_not_waited_for)
{
    make_run("run", "0.1");
    cr_assert(remove("run/ir_pulpit_pew.wav") == 0 && mkfifo("run/ir_pulpit_pew.wav", 0600) == 0);
    expect_status(RUN("report", "run"), 0);
    PAGE_HAS("a device, pipe or socket");
}

/* ---- what the page is called ---- */

static void name_variant(cJSON *record)
{
    cJSON_DeleteItemFromObject(record, "project");
    (void)cJSON_AddStringToObject(cJSON_AddObjectToObject(record, "project"), "variant", "full");
}

Test(report, the_page_is_called_after_its_room_or_as_asked)
{
    make_run("run", "0.1");
    expect_status(RUN("report", "run"), 0);
    PAGE_HAS("<title>Room acoustics: hall</title>");
    PAGE_HAS("<h1><span data-key=\"title\">Room acoustics: hall</span></h1>");
    expect_status(RUN("report", "run", "--force", "--title", "St John's <nave> & \"choir\""), 0);
    check_page("run/report.html");
    PAGE_HAS("<title>St John&#39;s &lt;nave&gt; &amp; &quot;choir&quot;</title>");
    expect_status(RUN("report", "run", "--force", "--title", " "), 2);
    expect_words("err", "the title has nothing to read");
    expect_status(RUN("report", "run", "--force", "--title", ""), 2);
    expect_words("err", "--title '' is not a text");
    expect_status(RUN("report", "run/run.json"), 2);
    expect_words("err", "run/report.html exists");
    expect_status(RUN("report", "run", "run", "-o", "two.html"), 0);
    expect_words("two.html", "<title>Room acoustics: hall (run and run)</title>");
    edit_record(name_variant);
    expect_status(RUN("report", "run", "--force"), 0);
    PAGE_HAS("<title>Room acoustics: hall, variant full</title>");
}

/* ---- guesses ---- */

static void guess(cJSON *record)
{
    cJSON *materials = cJSON_GetObjectItem(record, "materials"), *entry;
    static const char *const library[2] = {"<plaster>", NULL};
    int m = 0;
    cJSON_ArrayForEach(entry, materials)
    {
        cJSON_ReplaceItemInObject(entry, "guessed", cJSON_CreateTrue());
        cJSON_ReplaceItemInObject(entry, "library_name",
                                  library[m] != NULL ? cJSON_CreateString(library[m]) : cJSON_CreateNull());
        m++;
    }
}

Test(report, every_guess_is_listed_for_itself)
{
    make_run("run", "0.1");
    expect_status(RUN("report", "run"), 0);
    expect_no_words("run/report.html", "was guessed from their names");
    edit_record(guess);
    expect_status(RUN("report", "run", "--force"), 0);
    check_page("run/report.html");
    PAGE_HAS("was guessed from their names");
    PAGE_HAS("<li><span data-key=\"runs.0.run.materials.0.name\">&lt;script&gt;a&amp;b</span> taken as <span "
             "data-key=\"runs.0.run.materials.0.library_name\">&lt;plaster&gt;</span></li>");
    PAGE_HAS("carpet</span> taken as what absorbs <data");
}

static void make_sheet(cJSON *record)
{
    cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "materials"), 1);
    (void)cJSON_AddNumberToObject(entry, "flow_resistance_pa_s_m", 612);
    (void)cJSON_AddStringToObject(entry, "combination", "parallel");
}

Test(report, surfaces_that_let_sound_through_are_listed_with_their_resistance)
{
    make_run("run", "0.1");
    expect_status(RUN("report", "run"), 0);
    expect_no_words("run/report.html", "Sound passes through these surfaces");
    edit_record(make_sheet);
    expect_status(RUN("report", "run", "--force"), 0);
    check_page("run/report.html");
    PAGE_HAS("Sound passes through these surfaces");
    PAGE_HAS("flow_resistance_pa_s_m\" value=\"612\"");
    PAGE_HAS("held still</li>");
}

static void make_head(cJSON *record)
{
    cJSON *const head = cJSON_CreateObject();
    cJSON_DeleteItemFromObject(record, "dummy_heads");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(record, "dummy_heads"), head);
    (void)cJSON_AddStringToObject(head, "name", "pew");
    (void)cJSON_AddStringToObject(head, "file", "far/away/head.obj");
    (void)cJSON_AddNumberToObject(head, "radius_m", 0.08);
    (void)cJSON_AddNumberToObject(head, "look_azimuth_deg", 10);
    cJSON_AddItemToObject(head, "position_m", cJSON_CreateDoubleArray((const double[]){1, 2, 1.5}, 3));
}

Test(report, a_dummy_head_is_named_with_its_place_and_where_it_looks)
{
    make_run("run", "0.1");
    edit_record(make_head);
    expect_status(RUN("report", "run"), 0);
    check_page("run/report.html");
    PAGE_HAS("Dummy head pew: head.obj at (1.000, 2.000, 1.500) m, looks towards 10 degrees.");
    expect_status(RUN("report", "run", "--force", "--language", "de"), 0);
    PAGE_HAS("Kunstkopf pew: head.obj bei (1,000, 2,000, 1,500) m, blickt nach 10 Grad.");
}

/* ---- maps ---- */

/* Leave so many places of the table a value of EDT at 250 Hz. */
static void empty_map(const char *path, size_t left)
{
    char *text = read_text(path), *out = calloc(strlen(text) + 1, 1), *rest = NULL;
    size_t line = 0, column = 0;
    for (char *row = strtok_r(text, "\n", &rest); row != NULL; row = strtok_r(NULL, "\n", &rest), line++) {
        size_t c = 0;
        for (char *field = row; field != NULL; c++) {
            char *comma = strchr(field, ',');
            if (comma != NULL)
                *comma = '\0';
            if (line == 0 && strcmp(field, "edt_s_250") == 0 && column == 0)
                column = c;
            strcat(out, c > 0 ? "," : "");
            strcat(out, line > left && c == column ? "" : field);
            field = comma != NULL ? comma + 1 : NULL;
        }
        strcat(out, "\n");
    }
    cr_assert(column > 0, "%s", out);
    write_text(path, out);
    free(out);
}

Test(report, a_map_of_hardly_any_place_is_left_out_with_the_reason)
{
    make_run("run", "0.1");
    cJSON *record = read_json("run/run.json");
    char table[200];
    snprintf(table, sizeof table, "run/%s", record_text(record, "grids.0.maps.0.table"));
    empty_map(table, 3);
    cJSON *data = make_page(), *map;
    cJSON_ArrayForEach(map, record_at(data, "runs.0.maps"))
        cr_assert(strcmp(record_text(map, "figure"), "edt_s") != 0 || record_number(map, "octave_hz") != 250);
    bool listed = false;
    cJSON_ArrayForEach(map, record_at(data, "runs.0.maps_left_out")) listed =
        listed || (strcmp(record_text(map, "word"), "EDT") == 0 && record_number(map, "octave_hz") == 250 &&
                   record_number(map, "known") == 3);
    cr_assert(listed);
    PAGE_HAS("left out, for too few places have a value");
    cJSON_Delete(data);
}

/* Maps are simulated too, and the page says what is lacking. */
Test(report, of_a_run_of_maps_alone_the_page_has_times_from_its_points_and_says_what_it_lacks)
{
    write_box("hall.obj", 5, 4, 3, true);
    char path[120], output[120];
    snprintf(path, sizeof path, "%s/hall.obj", folder);
    snprintf(output, sizeof output, "%s/run", folder);
    expect_status(RUN("simulate", path, "--fmax", "200", "--absorption", "0.1", "--source", "1,1,1.5,pulpit",
                      "--receiver-grid", "nave=1,1,0;4,1,0;4,3,0;1,3,0", "-o", output, "--quiet"),
                  0);
    cJSON *data = make_page(), *record = read_json("run/run.json");
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(data, "runs"), 0),
                *times = cJSON_GetObjectItem(run, "octave_times");
    const cJSON *map = cJSON_GetArrayItem(
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "grids"), 0), "maps"), 0);
    const double simulated = cJSON_GetArrayItem(cJSON_GetObjectItem(times, "time_s"), 1)->valuedouble;
    cr_assert(
        test_near(simulated, cJSON_GetArrayItem(cJSON_GetObjectItem(map, "t30_s"), 1)->valuedouble, 1e-3),
        "%g", simulated);
    cr_assert(strstr(text_of(run, "targets_why"), "no receiver at a single place") != NULL);
    expect_words("run/report.html", "run has maps alone, and no receiver to listen at",
                 "findings need receivers at single places");
    cJSON_Delete(data);
}
