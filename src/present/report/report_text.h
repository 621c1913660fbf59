/** Style and script of a report, embedded when the program is built (src/present/report). */
#ifndef SRC_REPORT_TEXT_H
#define SRC_REPORT_TEXT_H

#include <stddef.h>

/** No zero at their ends. `report_script` is empty (0 bytes) where there was no Node to bundle it. */
extern const char report_style[], report_script[];
extern const size_t report_style_bytes, report_script_bytes;

#endif
