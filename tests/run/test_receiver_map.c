/** simulate --receiver-grid: responses at its points, and the tables and drawings of them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/response/acoustics/kept_response.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

/* 4 x 3 points over the floor of a box, 0.5625 m and 0.625 m from its walls: 1.2 m above it. */
#define HALL                                                                                                 \
    "hall.obj", "--fmax", "350", "--duration", "0.4", "--absorption", "0.3", "--source", "1,1,1,desk",       \
        "--quiet"
#define FLOOR  "--receiver-grid", "floor=wall"
#define POINTS 12

static void enter_hall(void)
{
    enter_folder();
    write_box("hall.obj", 4.125, 3.25, 2.75, true);
}

TestSuite(receiver_map, .init = enter_hall, .fini = leave_folder);

/* ---- tables ---- */

struct table {
    char *text, *line[POINTS + 2];
    size_t lines;
};

static struct table read_table(const char *path)
{
    struct table table = {.text = read_text(path)};
    for (char *at = strtok(table.text, "\n"); at != NULL; at = strtok(NULL, "\n")) {
        cr_assert(table.lines < POINTS + 2);
        table.line[table.lines++] = at;
    }
    return table;
}

/* Field `column` of a line, NaN where it is empty. */
static double field(const char *line, size_t column)
{
    for (; column > 0; column--) {
        line = strchr(line, ',');
        cr_assert(line != NULL, "too few fields");
        line++;
    }
    return *line == ',' || *line == '\0' ? (double)NAN : strtod(line, NULL);
}

static size_t column_of(const struct table *table, const char *name)
{
    size_t column = 0;
    const size_t length = strlen(name);
    for (const char *at = table->line[0]; at != NULL; at = strchr(at, ','), column++) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return column;
    }
    cr_assert(false, "no column %s in %s", name, table->line[0]);
    return 0;
}

/* ---- drawings ---- */

/* Every element that begins ends, in order; `<` and `&` are only where XML wants them. */
static void expect_xml(const char *text)
{
    char open[64][24];
    size_t depth = 0;
    for (const char *at = text; *at != '\0';) {
        if (*at == '&')
            cr_assert(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                      strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0);
        if (*at++ != '<')
            continue;
        const char *end = strchr(at, '>');
        cr_assert(end != NULL && memchr(at, '<', (size_t)(end - at)) == NULL, "a tag does not end: %.40s",
                  at);
        const bool closing = *at == '/';
        const size_t length = strcspn(at + closing, " />");
        cr_assert(length > 0 && length < 24);
        if (closing) {
            cr_assert(depth > 0 && strncmp(open[depth - 1], at + 1, length) == 0 &&
                          open[depth - 1][length] == '\0',
                      "</%.*s> closes <%s>", (int)length, at + 1, depth > 0 ? open[depth - 1] : "");
            depth--;
        } else if (end[-1] != '/') {
            cr_assert(depth < 64);
            snprintf(open[depth++], sizeof *open, "%.*s", (int)length, at);
        }
        at = end + 1;
    }
    cr_assert(eq(sz, depth, 0));
}

/* ---- tests ---- */

Test(receiver_map, of_a_point_every_32nd_sample_of_a_receiver_at_its_place_is_kept_bit_for_bit)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir", "--receiver", "2.5625,1.625,1.2,middle",
                      "--receiver", "0.5625,2.625,1.2,corner"),
                  0);
    const struct wav_sound grid = read_sound("dir/ir_desk_floor.wav");
    const size_t every = kept_every(350);
    cr_assert(eq(sz, every, 32), "four samples to a period");
    cr_assert(eq(int, grid.channels, POINTS));
    cr_assert(eq(int, grid.rate, 48000 / 32));
    static const struct {
        const char *file;
        size_t channel;
    } same[] = {{"dir/ir_desk_middle.wav", 6}, {"dir/ir_desk_corner.wav", 8}};
    for (size_t i = 0; i < 2; i++) {
        const struct wav_sound alone = read_sound(same[i].file);
        size_t differ = 0;
        cr_assert(eq(sz, kept_samples(alone.frames, every), grid.frames));
        for (size_t n = 0; n < grid.frames; n++) {
            const float kept = (float)every * alone.sample[n * every];
            differ += memcmp(&kept, &grid.sample[n * POINTS + same[i].channel], sizeof kept) != 0;
        }
        cr_assert(eq(sz, differ, 0), "%s is not channel %zu", same[i].file, same[i].channel);
    }
    /* run.json, room.glb, blocks.json, two receivers, the grid's responses, table, and a drawing and two
     * models a figure */
    cr_assert(eq(sz, count_entries("dir", ""), 3 + 2 + 1 + 1 + 3 * PRESSURE_FIGURES));
}

