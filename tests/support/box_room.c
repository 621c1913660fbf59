#include "tests/support/box_room.h"

#include <math.h>
#include <stdlib.h>

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "geometry/room/voxeliser.h"
#include "rooms/materials/absorption.h"
#include "rooms/materials/surfaces.h"
#include "src/setup/room_grid.h"
#include "src/setup/room_walls.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/link_grids.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

#define PI      3.14159265358979323846
#define PERIODS 24  /* that a hard mode is listened to */
#define DECAYED 1.0 /* nepers of a lossy one */

/* ---- rooms ---- */

/* Stairs: the nodes inside, and at every cut link the wall that it meets first. */
static bool inside(const struct cell_plane plane[6], const int64_t node[3])
{
    for (int p = 0; p < 6; p++) {
        double height = -plane[p].offset;
        for (int a = 0; a < 3; a++)
            height += plane[p].normal[a] * (double)node[a];
        if (height >= 0)
            return false;
    }
    return true;
}

static void wall_met(void *context, const int64_t node[3], enum direction direction, uint16_t *material,
                     uint16_t *cosine)
{
    const struct cell_plane *const plane = context;
    double nearest = INFINITY;
    for (int p = 0; p < 6; p++) {
        double height = plane[p].offset;
        for (int a = 0; a < 3; a++)
            height -= plane[p].normal[a] * (double)node[a];
        const double along = plane[p].normal[direction / 2] * (direction % 2 == 0 ? -1 : 1);
        if (along > 0 && height / along < nearest) {
            nearest = height / along;
            *material = plane[p].material;
            *cosine = (uint16_t)lrint(along * VOXELS_COSINE_ONE);
        }
    }
}

static struct voxels stairs(const struct cell_plane plane[6], const struct box_shape *shape)
{
    const double reach = hypot(hypot(shape->size[0], shape->size[1]), shape->size[2]) / 2;
    int64_t low[3], nodes[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (int64_t)floor(shape->centre[a] - reach);
        nodes[a] = (int64_t)ceil(shape->centre[a] + reach) - low[a] + 1;
    }
    const size_t count = (size_t)(nodes[0] * nodes[1] * nodes[2]);
    uint8_t *const links = calloc(count, 1);
    cr_assert(links != NULL);
    for (size_t n = 0; n < count; n++) {
        const int64_t node[3] = {low[0] + (int64_t)n % nodes[0], low[1] + (int64_t)n / nodes[0] % nodes[1],
                                 low[2] + (int64_t)n / nodes[0] / nodes[1]};
        links[n] = inside(plane, node) ? BLOCK_LINKS_ALL : 0;
    }
    const struct voxels voxels = link_voxels(low, nodes, links, NULL, wall_met, (void *)(uintptr_t)plane);
    free(links);
    return voxels;
}

static void set_masses(struct box_room *room)
{
    const struct block_grid *const blocks = &room->blocks;
    room->mass = calloc(((size_t)blocks->blocks + 1) * BLOCK_NODES, sizeof *room->mass);
    cr_assert(room->mass != NULL);
    for (uint32_t b = 1; b <= blocks->blocks; b++) {
        double *const mass = room->mass + (size_t)b * BLOCK_NODES;
        const uint32_t tile = blocks->block[b].tile;
        uint64_t record = blocks->has_records ? blocks->cut_first[b] : 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            mass[slot] = blocks->tile[tile][slot] != 0;
            if (blocks->has_records && (blocks->marks[tile].cut[slot >> 6] >> (slot & 63) & 1))
                mass[slot] = cut_mass(blocks, record++);
        }
    }
}

/* The walls' areas are those of the box, as the program's are those of the mesh. */
static void set_areas(struct box_room *room)
{
    double area[3] = {0};
    const double *const size = room->shape.size;
    for (uint64_t w = 0; w < room->blocks.walls; w++)
        area[room->blocks.wall[w].material] += room->blocks.wall[w].weight;
    for (uint64_t w = 0; w < room->blocks.walls; w++) {
        struct wall *const wall = &room->blocks.wall[w];
        const int a = wall->material;
        wall->weight *= (float)(2 * size[(a + 1) % 3] * size[(a + 2) % 3] / area[a]);
    }
}

