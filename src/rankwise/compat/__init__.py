"""Drop-in replacements for other packages, above the stages: change one import, keep the code."""
