-- Recipients of an alert; null is an email to its user. The webhook's address is sealed, so it has a column of its own.
ALTER TABLE schedules ADD COLUMN delivery jsonb;
ALTER TABLE schedules ADD COLUMN webhook text;

-- Last evaluation of an alert, at a due time or after a scan; null until the first.
ALTER TABLE schedules ADD COLUMN evaluated_at timestamptz;
ALTER TABLE schedules ADD COLUMN alert_state text CHECK (alert_state IN ('ok', 'firing', 'unknown'));
ALTER TABLE schedules ADD COLUMN alert_reason text;
