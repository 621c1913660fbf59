/** The rooms of drawings.h are as a run needs them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/drawings/drawings.h"
#include "tests/support/program_run.h"

TestSuite(drawings, .init = enter_folder, .fini = leave_folder);

/* Points of the map in a run's folder that `which` says somebody sits at, and all of them. */
static size_t count_seats(int which, const char *path, size_t *all)
{
    char line[4096];
    size_t seats = 0;
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL, "%s", path);
    *all = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        double ears[3];
        if (sscanf(line, "%*[^,],%lf,%lf,%lf", &ears[0], &ears[1], &ears[2]) != 3)
            continue;
        ++*all;
        seats += drawing_is_seat(which, ears);
    }
    fclose(file);
    return seats;
}

Test(drawings, each_is_small_and_fit_for_a_run_whose_audience_is_where_people_sit)
{
    static const size_t least[DRAWINGS] = {150, 150, 80, 150, 80};
    for (int d = 0; d < DRAWINGS; d++) {
        char command[400];
        size_t all;
        const int faces = drawing_write(d, "room.obj");
        cr_assert(faces > 50 && faces < 400, "%s has %d faces", drawing[d].name, faces);
        (void)snprintf(command, sizeof command,
                       "%s simulate room.obj %s --spacing 0.4 --rays off --duration 0.02 --absorption 0.1 "
                       "--quiet --force -o run >out 2>err",
                       TEST_PROGRAM, drawing[d].options);
        expect_status(system(command), 0);
        (void)snprintf(command, sizeof command, "run/map_%s_audience.csv", d == 1 ? "stage" : "altar");
        const size_t seats = count_seats(d, command, &all);
        cr_assert(seats == all && all >= least[d], "%s: %zu of %zu listeners sit where people do",
                  drawing[d].name, seats, all);
    }
}
