"""Engines that search, replay and cross-check models, and the results they share."""
