"""Evaluation runs of agents: protocols, logs, scores, summaries."""
