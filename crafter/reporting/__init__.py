"""What reports are made of: tables, figures with one look, and pages of both."""
