/* Is sound bent round a rigid wedge of a right angle, and round a screen without thickness, as by the exact
 * solution? In rooms that lie along the grid and askew (wedge_diffraction.h).
 *
 *   diffraction_check PROGRAM FOLDER [SPACING [OPTION ..]]
 *
 * PROGRAM is the built transept, FOLDER a new one for models and runs, SPACING that of the grid in metres
 * (0.02), which is run to 6 points a wavelength. Options are for `transept simulate` (--courant 70%;
 * --grid-origin X,Y,Z: the edge stands at 2,2). Prints how far levels in thirds of an octave are off at
 * receivers around the edge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/response/signal/wav_file.h"
#include "tests/accuracy/exact/wedge_diffraction.h"

#define PI    3.14159265358979323846
#define SPEED 343.2 /* [m/s] at 20 C */

#define OPTIONS_MOST 8

/* `option`: ends with NULL. */
static int simulate(const char *program, const char *model, const char *run, const char *spacing,
                    const char *fmax, char *const *option)
{
    const char *argument[32] = {program,   "simulate",     "--rays",    "off",    model, "-o",
                                run,       "--spacing",    spacing,     "--fmax", fmax,  "--absorption",
                                "rigid=0", "--absorption", "wall=0.95", "--air",  "off", "--duration",
                                "0.0045",  "--quiet"};
    const pid_t child = fork();
    int status = -1, count = 20;
    while (*option != NULL)
        argument[count++] = *option++;
    if (child == 0) {
        (void)execv(program, (char *const *)argument);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static double next_third(double f, double last)
{
    const double next = f * cbrt(2.0);
    return f < last && next > last ? last : next;
}

static int check(const char *program, const char *folder, const struct wedge_room *room, const char *spacing,
                 char *const *option, double lowest)
{
    char name[300], run[300], fmax_text[40];
    const double highest = floor(SPEED / 6.0 / strtod(spacing, NULL));
    const char *kind = room->air > 1.75 * PI ? "screen" : "wedge";
    (void)snprintf(name, sizeof name, "%.200s/%s_%g_%g.obj", folder, kind, room->turn[0], room->turn[1]);
    (void)snprintf(run, sizeof run, "%.200s/%s_%g_%g", folder, kind, room->turn[0], room->turn[1]);
    (void)snprintf(fmax_text, sizeof fmax_text, "%.0f", highest);
    if (wedge_room_write(room, name) != 0 || simulate(program, name, run, spacing, fmax_text, option) != 0)
        return -1;
    printf("\n%s, turned by %g and %g degrees; spacing %s m, to %.0f Hz; off in dB at\n   degrees", kind,
           room->turn[0], room->turn[1], spacing, highest);
    const double last = highest / pow(2.0, 1.0 / 6.0); /* the third that ends at the highest frequency */
    for (double f = lowest; f < last * 1.001; f = next_third(f, last))
        printf("%7.0f Hz", f);
    printf("\n");
    double worst = 0.0;
    for (size_t r = 0; r < WEDGE_RECEIVERS; r++) {
        const struct wedge wedge = wedge_room_case(room, r, SPEED);
        struct wav_sound sound = {0};
        struct failure failure = {0};
        (void)snprintf(name, sizeof name, "%.280s/ir_S_P%zu.wav", run, r);
        if (wav_sound_read(name, &sound, &failure) != 0)
            return -1;
        printf("%10.0f", wedge_room_angle(room, r));
        for (double f = lowest; f < last * 1.001; f = next_third(f, last)) {
            const double off = wedge_room_off(&wedge, sound.sample, sound.frames, f);
            worst = fmax(worst, fabs(off));
            printf("%10.2f", off);
        }
        printf("\n");
        wav_sound_free(&sound);
    }
    printf("worst %.2f dB\n", worst);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct wedge_room rooms[] = {{1.5 * PI, {0, 0}}, {1.5 * PI, {17, 0}}, {1.5 * PI, {31, 13}},
                                              {2 * PI, {0, 0}},   {2 * PI, {17, 0}},   {2 * PI, {31, 13}}};
    if (argc < 3 || argc > 4 + OPTIONS_MOST || mkdir(argv[2], 0777) != 0) {
        (void)fprintf(stderr, "usage: diffraction_check PROGRAM NEW_FOLDER [SPACING [OPTION ..]]\n");
        return 2;
    }
    for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++)
        if (check(argv[1], argv[2], &rooms[n], argc > 3 ? argv[3] : "0.02", argv + (argc > 3 ? 4 : 3),
                  250.0) != 0)
            return 1;
    return 0;
}
