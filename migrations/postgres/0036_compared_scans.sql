-- Whether the agent was told to leave out files that are as in the scan before, and whether it must not be told to: what it left out
-- did not fit what is known.
ALTER TABLE scans
  ADD COLUMN is_compared boolean NOT NULL DEFAULT false,
  ADD COLUMN must_be_full boolean NOT NULL DEFAULT false;
