#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

enum kind { NUMBER, COUNT, BYTES, TEXT };

/* A line of the tables; left out where a run does not have it. */
struct fact {
    const char *name; /* in run.json */
    const char *words, *unit;
    enum kind kind;
    int digits; /* of a number, as html_number() takes them */
    double scale;
    double value;
    const char *text;
};
#define NUMBER(name, value, words, unit, digits, scale)                                                      \
    {                                                                                                        \
        name, words, unit, NUMBER, digits, scale, value, NULL                                                \
    }
#define COUNT(name, value, words)                                                                            \
    {                                                                                                        \
        name, words, "", COUNT, 0, 1, value, NULL                                                            \
    }
#define BYTES(name, value, words)                                                                            \
    {                                                                                                        \
        name, words, "", BYTES, 0, 1, value, NULL                                                            \
    }
#define TEXT(name, text, words)                                                                              \
    {                                                                                                        \
        name, words, "", TEXT, 0, 1, NAN, text                                                               \
    }
/* A member of a part that a run may not have. */
#define NUMBER_OF(part, member) ((part) != NULL ? (part)->member : NAN)
#define TEXT_OF(part, member)   ((part) != NULL ? (part)->member : NULL)

static void add_fact(struct table *table, size_t run, const struct fact *fact)
{
    if (fact->kind == TEXT ? fact->text == NULL : !isfinite(fact->value))
        return;
    TABLE_ROW_WORDS(table, T(fact->words));
    table_cell(table, NULL);
    if (fact->kind == NUMBER)
        table_number(table, fact->value, fact->digits, fact->scale, "runs.%zu.run.%s", run, fact->name);
    else if (fact->kind == TEXT)
        table_string(table, fact->text, "runs.%zu.run.%s", run, fact->name);
    else
        table_whole(table, fact->kind == COUNT ? PIECE_COUNT : PIECE_BYTES, fact->value, "runs.%zu.run.%s",
                    run, fact->name);
    table_unit(table, fact->unit);
}

static void put_table(FILE *page, const struct report *report, size_t run, const char *name,
                      const char *caption, const struct fact *fact, size_t count)
{
    struct table table;
    table_begin(&table, "facts");
    table_name(&table, "%s", name);
    table_words(&table, T(caption));
    for (size_t i = 0; i < count; i++)
        add_fact(&table, run, &fact[i]);
    report_table_put(page, report, &table, (int)run);
}
#define PUT_TABLE(page, report, run, name, caption, fact)                                                    \
    put_table(page, report, run, name, caption, fact, sizeof fact / sizeof *fact)

static void put_resolution(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    const struct record_room *room = &model->room;
    const struct record_air *air = model->air;
    const struct fact fact[] = {
        NUMBER("fmax_hz", room->fmax, T_LATER("highest frequency"), "Hz", -4, 1),
        TEXT("scheme", room->scheme, T_LATER("scheme")),
        TEXT("quality", room->quality, T_LATER("quality asked for")),
        NUMBER("points_per_wavelength", room->points_per_wavelength,
               T_LATER("grid points per wavelength there"), "", -3, 1),
        NUMBER("spacing_m", room->spacing, T_LATER("grid spacing"), "mm", -4, 1000),
        NUMBER("rate_hz", room->rate, T_LATER("time steps per second"), "", -6, 1),
        NUMBER("courant", room->courant, T_LATER("Courant number"), "", 4, 1),
        NUMBER("courant_share", room->courant_share, T_LATER("time step, of the longest possible"), "%", 1,
               100),
        NUMBER("duration_s", model->duration, T_LATER("length of the responses"), "s", 2, 1),
        COUNT("steps", model->steps, T_LATER("time steps")),
        NUMBER("sound_speed_m_s", room->sound_speed, T_LATER("speed of sound"), "m/s", 1, 1),
        NUMBER("air.temperature_c", NUMBER_OF(air, temperature), T_LATER("temperature"),
               "\xC2\xB0"
               "C",
               -3, 1),
        NUMBER("air.humidity_percent", NUMBER_OF(air, humidity), T_LATER("relative humidity"), "%", -3, 1),
        NUMBER("air.pressure_kpa", NUMBER_OF(air, pressure), T_LATER("air pressure"), "kPa", -6, 1),
        TEXT("air.method", TEXT_OF(air, method), T_LATER("losses of the air")),
        TEXT("walls", room->walls, T_LATER("walls")),
        TEXT("precision", room->precision, T_LATER("precision")),
        TEXT("layout", room->layout, T_LATER("layout of the grid")),
    };
    PUT_TABLE(page, report, run, "resolution", T_LATER("Resolution"), fact);
}

