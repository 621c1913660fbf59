/** Why figures of an octave are absent: the form of that text in run.json, written and read here alone.
 *
 *     "EDT, T20 and T30: it ends early; C80: there is noise"
 */
#ifndef SRC_FIGURE_REASON_H
#define SRC_FIGURE_REASON_H

#include <stdbool.h>
#include <stddef.h>

#include "src/acoustics/figure_table.h"

#define FIGURE_BIT(figure) (1u << (figure))

/** Add a reason, which holds no "; ", for the figures whose bits are set, if any; `why`, of `size` bytes, is
 * cut where it is full. */
__attribute__((format(printf, 4, 5))) void figure_reason_add(char *why, size_t size, unsigned figures,
                                                             const char *format, ...);

/** The first reason for one figure, into `text` of `size` bytes. False where there is none, and for NULL. */
bool figure_reason_find(const char *why, enum figure figure, char *text, size_t size);

#endif
