"""The cluster as a networkx graph: schema, places, routes, rules, importers."""