Test(receiver_map, the_table_says_what_analysing_its_kept_channel_says)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir"), 0);
    struct table table = read_table("dir/map_desk_floor.csv");
    const struct wav_sound grid = read_sound("dir/ir_desk_floor.wav");
    cr_assert(eq(sz, table.lines, 1 + POINTS));
    const size_t onset = column_of(&table, "onset_s"), distance = column_of(&table, "distance_m");
    size_t present = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const char *line = table.line[1 + i];
        char name[24];
        struct acoustic_figures figures;
        const size_t every = 48000 / (size_t)grid.rate, restored = kept_restored(grid.frames, every);
        float *alone = malloc(2 * restored * sizeof *alone);
        snprintf(name, sizeof name, "floor-%zu,", i + 1);
        cr_assert(strncmp(line, name, strlen(name)) == 0, "%s", line);
        const double x = 0.5625 + (double)(i % 4), y = 0.625 + (double)(i / 4);
        cr_assert(test_near(field(line, 1), x, 1e-8) && test_near(field(line, 2), y, 1e-8) &&
                      test_near(field(line, 3), 1.2, 1e-8),
                  "%s", line);
        const double r = sqrt((x - 1) * (x - 1) + (y - 1) * (y - 1) + 0.2 * 0.2);
        cr_assert(test_near(field(line, distance), r, 1e-8));
        cr_assert(test_near(field(line, onset), r / 343.2, 1e-5));
        MUST(kept_restore(grid.sample + i, grid.frames, POINTS, every, alone, &failure));
        MUST(kept_figures(alone, restored, 1, 350, field(line, onset), alone + restored, &figures, NULL,
                          &failure));
        free(alone);
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (size_t b = 0; b < 2; b++) {
                const struct figure_kind *kind = &figure_kind[f];
                char column[40];
                snprintf(column, sizeof column, "%s_%d", kind->name, b == 0 ? 63 : 125);
                const double written = field(line, column_of(&table, column));
                const double value = acoustic_figure_of(&figures.octave[b], (enum figure)f);
                const double jnd = kind->relative ? kind->jnd * value : kind->jnd;
                cr_assert(isfinite(written) == isfinite(value), "%s of point %zu", column, i);
                cr_assert(isnan(value) || test_near(written, value, 0.002 * jnd),
                          "%s of point %zu: %g, not %g", column, i, written, value);
                present += isfinite(value) ? 1 : 0;
            }
        cr_assert(isnan(field(line, column_of(&table, "c80_db_single"))), "there is no 1 kHz");
    }
    cr_assert(present > 100, "only %zu figures were compared", present);
    free(table.text);
}

#define LONGER                                                                                               \
    "hall.obj", "--fmax", "350", "--duration", "1.2", "--absorption", "0.3", "--source", "1,1,1,desk",       \
        "--quiet"

