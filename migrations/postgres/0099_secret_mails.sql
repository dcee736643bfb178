-- minimum: 0095
-- Earlier servers take every due email, and would send those with a secret without it: these have a channel of their own.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_channel_check, DROP CONSTRAINT deliveries_address;
ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_channel_check CHECK (channel IN ('email', 'secret-email', 'webhook')),
  ADD CONSTRAINT deliveries_address CHECK (address IS NULL OR channel IN ('email', 'secret-email'));
UPDATE deliveries SET channel = 'secret-email' WHERE secret IS NOT NULL;
