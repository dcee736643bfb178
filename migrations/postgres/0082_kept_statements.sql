-- Closed statements stay when their project is deleted, and keep the name that it had. Those that were deleted with their project
-- are in the event log.
ALTER TABLE project_statements DROP CONSTRAINT project_statements_project_id_fkey, ADD COLUMN name text, ADD COLUMN deleted_on date;
UPDATE project_statements SET name = projects.name FROM projects WHERE projects.id = project_id;
INSERT INTO project_statements (project_id, month, statement, name, deleted_on)
SELECT substr(closed.stream, length('project-') + 1)::integer, closed.data -> 'statement' ->> 'month', closed.data -> 'statement',
  closed.data ->> 'name', (SELECT max(at)::date FROM events AS removed WHERE removed.stream = closed.stream AND type = 'Removed')
FROM events AS closed WHERE type = 'StatementClosed' AND stream LIKE 'project-%'
ON CONFLICT (project_id, month) DO UPDATE SET name = excluded.name;
ALTER TABLE project_statements ALTER COLUMN name SET NOT NULL;
