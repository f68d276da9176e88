"""Tools for agents: search, get and note over one workspace, as a server of the Model Context Protocol."""
