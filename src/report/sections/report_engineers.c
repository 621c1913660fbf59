#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/report/report_page.h"

enum kind { NUMBER, COUNT, BYTES, TEXT };

/* A line of the tables; left out where a run does not have it. */
struct fact {
    const char *name, *words, *unit;
    enum kind kind;
    int digits;   /* of a number, as html_number() takes them */
    double scale; /* 0: 1 */
};

static const struct fact resolution[] = {
    {"fmax_hz", "highest frequency", "Hz", NUMBER, -4, 0},
    {"points_per_wavelength", "grid points a wavelength there", "", NUMBER, -3, 0},
    {"spacing_m", "grid spacing", "mm", NUMBER, -4, 1000},
    {"rate_hz", "time steps a second", "", NUMBER, -6, 0},
    {"courant", "Courant number", "", NUMBER, 4, 0},
    {"duration_s", "length of the responses", "s", NUMBER, 2, 0},
    {"steps", "time steps", "", COUNT, 0, 0},
    {"sound_speed_m_s", "speed of sound", "m/s", NUMBER, 1, 0},
    {"air.temperature_c", "temperature",
     "\xC2\xB0"
     "C",
     NUMBER, -3, 0},
    {"air.humidity_percent", "relative humidity", "%", NUMBER, -3, 0},
    {"air.pressure_kpa", "air pressure", "kPa", NUMBER, -6, 0},
    {"air.method", "losses of the air", "", TEXT, 0, 0},
    {"walls", "walls", "", TEXT, 0, 0},
    {"precision", "precision", "", TEXT, 0, 0},
    {"layout", "layout of the grid", "", TEXT, 0, 0},
};

static const struct fact memory[] = {
    {"bytes_box", "bounding box, which most programs store", "", BYTES, 0, 0},
    {"bytes_blocks", "blocks that hold air, which this program stores", "", BYTES, 0, 0},
    {"bytes_walls", "walls", "", BYTES, 0, 0},
    {"bytes_ideal", "the air alone, the least there is", "", BYTES, 0, 0},
    {"bytes_peak", "most at once", "", BYTES, 0, 0},
    {"box_nodes", "nodes of the bounding box", "", COUNT, 0, 0},
    {"stored_nodes", "nodes stored in blocks", "", COUNT, 0, 0},
    {"air_nodes", "nodes of air", "", COUNT, 0, 0},
    {"blocks", "blocks of 8 \xC3\x97 8 \xC3\x97 8 nodes", "", COUNT, 0, 0},
    {"occupancy", "stored share of the box", "%", NUMBER, 1, 100},
    {"air_volume_m3", "volume of the air", "m\xC2\xB3", NUMBER, 1, 0},
    {"cells_volume_m3", "volume of the cells that hold it in the grid", "m\xC2\xB3", NUMBER, 1, 0},
};

static const struct fact machine[] = {
    {"engine", "computed by", "", TEXT, 0, 0},
    {"backend_because", "because", "", TEXT, 0, 0},
    {"seconds", "time of computing", "s", NUMBER, -4, 0},
    {"seconds_predicted", "predicted", "s", NUMBER, -4, 0},
    {"node_updates_per_second", "node updates a second, in millions", "", NUMBER, -4, 1e-6},
};

static const struct fact repeat[] = {
    {"program", "program", "", TEXT, 0, 0},
    {"version", "version", "", TEXT, 0, 0},
    {"room.file", "model", "", TEXT, 0, 0},
    {"room.hash", "hash of its file", "", TEXT, 0, 0},
    {"room.mesh_hash", "hash of the mesh as read", "", TEXT, 0, 0},
    {"room.triangles", "triangles", "", COUNT, 0, 0},
    {"room.open_edges", "open edges", "", COUNT, 0, 0},
    {"project.file", "project", "", TEXT, 0, 0},
    {"project.hash", "its hash", "", TEXT, 0, 0},
    {"project.variant", "variant", "", TEXT, 0, 0},
    {"materials_file.file", "list of materials", "", TEXT, 0, 0},
    {"materials_file.hash", "its hash", "", TEXT, 0, 0},
    {"grid_hash", "hash of the grid", "", TEXT, 0, 0},
};

