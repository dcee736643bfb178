-- Quantum StorNext web services. The password is sealed: only the server opens it. User and password may be empty.
CREATE TABLE storage_manager_configs (
  id                      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name                    text NOT NULL,
  host                    text NOT NULL,
  username                text NOT NULL,
  password                text NOT NULL,
  certificate_fingerprint text NOT NULL
);
CREATE UNIQUE INDEX storage_manager_configs_name ON storage_manager_configs (lower(name));

-- Paths of storages as Quantum StorNext has them. Rows of deleted storages disappear with their credentials.
CREATE TABLE storage_manager_mappings (
  id                        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id                 integer NOT NULL UNIQUE REFERENCES volumes,
  storage_manager_config_id integer NOT NULL REFERENCES storage_manager_configs ON DELETE CASCADE,
  dataintell_path           text NOT NULL,
  storage_manager_path      text NOT NULL
);

-- Storages and paths of the transfer service.
CREATE TABLE soda_mappings (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id       integer NOT NULL UNIQUE REFERENCES volumes,
  dataintell_path text NOT NULL,
  soda_storage_id text NOT NULL,
  soda_path       text NOT NULL
);
