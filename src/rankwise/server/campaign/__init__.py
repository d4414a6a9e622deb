"""What a campaign is: its plan, its protocols, what to ask next, how it stands."""
