/** Reads SOFA files (AES69), which are untrusted, in a process of their own (geometry/base/confined.h):
 * opens a file there, and reads failures from its answer. */
#ifndef SRC_CAGED_SOFA_H
#define SRC_CAGED_SOFA_H

#include "geometry/base/confined.h"

/** Kind and reader of a file, for sentences; and limits. */
struct caged_sofa {
    const char *of, *reader; /* "a head"; "libmysofa" */
    double file_most;        /* [bytes] */
    uint64_t answer_most;    /* [bytes] */
};

/** Argument of the work, which has the file as CONFINED_FILE. */
struct caged_sofa_file {
    const char *path; /* for sentences */
    uint64_t bytes;
};

/** Run `work` on the file, with memory and time by its size. FAILURE_INPUT if the file is missing, not
 * regular, or larger than allowed; else as confined_run(). */
int caged_sofa_run(const struct caged_sofa *cage, const char *path, confined_work *work,
                   struct confined_answer *answer, struct failure *failure);

/** FAILURE_INPUT: the answer is invalid. */
int caged_sofa_derailed(const char *path, struct failure *failure);

/** The failure of this status in an answer, behind its first `begin` bytes; derailed if there is none. An
 * attacker may control the child. */
int caged_sofa_failed(const char *path, int64_t status, size_t begin, const struct confined_answer *answer,
                      struct failure *failure);

#endif
