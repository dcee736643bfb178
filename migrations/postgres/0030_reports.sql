-- What users look for again and again. Parameters, delivery and checks are as the calls have them; the webhook of the delivery lies
-- sealed beside it, for the user who gave it. Rolling days of the query count from days_as_of.
CREATE TABLE report_templates (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name         text NOT NULL,
  type         text NOT NULL,
  tags         text[] NOT NULL,
  retention    integer NOT NULL,
  parameters   jsonb NOT NULL,
  days_as_of   date NOT NULL,
  cron         text,
  paused       boolean NOT NULL DEFAULT false,
  next_due_at  timestamptz,
  delivery     jsonb NOT NULL,
  webhook      text,
  webhook_user integer,
  checks       jsonb NOT NULL,
  created_by   text NOT NULL
);
CREATE UNIQUE INDEX report_templates_name ON report_templates (lower(name));
CREATE INDEX report_templates_due ON report_templates (next_due_at);

-- Each run, told for ever; what it found lies in report_entries of ClickHouse while it is kept. The status is that of its job as
-- long as there is one.
CREATE TABLE report_runs (
  id                      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  template_id             integer NOT NULL REFERENCES report_templates ON DELETE CASCADE,
  job_id                  integer NOT NULL,
  by                      text NOT NULL,
  status                  text NOT NULL,
  started_at              timestamptz NOT NULL,
  ended_at                timestamptz,
  indexing_date           date,
  report_tag              text,
  is_kept                 boolean NOT NULL DEFAULT false,
  number_of_files_found   bigint,
  number_of_files_total   bigint,
  number_of_folders_found bigint,
  number_of_folders_total bigint,
  size_of_files_found     bigint,
  size_of_files_total     bigint,
  check_state             text,
  check_reason            text,
  reason                  text
);
CREATE INDEX report_runs_of_templates ON report_runs (template_id, id);
CREATE INDEX report_runs_of_jobs ON report_runs (job_id);
