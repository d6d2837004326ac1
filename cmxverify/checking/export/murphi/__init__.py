"""Exporter for Murphi as rumur reads it."""
