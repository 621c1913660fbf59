/** Cells of the air: what walls leave of every voxel of a room. */
#include "geometry/base/vector.h"
#include "geometry/import/mesh_import.h"
#include "geometry/voxel/block_bits.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/test_support.h"

enum { MATERIALS_MAX = 32 };

static const struct voxelise_options with_cells = {.cells = true, .threads = 2};

/* A room in cells, and what they add up to. */
struct room {
    struct mesh mesh;
    struct lattice lattice;
    struct voxels voxels;
    struct voxel_findings findings;
    double volume, area[MATERIALS_MAX], open_face; /* [m3] [m2] */
};

static void clear(struct room *room)
{
    voxels_free(&room->voxels);
    voxel_findings_free(&room->findings);
    mesh_free(&room->mesh);
    *room = (struct room){0};
}

static void add_areas(struct room *room, uint64_t first, unsigned count)
{
    const double h = room->lattice.spacing;
    for (uint64_t a = first; a < first + count; a++) {
        const struct voxel_area *area = &room->voxels.area[a];
        cr_assert(area->material == VOXELS_OPEN_FACE || area->material < MATERIALS_MAX);
        *(area->material == VOXELS_OPEN_FACE ? &room->open_face : &room->area[area->material]) +=
            (double)area->area * h * h;
    }
}

/* Everything that two voxelisations have in common, cells and all. */
static bool same_cells(const struct voxels *a, const struct voxels *b)
{
    return same_voxels(a, b) && a->cell_count == b->cell_count && a->area_count == b->area_count &&
           a->piece_count == b->piece_count && a->opening_count == b->opening_count &&
           (a->cell_count == 0 || memcmp(a->cell, b->cell, a->cell_count * sizeof *a->cell) == 0) &&
           (a->area_count == 0 || memcmp(a->area, b->area, a->area_count * sizeof *a->area) == 0) &&
           (a->piece_count == 0 || memcmp(a->piece, b->piece, a->piece_count * sizeof *a->piece) == 0) &&
           (a->opening_count == 0 ||
            memcmp(a->opening, b->opening, a->opening_count * sizeof *a->opening) == 0);
}

/* The same pieces and openings, to rounding; what thin bodies hide is weighed patch by patch. */
static bool near_cells(const struct voxels *a, const struct voxels *b)
{
    bool near = a->cell_count == b->cell_count && a->area_count == b->area_count &&
                a->piece_count == b->piece_count && a->opening_count == b->opening_count &&
                a->air_nodes == b->air_nodes;
    for (size_t i = 0; i < a->cell_count && near; i++) {
        near = a->cell[i].slot == b->cell[i].slot &&
               test_near((double)a->cell[i].volume, (double)b->cell[i].volume, 1e-6);
        for (int direction = 0; direction < DIRECTIONS; direction++)
            near = near &&
                   test_near((double)a->cell[i].open[direction], (double)b->cell[i].open[direction], 1e-4);
    }
    for (size_t i = 0; i < a->area_count && near; i++)
        near = a->area[i].material == b->area[i].material &&
               test_near((double)a->area[i].area, (double)b->area[i].area, 1e-6);
    for (size_t i = 0; i < a->opening_count && near; i++)
        near = a->opening[i].end[0] == b->opening[i].end[0] && a->opening[i].end[1] == b->opening[i].end[1] &&
               test_near((double)a->opening[i].open, (double)b->opening[i].open, 1e-4);
    return near;
}

static void fill_from(struct room *room, const struct lattice *lattice, const struct voxel_seed *seed,
                      size_t seeds, const struct voxelise_options *options)
{
    room->lattice = *lattice;
    MUST(
        voxelise(&room->mesh, lattice, seed, seeds, options, &room->voxels, &room->findings, NULL, &failure));
    MUST(voxels_check(&room->voxels, &failure));
    const struct voxels *voxels = &room->voxels;
    const double h = lattice->spacing;
    double volume = (double)(voxels->air_nodes - voxels->cell_count);
    uint64_t area = 0;
    for (size_t i = 0; i < voxels->cell_count; i++) {
        volume += (double)voxels->cell[i].volume;
        add_areas(room, area, voxels->cell[i].areas);
        area += voxels->cell[i].areas;
    }
    for (size_t i = 0; i < voxels->piece_count; i++) {
        volume += (double)voxels->piece[i].cell.volume;
        add_areas(room, voxels->piece[i].first_area, voxels->piece[i].cell.areas);
    }
    room->volume = volume * h * h * h;
    if (room->findings.air_volume_is_cells)
        cr_assert(test_near(room->findings.air_volume, room->volume, 1e-12 * room->volume));
}

static void fill_on(struct room *room, const struct lattice *lattice, const double source[3])
{
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    fill_from(room, lattice, &seed, 1, &with_cells);
}

static void fill(struct room *room, double spacing, const double source[3])
{
    const struct lattice lattice = fit(&room->mesh, spacing);
    fill_on(room, &lattice, source);
}

