/* `analyse --sweep`, `--mls` and `--reference`, and `compare RUN measured.wav..`, with recordings of known
 * rooms.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include <sndfile.h>
#include <unistd.h>

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/measured/mls_response.h"
#include "src/response/signal/convolution.h"
#include "src/response/signal/noise.h"
#include "tests/support/json_path.h"
#include "tests/support/sounds.h"

TestSuite(measured_commands, .init = enter_folder, .fini = leave_folder);

#define RATE   96000
#define SWEEP  (2 * RATE)
#define RECORD (4 * RATE)
#define ROOM   RATE
#define LOW    30.0
#define HIGH   20000.0
#define TIME   0.5 /* reverberation time [s] */
#define DELAY  960 /* samples */

static float sweep[SWEEP], room[ROOM], recording[2 * RECORD];

static void write_form(const char *path, int format, const float *sample, sf_count_t frames, int channels,
                       int rate)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = SF_FORMAT_WAV | format};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    cr_assert(file != NULL, "%s", sf_strerror(NULL));
    cr_assert(sf_writef_float(file, sample, frames) == frames);
    sf_close(file);
}

static void write_sweep(void)
{
    const double seconds = (double)SWEEP / RATE, rise = seconds / log(HIGH / LOW),
                 pi = 3.14159265358979323846;
    for (size_t n = 0; n < SWEEP; n++) {
        const double t = (double)n / RATE, fade = fmin(1.0, fmin(t, seconds - t) / 0.01);
        sweep[n] = (float)(0.5 * sin(0.5 * pi * fade) * sin(2.0 * pi * LOW * rise * (exp(t / rise) - 1.0)));
    }
    write_form("sweep.wav", SF_FORMAT_PCM_24, sweep, SWEEP, 1, RATE);
}

/* `x` (count) with `square` times its square, through the room, at `offset`, into a channel of the recording.
 */
static void play(const float *x, size_t count, double square, double offset, size_t channel, size_t channels)
{
    struct convolution through = {0};
    MUST(convolution_make(room, ROOM, 1, &through, &failure));
    double *in = test_keep(calloc(2 * through.block, sizeof *in)), *out = in + through.block;
    for (size_t from = 0; from < RECORD; from += through.block) {
        for (size_t n = 0; n < through.block; n++) {
            const double y = from + n < count ? (double)x[from + n] : 0.0;
            in[n] = y + square * y * y;
        }
        convolution_step(&through, in, out);
        for (size_t n = 0; n < through.block && from + n < RECORD; n++)
            recording[(from + n) * channels + channel] = (float)(out[n] + offset);
    }
    convolution_free(&through);
}

static void make_room(double direct, double diffuse)
{
    struct noise noise = {3};
    memset(room, 0, sizeof room);
    room[DELAY] = (float)direct;
    for (size_t n = DELAY + 480; n < ROOM && diffuse > 0.0; n++)
        room[n] = (float)(diffuse * noise_normal(&noise) * fallen((double)(n - DELAY) / RATE, TIME));
}

static const cJSON *response(const cJSON *object, int number)
{
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "responses"), number);
    cr_assert(entry != NULL);
    return entry;
}

static double at(const cJSON *entry, const char *name, int place)
{
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(entry, name), place);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

/* 96 kHz, two channels, a distortion of -26 dB, an offset, and noise. The reference is the direct sound
 * alone, of amplitude 1 at 2 m and thus of 0.2 at 10 m: G is that of the room's own response with this
 * reference. */
