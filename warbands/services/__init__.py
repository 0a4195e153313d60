"""Services that write: one function per use case. Each one records one event through `recording()`."""
