"""Scenes of Crafter: generated worlds, turned and edited, with a player in them."""
