"""Lexicographic solving: engines propose, trees of whole-number multipliers prove."""
