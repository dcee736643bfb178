-- Who signs in to shares of the network. The password is sealed: it opens in the server only.
CREATE TABLE network_credentials (
  id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name     text NOT NULL,
  username text NOT NULL,
  password text NOT NULL,
  domain   text NOT NULL,
  options  text NOT NULL
);
CREATE UNIQUE INDEX network_credentials_name ON network_credentials (lower(name));

-- A share that is scanned as a file storage: a row of volumes like any other, and here what is mounted for it.
CREATE TABLE network_volumes (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id     integer NOT NULL UNIQUE REFERENCES volumes,
  type          text NOT NULL CHECK (type IN ('SMB', 'NFS')),
  host          text NOT NULL,
  share_name    text NOT NULL,
  options       text NOT NULL,
  credential_id integer REFERENCES network_credentials ON DELETE SET NULL
);
