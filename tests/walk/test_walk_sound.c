/* What goes into a walk and what comes out: the dry sound, 48 kHz, two ears. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/base/interrupt.h"
#include "src/response/signal/binaural.h"
#include "src/run/walk/walk_sound.h"
#include "tests/support/outcome.h"
#include "tests/support/own_folder.h"
#include "tests/support/sounds.h"
#include "tests/support/two_ears.h"

#define RATE 48000

TestSuite(walk_sound, .init = enter_folder, .fini = leave_folder);

static float noise[RATE / 2];

static void make_noise(void)
{
    uint64_t seed = 3;
    for (size_t n = 0; n < RATE / 2; n++)
        noise[n] = (float)test_uniform(&seed, -0.5, 0.5);
}

Test(walk_sound, a_dry_sound_begins_again_every_second_until_the_listener_has_arrived)
{
    struct walk_path path = {0};
    struct dry_sound dry = {0};
    double seconds = 0.0, *sample = NULL;
    make_noise();
    write_sound("dry.wav", noise, RATE / 2, 1, RATE);
    MUST(walk_path_read("0,0,0;2.5,0,0", 1.0, &path, &failure));
    MUST(dry_sound_open("dry.wav", ".", &interrupt_seen, &dry, &failure));
    cr_assert(eq(sz, walk_dry_times(&dry, &path, &seconds), 3));
    cr_assert(eq(dbl, seconds, 2.5));
    MUST(walk_dry_at(&dry, 3, RATE, 4 * RATE, &sample, &failure));
    for (size_t n = 0; n < 4 * RATE; n++) {
        const bool sounds = n % RATE < RATE / 2 && n < 3 * RATE;
        cr_assert(eq(dbl, sample[n], sounds ? (double)noise[n % RATE] : 0.0), "sample %zu", n);
    }
    free(sample);
    dry_sound_close(&dry);
    walk_path_free(&path);
}

/* A field that comes from all about, as a head that is turned to `yaw` hears it. */
static void expect_as_turned(const struct walk_sound *sound, const struct head_filters *filters,
                             const char *way, const struct walk_look *look, double yaw)
{
    const struct head_orientation orientation = {.yaw = yaw};
    struct walk_path path = {0};
    float *walked = NULL, *turned = NULL;
    MUST(walk_path_read(way, 1.0, &path, &failure));
    MUST(walk_sound_ears(sound, &path, look, filters, &walked, &failure));
    MUST(binaural_make(sound->sample, sound->frames, filters, &orientation, &turned, &failure));
    for (size_t n = 0; n < sound->frames * EARS; n++)
        cr_assert(test_near((double)walked[n], (double)turned[n], 1e-5), "%s: sample %zu", way, n);
    free(walked);
    free(turned);
    walk_path_free(&path);
}

Test(walk_sound, the_head_looks_along_the_walk_at_a_source_or_where_it_is_told)
{
    const struct walk_look ahead = {.kind = WALK_LOOKS_AHEAD}, told = {.kind = WALK_LOOKS_TO, .azimuth = -30},
                           source = {.kind = WALK_LOOKS_AT_SOURCE, .source = {1000, 1000, 0}};
    struct head_data head = two_ears(1.0, 0.0);
    struct head_filters filters = {0};
    make_noise();
    struct walk_sound sound = {
        .rate = RATE, .frames = RATE / 8, .channels = AMBISONIC_CHANNELS, .sample = noise};
    MUST(head_filters_make(&head, RATE, &filters, &failure));
    expect_as_turned(&sound, &filters, "0,0,1;0,5,1", &ahead, 90);
    expect_as_turned(&sound, &filters, "5,0,1;0,0,1", &ahead, 180);
    expect_as_turned(&sound, &filters, "0,0,1;0,5,1", &told, -30);
    expect_as_turned(&sound, &filters, "0,0,0;1,1,0", &source, 45);
    head_filters_free(&filters);
    head_data_free(&head);
}
