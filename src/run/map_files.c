#include "src/run/map_files.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"
#include "src/acoustics/octave_decay.h"
#include "src/run/map_drawing.h"
#include "src/run/map_table.h"
#include "src/run/setup_record.h"

#define FILE_NAME_MAX (2 * OPTION_NAME_MAX + 40)

/* ---- what is shown ---- */

/* The octave of a map: 0.. or, for the single number, `bands`. */
static double value_at(const struct acoustic_figures *figures, enum figure figure, size_t band)
{
    return band < figures->bands ? acoustic_figure_of(&figures->octave[band], figure)
                                 : acoustic_figure_single(figures, figure);
}

/* The single number where the band reaches that far, else the highest octave up to 1 kHz. */
static size_t main_band(const struct acoustic_figures *figures)
{
    size_t highest = 0;
    for (size_t b = 0; b < figures->bands; b++) {
        const int name = octave_nominal(figures->octave[b].times.centre);
        if (name == 1000)
            return figures->bands;
        highest = b;
    }
    return highest;
}

static const char *band_words(const struct acoustic_figures *figures, size_t band, char text[48])
{
    if (band < figures->bands)
        snprintf(text, 48, "%d Hz octave", octave_nominal(figures->octave[band].times.centre));
    else
        snprintf(text, 48, "mean of 500 and 1000 Hz");
    return text;
}

/* Why a point has no figure: EDT, T20 and T30 have a reason of their own. The single number lacks that of 500
 * Hz or of 1000 Hz. */
static const char *reason_of(const struct acoustic_figures *figures, enum figure figure, size_t band)
{
    for (size_t b = 0; b < figures->bands; b++) {
        const int name = octave_nominal(figures->octave[b].times.centre);
        const struct octave_figures *octave = &figures->octave[b];
        const bool meant = band < figures->bands ? b == band : name == 500 || name == 1000;
        if (meant && !isfinite(acoustic_figure_of(octave, figure)))
            return figure <= FIGURE_T30 ? octave->times.why : octave->why;
    }
    return "";
}

/* ---- files ---- */

static int put_text(const struct text_buffer *text, const char *name, struct output_folder *folder,
                    struct failure *failure)
{
    struct whole_file file = {0};
    char *path = output_folder_file(folder, name);
    int code = path == NULL ? failure_memory(failure, strlen(name), "a path")
                            : whole_file_open(&file, path, failure);
    if (code == 0) {
        (void)fwrite(text->data, 1, text->size, file.stream); /* an error shows when the file is settled */
        code = whole_file_settle(&file, failure);
    }
    if (code == 0)
        code = output_folder_put(folder, name, &file, failure);
    whole_file_abandon(&file);
    free(path);
    return code;
}

/* "c80": the first part of "c80_db" */
static void short_name(enum figure figure, char text[16])
{
    const char *name = figure_kind[figure].name;
    snprintf(text, 16, "%.*s", (int)strcspn(name, "_"), name);
}

struct chosen {
    const struct grid_run *run;
    size_t source, grid;
    const struct receiver_map *map;
};

static int draw(const struct chosen *chosen, enum figure figure, size_t band, const char *name,
                struct output_folder *folder, struct failure *failure)
{
    const struct room_setup *setup = chosen->run->setup;
    const struct receiver_map *map = chosen->map;
    char octave[48];
    struct text_buffer text = {0};
    double *value = calloc(map->points + 1, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, map->points * sizeof *value, "a map");
    struct map_drawing drawing = {.mesh = &setup->model.mesh,
                                  .grid = &setup->grid.receiver_grid[chosen->grid],
                                  .source = setup->points.point[chosen->source].name,
                                  .source_position = setup->points.point[chosen->source].position,
                                  .figure = figure,
                                  .octave = band_words(&map->figures[0], band, octave),
                                  .value = value};
    for (size_t i = 0; i < map->points; i++) {
        value[i] = value_at(&map->figures[i], figure, band);
        if (!isfinite(value[i]) && drawing.why == NULL)
            drawing.why = reason_of(&map->figures[i], figure, band);
    }
    int code = map_drawing_svg(&drawing, &text, failure);
    if (code == 0)
        code = put_text(&text, name, folder, failure);
    free(text.data);
    free(value);
    return code;
}

