-- What a wall display sees, if not everything.
ALTER TABLE limits
  ADD COLUMN wall_id integer UNIQUE REFERENCES wall_tokens ON DELETE CASCADE,
  DROP CONSTRAINT limits_check,
  ADD CHECK (num_nonnulls(user_id, group_name, wall_id) = 1);
