-- Users of Archiware P5 servers. The password is sealed: only the server opens it.
CREATE TABLE archiware_credentials (
  id                      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name                    text NOT NULL,
  username                text NOT NULL,
  password                text NOT NULL,
  url                     text NOT NULL,
  certificate_fingerprint text NOT NULL
);
CREATE UNIQUE INDEX archiware_credentials_name ON archiware_credentials (lower(name));

-- Archive indexes that are scanned: rows of volumes, and here their P5 servers.
CREATE TABLE archiwares (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id     integer NOT NULL UNIQUE REFERENCES volumes,
  index_id      text NOT NULL,
  path          text NOT NULL,
  -- Null only once the storage and its credentials are deleted.
  credential_id integer REFERENCES archiware_credentials ON DELETE SET NULL
);

-- How P5 clients see paths of storages. The volume is -1 for all storages that have none of their own.
CREATE TABLE archiware_mappings (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id       integer NOT NULL UNIQUE,
  dataintell_path text NOT NULL,
  archiware_path  text NOT NULL
);
