"""What the notekeeper's mind is made of: what is asked (wishes.py), and what matters in a text (extract.py)."""
