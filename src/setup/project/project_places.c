/* Reads the sources and receivers of a project. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"
#include "src/setup/project/project_readers.h"

#define COORDINATE_MAX 1e6 /* [m], as mesh_check() has it */

int project_read_vector(const struct yaml_spot *spot, double vector[3], struct failure *failure)
{
    static const struct yaml_limits limits = {-COORDINATE_MAX, COORDINATE_MAX, false, false, "m"};
    return yaml_read_numbers(spot, &limits, 3, "a list of three coordinates in metres, as in [4, -1.5, 1.2]",
                             vector, failure);
}

#define PLACES_MAX 10000

static int read_place_name(const struct yaml_spot *spot, char name[OPTION_NAME_MAX], struct failure *failure)
{
    const char *text = yaml_spot_text(spot);
    if (!option_name_is_valid(text))
        return yaml_refuse_value(
            spot, "1 to 63 letters, digits, _ or -, because the name goes into file names", failure);
    memcpy(name, text, strlen(text) + 1);
    return 0;
}

/* A key of the source of that number, in the form of the option: "NAME=..". */
static int read_radiation(struct project *project, const struct yaml_spot *spot, const char *expected,
                          const char *option, struct option_texts *texts, const char *name, size_t number,
                          struct failure *failure)
{
    const char *text = NULL, *pair = NULL;
    char number_name[24], joined[200] = "";
    if (yaml_spot_kind(spot) == YAML_LIST) { /* of numbers */
        for (size_t i = 0; i < yaml_spot_count(spot); i++) {
            struct yaml_spot entry;
            TRY(yaml_spot_entry(spot, i, &entry, failure));
            TRY(yaml_read_text(&entry, expected, &text, failure));
            text_append(joined, sizeof joined, "%s%s", i == 0 ? "" : ",", text);
        }
        text = joined;
    } else {
        TRY(yaml_read_text(spot, expected, &text, failure));
    }
    if (strcmp(option, "directivity") == 0 && strchr(text, '.') != NULL)
        TRY(project_path(project, text, &text, failure));
    (void)snprintf(number_name, sizeof number_name, "S%zu", number);
    TRY(project_keep(project, &pair, failure, "%s=%s", name[0] != '\0' ? name : number_name, text));
    TRY(option_text_add_at(pair, project->file, spot->line, texts, failure));
    project_give(project, option);
    return 0;
}

/* The orientation of the receiver of that number, in the form of the option: "NAME=SOURCE" or
 * "NAME=DEGREES". */
static int read_look(struct project *project, const struct yaml_spot *spot, const char *name, size_t number,
                     struct failure *failure)
{
    const char *text = NULL, *pair = NULL;
    char number_name[24];
    TRY(yaml_read_text(spot, "the name of a source, or an azimuth in degrees from +x towards +y", &text,
                       failure));
    if (strlen(text) > 80)
        return yaml_refuse_value(spot, "the name of a source, or an azimuth in degrees", failure);
    (void)snprintf(number_name, sizeof number_name, "R%zu", number);
    TRY(project_keep(project, &pair, failure, "%s=%s", name[0] != '\0' ? name : number_name, text));
    TRY(option_text_add_at(pair, project->file, spot->line, &project->value.request.listening.look, failure));
    project_give(project, "look");
    return 0;
}

/* The object at the receiver of that number, in the form of the option: "NAME", "NAME=RADIUS" or
 * "NAME=FILE". */
static int read_dummy_head(struct project *project, const struct yaml_spot *spot, const char *name,
                           size_t number, struct failure *failure)
{
    const char *text = NULL, *pair = NULL;
    char number_name[24];
    TRY(yaml_read_text(spot, "true, a radius in metres, or a mesh", &text, failure));
    (void)snprintf(number_name, sizeof number_name, "R%zu", number);
    const char *const of = name[0] != '\0' ? name : number_name;
    if (strcmp(text, "false") == 0)
        return 0;
    const char *const ending = strrchr(text, '.');
    if (ending != NULL && isalpha((unsigned char)ending[1]))
        TRY(project_path(project, text, &text, failure));
    if (strcmp(text, "true") == 0)
        TRY(project_keep(project, &pair, failure, "%s", of));
    else
        TRY(project_keep(project, &pair, failure, "%s=%s", of, text));
    TRY(option_text_add(pair, &project->value.request.listening.dummy_head, failure));
    project_give(project, "dummy-head");
    return 0;
}

