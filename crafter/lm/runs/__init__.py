"""Runs of agents: protocols, logs, scores and what is made of them."""
