-- Wall displays: tokens that open what a wall shows, and the sessions of the displays that came with one.
CREATE TABLE wall_tokens (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX wall_tokens_name ON wall_tokens (lower(name));

CREATE TABLE wall_sessions (
  id_hash      text PRIMARY KEY,
  token_id     bigint NOT NULL REFERENCES wall_tokens ON DELETE CASCADE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX wall_sessions_token ON wall_sessions (token_id);
