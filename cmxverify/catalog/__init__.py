"""Devices, media and model KV shapes with source and grade of every figure."""