Test(receiver_map, thirds_follow_the_octaves_of_a_table_and_of_run_json_which_stay_as_they_are)
{
    expect_status(RUN("simulate", LONGER, FLOOR, "--receiver", "3,2,1.2,pew", "-o", "octaves"), 0);
    expect_status(
        RUN("simulate", LONGER, FLOOR, "--receiver", "3,2,1.2,pew", "--bands", "third", "-o", "dir"), 0);
    expect_status(RUN("analyse", "dir", "--bands", "third", "--json"), 0);
    const cJSON *analysed = read_json("out"), *record = read_json("dir/run.json"),
                *plain = read_json("octaves/run.json");
    struct table table = read_table("dir/map_desk_floor.csv"),
                 octaves = read_table("octaves/map_desk_floor.csv");
    for (size_t i = 0; i <= POINTS; i++) {
        const char *end = strrchr(octaves.line[i], ',');
        while (end > octaves.line[i] && *--end != ',') {
        }
        cr_assert(strncmp(table.line[i], octaves.line[i], (size_t)(end - octaves.line[i])) == 0, "%s",
                  table.line[i]);
    }
    const char *const thirds = "means.thirds";
    cr_assert(eq(dbl, record_number(record, "means.g_db.1"), record_number(plain, "means.g_db.1")));
    cr_assert(record_at(plain, thirds) == NULL);
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "means.thirds.thirds_hz")), 8)); /* to 250 Hz */
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "grids.0.maps.0.thirds.nominal_hz")), 8));
    cr_assert(eq(dbl, record_number(record, "responses.0.thirds.g_db.4"),
                 record_number(analysed, "responses.0.thirds.g_db.4")));
    expect_status(RUN("analyse", "dir/ir_desk_floor.wav", "--bands", "third", "--json"), 0);
    const cJSON *points = read_json("out");
    double sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const double written = field(table.line[1 + i], column_of(&table, "g_db_third_160"));
        char key[60];
        snprintf(key, sizeof key, "responses.%zu.thirds.g_db.5", i);
        cr_expect(test_near(written, record_number(points, key), 0.02), "%s: %g", key, written);
        sum += written / POINTS;
    }
    cr_expect(test_near(record_number(record, "grids.0.maps.0.thirds.g_db.5"), sum, 1e-6));
    expect_status(
        RUN("compare", "dir/ir_desk_pew.wav", "dir/ir_desk_floor.wav@3", "--bands", "third", "--json"), 0);
    const cJSON *pair = read_json("out");
    cr_expect(test_near(record_number(pair, "comparisons.0.thirds.figures.7.first.5"),
                        record_number(record, "responses.0.thirds.g_db.5"), 1e-4));
    cr_expect(test_near(record_number(pair, "comparisons.0.thirds.figures.7.second.5"),
                        record_number(points, "responses.2.thirds.g_db.5"), 1e-4));
    /* A run that was made without thirds has them from its files. */
    expect_status(RUN("compare", "octaves", "dir", "--bands", "third", "--json"), 0);
    const cJSON *compared = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(compared, "comparisons.0.thirds.nominal_hz")), 8));
    cr_expect(eq(str, (char *)record_text(compared, "comparisons.0.thirds.figures.7.name"), "g_db"));
    cr_expect(eq(dbl, record_number(compared, "comparisons.0.thirds.figures.7.jnds.5"), 0));
    expect_status(RUN("report", "octaves", "--bands", "third", "--tables", "tables", "--quiet"), 0);
    char *thirds_csv = read_text("tables/table_thirds.csv"), *page = read_text("octaves/report.html");
    cr_expect(strstr(thirds_csv, "160") != NULL && strstr(page, "Means by third octave") != NULL);
    cr_expect(strstr(page, "data-key=\"runs.0.run.means.thirds.g_db.5\"") != NULL);
    free(thirds_csv);
    free(page);
    free(table.text);
    free(octaves.text);
}

Test(receiver_map, analyse_gives_the_figures_of_every_point_of_a_run_with_a_map_alone)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir"), 0);
    expect_status(RUN("analyse", "dir", "--json"), 0);
    const cJSON *all = read_json("out");
    expect_status(RUN("analyse", "dir/ir_desk_floor.wav", "--channel", "7", "--json"), 0);
    const cJSON *one = read_json("out");
    struct table table = read_table("dir/map_desk_floor.csv");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(all, "responses")), POINTS));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(one, "responses")), 1));
    cr_assert(eq(str, (char *)record_text(one, "responses.0.receiver"), "floor-7"));
    cr_assert(eq(str, (char *)record_text(one, "responses.0.onset_from"), "run"));
    cr_assert(eq(dbl, record_number(one, "responses.0.rate_hz"), 1500)); /* as the file has it */
    cr_assert(eq(dbl, record_number(one, "responses.0.g_db.1"), record_number(all, "responses.6.g_db.1")));
    size_t present = 0;
    for (size_t i = 0; i < POINTS; i++)
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (size_t b = 0; b < 2; b++) {
                char key[60], column[40];
                snprintf(key, sizeof key, "responses.%zu.%s.%zu", i, figure_kind[f].name, b);
                snprintf(column, sizeof column, "%s_%d", figure_kind[f].name, b == 0 ? 63 : 125);
                const double printed = record_number(all, key),
                             written = field(table.line[1 + i], column_of(&table, column));
                cr_assert(isfinite(printed) == isfinite(written), "%s", key);
                /* A tenth of the last decimal that is printed. */
                cr_assert(isnan(written) ||
                              test_near(printed, written, 0.1 * pow(10, -figure_kind[f].decimals)),
                          "%s: %g, not %g", key, printed, written);
                present += isfinite(written);
            }
    cr_assert(present > 100, "only %zu figures were compared", present);
    free(table.text);
}

