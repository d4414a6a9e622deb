"""What should be looked at before numbers are believed: texts and systems that are odd."""