/* Volume and areas of a closed convex room are those of its mesh, its corners brought to the sub-lattice. */
static void expect_whole(const struct room *room, const double middle[3], double accuracy, const char *what)
{
    const struct mesh *mesh = &room->mesh;
    const double step = room->lattice.spacing / LATTICE_SUBSTEPS;
    double areas[MATERIALS_MAX] = {0}, volume = 0;
    cr_assert(mesh->material_count <= MATERIALS_MAX);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double corner[3][3], edge[2][3], normal[3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] = room->lattice.origin[axis] - middle[axis] +
                                  step * (double)lattice_snap(&room->lattice, axis,
                                                              mesh->vertex[mesh->triangle[t][i]][axis]);
        vector_subtract(corner[1], corner[0], edge[0]);
        vector_subtract(corner[2], corner[0], edge[1]);
        vector_cross(edge[0], edge[1], normal);
        areas[mesh->triangle_material[t]] += vector_length(normal) / 2;
        volume += fabs(vector_dot(normal, corner[0])) / 6;
    }
    cr_expect(test_near(room->volume, volume, accuracy * volume), "%s, h %g: %.9g m3, not %.9g", what,
              room->lattice.spacing, room->volume, volume);
    for (size_t m = 0; m < mesh->material_count; m++)
        cr_expect(test_near(room->area[m], areas[m], accuracy * areas[m]), "%s, h %g: %s %.9g m2, not %.9g",
                  what, room->lattice.spacing, mesh->material[m], room->area[m], areas[m]);
    cr_expect(room->open_face == 0);
}

/* Six materials, one for each face. */
static void six_materials(struct mesh *mesh, uint16_t material[6])
{
    static const char *const name[6] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < 6; i++)
        material[i] = solid_material(mesh, name[i]);
}

Test(air_cells, straight_boxes_of_any_size_and_place_keep_volume_and_areas)
{
    uint64_t state = 18;
    for (int round = 0; round < 40; round++) {
        struct room room = {0};
        uint16_t material[6];
        double low[3], high[3], middle[3];
        const double spacing = test_uniform(&state, 0.06, 0.3);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = test_uniform(&state, -3, 3);
            high[axis] = low[axis] + test_uniform(&state, 2.2, 8) * spacing;
            middle[axis] = (low[axis] + high[axis]) / 2;
        }
        six_materials(&room.mesh, material);
        solid_box(&room.mesh, NULL, low, high, material, -1);
        struct lattice lattice = fit(&room.mesh, spacing);
        if (round % 2 != 0) { /* nodes at any place, also where the box starts before the first voxel */
            const double phase[3] = {test_uniform(&state, 0, 1), test_uniform(&state, 0, 1),
                                     test_uniform(&state, 0, 1)};
            MUST(lattice_fit(low, high, spacing, phase, &lattice, &failure));
        }
        fill_on(&room, &lattice, middle);
        expect_whole(&room, middle, 1e-5, "box");
        cr_expect(room.voxels.piece_count == 0);
        clear(&room);
    }
}

Test(air_cells, turned_boxes_keep_volume_and_areas)
{
    uint64_t state = 19;
    for (int round = 0; round < 12; round++) {
        struct room room = {0};
        uint16_t material[6];
        double middle[3];
        const struct solid_pose pose = solid_pose_make(test_uniform(&state, 0, 6), test_uniform(&state, 0, 6),
                                                       (const double[3]){0.3, 1, -2});
        six_materials(&room.mesh, material);
        solid_box(&room.mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){1.9, 1.3, 1.1}, material,
                  -1);
        solid_place(&pose, (const double[3]){0.95, 0.65, 0.55}, middle);
        fill(&room, test_uniform(&state, 0.05, 0.14), middle);
        expect_whole(&room, middle, 1e-5, "turned box");
        clear(&room);
    }
}

static void build(struct room *room, const char *name, const char *turn, const char *seed)
{
    const struct room_shape *shape = room_shape_find(name);
    double value[ROOM_PARAMETERS_MAX];
    room_defaults(shape, value);
    MUST(room_set(shape, value, "turn", turn, &failure));
    if (seed != NULL)
        MUST(room_set(shape, value, "seed", seed, &failure));
    MUST(room_build(shape, value, &room->mesh, &failure));
}

/* Volume and areas against those that the staircase finds by lines of the lattice. */
static void expect_as_staircase(const struct room *room, const double source[3], double accuracy)
{
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    double area[MATERIALS_MAX];
    MUST(voxelise(&room->mesh, &room->lattice, &seed, 1, &(struct voxelise_options){.threads = 2}, &voxels,
                  &findings, NULL, &failure));
    cr_expect(test_near(room->volume, findings.air_volume, accuracy * findings.air_volume),
              "%.7g m3, not %.7g", room->volume, findings.air_volume);
    mesh_material_areas(&room->mesh, area);
    for (size_t m = 0; m < room->mesh.material_count; m++) {
        const struct voxel_exposure *own = &room->findings.exposure[m], *other = &findings.exposure[m];
        const double wanted = area[m] * (other->front + other->back) / other->met;
        cr_expect(test_near(room->area[m], wanted, 50 * accuracy * wanted + 1e-3), "%s: %g m2, not %g",
                  room->mesh.material[m], room->area[m], wanted);
        cr_expect(own->met == other->met && own->front == other->front && own->back == other->back);
    }
    voxels_free(&voxels);
    voxel_findings_free(&findings);
}

