"""Recorded episodes in the forms of other data sets."""
