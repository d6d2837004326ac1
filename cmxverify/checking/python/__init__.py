"""Explicit engines in plain Python and numpy: the oracle, and what runs where nothing else does."""
