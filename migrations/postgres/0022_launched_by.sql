-- Who launched a job: they see and cancel it without being administrators. Of jobs from before the log tells it by name, and of
-- those by an API token also the token's.
ALTER TABLE jobs ADD COLUMN user_id bigint;
UPDATE jobs SET user_id = users.id
  FROM events, users
  WHERE events.stream = 'job-' || jobs.id AND events.version = 1
    AND users.name IN (events.actor, split_part(events.actor, ', token ', 1));
CREATE INDEX jobs_user ON jobs (user_id);
