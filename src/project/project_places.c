/* Where a project has its sources and receivers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/options/option_values.h"
#include "src/project/project_schema.h"

#define COORDINATE_MAX 1e6 /* [m], as mesh_check() has it */

int project_read_vector(const struct project_spot *spot, double vector[3], struct failure *failure)
{
    static const struct project_limits limits = {-COORDINATE_MAX, COORDINATE_MAX, false, false, "m"};
    return project_read_numbers(
        spot, &limits, 3, "a list of three coordinates in metres, as in [4, -1.5, 1.2]", vector, failure);
}

#define PLACES_MAX 10000

static int read_place_name(const struct project_spot *spot, char name[OPTION_NAME_MAX],
                           struct failure *failure)
{
    const char *text = project_spot_text(spot);
    if (!option_name_is_valid(text))
        return project_refuse_value(
            spot, "1 to 63 letters, digits, _ or -, because the name goes into file names", failure);
    memcpy(name, text, strlen(text) + 1);
    return 0;
}

/* Where the receiver of that number looks: "NAME=SOURCE" or "NAME=DEGREES", as --look has it. */
static int read_look(struct project *project, const struct project_spot *spot, const char *name,
                     size_t number, struct failure *failure)
{
    struct option_texts *look = &project->value.look;
    const char *text = NULL;
    char pair[2 * OPTION_NAME_MAX + 32];
    TRY(project_read_text(spot, "the name of a source, or an azimuth in degrees from +x towards +y", &text,
                          failure));
    const int length = name[0] != '\0' ? snprintf(pair, sizeof pair, "%s=%.80s", name, text)
                                       : snprintf(pair, sizeof pair, "R%zu=%.80s", number, text);
    if (length < 0 || strlen(text) > 80)
        return project_refuse_value(spot, "the name of a source, or an azimuth in degrees", failure);
    const char **grown = realloc(look->text, (look->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (look->count + 1) * sizeof *grown, "where receivers look");
    look->text = grown;
    TRY(project_keep(project, pair, &look->text[look->count], failure));
    look->count++;
    project_give(project, "look");
    return 0;
}

static int read_place(struct project *project, const struct project_spot *spot, size_t number, bool may_look,
                      struct option_place *place, struct failure *failure)
{
    static const char *const source_keys[] = {"name", "position", NULL}, *const receiver_keys[] = {
                                                                             "name", "position", "look",
                                                                             NULL};
    struct project_spot look = {0};
    struct project_spot entry;
    bool seen = false;
    if (project_spot_kind(spot) == PROJECT_SCALAR) {
        place->of_model = true;
        return read_place_name(spot, place->name, failure);
    }
    TRY(project_expect(spot, PROJECT_MAP, "a name of the model, or a mapping with name and position",
                       failure));
    TRY(project_refuse_twice(spot, failure));
    for (size_t i = 0; i < project_spot_count(spot); i++) {
        TRY(project_spot_entry(spot, i, &entry, failure));
        if (strcmp(entry.key, "name") == 0) {
            TRY(read_place_name(&entry, place->name, failure));
        } else if (strcmp(entry.key, "position") == 0) {
            TRY(project_read_vector(&entry, place->position, failure));
            seen = true;
        } else if (may_look && strcmp(entry.key, "look") == 0) {
            look = entry;
        } else {
            return project_refuse_key(&entry, may_look ? receiver_keys : source_keys, failure);
        }
    }
    if (look.node != NULL)
        TRY(read_look(project, &look, place->name, number, failure));
    if (!seen)
        return project_refuse(spot, failure,
                              "has no position; expected name and position, as in "
                              "{name: pulpit, position: [4, -1.5, 1.5]}");
    return 0;
}

static int read_places(struct project_reader *reader, const struct project_spot *spot, const char *option,
                       struct option_places *places, struct failure *failure)
{
    const size_t count = project_spot_count(spot);
    TRY(project_expect(spot, PROJECT_LIST, "a list of positions, each with name and position", failure));
    if (count > PLACES_MAX)
        return project_refuse(spot, failure, "has %zu entries; the limit is %d", count, PLACES_MAX);
    project_give(reader->project, option);
    free(places->place);
    *places = (struct option_places){.place = calloc(count, sizeof *places->place)};
    if (places->place == NULL)
        return failure_memory(failure, count * sizeof *places->place, "a list of positions");
    for (; places->count < count; places->count++) {
        struct project_spot entry;
        TRY(project_spot_entry(spot, places->count, &entry, failure));
        TRY(read_place(reader->project, &entry, places->count + 1, strcmp(option, "receiver") == 0,
                       &places->place[places->count], failure));
    }
    return 0;
}

int project_read_sources(struct project_reader *reader, const struct project_spot *spot,
                         struct failure *failure)
{
    return read_places(reader, spot, "source", &reader->project->value.source, failure);
}

int project_read_receivers(struct project_reader *reader, const struct project_spot *spot,
                           struct failure *failure)
{
    return read_places(reader, spot, "receiver", &reader->project->value.receiver, failure);
}

#define GRIDS_MAX 1000

static int read_corners(const struct project_spot *spot, struct option_grid *grid, struct failure *failure)
{
    const size_t count = project_spot_count(spot);
    TRY(project_expect(spot, PROJECT_LIST, "a list of corners on the floor, each [x, y, z]", failure));
    if (count > PLACES_MAX)
        return project_refuse(spot, failure, "has %zu entries; the limit is %d", count, PLACES_MAX);
    grid->corner = calloc(count, sizeof *grid->corner);
    if (grid->corner == NULL)
        return failure_memory(failure, count * sizeof *grid->corner, "the corners of a polygon");
    for (; grid->corners < count; grid->corners++) {
        struct project_spot corner;
        TRY(project_spot_entry(spot, grid->corners, &corner, failure));
        TRY(project_read_vector(&corner, grid->corner[grid->corners], failure));
    }
    return 0;
}

static int read_grid(struct project *project, const struct project_spot *spot, struct option_grid *grid,
                     struct failure *failure)
{
    static const char *const known[] = {"name", "material", "corners", "spacing_m", "height_m", NULL};
    const struct project_limits spacing = project_limits_of("grid-spacing"),
                                height = project_limits_of("grid-height");
    TRY(project_expect(spot, PROJECT_MAP, "a mapping with name, and material or corners", failure));
    TRY(project_refuse_twice(spot, failure));
    for (size_t i = 0; i < project_spot_count(spot); i++) {
        struct project_spot entry;
        const char *text = NULL;
        TRY(project_spot_entry(spot, i, &entry, failure));
        if (strcmp(entry.key, "name") == 0) {
            TRY(read_place_name(&entry, grid->name, failure));
        } else if (strcmp(entry.key, "material") == 0) {
            TRY(project_read_text(&entry, "a material of the room", &text, failure));
            TRY(project_keep(project, text, &grid->material, failure));
        } else if (strcmp(entry.key, "corners") == 0) {
            TRY(read_corners(&entry, grid, failure));
        } else if (strcmp(entry.key, "spacing_m") == 0) {
            TRY(project_read_number(&entry, &spacing, &grid->spacing, failure));
        } else if (strcmp(entry.key, "height_m") == 0) {
            TRY(project_read_number(&entry, &height, &grid->height, failure));
        } else {
            return project_refuse_key(&entry, known, failure);
        }
    }
    if (grid->name[0] == '\0')
        return project_refuse(spot, failure, "has no name, which goes into file names");
    if ((grid->material != NULL) == (grid->corners > 0))
        return project_refuse(spot, failure,
                              "needs either a material or corners, to say where the points are");
    return 0;
}

int project_read_grids(struct project_reader *reader, const struct project_spot *spot,
                       struct failure *failure)
{
    struct option_grids *grids = &reader->project->value.receiver_grid;
    const size_t count = project_spot_count(spot);
    TRY(project_expect(spot, PROJECT_LIST, "a list of areas, each with name, and material or corners",
                       failure));
    if (count > GRIDS_MAX)
        return project_refuse(spot, failure, "has %zu entries; the limit is %d", count, GRIDS_MAX);
    project_give(reader->project, "receiver-grid");
    grids->grid = calloc(count, sizeof *grids->grid);
    if (grids->grid == NULL)
        return failure_memory(failure, count * sizeof *grids->grid, "a list of receiver grids");
    for (size_t i = 0; i < count; i++) {
        struct project_spot entry;
        TRY(project_spot_entry(spot, i, &entry, failure));
        grids->count++;
        TRY(read_grid(reader->project, &entry, &grids->grid[i], failure));
    }
    return 0;
}
