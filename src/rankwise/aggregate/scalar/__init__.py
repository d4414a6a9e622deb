"""Systems ranked by values that people gave them: direct assessment, ESA, MQM."""
