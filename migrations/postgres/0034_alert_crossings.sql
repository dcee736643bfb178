-- Projects that an alert found at its threshold or above when it looked last: they are told of anew only once they fell below it.
CREATE TABLE alert_crossings (
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  project_id  integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  PRIMARY KEY (schedule_id, project_id)
);
CREATE INDEX alert_crossings_of_projects ON alert_crossings (project_id);
