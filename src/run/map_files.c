#include "src/run/map_files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/table/table_columns.h"
#include "src/draw/map_drawing.h"
#include "src/draw/map_model.h"
#include "src/run/map_table.h"
#include "src/run_folder/result_file.h"
#include "src/run/setup_record.h"
#include "src/run/whole_band.h"

#define FILE_NAME_MAX (2 * OPTION_NAME_MAX + 40)

/* ---- values shown ---- */

/* The place of the octave that is called `hz`; the number of octaves without. */
static size_t octave_at(const struct acoustic_figures *figures, int hz)
{
    size_t b = 0;
    while (b < figures->bands && band_nominal(figures->octave[b].times.centre) != hz)
        b++;
    return b;
}

/* The single number where the band reaches that far, else the highest octave up to 1 kHz. */
static size_t main_band(const struct acoustic_figures *figures)
{
    if (octave_at(figures, 1000) < figures->bands)
        return figures->bands;
    return figures->bands > 0 ? figures->bands - 1 : 0;
}

#define BAND_WORDS_MAX 64

/* "500 Hz octave", "2000 Hz octave, from rays", "mean of 500 and 1000 Hz, from waves and rays" */
static const char *band_words(const struct acoustic_figures *figures, size_t band,
                              const struct map_rays *rays, char text[BAND_WORDS_MAX])
{
    const bool single = band >= figures->bands;
    const size_t first = single ? octave_at(figures, 500) : band,
                 last = single ? octave_at(figures, 1000) : band;
    const char *from = rays->error == NULL || last < rays->waves ? ""
                       : first < rays->waves                     ? ", from waves and rays"
                                                                 : ", from rays";
    if (single)
        snprintf(text, BAND_WORDS_MAX, "mean of 500 and 1000 Hz%s", from);
    else
        snprintf(text, BAND_WORDS_MAX, "%d Hz octave%s", band_nominal(figures->octave[band].times.centre),
                 from);
    return text;
}

/* Why a point has no figure: EDT, T20 and T30 have a reason of their own. The single number lacks that of 500
 * Hz or of 1000 Hz. */
static const char *reason_of(const struct acoustic_figures *figures, enum figure figure, size_t band)
{
    for (size_t b = 0; b < figures->bands; b++) {
        const int name = band_nominal(figures->octave[b].times.centre);
        const struct band_figures *octave = &figures->octave[b];
        const bool meant = band < figures->bands ? b == band : name == 500 || name == 1000;
        if (meant && !isfinite(acoustic_figure_of(octave, figure)))
            return figure <= FIGURE_T30 ? octave->times.why : octave->why;
    }
    return "";
}

/* ---- files ---- */

/* "map_<source>_<grid>" and what follows */
__attribute__((format(printf, 5, 6))) static void map_name(const struct room_setup *setup, size_t source,
                                                           size_t grid, char name[FILE_NAME_MAX],
                                                           const char *format, ...)
{
    const int length = snprintf(name, FILE_NAME_MAX, "map_%s_%s", setup->points.point[source].name,
                                setup->grid.receiver_grid[grid].name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + length, FILE_NAME_MAX - (size_t)length, format, arguments);
    va_end(arguments);
}

/* "c80": of "c80_db" so many characters */
static int short_length(int figure)
{
    return (int)strcspn(figure_kind[figure].name, "_");
}

struct chosen {
    const struct grid_run *run;
    size_t source, grid;
    struct receiver_map *map;
    struct map_rays rays;
};

static struct map_rays rays_of(const struct grid_run *run, size_t source, size_t grid)
{
    struct map_rays rays = {0};
    size_t first = 0;
    for (size_t g = 0; g < grid; g++)
        first += run->grid->receiver_grid[g].count;
    if (run->whole != NULL)
        rays.error = whole_band_map_errors(run->whole, source, first, &rays.waves);
    return rays;
}

/* One file of a map, named `stem` and `ending`; none if `out` stays empty. */
typedef int map_writer(const struct map_drawing *map, struct text_buffer *out, struct failure *failure);

