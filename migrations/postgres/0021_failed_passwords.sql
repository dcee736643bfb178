-- Wrong passwords of late, counted by account, by address and by browser; `key` is a hash of what is counted, since people type a
-- password where a name belongs. Nothing of a counter is checked before `waits_until`, and an hour later it is forgotten.
CREATE TABLE failed_passwords (
  key         text PRIMARY KEY,
  failures    integer NOT NULL,
  waits_until timestamptz NOT NULL
);
CREATE INDEX failed_passwords_forgotten ON failed_passwords (waits_until);
