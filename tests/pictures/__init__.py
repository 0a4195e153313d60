"""The pictures of README and manual, made by `make pictures`."""
