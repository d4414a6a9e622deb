"""Every version of the schema, as Alembic revisions in ``versions``; none changes once released."""
