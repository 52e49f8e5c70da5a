"""Scenes of Crafter: generated worlds, transformed and edited, with a player."""
