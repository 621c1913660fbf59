/** Steps launched a graph at a time. */
#ifndef KERNELS_DEVICE_GRAPHS_CUH
#define KERNELS_DEVICE_GRAPHS_CUH

#include "kernels/cuda/base/device_check.h"

/* Steps of a graph at most. They are even, so that a graph leaves the levels as it found them. Launching a
 * step takes the host about 3 us. Graphs save this in small rooms; large rooms use them too. */
#define GRAPH_STEPS 64u

/** Two graphs, one for each level that may be u at their start, each made at its first use. */
class step_graphs {
  public:
    step_graphs() = default;
    step_graphs(const step_graphs &) = delete;
    step_graphs &operator=(const step_graphs &) = delete;
    ~step_graphs()
    {
        drop();
    }
    /** Call this when the arguments of the launched steps have changed. */
    void drop()
    {
        for (cudaGraphExec_t &each : graph_) {
            if (each != nullptr)
                (void)cudaGraphExecDestroy(each);
            each = nullptr;
        }
    }
    /** Launch the steps of a graph. @param launch puts these steps and their counter on the stream, one after
     * the other; returns a cudaError_t. Called if there is no graph for `start` yet. */
    template <class launch_type>
    int run(int start, cudaStream_t stream, const launch_type &launch, struct failure *failure)
    {
        if (graph_[start] == nullptr)
            TRY(make(start, stream, launch, failure));
        DEVICE_TRY(cudaGraphLaunch(graph_[start], stream), "a graph of steps", failure);
        return 0;
    }

  private:
    template <class launch_type>
    int make(int start, cudaStream_t stream, const launch_type &launch, struct failure *failure)
    {
        cudaGraph_t steps = nullptr;
        DEVICE_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "a graph of steps",
                   failure);
        const char *call = "cudaLaunchKernel";
        cudaError_t code = launch();
        /* Also after a failure: the stream has to leave its capture. */
        const cudaError_t ended = cudaStreamEndCapture(stream, &steps);
        if (code == cudaSuccess) {
            call = "cudaStreamEndCapture";
            code = ended;
        }
        if (code == cudaSuccess) {
            call = "cudaGraphInstantiate";
            code = cudaGraphInstantiate(&graph_[start], steps, 0);
        }
        if (steps != nullptr)
            (void)cudaGraphDestroy(steps);
        return code == cudaSuccess ? 0 : device_fail(code, call, "a graph of steps", failure);
    }

    cudaGraphExec_t graph_[2] = {};
};

#endif
