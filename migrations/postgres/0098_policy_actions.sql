-- What policies may do with the files of a storage. Earlier servers don't know the jobs that use it.
ALTER TABLE volumes ADD COLUMN policy_actions text NOT NULL DEFAULT 'nothing';
