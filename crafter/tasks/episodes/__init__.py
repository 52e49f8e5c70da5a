"""Episodes of agents: suites, runs, results, solutions and demonstrations."""
