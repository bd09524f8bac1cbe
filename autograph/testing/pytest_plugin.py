"""Conversation tests as pytest items."""