static int draw_all(const struct chosen *chosen, struct output_folder *folder, struct failure *failure)
{
    const struct room_setup *setup = chosen->run->setup;
    const struct acoustic_figures *first = &chosen->map->figures[0];
    const char *source = setup->points.point[chosen->source].name,
               *grid = setup->grid.receiver_grid[chosen->grid].name;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        char name[FILE_NAME_MAX], figure[16];
        short_name((enum figure)f, figure);
        snprintf(name, sizeof name, "map_%s_%s_%s.svg", source, grid, figure);
        TRY(draw(chosen, (enum figure)f, main_band(first), name, folder, failure));
        for (size_t b = 0; setup->request.points.maps == OPTION_MAPS_ALL && b < first->bands; b++) {
            snprintf(name, sizeof name, "map_%s_%s_%s_%dhz.svg", source, grid, figure,
                     octave_nominal(first->octave[b].times.centre));
            TRY(draw(chosen, (enum figure)f, b, name, folder, failure));
        }
    }
    return 0;
}

static const struct receiver_map *map_of(const struct grid_run *run, size_t source, size_t grid)
{
    if (run == NULL || run->map == NULL)
        return NULL;
    const struct receiver_map *map = &run->map[source * run->setup->grid.receiver_grids + grid];
    return map->file[0] != '\0' ? map : NULL;
}

int map_files_write(const struct grid_run *run, const struct grid_run *shifted, struct output_folder *folder,
                    struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    for (size_t s = 0; s < setup->points.sources; s++)
        for (size_t g = 0; g < setup->grid.receiver_grids; g++) {
            const struct chosen chosen = {.run = run, .source = s, .grid = g, .map = map_of(run, s, g)};
            struct text_buffer text = {0};
            char name[FILE_NAME_MAX];
            if (chosen.map == NULL)
                continue;
            snprintf(name, sizeof name, "map_%s_%s.csv", setup->points.point[s].name,
                     setup->grid.receiver_grid[g].name);
            int code = map_table_csv(&setup->grid.receiver_grid[g], chosen.map, map_of(shifted, s, g),
                                     setup->model.sound_speed, &text, failure);
            if (code == 0)
                code = put_text(&text, name, folder, failure);
            free(text.data);
            if (code != 0)
                return code;
            if (chosen.map->figures[0].bands > 0)
                TRY(draw_all(&chosen, folder, failure));
        }
    return 0;
}

/* ---- run.json ---- */

/* Of the points that have a figure. */
struct spread {
    size_t count;
    double mean, squares, low, high;
};

static struct spread spread_of(const struct receiver_map *map, enum figure figure, size_t band)
{
    struct spread spread = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < map->points; i++) {
        const double value = value_at(&map->figures[i], figure, band);
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
        const double off =
            value_at(&shifted->figures[i], figure, band) - value_at(&map->figures[i], figure, band);
        sum += isfinite(off) ? fabs(off) : 0;
        count += isfinite(off) ? 1 : 0;
    }
    return count > 0 ? sum / (double)count : NAN;
}

static bool fill_figure(struct record_map *record, const struct receiver_map *map,
                        const struct receiver_map *shifted, enum figure figure)
{
    enum { MEAN, DEVIATION, LOW, HIGH, POINTS, SPREAD, PARTS };
    double value[PARTS][OCTAVE_BANDS_MAX];
    const size_t bands = map->figures[0].bands;
    for (size_t b = 0; b < bands; b++) {
        const struct spread spread = spread_of(map, figure, b);
        const bool any = spread.count > 0;
        value[MEAN][b] = any ? spread.mean : NAN;
        value[DEVIATION][b] = spread.count > 1 ? sqrt(spread.squares / (double)(spread.count - 1)) : NAN;
        value[LOW][b] = any ? spread.low : NAN;
        value[HIGH][b] = any ? spread.high : NAN;
        value[POINTS][b] = (double)spread.count;
        value[SPREAD][b] = shifted != NULL ? mean_shift(map, shifted, figure, b) : NAN;
    }
    return json_numbers_set(&record->mean.octave[figure], value[MEAN], bands) &&
           json_numbers_set(&record->deviation.octave[figure], value[DEVIATION], bands) &&
           json_numbers_set(&record->low.octave[figure], value[LOW], bands) &&
           json_numbers_set(&record->high.octave[figure], value[HIGH], bands) &&
           json_numbers_set(&record->points.octave[figure], value[POINTS], bands) &&
           (shifted == NULL || json_numbers_set(&record->spread.octave[figure], value[SPREAD], bands));
}

