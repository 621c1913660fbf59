#include "src/run_folder/run_geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh/gltf_write.h"

static int compare_places(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    for (int axis = 2; axis >= 0; axis--)
        if (p[axis] != q[axis])
            return p[axis] < q[axis] ? -1 : 1;
    return 0;
}

static void write_runs(FILE *stream, int32_t (*place)[3], size_t count)
{
    for (size_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && place[next][2] == place[first][2] && place[next][1] == place[first][1] &&
               place[next][0] == place[next - 1][0] + 1)
            next++;
        fprintf(stream, "%s[%d,%d,%d,%zu]", first > 0 ? ",\n" : "", (int)place[first][0],
                (int)place[first][1], (int)place[first][2], next - first);
    }
}

static int stage_blocks(const struct block_grid *grid, const char *path, struct whole_file *out,
                        struct failure *failure)
{
    const double h = grid->lattice.spacing, *origin = grid->lattice.origin;
    const size_t blocks = block_list_first(grid) - 1; /* that have a place */
    int32_t(*place)[3] = malloc((blocks + 1) * sizeof *place);
    if (place == NULL)
        return failure_memory(failure, (blocks + 1) * sizeof *place, "a list of blocks");
    for (size_t b = 0; b < blocks; b++)
        memcpy(place[b], grid->block[b + 1].place, sizeof place[b]);
    qsort(place, blocks, sizeof *place, compare_places);
    int code = whole_file_open(out, path, failure);
    if (code == 0) {
        fprintf(out->stream, "{\"origin_m\": [%.17g, %.17g, %.17g],\n \"edge_m\": %.17g,\n \"runs\": [\n",
                origin[0] - h / 2, origin[1] - h / 2, origin[2] - h / 2, BLOCK_EDGE * h);
        write_runs(out->stream, place, blocks);
        fprintf(out->stream, "]}\n"); /* an error shows when the file is settled */
        code = whole_file_settle(out, failure);
    }
    free(place);
    return code;
}

int run_geometry_put(const struct mesh *mesh, const struct block_grid *grid, struct output_folder *folder,
                     struct failure *failure)
{
    struct whole_file room = {0}, blocks = {0};
    char *room_path = output_folder_file(folder, RUN_MESH_FILE),
         *blocks_path = output_folder_file(folder, RUN_BLOCKS_FILE);
    int code = room_path == NULL || blocks_path == NULL ? failure_memory(failure, 100, "a path") : 0;
    if (code == 0)
        code = gltf_stage(mesh, room_path, true, &room, failure);
    if (code == 0)
        code = stage_blocks(grid, blocks_path, &blocks, failure);
    if (code == 0)
        code = output_folder_put(folder, RUN_MESH_FILE, &room, failure);
    if (code == 0)
        code = output_folder_put(folder, RUN_BLOCKS_FILE, &blocks, failure);
    whole_file_abandon(&room);
    whole_file_abandon(&blocks);
    free(room_path);
    free(blocks_path);
    return code;
}