static void finish(const struct box_shape *shape, struct voxels *voxels, struct box_room *room)
{
    const bool isotropic = shape->scheme == SCHEME_ISOTROPIC;
    if (isotropic && !shape->stairs && !shape->slabs_apart)
        MUST(block_grid_pack_slabs(voxels, &room->blocks, &failure));
    else
        MUST(block_grid_pack(voxels, &room->blocks, &failure));
    voxels_free(voxels);
    room->blocks.lattice.spacing = 1;
    if (isotropic)
        MUST(block_grid_widen(&room->blocks, &failure));
    const double share = shape->stairs && !isotropic && shape->share == 0 ? 0.999 * 0.999 : shape->share;
    struct cut_masses masses = {0};
    if (share > 0)
        MUST(time_step_choose(shape->scheme, 1, 1, sqrt(share) * time_step_limit(shape->scheme), &room->step,
                              &failure));
    if (!(share > 0))
        MUST(room_masses_settle(&(struct grid_request){.scheme = shape->scheme}, &room->blocks, 1,
                                &room->step, &masses, &failure));
    else if (!shape->stairs || isotropic)
        MUST(cut_masses_make(&room->blocks, room->step.lambda2, &masses, &failure));
    if (masses.volume > 0)
        room->added = masses.added / masses.volume;
    set_masses(room);
}

void box_room_make(const struct box_shape *shape, struct box_room *room)
{
    struct cell_plane plane[6];
    *room = (struct box_room){.shape = *shape};
    cell_box_axes(shape->angle, room->axes);
    cell_box_planes(shape->centre, shape->size, shape->angle, 1, plane);
    for (int p = 0; p < 6; p++)
        plane[p].material = (uint16_t)(p / 2);
    struct voxels voxels = shape->stairs ? stairs(plane, shape) : cell_room_convex(plane, 6);
    finish(shape, &voxels, room);
    if (shape->stairs)
        set_areas(room);
}

void box_room_make_ball(const struct box_shape *shape, double radius, struct box_room *room)
{
    const struct voxelise_options options = {.cells = !shape->stairs};
    static const double origin[3] = {0};
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "middle"};
    struct mesh mesh = {0};
    struct lattice lattice;
    struct voxels voxels = {0};
    double low[3], high[3], area = 0;
    *room = (struct box_room){.shape = *shape, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    solid_icosphere(&mesh, origin, 1, 5);
    const double scale = radius * cbrt(4 * PI / 3 / fabs(enclosed_volume(&mesh)));
    for (size_t v = 0; v < mesh.vertex_count; v++)
        for (int a = 0; a < 3; a++)
            mesh.vertex[v][a] = scale * mesh.vertex[v][a] + shape->centre[a];
    memcpy(seed.position, shape->centre, sizeof seed.position);
    MUST(mesh_bounds(&mesh, low, high, &failure));
    MUST(lattice_fit(low, high, 1, origin, &lattice, &failure));
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    mesh_free(&mesh);
    for (int a = 0; a < 3; a++)
        room->shape.centre[a] -= lattice.origin[a]; /* node n now stands at n */
    finish(shape, &voxels, room);
    for (uint64_t w = 0; w < room->blocks.walls; w++)
        area += room->blocks.wall[w].weight;
    for (uint64_t w = 0; shape->stairs && w < room->blocks.walls; w++)
        room->blocks.wall[w].weight *= (float)(4 * PI * radius * radius / area);
}

/* Branches are fitted from 44.7 Hz to 11.2 kHz, so fmax is to be a frequency in between. */
void box_room_fit_walls(struct box_room *room, const double admittance[3], double points)
{
    const double speed = 343.2, fmax = 1000, spacing = speed / (points * fmax), unit = spacing / speed;
    const bool fitted = room->shape.scheme == SCHEME_ISOTROPIC;
    MUST(wall_kinds_sort(&room->blocks, fitted && !room->shape.stairs, 3, &room->kinds, &failure));
    room->wall = calloc(room->kinds.count, sizeof *room->wall);
    cr_assert(room->wall != NULL);
    for (size_t k = 0; k < room->kinds.count; k++) {
        const struct wall_kind *kind = &room->kinds.kind[k];
        const double g = admittance[kind->material];
        const struct wall_material own = {g > 0, {{.E = 1 / g}}};
        const double steps = WALL_KIND_STEPS;
        struct grid_wall seen = {.fmax = fmax,
                                 .distance = room->shape.stairs ? 0.5 : kind->steps / steps,
                                 .reach = room->shape.stairs ? 0.5 : (double)kind->reach,
                                 .slanting = kind->steps == 0 && kind->reach != 0 ? &own : NULL};
        struct surface surface = {.form = SURFACE_NUMBER};
        struct branch_fit fit = {.count = g > 0, .branch = {{.E = 1 / g}}};
        MUST(time_step_choose(room->shape.scheme, spacing, speed, room->step.courant, &seen.step, &failure));
        const struct wall_view view = room_wall_view(&seen);
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            surface.octave[o] = g > 0 ? absorption_from_admittance(g) : 0;
        if (fitted && g > 0)
            MUST(surface_fit_seen(&surface, &view, &fit, &failure));
        room->wall[k].branches = fit.count;
        for (size_t m = 0; m < fit.count; m++)
            room->wall[k].branch[m] =
                (struct wall_branch){fit.branch[m].D / unit, fit.branch[m].E, fit.branch[m].F * unit};
    }
}

