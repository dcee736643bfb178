-- The last time a session's user proved who they are: by signing in, or by the password again. Sessions from before
-- confirm before their next change of rights.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE sessions ALTER COLUMN confirmed_at SET DEFAULT now();
