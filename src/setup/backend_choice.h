/** The back end of the steps: named by --backend, or chosen for `auto`, and why.
 *
 *   backend_choice_begin()  from the option, before anything is read
 *   backend_choice_look()   finds a device; once, because that takes up to a second
 *   backend_choice_take()   the decision
 *
 * estimate_choose_backend() decides for `auto` when the needs of the run are known. Everything else follows
 * room_setup.backend.
 */
#ifndef SRC_BACKEND_CHOICE_H
#define SRC_BACKEND_CHOICE_H

#include <stdbool.h>

#include "kernels/cuda/base/device.h"
#include "kernels/engine/engine_back_ends.h"
#include "src/base/options/device_choice.h"
#include "src/base/options/option_types.h"

#define BACKEND_CLAUSE_MAX 400

struct backend_choice {
    enum option_backend asked;
    const struct engine_back_ends *back_ends;
    enum backend devices;             /* whose devices are searched, later whose the device is */
    enum backend backend;             /* that runs; for `auto` the processors until settled */
    bool settled;                     /* final */
    char because[BACKEND_CLAUSE_MAX]; /* a clause; empty until settled */
    bool looked, found;               /* for a device */
    unsigned cards;                   /* that step the room in parts; 0: the first does it alone */
    unsigned card[DEVICES_MOST];      /* (cards); without parts the first */
    struct device device; /* where found; of several the first, with the least memory free of all */
    char absence[BACKEND_CLAUSE_MAX]; /* a clause, if looked for and not found */
    enum failure_code absence_code;   /* and the code that device_find() gave */
};

/** Settle the choices that do not depend on the room. Failures of device_find() for `cuda` and `opencl`. If
 * there is no driver, `auto` is settled too. `back_ends` NULL: back_ends_built; `device`: by its number. */
int backend_choice_begin(enum option_backend asked, const struct engine_back_ends *back_ends, unsigned device,
                         struct backend_choice *out, struct failure *failure);

/** The same with a choice of GPUs (device_choice.h), which asks for `cuda`. FAILURE_INPUT if the processors
 * were requested, or a number too. `devices` NULL: as above. FAILURE_INPUT and FAILURE_CAPACITY of
 * device_choice.h, in ranks of MPI too. */
int backend_choice_begin_on(enum option_backend asked, const struct engine_back_ends *back_ends,
                            const char *devices, unsigned device, struct backend_choice *out,
                            struct failure *failure);

/** Number of parts in which devices step the room: GPUs, or ranks of MPI. */
unsigned backend_choice_parts(const struct backend_choice *choice);

/** True if there is a usable device. Only the first call looks. */
bool backend_choice_look(struct backend_choice *choice);

/** A device that failed after it was found counts as absent. */
void backend_choice_lose(struct backend_choice *choice, const char *why);

/** Settle on `backend`, because of the clause. */
__attribute__((format(printf, 3, 4))) void backend_choice_take(struct backend_choice *choice,
                                                               enum backend backend, const char *format, ...);

/** The functions of the devices searched; NULL: the program was built without them. */
const struct device_table *backend_choice_devices(const struct backend_choice *choice);

/** "cuda", "opencl", "cpu", "reference"; and as requested, with "auto". */
const char *backend_word(enum backend backend);
const char *backend_asked_word(enum option_backend asked);

#endif
