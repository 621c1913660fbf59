/** A room of the library, seen by its engines. */
#ifndef SRC_PYTHON_API_ROOM_H
#define SRC_PYTHON_API_ROOM_H

#include "src/base/options/options.h"
#include "src/run/plan/estimate.h"
#include "src/setup/project/project.h"
#include "src/setup/room_setup.h"

/** Everything is owned; `setup` borrows from the others. */
struct transept_room {
    int argument_count;
    char **argument;
    struct options options;
    struct project *project;
    struct room_setup setup;
    struct room_estimate estimate;
    struct room_needs needs;
};

#endif
