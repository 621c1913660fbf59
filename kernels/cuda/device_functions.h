/** The functions of CUDA that the program uses, one declaration each. Where CUDA is built in, NAME is
 * cuda_NAME() of the file of its idea.
 *
 * A new function is a line here and a definition; from this list follow struct device_table (device_table.h)
 * and its content (device_table.cu). Include this file with FUNCTION(result, name, ...) defined; it is
 * undefined at the end, and there is no include guard. */

/* By the same names in base/device.h, device_engine.h and device_yardstick.h. */
FUNCTION(const char *, toolkit, void);
FUNCTION(bool, driver_installed, void);
FUNCTION(int, find_card, unsigned card, struct device *out, struct failure *failure);
FUNCTION(unsigned, count, void);
FUNCTION(bool, reach, unsigned one, unsigned other);
FUNCTION(double, room_bytes, const struct device *device, const struct device_room *room);
FUNCTION(int, copy_rate, uint64_t bytes, int passes, double *rate, struct failure *failure);
FUNCTION(int, link_rate, unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
         struct failure *failure);
FUNCTION(int, engine_create, struct device_engine **out, const struct device_request *request,
         struct failure *failure);
FUNCTION(double, yardstick_bytes, const struct block_grid *grid, const struct device_yardstick *request);
FUNCTION(int, yardstick, const struct block_grid *grid, const struct device_yardstick *request,
         struct device_yardstick_speed *speed, struct failure *failure);
/* base/device_check.h */
FUNCTION(int, failure, int cuda_error, const char *call, const char *purpose, struct failure *failure);

/** Of the ports of engines (device_port.h); FAILURE_OUTPUT. An event of a device; .. */
FUNCTION(int, signal_make, unsigned card, void **out, struct failure *failure);
/** .. it follows everything that is on the port's stream now; .. */
FUNCTION(int, signal_send, const struct device_port *port, void *signal, struct failure *failure);
/** .. later work on the port's stream waits for the last event sent, from any device; .. */
FUNCTION(int, signal_await, const struct device_port *port, void *signal, struct failure *failure);
/** .. has everything before it ended? The host does not wait. */
FUNCTION(int, signal_passed, void *signal, bool *passed, struct failure *failure);
/** Put a copy of `bytes` on the stream of `port`: to port->in + to, from `from` in the memory of a device
 * that it can access (device_reach()). */
FUNCTION(int, port_fetch, const struct device_port *port, uint64_t to, unsigned card, const char *from,
         uint64_t bytes, struct failure *failure);
FUNCTION(void, signal_free, void *signal);

#undef FUNCTION
