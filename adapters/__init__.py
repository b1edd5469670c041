"""Thin translations between chat platforms and the bot. Nothing is decided here."""
