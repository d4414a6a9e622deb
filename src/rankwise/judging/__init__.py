"""A language model as judge: questions about outputs, an endpoint that answers, ordinary judgments.

``questions`` is pure: what is asked, with which prompt, and what an answer says. ``endpoint`` is
the network and the file of answers. ``model_judge`` joins the two.
"""
