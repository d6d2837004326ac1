"""What changes against an earlier plan, and which failures the workload survives."""