static int read_place(struct project *project, const struct yaml_spot *spot, size_t number, bool may_look,
                      struct option_place *place, struct failure *failure)
{
    enum { NAME, POSITION, LOOK, DUMMY_HEAD, KEYS, DIRECTIVITY = LOOK, AIM };
    static const char *const of_receiver[] = {"name", "position", "look", "dummy_head", NULL},
                             *const of_source[] = {"name", "position", "directivity", "aim", NULL};
    struct yaml_spot key[KEYS] = {0};
    int code = 0;
    if (yaml_spot_kind(spot) == YAML_SCALAR) {
        place->of_model = true;
        place->line = spot->line;
        place->file = project->file;
        return read_place_name(spot, place->name, failure);
    }
    TRY(yaml_expect(spot, YAML_MAP, "a name of the model, or a mapping with name and position", failure));
    ALSO(code, failure, project_find_keys(spot, may_look ? of_receiver : of_source, key, &next));
    if (key[NAME].node != NULL)
        ALSO(code, failure, read_place_name(&key[NAME], place->name, &next));
    if (key[POSITION].node != NULL)
        ALSO(code, failure, project_read_vector(&key[POSITION], place->position, &next));
    if (may_look && key[LOOK].node != NULL)
        ALSO(code, failure, read_look(project, &key[LOOK], place->name, number, &next));
    if (may_look && key[DUMMY_HEAD].node != NULL)
        ALSO(code, failure, read_dummy_head(project, &key[DUMMY_HEAD], place->name, number, &next));
    if (!may_look && key[DIRECTIVITY].node != NULL)
        ALSO(code, failure,
             read_radiation(project, &key[DIRECTIVITY], "omni, voice, cardioid or a file", "directivity",
                            &project->value.request.radiation.directivity, place->name, number, &next));
    if (!may_look && key[AIM].node != NULL)
        ALSO(code, failure,
             read_radiation(project, &key[AIM],
                            "an azimuth in degrees, [azimuth, elevation], [x, y, z] or a receiver", "aim",
                            &project->value.request.radiation.aim, place->name, number, &next));
    if (code == 0 && key[POSITION].node == NULL)
        return yaml_refuse(spot, failure,
                           "has no position; expected name and position, as in "
                           "{name: pulpit, position: [4, -1.5, 1.5]}");
    return code;
}

static int read_places(struct project_reader *reader, const struct yaml_spot *spot, const char *option,
                       struct option_places *places, struct failure *failure)
{
    const size_t count = yaml_spot_count(spot);
    TRY(project_expect(spot, YAML_LIST, PLACES_MAX, "a list of positions, each with name and position",
                       failure));
    project_give(reader->project, option);
    free(places->place);
    *places = (struct option_places){.place = calloc(count, sizeof *places->place)};
    if (places->place == NULL)
        return failure_memory(failure, count * sizeof *places->place, "a list of positions");
    int code = 0;
    for (; places->count < count; places->count++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(spot, places->count, &entry, failure));
        ALSO(code, failure,
             read_place(reader->project, &entry, places->count + 1, strcmp(option, "receiver") == 0,
                        &places->place[places->count], &next));
    }
    return code;
}

int project_read_sources(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure)
{
    return read_places(reader, spot, "source", &reader->project->value.request.points.source, failure);
}

int project_read_together(struct project_reader *reader, const struct yaml_spot *spot,
                          struct failure *failure)
{
    TRY(project_expect(spot, YAML_MAP, PLACES_MAX,
                       "names, each with its sources, as in {choir: \"S1, S2:-3\"}", failure));
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        const char *text = NULL, *pair = NULL;
        char sources[4000];
        size_t length = 0;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        TRY(yaml_read_text(&entry, "sources joined by commas, each with its gain in dB and delay in ms",
                           &text, failure));
        if (strlen(text) >= sizeof sources)
            return yaml_refuse_value(&entry, "fewer sources", failure);
        for (; *text != '\0'; text++)
            if (*text != ' ')
                sources[length++] = *text;
        sources[length] = '\0';
        TRY(project_keep(reader->project, &pair, failure, "%s=%s", entry.key, sources));
        TRY(option_text_add_at(pair, reader->project->file, entry.line,
                               &reader->project->value.request.radiation.together, failure));
        project_give(reader->project, "together");
    }
    return 0;
}

