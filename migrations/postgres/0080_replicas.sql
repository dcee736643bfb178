-- Servers that run on these stores: their host, their key of secrets, and the newest migrations that they know. Each renews its row every
-- five seconds.
CREATE TABLE replicas (
  id text PRIMARY KEY,
  host text NOT NULL,
  secret_key text,
  postgres text NOT NULL,
  clickhouse text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- The number of the newest migration that a running server must know to continue with this one; null for this one itself.
ALTER TABLE migrations ADD COLUMN minimum text;