Test(air_cells, churches_have_the_volume_and_areas_that_lattice_lines_find)
{
    static const char *const turn[] = {"0", "23", "45"};
    for (int t = 0; t < 3; t++) {
        struct room room = {0};
        build(&room, "church", turn[t], NULL);
        fill(&room, 0.19, room.mesh.marker[0].position);
        expect_as_staircase(&room, room.mesh.marker[0].position, 5e-4);
        clear(&room);
    }
}

Test(air_cells, the_real_church_has_its_volume_and_areas)
{
    const char *path = test_shared_data("ctk_church/church.obj");
    static const double source[3] = {8, 6.65, 1.7};
    if (path == NULL)
        return;
    struct room room = {0};
    MUST(mesh_import(path, &(struct mesh_import_options){.up = UP_Z}, &room.mesh, NULL, &failure));
    fill(&room, 0.0667, source);
    expect_as_staircase(&room, source, 2e-4);
    clear(&room);
}

/* What a walk over openings reaches from the node at a place: nodes and pieces marked. */
struct walk {
    bool *node, *piece; /* (block_count * 512), (piece_count) */
};

static void walk_from(const struct room *room, const double position[3], struct walk *walk)
{
    const struct voxels *voxels = &room->voxels;
    int64_t node[3];
    int32_t place[3];
    walk->node = calloc(voxels->block_count * 512 + 1, 1);
    walk->piece = calloc(voxels->piece_count + 1, 1);
    cr_assert(walk->node != NULL && walk->piece != NULL);
    lattice_nearest(&room->lattice, position, node);
    block_bits_place(node, place);
    walk->node[voxels_find(voxels, place) * 512 + block_bits_slot(node)] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t n = 0; n < voxels->block_count * 512; n++) {
            if (!walk->node[n])
                continue;
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                block_bits_node(voxels->block[n >> 9].place, (unsigned)(n & 511), node);
                if (voxels_is_cut(voxels, node, (enum direction)direction))
                    continue;
                lattice_step(node, direction);
                block_bits_place(node, place);
                bool *next = &walk->node[voxels_find(voxels, place) * 512 + block_bits_slot(node)];
                grown = grown || !*next;
                *next = true;
            }
        }
        for (size_t o = 0; o < voxels->opening_count; o++) {
            bool *end[2];
            for (int e = 0; e < 2; e++) {
                const uint64_t id = voxels->opening[o].end[e];
                end[e] = (id & VOXELS_PIECE) != 0 ? &walk->piece[id & ~VOXELS_PIECE] : &walk->node[id];
            }
            grown = grown || *end[0] != *end[1];
            *end[0] = *end[1] = *end[0] || *end[1];
        }
    }
}

static void walk_free(struct walk *walk)
{
    free(walk->node);
    free(walk->piece);
}

Test(air_cells, no_opening_joins_the_sides_of_a_sheet_and_each_has_its_material)
{
    for (int turned = 0; turned < 2; turned++) {
        struct room room = {0};
        const struct solid_pose pose =
            solid_pose_make(0.4 * turned, 0.3 * turned, (const double[3]){0.1, 0.2, 0.3});
        add_divided_box(&room.mesh, &pose);
        const uint16_t behind = solid_material(&room.mesh, "behind"), back[3] = {0, behind, behind};
        double place[2][3];
        solid_place(&pose, (const double[3]){0.5, 0.5, 0.5}, place[0]);
        solid_place(&pose, (const double[3]){2.1, 0.5, 0.5}, place[1]);
        const struct voxel_seed seed[2] = {source_at(place[0][0], place[0][1], place[0][2]),
                                           source_at(place[1][0], place[1][1], place[1][2])};
        struct voxelise_options options = with_cells;
        options.back_material = back;
        const struct lattice lattice = fit(&room.mesh, 0.083);
        fill_from(&room, &lattice, seed, 2, &options);
        cr_expect(test_near(room.volume, 3, 2e-3), "%g", room.volume);
        cr_expect(test_near(room.area[0], 14, 5e-3) && test_near(room.area[1], 1, 1e-3) &&
                      test_near(room.area[2], 1, 1e-3),
                  "%g %g %g", room.area[0], room.area[1], room.area[2]);
        cr_expect(test_above((double)room.voxels.piece_count, 100));
        struct walk walk[2];
        for (int side = 0; side < 2; side++)
            walk_from(&room, place[side], &walk[side]);
        for (size_t n = 0; n < room.voxels.block_count * 512; n++) {
            int64_t node[3];
            block_bits_node(room.voxels.block[n >> 9].place, (unsigned)(n & 511), node);
            cr_assert(walk[0].node[n] + walk[1].node[n] == voxels_is_air(&room.voxels, node),
                      "node %d %d %d: %d %d", (int)node[0], (int)node[1], (int)node[2], walk[0].node[n],
                      walk[1].node[n]);
        }
        for (size_t p = 0; p < room.voxels.piece_count; p++)
            cr_assert(walk[0].piece[p] + walk[1].piece[p] == 1);
        for (int side = 0; side < 2; side++)
            walk_free(&walk[side]);
        clear(&room);
        /* From one side alone there is but that room, and the sheet's side there, from which its corners run
         * clockwise. */
        add_divided_box(&room.mesh, &pose);
        (void)solid_material(&room.mesh, "behind");
        fill_from(&room, &lattice, seed, 1, &options);
        cr_expect(test_near(room.volume, 1.3, 1e-3) && test_near(room.area[2], 1, 1e-3) &&
                      room.area[1] == 0 && room.voxels.piece_count == 0,
                  "%g m3, %g m2, %g m2", room.volume, room.area[1], room.area[2]);
        clear(&room);
    }
}

