-- minimum: 0095
-- Owners that runs of policies ask about their files, also those without an address, who get no email. A link ends with its policy. The files are
-- neighbors in a selection of their own, which is kept until the link ends. Only the email has the secret of a link; the hash finds the link.
CREATE TABLE policy_owner_links (
  id             serial PRIMARY KEY,
  run_id         integer NOT NULL REFERENCES policy_runs ON DELETE CASCADE,
  policy_id      integer NOT NULL,
  -- Its name when the email was written.
  policy         text NOT NULL,
  owner          text NOT NULL,
  address        text,
  token_hash     text UNIQUE,
  selection_id   bigint NOT NULL,
  first_position bigint NOT NULL,
  files          bigint NOT NULL,
  bytes          bigint NOT NULL,
  expires_at     timestamptz NOT NULL,
  -- Counts for files without an answer of their own.
  answer_to_all  text CHECK (answer_to_all IN ('keep', 'release')),
  -- The files have the tag of that answer.
  is_tagged      boolean NOT NULL DEFAULT false,
  UNIQUE (run_id, owner)
);

-- Answers to single files. Positions begin with 1 in each link.
CREATE TABLE policy_answers (
  link_id   integer NOT NULL REFERENCES policy_owner_links ON DELETE CASCADE,
  position  bigint NOT NULL,
  answer    text NOT NULL CHECK (answer IN ('keep', 'release')),
  is_tagged boolean NOT NULL DEFAULT false,
  PRIMARY KEY (link_id, position)
);
CREATE INDEX policy_answers_untagged ON policy_answers (link_id) WHERE NOT is_tagged;

-- The sealed end of the text, until it is sent.
ALTER TABLE deliveries ADD COLUMN secret text;
ALTER TABLE selections ADD COLUMN kept_until timestamptz;
