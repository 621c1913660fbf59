/* The table of the CUDA files; each function is in the file of its idea. */
#include <type_traits>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_table.h"

decltype(device_toolkit) cuda_toolkit;
decltype(device_driver_installed) cuda_driver_installed;
decltype(device_find_card) cuda_find_card;
decltype(device_count) cuda_count;
decltype(device_reach) cuda_reach;
decltype(device_room_bytes) cuda_room_bytes;
decltype(device_copy_rate) cuda_copy_rate;
decltype(device_link_rate) cuda_link_rate;
decltype(device_engine_create) cuda_engine_create;
decltype(device_yardstick_bytes) cuda_yardstick_bytes;
decltype(device_yardstick) cuda_yardstick;
std::remove_pointer_t<decltype(device_table::signal_make)> cuda_signal_make;
std::remove_pointer_t<decltype(device_table::signal_send)> cuda_signal_send;
std::remove_pointer_t<decltype(device_table::signal_await)> cuda_signal_await;
std::remove_pointer_t<decltype(device_table::signal_passed)> cuda_signal_passed;
std::remove_pointer_t<decltype(device_table::port_fetch)> cuda_port_fetch;
std::remove_pointer_t<decltype(device_table::signal_free)> cuda_signal_free;

extern "C" const struct device_table device_cuda;
const struct device_table device_cuda = {
    cuda_toolkit,       cuda_driver_installed, cuda_find_card,   cuda_count,         cuda_reach,
    cuda_room_bytes,    cuda_copy_rate,        cuda_link_rate,   cuda_engine_create, cuda_yardstick_bytes,
    cuda_yardstick,     device_failure,        cuda_signal_make, cuda_signal_send,   cuda_signal_await,
    cuda_signal_passed, cuda_port_fetch,       cuda_signal_free};