/* ---- Sheets that have no corners in common with the walls that they end on ---- */

enum sheet_form { SHEET_PLAIN, SHEET_SLANTED, SHEET_ROOF, SHEET_TEE, SHEET_SPLIT, SHEET_BOARD, SHEET_FORMS };
static const char *const form_name[] = {"plain", "slanted", "roof", "tee", "split", "board"};

/* A room 1.1 x 0.5 x 0.43 m in two by a sheet near x = 0.5. */
static void add_halves(struct mesh *mesh, const struct solid_pose *pose, enum sheet_form form)
{
    const double roof = form == SHEET_ROOF ? 0.2 : 0, lean = form == SHEET_SLANTED ? 0.27 : 0;
    const double corner[8][3] = {
        {0, 0, 0},    {1.1, 0, 0},           {0, 0.5, 0},    {1.1, 0.5, 0},
        {0, 0, 0.43}, {1.1, 0, 0.43 + roof}, {0, 0.5, 0.43}, {1.1, 0.5, 0.43 + roof}};
    static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const uint16_t wall = solid_material(mesh, "wall"), sheet = solid_material(mesh, "sheet");
    for (int f = 0; f < 6; f++) {
        double quad[4][3];
        for (int i = 0; i < 4; i++)
            memcpy(quad[i], corner[face[f][i]], sizeof quad[i]);
        if (form == SHEET_SPLIT && f >= 2) { /* in strips along x, of its own widths */
            static const double cut[4][2] = {{0.31, 0.77}, {0.43, 0.69}, {0.23, 0.59}, {0.37, 0.83}};
            double from = 0;
            for (int strip = 0; strip < 3; strip++) {
                const double to = strip < 2 ? cut[f - 2][strip] : 1.1;
                for (int i = 0; i < 4; i++)
                    quad[i][0] = corner[face[f][i]][0] == 0 ? from : to;
                solid_quad(mesh, pose, (const double(*)[3])quad, wall);
                from = to;
            }
            continue;
        }
        solid_quad(mesh, pose, (const double(*)[3])quad, wall);
    }
    if (form == SHEET_BOARD) {
        solid_box(mesh, pose, (const double[3]){0.47, 0, 0}, (const double[3]){0.53, 0.5, 0.43},
                  (const uint16_t[6]){sheet, sheet, sheet, sheet, sheet, sheet}, -1);
        return;
    }
    const double low = 0.5 - lean / 2, high = 0.5 + lean / 2;
    const double top = 0.43 + roof * high / 1.1;
    const double across[4][3] = {{low, 0, 0}, {low, 0.5, 0}, {high, 0.5, top}, {high, 0, top}};
    solid_quad(mesh, pose, across, sheet);
    if (form == SHEET_TEE) { /* another one that ends on the first */
        const double along[4][3] = {{0.5, 0.21, 0}, {0.9, 0.21, 0}, {0.9, 0.21, 0.43}, {0.5, 0.21, 0.43}};
        solid_quad(mesh, pose, along, sheet);
    }
}

/* Volume of the snapped mesh of the room's walls, which come first and are seen from inside. */
static double walls_volume(const struct room *room, const double middle[3], uint16_t material)
{
    const struct mesh *mesh = &room->mesh;
    const double step = room->lattice.spacing / LATTICE_SUBSTEPS;
    double volume = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double corner[3][3], across[3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] = room->lattice.origin[axis] - middle[axis] +
                                  step * (double)lattice_snap(&room->lattice, axis,
                                                              mesh->vertex[mesh->triangle[t][i]][axis]);
        vector_cross(corner[0], corner[1], across);
        if (mesh->triangle_material[t] == material)
            volume += fabs(vector_dot(across, corner[2])) / 6;
    }
    return volume;
}

/* Do the exact links keep the room closed and its sides apart? */
static bool links_part(const struct mesh *mesh, const struct lattice *lattice, const struct voxel_seed *seed)
{
    struct voxels voxels = {0};
    int64_t other[3];
    lattice_nearest(lattice, seed[1].position, other);
    const bool closed = voxelise(mesh, lattice, seed, 1, &(struct voxelise_options){.threads = 2}, &voxels,
                                 NULL, NULL, NULL) == 0;
    const bool part = closed && !voxels_is_air(&voxels, other);
    voxels_free(&voxels);
    return part;
}

