"""The fifteen actions as classes, and the table that says which class plays which action."""

from collections.abc import Mapping
from types import MappingProxyType

from autograph.interpreter.nodes.base import PASS_ON, Node
from autograph.interpreter.nodes.chat import Chat, ChatExact, ChatSuffix
from autograph.interpreter.nodes.function import AwaitingPython, FunctionNode
from autograph.interpreter.nodes.plain import PromptNode, PythonFunction, TransitionNode
from autograph.interpreter.nodes.thought import Thought, ThoughtExact, ThoughtQA

__all__ = ["NODE_CLASSES", "PASS_ON", "AwaitingPython", "Node"]

NODE_CLASSES: Mapping[str, type[Node]] = MappingProxyType(
    {
        "chat": Chat,
        "chat_exact": ChatExact,
        "chat_suffix": ChatSuffix,
        "thought": Thought,
        "thought_exact": ThoughtExact,
        "thought_qa": ThoughtQA,
        "python_function": PythonFunction,
        "function": FunctionNode,
        "local_function": FunctionNode,
        "global_function": FunctionNode,
        "set_prompt": PromptNode,
        "append_prompt": PromptNode,
        "set_user_prompt": PromptNode,
        "append_user_prompt": PromptNode,
        "transition": TransitionNode,
    }
)
