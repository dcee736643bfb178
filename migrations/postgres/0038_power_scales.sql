-- Users of the API of Dell PowerScale clusters. The password is sealed: only the server opens it.
CREATE TABLE power_scale_credentials (
  id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name     text NOT NULL,
  username text NOT NULL,
  password text NOT NULL
);
CREATE UNIQUE INDEX power_scale_credentials_name ON power_scale_credentials (lower(name));

-- Folders of Dell PowerScale clusters that are scanned: rows of volumes, and here their clusters.
CREATE TABLE power_scales (
  id                      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id               integer NOT NULL UNIQUE REFERENCES volumes,
  host                    text NOT NULL,
  path                    text NOT NULL,
  -- Null only once the storage and its credentials are deleted.
  credential_id           integer REFERENCES power_scale_credentials ON DELETE SET NULL,
  full_snapshot_days      integer NOT NULL,
  delta_snapshot_days     integer NOT NULL,
  certificate_fingerprint text NOT NULL
);
