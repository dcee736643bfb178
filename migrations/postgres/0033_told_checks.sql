-- Of each alert of report checks: the run with which a report began to fail, when that was told last. It is told once.
CREATE TABLE told_checks (
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  template_id integer NOT NULL REFERENCES report_templates ON DELETE CASCADE,
  run_id      integer NOT NULL,
  PRIMARY KEY (schedule_id, template_id)
);
CREATE INDEX told_checks_template ON told_checks (template_id);

-- The version that tags of the run begin with: with its tag, what a run that is cancelled has to take back.
ALTER TABLE report_runs ADD COLUMN tag_version bigint;
