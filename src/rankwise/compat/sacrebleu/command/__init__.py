"""sacreBLEU's command line: its options, its output, its messages, its exit codes."""
