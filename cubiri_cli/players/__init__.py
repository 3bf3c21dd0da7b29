"""Who plays besides people: bots, hints and analysis live here; they choose, with their own chance."""
