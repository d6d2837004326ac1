"""Prove things about LLM KV-cache storage before it fails in production."""

__version__ = "0.1.0"
