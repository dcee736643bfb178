-- Who is the author of an event: a kind and a number. The name is for display: an account may have any. Null in older events.
ALTER TABLE events
  ADD COLUMN actor_kind text,
  ADD COLUMN actor_id integer;
