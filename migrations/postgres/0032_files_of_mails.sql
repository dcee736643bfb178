-- Files that mails carry: a mail that names a bundle carries the files of it, in their order. Kept while a mail waits that names it.
CREATE TABLE mail_files (
  bundle   text NOT NULL,
  position integer NOT NULL,
  name     text NOT NULL,
  bytes    bytea NOT NULL,
  PRIMARY KEY (bundle, position)
);
ALTER TABLE deliveries ADD COLUMN bundle text;
