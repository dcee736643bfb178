-- What the event log is asked for: each filter is read by its index, newest first. Streams also by how they begin, in any
-- locale.
CREATE INDEX events_stream ON events (stream text_pattern_ops, position);
CREATE INDEX events_type ON events (type, position);
CREATE INDEX events_actor ON events (actor, position);
CREATE INDEX events_at ON events (at, type, position);
