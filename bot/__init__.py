"""The bot: it resolves jargon and words the answers, and knows no chat platform."""
