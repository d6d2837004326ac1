"""The explorer in native code: what a model becomes, the search loop, and the store."""