static int put_file(const struct map_drawing *drawing, map_writer *write, const char *stem,
                    const char *ending, struct output_folder *folder, struct failure *failure)
{
    struct text_buffer text = {0};
    char name[FILE_NAME_MAX + 8];
    snprintf(name, sizeof name, "%s%s", stem, ending);
    int code = write(drawing, &text, failure);
    if (code == 0 && text.size > 0)
        code = result_put_text(folder, name, &text, failure);
    free(text.data);
    return code;
}

static struct map_points map_points(const struct receiver_grid *grid)
{
    return (struct map_points){.name = grid->name,
                               .spacing = grid->spacing,
                               .height = grid->height,
                               .count = grid->count,
                               .position = grid->position};
}

static int draw_figure(const struct chosen *chosen, enum figure figure, size_t band, const char *stem,
                       struct output_folder *folder, struct failure *failure)
{
    const struct room_setup *setup = chosen->run->setup;
    const struct receiver_map *map = chosen->map;
    char octave[BAND_WORDS_MAX];
    double *value = calloc(map->points + 1, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, map->points * sizeof *value, "a map");
    const struct mesh whole = mesh_whole(&setup->model.mesh);
    struct map_drawing drawing = {.mesh = &whole,
                                  .grid = map_points(&setup->grid.receiver_grid[chosen->grid]),
                                  .source = setup->points.point[chosen->source].name,
                                  .source_position = setup->points.point[chosen->source].position,
                                  .figure = figure,
                                  .octave = band_words(&map->figures[0], band, &chosen->rays, octave),
                                  .value = value};
    for (size_t i = 0; i < map->points; i++) {
        value[i] = receiver_map_value(map, i, figure, band);
        if (!isfinite(value[i]) && drawing.why == NULL)
            drawing.why = reason_of(&map->figures[i], figure, band);
    }
    int code = put_file(&drawing, map_drawing_svg, stem, ".svg", folder, failure);
    if (code == 0)
        code = put_file(&drawing, map_model_glb, stem, ".glb", folder, failure);
    if (code == 0)
        code = put_file(&drawing, map_model_ply, stem, ".ply", folder, failure);
    free(value);
    return code;
}

static int draw_all(const struct chosen *chosen, struct output_folder *folder, struct failure *failure)
{
    const struct room_setup *setup = chosen->run->setup;
    const struct acoustic_figures *first = &chosen->map->figures[0];
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        char name[FILE_NAME_MAX];
        TRY(interrupt_check());
        map_name(setup, chosen->source, chosen->grid, name, "_%.*s", short_length(f), figure_kind[f].name);
        TRY(draw_figure(chosen, (enum figure)f, main_band(first), name, folder, failure));
        for (size_t b = 0; setup->request.points.maps == OPTION_MAPS_ALL && b < first->bands; b++) {
            map_name(setup, chosen->source, chosen->grid, name, "_%.*s_%dhz", short_length(f),
                     figure_kind[f].name, band_nominal(first->octave[b].times.centre));
            TRY(interrupt_check());
            TRY(draw_figure(chosen, (enum figure)f, b, name, folder, failure));
        }
        chosen->map->drawn = f + 1;
        progress_json_show((double)(f + 1) / PRESSURE_FIGURES);
    }
    return 0;
}

static struct receiver_map *map_of(const struct grid_run *run, size_t source, size_t grid)
{
    if (run == NULL || run->map == NULL)
        return NULL;
    struct receiver_map *map = &run->map[source * run->setup->grid.receiver_grids + grid];
    return map->file[0] != '\0' ? map : NULL;
}

