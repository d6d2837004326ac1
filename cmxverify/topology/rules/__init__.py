"""Numbered rules ``TP-1 ...`` that judge a topology, in the profiles ``article`` and ``published``."""
