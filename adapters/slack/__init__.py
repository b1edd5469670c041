"""Slack: events and presses in, Block Kit out."""
