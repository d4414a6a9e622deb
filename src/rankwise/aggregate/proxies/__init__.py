"""People and machines together: few judgments made more precise by scores of everything."""
