/* The walls of cells as PLY: read back, each material has its area and lies where the model has it. */
#include <unistd.h>

#include "geometry/voxel/wall_surface.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

#define MATERIALS 4 /* of these rooms at most; open faces after them */

/* What a reader finds. */
struct drawn {
    size_t polygons, vertices;
    double area[MATERIALS + 1];
    double low[3], high[3];
    double volume; /* that its voxels' cells have, of one polygon each */
};

static float get_float(FILE *file)
{
    float value;
    cr_assert(fread(&value, sizeof value, 1, file) == 1);
    return value;
}

static void add_area(struct drawn *drawn, const float (*vertex)[3], const uint32_t *index, unsigned corners,
                     unsigned material)
{
    double sum[3] = {0, 0, 0};
    for (unsigned i = 1; i + 1 < corners; i++) {
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)vertex[index[i]][k] - (double)vertex[index[0]][k];
            b[k] = (double)vertex[index[i + 1]][k] - (double)vertex[index[0]][k];
        }
        for (int k = 0; k < 3; k++)
            sum[k] += (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]) / 2;
    }
    cr_assert(material < MATERIALS || material == VOXELS_OPEN_FACE);
    drawn->area[material < MATERIALS ? material : MATERIALS] +=
        sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static struct drawn read_walls(const char *path)
{
    struct drawn drawn = {.low = {1e9, 1e9, 1e9}, .high = {-1e9, -1e9, -1e9}};
    char line[300];
    bool has_volume = false;
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    while (fgets(line, sizeof line, file) != NULL && strcmp(line, "end_header\n") != 0) {
        (void)sscanf(line, "element vertex %zu", &drawn.vertices);
        (void)sscanf(line, "element face %zu", &drawn.polygons);
        has_volume = has_volume || strcmp(line, "property float volume\n") == 0;
    }
    cr_assert(has_volume);
    float(*vertex)[3] = calloc(drawn.vertices + 1, sizeof *vertex);
    cr_assert(vertex != NULL);
    for (size_t i = 0; i < drawn.vertices; i++)
        for (int k = 0; k < 3; k++) {
            vertex[i][k] = get_float(file);
            drawn.low[k] = fmin(drawn.low[k], (double)vertex[i][k]);
            drawn.high[k] = fmax(drawn.high[k], (double)vertex[i][k]);
        }
    for (size_t i = 0; i < drawn.polygons; i++) {
        const int corners = fgetc(file);
        uint32_t index[9];
        uint8_t more[5];
        cr_assert(corners >= 3 && corners <= 9);
        cr_assert(fread(index, 4, (size_t)corners, file) == (size_t)corners);
        cr_assert(fread(more, 1, sizeof more, file) == sizeof more);
        for (int k = 0; k < corners; k++)
            cr_assert(index[k] < drawn.vertices);
        add_area(&drawn, (const float(*)[3])vertex, index, (unsigned)corners,
                 more[3] | (unsigned)more[4] << 8);
        const double volume = (double)get_float(file);
        cr_assert(volume > 0 && volume <= 1);
        drawn.volume += volume;
    }
    cr_assert(fgetc(file) == EOF, "nothing follows the last polygon");
    (void)fclose(file);
    free(vertex);
    return drawn;
}

