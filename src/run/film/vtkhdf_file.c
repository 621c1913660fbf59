#include "src/run/film/vtkhdf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/hdf5_writer.h"
#include "src/run/film/block_boxes.h"

#define HIDDEN_CELL 32 /* vtkDataSetAttributes::HIDDENCELL */
#define BOX_CELLS   ((size_t)BLOCK_BOX_EDGE * BLOCK_BOX_EDGE * BLOCK_BOX_EDGE * BLOCK_NODES) /* at most */

/* The group of cell data, open; with its empty siblings, which readers need. */
static hid_t make_data(struct hdf5_writer *writer, hid_t at)
{
    hdf5_group_close(writer, hdf5_group(writer, at, "PointData"));
    hdf5_group_close(writer, hdf5_group(writer, at, "FieldData"));
    const hid_t data = hdf5_group(writer, at, "CellData");
    hdf5_text(writer, data, "Scalars", "pressure");
    return data;
}

/* ---- a slice ---- */

/* The groups of a picture, open. */
struct groups {
    hid_t top, level, data;
};

/* Write a level of boxes, box (boxes, 6): first and last cells along x, y and z of each, counted from the
 * node `first`. */
static struct groups open_level(struct hdf5_writer *writer, const struct lattice *lattice,
                                const int64_t first[3], size_t boxes, const int *box)
{
    static const int version[2] = {1, 0};
    struct groups groups;
    double origin[3], spacing[3];
    for (int d = 0; d < 3; d++) {
        origin[d] = lattice->origin[d] + ((double)first[d] - 0.5) * lattice->spacing;
        spacing[d] = lattice->spacing;
    }
    const hsize_t size[2] = {boxes, 6}, chunk[2] = {boxes < 65536 ? boxes : 65536, 6};
    groups.top = hdf5_group(writer, writer->root, "VTKHDF");
    hdf5_attribute(writer, groups.top, "Version", H5T_STD_I64LE, H5T_NATIVE_INT, 2, version);
    hdf5_text(writer, groups.top, "Type", "OverlappingAMR");
    hdf5_reals(writer, groups.top, "Origin", 3, origin);
    hdf5_text(writer, groups.top, "GridDescription", "XYZ");
    groups.level = hdf5_group(writer, groups.top, "Level0");
    hdf5_reals(writer, groups.level, "Spacing", 3, spacing);
    hdf5_array_whole(writer, groups.level, "AMRBox", H5T_STD_I32LE, H5T_NATIVE_INT, 2, size, chunk, box);
    groups.data = make_data(writer, groups.level);
    return groups;
}

static void close_level(struct hdf5_writer *writer, const struct groups *groups)
{
    hdf5_group_close(writer, groups->data);
    hdf5_group_close(writer, groups->level);
    hdf5_group_close(writer, groups->top);
}

/* The written part of a slice. */
struct slice {
    const struct picture_plane *plane;
    const struct lattice *lattice;
    const float *pressure;
    const uint8_t *ghost;
};

static int put_plane(struct hdf5_writer *writer, const void *what, struct failure *failure)
{
    const struct slice *slice = what;
    const struct picture_plane *plane = slice->plane;
    (void)failure;
    int box[6] = {0};
    int64_t first[3];
    first[plane->axis] = plane->layer;
    first[plane->across] = plane->low[0];
    first[plane->up] = plane->low[1];
    box[2 * plane->across + 1] = (int)plane->size[0] - 1;
    box[2 * plane->up + 1] = (int)plane->size[1] - 1;
    const hsize_t cells = plane->size[0] * plane->size[1];
    const struct groups groups = open_level(writer, slice->lattice, first, 1, box);
    hdf5_array_whole(writer, groups.data, "pressure", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, &cells, &cells,
                     slice->pressure);
    hdf5_array_whole(writer, groups.data, "vtkGhostType", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &cells, &cells,
                     slice->ghost);
    close_level(writer, &groups);
    return 0;
}

int vtkhdf_stage_plane(const char *path, const struct picture_plane *plane, const struct lattice *lattice,
                       struct whole_file *out, struct failure *failure)
{
    const size_t count = plane->size[0] * plane->size[1];
    /* Rows of a plane, right then up, have the order of cells in VTK, for any axis. */
    float *pressure = malloc(count * sizeof *pressure);
    uint8_t *ghost = malloc(count);
    int code = pressure == NULL || ghost == NULL ? failure_memory(failure, 5 * count, "a slice") : 0;
    if (code == 0) {
        for (size_t i = 0; i < count; i++) {
            pressure[i] = plane->links[i] != 0 ? plane->value[i] : 0;
            ghost[i] = plane->links[i] != 0 ? 0 : HIDDEN_CELL;
        }
        const struct slice slice = {plane, lattice, pressure, ghost};
        code = hdf5_stage(path, put_plane, &slice, out, failure);
    }
    free(ghost);
    free(pressure);
    return code;
}

/* ---- the whole field ---- */

/* The field in boxes, while it is written. */
struct field {
    const struct block_grid *grid;
    const struct engine *engine;
    const struct picture_pressure *pressure;
    size_t boxes;
    struct block_box *box; /* owned */
    int32_t corner[3];     /* lowest place: boxes are counted from there */
};