static void put_fact(FILE *page, const struct report *report, size_t run, const struct fact *fact)
{
    const cJSON *root = report->root;
    char key[96];
    snprintf(key, sizeof key, "runs.%zu.run.%s", run, fact->name);
    if (fact->kind == TEXT ? record_text(root, key) == NULL : !isfinite(record_number(root, key)))
        return;
    fprintf(page, "<tr><th scope=\"row\">%s</th><td>", fact->words);
    switch (fact->kind) {
    case NUMBER:
        html_number(page, root, fact->digits, fact->scale != 0 ? fact->scale : 1, "%s", key);
        break;
    case COUNT:
        html_count(page, root, "%s", key);
        break;
    case BYTES:
        html_bytes(page, root, "%s", key);
        break;
    case TEXT:
        html_string(page, root, "%s", key);
        break;
    }
    fprintf(page, "%s%s</td></tr>\n", fact->unit[0] != '\0' ? "&nbsp;" : "", fact->unit);
}

static void put_table(FILE *page, const struct report *report, size_t run, const char *caption,
                      const struct fact *fact, size_t count)
{
    fprintf(page, "<table class=\"facts\">\n<caption>%s</caption>\n<tbody>\n", caption);
    for (size_t i = 0; i < count; i++)
        put_fact(page, report, run, &fact[i]);
    fputs("</tbody>\n</table>\n", page);
}

/* What stands between the quotes: each of its own is put behind a closed one. */
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
static void put_command(FILE *page, const cJSON *record)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=+%@/";
    const cJSON *item;
    fputs("<pre class=\"command\"><code>transept ", page);
    html_text(page, record_text(record, "command"));
    cJSON_ArrayForEach(item, record_at(record, "arguments"))
    {
        const char *text = cJSON_GetStringValue(item);
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
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.run.warnings", run);
    const int count = cJSON_GetArraySize(record_at(report->root, key));
    if (count == 0)
        return;
    const int level = report->runs > 1 ? 4 : 3; /* below the name of a run, or below the section */
    fprintf(page, "<h%d>Warnings</h%d>\n<ul>\n", level, level);
    for (int i = 0; i < count; i++) {
        fputs("<li>", page);
        html_string(page, report->root, "%s.%d", key, i);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

/* What the shares of surfaces had to be brought to their sum by: report_shares.h. */
static void put_rest(FILE *page, const struct report *report, size_t run)
{
    const int sources = cJSON_GetArraySize(report_at(report, "runs.%zu.energy", run));
    bool any = false;
    for (int s = 0; s < sources; s++) {
        if (!cJSON_IsObject(report_at(report, "runs.%zu.energy.%d", run, s)))
            continue;
        fputs(any ? "" : "<table class=\"facts\">\n<caption>Account of the energy</caption>\n<tbody>\n",
              page);
        any = true;
        fputs("<tr><th scope=\"row\">of the sound of ", page);
        html_string(page, report->root, "runs.%zu.energy.%d.source", run, s);
        fputs(", not accounted for and spread over all shares in proportion</th><td>", page);
        html_number(page, report->root, -2, 100, "runs.%zu.energy.%d.rest", run, s);
        fputs("&nbsp;%</td></tr>\n", page);
    }
    fputs(any ? "</tbody>\n</table>\n" : "", page);
}

#define TABLE(caption, table) put_table(page, report, r, caption, table, sizeof table / sizeof table[0])

void report_engineers(FILE *page, const struct report *report)
{
    report_section_begin(page, "engineers", "For engineers");
    fputs("<details>\n<summary>Resolution, memory, machine, warnings, and how to repeat the run</summary>\n",
          page);
    for (size_t r = 0; r < report->runs; r++) {
        char key[32];
        report_run_begin(page, report, r);
        snprintf(key, sizeof key, "runs.%zu.run", r);
        TABLE("Resolution", resolution);
        TABLE("Memory", memory);
        TABLE("Machine", machine);
        put_rest(page, report, r);
        put_warnings(page, report, r);
        TABLE("To repeat the run", repeat);
        put_command(page, record_at(report->root, key));
        if (report->runs > 1)
            report_run_end(page);
    }
    fputs(report->runs > 1 ? "</div>\n</details>\n" : "</details>\n", page);
    report_section_end(page);
}
