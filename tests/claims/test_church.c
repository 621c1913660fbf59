/* A real church from mesh to sound, against what another program made of it (third-party data beside the
 * project; the tests are skipped where they are absent). test_church_peer.c compares what the engine puts
 * out; here it is the program's files.
 *
 * The peer's raw output, made the response to the drive (1, -1) (church_data.h), goes through the low-pass of
 * our own drive and then through the chain that makes our files: what calibrates one calibrates the other. */
#include "blocks/box_grid.h"
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "kernels/engine/engine_fill.h"
#include "src/response/signal/response.h"
#include "tests/accuracy/church_data.h"
#include "tests/accuracy/church_sound.h"
#include "tests/support/back_ends.h"
#include "tests/support/driven.h"
#include "tests/support/outcome.h"
#include "tests/support/sounds.h"

#define FMAX 500.0 /* [Hz] */

/* The peer's response at one receiver as a file of ours would have it. */
static float *peers_response(const struct church_peer *peer, int receiver, double distance, size_t *count)
{
    const struct response_chain chain = {.step = step_at(1 / peer->period), .fmax = FMAX, .method = AIR_OFF};
    return driven_response(&chain, peer->raw + (size_t)receiver * peer->samples, peer->samples,
                           distance / CHURCH_SOUND_SPEED, count);
}

/* Of every surface in run.json the factor that its area was multiplied by: 1 with first-order walls. */
static void check_areas(const char *folder)
{
    static char text[200000];
    char path[300];
    int surfaces = 0;
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    for (const char *at = text; (at = strstr(at, "\"area_factor\":")) != NULL; ++surfaces) {
        at += strlen("\"area_factor\":");
        cr_assert(strtod(at, NULL) == 1, "%.20s", at);
    }
    cr_assert(eq(int, surfaces, 8));
}

static struct church_match match_files(const float *ours, const float *peers, double distance)
{
    const size_t count = church_early_steps(distance, RESPONSE_RATE);
    double *both = malloc(2 * count * sizeof *both);
    cr_assert(both != NULL);
    for (size_t n = 0; n < count; ++n) {
        both[n] = ours[n];
        both[count + n] = peers[n];
    }
    const struct church_match match = church_match_responses(both, both + count, distance, RESPONSE_RATE);
    free(both);
    return match;
}

Test(church, early_responses_are_those_of_an_independent_program_with_its_walls)
{
    char folder[] = "/tmp/test_church_XXXXXX", command[7000], path[300], data[CHURCH_PATH_MAX];
    struct church_places places;
    struct church_peer peer = {0};
    if (test_shared_data("ctk_church/peer/branches.csv") == NULL)
        cr_skip("the real church is not on this machine");
    (void)snprintf(data, sizeof data, "%s", test_shared_data("ctk_church"));
    MUST(church_places_read(data, &places, &failure));
    MUST(church_peer_read(data, CHURCH_COARSE, &peer, &failure));
    cr_assert(mkdtemp(folder) != NULL);
    (void)snprintf(
        command, sizeof command,
        "'%s' simulate '%s/church.obj' -o '%s' --rays off --force --quiet --materials '%s/peer/branches.csv' "
        "--scheme standard --walls first-order --interpolation linear --air off --fmax %g --duration 0.08 "
        "--spacing 0.06537142857142857 --grid-origin=-0.2288,-0.2288,-0.2288 "
        "--source 8,6.65,1.7 --receiver 8,3.65,1.5 --receiver 8,1.65,1.5 --receiver 5,6.65,1 "
        "--receiver 5,6.65,1.5 --receiver 5,6.65,2 --receiver 1.66,6.65,1.5 2>'%s/log'",
        TEST_PROGRAM, data, folder, data, FMAX, folder);
    cr_assert(system(command) == 0, "%s", command);
    for (int r = 0; r < CHURCH_RECEIVERS; ++r) {
        size_t count = 0, peer_count = 0;
        int rate = 0;
        (void)snprintf(path, sizeof path, "%s/ir_S1_R%d.wav", folder, r + 1);
        float *ours = read_mono(path, &count, &rate);
        float *peers = peers_response(&peer, r, places.distance[r], &peer_count);
        const size_t needed = church_early_steps(places.distance[r], RESPONSE_RATE);
        cr_assert(rate == RESPONSE_RATE && count >= needed && peer_count >= needed, "%zu and %zu samples",
                  count, peer_count);
        const struct church_match match = match_files(ours, peers, places.distance[r]);
        (void)fprintf(stderr, "R%d: correlation %.4f, lag %+.2f samples, level %+.2f dB\n", r + 1,
                      match.correlation, match.lag, match.level);
        cr_expect(match.correlation >= 0.995, "R%d: correlation %.4f", r + 1, match.correlation);
        cr_expect(test_near(match.lag, 0, 0.999), "R%d: %.2f samples apart", r + 1, match.lag);
        cr_expect(test_near(match.level, 0, 0.2), "R%d: level differs by %.2f dB", r + 1, match.level);
        free(peers);
        (void)remove(path);
    }
    church_peer_free(&peer);
    check_areas(folder);
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_assert(system(command) == 0);
}

