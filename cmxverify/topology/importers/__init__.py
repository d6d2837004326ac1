"""Readers of topology files that people already have."""
