-- How often a task was begun since it was queued or resumed, and how often it was lost since then.
ALTER TABLE tasks
  ADD COLUMN tries  integer NOT NULL DEFAULT 0,
  ADD COLUMN lapses integer NOT NULL DEFAULT 0;

-- When the current attempt of a scan began: its agent has from then until its first heartbeat.
ALTER TABLE scans ADD COLUMN taken_at timestamptz;
UPDATE scans SET taken_at = started_at WHERE state IN ('running', 'committing');

-- Lists of jobs, by each of their sorts and filters; the newest come first.
CREATE INDEX jobs_type ON jobs (type, id);
CREATE INDEX jobs_server ON jobs (server_id, id);
CREATE INDEX jobs_created ON jobs (created_at, id);
CREATE INDEX jobs_started ON jobs (started_at, id);
CREATE INDEX jobs_updated ON jobs (updated_at, id);
CREATE INDEX jobs_status ON jobs (status, id);
CREATE INDEX tasks_open ON tasks (type, status, id) WHERE status IN ('NEW', 'AVAILABLE', 'WAITING', 'RUNNING');
CREATE INDEX scans_job ON scans (job_id);
