"""One turn of a host: what goes before a model, step by step, each with a deadline and a fallback."""
