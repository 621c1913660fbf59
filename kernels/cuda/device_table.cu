/* The table of the CUDA files; each function is in the file of its idea. */
#include <type_traits>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_table.h"

#define DECLARE(name) std::remove_pointer_t<decltype(device_table::name)> cuda_##name
DECLARE(toolkit);
DECLARE(driver_installed);
DECLARE(find_card);
DECLARE(count);
DECLARE(reach);
DECLARE(room_bytes);
DECLARE(copy_rate);
DECLARE(link_rate);
DECLARE(engine_create);
DECLARE(yardstick_bytes);
DECLARE(yardstick);
DECLARE(signal_make);
DECLARE(signal_send);
DECLARE(signal_await);
DECLARE(signal_passed);
DECLARE(port_fetch);
DECLARE(signal_free);

const struct device_table device_cuda = {
    cuda_toolkit,       cuda_driver_installed, cuda_find_card,   cuda_count,         cuda_reach,
    cuda_room_bytes,    cuda_copy_rate,        cuda_link_rate,   cuda_engine_create, cuda_yardstick_bytes,
    cuda_yardstick,     device_failure,        cuda_signal_make, cuda_signal_send,   cuda_signal_await,
    cuda_signal_passed, cuda_port_fetch,       cuda_signal_free};
