"""Charts as inline SVG: small, accessible, coloured by the page's own style sheet."""
