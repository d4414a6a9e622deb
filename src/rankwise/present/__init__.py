"""Values in, text out: tables, charts, figures and the page that holds them."""