static void put_memory(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    const struct record_size *size = &model->size;
    const struct record_cut_cells *cells = size->cut_cells;
    const struct fact fact[] = {
        BYTES("bytes_box", size->bytes_box, T_LATER("bounding box, which most programs store")),
        BYTES("bytes_blocks", size->bytes_blocks, T_LATER("blocks that hold air, which this program stores")),
        BYTES("bytes_walls", size->bytes_walls, T_LATER("walls")),
        BYTES("bytes_ideal", size->bytes_ideal, T_LATER("the air alone, the least possible")),
        BYTES("bytes_peak", size->bytes_peak, T_LATER("largest at any time")),
        COUNT("box_nodes", size->box_nodes, T_LATER("nodes of the bounding box")),
        COUNT("stored_nodes", size->stored_nodes, T_LATER("nodes stored in blocks")),
        COUNT("air_nodes", size->air_nodes, T_LATER("nodes of air")),
        COUNT("blocks", size->blocks, T_LATER("blocks of 8 \xC3\x97 8 \xC3\x97 8 nodes")),
        NUMBER("occupancy", size->occupancy, T_LATER("stored share of the box"), "%", 1, 100),
        NUMBER("air_volume_m3", size->air_volume, T_LATER("volume of the air"), "m\xC2\xB3", 1, 1),
        NUMBER("cells_volume_m3", size->cells_volume, T_LATER("volume of the cells that hold it in the grid"),
               "m\xC2\xB3", 1, 1),
        COUNT("cut_cells.nodes", NUMBER_OF(cells, nodes), T_LATER("cells that walls cut")),
        NUMBER("cut_cells.volume_added_percent", NUMBER_OF(cells, added_percent),
               T_LATER("volume added to small cells"), "%", -2, 1),
    };
    PUT_TABLE(page, report, run, "memory", T_LATER("Memory"), fact);
}

static void put_machine(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    const struct fact fact[] = {
        TEXT("engine", model->engine, T_LATER("computed by")),
        TEXT("backend_because", model->room.backend.because, T_LATER("because")),
        NUMBER("seconds", model->seconds, T_LATER("computing time"), "s", -4, 1),
        NUMBER("seconds_predicted", model->seconds_predicted, T_LATER("predicted"), "s", -4, 1),
        NUMBER("node_updates_per_second", model->node_updates_per_second,
               T_LATER("node updates per second, in millions"), "", -4, 1e-6),
    };
    PUT_TABLE(page, report, run, "machine", T_LATER("Machine"), fact);
}

static void put_repeat(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    const struct record_room *room = &model->room;
    const struct record_mesh *mesh = room->mesh;
    const struct record_project *project = room->project;
    const struct record_materials_file *file = room->materials_file;
    const struct fact fact[] = {
        TEXT("program", room->program, T_LATER("program")),
        TEXT("version", room->version, T_LATER("version")),
        TEXT("room.file", TEXT_OF(mesh, file), T_LATER("model")),
        TEXT("room.hash", TEXT_OF(mesh, hash), T_LATER("hash of its file")),
        TEXT("room.mesh_hash", TEXT_OF(mesh, mesh_hash), T_LATER("hash of the mesh as read")),
        COUNT("room.triangles", NUMBER_OF(mesh, triangles), T_LATER("triangles")),
        COUNT("room.open_edges", NUMBER_OF(mesh, open_edges), T_LATER("open edges")),
        TEXT("project.file", TEXT_OF(project, file), T_LATER("project")),
        TEXT("project.hash", TEXT_OF(project, hash), T_LATER("its hash")),
        TEXT("project.variant", TEXT_OF(project, variant), T_LATER("variant")),
        TEXT("materials_file.file", TEXT_OF(file, file), T_LATER("list of materials")),
        TEXT("materials_file.hash", TEXT_OF(file, hash), T_LATER("its hash")),
        TEXT("grid_hash", model->size.grid_hash, T_LATER("hash of the grid")),
    };
    PUT_TABLE(page, report, run, "repeat", T_LATER("To repeat the run"), fact);
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
static void put_command(FILE *page, const struct record_room *room)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=+%@/";
    fputs("<pre class=\"command\"><code>transept ", page);
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
    fputs("</code></pre>\n", page);
}

static void put_warnings(FILE *page, const struct report *report, size_t run)
{
    const struct json_texts *warnings = &report->run[run].model->room.warnings;
    if (warnings->count == 0)
        return;
    const int level = report->runs > 1 ? 4 : 3; /* below the name of a run, or below the section */
    fprintf(page, "<h%d>%s</h%d>\n<ul lang=\"en\">\n", level, T("Warnings"), level);
    for (size_t i = 0; i < warnings->count; i++) {
        fputs("<li>", page);
        html_string(page, warnings->text[i], "runs.%zu.run.warnings.%zu", run, i);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

/* What the shares of surfaces had to be brought to their sum by: report_shares.h. */
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

static void put_run(FILE *page, const struct report *report, size_t run)
{
    put_resolution(page, report, run);
    put_memory(page, report, run);
    put_machine(page, report, run);
    put_rest(page, report, run);
    put_warnings(page, report, run);
    put_repeat(page, report, run);
    put_command(page, &report->run[run].model->room);
}

void report_engineers(FILE *page, const struct report *report)
{
    report_section_begin(page, "engineers", T("For engineers"));
    fprintf(page, "<details>\n<summary>%s</summary>\n",
            T("Resolution, memory, machine, warnings, and how to repeat the run"));
    report_every_run(page, report, put_run);
    fputs("</details>\n", page);
    report_section_end(page);
}
