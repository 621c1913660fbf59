/* In place of ranks.c where MPI was not found. */
#include <stdlib.h>

#include "kernels/mpi/ranks.h"

const char *ranks_library(void)
{
    return NULL;
}

int ranks_nccl(void)
{
    return 0;
}

bool ranks_expected(void)
{
    return false;
}

unsigned ranks_count(void)
{
    return 1;
}

unsigned ranks_own(void)
{
    return 0;
}

int ranks_start(int *argc, char ***argv, struct failure *failure)
{
    (void)argc;
    (void)argv;
    return failure_set(failure, FAILURE_CAPACITY, "this program was built without MPI");
}

int ranks_serve(void)
{
    abort();
}

void ranks_hosts(struct rank_host *out)
{
    (void)out;
}

int ranks_parts(struct part_link *out, struct failure *failure)
{
    (void)out;
    return failure_set(failure, FAILURE_CAPACITY, "this program was built without MPI");
}

void ranks_end(int status)
{
    (void)status;
}

bool ranks_lost(void)
{
    return false;
}

void ranks_leave_word(const char *text)
{
    (void)text;
}
