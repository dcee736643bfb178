-- The machine that an agent's key is bound to, and the process that holds it: `boot` and `pid` identify that process on its machine.
-- `run` is null while no process holds the key. `refused` is the last process that was refused. Runs of older agents hold nothing.
ALTER TABLE agents
  ADD COLUMN machine text,
  ADD COLUMN boot text,
  ADD COLUMN pid integer,
  ADD COLUMN refused jsonb;
UPDATE agents SET run = NULL;

-- Identifies this product's data. A restore from a backup makes another ID, so that agents don't use what they remember of later scans.
CREATE TABLE product (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id       uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO product DEFAULT VALUES;