int map_files_write(struct grid_run *run, const struct grid_run *shifted, struct output_folder *folder,
                    struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    for (size_t s = 0; s < setup->points.sources; s++)
        for (size_t g = 0; g < setup->grid.receiver_grids; g++) {
            const struct chosen chosen = {
                .run = run, .source = s, .grid = g, .map = map_of(run, s, g), .rays = rays_of(run, s, g)};
            struct text_buffer text = {0};
            char name[FILE_NAME_MAX];
            if (chosen.map == NULL)
                continue;
            TRY(interrupt_check());
            progress_json_piece(s * setup->grid.receiver_grids + g,
                                setup->points.sources * setup->grid.receiver_grids);
            map_name(setup, s, g, name, ".csv");
            int code = map_table_csv(&setup->grid.receiver_grid[g], chosen.map, map_of(shifted, s, g),
                                     &chosen.rays, setup->model.sound_speed, &text, failure);
            if (code == 0)
                code = result_put_text(folder, name, &text, failure);
            free(text.data);
            if (code != 0)
                return code;
            chosen.map->tabled = true;
            if (chosen.map->figures[0].bands > 0)
                TRY(draw_all(&chosen, folder, failure));
        }
    return 0;
}

/* ---- run.json ---- */

/* Statistics of the points that have a figure. */
struct spread {
    size_t count;
    double mean, squares, low, high;
};

static struct spread spread_of(const struct receiver_map *map, enum figure figure, size_t band)
{
    struct spread spread = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < map->points; i++) {
        const double value = receiver_map_value(map, i, figure, band);
        if (!isfinite(value))
            continue;
        /* Mean and sum of squares from it, one by one (Welford). */
        const double off = value - spread.mean;
        spread.mean += off / (double)++spread.count;
        spread.squares += off * (value - spread.mean);
        spread.low = fmin(spread.low, value);
        spread.high = fmax(spread.high, value);
    }
    return spread;
}

/* The mean over the points of how far the repeated run is off; NaN without points. */
static double mean_shift(const struct receiver_map *map, const struct receiver_map *shifted,
                         enum figure figure, size_t band)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < map->points; i++) {
        const double off = receiver_map_spread(map, shifted, i, figure, band);
        sum += isfinite(off) ? off : 0;
        count += isfinite(off) ? 1 : 0;
    }
    return count > 0 ? sum / (double)count : NAN;
}

/* The mean over the points that have the figure; NaN of waves. */
static double mean_error(const struct receiver_map *map, const struct map_rays *rays, enum figure figure,
                         size_t band)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < map->points; i++) {
        const double error = map_error(rays, i, figure, band, map->figures[i].bands);
        if (isfinite(receiver_map_value(map, i, figure, band)) && isfinite(error)) {
            sum += error;
            count++;
        }
    }
    return count > 0 ? sum / count : NAN;
}

static bool fill_errors(struct record_map *record, const struct receiver_map *map,
                        const struct map_rays *rays)
{
    const char *from[OCTAVE_BANDS_MAX];
    const size_t bands = map->figures[0].bands;
    for (size_t b = 0; b < bands; b++)
        from[b] = b < rays->waves ? "waves" : "rays";
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        double error[OCTAVE_BANDS_MAX];
        for (size_t b = 0; b < bands; b++)
            error[b] = mean_error(map, rays, (enum figure)f, b);
        if (!json_numbers_set(&record->error.octave[f], error, bands))
            return false;
    }
    return json_texts_set(&record->from, from, bands);
}

/* In `bands` bands from number `first` on (receiver_map_value()). */
static bool fill_figure(struct record_map *record, const struct receiver_map *map,
                        const struct receiver_map *shifted, enum figure figure, size_t first, size_t bands)
{
    enum { MEAN, DEVIATION, LOW, HIGH, POINTS, SPREAD, PARTS };
    double value[PARTS][BANDS_MAX];
    for (size_t b = 0; b < bands; b++) {
        const struct spread spread = spread_of(map, figure, first + b);
        const bool any = spread.count > 0;
        value[MEAN][b] = any ? spread.mean : NAN;
        value[DEVIATION][b] = spread.count > 1 ? sqrt(spread.squares / (double)(spread.count - 1)) : NAN;
        value[LOW][b] = any ? spread.low : NAN;
        value[HIGH][b] = any ? spread.high : NAN;
        value[POINTS][b] = (double)spread.count;
        value[SPREAD][b] = shifted != NULL ? mean_shift(map, shifted, figure, first + b) : NAN;
    }
    struct json_numbers *const to[PARTS] = {&record->mean.octave[figure],   &record->deviation.octave[figure],
                                            &record->low.octave[figure],    &record->high.octave[figure],
                                            &record->points.octave[figure], &record->spread.octave[figure]};
    for (int part = 0; part < (shifted != NULL ? PARTS : SPREAD); part++)
        if (!json_numbers_set(to[part], value[part], bands))
            return false;
    return true;
}

