"""Who can take part? Programs, people, baselines that others must surpass, and agents that are elsewhere."""

from autograph.evaluation.parlai.agent import Agent
from autograph.evaluation.parlai.baselines import (
    FixedResponseAgent,
    RandomCandidateAgent,
    RepeatLabelAgent,
    RepeatQueryAgent,
)
from autograph.evaluation.parlai.ir_baseline import IrBaselineAgent
from autograph.evaluation.parlai.named_agents import agent_of
from autograph.evaluation.parlai.person import PersonAgent
from autograph.evaluation.parlai.program_agent import ProgramAgent
from autograph.evaluation.parlai.remote import RemoteAgent, serve_agent

__all__ = [
    "Agent",
    "FixedResponseAgent",
    "IrBaselineAgent",
    "PersonAgent",
    "ProgramAgent",
    "RandomCandidateAgent",
    "RemoteAgent",
    "RepeatLabelAgent",
    "RepeatQueryAgent",
    "agent_of",
    "serve_agent",
]