/* Do both sides stay apart? */
static bool halves_apart(const struct solid_pose *pose, enum sheet_form form, double spacing, int *skipped)
{
    struct room room = {0};
    struct walk walk[2];
    double place[2][3], middle[3];
    bool apart = true;
    add_halves(&room.mesh, pose, form);
    solid_place(pose, (const double[3]){0.15, 0.25, 0.2}, place[0]);
    solid_place(pose, (const double[3]){0.95, 0.1, 0.2}, place[1]);
    solid_place(pose, (const double[3]){0.5, 0.25, 0.2}, middle);
    const struct voxel_seed seed[2] = {source_at(place[0][0], place[0][1], place[0][2]),
                                       source_at(place[1][0], place[1][1], place[1][2])};
    const struct lattice lattice = fit(&room.mesh, spacing);
    if (!links_part(&room.mesh, &lattice, seed) ||
        !links_part(&room.mesh, &lattice, (const struct voxel_seed[2]){seed[1], seed[0]})) {
        clear(&room);
        ++*skipped;
        return true;
    }
    fill_from(&room, &lattice, seed, 2, &with_cells);
    /* Where walls are divided differently, or a board stands loose, snapped walls are not quite closed. */
    static const double accuracy[SHEET_FORMS] = {1e-5, 1e-5, 1e-5, 1e-5, 2e-4, 2e-3};
    const double whole = walls_volume(&room, middle, 0) - (form == SHEET_BOARD ? 0.06 * 0.5 * 0.43 : 0);
    cr_expect(test_near(room.volume, whole, accuracy[form] * whole), "%s, h %g: %.9g m3, not %.9g",
              form_name[form], spacing, room.volume, whole);
    for (int side = 0; side < 2; side++)
        walk_from(&room, place[side], &walk[side]);
    for (size_t n = 0; n < room.voxels.block_count * 512; n++)
        apart = apart && !(walk[0].node[n] && walk[1].node[n]);
    for (size_t p = 0; p < room.voxels.piece_count; p++)
        apart = apart && !(walk[0].piece[p] && walk[1].piece[p]);
    for (int side = 0; side < 2; side++)
        walk_free(&walk[side]);
    clear(&room);
    return apart;
}

Test(air_cells, a_sheet_without_corners_in_common_with_the_walls_parts_the_room_in_every_pose)
{
    const char *many = getenv("POSES"); /* for a longer sweep */
    const int poses = many != NULL ? atoi(many) : 10;
    uint64_t state = 21;
    for (int form = 0; form < SHEET_FORMS; form++) {
        int leaks = 0, skipped = 0;
        for (int pose = 0; pose < poses; pose++) {
            const double shift[3] = {test_uniform(&state, 0, 0.1), test_uniform(&state, 0, 0.1),
                                     test_uniform(&state, 0, 0.1)};
            const double turn = pose % 8 == 0 ? 0 : test_uniform(&state, 0, 1.6);
            const double tilt = pose % 4 == 0 ? 0 : test_uniform(&state, 0, 1.6);
            const struct solid_pose at = solid_pose_make(turn, tilt, shift);
            if (!halves_apart(&at, (enum sheet_form)form, test_uniform(&state, 0.06, 0.1), &skipped))
                leaks++;
        }
        if (many != NULL)
            (void)fprintf(stderr, "%s: %d leak, %d skipped of %d\n", form_name[form], leaks, skipped, poses);
        cr_expect(test_above(poses, 4 * skipped), "%d", skipped);
        cr_expect(leaks == 0, "%s: %d of %d poses leak", form_name[form], leaks, poses);
    }
}

/* The opening of the node in a direction. */
static double open_at(const struct voxels *voxels, const int64_t node[3], enum direction direction)
{
    int32_t place[3];
    block_bits_place(node, place);
    const size_t block = voxels_find(voxels, place);
    cr_assert(voxels_is_air(voxels, node));
    if (voxels->block[block].detail == VOXELS_OPEN_AIR)
        return 1;
    const struct voxel_detail *detail = &voxels->detail[voxels->block[block].detail];
    for (uint64_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++)
        if (voxels->cell[c].slot == block_bits_slot(node))
            return (double)voxels->cell[c].open[direction];
    return 1;
}

