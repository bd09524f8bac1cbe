"""Who plays in pydialogue's world? Policies that ask a language model, and a program as a policy."""

from autograph.evaluation.pydialogue.graph_policy import GraphPolicy
from autograph.evaluation.pydialogue.local_policies import LLMPolicy, LLMPolicyAlt
from autograph.evaluation.pydialogue.policy_base import LLMPolicyBase, OAIPolicy
from autograph.evaluation.pydialogue.uttered import Failure

__all__ = ["Failure", "GraphPolicy", "LLMPolicy", "LLMPolicyAlt", "LLMPolicyBase", "OAIPolicy"]
