-- Hosts that credentials are sent to, and when their password was entered: it goes to another host only shortly after that.
-- Existing credentials keep the hosts of their storages.
ALTER TABLE network_credentials
  ADD COLUMN hosts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN entered_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE network_credentials ALTER COLUMN entered_at SET DEFAULT now();
UPDATE network_credentials AS credentials SET hosts = used.hosts
FROM (
  SELECT credential_id,
    array_agg(DISTINCT lower(host) || coalesce(':' || substring(',' || options || ',' from ',\s*port\s*=\s*([0-9]+)\s*,'), '')) AS hosts
  FROM network_volumes WHERE credential_id IS NOT NULL GROUP BY credential_id
) AS used
WHERE used.credential_id = credentials.id;

ALTER TABLE power_scale_credentials
  ADD COLUMN hosts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN entered_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE power_scale_credentials ALTER COLUMN entered_at SET DEFAULT now();
UPDATE power_scale_credentials AS credentials SET hosts = used.hosts
FROM (
  SELECT credential_id, array_agg(DISTINCT lower(host)) AS hosts
  FROM power_scales WHERE credential_id IS NOT NULL GROUP BY credential_id
) AS used
WHERE used.credential_id = credentials.id;

-- A run that a user starts doesn't call the webhook of another user.
ALTER TABLE report_runs ADD COLUMN calls_webhook boolean NOT NULL DEFAULT true;