static bool fill_thirds(struct record_map *record, const struct receiver_map *map,
                        const struct receiver_map *shifted)
{
    struct record_map *thirds = record->thirds = json_make(&record_third_map_table);
    if (thirds == NULL)
        return false;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (!fill_figure(thirds, map, shifted, (enum figure)f, receiver_map_third(map, 0), map->thirds.count))
            return false;
    return json_numbers_set(&thirds->octaves, map->thirds.centre, map->thirds.count);
}

/* The names of its drawings. */
static bool fill_drawings(struct record_map *record, const struct room_setup *setup, size_t source,
                          size_t grid, int drawn)
{
    char name[PRESSURE_FIGURES][FILE_NAME_MAX];
    const char *names[PRESSURE_FIGURES];
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        map_name(setup, source, grid, name[f], "_%.*s.svg", short_length(f), figure_kind[f].name);
        names[f] = name[f];
    }
    return json_texts_set(&record->drawings, names, (size_t)drawn);
}

static bool fill_map(struct record_map *record, const struct grid_run *run, const struct grid_run *shifted,
                     size_t source, size_t grid)
{
    const struct receiver_map *map = map_of(run, source, grid), *other = map_of(shifted, source, grid);
    const struct acoustic_figures *first = &map->figures[0];
    double centre[OCTAVE_BANDS_MAX];
    char table[FILE_NAME_MAX];
    double marked[OCTAVE_BANDS_MAX] = {0};
    char text[OCTAVE_BANDS_MAX][FIGURE_MARKS_MAX];
    const char *marks[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < first->bands; b++) {
        centre[b] = first->octave[b].times.centre;
        unsigned any = 0;
        for (size_t i = 0; i < map->points; i++) {
            const unsigned own = figure_marks_of(&map->figures[i].octave[b].times);
            marked[b] += own != 0;
            any |= own;
        }
        marks[b] = any != 0 ? figure_marks_text(any, text[b]) : NULL;
    }
    map_name(run->setup, source, grid, table, ".csv");
    record->rate = map->rate;
    record->samples = (double)map->samples;
    record->seconds = map->seconds;
    if (!json_text_set(&record->source, run->setup->points.point[source].name) ||
        !json_text_set(&record->file, map->file) ||
        (other != NULL && !json_text_set(&record->file_shifted, other->file)) ||
        !json_text_set(&record->table, map->tabled ? table : NULL) ||
        !json_numbers_set(&record->octaves, centre, first->bands) ||
        !json_texts_set(&record->marks, marks, first->bands) ||
        !json_numbers_set(&record->marked, marked, first->bands) ||
        !fill_drawings(record, run->setup, source, grid, map->drawn))
        return false;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (!fill_figure(record, map, other, (enum figure)f, 0, first->bands))
            return false;
    if (map->thirds.count > 0 && !fill_thirds(record, map, other))
        return false;
    const struct map_rays rays = rays_of(run, source, grid);
    return rays.error == NULL || fill_errors(record, map, &rays);
}

/* The maps of one grid, for every source that was run. */
static bool fill_maps(struct record_grid *record, const struct grid_run *run, const struct grid_run *shifted,
                      size_t grid)
{
    size_t maps = 0;
    for (size_t s = 0; s < run->setup->points.sources; s++)
        maps += map_of(run, s, grid) != NULL;
    if (!JSON_LIST_MAKE(&record_map_table, &record->maps, maps))
        return false;
    maps = 0;
    for (size_t s = 0; s < run->setup->points.sources; s++)
        if (map_of(run, s, grid) != NULL && !fill_map(&record->maps.item[maps++], run, shifted, s, grid))
            return false;
    return true;
}

