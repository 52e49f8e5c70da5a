"""Episodes of agents: suites, runs, results, solutions, and what trained agents do."""
