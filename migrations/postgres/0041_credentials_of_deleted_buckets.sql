-- Credentials can be deleted after the buckets that used them. Null only once both are deleted.
ALTER TABLE buckets ALTER COLUMN credential_id DROP NOT NULL;
ALTER TABLE buckets DROP CONSTRAINT buckets_credential_id_fkey;
ALTER TABLE buckets ADD CONSTRAINT buckets_credential_id_fkey
  FOREIGN KEY (credential_id) REFERENCES bucket_credentials ON DELETE SET NULL;