bool map_files_record(struct run_model *model, const struct grid_run *run, const struct grid_run *shifted)
{
    if (!record_fill_grids(model, run->setup))
        return false;
    for (size_t g = 0; g < model->grids.count; g++)
        if (!fill_maps(&model->grids.item[g], run, shifted, g))
            return false;
    return true;
}

/* ---- printed ---- */

double map_files_seconds(const struct grid_run *run)
{
    double seconds = 0;
    for (size_t m = 0; run->map != NULL && m < run->setup->points.sources * run->setup->grid.receiver_grids;
         m++)
        seconds += run->map[m].seconds;
    return seconds;
}

#define LABEL  28
#define COLUMN 18

static void add_map_heads(struct table *table, const struct acoustic_figures *figures, size_t figures_shown,
                          const enum figure shown[])
{
    static const struct map_rays not_said = {0};
    char text[BAND_WORDS_MAX + 8], band[BAND_WORDS_MAX];
    snprintf(text, sizeof text, "maps, %s", band_words(figures, main_band(figures), &not_said, band));
    TABLE_HEADS(table, text);
    for (size_t f = 0; f < figures_shown; f++) {
        snprintf(text, sizeof text, "%s [%s]", figure_kind[shown[f]].word, figure_kind[shown[f]].unit);
        table_head(table);
        table_words(table, text);
    }
}

/* " 5.25 (5.04..5.46)" */
static void add_map_cell(struct table *table, const struct spread *spread, int decimals)
{
    table_cell(table, NULL);
    table_words(table, " ");
    table_value(table, spread->count > 0 ? spread->mean : NAN, decimals, 1);
    if (spread->count == 0)
        return;
    table_words(table, " (");
    table_value(table, spread->low, decimals, 1);
    table_words(table, "..");
    table_value(table, spread->high, decimals, 1);
    table_words(table, ")");
}

void map_files_print(FILE *stream, const struct grid_run *run)
{
    static const enum figure shown[] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80, FIGURE_G};
    enum { SHOWN = sizeof shown / sizeof shown[0] };
    const struct room_setup *setup = run->setup;
    struct table table;
    char words[BAND_WORDS_MAX] = "";
    table_begin(&table, "maps");
    for (size_t s = 0; s < setup->points.sources; s++)
        for (size_t g = 0; g < setup->grid.receiver_grids; g++) {
            const struct receiver_map *map = map_of(run, s, g);
            const struct map_rays rays = rays_of(run, s, g);
            char label[2 * OPTION_NAME_MAX + 40];
            if (map == NULL || map->figures[0].bands == 0)
                continue;
            if (table.rows == 0)
                add_map_heads(&table, &map->figures[0], SHOWN, shown);
            snprintf(label, sizeof label, "  %s, %s, %zu points", setup->points.point[s].name,
                     setup->grid.receiver_grid[g].name, map->points);
            TABLE_ROW_WORDS(&table, label);
            for (int f = 0; f < SHOWN; f++) {
                const struct spread spread = spread_of(map, shown[f], main_band(&map->figures[0]));
                add_map_cell(&table, &spread, figure_kind[shown[f]].decimals);
            }
            if (!map_has_error(&rays, main_band(&map->figures[0]), map->figures[0].bands))
                continue;
            (void)band_words(&map->figures[0], main_band(&map->figures[0]), &rays, words);
            TABLE_ROW_WORDS(&table, "    error bar");
            for (int f = 0; f < SHOWN; f++)
                TABLE_VALUE_CELL(&table, mean_error(map, &rays, shown[f], main_band(&map->figures[0])),
                                 figure_kind[shown[f]].decimals, 1);
        }
    table_columns(stream, &table, 2, (const int[]){-LABEL, COLUMN});
    if (words[0] != '\0')
        fprintf(stream, "  maps: %s\n", words);
    table_free(&table);
}
