/* Are the cells of a room together the room? Random churches and as many random closed bodies
 * (closed_rooms.h) in cells against their meshes: volume, area of every material, every part of a voxel
 * closed, none too large.
 *
 *   cell_sums [ROOMS [SEED]]     1,000 of each, from seed 1 on
 *
 * A line for each room that misses a bound, then the worst of all. Status: 0 none did, 1 some did, 2 bad
 * usage. Ten minutes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/accuracy/closed_rooms.h"

static void print_sums(const char *name, unsigned long long number, const struct cell_sums *sums)
{
    printf("%s %llu: volume %.1e, area %.1e, parts %.1e, closed %.1e, cracks %.1e, too large "
           "%.1e\n",
           name, number, sums->volume, sums->area, sums->parts, sums->closed, sums->cracks, sums->whole);
}

int main(int argc, char **argv)
{
    static void (*const make[2])(uint64_t, struct closed_room *) = {closed_room_church, closed_room_body};
    static const char *const name[2] = {"church", "body"};
    const long rooms = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int missed = 0;
    if (rooms < 1 || first < 1) {
        (void)fprintf(stderr, "usage: cell_sums [ROOMS [SEED]]\n");
        return 2;
    }
    for (int kind = 0; kind < 2; kind++) {
        struct cell_sums worst = {0};
        long misses = 0;
        for (uint64_t seed = first; seed < first + (uint64_t)rooms; seed++) {
            struct closed_room room;
            struct cell_sums sums;
            struct failure failure = {0};
            make[kind](seed, &room);
            const int result = cell_sums_make(&room, 0, &sums, &failure);
            mesh_free(&room.mesh);
            if (result != 0)
                printf("%s %llu: %s\n", name[kind], (unsigned long long)seed, failure.sentence);
            else if (!cell_sums_hold(&sums, kind == 0))
                print_sums(name[kind], seed, &sums);
            misses += result != 0 || !cell_sums_hold(&sums, kind == 0);
            worst.cells += sums.cells;
            worst.pieces += sums.pieces;
            worst.volume = fmax(worst.volume, sums.volume);
            worst.area = fmax(worst.area, sums.area);
            worst.whole = fmax(worst.whole, sums.whole);
            worst.parts = fmax(worst.parts, sums.parts);
            worst.cracks = fmax(worst.cracks, sums.cracks);
            worst.closed = fmax(worst.closed, sums.closed);
        }
        print_sums(kind == 0 ? "worst of churches from" : "worst of bodies from", first, &worst);
        printf("%ld of %ld miss; %zu cells, %zu further pieces\n", misses, rooms, worst.cells, worst.pieces);
        missed += misses > 0;
    }
    return missed > 0;
}
