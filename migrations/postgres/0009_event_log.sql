-- What the event log is asked for: each filter is read by its index, newest first. Streams also by how they begin, in any
-- locale.
CREATE INDEX events_stream ON events (stream text_pattern_ops, position);
CREATE INDEX events_type ON events (type, position);
CREATE INDEX events_actor ON events (actor, position);
CREATE INDEX events_at ON events (at, position);
CREATE INDEX tasks_agent ON tasks (server_id);

-- Text anywhere in an event. Where the extension cannot be had, such questions read the whole log.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX events_text ON events USING gin
    ((data::text || ' ' || stream || ' ' || actor || ' ' || coalesce(address, '')) gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
    RAISE NOTICE 'Text of events is searched without an index: %', SQLERRM;
END
$$;
