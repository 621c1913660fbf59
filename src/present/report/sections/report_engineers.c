#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/present/compare/setup_change.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/pitch_name.h"
#include "src/base/words/words.h"
#include "src/present/report/report_response.h"

/* A line of the tables; left out where a run does not have it. */
struct fact {
    const char *name; /* in run.json */
    const char *words;
    enum { SINGLE, COUNT, BYTES } kind; /* SINGLE: a number, or a text */
    const char *unit;
    int digits; /* of a number, as html_number() takes them */
    double scale;
};
#define NUMBER(name, words, unit, digits, scale)                                                             \
    {                                                                                                        \
        name, words, SINGLE, unit, digits, scale                                                             \
    }
#define WHOLE(kind, name, words)                                                                             \
    {                                                                                                        \
        name, words, kind, "", 0, 1                                                                          \
    }
#define TEXT(name, words)                                                                                    \
    {                                                                                                        \
        name, words, SINGLE, "", 0, 1                                                                        \
    }

static const struct fact resolution[] = {
    NUMBER("fmax_hz", T_LATER("highest frequency"), "Hz", -4, 1),
    TEXT("scheme", T_LATER("scheme")),
    TEXT("quality", T_LATER("quality asked for")),
    NUMBER("points_per_wavelength", T_LATER("grid points per wavelength there"), "", -3, 1),
    NUMBER("spacing_m", T_LATER("grid spacing"), "mm", -4, 1000),
    NUMBER("rate_hz", T_LATER("time steps per second"), "", -6, 1),
    NUMBER("courant", T_LATER("Courant number"), "", 4, 1),
    NUMBER("courant_share", T_LATER("time step, of the longest possible"), "%", 1, 100),
    NUMBER("duration_s", T_LATER("length of the responses"), "s", 2, 1),
    WHOLE(COUNT, "steps", T_LATER("time steps")),
    NUMBER("sound_speed_m_s", T_LATER("speed of sound"), "m/s", 1, 1),
    NUMBER("air.temperature_c", T_LATER("temperature"),
           "\xC2\xB0"
           "C",
           -3, 1),
    NUMBER("air.humidity_percent", T_LATER("relative humidity"), "%", -3, 1),
    NUMBER("air.pressure_kpa", T_LATER("air pressure"), "kPa", -6, 1),
    TEXT("air.method", T_LATER("losses of the air")),
    TEXT("walls", T_LATER("walls")),
    TEXT("precision", T_LATER("precision")),
    TEXT("layout", T_LATER("layout of the grid")),
};

static const struct fact memory[] = {
    WHOLE(BYTES, "bytes_box", T_LATER("bounding box, which most programs store")),
    WHOLE(BYTES, "bytes_blocks", T_LATER("blocks that hold air, which this program stores")),
    WHOLE(BYTES, "bytes_walls", T_LATER("walls")),
    WHOLE(BYTES, "bytes_ideal", T_LATER("the air alone, the least possible")),
    WHOLE(BYTES, "bytes_peak", T_LATER("largest at any time")),
    WHOLE(COUNT, "box_nodes", T_LATER("nodes of the bounding box")),
    WHOLE(COUNT, "stored_nodes", T_LATER("nodes stored in blocks")),
    WHOLE(COUNT, "air_nodes", T_LATER("nodes of air")),
    WHOLE(COUNT, "blocks", T_LATER("blocks of 8 \xC3\x97 8 \xC3\x97 8 nodes")),
    NUMBER("occupancy", T_LATER("stored share of the box"), "%", 1, 100),
    NUMBER("air_volume_m3", T_LATER("volume of the air"), "m\xC2\xB3", 1, 1),
    NUMBER("cells_volume_m3", T_LATER("volume of the cells that hold it in the grid"), "m\xC2\xB3", 1, 1),
    WHOLE(COUNT, "cut_cells.nodes", T_LATER("cells that walls cut")),
    NUMBER("cut_cells.volume_added_percent", T_LATER("volume added to small cells"), "%", -2, 1),
};

static const struct fact machine[] = {
    TEXT("engine", T_LATER("computed by")),
    TEXT("backend_because", T_LATER("because")),
    NUMBER("seconds", T_LATER("computing time"), "s", -4, 1),
    NUMBER("seconds_predicted", T_LATER("predicted"), "s", -4, 1),
    NUMBER("node_updates_per_second", T_LATER("node updates per second, in millions"), "", -4, 1e-6),
};

