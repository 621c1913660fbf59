#include "kernels/mpi/rank_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "geometry/base/byte_hash.h"

struct rank_place rank_place_own(void)
{
    struct rank_place own = {0, (int64_t)getpid()};
    char boot[64], space[64];
    FILE *const file = fopen("/proc/sys/kernel/random/boot_id", "r");
    const size_t boots = file != NULL ? fread(boot, 1, sizeof boot, file) : 0;
    const ssize_t spaces = readlink("/proc/self/ns/pid", space, sizeof space);
    if (file != NULL)
        (void)fclose(file);
    if (boots > 0 && spaces > 0)
        own.place = hash_bytes(hash_bytes(HASH_START, boot, boots), space, (size_t)spaces) | 1u;
    return own;
}

static bool is_gone(const struct rank_watch *watch, unsigned rank)
{
    const struct rank_place *const place = watch->place;
    return place != NULL && rank != watch->own && place[rank].place != 0 &&
           place[rank].place == place[watch->own].place && kill((pid_t)place[rank].process, 0) != 0 &&
           errno == ESRCH;
}

unsigned rank_watch_gone(const struct rank_watch *watch, unsigned from)
{
    while (from < watch->ranks && !is_gone(watch, from))
        from++;
    return from;
}

bool rank_watch_speaks(const struct rank_watch *watch)
{
    unsigned lowest = 1;
    while (lowest < watch->own &&
           (is_gone(watch, lowest) || watch->place[lowest].place != watch->place[watch->own].place))
        lowest++;
    return lowest == watch->own;
}