Test(air_cells, a_sheet_or_a_board_that_ends_in_a_voxel_is_taken_from_the_link_on_its_side)
{
    /* Voxels of 0.1 m from 0 on; the sheet lies in the one above or below the middle of voxel (3,3,3) and
     * covers 0.6 of it; a board of 0.02 m likewise. Of the link 2/3 is left; through the board .2 of it is .4
     * wide. */
    const double left[2] = {2 / 3.0, 1 / (1.5 + 0.2 * (1 / 0.4 - 1))};
    for (int kind = 0; kind < 8; kind++) {
        const bool board = (kind & 1) != 0, below = (kind & 2) != 0, fin = (kind & 4) != 0;
        struct room room = {0};
        static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, source[3] = {0.85, 0.85, 0.85};
        const double z = below ? 0.32 : 0.37;
        solid_box(&room.mesh, NULL, low, high, NULL, -1);
        const uint16_t sheet = solid_material(&room.mesh, "sheet");
        if (board)
            solid_box(&room.mesh, NULL, (const double[3]){0.2, 0.2, z},
                      (const double[3]){0.36, 0.5, z + 0.02},
                      (const uint16_t[6]){sheet, sheet, sheet, sheet, sheet, sheet}, -1);
        else
            solid_panel(&room.mesh, NULL, 2, z, (const double[2]){0.2, 0.2}, (const double[2]){0.36, 0.5},
                        sheet);
        /* A fin, so that there is a wall in the voxel beyond, too. */
        if (fin)
            solid_panel(&room.mesh, NULL, 0, 0.33, (const double[2]){0.32, below ? 0.23 : 0.43},
                        (const double[2]){0.38, below ? 0.27 : 0.47}, sheet);
        fill(&room, 0.1, source);
        const int64_t node[3] = {3, 3, 3}, over[3] = {3, 3, 4}, under[3] = {3, 3, 2};
        const enum direction side = below ? DIRECTION_ZM : DIRECTION_ZP;
        cr_expect(test_near(open_at(&room.voxels, node, side), left[board], 2e-3), "%g",
                  open_at(&room.voxels, node, side));
        cr_expect(open_at(&room.voxels, below ? under : over, side ^ 1) == open_at(&room.voxels, node, side));
        cr_expect(test_near(open_at(&room.voxels, node, side ^ 1), 1, 1e-6));
        /* Along the sheet its thickness is all that is missing. */
        cr_expect(test_near(open_at(&room.voxels, node, DIRECTION_XP), 1, 1e-6));
        cr_expect(test_near(room.area[1] - (fin ? 2 * 0.06 * 0.04 : 0),
                            board ? 2 * (0.16 * 0.3) + 2 * 0.02 * (0.16 + 0.3) : 2 * 0.16 * 0.3, 1e-3));
        clear(&room);
    }
}

Test(air_cells, corners_and_flat_walls_hide_nothing_of_their_air)
{
    /* A straight room with a block in its corner, a convex edge and concave ones: openings are areas. */
    struct room room = {0};
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, -1);
    solid_box(&room.mesh, NULL, (const double[3]){-0.1, -0.1, -0.1}, (const double[3]){0.43, 0.46, 0.48},
              NULL, -1);
    fill(&room, 0.1, (const double[3]){0.8, 0.8, 0.8});
    const int64_t first[3] = {5, 5, 5};
    static const double cut[3] = {0.3, 0.6, 0.8}; /* of the voxel at the corner: 0.4 .. 0.5 */
    const int64_t corner[3] = {first[0], first[1], first[2]};
    (void)cut;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        cr_expect(
            test_near(open_at(&room.voxels, corner, (enum direction)(2 * axis)), 1 - cut[u] * cut[v], 3e-3),
            "%d: %g", axis, open_at(&room.voxels, corner, (enum direction)(2 * axis)));
        cr_expect(test_near(open_at(&room.voxels, corner, (enum direction)(2 * axis + 1)), 1, 1e-9));
    }
    clear(&room);
    /* A turned box from inside: the boundary of every cell is closed, its walls and its openings. */
    const struct solid_pose pose = solid_pose_make(0.5, 0.3, (const double[3]){0, 0, 0});
    uint16_t material[6];
    six_materials(&room.mesh, material);
    solid_box(&room.mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, material, -1);
    double source[3];
    solid_place(&pose, (const double[3]){0.5, 0.5, 0.5}, source);
    fill(&room, 0.09, source);
    for (size_t c = 0, a = 0; c < room.voxels.cell_count; a += room.voxels.cell[c++].areas)
        for (int axis = 0; axis < 3; axis++) {
            const float *open = &room.voxels.cell[c].open[2 * axis];
            double flux = (double)open[1] - (double)open[0];
            for (unsigned i = 0; i < room.voxels.cell[c].areas; i++) {
                const struct voxel_area *wall = &room.voxels.area[a + i];
                flux += (wall->material % 2 == 0 ? -1 : 1) * (double)wall->area *
                        pose.rotation[axis][wall->material / 2];
            }
            cr_assert(test_near(flux, 0, 4e-3), "%g", flux);
        }
    clear(&room);
}

Test(air_cells, a_slot_without_nodes_is_air_as_far_as_it_goes)
{
    /* 0.04 m wide, 2 m long, between nodes 0.1 m apart: 20 voxels from the room over three blocks. */
    struct room room = {0};
    const uint16_t wall = solid_material(&room.mesh, "wall");
    static const double wide[2] = {0.51, 0.55};
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, 1);
    /* The wall with the slot, the slot, and its end. */
    solid_panel(&room.mesh, NULL, 0, 1, (const double[2]){0, 0}, (const double[2]){wide[0], 1}, wall);
    solid_panel(&room.mesh, NULL, 0, 1, (const double[2]){wide[1], 0}, (const double[2]){1, 1}, wall);
    for (int side = 0; side < 2; side++) {
        solid_panel(&room.mesh, NULL, 1, wide[side], (const double[2]){0, 1}, (const double[2]){1, 3}, wall);
        solid_panel(&room.mesh, NULL, 2, side, (const double[2]){1, wide[0]}, (const double[2]){3, wide[1]},
                    wall);
    }
    solid_panel(&room.mesh, NULL, 0, 3, (const double[2]){wide[0], 0}, (const double[2]){wide[1], 1}, wall);
    for (int shift = 0; shift < 2; shift++) {
        const double phase[3] = {0.03, shift ? 0.08 : 0.03, 0.07};
        struct lattice lattice;
        MUST(lattice_fit((const double[3]){0, 0, 0}, (const double[3]){3, 1, 1}, 0.1, phase, &lattice,
                         &failure));
        fill_on(&room, &lattice, (const double[3]){0.5, 0.4, 0.5});
        cr_expect(test_near(room.volume, 1.08, 2e-4), "%g", room.volume);
        cr_expect(test_near(room.area[0], 6 - 0.04 + 2 * (2 + 0.08) + 0.04, 2e-3), "%g", room.area[0]);
        voxels_free(&room.voxels);
        voxel_findings_free(&room.findings);
        memset(room.area, 0, sizeof room.area);
    }
    clear(&room);
}

