"""Tables and pictures of results; reads results, computes nothing."""
