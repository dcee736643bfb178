-- minimum: 0081
-- The ID of the session at the provider of a single sign-on, which names it when its user signs out there.
ALTER TABLE sessions ADD COLUMN provider_session text;

-- Logout tokens of the provider that were accepted, by the hash of their issuer and ID: each one counts once.
CREATE TABLE logout_tokens (
  id_hash      text PRIMARY KEY,
  received_at  timestamptz NOT NULL DEFAULT now()
);
