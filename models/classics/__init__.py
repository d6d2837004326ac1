"""Well-known algorithms, written in the modelling language from their publications; ``table.py`` lists them."""
