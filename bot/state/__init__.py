"""What is remembered. The ports say what the bot needs; `memory` and `database` implement them."""
