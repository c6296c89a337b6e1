"""Numbers in answers: what an answer says in figures, exactly, and when two answers agree."""
