// The module for GPUs as a library for the processor, from the same source.
#include "limber/cuda/module.cu"  // NOLINT
