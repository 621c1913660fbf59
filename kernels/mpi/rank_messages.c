#include "kernels/mpi/rank_messages.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernels/mpi/rank_watch.h"

/* State of the process, which has one MPI_COMM_WORLD. */
static struct {
    struct rank_watch watch;
    unsigned lost;  /* a rank that has ended; watch.ranks: none */
    int64_t looked; /* time of the last check of the other ranks [ns] */
    char *word;     /* text to print if rank 0 ends early */
} world;

bool rank_is_running(void)
{
    int started = 0, over = 0;
    (void)MPI_Initialized(&started);
    (void)MPI_Finalized(&over);
    return started && !over;
}

unsigned rank_count(void)
{
    int count = 1;
    if (rank_is_running())
        (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    return (unsigned)count;
}

unsigned rank_own(void)
{
    int own = 0;
    if (rank_is_running())
        (void)MPI_Comm_rank(MPI_COMM_WORLD, &own);
    return (unsigned)own;
}

void rank_must(int error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (error == MPI_SUCCESS)
        return;
    (void)MPI_Error_string(error, text, &length);
    fprintf(stderr, "transept: rank %u of %u cannot reach the other ranks (%s): all ranks end\n", rank_own(),
            rank_count(), text);
    (void)fflush(stderr);
    (void)MPI_Abort(MPI_COMM_WORLD, FAILURE_OUTPUT);
    abort();
}

int rank_meet(struct failure *failure)
{
    int ranks = 1, own = 0;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &own);
    const struct rank_place here = rank_place_own();
    world.watch = (struct rank_watch){(unsigned)ranks, (unsigned)own, calloc((size_t)ranks, sizeof here)};
    world.lost = world.watch.ranks;
    if (world.watch.place == NULL)
        return failure_memory(failure, (uint64_t)ranks * sizeof here, "where all ranks are");
    rank_must(MPI_Allgather(&here, sizeof here, MPI_BYTE, world.watch.place, sizeof here, MPI_BYTE,
                            MPI_COMM_WORLD));
    return 0;
}

void rank_leave(void)
{
    (void)MPI_Finalize();
    free(world.watch.place);
    free(world.word);
    world.watch = (struct rank_watch){0};
    world.lost = 0;
    world.word = NULL;
}

void rank_keep_word(char *word)
{
    free(world.word);
    world.word = word;
}

/* ---- detecting lost ranks ------------------------------------------------------------------------------ */

bool rank_is_lost(void)
{
    return world.lost < world.watch.ranks;
}

int rank_tell_lost(struct failure *failure)
{
    const struct rank_place *const place = &world.watch.place[world.lost];
    return failure_set(failure, FAILURE_OUTPUT,
                       "rank %u of %u (process %lld) has ended before its work was done: nothing can be "
                       "computed without it",
                       world.lost, world.watch.ranks, (long long)place->process);
}

/* Only another rank can report that rank 0 has ended. */
static void end_without_rank_0(void)
{
    if (world.word != NULL && !rank_is_lost() && rank_watch_speaks(&world.watch)) {
        fprintf(stderr, "transept: rank 0 of %u (process %lld), which writes the results, has ended: %s\n",
                world.watch.ranks, (long long)world.watch.place[0].process, world.word);
        (void)fflush(stderr);
    }
    _exit(FAILURE_OUTPUT);
}

/* Rank 0 reports what a rank above 0 has seen, and ends all. */
static void report_lost(void)
{
    MPI_Request request;
    const unsigned gone = rank_watch_gone(&world.watch, 1);
    if (gone == world.watch.ranks || rank_is_lost())
        return;
    world.lost = gone;
    rank_must(MPI_Isend(&world.lost, 1, MPI_UNSIGNED, 0, RANK_TAG_LOST, MPI_COMM_WORLD, &request));
    rank_must(MPI_Request_free(&request));
}

static void hear_of_lost(void)
{
    int there = 0;
    MPI_Status status;
    rank_must(MPI_Iprobe(MPI_ANY_SOURCE, RANK_TAG_LOST, MPI_COMM_WORLD, &there, &status));
    if (there)
        rank_must(MPI_Recv(&world.lost, 1, MPI_UNSIGNED, status.MPI_SOURCE, RANK_TAG_LOST, MPI_COMM_WORLD,
                           &status));
}

/* If another rank has ended, rank 0 stops waiting. The others wait for rank 0, or end here. */
static void look_round(void)
{
    if (world.watch.own == 0) {
        world.lost = rank_watch_gone(&world.watch, 1);
        if (!rank_is_lost())
            hear_of_lost();
    } else {
        if (rank_watch_gone(&world.watch, 0) == 0)
            end_without_rank_0();
        report_lost();
    }
}

bool rank_is_over(void)
{
    return rank_is_lost() && world.watch.own == 0;
}

#define LOOKS_ALONE  2000    /* then it yields between two tests, .. */
#define LOOKS_AWAKE  20000   /* .. and then it sleeps */
#define ROUNDS_APART 5000000 /* between two checks of the other ranks [ns] */
#define SECOND       INT64_C(1000000000)

static void look_round_at_times(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t time = (int64_t)now.tv_sec * SECOND + now.tv_nsec;
    if (time - world.looked < ROUNDS_APART)
        return;
    world.looked = time;
    look_round();
}

/* Test for a while, then yield, then sleep: there may be more ranks than processors, and they wait for long
 * while rank 0 voxelises or writes. */
void rank_wait_a_while(unsigned *looks, long most_nanoseconds)
{
    const struct timespec pause = {0, most_nanoseconds};
    ++*looks;
    if (*looks <= LOOKS_ALONE)
        return;
    if (*looks > LOOKS_AWAKE)
        (void)nanosleep(&pause, NULL);
    else
        (void)sched_yield();
    look_round_at_times();
}

/* `status` (count) is unused, but gcc takes MPICH's MPI_STATUSES_IGNORE for an array that is too short. */
void rank_wait_for_all(int count, MPI_Request *request, MPI_Status *status, long nanoseconds)
{
    unsigned looks = 0;
    for (int done = 0; !done && !rank_is_over();) {
        rank_must(MPI_Testall(count, request, &done, status));
        if (!done)
            rank_wait_a_while(&looks, nanoseconds);
    }
}

void rank_send(const void *bytes, uint64_t count, int to, int tag)
{
    MPI_Request request;
    MPI_Status status;
    for (uint64_t at = 0; at < count && !rank_is_over(); at += RANK_CHUNK) {
        rank_must(MPI_Isend((const char *)bytes + at,
                            (int)(count - at < RANK_CHUNK ? count - at : RANK_CHUNK), MPI_BYTE, to, tag,
                            MPI_COMM_WORLD, &request));
        rank_wait_for_all(1, &request, &status, RANK_PAUSE_FOR_BYTES);
    }
}

void rank_receive(void *bytes, uint64_t count, int from, int tag)
{
    MPI_Request request;
    MPI_Status status;
    for (uint64_t at = 0; at < count && !rank_is_over(); at += RANK_CHUNK) {
        rank_must(MPI_Irecv((char *)bytes + at, (int)(count - at < RANK_CHUNK ? count - at : RANK_CHUNK),
                            MPI_BYTE, from, tag, MPI_COMM_WORLD, &request));
        rank_wait_for_all(1, &request, &status, RANK_PAUSE_FOR_BYTES);
    }
}
