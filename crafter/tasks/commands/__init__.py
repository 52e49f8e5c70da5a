"""The commands of `crafter-tasks`."""
