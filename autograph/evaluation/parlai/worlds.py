"""Which worlds are there? For two agents and for many, for several tasks, for many conversations, for talking."""

from autograph.evaluation.parlai.concurrent_world import ConcurrentWorld, Round
from autograph.evaluation.parlai.dialog_worlds import DialogPartnerWorld, MultiAgentDialogWorld
from autograph.evaluation.parlai.many_worlds import BatchWorld, MultiWorld
from autograph.evaluation.parlai.talk_worlds import InteractiveWorld, SelfChatWorld
from autograph.evaluation.parlai.world import World

__all__ = [
    "BatchWorld",
    "ConcurrentWorld",
    "DialogPartnerWorld",
    "InteractiveWorld",
    "MultiAgentDialogWorld",
    "MultiWorld",
    "Round",
    "SelfChatWorld",
    "World",
]
