/* Whether there is a driver, found as the CUDA run-time finds it. */
#include <dlfcn.h>
#include <stddef.h>

#include "kernels/cuda/base/device.h"

bool device_driver_installed(void)
{
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver == NULL)
        return false;
    (void)dlclose(driver);
    return true;
}
