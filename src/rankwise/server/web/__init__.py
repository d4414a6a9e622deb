"""Pages and JSON over HTTP: the judge's, the organiser's, the programs'."""