void box_room_free(struct box_room *room)
{
    block_grid_free(&room->blocks);
    wall_kinds_free(&room->kinds);
    free(room->wall);
    free(room->mass);
}

/* ---- exact modes ---- */

struct box_wave box_wave_hard(const struct box_shape *shape, const int q[3])
{
    struct box_wave wave = {.q = {q[0], q[1], q[2]}};
    double square = 0;
    for (int a = 0; a < 3; a++) {
        wave.wave[a] = PI * q[a] / shape->size[a];
        square += creal(wave.wave[a]) * creal(wave.wave[a]);
    }
    wave.omega = sqrt(square);
    return wave;
}

static double complex admittance(const struct wall_material *wall, double complex omega)
{
    double complex sum = 0;
    for (size_t m = 0; m < wall->branches; m++)
        sum += 1 / (I * omega * wall->branch[m].D + wall->branch[m].E + wall->branch[m].F / (I * omega));
    return sum;
}

/* The wavenumber between two walls L apart that an angular frequency times admittance asks for: where
 * p' = -j omega Y p at +L/2 and p is even or odd, k tan(k L/2) = j omega Y, -k cot(k L/2) = j omega Y. */
static double complex between_walls(double length, int q, double complex drive, double complex wave)
{
    if (q == 0 && cabs(wave) == 0)
        wave = csqrt(2 * I * drive / length);
    for (int n = 0; n < 40 && cabs(drive) > 0; n++) {
        const double complex x = wave * length / 2, c = ccos(x), s = csin(x);
        const double complex off = q % 2 == 0 ? wave * s - I * drive * c : wave * c + I * drive * s;
        const double complex slope =
            q % 2 == 0 ? s + x * c + I * drive * s * length / 2 : c - x * s + I * drive * c * length / 2;
        wave -= off / slope;
    }
    return wave;
}

struct box_wave box_wave_lossy(const struct box_shape *shape, const struct wall_material wall[3],
                               const int q[3])
{
    struct box_wave wave = box_wave_hard(shape, q);
    for (int n = 0; n < 100; n++) {
        double complex square = 0;
        for (int a = 0; a < 3; a++) {
            wave.wave[a] = between_walls(shape->size[a], q[a], wave.omega * admittance(&wall[a], wave.omega),
                                         wave.wave[a]);
            square += wave.wave[a] * wave.wave[a];
        }
        wave.omega = csqrt(square);
    }
    return wave;
}

size_t box_modes_between(const struct box_shape *shape, double low, double high, size_t most, int (*q)[3])
{
    size_t count = 0;
    int last[3];
    double *const found = calloc(most, sizeof *found);
    cr_assert(found != NULL);
    for (int a = 0; a < 3; a++)
        last[a] = (int)(high * shape->size[a] / PI);
    for (int x = 0; x <= last[0]; x++)
        for (int y = 0; y <= last[1]; y++)
            for (int z = 0; z <= last[2]; z++) {
                const int next[3] = {x, y, z};
                const double omega = creal(box_wave_hard(shape, next).omega);
                if (omega < low || omega > high || omega == 0)
                    continue;
                size_t at = count < most ? count++ : most;
                while (at > 0 && found[at - 1] > omega) {
                    if (at < most) {
                        found[at] = found[at - 1];
                        memcpy(q[at], q[at - 1], sizeof *q);
                    }
                    at--;
                }
                if (at < most) {
                    found[at] = omega;
                    memcpy(q[at], next, sizeof *q);
                }
            }
    free(found);
    return count;
}

/* ---- ringing ---- */

