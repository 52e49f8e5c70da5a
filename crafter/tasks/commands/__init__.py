"""Commands of `crafter-tasks`."""
