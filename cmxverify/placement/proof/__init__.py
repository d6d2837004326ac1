"""Programs, certificates and their re-check: whole numbers only, no solver; the part to trust."""
