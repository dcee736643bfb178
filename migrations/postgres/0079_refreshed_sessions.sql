-- The token, encrypted, by which the provider of a single sign-on is asked during a session whether its user still has the
-- same groups, and the last time it was asked.
ALTER TABLE sessions
  ADD COLUMN refresh_token text,
  ADD COLUMN refreshed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX sessions_to_refresh ON sessions (refreshed_at) WHERE refresh_token IS NOT NULL;
