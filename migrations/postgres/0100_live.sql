-- Generations of a volume that are read along with its newest one, oldest first: each has what changed after those before it.
ALTER TABLE volumes ADD COLUMN layers integer[] NOT NULL DEFAULT '{}';

-- Layers whose ended rows are still to be removed from the generations before them, and those that were removed, whose list is to be dropped: each when
-- no question that began before can still run.
CREATE TABLE ended_layers (
  volume_id  integer NOT NULL,
  generation integer NOT NULL,
  removed    boolean NOT NULL DEFAULT false,
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (volume_id, generation)
);

-- The agent follows the changes of a storage between its scans.
ALTER TABLE volumes ADD COLUMN follows_changes boolean NOT NULL DEFAULT false;

-- The live state of a followed storage: the committed scan `base_scan`, and its changes in a generation of their own, up to a flush.
CREATE TABLE live_volumes (
  volume_id  integer PRIMARY KEY REFERENCES volumes ON DELETE CASCADE,
  session    uuid NOT NULL,
  base_scan  bigint NOT NULL,
  generation integer NOT NULL,
  flush      bigint NOT NULL DEFAULT 0,
  state      text NOT NULL DEFAULT 'UNAVAILABLE' CHECK (state IN ('LIVE', 'UNAVAILABLE')),
  reason     text,
  since      timestamptz,
  behind_ms  double precision,
  -- What the flush shows, and when the agent last said how it follows.
  as_of      timestamptz,
  seen_at    timestamptz,
  missed     jsonb,
  -- Hash of the settings that the agent follows the session by.
  settings   text
);

-- Start of the first attempt by the clock of its agent, and the path of the storage then: a session needs both.
ALTER TABLE scans ADD COLUMN walked_from timestamptz, ADD COLUMN walked_path text;
