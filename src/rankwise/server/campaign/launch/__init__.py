"""Before launch: what is there, what will surprise judges, what it will take."""
