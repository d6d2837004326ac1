"""Topologies and workloads that ship with cmxverify, read and run by name."""
