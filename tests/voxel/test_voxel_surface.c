/* The surface of voxels as PLY: read back, counted, closed, with the exact area and volume of its cells. */
#include <sys/stat.h>
#include <unistd.h>

#include "geometry/voxel/voxel_surface.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

/* What a reader finds: two triangles for each square, whose material index is theirs. */
struct surface {
    struct mesh mesh;
    size_t squares, vertices;
    uint8_t (*rgb)[3];
    uint16_t *material;
};

static uint32_t get_32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static struct surface read_surface(const char *path)
{
    struct surface surface = {0};
    char line[300];
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    cr_assert(fgets(line, sizeof line, file) != NULL && strcmp(line, "ply\n") == 0);
    cr_assert(fgets(line, sizeof line, file) != NULL &&
              strcmp(line, "format binary_little_endian 1.0\n") == 0);
    while (fgets(line, sizeof line, file) != NULL && strcmp(line, "end_header\n") != 0) {
        (void)sscanf(line, "element vertex %zu", &surface.vertices);
        (void)sscanf(line, "element face %zu", &surface.squares);
    }
    (void)solid_material(&surface.mesh, "surface");
    for (size_t i = 0; i < surface.vertices; i++) {
        uint8_t bytes[12];
        double at[3];
        cr_assert(fread(bytes, 1, sizeof bytes, file) == sizeof bytes);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t bits = get_32(bytes + 4 * axis);
            float value;
            memcpy(&value, &bits, sizeof value);
            at[axis] = value;
        }
        (void)solid_vertex(&surface.mesh, NULL, at);
    }
    surface.rgb = calloc(surface.squares + 1, sizeof *surface.rgb);
    surface.material = calloc(surface.squares + 1, sizeof *surface.material);
    for (size_t i = 0; i < surface.squares; i++) {
        uint8_t bytes[22];
        uint32_t corner[4];
        cr_assert(fread(bytes, 1, sizeof bytes, file) == sizeof bytes && bytes[0] == 4);
        for (int k = 0; k < 4; k++) {
            corner[k] = get_32(bytes + 1 + 4 * k);
            cr_assert(corner[k] < surface.vertices);
        }
        solid_triangle(&surface.mesh, corner[0], corner[1], corner[2], 0);
        solid_triangle(&surface.mesh, corner[0], corner[2], corner[3], 0);
        memcpy(surface.rgb[i], bytes + 17, 3);
        surface.material[i] = (uint16_t)(bytes[20] | bytes[21] << 8);
    }
    cr_assert(fgetc(file) == EOF, "nothing follows the last square");
    (void)fclose(file);
    return surface;
}

static void surface_free(struct surface *surface)
{
    mesh_free(&surface->mesh);
    free(surface->rgb);
    free(surface->material);
}

static double area_of(const struct mesh *mesh)
{
    double area = 0;
    mesh_material_areas(mesh, &area);
    return area;
}

static struct voxels voxels_of(const struct mesh *mesh, double spacing, const double source[3])
{
    const struct lattice lattice = fit(mesh, spacing);
    return flood_room(mesh, &lattice, source_at(source[0], source[1], source[2]));
}

static const char *path_of(const char *name)
{
    static char path[200];
    (void)snprintf(path, sizeof path, "/tmp/transept-surface-%ld-%s.ply", (long)getpid(), name);
    return path;
}

static const struct voxel_surface_axes room_axes = {1, UP_Z};

Test(voxel_surface, a_cube_of_n_cubed_nodes_has_6_n_squared_squares_and_its_exact_volume)
{
    for (int n = 2; n <= 22; n += 5) {
        struct mesh mesh = {0};
        struct voxel_surface_size size;
        const double h = 0.25, side = n * h;
        solid_box(&mesh, NULL, (double[]){-1, 2, 0.5}, (double[]){-1 + side, 2 + side, 0.5 + side}, NULL, -1);
        struct voxels voxels = voxels_of(&mesh, h, (double[]){-1 + side / 2, 2 + side / 2, 0.5 + side / 2});
        cr_assert(voxels.air_nodes == (uint64_t)n * (uint64_t)n * (uint64_t)n);
        const char *path = path_of("cube");
        cr_assert(voxel_surface_write(&voxels, &mesh, &room_axes, path, &size, NULL) == 0);
        struct surface surface = read_surface(path);
        struct stat status;
        cr_assert(stat(path, &status) == 0 && (uint64_t)status.st_size == size.bytes);
        cr_assert(surface.squares == 6u * (size_t)n * (size_t)n && size.squares == surface.squares);
        /* A closed box by Euler: V = E - F + 2 and E = 2 F. */
        cr_assert(surface.vertices == surface.squares + 2 && size.vertices == surface.vertices);
        cr_assert(is_watertight(&surface.mesh));
        cr_assert(test_near(area_of(&surface.mesh), 6 * side * side, 0));
        cr_assert(test_near(enclosed_volume(&surface.mesh), side * side * side, 1e-12));
        double low[3], high[3];
        cr_assert(mesh_bounds(&surface.mesh, low, high, NULL) == 0);
        cr_assert(low[0] == -1 && low[1] == 2 && low[2] == 0.5 && high[2] == 0.5 + side);
        surface_free(&surface);
        (void)unlink(path);
        voxels_free(&voxels);
        mesh_free(&mesh);
    }
}

