"""Judges: criteria, language models and people that rate attempts."""