Test(measured_commands, a_recorded_sweep_has_the_figures_of_its_room_and_G_by_its_reference)
{
    struct noise noise = {11};
    struct acoustic_figures known;
    write_sweep();
    make_room(1.0, 0.0);
    play(sweep, SWEEP, 0.2, 0.0, 0, 1);
    write_form("near.wav", SF_FORMAT_PCM_24, recording, RECORD, 1, RATE);
    make_room(0.5, 0.02);
    play(sweep, SWEEP, 0.2, 0.01, 1, 2);
    make_room(0.25, 0.01);
    play(sweep, SWEEP, 0.2, 0.01, 0, 2);
    for (size_t n = 0; n < 2 * RECORD; n++)
        recording[n] += (float)(1e-5 * noise_normal(&noise));
    write_form("hall.wav", SF_FORMAT_FLOAT, recording, RECORD, 2, RATE);
    expect_status(RUN("analyse", "--sweep", "sweep.wav", "hall.wav", "--reference", "near.wav",
                      "--reference-distance", "2m", "-o", "response.wav", "--json"),
                  0);
    cJSON *object = read_json("out");
    expect_words("err", "hall.wav: a constant offset of 0.01 ");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "responses")), 2));
    MUST(acoustic_figures_make(room, ROOM, RATE, 18000, (double)DELAY / RATE, 0.2, &known, &failure));
    for (int o = 1; o < 8; o++) {
        cr_expect(test_near(at(response(object, 0), "t30_s", o), known.octave[o].times.t30, 0.01 * TIME),
                  "%d: %g, not %g s", o, at(response(object, 0), "t30_s", o), known.octave[o].times.t30);
        for (int channel = 0; channel < 2; channel++)
            cr_expect(test_near(at(response(object, channel), "g_db", o),
                                known.octave[o].g + (channel == 0 ? 0.0 : 20.0 * log10(2.0)), 0.1),
                      "%d: %g, not %g dB", o, at(response(object, channel), "g_db", o), known.octave[o].g);
    }
    cr_expect(test_near(at(response(object, 1), "harmonics_db", 0), -26.0, 1.5), "%g",
              at(response(object, 1), "harmonics_db", 0));
    const struct wav_sound made = read_sound("response.wav");
    cr_assert(made.rate == RATE && made.channels == 2);
    expect_status(RUN("analyse", "--sweep", "sweep.wav", "hall.wav"), 0);
    expect_words("out", "its harmonics 2 to 5 are set aside: -2");
    REFUSED("needs --reference-distance", "analyse", "response.wav", "--reference", "near.wav");
    REFUSED("is for the response of one recording", "analyse", "response.wav", "-o", "x.wav");
    REFUSED("response.wav exists", "analyse", "--sweep", "sweep.wav", "hall.wav", "-o", "response.wav");
    write_form("slow.wav", SF_FORMAT_PCM_16, recording, RECORD, 2, 44100);
    REFUSED("has 44100 samples per second, and what was played 96000", "analyse", "--sweep", "sweep.wav",
            "slow.wav");
}

Test(measured_commands, a_clipped_recording_says_where_and_one_that_was_cut_says_so)
{
    write_sweep();
    make_room(1.0, 0.0);
    play(sweep, SWEEP, 0.0, 0.0, 0, 1);
    size_t first = 0; /* above the limit */
    for (size_t n = RECORD; n-- > 0;)
        if (fabsf(recording[n]) > 0.45F && n > RATE / 2) {
            first = n;
        } else if (n <= RATE / 2) {
            recording[n] *= 0.8F; /* the low end is not clipped */
        }
    for (size_t n = 0; n < RECORD; n++)
        recording[n] = fmaxf(-0.45F, fminf(0.45F, recording[n]));
    write_form("loud.wav", SF_FORMAT_PCM_16, recording, RECORD, 1, RATE);
    expect_status(RUN("analyse", "--sweep", "sweep.wav", "loud.wav"), 0);
    char words[100];
    snprintf(words, sizeof words, "are at its largest value, 0.45, the first at %.4f s",
             (double)first / RATE);
    expect_words("err", words);
    write_form("short.wav", SF_FORMAT_PCM_16, recording, SWEEP - 100, 1, RATE);
    REFUSED("short.wav: the recording is ", "analyse", "--sweep", "sweep.wav", "short.wav");
    write_form("early.wav", SF_FORMAT_PCM_16, recording, SWEEP + 5000, 1, RATE);
    REFUSED("before the room has answered", "analyse", "--sweep", "sweep.wav", "early.wav");
}

Test(measured_commands, a_recorded_sequence_has_the_figures_of_its_room)
{
    enum { ORDER = 16, PERIOD = (1 << ORDER) - 1 };
    float *sequence;
    MUST(mls_make(ORDER, &sequence, &failure));
    float *played = test_keep(malloc(4 * PERIOD * sizeof *played));
    for (size_t n = 0; n < 4 * PERIOD; n++)
        played[n] = 0.1F * sequence[n % PERIOD];
    free(sequence);
    make_room(1.0, 0.02);
    play(played, 4 * PERIOD, 0.0, 0.02, 0, 1);
    write_form("noise.wav", SF_FORMAT_PCM_24, recording, 4 * PERIOD, 1, RATE);
    write_form("one.wav", SF_FORMAT_PCM_24, played, PERIOD, 1, RATE);
    static const char *const by[] = {"16", "one.wav"};
    for (int i = 0; i < 2; i++) {
        expect_status(RUN("analyse", "--mls", by[i], "noise.wav", "--json"), 0);
        cJSON *object = read_json("out");
        cr_expect(number(response(object, 0), "periods") == 3);
        for (int o = 1; o < 8; o++)
            cr_expect(test_near(at(response(object, 0), "t30_s", o), TIME, 0.07 * TIME), "%d: %g s", o,
                      at(response(object, 0), "t30_s", o));
    }
    REFUSED("one of them was played", "analyse", "--mls", "16", "--sweep", "one.wav", "noise.wav");
    REFUSED("order 4 is not known", "analyse", "--mls", "4", "noise.wav");
}