/* The church on the grid of the test above, 6 million nodes. */
static void make_church(struct block_grid *blocks)
{
    static const struct voxel_seed seed = {
        .kind = SEED_SOURCE, .name = "pulpit", .position = {8.0, 6.65, 1.7}};
    const struct mesh_import_options import = {.metres_per_unit = 1};
    const struct voxelise_options options = {0};
    const double spacing = 0.06537142857142857, phase[3] = {-0.2288, -0.2288, -0.2288};
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    struct lattice lattice;
    struct voxels voxels = {0};
    double low[3], high[3];
    MUST(mesh_import(test_shared_data("ctk_church/church.obj"), &import, &mesh, &facts, &failure));
    MUST(mesh_bounds(&mesh, low, high, &failure));
    MUST(lattice_fit(low, high, spacing, phase, &lattice, &failure));
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    MUST(block_grid_pack(&voxels, blocks, &failure));
    cr_assert(blocks->air_nodes > 1000000 && blocks->wall_nodes > 10000);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(church, a_device_steps_it_to_the_processors_bits)
{
    enum { STEPS = 50, MATERIALS = 64, PLACES = 3 };
    static const int64_t beside[PLACES][3] = {{0, 0, 0}, {3, -2, 1}, {-9, 14, 2}};
    static double admittance[MATERIALS], drive[STEPS] = {1.0, -1.0}, heard[2][PLACES * STEPS];
    if (test_shared_data("ctk_church/church.obj") == NULL)
        cr_skip("the real church is not on this machine");
    if (!back_ends_is_thorough(false) || back_ends_device() == NULL)
        cr_skip("no device");
    struct block_grid blocks = {0};
    struct box_grid box = {0};
    struct time_step step;
    make_church(&blocks);
    for (size_t m = 0; m < MATERIALS; ++m)
        admittance[m] = 0.01 * (double)(m % 9);
    MUST(time_step_choose(SCHEME_STANDARD, blocks.lattice.spacing, 343.2, 0.0, &step, &failure));
    MUST(box_grid_from_blocks(&blocks, &box, &failure));
    int64_t node[3];
    for (int axis = 0; axis < 3; ++axis)
        node[axis] = llround(((const double[3]){8.0, 6.65, 1.7}[axis] - blocks.lattice.origin[axis]) /
                             blocks.lattice.spacing);
    struct back_ends all = {.mask = BACK_ENDS_DEVICE};
    while (back_ends_next(&all)) {
        struct engine *engine[2] = {NULL, NULL};
        for (int e = 0; e < 2; ++e) {
            struct engine_options options = all.options;
            options.threads = 0;
            options.backend = e == 0 ? BACKEND_CPU : back_ends_backend();
            MUST(engine_create(&engine[e], &blocks, options.layout == LAYOUT_BOX ? &box : NULL, &step,
                               admittance, MATERIALS, &options, &failure));
            engine_fill(engine[e], 4);
            for (int p = 0; p < PLACES; ++p) {
                struct stencil tap = {.count = 1, .weight = {1.0}};
                for (int axis = 0; axis < 3; ++axis)
                    tap.node[0][axis] = node[axis] + beside[p][axis];
                if (p == 0)
                    MUST(engine_add_source(engine[e], &tap, &failure));
                MUST(engine_add_receiver(engine[e], &tap, &failure));
            }
            engine_run(engine[e], STEPS, drive, heard[e]);
        }
        back_ends_sound(engine[1]);
        back_ends_same_output(engine[1], STEPS, heard[0], heard[1]);
        cr_assert(engine_hash(engine[0]) == engine_hash(engine[1]), "%s: another field than %s",
                  engine_description(engine[1]), engine_description(engine[0]));
        engine_free(engine[0]);
        engine_free(engine[1]);
    }
    box_grid_free(&box);
    block_grid_free(&blocks);
}
