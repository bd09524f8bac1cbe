"""Who plays in pydialogue's world? Policies that ask a language model, and a program as a policy."""

from autograph.evaluation.graph_policy import GraphPolicy
from autograph.evaluation.local_policies import LLMPolicy, LLMPolicyAlt
from autograph.evaluation.policy_base import LLMPolicyBase, OAIPolicy
from autograph.evaluation.uttered import Failure

__all__ = ["Failure", "GraphPolicy", "LLMPolicy", "LLMPolicyAlt", "LLMPolicyBase", "OAIPolicy"]
