"""Intermediate representation: scalar cells, typed expressions and guarded updates, the input of every engine."""
