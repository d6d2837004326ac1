"""From Python source to the intermediate representation: symbolic execution of a syntax tree over typed values."""
