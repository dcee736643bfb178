-- The user within whose limits a report is counted. It has no reference: the report of a limited user who was deleted finds nothing. Null
-- for reports of deleted users who saw everything.
ALTER TABLE report_templates ADD COLUMN owner_id bigint;
UPDATE report_templates SET owner_id = users.id FROM users
  WHERE created_by = users.name OR starts_with(created_by, users.name || ', token ');
-- Names of reports that a user doesn't see may be chosen again.
DROP INDEX report_templates_name;
CREATE UNIQUE INDEX report_templates_name ON report_templates (lower(name), owner_id);

-- Whose limits the figures were counted with, and which: null without limits.
ALTER TABLE report_runs ADD COLUMN limits text;
ALTER TABLE jobs ADD COLUMN limits text;

-- What a message is about, as a scope: limited recipients get it if they see all of that. Null for everything.
ALTER TABLE deliveries ADD COLUMN shows jsonb;
