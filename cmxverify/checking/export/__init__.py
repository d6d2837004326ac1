"""Models written in the languages of other checkers."""
