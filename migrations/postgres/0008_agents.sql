-- Agents that are added in the settings. Of what one signs in with, only the public key is kept; the built-in agent has
-- none here. A deleted agent stays for the history of jobs and scans.
ALTER TABLE agents
  ADD COLUMN public_key text UNIQUE,
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN deleted_at timestamptz;
CREATE UNIQUE INDEX agents_name ON agents (lower(name)) WHERE deleted_at IS NULL;