double complex box_wave_at(const struct box_room *room, const struct box_wave *wave, const int64_t node[3])
{
    double complex shape = 1;
    for (int a = 0; a < 3; a++) {
        double along = 0;
        for (int b = 0; b < 3; b++)
            along += room->axes[a][b] * ((double)node[b] - room->shape.centre[b]);
        shape *= wave->q[a] % 2 == 0 ? ccos(wave->wave[a] * along) : csin(wave->wave[a] * along);
    }
    return shape;
}

/* Sets both levels to the real part of the mode, now and a step ago, and returns the weights of a listener
 * for `heard`, which has a real shape: to be freed. */
static double *start(const struct box_room *room, struct engine *engine, const struct box_wave *wave,
                     double complex now, double complex before, const struct box_wave *heard)
{
    const size_t count = ((size_t)room->blocks.blocks + 1) * BLOCK_NODES;
    double *const weight = calloc(count, sizeof *weight);
    cr_assert(weight != NULL);
    for (size_t n = BLOCK_NODES; n < count; n++) {
        if (room->mass[n] == 0)
            continue;
        int64_t node[3];
        block_node(&room->blocks.block[n / BLOCK_NODES], (unsigned)(n % BLOCK_NODES), node);
        const double complex value = box_wave_at(room, wave, node);
        engine_set(engine, 0, node, creal(value * now));
        engine_set(engine, 1, node, creal(value * before));
        weight[n] = room->mass[n] * creal(box_wave_at(room, heard, node));
    }
    return weight;
}

static double listen(const struct box_room *room, const struct engine *engine, const double *weight)
{
    double sum = 0, value[BLOCK_NODES];
    for (uint32_t b = 1; b <= room->blocks.blocks; b++) {
        engine_read_block(engine, b, value);
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            sum += weight[(size_t)b * BLOCK_NODES + slot] * value[slot];
    }
    return sum;
}

static struct engine *engine_for(const struct box_room *room, const struct wall_material wall[3])
{
    static const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    const struct wall_materials walls = {3, wall, room->shape.stairs, false};
    return engine_of(&room->blocks, NULL, &room->step, NULL, 0, &walls, &options);
}

double frequency_of(const double *sampled, size_t count, double near)
{
    for (int n = 0; n < 20; n++) {
        double complex moment[3] = {0};
        for (size_t k = 0; k < count; k++) {
            const double at = (double)k + 0.5 - 0.5 * (double)count,
                         x = 2 * PI * ((double)k + 0.5) / (double)count;
            const double complex term =
                sampled[k] * (0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x)) * cexp(-I * near * at);
            moment[0] += term;
            moment[1] += at * term;
            moment[2] += at * at * term;
        }
        /* d/df |S|^2 = 2 Im(S1 conj S0), d2/df2 |S|^2 = 2 (|S1|^2 - Re(S2 conj S0)) */
        const double slope = 2 * cimag(moment[1] * conj(moment[0]));
        const double bend = 2 * (creal(moment[1] * conj(moment[1])) - creal(moment[2] * conj(moment[0])));
        const double line = 2 * PI / (double)count, by = bend < 0 ? -slope / bend : slope > 0 ? line : -line;
        near += fmax(-line, fmin(line, by));
    }
    return near;
}

/* 4 sum sin^2(k_d/2) of the plane waves that the mode is made of, on average. */
static double lattice_symbol(const struct box_room *room, const struct box_wave *wave)
{
    double sum = 0;
    for (int sign = 0; sign < 4; sign++)
        for (int d = 0; d < 3; d++) {
            double k = 0;
            for (int a = 0; a < 3; a++)
                k += room->axes[a][d] * creal(wave->wave[a]) * (a < 2 && (sign >> a & 1) ? -1 : 1);
            sum += sin(k / 2) * sin(k / 2);
        }
    return sum;
}

struct box_error box_room_rings(const struct box_room *room, const int q[3])
{
    static const struct wall_material hard[3] = {{0}, {0}, {0}};
    const struct box_wave wave = box_wave_hard(&room->shape, q);
    struct engine *const engine = engine_for(room, hard);
    double *const weight = start(room, engine, &wave, 1, 1, &wave);
    const double period = room->step.period, turn = creal(wave.omega) * period;
    const size_t stride = (size_t)fmax(1, PI / 4 / turn),
                 count = (size_t)(PERIODS * 2 * PI / turn / (double)stride);
    double *const sampled = calloc(count, sizeof *sampled);
    cr_assert(sampled != NULL);
    for (size_t n = 0; n < count; n++) {
        engine_run(engine, stride, NULL, NULL);
        sampled[n] = listen(room, engine, weight);
    }
    const double rings = frequency_of(sampled, count, turn * (double)stride) / (double)stride;
    free(sampled);
    free(weight);
    engine_free(engine);
    const double expected = 2 * asin(sqrt(room->step.lambda2 * lattice_symbol(room, &wave)) / 2);
    return (struct box_error){rings / turn - 1, rings / expected - 1};
}

