"""Who can take part? Programs, people, baselines that others must surpass, and agents that are elsewhere."""

from autograph.evaluation.agent import Agent
from autograph.evaluation.baselines import (
    FixedResponseAgent,
    RandomCandidateAgent,
    RepeatLabelAgent,
    RepeatQueryAgent,
)
from autograph.evaluation.ir_baseline import IrBaselineAgent
from autograph.evaluation.named_agents import agent_of
from autograph.evaluation.person import PersonAgent
from autograph.evaluation.program_agent import ProgramAgent
from autograph.evaluation.remote import RemoteAgent, serve_agent

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
