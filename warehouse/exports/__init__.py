"""Files made from marts for people and for other tools."""
