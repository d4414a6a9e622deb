"""How well anything that ranks agrees with people."""

from rankwise.agreement.correlation import kendall_tau, pairwise_accuracy, pearson, spearman

__all__ = ["kendall_tau", "pairwise_accuracy", "pearson", "spearman"]
