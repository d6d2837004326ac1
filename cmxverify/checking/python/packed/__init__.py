"""An engine in plain Python over packed states: one integer a state, what an action does looked up by what it reads."""