double complex box_room_decays(const struct box_room *room, const struct wall_material wall[3],
                               const struct box_wave *wave)
{
    const struct box_wave heard = box_wave_hard(&room->shape, wave->q);
    const double period = room->step.period;
    const uint64_t steps = (uint64_t)(DECAYED / (cimag(wave->omega) * period)) + 1;
    double complex before = 0, after = 0;
    for (int part = 0; part < 2; part++) {
        const double complex turn = part == 0 ? 1 : -I;
        struct engine *const engine = engine_for(room, wall);
        double *const weight =
            start(room, engine, wave, turn, turn * cexp(-I * wave->omega * period), &heard);
        /* What the walls hold, and what the grid makes of the mode, find themselves in the first steps. */
        engine_run(engine, steps / 4, NULL, NULL);
        before += (part == 0 ? 1 : I) * listen(room, engine, weight);
        engine_run(engine, steps, NULL, NULL);
        after += (part == 0 ? 1 : I) * listen(room, engine, weight);
        free(weight);
        engine_free(engine);
    }
    const double complex whole = cexp(I * wave->omega * (double)steps * period);
    return wave->omega + clog(after / before / whole) / (I * (double)steps * period);
}

double box_wall_shift(const struct box_shape *shape, double points)
{
    const int q[3] = {(int)lrint(2 * shape->size[0] / points), 0, 0};
    struct box_room room;
    box_room_make(shape, &room);
    const double turn = creal(box_wave_hard(shape, q).omega) * room.step.period *
                        (1 + box_room_rings(&room, q).frequency),
                 wave = 2 * asin(sin(turn / 2) / room.step.courant);
    box_room_free(&room);
    return (PI * q[0] / wave - shape->size[0]) / 2;
}

struct box_decays box_octave_decays(const struct box_shape *shape, const struct wall_material wall[3],
                                    double points, size_t each)
{
    enum { MOST = 60 };
    struct box_room room;
    struct box_decays out = {0};
    int q[MOST][3];
    double count = 0;
    box_room_make(shape, &room);
    const size_t modes = box_modes_between(shape, PI / points, 2 * PI / points, MOST, q);
    for (size_t m = 0; m < modes; m += each, count++) {
        const struct box_wave wave = box_wave_lossy(shape, wall, q[m]);
        const double error = cimag(box_room_decays(&room, wall, &wave)) / cimag(wave.omega) - 1;
        out.spread += error * error;
        out.mean += error;
    }
    box_room_free(&room);
    cr_assert(count > 0);
    return (struct box_decays){sqrt(out.spread / count), out.mean / count};
}

/* ---- packets ---- */

#define WIDTH     24.0                    /* of a packet's envelope exp(-r^2 / (2 width^2)) */
#define HEIGHT    (6 * WIDTH)             /* of its middle above the wall, before and after */
#define INCIDENCE (30 * PI / 180)         /* from the wall's normal */
#define SPECTRUM  (5 / WIDTH)             /* radius of what it is made of, in wavenumber */
#define SPECULAR  (6.5 / WIDTH)           /* of what counts as specular */
#define BIN       (2 * PI / (24 * WIDTH)) /* between its waves: it repeats that far away */

/* In the frame of the box, from the middle of its floor; out of the box's frame. */
static void to_room(const struct box_room *room, double along, double up, double out[2])
{
    for (int d = 0; d < 2; d++)
        out[d] = room->axes[0][d] * along + room->axes[1][d] * up;
}

