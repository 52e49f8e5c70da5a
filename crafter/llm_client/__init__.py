"""Client, stub server and budget for OpenAI-compatible chat endpoints."""
