"""The classics with one mistake each, and what it breaks; ``../table.py`` lists them. A check that none fails is none."""