Test(receiver_map, a_drawing_is_xml_with_a_square_for_each_point)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir", "--maps", "all"), 0);
    cr_assert(eq(sz, count_entries("dir", ".svg"), 3 * PRESSURE_FIGURES));
    cr_assert(exists("dir/map_desk_floor_c80_63hz.svg") && exists("dir/map_desk_floor_g_125hz.svg"));
    char *text = read_text("dir/map_desk_floor_g.svg");
    expect_xml(text);
    cr_assert(eq(sz, count_words(text, "<rect class=\"cell\""), POINTS));
    cr_assert(eq(sz, count_words(text, "fill=\"url(#absent)\"><title>"), 0));
    static const char *const words[] = {">G, 125 Hz octave<",   ">G [dB]<",   ">desk</text>",
                                        "receiver grid floor<", "one step: ", " JND of 1 dB"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_assert(strstr(text, words[i]) != NULL, "no %s", words[i]);
    /* 12 squares of 1 m beside each other: from 0.0625 m to 4.0625 m */
    double x[2], y[2], width[2], height[2];
    const char *cell = text;
    for (int i = 0; i < 2; i++) {
        cell = strstr(cell + 1, "<rect class=\"cell\"");
        cr_assert(eq(int,
                     sscanf(cell, "<rect class=\"cell\" x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                            &x[i], &y[i], &width[i], &height[i]),
                     4));
    }
    cr_assert(test_near(x[1], x[0] + width[0], 0.02) && test_near(y[1], y[0], 0.001));
    cr_assert(test_near(width[0], height[0], 1e-9));
    /* 0.12 s are too short for T30: hatched, with the reason. */
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir", "--force", "--duration", "0.12"), 0);
    cr_assert(eq(sz, count_entries("dir", ".svg"), PRESSURE_FIGURES),
              "only the main drawings of the new run");
    text = read_text("dir/map_desk_floor_t30.svg");
    expect_xml(text);
    cr_assert(eq(sz, count_words(text, "<rect class=\"cell\""), POINTS));
    const size_t absent = count_words(text, "fill=\"url(#absent)\"><title>");
    cr_assert(absent > 0, "%zu", absent);
    char legend[60];
    snprintf(legend, sizeof legend, ">absent: %zu of 12<", absent);
    cr_assert(strstr(text, legend) != NULL, "%s", legend);
    cr_assert(strstr(text, "absent, the first of them because: ") != NULL);
}

Test(receiver_map, run_json_has_the_points_and_their_mean_and_range)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir", "--receiver-grid",
                      "lane=1,0.5,0;3.6,0.5,0;3.6,1.5,0;1,1.5,0", "--grid-spacing", "0.5"),
                  0);
    cJSON *record = read_json("dir/run.json");
    const cJSON *lane = record_at(record, "grids.1"), *map = record_at(lane, "maps.0");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "grids")), 2));
    cr_assert(eq(str, (char *)text_of(lane, "name"), "lane"));
    cr_assert(eq(dbl, number(lane, "points"), 10));
    cr_assert(eq(dbl, number(lane, "height_m"), 1.2));
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(lane, "positions_m")), 10));
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(lane, "polygon_m")), 4));
    cr_assert(eq(str, (char *)text_of(map, "file"), "ir_desk_lane.wav"));
    cr_assert(eq(str, (char *)text_of(map, "table"), "map_desk_lane.csv"));
    const cJSON *drawing;
    cJSON_ArrayForEach(drawing, record_at(map, "drawings"))
    {
        char path[100];
        snprintf(path, sizeof path, "dir/%s", drawing->valuestring);
        cr_assert(exists(path), "%s", path);
    }
    struct table table = read_table("dir/map_desk_lane.csv");
    const size_t column = column_of(&table, "g_db_125");
    double sum = 0, squares = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < 10; i++) {
        const double value = field(table.line[1 + i], column);
        sum += value;
        squares += value * value;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    const struct {
        const char *key;
        double value;
    } parts[] = {{"g_db.1", sum / 10},
                 {"g_db_deviation.1", sqrt((squares - sum * sum / 10) / 9)},
                 {"g_db_low.1", low},
                 {"g_db_high.1", high},
                 {"g_db_points.1", 10}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        cr_assert(test_near(record_number(map, parts[p].key), parts[p].value, 1e-6), "%s", parts[p].key);
    free(table.text);
    /* The ceiling is a wall too, but nothing of the room is above it. */
    cr_assert(
        eq(dbl, record_number(record, "grids.0.left_out.no_air"), record_number(record, "grids.0.points")));
}

Test(receiver_map, the_repeated_run_gives_every_figure_its_spread)
{
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir", "--repeat-shifted"), 0);
    struct wav_sound offset = read_sound("dir/shifted_ir_desk_floor.wav");
    cr_assert(eq(int, offset.channels, POINTS));
    struct table table = read_table("dir/map_desk_floor.csv");
    const size_t value = column_of(&table, "g_db_125"), spread = column_of(&table, "g_db_125_spread");
    cr_assert(eq(sz, spread, value + 1));
    double sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const double off = field(table.line[1 + i], spread);
        cr_assert(off > 0 && off < 3, "point %zu: %g dB", i, off);
        sum += off;
    }
    cJSON *record = read_json("dir/run.json");
    cr_assert(
        eq(str, (char *)record_text(record, "grids.0.maps.0.file_shifted"), "shifted_ir_desk_floor.wav"));
    cr_assert(test_near(record_number(record, "grids.0.maps.0.g_db_spread.1"), sum / POINTS, 1e-6));
    free(table.text);
}

