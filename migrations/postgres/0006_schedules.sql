-- What starts at times: scans for administrators, and alerts, each of which is a user's own.
CREATE TABLE schedules (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL,
  cron        text NOT NULL,
  job_group   text NOT NULL CHECK (job_group IN ('SCANNER', 'ALERT')),
  job_class   text NOT NULL,
  payload     jsonb NOT NULL,
  paused      boolean NOT NULL,
  user_id     bigint REFERENCES users ON DELETE CASCADE,
  next_due_at timestamptz,          -- none while it is paused, and when its last time is over
  CHECK ((job_group = 'ALERT') = (user_id IS NOT NULL))
);
CREATE INDEX schedules_due ON schedules (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX schedules_user ON schedules (user_id);

-- What came of each due time. A row is written with what it started, so that a due time starts something once.
CREATE TABLE schedule_runs (
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  due_at      timestamptz NOT NULL,
  outcome     text NOT NULL CHECK (outcome IN ('started', 'notified', 'nothing', 'skipped', 'failed')),
  job_id      bigint,
  reason      text,
  PRIMARY KEY (schedule_id, due_at)
);
