/** The functions of OpenCL 1.2 that the program calls (Khronos OpenCL 1.2 specification), one line each:
 * result, name without "cl", arguments. Include this file with FUNCTION(result, name, ...) defined; it is
 * undefined at the end, and there is no include guard. */

FUNCTION(int32_t, GetPlatformIDs, uint32_t, opencl_platform *, uint32_t *);
FUNCTION(int32_t, GetDeviceIDs, opencl_platform, uint64_t, uint32_t, opencl_device *, uint32_t *);
FUNCTION(int32_t, GetDeviceInfo, opencl_device, uint32_t, size_t, void *, size_t *);
FUNCTION(opencl_context, CreateContext, const intptr_t *, uint32_t, const opencl_device *,
         void (*)(const char *, const void *, size_t, void *), void *, int32_t *);
FUNCTION(opencl_queue, CreateCommandQueue, opencl_context, opencl_device, uint64_t, int32_t *);
FUNCTION(int32_t, ReleaseCommandQueue, opencl_queue);
FUNCTION(opencl_memory, CreateBuffer, opencl_context, uint64_t, size_t, void *, int32_t *);
FUNCTION(int32_t, ReleaseMemObject, opencl_memory);
FUNCTION(opencl_program, CreateProgramWithSource, opencl_context, uint32_t, const char **, const size_t *,
         int32_t *);
FUNCTION(opencl_program, CreateProgramWithBinary, opencl_context, uint32_t, const opencl_device *,
         const size_t *, const unsigned char **, int32_t *, int32_t *);
FUNCTION(int32_t, GetProgramInfo, opencl_program, uint32_t, size_t, void *, size_t *);
FUNCTION(int32_t, BuildProgram, opencl_program, uint32_t, const opencl_device *, const char *,
         void (*)(opencl_program, void *), void *);
FUNCTION(int32_t, GetProgramBuildInfo, opencl_program, opencl_device, uint32_t, size_t, void *, size_t *);
FUNCTION(int32_t, ReleaseProgram, opencl_program);
FUNCTION(opencl_kernel, CreateKernel, opencl_program, const char *, int32_t *);
FUNCTION(int32_t, ReleaseKernel, opencl_kernel);
FUNCTION(int32_t, SetKernelArg, opencl_kernel, uint32_t, size_t, const void *);
FUNCTION(int32_t, EnqueueNDRangeKernel, opencl_queue, opencl_kernel, uint32_t, const size_t *, const size_t *,
         const size_t *, uint32_t, const opencl_event *, opencl_event *);
FUNCTION(int32_t, EnqueueReadBuffer, opencl_queue, opencl_memory, uint32_t, size_t, size_t, void *, uint32_t,
         const opencl_event *, opencl_event *);
FUNCTION(int32_t, EnqueueWriteBuffer, opencl_queue, opencl_memory, uint32_t, size_t, size_t, const void *,
         uint32_t, const opencl_event *, opencl_event *);
FUNCTION(int32_t, EnqueueCopyBuffer, opencl_queue, opencl_memory, opencl_memory, size_t, size_t, size_t,
         uint32_t, const opencl_event *, opencl_event *);
FUNCTION(int32_t, EnqueueFillBuffer, opencl_queue, opencl_memory, const void *, size_t, size_t, size_t,
         uint32_t, const opencl_event *, opencl_event *);
FUNCTION(int32_t, Flush, opencl_queue);
FUNCTION(int32_t, Finish, opencl_queue);

#undef FUNCTION
