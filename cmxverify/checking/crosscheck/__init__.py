"""A second opinion: the same model searched by checkers that other people wrote."""
