-- Credentials of Amazon S3 without keys: the agent signs in with the role of its machine.
ALTER TABLE bucket_credentials ADD COLUMN sign_in text NOT NULL DEFAULT 'keys' CHECK (sign_in IN ('keys', 'role'));