/* The run's own responses, later and louder, as if they had been measured: nothing differs but the chance of
 * their own onset. One with a faster decay has a T30 that is known. */
Test(measured_commands, measured_responses_are_paired_and_compared_with_those_of_a_run)
{
    enum { LATER = 4800 };
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--source", "0.5,0.6,0.7,desk", "--receiver", "2,2,1.2,front",
                      "--receiver", "1,2.2,2.3,front_left", "--fmax", "355", "--absorption", "0.2 +- 0", "-o",
                      "run", "--backend", "cpu", "--rays", "off"),
                  0);
    static const char *const from[] = {"run/ir_desk_front.wav", "run/ir_desk_front_left.wav"};
    static const char *const to[] = {"hall_front.wav", "2.wav"};
    for (int i = 0; i < 2; i++) {
        size_t count;
        int rate;
        const float *ours = read_mono(from[i], &count, &rate);
        float *theirs = test_keep(calloc(count + LATER, sizeof *theirs));
        for (size_t n = 0; n < count; n++)
            theirs[n + LATER] = 3.0F * ours[n];
        write_sound(to[i], theirs, count + LATER, 1, rate);
    }
    expect_status(RUN("compare", "run", to[0], "2.wav=1,2.25,2.3", "--json", "-o", "decays.html"), 0);
    cJSON *object = read_json("out");
    cr_expect(eq(str, (char *)record_text(object, "measured.0.receiver"), "front"));
    cr_expect(eq(str, (char *)record_text(object, "measured.1.receiver"), "front_left"));
    cr_expect(test_near(record_number(object, "measured.1.distance_m"), 0.05, 1e-9));
    const cJSON *figure;
    int compared = 0;
    cJSON_ArrayForEach(figure, record_at(object, "comparisons.0.figures"))
    {
        if (strcmp(record_text(figure, "name"), "t30_s") != 0)
            continue;
        for (int o = 1; o < 3; o++, compared++) {
            cr_expect(lt(dbl, fabs(at(figure, "jnds", o)), 0.2), "%g JND", at(figure, "jnds", o));
            /* 1.645 x 0.55 sqrt((1 + 0.152) / (0.71 f T)) of T, by ISO 3382-2 */
            const double time = at(figure, "second", o), f = 1000.0 * pow(10.0, 0.3 * (o - 4));
            cr_expect(test_near(at(figure, "error", o), 1.645 * 0.55 * time * sqrt(1.152 / (0.71 * f * time)),
                                0.1 * at(figure, "error", o)),
                      "%g", at(figure, "error", o));
        }
    }
    cr_assert(eq(int, compared, 2));
    cr_expect(test_near(record_number(object, "decays.0.first.1.level_db.20"),
                        record_number(object, "decays.0.second.1.level_db.20"), 0.5));
    expect_words("decays.html", "<h2>desk, front</h2>");
    expect_words("decays.html", "<svg");
    expect_status(RUN("compare", "run", to[0], "2.wav=desk,front_left"), 0);
    expect_words("out", "2.wav: desk at front_left, direct sound at 0.1");
    REFUSED("has the names of no source and receiver of the run: desk,front desk,front_left", "compare",
            "run", "2.wav");
    REFUSED("the receiver nearest to 9, 9, 9 m is", "compare", "run", "2.wav=9,9,9");
    REFUSED("has no response desk,rear", "compare", "run", "2.wav=desk,rear");
    REFUSED("--fmax is for compare ROOM", "compare", "run", "hall_front.wav", "--fmax", "1000");
}

