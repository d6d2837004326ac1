"""From a topology and its workload to the integer program, and from its values back to a plan."""