/* The names of its drawings. */
static bool fill_drawings(struct record_map *record, const char *source, const char *grid)
{
    char name[PRESSURE_FIGURES][FILE_NAME_MAX];
    const char *names[PRESSURE_FIGURES];
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        char figure[16];
        short_name((enum figure)f, figure);
        snprintf(name[f], sizeof name[f], "map_%s_%s_%s.svg", source, grid, figure);
        names[f] = name[f];
    }
    return json_texts_set(&record->drawings, names, record->octaves.count > 0 ? PRESSURE_FIGURES : 0);
}

static bool fill_map(struct record_map *record, const struct grid_run *run, const struct grid_run *shifted,
                     size_t source, size_t grid)
{
    const struct receiver_map *map = map_of(run, source, grid), *other = map_of(shifted, source, grid);
    const char *source_name = run->setup->points.point[source].name,
               *grid_name = run->setup->grid.receiver_grid[grid].name;
    const struct acoustic_figures *first = &map->figures[0];
    double centre[OCTAVE_BANDS_MAX];
    char table[FILE_NAME_MAX];
    for (size_t b = 0; b < first->bands; b++)
        centre[b] = first->octave[b].times.centre;
    snprintf(table, sizeof table, "map_%s_%s.csv", source_name, grid_name);
    record->samples = (double)map->samples;
    record->seconds = map->seconds;
    if (!json_text_set(&record->source, source_name) || !json_text_set(&record->file, map->file) ||
        (other != NULL && !json_text_set(&record->file_shifted, other->file)) ||
        !json_text_set(&record->table, table) || !json_numbers_set(&record->octaves, centre, first->bands) ||
        !fill_drawings(record, source_name, grid_name))
        return false;
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (!fill_figure(record, map, other, (enum figure)f))
            return false;
    return true;
}

/* Those of one grid: of every source that was run. */
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

void map_files_print(FILE *stream, const struct grid_run *run)
{
    static const enum figure shown[] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80, FIGURE_G};
    enum { SHOWN = sizeof shown / sizeof shown[0] };
    const struct room_setup *setup = run->setup;
    bool headed = false;
    for (size_t s = 0; s < setup->points.sources; s++)
        for (size_t g = 0; g < setup->grid.receiver_grids; g++) {
            const struct receiver_map *map = map_of(run, s, g);
            char text[2 * OPTION_NAME_MAX + 40];
            if (map == NULL || map->figures[0].bands == 0)
                continue;
            const size_t band = main_band(&map->figures[0]);
            if (!headed) {
                fprintf(stream, "maps, %-*s", LABEL - 6, band_words(&map->figures[0], band, text));
                for (int f = 0; f < SHOWN; f++) {
                    const struct figure_kind *kind = &figure_kind[shown[f]];
                    snprintf(text, sizeof text, "%s [%s]", kind->word, kind->unit);
                    fprintf(stream, "%*s", COLUMN, text);
                }
                fputc('\n', stream);
            }
            headed = true;
            snprintf(text, sizeof text, "  %s, %s, %zu points", setup->points.point[s].name,
                     setup->grid.receiver_grid[g].name, map->points);
            fprintf(stream, "%-*s", LABEL, text);
            for (int f = 0; f < SHOWN; f++) {
                const struct spread spread = spread_of(map, shown[f], band);
                const int decimals = figure_kind[shown[f]].decimals;
                if (spread.count > 0)
                    snprintf(text, sizeof text, "%.*f (%.*f..%.*f)", decimals, spread.mean, decimals,
                             spread.low, decimals, spread.high);
                else
                    snprintf(text, sizeof text, "-");
                fprintf(stream, " %*s", COLUMN - 1, text);
            }
            fputc('\n', stream);
        }
}
