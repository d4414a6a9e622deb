"""The campaign server: collect human judgments on a page, and rank while they come in.

``create_app(store, settings)`` in ``web.app`` builds the application; nothing here holds a
connection of its own. ``campaign`` decides (what to ask, what an answer means), ``store`` keeps,
``web`` shows.
"""
