"""What a campaign asks: its plan, its protocols, its texts."""
