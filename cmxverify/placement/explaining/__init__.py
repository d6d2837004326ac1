"""Why nothing fits, in the user's own lines, and what would help."""
