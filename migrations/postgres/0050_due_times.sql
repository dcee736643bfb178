-- next_due_at is the first time of the expression after due_after, so it can be computed again for another time zone or clock.
ALTER TABLE schedules ADD COLUMN due_after timestamptz;
UPDATE schedules SET due_after = least(now(), next_due_at - interval '1 second') WHERE NOT paused;
ALTER TABLE report_templates ADD COLUMN due_after timestamptz;
UPDATE report_templates SET due_after = least(now(), next_due_at - interval '1 second') WHERE cron IS NOT NULL AND NOT paused;

-- The due time that started a run; null if someone started it.
ALTER TABLE report_runs ADD COLUMN due_at timestamptz;
CREATE INDEX report_runs_due ON report_runs (template_id, due_at) WHERE due_at IS NOT NULL;