Test(air_cells, a_crack_between_lines_of_the_lattice_lets_nothing_out)
{
    static const double slit[4][2] = {{0.6, 0.965}, {1.9, 0.965}, {1.9, 0.985}, {0.6, 0.985}};
    const struct room_pose pose = room_pose_none();
    struct room room = {0};
    cr_assert(solid_material(&room.mesh, "wall") == 0);
    room_add_box(&room.mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 1, slit, 4);
    fill(&room, 0.1, (const double[3]){1, 1.3, 1.2});
    /* A voxel at the crack is one piece, so what is behind it there may count: at most half of it. */
    cr_expect(test_near(room.volume, 27, 1.3 * 0.1 * 0.1), "%g", room.volume);
    cr_expect(test_near(room.area[0], 54 - 1.3 * 0.02, 2 * 1.4 * 0.1), "%g", room.area[0]);
    for (int axis = 0; axis < 3; axis++)
        cr_expect(room.voxels.air_low[axis] >= 0 && room.voxels.air_high[axis] <= 30);
    clear(&room);
}

Test(air_cells, duplicates_windings_and_threads_change_nothing)
{
    struct room room = {0}, other = {0};
    build(&room, "church", "23", NULL);
    build(&other, "church", "23", NULL);
    const size_t triangles = other.mesh.triangle_count;
    for (size_t t = 0; t < triangles; t += 3)
        solid_triangle(&other.mesh, other.mesh.triangle[t][0], other.mesh.triangle[t][1],
                       other.mesh.triangle[t][2], other.mesh.triangle_material[t]);
    for (size_t t = 0; t < triangles; t += 2) {
        const uint32_t first = other.mesh.triangle[t][0];
        other.mesh.triangle[t][0] = other.mesh.triangle[t][1];
        other.mesh.triangle[t][1] = first;
    }
    fill(&room, 0.37, room.mesh.marker[0].position);
    fill(&other, 0.37, room.mesh.marker[0].position);
    cr_expect(near_cells(&room.voxels, &other.voxels));
    for (int threads = 1; threads <= 5; threads += 4) {
        const double *at = room.mesh.marker[0].position;
        const struct voxel_seed seed = source_at(at[0], at[1], at[2]);
        struct voxels voxels = {0};
        MUST(voxelise(&room.mesh, &room.lattice, &seed, 1,
                      &(struct voxelise_options){.cells = true, .threads = threads}, &voxels, NULL, NULL,
                      &failure));
        cr_expect(same_cells(&room.voxels, &voxels), "%d threads", threads);
        voxels_free(&voxels);
    }
    clear(&room);
    clear(&other);
}

Test(air_cells, faces_of_an_open_scene_absorb_where_nothing_stands_in_them)
{
    struct room room = {0};
    /* A box without its lid, and with: the lid's place is at the face of the box of voxels or inside it. */
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1.37, 0.9, 0.8}, NULL, 5);
    const struct voxel_seed seed = source_at(0.5, 0.5, 0.3);
    struct voxelise_options options = with_cells;
    options.open = true;
    for (int n = 0; n < 2; n++) {
        const double h = n == 0 ? 0.1 : 0.077;
        const struct lattice lattice = fit(&room.mesh, h);
        fill_from(&room, &lattice, &seed, 1, &options);
        const double top = fmin(0.8, (double)lattice.nodes[2] * h); /* of the walls in the box */
        cr_expect(test_near(room.open_face, 1.37 * 0.9, 2e-3), "%g", room.open_face);
        cr_expect(test_near(room.area[0], 1.37 * 0.9 + 2 * top * (1.37 + 0.9), 5e-3), "%g", room.area[0]);
        voxels_free(&room.voxels);
        voxel_findings_free(&room.findings);
        memset(room.area, 0, sizeof room.area);
        room.open_face = 0;
    }
    clear(&room);
    /* A floor in the open: the five other faces and the rims. */
    solid_panel(&room.mesh, NULL, 2, 0, (const double[2]){0, 0}, (const double[2]){1, 1},
                solid_material(&room.mesh, "floor"));
    solid_panel(&room.mesh, NULL, 2, 1, (const double[2]){0.45, 0.45}, (const double[2]){0.5, 0.5}, 0);
    const struct lattice lattice = fit(&room.mesh, 0.1);
    fill_from(&room, &lattice, &seed, 1, &options);
    cr_expect(test_near(room.open_face, 5, 0.02), "%g", room.open_face);
    clear(&room);
}

