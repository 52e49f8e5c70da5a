"""Criteria for attempts, and a judge behind an endpoint that applies them."""