Test(voxel_surface, any_air_is_closed_and_holds_its_nodes_exactly_also_with_a_panel_in_it)
{
    struct mesh mesh = {0};
    const double h = 0.0625;
    solid_icosphere(&mesh, (double[]){0.25, 0.5, 0}, 1, 3);
    struct voxels plain = voxels_of(&mesh, h, (double[]){0.25, 0.5, 0.1});
    solid_panel(&mesh, NULL, 0, 0.2, (double[]){0.1, -0.3}, (double[]){0.6, 0.4}, 0);
    struct voxels voxels = voxels_of(&mesh, h, (double[]){0.5, 0.5, 0.1});
    cr_assert(voxels.air_nodes == plain.air_nodes && voxels.contact_count > plain.contact_count);
    const char *path = path_of("sphere");
    cr_assert(voxel_surface_write(&voxels, &mesh, &room_axes, path, NULL, NULL) == 0);
    struct surface surface = read_surface(path);
    cr_assert(surface.squares == voxels.contact_count);
    cr_assert(is_watertight(&surface.mesh));
    cr_assert(test_near(area_of(&surface.mesh), (double)voxels.contact_count * h * h, 1e-6));
    cr_assert(test_near(enclosed_volume(&surface.mesh), (double)voxels.air_nodes * h * h * h, 1e-6));
    surface_free(&surface);
    (void)unlink(path);
    voxels_free(&plain);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(voxel_surface, colours_and_indices_are_the_materials_of_the_walls)
{
    struct mesh mesh = {0};
    const uint16_t material[6] = {solid_material(&mesh, "stone"), 0, 0, 0, solid_material(&mesh, "wood"), 0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 1, 1}, material, -1);
    struct voxels voxels = voxels_of(&mesh, 0.25, (double[]){1, 0.5, 0.5});
    const char *path = path_of("materials");
    cr_assert(voxel_surface_write(&voxels, &mesh, &room_axes, path, NULL, NULL) == 0);
    struct surface surface = read_surface(path);
    size_t floor_squares = 0;
    for (size_t i = 0; i < surface.squares; i++) {
        const double *a = surface.mesh.vertex[surface.mesh.triangle[2 * i][0]],
                     *b = surface.mesh.vertex[surface.mesh.triangle[2 * i][1]],
                     *c = surface.mesh.vertex[surface.mesh.triangle[2 * i][2]];
        const bool floor = a[2] == 0 && b[2] == 0 && c[2] == 0;
        cr_assert(surface.material[i] == (floor ? material[4] : material[0]));
        floor_squares += floor;
        if (i > 0 && surface.material[i] != surface.material[0])
            cr_assert(memcmp(surface.rgb[i], surface.rgb[0], 3) != 0);
    }
    cr_assert(floor_squares == 32, "%zu", floor_squares);
    surface_free(&surface);
    (void)unlink(path);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(voxel_surface, model_axes_and_units_turn_every_place_and_keep_the_fronts_inwards)
{
    struct mesh mesh = {0};
    const struct voxel_surface_axes axes = {0.25, UP_Y};
    solid_box(&mesh, NULL, (double[]){1, 2, 4}, (double[]){2, 4, 7}, NULL, -1);
    struct voxels voxels = voxels_of(&mesh, 0.25, (double[]){1.5, 3, 5});
    const char *path = path_of("axes");
    cr_assert(voxel_surface_write(&voxels, &mesh, &axes, path, NULL, NULL) == 0);
    struct surface surface = read_surface(path);
    double low[3], high[3];
    cr_assert(mesh_bounds(&surface.mesh, low, high, NULL) == 0);
    /* (x, z, -y) over 0.25 */
    cr_assert(low[0] == 4 && high[0] == 8 && low[1] == 16 && high[1] == 28 && low[2] == -16 && high[2] == -8);
    cr_assert(test_near(enclosed_volume(&surface.mesh), 6 * 64, 1e-9));
    surface_free(&surface);
    (void)unlink(path);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(voxel_surface, nothing_is_written_where_it_cannot_be_whole)
{
    struct mesh mesh = {0};
    struct voxels empty = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){1, 1, 1}, NULL, -1);
    struct voxels voxels = voxels_of(&mesh, 0.25, (double[]){0.5, 0.5, 0.5});
    MUST_FAIL(voxel_surface_write(&voxels, &mesh, &room_axes, "/tmp/no such folder/a.ply", NULL, &failure),
              FAILURE_OUTPUT, "/tmp/no such folder/a.ply");
    const char *path = path_of("empty");
    cr_assert(voxel_surface_write(&empty, &mesh, &room_axes, path, NULL, &failure) == FAILURE_INPUT);
    cr_assert(access(path, F_OK) != 0);
    voxels_free(&voxels);
    mesh_free(&mesh);
}
