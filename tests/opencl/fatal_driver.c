/* A driver of OpenCL that ends every process that loads it. */
#include <stdlib.h>

__attribute__((constructor)) static void end_process(void)
{
    abort();
}
