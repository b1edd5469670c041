"""Discord: events and interactions in, Components v2 out."""
