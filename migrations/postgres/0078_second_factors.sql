-- A secret that a user shares with an authenticator app, encrypted; it counts once a code of it was entered. A code is
-- accepted once: `last_step` is the number of its 30 seconds since 1970.
CREATE TABLE second_factors (
  user_id    bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret     text NOT NULL,
  since      timestamptz,
  last_step  bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
  user_id    bigint NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash  text NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
