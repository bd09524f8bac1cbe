"""A chatbot in an application, in five lines. Run it and type; it ends when the program says goodbye.

The model "offline" needs no key and no network. Leave ``model`` out, and the model is the one that
OPENAI_API_KEY or OPENAI_BASE_URL stand for.
"""

from pathlib import Path

import autograph

TUTOR = Path(__file__).parent.parent / "programs" / "tutor.csv"


def main() -> None:
    """Talk with the tutor of fractions on the terminal."""
    bot = autograph.load(TUTOR, model="offline")
    reply, memory = bot.reply()  # the program speaks first
    while not memory.finished:
        reply, memory = bot.reply(input(f"{reply}\n> "), memory)
    print(reply)


if __name__ == "__main__":
    main()
