"""The lint of what may become durable: each line that does not pass gets a rule and a reason."""
