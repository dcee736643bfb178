-- Accounts that can be disabled, accounts of a single sign-on, and passwords that only serve to choose another.
ALTER TABLE users
  ADD COLUMN has_one_time_password boolean NOT NULL DEFAULT false,
  ADD COLUMN issuer text,
  ADD COLUMN subject text,
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN last_sign_in_at timestamptz,
  ADD CHECK ((issuer IS NULL) = (subject IS NULL)),
  ADD CHECK (issuer IS NULL OR password_hash IS NULL);
CREATE UNIQUE INDEX users_name ON users (lower(name));
CREATE UNIQUE INDEX users_subject ON users (issuer, subject);

-- A number, by which a session is named without its id.
ALTER TABLE sessions
  ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD COLUMN user_agent text;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE api_tokens (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id      bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  name         text NOT NULL,
  token_hash   text NOT NULL UNIQUE,
  roles        text[] NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX api_tokens_name ON api_tokens (lower(name));
CREATE INDEX api_tokens_user ON api_tokens (user_id);
