"""The batched engine for CPUs: rules compiled with numba, one thread per core."""
