"""The placement file, and a second opinion on it with code of its own."""
