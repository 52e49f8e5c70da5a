"""Tables, figures in one style, and pages of both."""