static const struct fact repeat[] = {
    TEXT("program", T_LATER("program")),
    TEXT("version", T_LATER("version")),
    TEXT("room.file", T_LATER("model")),
    TEXT("room.hash", T_LATER("hash of its file")),
    TEXT("room.mesh_hash", T_LATER("hash of the mesh as read")),
    WHOLE(COUNT, "room.triangles", T_LATER("triangles")),
    WHOLE(COUNT, "room.open_edges", T_LATER("open edges")),
    TEXT("project.file", T_LATER("project")),
    TEXT("project.hash", T_LATER("its hash")),
    TEXT("project.variant", T_LATER("variant")),
    TEXT("materials_file.file", T_LATER("list of materials")),
    TEXT("materials_file.hash", T_LATER("its hash")),
    TEXT("grid_hash", T_LATER("hash of the grid")),
};

/* Choices that stand in run.json, for the catalogue. */
static const char *const choices[] = {T_LATER("conformal"), T_LATER("staircase"), T_LATER("first-order"),
                                      T_LATER("single"),    T_LATER("double"),    T_LATER("blocks"),
                                      T_LATER("box")};

/* For the catalogue: what the engine says of itself, and parts that warnings and reasons are put together of.
 */
/* clang-format off */
#define ENGINES \
    SAID("cpu %s, %s, %s, %d threads") SAID("cpu %s, %s, %s, 1 thread") SAID("%s, blocks, %s") SAID("%s, box, %s") \
    SAID("blocks") SAID("box") SAID("single") SAID("double") SAID("this program was built without CUDA")
#define PARTS \
    SAID("%s and %zu more") SAID(" (and %zu more)") SAID("others at %.10g, %.10g, %.10g m") SAID("\"%s\" absorbs %s at %s Hz%s") \
    SAID("%s (%.3g m2 face the air, %.3g m2 in the grid)") \
    SAID("%s (%.3g m2 face the air, %.3g m2 in the grid), %s") \
    SAID(" \"%s\" %.4g of %.4g m2%s") SAID(", \"%s\" %.4g of %.4g m2%s") SAID(" (%.4g m2 under \"%s\"%s)%s") \
    SAID("%s and EDT") SAID("%s and T20") SAID("%s and T30") SAID("%s and C50") SAID("%s and C80") \
    SAID("%s and D50") SAID("%s and Ts") SAID("%s and G") SAID("%s and LJ") \
    SAID("a space of %.4g m3 around %s is taken") SAID("to simulate that one, close the gap in the model")
/* clang-format on */

static bool is_choice(const char *word)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (strcmp(choices[i], word) == 0)
            return true;
    return false;
}

static void add_fact(struct table *table, const struct report *report, size_t run, const struct fact *fact)
{
    char path[80];
    snprintf(path, sizeof path, "run.%s", fact->name);
    const cJSON *const item = report_find_data(report, run, path);
    const bool number = cJSON_IsNumber(item) && isfinite(item->valuedouble);
    if (!number && !cJSON_IsString(item))
        return;
    TABLE_ROW_WORDS(table, T(fact->words));
    table_cell(table, NULL);
    if (!number && is_choice(item->valuestring))
        table_word(table, item->valuestring, "runs.%zu.%s", run, path);
    else if (!number)
        table_string(table, item->valuestring, "runs.%zu.%s", run, path);
    else if (fact->kind == SINGLE)
        table_number(table, item->valuedouble, fact->digits, fact->scale, "runs.%zu.%s", run, path);
    else
        table_whole(table, fact->kind == COUNT ? PIECE_COUNT : PIECE_BYTES, item->valuedouble, "runs.%zu.%s",
                    run, path);
    table_unit(table, fact->unit);
}

