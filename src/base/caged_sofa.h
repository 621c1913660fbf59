/** SOFA files (AES69), which come from anywhere, are read in a process of its own (geometry/base/confined.h):
 * how one is opened and caged, and what becomes of an answer that is a failure. */
#ifndef SRC_CAGED_SOFA_H
#define SRC_CAGED_SOFA_H

#include "geometry/base/confined.h"

/** Whose file it is and what reads it, for sentences; and limits. */
struct caged_sofa {
    const char *of, *reader; /* "a head"; "libmysofa" */
    double file_most;        /* [bytes] */
    uint64_t answer_most;    /* [bytes] */
};

/** What the work is called with; it has the file as CONFINED_FILE. */
struct caged_sofa_file {
    const char *path; /* for sentences */
    uint64_t bytes;
};

/** Run `work` on the file, with memory and time as its size asks for. FAILURE_INPUT for a file that is
 * missing, none, or larger than allowed, else as confined_run(). */
int caged_sofa_run(const struct caged_sofa *cage, const char *path, confined_work *work,
                   struct confined_answer *answer, struct failure *failure);

/** FAILURE_INPUT: the answer is none. */
int caged_sofa_derailed(const char *path, struct failure *failure);

/** The failure that stands in an answer behind its first `begin` bytes, of this status; derailed where none
 * does. The child may have been taken over. */
int caged_sofa_failed(const char *path, int64_t status, size_t begin, const struct confined_answer *answer,
                      struct failure *failure);

#endif
