"""An engine in numpy: each expression is worked out for thousands of states at once."""
