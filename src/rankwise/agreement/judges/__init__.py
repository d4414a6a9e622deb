"""How far judges agree with each other and with themselves."""
