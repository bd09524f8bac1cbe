"""Programs that come from Python: a pandas DataFrame, or a list of dicts.

Whatever tabular source you have (a database, a spreadsheet that pandas reads, a generator), the
columns are the fields of a node and the rows are the nodes.
"""

import pandas as pd

import autograph

QUESTIONS = {"What is the capital of Peru?": "lima", "What is the capital of Ghana?": "accra"}


def as_frame(questions: dict[str, str]) -> pd.DataFrame:
    """A quiz as a table: three rows for each question, made by a loop."""
    rows = [{"name": "start1", "action": "python_function", "instruction": "score = 0", "transitions": "ask1"}]
    for number, (question, answer) in enumerate(questions.items(), 1):
        following = f"ask{number + 1}" if number < len(questions) else "end"
        rows += [
            {
                "name": f"ask{number}",
                "action": "chat_exact",
                "instruction": question,
                "transitions": f"check{number}.*",
            },
            {
                "name": f"check{number}.a",
                "action": "python_function",
                "instruction": "score = score + 1",
                "transitions": following,
                "boolean_condition": f"{answer!r} in _last_user_reply.lower()",
            },
            {"name": f"check{number}.b", "action": "transition", "transitions": following},
        ]
    total = f"$score of {len(questions)} right."
    rows.append({"name": "end", "action": "chat_exact", "instruction": total, "transitions": "quit"})
    return pd.DataFrame(rows)  # cells that a row does not have become NaN, and count as empty


def play(bot: autograph.Autograph, answers: list[str]) -> str:
    """Answer the questions in turn; the last reply."""
    reply, memory = bot.reply()
    for answer in answers:
        print(f"{reply}  {answer}")
        reply, memory = bot.reply(answer, memory)
    return reply


def main() -> None:
    """The same quiz from a DataFrame and from a list of dicts."""
    frame = as_frame(QUESTIONS)
    print(play(autograph.load(frame, model="offline"), ["Lima", "Kumasi"]))
    rows = [{field: text for field, text in row.items() if isinstance(text, str)} for row in frame.to_dict("records")]
    print(play(autograph.load(rows, model="offline"), ["Lima!", "I think Accra"]))


if __name__ == "__main__":
    main()