static void put_table(FILE *page, const struct report *report, size_t run, const char *name,
                      const char *caption, const struct fact *fact, size_t count)
{
    struct table table;
    table_begin(&table, "facts");
    table_name(&table, "%s", name);
    table_words(&table, caption);
    for (size_t i = 0; i < count; i++)
        add_fact(&table, report, run, &fact[i]);
    report_table_put(page, report, &table, (int)run);
}
#define PUT_TABLE(fact, caption)                                                                             \
    put_table(page, report, run, #fact, caption, fact, sizeof fact / sizeof *fact)

static void put_repeat(FILE *page, const struct report *report, size_t run)
{
    PUT_TABLE(repeat, T("To repeat the run"));
}

/* The text between the quotes: each quote of its own is put behind a closed one. */
static void put_argument(FILE *page, const char *text)
{
    const char *quote;
    while ((quote = strchr(text, '\'')) != NULL) {
        html_piece(page, text, (size_t)(quote - text));
        fputs("&#39;\\&#39;&#39;", page);
        text = quote + 1;
    }
    html_piece(page, text, strlen(text));
}

/* In single quotes where a shell would take it apart. */
static void put_command(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=+%@/";
    html_text(page, room->command);
    for (size_t i = 0; i < room->arguments.count; i++) {
        const char *text = room->arguments.text[i];
        if (text == NULL)
            continue;
        const bool quote = text[0] == '\0' || text[strspn(text, plain)] != '\0';
        fputs(quote ? " &#39;" : " ", page);
        put_argument(page, text);
        fputs(quote ? "&#39;" : "", page);
    }
}

/* The correction that makes the shares of surfaces add up to 1: report_shares.h. */
static void put_rest(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    struct table table;
    table_begin(&table, "facts");
    table_name(&table, "rest");
    table_words(&table, T("Account of the energy"));
    for (size_t s = 0; s < of->energy.count; s++) {
        const struct report_account *account = &of->energy.item[s];
        if (account->source == NULL)
            continue;
        TABLE_ROW_WORDS(&table, T("of the sound of "));
        table_string(&table, account->source, "runs.%zu.energy.%zu.source", run, s);
        table_words(&table, T(", not accounted for and spread over all shares in proportion"));
        TABLE_NUMBER_CELL(&table, account->rest, -2, 100, "runs.%zu.energy.%zu.rest", run, s);
        table_unit(&table, "%");
    }
    if (table.rows > 0)
        report_table_put(page, report, &table, (int)run);
    table_free(&table);
}

static void put_tables(FILE *page, const struct report *report, size_t run)
{
    PUT_TABLE(resolution, T("Resolution"));
    PUT_TABLE(memory, T("Memory"));
    PUT_TABLE(machine, T("Machine"));
    put_rest(page, report, run);
}

/* ---- places ---- */

static void put_points(FILE *page, const struct report *report, size_t run, bool of_both)
{
    struct table table;
    table_begin(&table, "points");
    table_words(&table, T("Sources and receivers"));
    if (of_both) {
        table_words(&table, T(" of both runs"));
    } else if (report->runs > 1) {
        table_words(&table, T(" of "));
        table_string(&table, report->run[run].name, "runs.%zu.name", run);
    }
    TABLE_HEADS(&table, T("what"), T("name"), "x m", "y m", "z m");
    for (size_t p = 0; p < report->run[run].points.count; p++) {
        const struct report_point *point = &report->run[run].points.item[p];
        table_row(&table, NULL);
        TABLE_WORD_CELL(&table, point->is_source ? T_LATER("source") : T_LATER("receiver"),
                        "runs.%zu.points.%zu.kind", run, p);
        table_head(&table);
        table_string(&table, point->name, "runs.%zu.points.%zu.name", run, p);
        for (int axis = 0; axis < 3; axis++)
            TABLE_NUMBER_CELL(&table, point->position[axis], 2, 1, "runs.%zu.points.%zu.position_m.%d", run,
                              p, axis);
    }
    report_table_put(page, report, &table, (int)run);
}

static bool same_point(const struct report_point *a, const struct report_point *b)
{
    bool same = a->is_source == b->is_source &&
                strcmp(a->name != NULL ? a->name : "", b->name != NULL ? b->name : "") == 0;
    for (int axis = 0; axis < 3; axis++)
        same = same && fabs(a->position[axis] - b->position[axis]) <=
                           1e-12 * fmax(fabs(a->position[axis]), fabs(b->position[axis]));
    return same;
}

/* Two runs most often have the same places. */
static bool same_points(const struct report *report)
{
    const struct report_run *a = &report->run[0], *b = &report->run[1];
    if (report->runs != 2 || a->points.count != b->points.count)
        return false;
    for (size_t p = 0; p < a->points.count; p++)
        if (!same_point(&a->points.item[p], &b->points.item[p]))
            return false;
    return true;
}

static void put_head(FILE *page, const struct report *report, size_t run, size_t index)
{
    char text[SETUP_CHANGE_MAX];
    head_words(&report->run[run].model->points.heads.item[index], text);
    html_text(page, text);
}

static void put_all_points(FILE *page, const struct report *report)
{
    const bool alike = same_points(report);
    for (size_t r = 0; r < (alike ? 1 : report->runs); r++)
        put_points(page, report, r, alike);
}

static void put_lowest(FILE *page, const struct report *report, size_t run)
{
    (void)report;
    (void)run;
    fprintf(page, "%d", REPORT_LOWEST);
}

/* The highest pitch of the waves. */
static void put_pitch(FILE *page, const struct report *report, size_t run)
{
    const double fmax = report->run[run].model->room.fmax;
    char pitch[PITCH_NAME_MAX];
    fputs(fmax > 0 ? pitch_name(fmax, pitch) : "", page);
}

void report_engineers(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(engineers), {"tables", .part = put_tables},
                {"lowest", .part = put_lowest}, {"pitch", .part = put_pitch},
                {"octave", .part = report_rays_octave}, {"points", .section = put_all_points},
                {"head", .item = put_head}, {"repeat", .part = put_repeat}, {"command", .part = put_command});
}
