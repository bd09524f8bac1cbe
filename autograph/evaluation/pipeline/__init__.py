"""How do several programs make one agent? Skills and pipelines as in DeepPavlov Agent."""
