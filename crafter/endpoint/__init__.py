"""Endpoints that speak the OpenAI chat protocol: client, stand-in and budget."""
