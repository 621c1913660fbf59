/** What took the sound of a run, by octave, from its record. */
#include "src/run_folder/loss_account.h"
#include "tests/support/outcome.h"
#include "tests/support/record_of.h"
#include "tests/support/test_support.h"

/* Two materials of 40 and 54 m2 in 60 m3, rigid but for them; a pulse to 177 Hz, so with 7/8 of its energy in
 * the octave of 125 Hz; rays at 250 Hz. Without losses of the air. */
static const char text[] =
    "{\"materials\": ["
    "{\"name\": \"floor\", \"area_m2\": 40, \"area_exposed_m2\": 40, \"absorption_used_octaves\": [0.1, 0.2, "
    "0.3, 0, 0, 0, 0, 0]},"
    "{\"name\": \"wall\", \"area_m2\": 54, \"area_exposed_m2\": 54, \"absorption_used_octaves\": [0.1, 0.1, "
    "0.1, 0, 0, 0, 0, 0]}],"
    "\"fmax_hz\": 177.83, \"sound_speed_m_s\": 343.2, \"air_volume_m3\": 60, \"air\": {\"method\": \"off\"},"
    "\"octaves_hz\": [63.1, 125.9, 251.2],"
    "\"means\": {\"responses\": 1, \"octaves_hz\": [63.1, 125.9, 251.2], \"t30_s\": [1, 0.8, null], "
    "\"edt_s\": [1, 0.7, 0.6]},"
    "\"runs\": [{\"source\": \"S1\", \"energy\": {\"complete\": true, \"absorbed\": ["
    "{\"material\": \"floor\", \"share\": [0, FLOOR]}, {\"material\": \"wall\", \"share\": [0, WALL]}]}}],"
    "\"rays\": {\"crossover_hz\": 150, \"octave_hz\": 125.9, \"sources\": [{\"source\": \"S1\", "
    "\"absorbed\": ["
    "{\"material\": \"floor\", \"share\": [0, 0, 0.5]}, {\"material\": \"wall\", \"share\": [0, 0, 0.2]},"
    "{\"material\": \"open faces\", \"share\": [0, 0, 0.1]}]}]}}";

static struct run_model run;
static struct loss_account account;

static void make_account(double floor, double wall)
{
    char filled[sizeof text + 60], *at;
    snprintf(filled, sizeof filled, "%s", text);
    for (int i = 0; i < 2; i++) {
        char number[8], *rest;
        at = strstr(filled, i == 0 ? "FLOOR" : "WALL");
        snprintf(number, sizeof number, "%5.3f", i == 0 ? floor : wall);
        rest = at + (i == 0 ? 5 : 4);
        memmove(at + 5, rest, strlen(rest) + 1);
        memcpy(at, number, 5);
    }
    record_of(filled, &run);
    MUST(loss_account_make(&run, &account, &failure));
}

static void free_account(void)
{
    loss_account_free(&account);
    run_model_free(&run);
}

TestSuite(loss_account, .fini = free_account);

/* The floor, met by twice the sound: S w alpha 8 and 5.4 at 63 Hz, 16 and 5.4 at 125 Hz. */
Test(loss_account, octaves_of_waves_share_the_account_by_absorption_and_exposure)
{
    const double low = 8 / 13.4, high = 16 / 21.4, floor = (low + 7 * high) / 8;
    make_account(floor, 1 - floor);
    cr_assert(test_near(account.share[0], low, 2e-3), "%g", account.share[0]);
    cr_assert(test_near(account.share[1], high, 2e-3), "%g", account.share[1]);
    cr_assert(test_near(account.share[3 + 1], 1 - high, 2e-3), "%g", account.share[4]);
    cr_assert(account.open[1] == 0 && account.in_air[1] == 0 && account.time[1] == 0.8);
}

/* T = 0.6 s by EDT: k = 23.03 / s, n = 343.2 * 94 / 240 = 134.4 / s. */
Test(loss_account, octaves_of_rays_have_their_account)
{
    make_account(0.5, 0.5);
    cr_assert(test_near(account.share[2], 0.625, 1e-12), "%g", account.share[2]);
    cr_assert(test_near(account.open[2], 0.125, 1e-12));
    const double x = 23.0259 / 134.42, expected = -0.625 / 0.3 * expm1(x) / x;
    cr_assert(test_near(account.sensitivity[2], expected, 1e-4), "%g", account.sensitivity[2]);
    cr_assert(account.time[2] == 0.6);
}

Test(loss_account, a_source_that_had_not_given_its_energy_leaves_waves_without_an_account)
{
    make_account(0.5, 0.5);
    loss_account_free(&account);
    run.runs.item[0].energy->complete = false;
    MUST(loss_account_make(&run, &account, &failure));
    cr_assert(isnan(account.share[0]) && isnan(account.sensitivity[0]));
    cr_assert(isfinite(account.sensitivity[2]));
}