/* A slot 0.04 m wide that a throat of 0.01 m parts: what is open more widely to the outside is not air. */
Test(air_cells, air_that_is_more_open_to_the_outside_is_not_the_rooms)
{
    struct room room = {0};
    const uint16_t wall = solid_material(&room.mesh, "wall");
    static const double from[4] = {1, 1.53, 1.81, 3}, low[3] = {0.51, 0.525, 0.51},
                        high[3] = {0.55, 0.535, 0.55};
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, 1);
    for (int part = 0; part < 3; part++) {
        /* What is left of the slot's end before, beside this part. */
        const double before[2] = {part == 1 ? low[0] : 0, part == 1 ? high[0] : 1};
        if (part < 2) {
            solid_panel(&room.mesh, NULL, 0, from[part], (const double[2]){before[0], 0},
                        (const double[2]){low[part], 1}, wall);
            solid_panel(&room.mesh, NULL, 0, from[part], (const double[2]){high[part], 0},
                        (const double[2]){before[1], 1}, wall);
        } else {
            solid_panel(&room.mesh, NULL, 0, from[part], (const double[2]){low[2], 0},
                        (const double[2]){low[1], 1}, wall);
            solid_panel(&room.mesh, NULL, 0, from[part], (const double[2]){high[1], 0},
                        (const double[2]){high[2], 1}, wall);
        }
        solid_panel(&room.mesh, NULL, 1, low[part], (const double[2]){0, from[part]},
                    (const double[2]){1, from[part + 1]}, wall);
        solid_panel(&room.mesh, NULL, 1, high[part], (const double[2]){0, from[part]},
                    (const double[2]){1, from[part + 1]}, wall);
        for (int end = 0; end < 2; end++)
            solid_panel(&room.mesh, NULL, 2, end, (const double[2]){from[part], low[part]},
                        (const double[2]){from[part + 1], high[part]}, wall);
    }
    fill(&room, 0.1, (const double[3]){0.5, 0.4, 0.5});
    cr_expect(room.volume > 1 + 0.04 * 0.53 && room.volume < 1 + 0.04 * 0.6 + 0.01 * 0.28, "%g", room.volume);
    clear(&room);
}

Test(air_cells, the_node_of_a_voxel_whose_centre_is_solid_is_its_largest_piece)
{
    struct room room = {0};
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, -1);
    solid_box(&room.mesh, NULL, (const double[3]){0.22, 0.22, 0.335}, (const double[3]){0.78, 0.78, 0.355},
              NULL, -1);
    fill(&room, 0.1, (const double[3]){0.5, 0.5, 0.7});
    unsigned found = 0;
    for (size_t p = 0; p < room.voxels.piece_count; p++) {
        const struct voxel_piece *piece = &room.voxels.piece[p];
        int64_t node[3];
        block_bits_node(room.voxels.block[piece->block].place, piece->cell.slot, node);
        cr_expect(node[2] == 3 && test_near((double)piece->cell.volume, 0.35, 2e-3), "%g",
                  (double)piece->cell.volume);
        /* The node is the piece above the board. */
        cr_expect(voxels_is_cut(&room.voxels, node, DIRECTION_ZM) &&
                  test_near(open_at(&room.voxels, node, DIRECTION_ZP), 1, 1e-9) &&
                  test_near(open_at(&room.voxels, node, DIRECTION_XM), 0.45, 2e-3));
        found++;
    }
    cr_expect(found == 16, "%u", found);
    cr_expect(test_near(room.volume, 1 - 0.56 * 0.56 * 0.02, 1e-3));
    clear(&room);
}

Test(air_cells, of_many_materials_in_a_voxel_the_smallest_areas_join_the_largest)
{
    struct room room = {0};
    uint16_t material[9];
    solid_box(&room.mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, 4);
    material[8] = 0;
    double at = 0;
    for (int i = 0; i < 9; i++) { /* strips of 6, 7, .. 13 mm and the rest */
        const double next = i < 8 ? at + 0.006 + 0.001 * i : 1;
        char name[16];
        (void)snprintf(name, sizeof name, "m%d", i);
        material[i] = solid_material(&room.mesh, name);
        solid_panel(&room.mesh, NULL, 2, 0, (const double[2]){at, 0}, (const double[2]){next, 1},
                    material[i]);
        at = next;
    }
    fill(&room, 0.1, (const double[3]){0.5, 0.5, 0.5});
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += room.area[material[i]];
    /* In the corner the largest is the wall. */
    cr_expect(test_near(sum + room.area[0], 6, 1e-2) && test_near(sum, 1, 0.04), "%g %g", sum, room.area[0]);
    for (size_t c = 0; c < room.voxels.cell_count; c++)
        cr_assert(room.voxels.cell[c].areas <= VOXELS_AREAS_MAX);
    clear(&room);
}
