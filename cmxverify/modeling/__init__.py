"""The modelling language: types, models, actions and properties in plain Python, and their front end."""
