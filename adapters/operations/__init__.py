"""For whoever runs the bot: logs, metrics, health."""
