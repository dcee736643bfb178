-- What an alert knows about a watched project or storage. A row exists once it reached the threshold; is_reported and reported_at are
-- set only when a mail about that was queued. reported_at stays when it falls below the clearing threshold.
CREATE TABLE alert_states (
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  watched_id  integer NOT NULL,
  is_reached  boolean NOT NULL,
  is_reported boolean NOT NULL,
  reported_at timestamptz,
  PRIMARY KEY (schedule_id, watched_id)
);
INSERT INTO alert_states SELECT schedule_id, project_id, true, true, NULL FROM alert_crossings;
DROP TABLE alert_crossings;

-- When a failing check was reported, for the interval between two mails.
ALTER TABLE told_checks ADD COLUMN reported_at timestamptz;

ALTER TABLE schedule_runs DROP CONSTRAINT schedule_runs_outcome_check;
ALTER TABLE schedule_runs ADD CONSTRAINT schedule_runs_outcome_check
  CHECK (outcome IN ('started', 'notified', 'nothing', 'unknown', 'skipped', 'failed'));
