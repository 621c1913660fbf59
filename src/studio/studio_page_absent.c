/** In place of the script of the page where none was bundled. */
#include "src/studio/studio_page.h"

const char studio_page_script[1] = {'\0'};
const size_t studio_page_script_bytes = 0;
