-- Where the S3 Inventory of a bucket is delivered to, which is read instead of listing it: s3://bucket/folder. Empty: it is listed.
ALTER TABLE buckets ADD COLUMN inventory text NOT NULL DEFAULT '';
