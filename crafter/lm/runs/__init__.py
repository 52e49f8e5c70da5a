"""Runs of agents: protocols, logs, scores, summaries."""