static void find_corner(struct field *field)
{
    for (int d = 0; d < 3; d++) {
        field->corner[d] = INT32_MAX;
        for (size_t i = 0; i < field->boxes; i++)
            if (field->box[i].place[d] < field->corner[d])
                field->corner[d] = field->box[i].place[d];
    }
}

/* Put a block into its place among the cells of a box, x fastest. */
static void lay_block(const struct field *field, const struct block_box *box, const int32_t within[3],
                      float *pressure, uint8_t *ghost)
{
    const int32_t place[3] = {box->place[0] + within[0], box->place[1] + within[1],
                              box->place[2] + within[2]};
    const block_id id = block_grid_find(field->grid, place);
    const size_t row = (size_t)box->blocks[0] * BLOCK_EDGE, sheet = row * (size_t)box->blocks[1] * BLOCK_EDGE;
    const size_t first = (size_t)within[0] * BLOCK_EDGE + (size_t)within[1] * BLOCK_EDGE * row +
                         (size_t)within[2] * BLOCK_EDGE * sheet;
    double values[BLOCK_NODES];
    picture_read_block(field->engine, id, field->pressure, values);
    for (unsigned s = 0; s < BLOCK_NODES; s++) {
        const size_t cell = first + (s & 7) + (s >> 3 & 7) * row + (s >> 6) * sheet;
        const bool air = block_is_air(field->grid, id, s);
        pressure[cell] = air ? (float)values[s] : 0;
        ghost[cell] = air ? 0 : HIDDEN_CELL;
    }
}

static int put_cells(struct hdf5_writer *writer, hid_t data, const struct field *field,
                     struct failure *failure)
{
    const hsize_t size = (hsize_t)(block_list_first(field->grid) - 1) * BLOCK_NODES,
                  some = size < BOX_CELLS ? size : BOX_CELLS;
    float *pressure = malloc(BOX_CELLS * sizeof *pressure);
    uint8_t *ghost = malloc(BOX_CELLS);
    if (pressure == NULL || ghost == NULL) {
        free(pressure);
        free(ghost);
        return failure_memory(failure, 5 * BOX_CELLS, "a part of the field");
    }
    const hid_t sound = hdf5_array(writer, data, "pressure", H5T_IEEE_F32LE, 1, &size, &some);
    const hid_t hidden = hdf5_array(writer, data, "vtkGhostType", H5T_STD_U8LE, 1, &size, &some);
    hsize_t first = 0;
    for (size_t i = 0; writer->fine && i < field->boxes; i++) {
        const struct block_box *box = &field->box[i];
        const hsize_t cells =
            (hsize_t)box->blocks[0] * (hsize_t)box->blocks[1] * (hsize_t)box->blocks[2] * BLOCK_NODES;
        int32_t at[3];
        for (at[2] = 0; at[2] < box->blocks[2]; at[2]++)
            for (at[1] = 0; at[1] < box->blocks[1]; at[1]++)
                for (at[0] = 0; at[0] < box->blocks[0]; at[0]++)
                    lay_block(field, box, at, pressure, ghost);
        hdf5_array_put(writer, sound, H5T_NATIVE_FLOAT, 1, &first, &cells, pressure);
        hdf5_array_put(writer, hidden, H5T_NATIVE_UINT8, 1, &first, &cells, ghost);
        first += cells;
    }
    hdf5_array_close(writer, hidden);
    hdf5_array_close(writer, sound);
    free(ghost);
    free(pressure);
    return engine_failed(field->engine, failure);
}

static int put_field(struct hdf5_writer *writer, const void *what, struct failure *failure)
{
    const struct field *field = what;
    int *box = calloc(field->boxes, 6 * sizeof *box);
    int64_t first[3];
    if (box == NULL)
        return failure_memory(failure, 6 * field->boxes * sizeof *box, "the boxes of a field");
    for (int d = 0; d < 3; d++)
        first[d] = (int64_t)field->corner[d] * BLOCK_EDGE;
    for (size_t i = 0; i < field->boxes; i++)
        for (size_t d = 0; d < 3; d++) {
            box[6 * i + 2 * d] = (field->box[i].place[d] - field->corner[d]) * BLOCK_EDGE;
            box[6 * i + 2 * d + 1] = box[6 * i + 2 * d] + field->box[i].blocks[d] * BLOCK_EDGE - 1;
        }
    const struct groups groups = open_level(writer, &field->grid->lattice, first, field->boxes, box);
    const int code = writer->fine ? put_cells(writer, groups.data, field, failure) : 0;
    close_level(writer, &groups);
    free(box);
    return code;
}

int vtkhdf_stage_blocks(const char *path, const struct block_grid *grid, const struct engine *engine,
                        const struct picture_pressure *pressure, struct whole_file *out,
                        struct failure *failure)
{
    struct field field = {.grid = grid, .engine = engine, .pressure = pressure};
    TRY(block_boxes_make(grid, &field.box, &field.boxes, failure));
    find_corner(&field);
    const int code = hdf5_stage(path, put_field, &field, out, failure);
    free(field.box);
    return code;
}