int project_read_arrays(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure)
{
    struct project *const project = reader->project;
    TRY(project_expect(spot, YAML_MAP, PLACES_MAX, "names, each with a table, as in {column: column.csv}",
                       failure));
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        const char *text = NULL, *pair = NULL;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        TRY(yaml_read_text(&entry, "a table of loudspeakers", &text, failure));
        TRY(project_path(project, text, &text, failure));
        TRY(project_keep(project, &pair, failure, "%s=%s", entry.key, text));
        TRY(option_text_add_at(pair, project->file, entry.line, &project->value.request.radiation.array,
                               failure));
        project_give(project, "array");
    }
    return 0;
}

int project_read_receivers(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure)
{
    return read_places(reader, spot, "receiver", &reader->project->value.request.points.receiver, failure);
}

#define GRIDS_MAX 1000

static int read_corners(const struct yaml_spot *spot, struct option_grid *grid, struct failure *failure)
{
    const size_t count = yaml_spot_count(spot);
    TRY(project_expect(spot, YAML_LIST, PLACES_MAX, "a list of corners on the floor, each [x, y, z]",
                       failure));
    grid->corner = calloc(count, sizeof *grid->corner);
    if (grid->corner == NULL)
        return failure_memory(failure, count * sizeof *grid->corner, "the corners of a polygon");
    int code = 0;
    for (; grid->corners < count; grid->corners++) {
        struct yaml_spot corner;
        TRY(yaml_spot_entry(spot, grid->corners, &corner, failure));
        ALSO(code, failure, project_read_vector(&corner, grid->corner[grid->corners], &next));
    }
    return code;
}

static int read_grid(struct project *project, const struct yaml_spot *spot, struct option_grid *grid,
                     struct failure *failure)
{
    enum { NAME, MATERIAL, CORNERS, SPACING, HEIGHT, KEYS };
    static const char *const known[] = {"name", "material", "corners", "spacing_m", "height_m", NULL};
    const struct yaml_limits spacing = project_limits_of(project_option("grid-spacing")),
                             height = project_limits_of(project_option("grid-height"));
    struct yaml_spot key[KEYS];
    const char *text = NULL;
    int code = 0;
    TRY(yaml_expect(spot, YAML_MAP, "a mapping with name, and material, corners or neither", failure));
    ALSO(code, failure, project_find_keys(spot, known, key, &next));
    if (key[NAME].node != NULL)
        ALSO(code, failure, read_place_name(&key[NAME], grid->name, &next));
    if (key[MATERIAL].node != NULL) {
        ALSO(code, failure, yaml_read_text(&key[MATERIAL], "a material of the room", &text, &next));
        TRY(project_keep(project, &grid->material, failure, "%s", text));
    }
    if (key[CORNERS].node != NULL)
        ALSO(code, failure, read_corners(&key[CORNERS], grid, &next));
    if (key[SPACING].node != NULL)
        ALSO(code, failure, yaml_read_number(&key[SPACING], &spacing, &grid->spacing, &next));
    if (key[HEIGHT].node != NULL)
        ALSO(code, failure, yaml_read_number(&key[HEIGHT], &height, &grid->height, &next));
    if (code != 0)
        return code;
    if (grid->name[0] == '\0')
        return yaml_refuse(spot, failure, "has no name, which goes into file names");
    if (grid->material != NULL && grid->corners > 0)
        return yaml_refuse(spot, failure,
                           "has a material and corners: give one of them, or neither for where people sit");
    return 0;
}

int project_read_grids(struct project_reader *reader, const struct yaml_spot *spot, struct failure *failure)
{
    struct option_grids *grids = &reader->project->value.request.points.receiver_grid;
    const size_t count = yaml_spot_count(spot);
    TRY(project_expect(spot, YAML_LIST, GRIDS_MAX,
                       "a list of areas, each with name, and material, corners or neither", failure));
    if (grids->grid != NULL) /* a duplicate key, which is refused elsewhere */
        return 0;
    project_give(reader->project, "receiver-grid");
    grids->grid = calloc(count, sizeof *grids->grid);
    if (grids->grid == NULL)
        return failure_memory(failure, count * sizeof *grids->grid, "a list of receiver grids");
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        grids->count++;
        ALSO(code, failure, read_grid(reader->project, &entry, &grids->grid[i], &next));
    }
    return code;
}
