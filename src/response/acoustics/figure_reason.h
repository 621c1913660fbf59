/** Writes and reads the reasons for absent figures of an octave in run.json:
 *
 *     "EDT, T20 and T30: it ends early; C80: there is noise" */
#ifndef SRC_FIGURE_REASON_H
#define SRC_FIGURE_REASON_H

#include <stdbool.h>
#include <stddef.h>

#include "src/response/acoustics/figure_table.h"

#define FIGURE_BIT(figure) (1u << (figure))

/** Add a reason, without "; ", for the figures whose bits are set, if any; `why`, of `size` bytes, is cut
 * when full. */
__attribute__((format(printf, 4, 5))) void figure_reason_add(char *why, size_t size, unsigned figures,
                                                             const char *format, ...);

/** The first reason for one figure, into `text` of `size` bytes. False if there is none, and for NULL. */
bool figure_reason_find(const char *why, enum figure figure, char *text, size_t size);

#endif
