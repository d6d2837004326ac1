"""How a topology is drawn: what to show (scene), where (layout), and with which ink (paint)."""