static struct drawn draw(const struct mesh *mesh, double spacing, const double source[3], bool open,
                         const uint16_t *back, double cells[MATERIALS + 1])
{
    static const struct voxel_surface_axes axes = {1, UP_Z};
    const struct voxelise_options options = {
        .threads = 2, .cells = true, .open = open, .back_material = back};
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    struct voxels voxels = {0};
    struct voxel_surface_size size = {0};
    char path[100];
    (void)snprintf(path, sizeof path, "/tmp/transept-walls-%ld.ply", (long)getpid());
    MUST(voxelise(mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    MUST(wall_surface_write(&voxels, mesh, back, &axes, path, &size, &failure));
    memset(cells, 0, (MATERIALS + 1) * sizeof *cells);
    for (size_t a = 0; a < voxels.area_count; a++) {
        const unsigned material = voxels.area[a].material;
        cells[material < MATERIALS ? material : MATERIALS] += spacing * spacing * (double)voxels.area[a].area;
    }
    const struct drawn drawn = read_walls(path);
    cr_assert(drawn.polygons == size.squares && drawn.vertices == size.vertices);
    (void)unlink(path);
    voxels_free(&voxels);
    return drawn;
}

Test(wall_surface, every_material_of_a_turned_box_has_the_area_of_its_cells)
{
    struct mesh mesh = {0};
    double cells[MATERIALS + 1], middle[3];
    const struct solid_pose turned = solid_pose_make(0.3, 0.6, (const double[3]){0.3, 0.2, 0.1});
    solid_box(&mesh, &turned, (double[]){0, 0, 0}, (double[]){1.5, 1, 0.75}, NULL, -1);
    solid_place(&turned, (const double[3]){0.75, 0.5, 0.4}, middle);
    const struct drawn drawn = draw(&mesh, 0.0625, middle, false, NULL, cells);
    for (int m = 0; m < MATERIALS; m++)
        cr_assert(test_near(drawn.area[m], cells[m], 1e-5));
    cr_assert(test_near(drawn.area[0], 2 * (1.5 + 1.5 * 0.75 + 0.75), 5e-3));
    mesh_free(&mesh);
}

Test(wall_surface, walls_lie_where_the_model_has_them_to_a_sub_step)
{
    struct mesh mesh = {0};
    double cells[MATERIALS + 1];
    const double low[3] = {-1, 2, 0.5}, high[3] = {0.03, 2.77, 1.41}, h = 0.125;
    solid_box(&mesh, NULL, low, high, NULL, -1);
    const struct drawn drawn = draw(&mesh, h, (double[]){-0.5, 2.4, 1}, false, NULL, cells);
    for (int axis = 0; axis < 3; axis++) {
        cr_assert(test_near(drawn.low[axis], low[axis], h / LATTICE_SUBSTEPS));
        cr_assert(test_near(drawn.high[axis], high[axis], h / LATTICE_SUBSTEPS));
    }
    mesh_free(&mesh);
}

Test(wall_surface, what_no_air_reaches_is_not_drawn_and_a_sheet_in_air_is_drawn_once)
{
    struct mesh mesh = {0};
    double cells[MATERIALS + 1];
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 1, 1}, NULL, -1);
    const uint16_t sheet = solid_material(&mesh, "sheet"), hidden = solid_material(&mesh, "hidden");
    solid_panel(&mesh, NULL, 0, 0.71, (double[]){0.2, 0.2}, (double[]){0.8, 0.8}, sheet);
    solid_panel(&mesh, NULL, 0, 2.31, (double[]){0.2, 0.2}, (double[]){0.8, 0.8}, hidden);
    const struct drawn drawn = draw(&mesh, 0.1, (double[]){0.3, 0.5, 0.5}, false, NULL, cells);
    cr_assert(test_near(drawn.area[sheet], 0.36, 1e-3));
    cr_assert(test_near(cells[sheet], 0.72, 2e-3), "both sides of it are in air");
    cr_assert(eq(dbl, drawn.area[hidden], 0));
    mesh_free(&mesh);
}

Test(wall_surface, walls_whose_back_is_in_air_are_drawn_as_what_they_are_in_the_model)
{
    struct mesh mesh = {0};
    double cells[MATERIALS + 1];
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 1, 1}, NULL, -1);
    const uint16_t back_side = solid_material(&mesh, "back");
    /* Three faces of the box look outwards, three inwards. */
    const uint16_t back[2] = {back_side, back_side};
    const struct drawn drawn = draw(&mesh, 0.1, (double[]){0.3, 0.5, 0.5}, false, back, cells);
    cr_assert(test_near(drawn.area[0], 10, 0.02));
    cr_assert(eq(dbl, drawn.area[back_side], 0));
    mesh_free(&mesh);
}

Test(wall_surface, voxels_without_cells_are_refused)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){1, 1, 1}, NULL, -1);
    const struct lattice lattice = fit(&mesh, 0.1);
    struct voxels voxels = flood_room(&mesh, &lattice, source_at(0.5, 0.5, 0.5));
    const struct voxel_surface_axes axes = {1, UP_Z};
    MUST_FAIL(wall_surface_write(&voxels, &mesh, NULL, &axes, "/tmp/none.ply", NULL, &failure), FAILURE_INPUT,
              "no cells");
    voxels_free(&voxels);
    mesh_free(&mesh);
}