/* Files of one pair are repetitions: their mean, and an error bar of 1.645 s / sqrt(2). */
Test(measured_commands, files_of_one_place_are_repetitions_with_their_own_scatter)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--source", "0.5,0.6,0.7,desk", "--receiver", "2,2,1.2,front",
                      "--fmax", "355", "--absorption", "0.2 +- 0", "-o", "run", "--backend", "cpu", "--rays",
                      "off"),
                  0);
    size_t count;
    int rate;
    const float *ours = read_mono("run/ir_desk_front.wav", &count, &rate);
    float *theirs = test_keep(calloc(count, sizeof *theirs));
    static const double faster[] = {0.0, 1.0}; /* added to the decay of the amplitude [1/s] */
    static const char *const name[] = {"a_front.wav", "b_front.wav"};
    double time[2];
    for (int i = 0; i < 2; i++) {
        for (size_t n = 0; n < count; n++)
            theirs[n] = (float)((double)ours[n] * exp(-faster[i] * (double)n / rate));
        write_sound(name[i], theirs, count, 1, rate);
        expect_status(RUN("analyse", name[i], "--json"), 0);
        time[i] = at(response(read_json("out"), 0), "t30_s", 2);
    }
    cr_assert(lt(dbl, time[1], 0.97 * time[0]));
    expect_status(RUN("compare", "run", name[0], name[1], "--json"), 0);
    cJSON *object = read_json("out");
    const cJSON *figure;
    cJSON_ArrayForEach(figure,
                       record_at(object, "comparisons.0.figures")) if (strcmp(record_text(figure, "name"),
                                                                              "t30_s") == 0) break;
    cr_assert(figure != NULL);
    cr_expect(test_near(at(figure, "second", 2), 0.5 * (time[0] + time[1]), 1e-4));
    cr_expect(test_near(at(figure, "error", 2), 1.645 * fabs(time[0] - time[1]) / 2.0, 1e-3), "%g",
              at(figure, "error", 2));
}

/* A value of a figure of the comparison in the octave number `octave` of it. */
static double compared(const cJSON *object, const char *name, const char *member, int octave)
{
    const cJSON *figure;
    cJSON_ArrayForEach(
        figure, record_at(object, "comparisons.0.figures")) if (strcmp(record_text(figure, "name"), name) ==
                                                                0) return at(figure, member, octave);
    return NAN;
}

static void simulate_studio(void)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--source", "0.5,0.6,0.7,S1", "--receiver", "2,2,1.2,R1",
                      "--fmax", "355", "--absorption", "0.2 +- 0", "-o", "run", "--backend", "cpu", "--rays",
                      "off"),
                  0);
}

Test(measured_commands, figures_in_a_table_are_paired_by_the_names_in_it)
{
    simulate_studio();
    write_text("t.csv",
               "state,source,receiver,quantity,125,250\nopen,S1,R1,T30_s,0.5,0.6\nopen,S1,R1,T30_s_std,"
               "0.1,0.2\nopen,S1,R1,D50_percent,70,\nopen,S1,R1,Ts_ms,50,40\nopen,S1,R9,T30_s,1,1\n"
               "open,S1,R1,colour,1,1\nclosed,S1,R1,T30_s,0.7,0.8\n");
    expect_status(RUN("compare", "run", "t.csv=open", "--json"), 0);
    cJSON *object = read_json("out");
    cr_expect(test_near(compared(object, "t30_s", "second", 2), 0.6, 1e-12));
    cr_expect(test_near(compared(object, "t30_s", "error", 2), 1.645 * 0.2, 1e-3));
    cr_expect(test_near(compared(object, "d50", "second", 1), 0.7, 1e-12));
    cr_expect(test_near(compared(object, "ts_s", "second", 2), 0.04, 1e-12));
    expect_status(RUN("compare", "run", "t.csv=closed"), 0);
    expect_status(RUN("compare", "run", "t.csv=open"), 0);
    expect_words("out", "left out of the table: 1 rows of other quantities, 1 places that the run lacks");
    REFUSED("T30_s of S1 at R1 comes twice", "compare", "run", "t.csv");
    REFUSED("has no row of a figure with ajar", "compare", "run", "t.csv=ajar");
    REFUSED("is compared by itself", "compare", "run", "t.csv=open", "x_R1.wav");
    REFUSED("a table of figures has none", "compare", "run", "t.csv=open", "-o", "page.html");
    write_text("bad.csv", "source,receiver,quantity,125\nS1,R1,T30_s,long\n");
    REFUSED("bad.csv, line 2: long is no number", "compare", "run", "bad.csv");
    write_text("bad.csv", "place,quantity,125\nS1,T30_s,1\n");
    REFUSED("must name the columns source, receiver and quantity", "compare", "run", "bad.csv");
}

Test(measured_commands, the_studio_that_was_measured_is_paired_by_its_names)
{
    const char *measured = test_shared_data("ptb_studio/measured.csv");
    if (measured == NULL)
        return;
    char subject[600];
    (void)snprintf(subject, sizeof subject, "%s=open", measured);
    simulate_studio();
    expect_status(RUN("compare", "run", subject, "--json"), 0);
    cJSON *object = read_json("out");
    cr_expect(test_near(compared(object, "t30_s", "second", 1), 0.958, 1e-9));
    cr_expect(test_near(compared(object, "t30_s", "error", 1), 1.645 * 0.0496991, 1e-3));
    cr_expect(test_near(compared(object, "c80_db", "second", 2), 2.88169, 1e-3));
}
