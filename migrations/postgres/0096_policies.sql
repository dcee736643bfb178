-- minimum: 0095
-- Policies and their runs. `author_id` is the user whose rights count when it runs: the one who changed it last. It has no reference: the
-- policy of a deleted user acts on nothing.
CREATE TABLE policies (
  id                  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name                text NOT NULL,
  search              jsonb NOT NULL,
  untouched_days      integer NOT NULL,
  action              jsonb NOT NULL,
  limits              jsonb NOT NULL,
  needs_second_person boolean NOT NULL,
  cron                text,
  paused              boolean NOT NULL,
  quiet               jsonb,
  next_due_at         timestamptz,
  due_after           timestamptz,
  created_by          text NOT NULL,
  author_id           bigint NOT NULL,
  -- Counts changes of what it takes or does: a plan of an earlier one is not started.
  revision            integer NOT NULL DEFAULT 1,
  -- A person approved a run since the last such change, and one that deletes.
  trusted             boolean NOT NULL DEFAULT false,
  trusts_deletion     boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX policies_name ON policies (lower(name));
CREATE INDEX policies_due ON policies (next_due_at);

CREATE TABLE policy_runs (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  policy_id        integer NOT NULL REFERENCES policies ON DELETE CASCADE,
  kind             text NOT NULL,
  state            text NOT NULL,
  reasons          text[] NOT NULL DEFAULT '{}',
  at               timestamptz NOT NULL,
  due_at           timestamptz,
  -- Null without a plan.
  selection_id     bigint,
  files            bigint NOT NULL DEFAULT 0,
  bytes            bigint NOT NULL DEFAULT 0,
  -- Bytes by the number of the storage.
  volume_bytes     jsonb NOT NULL DEFAULT '{}',
  left_out         jsonb NOT NULL DEFAULT '[]',
  hash             text NOT NULL DEFAULT '',
  started_by       text NOT NULL,
  approvals        jsonb NOT NULL DEFAULT '[]',
  needed_approvals integer NOT NULL DEFAULT 0,
  job_id           bigint,
  -- A run that deletes: the run that moved the files to quarantine.
  of_run           integer REFERENCES policy_runs ON DELETE CASCADE,
  undo_jobs        bigint[] NOT NULL DEFAULT '{}',
  started_at       timestamptz,
  -- Days in quarantine when it started; null keeps the files there.
  delete_after_days integer,
  -- The job ended, and its savings are stored.
  settled_at       timestamptz,
  -- Files of this run are in quarantine, or may be.
  in_quarantine    boolean NOT NULL DEFAULT false,
  counted_at       timestamptz,
  -- The job was paused for quiet hours, or because all policies are paused.
  is_held          boolean NOT NULL DEFAULT false
);
CREATE INDEX policy_runs_newest ON policy_runs (policy_id, id);
CREATE INDEX policy_runs_of_run ON policy_runs (of_run);
CREATE UNIQUE INDEX policy_runs_due ON policy_runs (policy_id, due_at) WHERE kind = 'act';
CREATE INDEX policy_runs_open ON policy_runs (state) WHERE state = 'waiting' OR in_quarantine OR (state = 'started' AND settled_at IS NULL);

-- What runs have freed, with the costs of that day. It outlives jobs, runs and policies.
CREATE TABLE policy_savings (
  run_id          integer NOT NULL,
  policy_id       integer NOT NULL,
  day             date NOT NULL,
  project_id      integer,
  project_name    text,
  files           bigint NOT NULL,
  bytes           bigint NOT NULL,
  currency_symbol text,
  cost_per_year   double precision
);
CREATE INDEX policy_savings_of_run ON policy_savings (run_id);
