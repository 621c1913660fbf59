/** OpenCL, found at run time: the program is not linked to it. Types and numbers are those of the Khronos
 * OpenCL 1.2 specification; every function is called through opencl_load(). */
#ifndef KERNELS_OPENCL_LOADER_H
#define KERNELS_OPENCL_LOADER_H

#include <stddef.h>
#include <stdint.h>

typedef struct opencl_platform_object *opencl_platform;
typedef struct opencl_device_object *opencl_device;
typedef struct opencl_context_object *opencl_context;
typedef struct opencl_queue_object *opencl_queue;
typedef struct opencl_memory_object *opencl_memory;
typedef struct opencl_program_object *opencl_program;
typedef struct opencl_kernel_object *opencl_kernel;
typedef struct opencl_event_object *opencl_event;

enum {
    OPENCL_NOT_AVAILABLE = -2,
    OPENCL_OUT_OF_DEVICE_MEMORY = -4, /* CL_MEM_OBJECT_ALLOCATION_FAILURE */
    OPENCL_OUT_OF_RESOURCES = -5,
    OPENCL_OUT_OF_HOST_MEMORY = -6,
    OPENCL_EVENT_FAILED = -14, /* CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST */
    OPENCL_INVALID_CONTEXT = -34,
    OPENCL_INVALID_QUEUE = -36, /* drivers' answer to calls after a fault */
    OPENCL_DEVICE_TYPE = 0x1000,
    OPENCL_DEVICE_UNITS = 0x1002,
    OPENCL_DEVICE_LARGEST_GROUP = 0x1004,
    OPENCL_DEVICE_LARGEST_BUFFER = 0x1010,
    OPENCL_DEVICE_CACHE = 0x101E,
    OPENCL_DEVICE_MEMORY = 0x101F,
    OPENCL_DEVICE_LOCAL_MEMORY = 0x1023,
    OPENCL_DEVICE_IS_AVAILABLE = 0x1027,
    OPENCL_DEVICE_HAS_COMPILER = 0x1028,
    OPENCL_DEVICE_NAME = 0x102B,
    OPENCL_DRIVER_VERSION = 0x102D,
    OPENCL_DEVICE_VERSION = 0x102F, /* "OpenCL 3.0 CUDA" */
    OPENCL_DEVICE_DOUBLE = 0x1032,  /* CL_DEVICE_DOUBLE_FP_CONFIG, 0: no double */
    OPENCL_PROGRAM_BINARY_BYTES = 0x1165,
    OPENCL_PROGRAM_BINARIES = 0x1166,
    OPENCL_PROGRAM_LOG = 0x1183,
    OPENCL_READ_WRITE = 1,
};
#define OPENCL_PLATFORMS_MOST 8
/* Types of devices. */
#define OPENCL_PROCESSORS   UINT64_C(2)
#define OPENCL_GPUS         UINT64_C(4)
#define OPENCL_ACCELERATORS UINT64_C(8)
#define OPENCL_EVERY_TYPE   UINT64_C(0xFFFFFFFF)

struct opencl {
#define FUNCTION(result, name, ...) result (*name)(__VA_ARGS__)
#include "kernels/opencl/opencl_functions.h"
};

/** Its functions, or NULL where the machine has no libOpenCL.so.1 or one without them, or has a driver that
 * ends a process that asks for devices, or does not answer: they are asked in a child process first. Loaded
 * once and kept until the program ends. */
const struct opencl *opencl_load(void);

/** The signal that ended that child, SIGALRM if it did not answer; 0: none. */
int opencl_fatal_signal(void);

/** A device that is open. */
struct opencl_card {
    const struct opencl *call;
    opencl_device device;
    opencl_context context;
    uint64_t largest_buffer; /* [bytes] */
};

/** A property in words, "" where it is unknown or longer. */
const char *opencl_ask_words(const struct opencl_card *card, uint32_t property, char text[128]);

#endif
