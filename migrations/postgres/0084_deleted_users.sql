-- Alerts of a deleted user stay without an owner, as do shared searches. Administrators can take them over.
ALTER TABLE schedules
  DROP CONSTRAINT schedules_user_id_fkey,
  DROP CONSTRAINT schedules_check,
  ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE SET NULL,
  ADD CHECK (job_group = 'ALERT' OR user_id IS NULL);

ALTER TABLE saved_searches
  ALTER COLUMN user_id DROP NOT NULL,
  DROP CONSTRAINT saved_searches_user_id_fkey,
  ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE SET NULL,
  ADD CHECK (is_shared OR user_id IS NOT NULL);

-- What was sent stays, and counts toward the limit of its sender. Numbers of users are never used again.
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_user_id_fkey,
  DROP CONSTRAINT deliveries_notification_id_fkey,
  ADD FOREIGN KEY (notification_id) REFERENCES notifications ON DELETE SET NULL;