/* The box with another name for what it is made of, of as many letters. */
static void rename_wall(const char *name)
{
    char *text = read_text("hall.obj");
    for (char *at = text; (at = strstr(at, "usemtl wall")) != NULL; at += 7)
        memcpy(at + 7, name, 4);
    write_text("hall.obj", text);
}

Test(receiver_map, a_room_of_pews_without_receivers_is_heard_by_its_audience_and_by_none_if_so_asked)
{
    rename_wall("pews");
    expect_status(RUN("plan", HALL, "--json"), 0);
    cr_assert(eq(dbl, record_number(read_json("out"), "grids.0.points"), POINTS));
    expect_status(RUN("simulate", HALL, "-o", "dir"), 0);
    const cJSON *record = read_json("dir/run.json");
    cr_assert(eq(str, (char *)record_text(record, "grids.0.name"), "audience"));
    cr_assert(record_at(record, "grids.0.material") == NULL &&
              record_at(record, "grids.0.polygon_m") == NULL);
    cr_assert(eq(dbl, record_number(record, "grids.0.points"), POINTS));
    cr_assert(eq(dbl, record_number(record, "grids.0.left_out.ledges"), 0));
    cr_assert(exists("dir/ir_desk_R1.wav"), "there is a place to listen at");
    expect_status(RUN("simulate", HALL, "-o", "named", "--receiver-grid", "pews=pews"), 0);
    cr_assert(same_file("dir/ir_desk_audience.wav", "named/ir_desk_pews.wav"));

    expect_status(RUN("simulate", HALL, "-o", "none", "--receiver-grid", "none"), 2);
    expect_words("err", "there is no receiver");
    expect_status(RUN("simulate", HALL, "-o", "one", "--receiver", "3,2,1.2"), 0);
    cr_assert(record_at(read_json("one/run.json"), "grids.0") == NULL);
    expect_status(RUN("simulate", HALL, "-o", "both", "--receiver", "3,2,1.2", "--receiver-grid", "audience"),
                  0);
    cr_assert(eq(dbl, record_number(read_json("both/run.json"), "grids.0.points"), POINTS));

    write_text("hall.yaml", "room: hall.obj\nreceiver_grids:\n- name: people\n  spacing_m: 2\n");
    expect_status(RUN("simulate", "hall.yaml", "--fmax", "350", "--duration", "0.1", "--absorption", "0.3",
                      "--source", "1,1,1", "-o", "project"),
                  0);
    cr_assert(eq(dbl, record_number(read_json("project/run.json"), "grids.0.points"), 2));
}

