"""Proposers of plans: HiGHS, CP-SAT and z3. Nothing they say is believed before it is checked exactly."""
