"""What the commands share: options, progress, output."""
