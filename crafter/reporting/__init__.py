"""Tables, figures in one style, and pages containing both."""
