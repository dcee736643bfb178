-- What users see, if not everything. A user without rows of their own and of their groups sees everything; with several, all of them
-- together. Folders as [{ "storageId": 3, "path": "/a/b" }].
CREATE TABLE limits (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    bigint UNIQUE REFERENCES users ON DELETE CASCADE,
  group_name text UNIQUE,
  everything boolean NOT NULL,
  projects   integer[] NOT NULL,
  storages   integer[] NOT NULL,
  folders    jsonb NOT NULL,
  since      timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(user_id, group_name) = 1)
);
-- Groups of single sign-on that the provider named last.
ALTER TABLE users ADD COLUMN groups text[] NOT NULL DEFAULT '{}';

-- Users who edit a project and name its readers. They see it as well.
CREATE TABLE project_managers (
  project_id integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id    bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_managers_of_users ON project_managers (user_id);

-- The session of the administrator who sees the product as the session's user, and can't change anything.
ALTER TABLE sessions ADD COLUMN viewed_by bigint REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX sessions_views ON sessions (viewed_by) WHERE viewed_by IS NOT NULL;
