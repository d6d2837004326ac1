"""Where KV blocks should live: the integer program, its solvers, certificates and explanations."""
