-- Temporary keys have a session token; empty for keys that last.
ALTER TABLE bucket_credentials ADD COLUMN session_token text NOT NULL DEFAULT '';
-- The folder at which a bucket is scanned, who pays for requests, and the space of a team in Dropbox.
ALTER TABLE buckets
  ADD COLUMN prefix text NOT NULL DEFAULT '',
  ADD COLUMN requester_pays boolean NOT NULL DEFAULT false,
  ADD COLUMN team_space boolean NOT NULL DEFAULT false;
