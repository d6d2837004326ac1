"""The classics with one mistake each; ``models.classics.table`` says what each breaks, and in how many steps."""