static void start_packet(const struct box_room *room, struct engine *engine, const double wave[2],
                         const double middle[2])
{
    enum { MOST = 4000 };
    static double k[MOST][2], turn[MOST], amplitude[MOST];
    size_t waves = 0;
    const int reach = (int)(SPECTRUM / BIN);
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++) {
            const double off2 = (x * x + y * y) * BIN * BIN;
            if (off2 > SPECTRUM * SPECTRUM)
                continue;
            cr_assert(waves < MOST);
            k[waves][0] = wave[0] + x * BIN;
            k[waves][1] = wave[1] + y * BIN;
            amplitude[waves] = exp(-off2 * WIDTH * WIDTH / 2);
            const double sx = sin(k[waves][0] / 2), sy = sin(k[waves][1] / 2);
            turn[waves++] = 2 * asin(room->step.courant * sqrt(sx * sx + sy * sy));
        }
    const size_t count = ((size_t)room->blocks.blocks + 1) * BLOCK_NODES;
    for (size_t n = BLOCK_NODES; n < count; n++) {
        int64_t node[3];
        block_node(&room->blocks.block[n / BLOCK_NODES], (unsigned)(n % BLOCK_NODES), node);
        const double x = (double)node[0] - middle[0], y = (double)node[1] - middle[1];
        if (room->mass[n] == 0 || x * x + y * y > 36 * WIDTH * WIDTH)
            continue;
        double now = 0, before = 0;
        for (size_t w = 0; w < waves; w++) {
            const double phase = k[w][0] * x + k[w][1] * y;
            now += amplitude[w] * cos(phase);
            before += amplitude[w] * cos(phase + turn[w]);
        }
        engine_set(engine, 0, node, now);
        engine_set(engine, 1, node, before);
    }
}

/* Energy of all waves about +-wave, and of everything. */
static double specular_share(const struct box_room *room, const struct engine *engine, const double wave[2])
{
    const int64_t *const low = room->blocks.air_low, *const high = room->blocks.air_high;
    const size_t width = (size_t)(high[0] - low[0] + 1), height = (size_t)(high[1] - low[1] + 1);
    double *const field = calloc(width * height, sizeof *field);
    double complex *const row = calloc(height, sizeof *row);
    cr_assert(field != NULL);
    cr_assert(row != NULL);
    double all = 0, specular = 0;
    for (uint32_t b = 1; b <= room->blocks.blocks; b++) {
        double value[BLOCK_NODES];
        engine_read_block(engine, b, value);
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&room->blocks.block[b], slot, node);
            const double mass = room->mass[(size_t)b * BLOCK_NODES + slot];
            all += mass * value[slot] * value[slot];
            if (mass > 0)
                field[(size_t)(node[1] - low[1]) * width + (size_t)(node[0] - low[0])] =
                    sqrt(mass) * value[slot];
        }
    }
    const double bin[2] = {2 * PI / (double)width, 2 * PI / (double)height};
    for (long x = lrint((wave[0] - SPECULAR) / bin[0]); (double)x * bin[0] <= wave[0] + SPECULAR; x++) {
        for (size_t j = 0; j < height; j++) {
            double complex sum = 0, turn = 1;
            const double complex by = cexp(-I * bin[0] * (double)x);
            for (size_t i = 0; i < width; i++, turn *= by)
                sum += field[j * width + i] * turn;
            row[j] = sum;
        }
        for (long y = lrint((wave[1] - SPECULAR) / bin[1]); (double)y * bin[1] <= wave[1] + SPECULAR; y++) {
            if (hypot((double)x * bin[0] - wave[0], (double)y * bin[1] - wave[1]) > SPECULAR)
                continue;
            double complex sum = 0, turn = 1;
            const double complex by = cexp(-I * bin[1] * (double)y);
            for (size_t j = 0; j < height; j++, turn *= by)
                sum += row[j] * turn;
            specular += 2 * creal(sum * conj(sum)) / (double)(width * height);
        }
    }
    free(field);
    free(row);
    return specular / all;
}

double box_room_scatters(const struct box_room *room, double points)
{
    static const struct wall_material hard[3] = {{0}, {0}, {0}};
    struct engine *const engine = engine_for(room, hard);
    const double k = 2 * PI / points, down[2] = {k * sin(INCIDENCE), -k * cos(INCIDENCE)};
    double wave[2], mirrored[2], middle[2];
    to_room(room, down[0], down[1], wave);
    to_room(room, down[0], -down[1], mirrored);
    to_room(room, -HEIGHT * tan(INCIDENCE), HEIGHT - room->shape.size[1] / 2, middle);
    for (int d = 0; d < 2; d++)
        middle[d] += room->shape.centre[d];
    start_packet(room, engine, wave, middle);
    engine_run(engine, (uint64_t)(2 * HEIGHT / cos(INCIDENCE) / room->step.period), NULL, NULL);
    const double share = specular_share(room, engine, mirrored);
    engine_free(engine);
    return 1 - share;
}
