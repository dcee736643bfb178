-- Who signs in to providers of object storage. The keys are sealed: they open in the server only.
CREATE TABLE bucket_credentials (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL,
  type        text NOT NULL,
  access_key  text NOT NULL,
  private_key text NOT NULL,
  url         text NOT NULL
);
CREATE UNIQUE INDEX bucket_credentials_name ON bucket_credentials (lower(name));

-- A bucket that is scanned: a row of volumes like any other, and here what it is at its provider.
CREATE TABLE buckets (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  volume_id     integer NOT NULL UNIQUE REFERENCES volumes,
  name          text NOT NULL,
  region        text NOT NULL,
  credential_id integer NOT NULL REFERENCES bucket_credentials
);