Test(receiver_map, what_cannot_be_a_grid_is_refused_before_anything_is_written)
{
    static const struct {
        const char *argument[4], *words;
    } wrong[] = {
        {{"--receiver-grid", "none"}, "there is no receiver"},
        {{FLOOR, "--receiver", "2,2,1.2,floor"}, "two receivers or receiver grids are called floor"},
        {{FLOOR, FLOOR}, "two receivers or receiver grids are called floor"},
        {{"--receiver-grid", "a=walls"},
         "no surface of the model is called \"walls\" (did you mean \"wall\"?)"},
        {{FLOOR, "--grid-height", "3"}, "no point is left 3 m above the floor"},
        {{FLOOR, "--grid-spacing", "5cm"}, "a file takes 1024: a spacing of "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const *more = wrong[i].argument;
        expect_status(RUN("simulate", HALL, "-o", "dir", more[0], more[1], more[2], more[3]), 2);
        expect_words("err", wrong[i].words);
    }
    expect_status(RUN("plan", HALL, FLOOR, "--grid-spacing", "5cm"), 2);
    cr_assert(not(exists("dir")));
}

Test(receiver_map, a_full_disk_leaves_no_part_of_a_map)
{
    file_limit = 20000; /* a channel has 2.4 kB, twelve have 29 kB */
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir"), 5);
    file_limit = RLIM_INFINITY;
    cr_assert(not(exists("dir")));
    /* What an earlier run left is worth more. */
    expect_status(RUN("simulate", HALL, FLOOR, "-o", "dir"), 0);
    char *before = read_text("dir/map_desk_floor.csv");
    file_limit = 20000;
    expect_status(RUN("simulate", HALL, "--receiver-grid", "other=wall", "-o", "dir", "--force"), 5);
    file_limit = RLIM_INFINITY;
    char *after = read_text("dir/map_desk_floor.csv");
    cr_assert(eq(str, before, after));
    cr_assert(eq(sz, count_entries("dir", "other"), 0));
    /* And one that goes well takes its place. */
    expect_status(RUN("simulate", HALL, "--receiver-grid", "other=wall", "-o", "dir", "--force"), 0);
    cr_assert(eq(sz, count_entries("dir", "floor"), 0));
    cr_assert(eq(sz, count_entries("dir", "_other"), 2 + 3 * PRESSURE_FIGURES));
}

static double bytes_in(const char *path)
{
    double bytes = 0;
    struct dirent *entry;
    DIR *files = opendir(path);
    cr_assert(files != NULL);
    while ((entry = readdir(files)) != NULL) {
        char name[400];
        struct stat there;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (stat(name, &there) == 0 && S_ISREG(there.st_mode))
            bytes += (double)there.st_size;
    }
    closedir(files);
    return bytes;
}

Test(receiver_map, a_plan_tells_the_disk_that_a_run_takes)
{
    static const char *const more[][3] = {{"--receiver", "3,2,1.2", "--ambisonics"}, {"--repeat-shifted"}};
    for (size_t i = 0; i < 2; i++) {
        expect_status(
            RUN("plan", HALL, FLOOR, "--grid-spacing", "0.4", "--json", more[i][0], more[i][1], more[i][2]),
            0);
        const double predicted = record_number(read_json("out"), "bytes_disk");
        expect_status(RUN("simulate", HALL, FLOOR, "--grid-spacing", "0.4", "-o", "dir", "--force",
                          more[i][0], more[i][1], more[i][2]),
                      0);
        const double bytes = bytes_in("dir");
        cr_assert(test_at_least(predicted, 0.8 * bytes) && test_at_most(predicted, 1.4 * bytes),
                  "%zu: %.0f of %.0f bytes", i, predicted, bytes);
    }
}

Test(receiver_map, a_plan_counts_what_the_points_take)
{
    static const char *const spacing[2] = {"1", "0.4"};
    double bytes[2], points = 0, rate = 0;
    for (int i = 0; i < 2; i++) {
        expect_status(RUN("plan", HALL, FLOOR, "--grid-spacing", spacing[i], "--json", "--layout", "box"), 0);
        cJSON *record = read_json("out");
        bytes[i] = number(record, "bytes_peak");
        points = record_number(record, "grids.0.points");
        rate = number(record, "rate_hz");
    }
    cr_assert(eq(dbl, points, 80));
    /* A row of steps in double and a channel of the file. */
    cr_assert(bytes[1] - bytes[0] > 68 * (0.4 * rate * 8 + 0.4 * 48000 / 32 * 4));
}
