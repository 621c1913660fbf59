#include "src/python/api_room.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/cli/request_from_options.h"
#include "src/python/api_process.h"
#include "src/python/transept.h"
#include "src/run/prepare_grid.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"

void transept_room_free(struct transept_room *room)
{
    room_setup_free(&room->setup);
    options_free(&room->options);
    project_close(room->project);
    for (int a = 0; a < room->argument_count; a++)
        free(room->argument[a]);
    free(room->argument);
    free(room);
}

static int copy_arguments(struct transept_room *room, int count, char *const *argument,
                          struct failure *failure)
{
    room->argument = calloc((size_t)count + 1, sizeof *room->argument);
    if (room->argument == NULL)
        return failure_memory(failure, (size_t)count * sizeof *room->argument, "a room's options");
    for (; room->argument_count < count; room->argument_count++) {
        char *copy = strdup(argument[room->argument_count]);
        if (copy == NULL)
            return failure_memory(failure, strlen(argument[room->argument_count]), "a room's options");
        room->argument[room->argument_count] = copy;
    }
    return 0;
}

static int open_room(struct transept_room *room, const struct mesh *mesh, struct failure *failure)
{
    TRY(options_parse(COMMAND_PLAN, "plan", "ROOM", room->argument_count, room->argument, NULL,
                      &room->options, failure));
    if (room->options.help)
        return failure_set(failure, FAILURE_INPUT, "help is printed by the program: transept plan --help");
    TRY(command_take_project(&room->options, &room->project, failure));
    struct room_request request = request_from_options(&room->options);
    request.quiet = true;
    request.model.mesh = mesh;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, &room->setup, failure));
    TRY(prepare_grid(&room->setup, &room->estimate, &room->needs, failure));
    room->setup.request.model.mesh = NULL; /* the caller's */
    progress_json_end();
    return interrupt_stop(failure);
}

int transept_room_open(int count, char **argument, const struct mesh *mesh, const char *project,
                       const struct listener *listener, struct transept_room **out, struct failure *failure)
{
    struct transept_room *room = calloc(1, sizeof *room);
    if (room == NULL)
        return failure_memory(failure, sizeof *room, "a room");
    int code = copy_arguments(room, count, argument, failure);
    if (code == 0)
        code = api_process_begin(project, listener, failure);
    if (code == 0)
        code = open_room(room, mesh, failure);
    api_process_end();
    if (code != 0) {
        transept_room_free(room);
        return code;
    }
    *out = room;
    return 0;
}

static void add_node(cJSON *object, const char *name, const int64_t node[3])
{
    cJSON *list = json_list_in(object, name);
    for (int axis = 0; axis < 3; axis++)
        json_append(list, cJSON_CreateNumber((double)node[axis]));
}

static void add_grid(cJSON *record, const struct block_grid *grid)
{
    cJSON *object = json_object_in(record, "grid");
    JSON_PUT(object, {"spacing_m", OF_NUMBER(grid->lattice.spacing)},
             {"origin_m", OF_POINT(grid->lattice.origin)});
    add_node(object, "air_low", grid->air_low);
    add_node(object, "air_high", grid->air_high);
    JSON_PUT(object, {"air_nodes", OF_NUMBER(grid->air_nodes)}, {"list_blocks", OF_NUMBER(grid->list_blocks)},
             {"list_nodes", OF_NUMBER(grid->list_nodes)}, {"has_records", OF_TRUTH(grid->has_records)},
             {"isotropic", OF_TRUTH(grid->isotropic)}, {"lambda2", OF_NUMBER(grid->lambda2)});
}

char *transept_room_record(const struct transept_room *room)
{
    cJSON *object = cJSON_CreateObject();
    record_plan(object, &room->setup, &room->estimate, &room->needs);
    add_grid(object, &room->setup.grid.packed);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

int transept_room_array(const struct transept_room *room, const char *name, const void **data,
                        uint64_t *count, struct failure *failure)
{
    const struct block_grid *grid = &room->setup.grid.packed;
    const struct {
        const char *name;
        const void *data;
        uint64_t count;
    } array[] = {
        {"block", grid->block, (uint64_t)grid->blocks + 1},
        {"tile", grid->tile, grid->tiles},
        {"marks", grid->marks, grid->tiles},
        {"wall_first", grid->wall_first, (uint64_t)grid->blocks + 2},
        {"wall", grid->wall, grid->walls},
        {"cut_first", grid->cut_first, (uint64_t)grid->blocks + 2},
        {"cut", grid->cut, grid->cuts},
        {"gain", grid->gain, grid->cuts},
        {"extra_node", grid->extra_node, grid->extra_nodes},
        {"extra_link", grid->extra_link, grid->extra_links},
        {"list_voxel", grid->list_voxel, grid->list_nodes},
        {"edge", grid->edge, (uint64_t)grid->blocks + 1},
        {"plaquette", grid->plaquette, grid->cuts},
    };
    for (size_t a = 0; a < sizeof array / sizeof *array; a++)
        if (strcmp(array[a].name, name) == 0) {
            *data = array[a].data;
            *count = array[a].data != NULL ? array[a].count : 0;
            return 0;
        }
    return failure_set(failure, FAILURE_INPUT, "a block grid has no array %s", name);
}

void transept_room_index(const struct transept_room *room, size_t count, const int64_t *node, uint64_t *index)
{
    const struct block_grid *grid = &room->setup.grid.packed;
    for (size_t n = 0; n < count; n++) {
        index[n] = block_grid_index(grid, node + 3 * n);
        if (index[n] != UINT64_MAX &&
            !block_is_air(grid, (block_id)(index[n] / BLOCK_NODES), (unsigned)(index[n] % BLOCK_NODES)))
            index[n] = UINT64_MAX;
    }
}
