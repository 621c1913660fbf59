/** In place of the script of reports where none was bundled. */
#include "src/present/report/report_text.h"

const char report_script[1] = {'\0'};
const size_t report_script_bytes = 0;
