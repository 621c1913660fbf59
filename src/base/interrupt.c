#include "src/base/interrupt.h"

volatile sig_atomic_t interrupt_seen, interrupt_ends;
